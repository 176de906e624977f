"""Attributes and measures in words."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import is_past_form, listed, plural, value_text
from oldhand.lexicon.wordlists import word_lists
from oldhand.query import form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.converting import converted
from oldhand.query.describing.headings import elapsed_words
from oldhand.query.describing.nouns import (
    Schemas,
    finest,
    happened,
    is_key,
    is_timely,
    noun,
    one_of,
    referred,
    said_name,
    spoken_of,
)
from oldhand.query.walk import attribute

TIMES_SIGN = "\N{MULTIPLICATION SIGN}"
_UNCOUNTED = words("names.uncounted")
_LINKS = words("places.prepositions")
_COMPUTED = {
    "+": "plus", "-": "minus", "*": "times", "/": "divided by", "//": "divided in whole numbers by",
    "%": "modulo", "||": "followed by",
}  # fmt: skip
_FUNCTIONS = {
    "abs": "absolute {}", "length": "length of {}", "lower": "lower-case {}", "round": "rounded {}",
    "trim": "trimmed {}", "upper": "upper-case {}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SaidExpression:
    """An expression in words: `average price` (of products) ` for each customer`."""

    head: str
    of: form.Relation | None
    """Whose it is, so that it need be said only once of several; None when the head says it."""
    tail: str = ""
    counts: bool = False
    """True for a bare `number`, which must say of what."""
    link: str = " of "
    """What stands between the head and the rows."""


class Terms(ABC):
    """Says what is read of some rows.

    Args:
        rows: that the query reads; None when only a part is said.
        main: the relation that is spoken of; its attributes need not say whose they are.
        schemas: tell of columns what they hold.
        exact: whether texts are quoted and nothing is left to the context, so that no two queries sound the same.
    """

    def __init__(
        self, rows: form.Rows | None, main: form.Relation | None, schemas: Schemas, *, exact: bool
    ) -> None:
        self.rows = rows
        self.main = main
        self.schemas = schemas
        self.exact = exact

    def inside(self, query: form.Query, main: form.Relation | None = None) -> Self:
        """What speaks of the rows of a query inside, and of one of its relations above all."""
        return type(self)(query.rows, main or spoken_of(query), self.schemas, exact=self.exact)

    def on(self, relation: form.Relation) -> Self:
        """What speaks of another relation of the same rows."""
        return type(self)(self.rows, relation, self.schemas, exact=self.exact)

    @abstractmethod
    def conditions(self, predicates: Sequence[form.Predicate]) -> str:
        """What rows must meet, to stand behind their noun."""

    def value(self, value: form.Scalar | None, column: str = "") -> str:
        """A value that something is compared with."""
        if not self.exact or value is None:
            return value_text(value, column)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            text = " ".join(value.split(" "))
            return f'"{text}"' if "'" in text else f"'{text}'"
        return str(value) if _UNCOUNTED.intersection(said_name(column).split()) else f"{value:,}"

    def term(self, expression: form.Expression) -> str:
        """An expression, with the relation that it is of unless that is the one spoken of."""
        return self.whole_term(self.said(expression), self.main)

    def whole_term(self, said: SaidExpression, main: form.Relation | None = None) -> str:
        """An expression with the relation that it is of, unless that is `main`."""
        own = said.of is None or (said.of == main and not said.counts)
        of = "" if own or said.of is None else f"{said.link}{noun(said.of)}"
        return f"{said.head}{of}{said.tail}"

    def counted(self) -> form.Relation | None:
        """The relation whose rows are counted."""
        if self.rows is None:
            return None
        return finest(self.rows) or self.rows.relations[0]

    def said(self, expression: form.Expression) -> SaidExpression:
        """An expression in words."""
        match expression:
            case form.ColumnRef(of=of, name=name):
                return SaidExpression(said_name(name), of)
            case form.Elapsed(since=since):
                return SaidExpression(elapsed_words(expression), since.of)
            case form.DatePart(of=of, part=part):
                return self._part(self.said(of), of, part)
            case form.Value(value=value):
                return SaidExpression(self.value(value), None)
            case form.Worth(factors=factors, off=off):
                heads, of = self._together((*factors, *off))
                less = "".join(f" less {head}" for head in heads[len(factors) :])
                return SaidExpression(f" {TIMES_SIGN} ".join(heads[: len(factors)]) + less, of)
            case form.Arithmetic() if found := converted(expression, self.schemas):
                inner = self.said(found.of)
                return replace(inner, head=found.said(inner.head))
            case form.Arithmetic(operator=operator, left=left, right=right):
                (one, two), of = self._together((left, right))
                one, two = (f"({s})" if isinstance(e, form.Arithmetic) else s for e, s in ((left, one), (right, two)))  # fmt: skip
                return SaidExpression(f"{one} {_COMPUTED[operator]} {two}", of)
            case form.Function():
                return self._function(expression)
            case form.Case(when=when, otherwise=otherwise):
                return self._case(when, otherwise)
            case _:
                return self._measure(expression)

    def _together(self, parts: Sequence[form.Expression]) -> tuple[list[str], form.Relation | None]:
        """Several expressions: without the relation that all of them are of, or each with its own."""
        said = [self.said(part) for part in parts]
        owners = {one.of for one in said if one.of is not None}
        if len(owners) == 1 and not any(one.tail or one.counts for one in said):
            return [one.head for one in said], owners.pop()
        return [self.whole_term(one, self.main) for one in said], None

    def _part(self, inner: SaidExpression, of: form.Expression, part: str) -> SaidExpression:
        if not self.exact:
            return SaidExpression(part, inner.of)
        event = happened(of.name) if isinstance(of, form.ColumnRef) else None
        return SaidExpression(
            f"{part} {event[0]}" if event else f"{part} of {inner.head}", inner.of
        )

    def _function(self, call: form.Function) -> SaidExpression:
        heads, of = self._together(call.of)
        if call.name.startswith("cast "):
            return SaidExpression(f"{heads[0]} as {call.name.removeprefix('cast ')}", of)
        if call.name == "coalesce":
            return SaidExpression(f"{heads[0]} or else {' or else '.join(heads[1:])}", of)
        first = _FUNCTIONS.get(call.name, f"{call.name} of {{}}").format(heads[0])
        return SaidExpression(
            f"{first} to {listed(heads[1:])} decimals" if heads[1:] else first, of
        )

    def _case(
        self,
        when: Sequence[tuple[form.Predicate, form.Expression]],
        otherwise: form.Expression | None,
    ) -> SaidExpression:
        said = [f"{self.term(value)} for those {self.conditions((p,))}" for p, value in when]
        rest = "nothing" if otherwise is None else self.term(otherwise)
        return SaidExpression(f"{', '.join(said)}, else {rest}", None)

    def _measure(self, measure: form.Expression) -> SaidExpression:
        match measure:
            case form.Count():
                return self._count(measure)
            case form.Aggregate(function=function, of=of, distinct=distinct):
                inner = self.said(of)
                head = f"different {inner.head}" if distinct else inner.head
                return SaidExpression(self._aggregate(function, of, head), inner.of, inner.tail)
            case form.Share(when=when, of=of):
                what = f" of {self.term(of)}" if of is not None else ""
                head = f"percentage{what} {self.conditions(when)}"
                return SaidExpression(head, self.counted(), counts=True, link=" among ")
            case form.Proportion(of=of):
                inner = self.said(of)
                return SaidExpression(f"percentage of the whole {inner.head}", inner.of, inner.tail)
            case form.Ratio(top=top, bottom=bottom):
                return self._ratio(top, bottom)
            case form.OwnGroup(measure=of, same=same):
                inner = self.said(of)
                alike = listed([self.term(one) for one in same])
                return SaidExpression(inner.head, inner.of, f"{inner.tail} with the same {alike}", inner.counts, inner.link)  # fmt: skip
            case _:
                raise TypeError(type(measure))

    def _count(self, count: form.Count) -> SaidExpression:
        if count.of is None:
            of = self.counted()
            return (
                SaidExpression("number", of, counts=True)
                if of is not None
                else SaidExpression("number of rows", of)
            )
        if isinstance(count.of, form.Case) and (when := count.of.when)[0][1] == form.Value(1) and len(when) == 1:  # fmt: skip
            return SaidExpression(f"number {self.conditions((when[0][0],))}", self.counted(), counts=True, link=" among ")  # fmt: skip
        inner = self.said(count.of)
        known = "different" if count.distinct else "known"
        if isinstance(count.of, form.ColumnRef) and is_key(count.of, self.schemas):
            return SaidExpression(f"number of {known}", count.of.of, counts=True, link=" ")
        to = referred(count.of, self.schemas) if isinstance(count.of, form.ColumnRef) else None
        if to is not None and count.distinct:
            return SaidExpression(f"number of different {noun(to)}", inner.of)
        return SaidExpression(f"number of {known} {self.values(inner.head)}", inner.of)

    def values(self, name: str) -> str:
        """The values of an attribute in the plural; adjectives, and names of events, have none."""
        last = name.rpartition(" ")[2]
        bare = last in word_lists().measures or last in _LINKS or is_past_form(last)
        return f"values of {name}" if bare else plural(name)

    def _aggregate(self, function: str, of: form.Expression, head: str) -> str:
        known = AGGREGATES[function]
        timely = isinstance(of, form.ColumnRef) and is_timely(of, self.schemas)
        word = (timely and known.of_times) or known.word
        if self.exact:
            return f"{known.noun if head.startswith(word) else word} {head}"
        return head if f"{head} ".startswith(f"{word} ") else f"{word} {head}"

    def _ratio(self, top: form.Expression, bottom: form.Expression) -> SaidExpression:
        """`average number of orders per customer`, `total paid divided by total price`."""
        match top:
            case form.Arithmetic(operator="*", left=form.Value(value=100), right=part):
                return SaidExpression(f"{self.term(part)} as a percentage of {self.term(bottom)}", None)  # fmt: skip
            case _:
                above = self.said(top)
        match bottom:
            case form.Count(of=form.ColumnRef() as column, distinct=True):
                return SaidExpression(f"average {above.head}", above.of, f"{above.tail} per {self._each(column)}", above.counts, above.link)  # fmt: skip
            case _:
                return SaidExpression(f"{self.whole_term(above, self.main)} divided by {self.term(bottom)}", None)  # fmt: skip

    def _each(self, column: form.ColumnRef) -> str:
        """What a mean is for: the thing that a key tells apart."""
        own = is_key(column, self.schemas)
        return one_of(column.of) if own else f"different {self.term(column)}"

    def is_timely(self, expression: form.Expression) -> bool:
        """True for an expression that says when."""
        column = attribute(expression)
        plain = isinstance(expression, form.ColumnRef) or (
            isinstance(expression, form.Aggregate) and expression.function in ("min", "max")
        )
        return plain and isinstance(column, form.ColumnRef) and is_timely(column, self.schemas)
