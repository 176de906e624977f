"""What people ask next, made from a question whose query is known: each kind changes the query in one way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from benchmarks._spider_data import SpiderDatabase
from oldhand.lexicon.wording import human, plural
from oldhand.query.form import ColumnRef, Comparison, Count, Expression, Order, Query, Relation
from oldhand.query.known import known_column, known_table
from oldhand.record.schema import Column, Kind

NUMBERS = (Kind.INTEGER, Kind.NUMBER)
SAYINGS = {
    "another value": ("What about {value}?", "And for {value}?", "same for {value}", "And {value}?"),
    "how many": ("How many are there?", "How many of them are there?", "count them"),
    "narrowed by a number": (
        "Only those with {column} above {number}.", "Which of those have a {column} over {number}?",
        "only the ones with a {column} of more than {number}",
    ),
    "narrowed by a value": (
        "Only those whose {column} is {value}.", "Which of them have the {column} {value}?",
        "only the ones with {column} {value}",
    ),
    "how many of those": (
        "How many of those have a {column} above {number}?", "How many of them have {column} over {number}?",
    ),
    "the most": ("Which of them has the highest {column}?", "And the one with the highest {column}?"),
    "their": ("What is their {column}?", "Show their {columns}.", "and their {column}?"),
    "sorted": ("Sort them by {column}.", "order them by {column}"),
    "sorted, highest first": ("Sort them by {column}, highest first.", "order them by {column}, descending"),
}  # fmt: skip
"""How each kind is said; which wording a case gets is drawn by its seed."""


@dataclass(frozen=True)
class FollowUp:
    """A question that leans on one before."""

    kind: str
    text: str
    query: Query
    """What it means."""


def follow_ups(query: Query, database: SpiderDatabase, seed: str) -> Iterator[FollowUp]:
    """One follow-up of each kind that fits a query."""
    random = Random(seed)
    made = {**_another_value(query, database, random), **_of_things(query, database, random)}
    for kind, (changed, words) in made.items():
        yield FollowUp(kind, random.choice(SAYINGS[kind]).format(**words), changed)


Made = dict[str, tuple[Query, dict[str, str]]]


def _another_value(query: Query, database: SpiderDatabase, random: Random) -> Made:
    """The same with another value in its only comparison with a text."""
    texts = [one for one in query.where if isinstance(one, Comparison) and _compares_text(one)]
    if len(texts) != 1 or not isinstance(texts[0].left, ColumnRef):
        return {}
    (old,) = texts[0].values
    others = [value for value in _values(texts[0].left, database) if value != old]
    if not others:
        return {}
    value = random.choice(others)
    new = replace(texts[0], right=(value,))
    where = tuple(new if one is texts[0] else one for one in query.where)
    return {"another value": (replace(query, where=where), {"value": value})}


def _compares_text(one: Comparison) -> bool:
    return one.operator == "=" and len(one.values) == 1 and isinstance(one.values[0], str)


def _of_things(query: Query, database: SpiderDatabase, random: Random) -> Made:
    """What can be asked of things that were listed."""
    thing = _listed(query)
    table = known_table(thing, (database.schema,)) if thing is not None else None
    if thing is None or table is None:
        return {}
    made: Made = {"how many": (replace(query, select=(Count(),)), {})}
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    own = [c for c in table.columns if c.name not in keys and not _is_used(query, thing, c)]
    numbers = [c for c in own if c.kind in NUMBERS]
    if numbers:
        column = random.choice(numbers)
        ref, name = ColumnRef(thing, column.name), _name(column)
        if (middle := _middle(ref, database)) is not None:
            above = Comparison(ref, ">", (middle,))
            said = {"column": name, "number": f"{middle:g}"}
            more = (*query.where, above)
            made["narrowed by a number"] = (replace(query, where=more), said)
            made["how many of those"] = (replace(query, select=(Count(),), where=more), said)
        made["the most"] = (replace(query, order=(Order(ref, descending=True),), limit=1), {"column": name})  # fmt: skip
        for kind, falls in (("sorted", False), ("sorted, highest first", True)):
            made[kind] = (replace(query, order=(Order(ref, descending=falls),)), {"column": name})
    texts = [c for c in own if c.kind is Kind.TEXT]
    if texts:
        column = random.choice(texts)
        ref, name = ColumnRef(thing, column.name), _name(column)
        if values := _values(ref, database):
            value = random.choice(values)
            narrowed = replace(query, where=(*query.where, Comparison(ref, "=", (value,))))
            made["narrowed by a value"] = (narrowed, {"column": name, "value": value})
        made["their"] = (replace(query, select=(ref,)), {"column": name, "columns": plural(name)})
    return made


def _listed(query: Query) -> Relation | None:
    """The things that a query lists, a row each; None where it computes, groups, sorts or sets apart."""
    more = query.group or query.having or query.order or query.compound or query.distinct
    owners = {one.of for one in query.select if isinstance(one, ColumnRef)}
    plain = all(isinstance(one, ColumnRef) for one in query.select)
    if more or query.limit is not None or not plain or len(owners) != 1 or query.rows.joins:
        return None
    return owners.pop()


def _is_used(query: Query, thing: Relation, column: Column) -> bool:
    used: set[Expression] = {*query.select, *(p.left for p in query.where if isinstance(p, Comparison))}  # fmt: skip
    return ColumnRef(thing, column.name) in used


def _name(column: Column) -> str:
    return column.description or human(column.name)


def _values(ref: ColumnRef, database: SpiderDatabase) -> list[str]:
    """Short texts that a column holds."""
    known = known_column(ref, (database.schema,))
    rows = database.rows(f'SELECT DISTINCT "{ref.name}" FROM "{ref.of.table}" LIMIT 200') or []
    texts = [row[0] for row in rows if isinstance(row[0], str) and 2 < len(row[0]) < 25]
    return sorted(text for text in texts if known is not None and text.strip() == text)


def _middle(ref: ColumnRef, database: SpiderDatabase) -> float | None:
    """A number that splits what a column holds."""
    sql = f'SELECT "{ref.name}" FROM "{ref.of.table}" WHERE "{ref.name}" IS NOT NULL ORDER BY 1'
    numbers = [row[0] for row in database.rows(sql) or [] if isinstance(row[0], int | float)]
    return numbers[len(numbers) // 2] if numbers and numbers[0] != numbers[-1] else None
