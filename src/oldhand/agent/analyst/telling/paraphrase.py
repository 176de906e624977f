"""Says in plain words what a query asks for."""

from oldhand.agent.analyst.candidates.conditions import Condition, single
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import split_name
from oldhand.lexicon.wording import listed
from oldhand.query.form import (
    Aggregate,
    AnyOf,
    Column,
    Comparison,
    Count,
    DatePart,
    Elapsed,
    Expression,
    Has,
    OwnGroup,
    Predicate,
    Proportion,
    Query,
    Ratio,
    Relation,
    Share,
    Worth,
)
from oldhand.query.walk import attribute, function_of, is_measure

_AGGREGATES = {
    "avg": "average", "sum": "total", "min": "lowest", "max": "highest", "median": "median", "count": "number of",
}  # fmt: skip
_OPERATORS = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least", "like": "is like", "not like": "is not like", "in": "is among",
    "not in": "is not among", "between": "is between", "not between": "is not between",
    "null": "is missing", "not null": "is known", "within": "is within", "not within": "is not within",
}  # fmt: skip


def paraphrase(query: Query, words: Vocabulary) -> str:
    """One line, such as `number of customers, where city of customers is 'Berlin'`."""
    said = _Speaker(words, query).say(query)
    if query.compound is not None:
        second = query.compound.second
        link = {"intersect": "and also", "union": "or", "except": "but not"}[query.compound.kind]
        where = _Speaker(words, second).conditions(second)
        said += f", {link} {where}"
    return said


