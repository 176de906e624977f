"""Where the parts of a candidate come from: the words behind each, and what else these could have meant."""

from collections.abc import Iterator, Mapping

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, ChoiceDraft, Slot, weigh
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.query.form import Comparison, Count, Has, Order, Proportion, Query, Share
from oldhand.query.parts import Part, own_parts
from oldhand.query.provenance import Option, Origin, QueryProvenance, Said
from oldhand.query.walk import relations, walk


class Origins:
    """Traces the parts of the candidates of one question back to its words."""

    def __init__(self, asked: Asked, weights: Mapping[str, float]) -> None:
        self._asked = asked
        self._weights = weights
        self._made: dict[int, tuple[float, list[Said]]] = {}
        """The score of each choice, and the parts that it makes, by its identity."""

    def of(self, query: Query, draft: ChoiceDraft) -> QueryProvenance:
        """The origins of the parts of a query that a draft became."""
        parts = list(own_parts(query))
        found: dict[Said, Origin] = {}
        for slot, choice in draft.taken:
            score, made = self._by(choice)
            for said in made:
                part = _part(parts, said)
                if part is not None:
                    options = self._options(slot, choice, said) if part == said else []
                    _add(found, part, Origin.of_bits(choice.used, options, score))
        for order in draft.of("order"):
            for part in parts if not order.terms else ():
                if part.kind == "order":
                    _add(found, (part.kind, part.node), Origin.of_bits(order.used))
        self._turned(draft, parts, found)
        return QueryProvenance(found)

    def _by(self, choice: Choice) -> tuple[float, list[Said]]:
        known = self._made.get(id(choice))
        if known is None:
            made = [said for one in (choice, *choice.along) for said in self._parts_of(one)]
            known = self._made[id(choice)] = weigh(choice.features, self._weights), made
        return known

    def _parts_of(self, choice: Choice) -> Iterator[Said]:
        """What a choice adds to a query, before other choices change it."""
        if choice.kind in ("select", "group"):
            yield from ((choice.kind, term) for term in choice.terms)
        if choice.kind == "group":
            yield from (("each", term) for term in choice.terms)
        if choice.kind == "group" and choice.shown:
            yield from (("select", term) for term in choice.terms)
        if choice.kind == "order":
            yield from (("order", Order(term, choice.descending)) for term in choice.terms)
            if choice.limit is not None:
                yield "limit", choice.limit
            if choice.passed:
                yield "offset", choice.passed
        if choice.condition is not None:
            yield choice.kind, choice.condition
        if choice.table >= 0:
            excluding = choice.kind == "exclude"
            yield "exclude" if excluding else "relation", self._asked.relation(choice.table)

    def _options(self, slot: Slot, taken: Choice, said: Said) -> list[Option]:
        """The parts of the same kind that other choices of a slot would have made, where each makes one."""
        kind, _ = said
        best: dict[Said, float] = {}
        for choice in slot.choices:
            score, made = self._by(choice)
            same = [one for one in made if one[0] == kind]
            if choice is taken and len(same) > 1:
                return []
            if len(same) == 1 and choice is not taken and same[0] != said:
                best[same[0]] = max(score, best.get(same[0], score))
        return [Option(other, score) for (_, other), score in best.items()]

    def _turned(self, draft: ChoiceDraft, parts: list[Part], found: dict[Said, Origin]) -> None:
        """A condition that is turned round rests on the words that turn it, too."""
        for negation in draft.of("negate"):
            target = draft.turned(negation)
            made = [said for said in self._parts_of(target) if said[0] == "where"] if target else []
            for said in made:
                part = _part(parts, said)
                if part is not None:
                    _add(found, part, Origin.of_bits(negation.used))


def _part(parts: list[Part], said: Said) -> Said | None:
    """The part of a query that a choice has led to: what it adds itself, or what that has become."""
    same = [(part.kind, part.node) for part in parts]
    if said in same:
        return said
    return next((one for one in same if _holds(one, said)), None)


def _holds(part: Said, said: Said) -> bool:
    """True for a part in which what a choice adds stands in another way."""
    (kind, node), (wanted, made) = part, said
    if isinstance(node, int) or isinstance(made, int):
        return False
    match made:
        case Comparison() | Has():
            clause = kind in (wanted, "select", "where", "compound")
            return clause and any(_is_alike(one, made) for one in walk(node, inner=True))
        case Count():
            return kind == wanted == "select" and isinstance(node, Count)
        case Share():
            return kind == wanted == "select" and isinstance(node, Share | Proportion)
        case _:
            excluding = wanted == "exclude" and kind == "where" and isinstance(node, Has)
            return excluding and made in relations(node, inner=True)


def _is_alike(one: object, condition: Condition) -> bool:
    return isinstance(one, Comparison | Has) and one.left == condition.left


def _add(found: dict[Said, Origin], part: Said, origin: Origin) -> None:
    """Note where a part comes from, in which several choices may have a share."""
    known = found.get(part, Origin(()))
    words = tuple(sorted({*known.words, *origin.words}))
    found[part] = Origin(words, known.options or origin.options, known.score or origin.score)
