"""Which readings of a question are worth asking about: those that say different things about what was asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import real_tables
from oldhand.agent.analyst.understanding import Candidate

OFFERED = 2
"""Readings to choose from."""
_RESTRICTING = ("value", "number", "not", "null", "than_average", "superlative", "per", "share")
"""Kinds of words that no reading may leave out which the first one answers to."""


def readings_to_choose(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The first reading and the next one that means something else; only the first when there is none.

    Nobody is asked about repeated rows, the order of columns or rows, or a further column.
    """
    chosen: list[tuple[Candidate, _Gist]] = []
    for candidate in candidates:
        gist = _gist(candidate.query)
        least = candidates[0].features
        restricts_less = any(
            candidate.features.get(f"unused.{kind}", 0.0) > least.get(f"unused.{kind}", 0.0)
            for kind in _RESTRICTING
        )
        alike = any(gist.is_like(other) for _, other in chosen)
        said = any(candidate.reading == other.reading for other, _ in chosen)
        if not (restricts_less or alike or said):
            chosen.append((candidate, gist))
    return tuple(candidate.reading for candidate, _ in chosen[:OFFERED])


def told_apart(readings: Sequence[str]) -> tuple[str, ...]:
    """The readings in short: only what not all of them say; as they are when one says nothing of its own.

    >>> told_apart(["name of customers with city 'Rome', sorted by name",
    ...             "name of customers with region 'Rome', sorted by name"])
    ("name of customers with city 'Rome'", "name of customers with region 'Rome'")
    >>> told_apart(["name of stores", "name of stores, the one with the most employees"])
    ('name of stores', 'name of stores, the one with the most employees')
    """
    clauses = [reading.split(", ") for reading in readings]
    shared = set(clauses[0]).intersection(*clauses) if clauses else set[str]()
    short = tuple(
        ", ".join(clause for clause in parts if clause not in shared) for parts in clauses
    )
    return short if all(short) and len(set(short)) == len(short) else tuple(readings)


def same_rows(one: exp.Query, other: exp.Query) -> bool:
    """True when two queries show the same rows, be it by other columns; what they compute has to be the same.

    >>> from sqlglot import parse_one
    >>> same_rows(parse_one("SELECT t.name FROM t LIMIT 1"), parse_one("SELECT t.id FROM t LIMIT 1"))
    True
    >>> same_rows(parse_one("SELECT COUNT(*) FROM t"), parse_one("SELECT t.id FROM t"))
    False
    """
    first, second = _gist(one), _gist(other)
    plain = not any("(" in shown or shown == "count" for shown in first.shown | second.shown)
    return first.rest == second.rest and (plain or first.shown == second.shown)


@dataclass(frozen=True)
class _Gist:
    """What a query asks for, aliases, repeated rows and the order of columns aside."""

    shown: frozenset[str]
    rest: tuple[object, ...]

    def is_like(self, other: "_Gist") -> bool:
        """True when one shows no less than the other of the same rows."""
        same = self.shown <= other.shown or other.shown <= self.shown
        return same and self.rest == other.rest


def _gist(query: exp.Query) -> _Gist:
    tree = query.copy()
    names = {table.alias: table.name for table in real_tables(tree)}
    for column in tree.find_all(exp.Column):
        column.set("table", exp.to_identifier(names.get(column.table, column.table)))
    select = tree.find(exp.Select)
    if select is None:
        return _Gist(frozenset(), (tree.sql(),))
    shown = frozenset(_shown(select))
    order = select.args.get("order") if select.args.get("limit") else None
    grouped = any(node.find(exp.AggFunc) for node in (*select.selects, order) if node is not None)
    keys = (
        "where",
        "having",
        "limit",
        *(("group",) if grouped or select.args.get("having") else ()),
    )
    clauses = [select.args.get(key) for key in keys]
    parts = [part.sql() for part in (*clauses, order) if isinstance(part, exp.Expr)]
    return _Gist(shown, (*parts, isinstance(tree, exp.SetOperation) and tree.sql()))


def _shown(select: exp.Select) -> Iterator[str]:
    """What is shown; how often the same row is counted is no other question."""
    for output in select.selects:
        inner = output.unalias()
        yield "count" if isinstance(inner, exp.Count) else inner.sql()
