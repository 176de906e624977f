"""Rows that are told by what others of theirs add up to: `customers with more than 3000 in fees on paid orders`."""

import re

from sqlglot import exp

from oldhand.agent.analyst.stating.named import columns_named, only_one, tables_meant
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.analyst.stating.things import Things, things_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.record.formula import read_condition
from oldhand.record.schema import NUMBERS, DatabaseSchema, Table
from oldhand.record.semantics import Measure
from oldhand.sources.databases.values import Values

_BOUND = "|".join(
    one.replace("-", " ")
    for one, sign in sorted(meanings("rules.comparing").items(), key=lambda it: -len(it[0]))
    if sign in ("<", "<=", ">", ">=") and not one.startswith("is-")
)
_MONEY = words("rules.money")
_AMOUNT = rf"(?P<bound>{_BOUND}) (?P<amount>\d[\d.,]*)(?: (?:{'|'.join(sorted(_MONEY))}))?"
_WHOLE = r"(?:(?:a |the |their )?(?:total|sum|overall|combined)(?: of)? |in total )"
_OF = r"(?:on|of|from|for|across|over all|in|with)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<things>[\w ]+?) (?:with|having|who have|that have|who had) {_AMOUNT} (?:in|of) {_WHOLE}?(?P<what>[\w ]+?) {_OF} (?P<rows>[\w ].*)",
        rf"(?P<things>[\w ]+?) (?:with|having|who have|that have|whose) {_WHOLE}(?P<what>[\w ]+?) {_OF} (?P<rows>[\w ].*?) (?:is |of )?{_AMOUNT}",
        rf"(?P<things>[\w ]+?) (?:with|having|who have|that have) {_WHOLE}(?P<what>[\w ]+?) of {_AMOUNT} {_OF} (?P<rows>[\w ].*)",
        rf"(?P<things>[\w ]+?) whose (?P<rows>[\w ].*?) (?:add up|adds up|sum up|come|amount) to {_AMOUNT}(?: (?:in|of))? {_WHOLE}?(?P<what>[\w ]+)",
    )
)


def summed(said: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> Things | None:
    """The rows of which words say what those add up to that refer to them; None where they say no such thing.

    Raises:
        UnclearRule: they do, but which rows add up is not understood.
    """
    for form in _FORMS:
        found = form.fullmatch(said.strip(" .!;"))
        things = tables_meant(_bare(found["things"]), schemas) if found else ()
        if found is None or len(things) != 1:
            continue
        database, table = things[0]
        if (made := _of(database, table, found, schemas, values)) is not None:
            return made
        if form is _FORMS[0]:  # a question would be about single rows
            raise UnclearRule(f"I can't tell what adds up to {found['what']!r} for each of {table.name}: no key leads from {found['rows']!r} to these, or it has no such column.")  # fmt: skip
    return None


def _of(
    database: str,
    table: Table,
    found: re.Match[str],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> Things | None:
    schema = next(one for one in schemas if one.name == database)
    referring = [(other, key) for other in schema.tables for key in other.foreign_keys if key.table.casefold() == table.name.casefold()]  # fmt: skip
    for other, key in referring:
        columns = [one for one in columns_named(found["what"], (schema,)) if one.table is schema.table(other.name) and one.column.kind in NUMBERS]  # fmt: skip
        which = _which(found["rows"], database, other, schemas, values)
        if len(columns) != 1 or which is None:
            continue
        if len(key.columns) != 1 or sum(one is other for one, _ in referring) > 1:
            raise UnclearRule(f"Several keys lead from {other.name} to {table.name}: I can't tell by which one {found['what']!r} adds up.")  # fmt: skip
        sign = meanings("rules.comparing")["-".join(found["bound"].lower().split())]
        amount = found["amount"].rstrip(".,").replace(",", "")
        mine, theirs = (exp.column(exp.to_identifier(one[0], quoted=True)) for one in (key.columns, key.target_columns))  # fmt: skip
        total = exp.Sum(this=exp.column(exp.to_identifier(columns[0].column.name, quoted=True)))
        rows = exp.select(mine).from_(exp.to_identifier(other.name, quoted=True)).group_by(mine.copy())  # fmt: skip
        rows = rows.where(which) if which else rows
        text = theirs.isin(query=rows.having(f"{total.sql()} {sign} {amount}")).sql()
        return Things(database, table.name, read_condition(text).sql(), 1.0)
    return None


def _which(
    said: str, database: str, table: Table, schemas: tuple[DatabaseSchema, ...], values: Values
) -> str | None:
    """What the rows meet that add up; empty for all rows of a table, None where they are no rows of it."""
    here = (database, table)
    if here in tables_meant(_bare(said), schemas):
        return ""
    things = things_meant(said, schemas, values, (here,), only=True)
    return None if things is None else things.condition


def number_of_all(name: str, things: str, schemas: tuple[DatabaseSchema, ...]) -> ReadRule:
    """`Order count is the number of orders`: as many as there are rows of a table."""
    tables = tables_meant(things, schemas)
    if not tables:
        raise UnclearRule(
            f"A number is stated of all rows of a table, and none is called {things!r}: ask for it instead, as in: number of {things}."
        )
    only_one(things, [f"{database}.{table.name}" for database, table in tables])
    return ReadRule(tables[0][0], Measure(name=name, table=tables[0][1].name, formula="COUNT(*)"))


def _bare(said: str) -> str:
    found = said.split()
    while len(found) > 1 and found[0].lower() in STOP_WORDS:
        found = found[1:]
    return " ".join(found)
