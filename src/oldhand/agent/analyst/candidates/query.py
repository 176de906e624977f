"""Writes a sketch as a query of sqlglot expressions, without regard to any dialect."""

from dataclasses import replace
from functools import reduce

from sqlglot import exp

from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Sketch, Term
from oldhand.agent.analyst.candidates.time_spans import span
from oldhand.agent.analyst.rendering.headings import headings
from oldhand.agent.analyst.words.dates import WEEKDAYS
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.wording import human, plural

_COMPARISONS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip
_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max, "median": exp.Median,
}  # fmt: skip

_PARTS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "month of the year": "%m"}
_RANKED, _PLACE = "ranked", "place"
WHOLE = 100.0
"""What shares are counted in: percent."""


def to_query(sketch: Sketch, vocabulary: Vocabulary) -> exp.Query:
    """The query; every table is `database.schema.table` with an alias, every column has its alias."""
    names = _Names(vocabulary, 0)
    query = _select(sketch, names)
    if sketch.each:
        each = [_term(term, names) for term in sketch.each]
        return _cut_in_each(sketch, query, each, vocabulary)
    if sketch.compound is None:
        return query
    kind, second = sketch.compound
    other = _select(second, _Names(vocabulary, 0))
    combine = {"intersect": exp.Intersect, "union": exp.Union, "except": exp.Except}[kind]
    return combine(this=query, expression=other, distinct=True)


class _Names:
    """Aliases `t1`, `t2`, … of one query, those of inner queries following on."""

    def __init__(self, vocabulary: Vocabulary, first: int) -> None:
        self.vocabulary = vocabulary
        self.first = first
        self._aliases: dict[int, str] = {}

    def alias(self, table: int) -> str:
        """The alias of a table in this query."""
        return self._aliases.setdefault(table, f"t{self.first + len(self._aliases) + 1}")

    def inner(self) -> "_Names":
        """Names for a query inside of this one."""
        return _Names(self.vocabulary, self.first + len(self._aliases))

    def table(self, number: int) -> exp.Expr:
        """The table as it stands after FROM or JOIN."""
        entry = self.vocabulary.tables[number]
        return exp.Table(
            this=exp.to_identifier(entry.table.name),
            db=exp.to_identifier(entry.table.schema_name),
            catalog=exp.to_identifier(entry.database),
            alias=exp.TableAlias(this=exp.to_identifier(self.alias(number))),
        )

    def column(self, number: int) -> exp.Expr:
        """A column with its table's alias, or the span of time between two of them."""
        entry = self.vocabulary.columns[number]
        if entry.since >= 0:
            return span(self.column(entry.until), self.column(entry.since), entry)
        return self.named(entry.table, entry.column.name)

    def named(self, table: int, name: str) -> exp.Column:
        """A column by its name."""
        return exp.Column(this=exp.to_identifier(name), table=exp.to_identifier(self.alias(table)))


def _select(sketch: Sketch, names: _Names) -> exp.Select:
    for table in sketch.tree.tables:
        names.alias(table)
    query = exp.Select(expressions=[_term(term, names) for term in sketch.select])
    query = query.from_(names.table(sketch.tree.tables[0]), copy=False)
    for table, edge in zip(sketch.tree.tables[1:], sketch.tree.edges, strict=True):
        equal = [
            exp.EQ(this=names.named(edge.left, left), expression=names.named(edge.right, right))
            for left, right in edge.pairs
        ]
        query = query.join(names.table(table), on=reduce(_both, equal), copy=False)
    if sketch.where:
        parts = [_condition(condition, names) for condition in sketch.where]
        query = query.where(reduce(_one if sketch.either else _both, parts), copy=False)
    if sketch.group:
        query = query.group_by(*(_term(term, names) for term in sketch.group), copy=False)
    for condition in sketch.having:
        query = query.having(_condition(condition, names), copy=False)
    if sketch.order and not sketch.each:
        ordered = [exp.Ordered(this=_term(o.term, names), desc=o.descending) for o in sketch.order]
        query = query.order_by(*ordered, copy=False)
    if sketch.limit is not None and not sketch.each:
        query = query.limit(sketch.limit, copy=False)
    if sketch.passed and not sketch.each:
        query = query.offset(sketch.passed, copy=False)
    if sketch.distinct and (once := _each_thing(sketch, names.vocabulary)):
        return query.group_by(*(_term(term, names) for term in once), copy=False)
    return query.distinct(copy=False) if sketch.distinct else query