class _Speaker:
    def __init__(self, words: Vocabulary, query: Query) -> None:
        self._words = words
        self._several = len(query.rows.relations) > 1
        self._rows = _called(query.rows.relations[0])
        self._counted = " with ".join(map(_called, query.rows.relations))

    def say(self, query: Query) -> str:
        """The whole query."""
        parts = [", ".join(self.term(term) for term in query.select)]
        if not self._several and not any(attribute(t) is None for t in query.select):
            parts[0] += f" of {self._rows}"
        measured = any(map(is_measure, query.select))
        sorted_by_measure = any(is_measure(order.by) for order in query.order)
        single_things = query.group and not (measured or sorted_by_measure or query.having)
        if query.distinct or single_things:
            parts[0] = f"different {parts[0]}"
        if said := self.conditions(query):
            parts.append(f"where {said}")
        shown = [t for t in query.group if t in query.select] or list(query.group)
        if shown and not query.each and measured:
            parts.append("for each " + " and ".join(self.term(term) for term in shown))
        parts.extend(f"where the {self.predicate(one)}" for one in query.having)
        if query.order:
            parts.append(self._order(query))
        if query.each:
            parts.append(
                "in each " + " and ".join(self.term(t) for t in query.each if t in query.select)
            )
        return ", ".join(parts)

    def conditions(self, query: Query) -> str:
        """The conditions of a query; that what is most common is known goes without saying."""
        told = [c for c in query.where if not _goes_without_saying(c, query)]
        return " and ".join(self.predicate(one) for one in told)

    def groups(self, query: Query) -> str:
        """Which groups are left: `the number of customers with orders is more than 5`."""
        said = [self.conditions(query)] if query.where else []
        return " and ".join([*said, *(f"the {self.predicate(c)}" for c in query.having)])

    def predicate(self, predicate: Predicate) -> str:
        """One predicate."""
        link = " or " if isinstance(predicate, AnyOf) else " and "
        return link.join(self._condition(one) for one in single((predicate,)))

    def _condition(self, condition: Condition) -> str:
        left, operator = self.term(condition.left), _OPERATORS[condition.operator]
        if isinstance(condition, Has):
            within = _Speaker(self._words, condition.rows)
            if not condition.none and condition.rows.having:
                return within.groups(condition.rows)
            return (
                f"{left} {operator} the {within.say(condition.rows)}{within.unsaid(condition.rows)}"
            )
        if isinstance(condition.right, OwnGroup):
            alike = listed([self.term(one) for one in condition.right.same])
            measure = self.term(condition.right.measure)
            of = _called(condition.right.same[0].of)
            return f"{left} {operator} the {measure} of {of} with the same {alike}"
        if isinstance(condition.right, Query):
            within = _Speaker(self._words, condition.right)
            return f"{left} {operator} the {within.say(condition.right)}"
        if isinstance(condition.right, tuple):
            return f"{left} {_compared(condition.operator, [_value(v) for v in condition.right])}"
        return f"{left} {operator} {self.term(condition.right)}"

    def unsaid(self, query: Query) -> str:
        """The tables in which there must be a partner, though nothing is said of them: ` with returns`."""
        terms = (*query.select, *(condition.left for condition in single(query.where)))
        told = [_owner(one) for term in terms if (one := attribute(term)) is not None]
        left = [_called(relation) for relation in query.rows.relations if relation not in told]
        return f" with {listed(left)}" if left and self._several else ""

    def term(self, term: Expression) -> str:
        """A column or what is computed from it."""
        if isinstance(term, Share):
            part = " and ".join(self.predicate(one) for one in term.when)
            return f"percentage of {self._rows} whose {part}"
        if isinstance(term, Ratio):
            each = term.bottom.of if isinstance(term.bottom, Count) else None
            one = self.term(each or term.bottom).removesuffix(" id")
            worth = isinstance(term.top, Aggregate) and isinstance(term.top.of, Worth)
            what = self.term(term.top) if worth else f"number of {self._rows}"
            return f"average {what} for each {one}"
        if isinstance(term, Proportion):
            return self.term(term.of)
        about = attribute(term)
        return f"number of {self._counted}" if about is None else self._about(term, about)

    def _about(self, term: Expression, about: Column | Elapsed) -> str:
        """What is computed from a column."""
        entry = self._words.entry(about)
        name = _plain(entry.column.name)
        distinct = isinstance(term, Count) and term.distinct
        if distinct and entry.column.primary_key:
            return f"number of different {_called(_owner(about))}"
        if self._several:
            name = f"{name} of {_called(_owner(about))}"
        inside = term.of if isinstance(term, Count | Aggregate) else term
        if isinstance(inside, Worth):
            for other in inside.factors[1:]:
                name = f"{self._named(other)} \N{MULTIPLICATION SIGN} {name}"
            if inside.off:
                name = f"{name} less the discount"
        if isinstance(inside, DatePart):
            name = f"{inside.part} of {name}"
        if distinct:
            name = f"different {name}"
        function = function_of(term)
        return f"{_AGGREGATES[function]} {name}" if function else name

    def _named(self, factor: Expression) -> str:
        about = attribute(factor)
        return "" if about is None else _plain(self._words.entry(about).column.name)

    def _order(self, query: Query) -> str:
        by = " and ".join(self.term(order.by) for order in query.order)
        most = query.order[0].descending
        if query.limit is not None and len(query.order) == 1:
            ones = "the one" if query.limit == 1 else f"the {query.limit}"
            ones = f"number {query.offset + 1} of those" if query.offset else ones
            if query.order[0].by == Count():
                return f"{ones} with the {'most' if most else 'fewest'} {self._counted}"
            extreme = "highest" if most else "lowest"
            return f"{ones} with the {extreme} {by.removeprefix(f'{extreme} ')}"
        way = "highest first" if most else "lowest first"
        said = f"sorted by {by}, {way}"
        return said if query.limit is None else f"{said}, the first {query.limit}"


def _called(relation: Relation) -> str:
    """The name of a table, or of the role that its rows play."""
    return relation.role or _plain(relation.table)


def _owner(about: Column | Elapsed) -> Relation:
    return about.of if isinstance(about, Column) else about.since.of


def _goes_without_saying(predicate: Predicate, query: Query) -> bool:
    if not isinstance(predicate, Comparison) or predicate.operator != "not null":
        return False
    return predicate.left in query.group


def _compared(operator: str, values: list[str]) -> str:
    """`is 'paid' or 'open'`, `is from '2025-01-01' to before '2026-01-01'`."""
    negated = "not " if operator.startswith("not ") else ""
    kind = operator.removeprefix("not ")
    if kind == "in" and len(values) > 1:
        return f"is {'neither ' if negated else ''}{listed(values, 'nor' if negated else 'or')}"
    if kind == "in":
        return f"is {negated}{''.join(values)}"
    if kind == "within":
        return f"is {negated}from {values[0]} to before {values[1]}"
    return f"{_OPERATORS[operator]} {' and '.join(values)}".rstrip()


def _plain(name: str) -> str:
    return " ".join(split_name(name)) or name


def _value(value: str | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else f"{value:,}"
