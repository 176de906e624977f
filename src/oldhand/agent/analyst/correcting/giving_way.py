"""Which rows a correction means that names a kind of thing, and which conditions of an answer give way to one that it states."""

import re
from dataclasses import replace
from datetime import date

from oldhand.agent.analyst.conversation.editing import instead_of_same
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.years import year_of
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wording import singular
from oldhand.query.form import ColumnRef, Comparison, Predicate, Query
from oldhand.query.walk import columns


def in_its_place(scene: Scene, query: Query, condition: Predicate) -> Query:
    """A condition in the place of those about the same, or of one that compares something else with its number."""
    kept = tuple(one for one in query.where if not _misread(scene, one, condition))
    return instead_of_same(replace(query, where=kept), condition)


def misread(scene: Scene, query: Query, condition: Predicate) -> bool:
    """Whether a condition compares what it is about with the number that something else was compared with."""
    return any(_misread(scene, one, condition) for one in query.where)


def of_same_kind(scene: Scene, condition: Predicate) -> Predicate | None:
    """The one condition on a time, where another one is on a time as well: what is meant takes its place."""
    if not _is_timed(scene, condition):
        return None
    timed = [one for one in scene.query.where if _is_timed(scene, one)]
    return timed[0] if len(timed) == 1 else None


def lengthened_to(one: Predicate, months: int) -> Predicate:
    """A condition on a stretch of time, for the year, quarter or month in which it begins, where it ends in it as well."""
    if not isinstance(one, Comparison) or year_of(one) is None:
        return one
    first, *rest = (date.fromisoformat(str(value)[:10]) for value in one.values)
    month = (first.month - 1) // months * months
    start, end = date(first.year, month + 1, 1), date(first.year + (month + months) // 12, (month + months) % 12 + 1, 1)  # fmt: skip
    within = all(day <= end for day in rest)
    return replace(one, operator="within", right=(start.isoformat(), end.isoformat())) if within else one  # fmt: skip


def _is_timed(scene: Scene, one: Predicate) -> bool:
    known = vocabulary(scene.schemas)
    refs = {entry.ref for entry in known.columns if entry.temporal}
    read = {*columns(one)}
    return bool(read) and read <= refs


def _misread(scene: Scene, old: Predicate, new: Predicate) -> bool:
    """`Over 3` of a rating, where over 3 orders are meant: the number was read of a column that nobody named."""
    if not isinstance(old, Comparison) or not isinstance(new, Comparison) or old.left == new.left:
        return False
    numbers = all(isinstance(one, int | float) for one in (*old.values, *new.values))
    if not numbers or not old.values or old.values != new.values or {*old.values} <= {0, 1}:
        return False
    said = {one.stem for one in tokenise(scene.question)}
    return not any({*map(stem, split_name(one.name))} <= said for one in columns(old))


_KIND = re.compile(r"(?<!\d)[^\W\d_]{3,}")
"""Words of a value of which the last one says what kind of thing it is: `lily` of `White lily 2`."""

_MANY = 100
"""Values that are looked through, at most."""


def of_kind(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """The values of one column that end in a word: `lilies` of flowers that are called `White lily` and `Tiger lily`; none where they are too many to see all of them."""
    said_so = dict.fromkeys((singular(words), words))
    alike = {said: scene.values.containing(said, _MANY + 1) for said in said_so}
    if any(len(some) > _MANY for some in alike.values()):
        return ()
    held = [
        (found.table == scene.things.table, one)
        for said, some in alike.items()
        for one in some
        for found in scene.query.rows.relations
        if (one.database, one.table) == (found.database, found.table)
        and [stem(part.casefold()) for part in _KIND.findall(one.value)[-1:]]
        == [stem(said.casefold())]
    ]
    nearest = [one for own, one in held if own] or [one for _, one in held]
    if len({(one.table, one.column) for one in nearest}) != 1:
        return ()
    of = next(one for one in scene.query.rows.relations if one.table == nearest[0].table)
    column, values = ColumnRef(of, nearest[0].column), sorted({one.value for one in nearest})
    return (Comparison(column, "=" if len(values) == 1 else "in", tuple(values)),)