def _called(term: Term, sketch: Sketch, vocabulary: Vocabulary) -> str:
    """`number_of_orders` for a count of joined rows: those that refer to the others; else empty."""
    referred = {edge.right for edge in sketch.tree.edges}
    rows = [table for table in sketch.tree.tables if table not in referred]
    if term != Term(ROWS, "count") or len(rows) != 1:
        return ""
    words = plural(human(vocabulary.tables[rows[0]].table.name))
    return f"number of {words}".replace(" ", "_")


def _cut_in_each(
    sketch: Sketch, rows: exp.Select, each: list[exp.Expr], vocabulary: Vocabulary
) -> exp.Select:
    """The rows of the first places in each group; those that tie share their place."""
    outputs = list(rows.selects)
    by = outputs[[*sketch.select].index(sketch.order[0].term)]
    order = exp.Order(expressions=[exp.Ordered(this=by.copy(), desc=sketch.order[0].descending)])
    place = exp.Window(this=exp.Rank(), partition_by=each, order=order)
    names = [
        _called(term, sketch, vocabulary) or name
        for term, name in zip(sketch.select, headings(rows), strict=True)
    ]
    inner = exp.Select(
        expressions=[
            *(exp.alias_(one.copy(), name) for one, name in zip(outputs, names, strict=True)),
            exp.alias_(place, _PLACE),
        ]
    )
    for clause, node in rows.args.items():
        if clause != "expressions":
            inner.set(clause, node)
    last = sketch.passed + (sketch.limit or 1)
    shown = [exp.column(name, _RANKED) for name in names]
    placed = exp.column(_PLACE, _RANKED)
    reached = exp.LTE(this=placed, expression=exp.Literal.number(last))
    if sketch.passed:
        reached = exp.EQ(this=placed, expression=exp.Literal.number(last))
    groups = [shown[n] for n, term in enumerate(sketch.select) if term in sketch.each]
    query = exp.Select(expressions=shown).from_(
        exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(_RANKED)))
    )
    return query.where(reached, copy=False).order_by(
        *(g.copy() for g in groups), placed.copy(), copy=False
    )


def _each_thing(sketch: Sketch, vocabulary: Vocabulary) -> tuple[Term, ...]:
    """What to group by so that things of the same name stay apart; empty where names are no things."""
    shown = (*sketch.select, *(order.term for order in sketch.order))
    entries = [vocabulary.columns[term.column] for term in shown if term.column >= 0]
    owners = {entry.table for entry in entries}
    several = len(sketch.tree.tables) > 1 and len(owners) == 1
    if not several or any(term.aggregate or term.part for term in shown):
        return ()
    columns = vocabulary.tables[owners.pop()].columns
    keys = [c for c in columns if vocabulary.columns[c].column.primary_key]
    named = any(vocabulary.columns[term.column].name_like for term in sketch.select)
    return tuple(dict.fromkeys([Term(keys[0]), *shown])) if named and len(keys) == 1 else ()


