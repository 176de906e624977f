"""Says in plain words what a query asks for."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Sketch, Term
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import split_name
from oldhand.lexicon.wording import listed

_AGGREGATES = {
    "avg": "average", "sum": "total", "min": "lowest", "max": "highest", "median": "median", "count": "number of",
}  # fmt: skip
_OPERATORS = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least", "like": "is like", "not like": "is not like", "in": "is among",
    "not in": "is not among", "between": "is between", "not between": "is not between",
    "null": "is missing", "not null": "is known", "within": "is within", "not within": "is not within",
}  # fmt: skip


def paraphrase(sketch: Sketch, words: Vocabulary) -> str:
    """One line, such as `number of customers, where city of customers is 'Berlin'`."""
    said = _Speaker(words, sketch).say(sketch)
    if sketch.compound is not None:
        kind, second = sketch.compound
        link = {"intersect": "and also", "union": "or", "except": "but not"}[kind]
        where = _Speaker(words, second).conditions(second)
        said += f", {link} {where}"
    return said


class _Speaker:
    def __init__(self, words: Vocabulary, sketch: Sketch) -> None:
        self._words = words
        self._several = len(sketch.tree.tables) > 1
        self._rows = self._called(sketch.tree.tables[0])
        self._counted = " with ".join(self._called(table) for table in sketch.tree.tables)

    def _called(self, table: int) -> str:
        """The name of a table, or of the role that its rows play."""
        entry = self._words.tables[table]
        return entry.role or _plain(entry.table.name)

    def say(self, sketch: Sketch) -> str:
        """The whole query."""
        parts = [", ".join(self.term(term) for term in sketch.select)]
        if not self._several and not any(t.column == ROWS for t in sketch.select):
            parts[0] += f" of {self._rows}"
        if sketch.distinct:
            parts[0] = f"different {parts[0]}"
        if said := self.conditions(sketch):
            parts.append(f"where {said}")
        shown = [t for t in sketch.group if t in sketch.select] or list(sketch.group)
        if (
            shown
            and not sketch.each
            and any(term.aggregate or term.column == ROWS for term in sketch.select)
        ):
            parts.append("for each " + " and ".join(self.term(term) for term in shown))
        parts.extend(f"where the {self.condition(condition)}" for condition in sketch.having)
        if sketch.order:
            parts.append(self._order(sketch))
        if sketch.each:
            parts.append(
                "in each " + " and ".join(self.term(t) for t in sketch.each if t in sketch.select)
            )
        return ", ".join(parts)

    def conditions(self, sketch: Sketch) -> str:
        """The conditions of a query; that what is most common is known goes without saying."""
        told = (c for c in sketch.where if c.operator != "not null" or c.term not in sketch.group)
        said = (self.condition(condition) for condition in told)
        return (" or " if sketch.either else " and ").join(said)

    def groups(self, sketch: Sketch) -> str:
        """Which groups are left: `the number of customers with orders is more than 5`."""
        said = [self.conditions(sketch)] if sketch.where else []
        return " and ".join([*said, *(f"the {self.condition(c)}" for c in sketch.having)])

    def condition(self, condition: Condition) -> str:
        """One condition."""
        left = self.term(condition.term)
        if condition.other is not None:
            return f"{left} {_OPERATORS[condition.operator]} {self.term(condition.other)}"
        if condition.query is not None:
            within = _Speaker(self._words, condition.query)
            if condition.operator == "in" and condition.query.having:
                return within.groups(condition.query)
            inner = within.say(condition.query) + within.unsaid(condition.query)
            alike = [self.term(Term(column)) for column in condition.query.alike]
            inner += f" with the same {listed(alike)}" if alike else ""
            return f"{left} {_OPERATORS[condition.operator]} the {inner}"
        return f"{left} {_compared(condition.operator, [_value(v) for v in condition.values])}"

    def unsaid(self, sketch: Sketch) -> str:
        """The tables in which there must be a partner, though nothing is said of them: ` with returns`."""
        terms = (*sketch.select, *(condition.term for condition in sketch.where))
        told = {self._words.columns[column].table for term in terms for column in term.columns}
        left = [self._called(table) for table in sketch.tree.tables if table not in told]
        return f" with {listed(left)}" if left and self._several else ""

    def term(self, term: Term) -> str:
        """A column or what is computed from it."""
        if term.aggregate == "share":
            part = " and ".join(self.condition(condition) for condition in term.when)
            return f"percentage of {self._rows} whose {part}"
        if term.each is not None:
            one = self.term(term.each).removesuffix(" id")
            what = self.term(replace(term, each=None)) if term.times else f"number of {self._rows}"
            return f"average {what} for each {one}"
        if term.column == ROWS:
            return f"number of {self._counted}"
        entry = self._words.columns[term.column]
        name = _plain(entry.column.name)
        if term.aggregate == "count" and term.distinct and entry.column.primary_key:
            return f"number of different {self._called(entry.table)}"
        if self._several:
            name = f"{name} of {self._called(entry.table)}"
        for other in term.times:
            name = (
                f"{_plain(self._words.columns[other].column.name)} \N{MULTIPLICATION SIGN} {name}"
            )
        if term.off:
            name = f"{name} less the discount"
        if term.part:
            name = f"{term.part} of {name}"
        if term.distinct:
            name = f"different {name}"
        return f"{_AGGREGATES[term.aggregate]} {name}" if term.aggregate else name

    def _order(self, sketch: Sketch) -> str:
        by = " and ".join(self.term(order.term) for order in sketch.order)
        most = sketch.order[0].descending
        if sketch.limit is not None and len(sketch.order) == 1:
            ones = "the one" if sketch.limit == 1 else f"the {sketch.limit}"
            ones = f"number {sketch.passed + 1} of those" if sketch.passed else ones
            if sketch.order[0].term.column == ROWS:
                return f"{ones} with the {'most' if most else 'fewest'} {self._counted}"
            extreme = "highest" if most else "lowest"
            return f"{ones} with the {extreme} {by.removeprefix(f'{extreme} ')}"
        way = "highest first" if most else "lowest first"
        said = f"sorted by {by}, {way}"
        return said if sketch.limit is None else f"{said}, the first {sketch.limit}"


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
