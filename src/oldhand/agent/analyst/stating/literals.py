"""Columns and values that sentences write as they are: `st X doesn't count`, `only those with st = D`, `lifts whose st is not X`.

The column has this very name and holds this very value, so nothing else can be meant. While the sentence is read, a word stands for such rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from oldhand.agent.analyst.stating.leaving import rows_said
from oldhand.agent.analyst.stating.named import (
    THINGS,
    NamedColumn,
    is_one_of,
    tables_in,
    tables_last,
    tables_meant,
    values_said,
)
from oldhand.agent.analyst.stating.pointers import INVENTED, Pointed, pointed
from oldhand.agent.analyst.stating.things import Things, opposite, the_others
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.frequencies import is_english
from oldhand.lexicon.phrases import any_of
from oldhand.lexicon.wording import human
from oldhand.record.schema import NUMBERS, DatabaseSchema, Table, with_rule
from oldhand.record.semantics import NamedCondition, RowFilter
from oldhand.sources.databases.values import Values

_SIGNS, _OTHERS = any_of(words("rules.literal_signs")), any_of(words("rules.literal_others"))
_SIGN = rf"(?:\s*(?P<other><>|!=)|\s*(?:=|:)|\s+(?P<denied>{_OTHERS})\b|\s+(?:{_SIGNS})\b)?"
_ONE = r"(?:'[^']+'|\"[^\"]+\"|[\w-]+)"
_LITERAL = re.compile(rf"\b(?P<name>[^\W\d][\w.]*){_SIGN}\s*(?P<values>(?<=\W){_ONE}(?:\s*(?:,|/|\bor\b|\band\b)\s*{_ONE})*)", re.IGNORECASE)  # fmt: skip
_APART = re.compile(r"\s*(?:,|/|\bor\b|\band\b)\s*", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*(?:%|\+|-|(?:or|and|to|until|through|plus|up)\b)", re.IGNORECASE)
"""Behind a number that is no value alone: `3 or more`."""
_SHORT = 3
"""Letters up to which the name of a column is hardly a word of its own."""


@dataclass(frozen=True, slots=True)
class _Literal:
    """Where a column with a value of it stands, and what rows have it."""

    start: int
    end: int
    database: str
    table: Table
    condition: str


def literal_rows(
    sentence: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    around: Sequence[tuple[str, str]] = (),
) -> Pointed | None:
    """A sentence in which a word stands for rows that are told by a column and a value of it; None where it has none.

    Args:
        sentence: as it was written.
        schemas: the databases that it may be about.
        values: what these hold.
        around: database and name of the tables that are spoken of.

    Raises:
        UnclearRule: it may be the column of several tables.
    """
    told = Pointed(sentence.strip(), (), schemas)
    found = _found(told, values, around)
    if found is None:
        return None
    name = f"{INVENTED}x"
    before, behind = told.text[: found.start].split(), told.text[found.end :]
    start, end = _things(before, told.schemas)
    things = " ".join(before[start:end]) or human(found.table.name)
    rule = NamedCondition(name=name, table=found.table.name, condition=found.condition)
    having = with_rule(schemas, found.database, rule)
    said = " ".join((*before[start:], told.text[found.start : found.end]))
    text = " ".join((*before[:start], name, things)) + behind
    whole = pointed(text, having, values)
    return replace(whole, said=((f"{name} {things}", said), *whole.said))


def rows_alone(told: Pointed) -> tuple[str, RowFilter] | None:
    """The rule of a sentence that names rows in this way and says nothing else but whether they count: `st X only`, `without those (st X)`."""
    wanted = rows_said(told.text)
    for schema, rule in _pointed_rows(told):
        rest = _without_rows(
            told.text if wanted is None else wanted.rows, told.schemas, schema, rule
        )
        denied = [one for one in rest if one in words("rules.denying")]
        if wanted is not None and wanted.wants[:1] != (False,):
            return None
        if len(denied) > (wanted is None) or not (_idle() | {*denied}).issuperset(rest):
            return None
        things = Things(schema.name, rule.table, rule.condition, 1.0)
        out = wanted is not None or bool(denied)
        condition = the_others(things, schema) if out else rule.condition
        return schema.name, RowFilter(table=rule.table, condition=condition)
    return None


def _pointed_rows(told: Pointed) -> list[tuple[DatabaseSchema, NamedCondition]]:
    """The rows for which a word of a sentence stands, where it is the only one."""
    invented = [one for one in re.findall(r"\w+", told.text) if one.startswith(INVENTED)]
    return [(schema, one) for schema in told.schemas for one in schema.semantics.conditions if [one.name] == invented]  # fmt: skip


def _idle() -> frozenset[str]:
    """Words that say nothing of rows but that these are meant."""
    signs = (piece for one in words("rules.literal_signs") for piece in one.split("-"))
    return words("rules.alone") | words("rules.relating") | words("rules.articles") | words("rules.rows_meant") | {*signs}  # fmt: skip


def _without_rows(
    text: str, schemas: tuple[DatabaseSchema, ...], schema: DatabaseSchema, rule: NamedCondition
) -> list[str]:
    """The words of a text besides those that name its rows: `the lifts` behind the word that stands for them."""
    said = [one.lower() for one in re.findall(r"\w+", text)]
    if rule.name not in said:
        return ["?"]
    place, own = said.index(rule.name), (schema.name, schema.table(rule.table))
    behind = (said[place + 1 : place + 1 + size] for size in range(THINGS, 0, -1))
    size = next((len(some) for some in behind if own in tables_meant(" ".join(some), schemas)), 0)
    before = said[:place]
    if before[-2:-1] and before[-2] in words("rules.relating"):  # parcels that are lost
        before = [one for one in before if own not in tables_meant(one, schemas)]
    return [*before, *said[place + 1 + size :]]


def _found(told: Pointed, values: Values, around: Sequence[tuple[str, str]]) -> _Literal | None:
    """The first column with a value of it."""
    at = 0
    while found := _LITERAL.search(told.text, at):
        at = found.start() + len(found["name"])
        before = told.text[: found.start()].split()
        if before and (
            before[-1].lower() in words("rules.saying_what") or before[-1].endswith(",")
        ):
            continue  # `finished jobs have st D` says what such jobs are
        if told.text.count("(", 0, found.start()) > told.text.count(")", 0, found.start()):
            continue  # what stands in brackets is said of the words before
        held = [*_holding(found, told.schemas, values)]
        near = {*around} or {
            (database, table.name) for database, table in tables_in(told.text, told.schemas)
        }
        held = [one for one in held if (one.database, one.table.name) in near] or held
        if len(held) > 1:
            names = ", ".join(f"{one.table.name}.{found['name']}" for one in held)
            raise UnclearRule(f"{found['name']!r} may be one of: {names}. Name it in full.")
        if held:
            return held[0]
    return None


def _holding(
    found: re.Match[str], schemas: tuple[DatabaseSchema, ...], values: Values
) -> Iterator[_Literal]:
    """The columns of that very name that hold all values that are named, else the first one."""
    of, _, name = found["name"].rpartition(".")
    if not of and len(name) > _SHORT and "_" not in name and is_english(name.lower()):
        return
    for schema in schemas:
        for table in schema.tables:
            column = table.column(name)
            if column is None or of.casefold() not in ("", table.name.casefold()):
                continue
            listed = [one for one in _APART.split(found["values"]) if one]
            for some in dict.fromkeys((tuple(listed), tuple(listed[:1]))) if listed else ():
                known = values_said([one.strip("'\"") for one in some], NamedColumn(schema.name, table, column, 1.0), values)  # fmt: skip
                if len(known) == len(some) and not (
                    column.kind in NUMBERS and _GOES_ON.match(found.string, found.end())
                ):
                    last = found["values"].find(some[-1]) + len(some[-1])
                    condition = is_one_of(column.name, known)
                    turned = found["other"] or found["denied"]
                    yield _Literal(
                        found.start(),
                        found.start("values") + last,
                        schema.name,
                        table,
                        opposite(condition) if turned else condition,
                    )
                    break


def _things(before: Sequence[str], schemas: tuple[DatabaseSchema, ...]) -> tuple[int, int]:
    """Where the words before a column that lead to it begin, and up to where they name its rows: `the lifts` of `leave out the lifts with`."""
    end = len(before)
    while end and before[end - 1].lower() in words("rules.before_literals"):
        end -= 1
    if end and before[end - 1].lower() in words("rules.rows_meant"):
        return end - 1, end - 1
    return end - tables_last(before[:end], schemas)[0], end
