"""Where the parts of a query come from: the words of the question that say them, and what else these could have meant."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from oldhand.query.form import Node
from oldhand.query.parts import Part

Said = tuple[str, Node | int]
"""A kind of part and the part: stays the same when other parts of the query change."""


@dataclass(frozen=True, slots=True)
class Option:
    """Another part that the same words could have meant."""

    node: Node | int
    score: float
    """Of the same scale as that of the part that was taken."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The words that a part comes from."""

    words: tuple[int, ...]
    """Their places in the question, counted from 0; none for what follows from other parts, as joins do."""
    options: tuple[Option, ...] = ()
    """What was not taken, best first."""
    score: float = 0.0
    """That of the part which was taken."""

    @staticmethod
    def of_bits(used: int, options: Iterable[Option] = (), score: float = 0.0) -> "Origin":
        """The origin of what rests on the words whose bits are set.

        >>> Origin.of_bits(0b1101).words
        (0, 2, 3)
        """
        words = tuple(place for place in range(used.bit_length()) if used >> place & 1)
        return Origin(words, tuple(sorted(options, key=lambda one: -one.score)), score)


@dataclass(frozen=True, slots=True)
class QueryProvenance:
    """The origins of the parts of one query."""

    origins: Mapping[Said, Origin] = field(default_factory=dict[Said, Origin])

    def origin(self, part: Part) -> Origin | None:
        """Where a part comes from; None where nothing is known of it.

        >>> from oldhand.query.form import ColumnRef, Query, Relation, Rows
        >>> from oldhand.query.parts import parts
        >>> customers = Relation("shop", "main", "customers")
        >>> name, label = ColumnRef(customers, "name"), ColumnRef(customers, "label")
        >>> known = QueryProvenance({("select", name): Origin((2,), (Option(label, 0.4),), 0.9)})
        >>> _, shown = parts(Query(Rows((customers,)), (name,)))
        >>> known.origin(shown).options[0].node.name
        'label'
        """
        return self.origins.get((part.kind, part.node))

    def exchanged(self, part: Part, other: Node | int) -> "QueryProvenance":
        """The origins once another part has taken the place of one: it rests on the same words, and what was there is an option."""
        said = (part.kind, part.node)
        before = self.origins.get(said)
        if before is None:
            return self
        scores = {one.node: one.score for one in before.options}
        options = [one for one in before.options if one.node != other]
        options.append(Option(part.node, before.score))
        after = replace(
            before,
            options=tuple(sorted(options, key=lambda one: -one.score)),
            score=scores.get(other, before.score),
        )
        rest = {key: value for key, value in self.origins.items() if key != said}
        return QueryProvenance({**rest, (part.kind, other): after})