def _both(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    return exp.And(this=one, expression=two)


def _one(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    return exp.Or(this=one, expression=two)


def _term(term: Term, names: _Names) -> exp.Expr:
    made = _whole_term(term, names)
    if term.each is None:
        return made
    different = exp.Count(this=exp.Distinct(expressions=[_term(term.each, names)]))
    none = exp.Nullif(this=different, expression=exp.Literal.number(0))
    return exp.Div(this=made, expression=none, typed=False, safe=False)


def _whole_term(term: Term, names: _Names) -> exp.Expr:
    """A term before it is divided."""
    if term.aggregate == "share":
        return _share(term, names)
    if term.aggregate == "proportion":
        return _proportion(term, names)
    if term.column == ROWS:
        return exp.Count(this=exp.Star())
    inner: exp.Expr = names.column(term.column)
    for other in term.times:
        inner = exp.Mul(this=inner, expression=names.column(other))
    for rate in term.off:
        rest = exp.Sub(this=exp.Literal.number(1), expression=names.column(rate))
        inner = exp.Mul(this=inner, expression=exp.Paren(this=rest))
    if term.part:
        inner = _part(inner, term.part)
    if term.aggregate == "count":
        return exp.Count(this=exp.Distinct(expressions=[inner]) if term.distinct else inner)
    return _AGGREGATES[term.aggregate](this=inner) if term.aggregate else inner


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    """A part of a date: a text, or the number of the day of the week, of which Monday is 1."""
    if part == "quarter":
        year = exp.TimeToStr(this=moment, format=exp.Literal.string("%Y"))
        number = exp.Quarter(this=moment.copy())
        return exp.Concat(expressions=[year, exp.Literal.string("-Q"), number], safe=True)
    if part == "day of the week":
        return exp.DayOfWeekIso(this=moment)
    if part != "weekday":
        return exp.TimeToStr(this=moment, format=exp.Literal.string(_PARTS[part]))
    named = exp.Case(this=exp.DayOfWeekIso(this=moment))
    for number, day in enumerate(WEEKDAYS, 1):
        named = named.when(exp.Literal.number(number), exp.Literal.string(day.capitalize()))
    return named


def _share(term: Term, names: _Names) -> exp.Expr:
    """The percentage of rows that meet the conditions: a mean, so that no rows divide by nothing."""
    met = reduce(_both, [_condition(condition, names) for condition in term.when])
    if term.column != ROWS:
        worth = _whole_term(replace(term, aggregate="", when=()), names)
        part = exp.case().when(met, worth).else_(exp.Literal.number(0))
        return _percent(exp.Sum(this=part), exp.Sum(this=worth.copy()))
    parts = exp.case().when(met, exp.Literal.number(WHOLE)).else_(exp.Literal.number("0.0"))
    return exp.Avg(this=parts)


def _proportion(term: Term, names: _Names) -> exp.Expr:
    """The percentage that each group makes up of all groups."""
    aggregate = "count" if term.column == ROWS else "sum"
    own = _whole_term(replace(term, aggregate=aggregate), names)
    return _percent(own, exp.Window(this=exp.Sum(this=own.copy())))


def _percent(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    above = exp.Mul(this=exp.Literal.number(WHOLE), expression=part)
    none = exp.Nullif(this=whole, expression=exp.Literal.number(0))
    return exp.Div(this=above, expression=none, typed=False, safe=False)


def _condition(condition: Condition, names: _Names) -> exp.Expr:
    operator = condition.operator
    left = _term(condition.term, names)
    if condition.other is not None:
        return _COMPARISONS[operator](this=left, expression=_term(condition.other, names))
    if condition.query is not None:
        own = names.inner()
        inner = _select(condition.query, own)
        for column in condition.query.alike:
            same = exp.EQ(this=own.column(column), expression=names.column(column))
            inner = inner.where(same, copy=False)
        if operator == "not in":
            return exp.Not(this=exp.In(this=left, query=exp.Subquery(this=inner)))
        if operator == "in":
            return exp.In(this=left, query=exp.Subquery(this=inner))
        return _COMPARISONS[operator](this=left, expression=exp.Subquery(this=inner))
    return _with_values(left, operator, [_literal(value) for value in condition.values])


def _with_values(left: exp.Expr, operator: str, values: list[exp.Expr]) -> exp.Expr:
    plain = operator.removeprefix("not ")
    if plain == "null":
        made: exp.Expr = exp.Is(this=left, expression=exp.Null())
    elif plain == "like":
        made = exp.Like(this=left, expression=values[0])
    elif plain == "in":
        made = exp.In(this=left, expressions=values)
    elif plain == "between":
        made = exp.Between(this=left, low=values[0], high=values[1])
    elif plain == "within":
        made = _both(
            exp.GTE(this=left, expression=values[0]), exp.LT(this=left.copy(), expression=values[1])
        )
        made = exp.Paren(this=made) if operator.startswith("not ") else made
    else:
        made = _COMPARISONS[plain](this=left, expression=values[0])
    return exp.Not(this=made) if operator.startswith("not ") else made


def _literal(value: str | int | float) -> exp.Expr:
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, str):
        return exp.Literal.string(value)
    return exp.Literal.number(int(value) if value == int(value) else value)
