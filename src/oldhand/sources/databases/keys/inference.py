"""Foreign keys that no schema declares, within a database and from one into another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from oldhand.record.base import Record
from oldhand.record.schema import Column, ForeignKey, KeyEvidence, Kind
from oldhand.sources.databases.keys.names import (
    NamedTable,
    is_key_like,
    name_fit,
    tells_somebody,
    without_keys,
)
from oldhand.sources.databases.keys.primary import KEY_KINDS
from oldhand.sources.databases.keys.shared_values import Shared, SharedValues

_ENOUGH = 0.6
_LEAST_FIT = 0.6
_LEAST_SHARE = 0.8
"""More of the values than this must be there: where one in five leads nowhere, the names are merely alike."""
_FEW = 3
"""Values that a name which isn't that of a key must share at least."""
_BY_NAME_ALONE = 0.75
_BY_VALUES = 0.65
"""How surely a key is one of the only table that holds all of its values."""
_MOSTLY = 4
"""How many times more numbers than a column a table may have, for these to speak for its key."""

_Columns = tuple[Column, ...]


class InferredKey(Record):
    """A foreign key that names and values speak for."""

    database: str
    schema_name: str
    table: str
    key: ForeignKey


@dataclass(frozen=True)
class _Candidate:
    here: NamedTable
    columns: _Columns
    there: NamedTable
    target: _Columns
    fit: float
    shared: Shared
    alone: bool = False
    """Whether it is known by nothing but its values, which no other key holds."""

    @cached_property
    def confidence(self) -> float:
        """How likely it is a key."""
        share = self.shared.share
        if share is None:
            return _BY_NAME_ALONE * self.fit
        if len(self.target) == 1 and not self._is_named_as_key:
            few = self.shared.values < (1 if self._is_declared else _FEW)
            if share < 1 or few or self.columns[0].kind is not Kind.TEXT:
                return 0.0
        return self.fit * share if share > _LEAST_SHARE else 0.0

    @property
    def rank(self) -> tuple[float, ...]:
        """The better of two targets of the same columns is greater."""
        key = self.there.table.primary_key == tuple(c.name for c in self.target)
        size = self.there.table.row_count or 0
        owns = self.there.owns(self.target[0])
        return (round(self.confidence, 2), owns, key, size, -self.there.place)

    @property
    def _is_declared(self) -> bool:
        table = self.there.table
        return table.primary_key == (self.target[0].name,) and table.key_evidence is None

    @property
    def _is_named_as_key(self) -> bool:
        """Whether the names speak of a key, and not just of the same: `email` here and there."""
        words = self.there.of(self.target[0])
        about_it = words == self.there.words or self.here.of(self.columns[0]) != words
        return about_it or is_key_like(words) or self.there.owns(self.target[0])


def inferred_keys(
    tables: Sequence[NamedTable], of: Sequence[str], shared: SharedValues
) -> tuple[InferredKey, ...]:
    """Foreign keys that no schema has yet: of each column, the likeliest."""
    targets = [(there, target) for there in tables for target in _targets(there)]
    best: dict[object, _Candidate] = {}
    for here in tables:
        if here.database.name not in of:
            continue
        for found in (*_singles(here, targets, shared), *_composites(here, targets, shared)):
            place = _place(here, found.columns)
            better = place not in best or found.rank > best[place].rank
            if better and not _is_way_back(found):
                best[place] = found
    return tuple(map(_key, _one_way(best)))


def _targets(named: NamedTable) -> Iterator[_Columns]:
    """What other tables may refer to: the primary key, and whatever tells rows apart and is named like a key."""
    table = named.table
    key = table.primary_key
    if key:
        yield tuple(column for column in table.columns if column.name in key)
    for column in table.columns:
        unique = column.unique or (column.profile is not None and column.profile.tells_apart)
        called_so = is_key_like(named.of(column)) or named.of(column) == named.words
        if key != (column.name,) and column.kind in KEY_KINDS and unique and called_so:
            yield (column,)


def _singles(
    here: NamedTable, targets: Sequence[tuple[NamedTable, _Columns]], shared: SharedValues
) -> Iterator[_Candidate]:
    linked = {key.columns for key in here.table.foreign_keys}
    for column in here.table.columns:
        empty = column.profile is not None and column.profile.rows and not column.profile.present
        if column.kind not in KEY_KINDS or (column.name,) in linked or empty:
            continue
        if (home := _only_home(here, column, targets, shared)) is not None:
            yield home
        for there, (goal, *more) in targets:
            if more or goal is column or _is_own(here, column, there, goal):
                continue
            fit = name_fit(here, column, there, goal)
            if fit >= _LEAST_FIT:
                held = shared.of(here, (column,), there, (goal,))
                found = _Candidate(here, (column,), there, (goal,), fit, held)
                if found.confidence >= _ENOUGH and not here.rejects((column.name,), there):
                    yield found


def _only_home(
    here: NamedTable,
    column: Column,
    targets: Sequence[tuple[NamedTable, _Columns]],
    shared: SharedValues,
) -> _Candidate | None:
    """The one table whose key holds all values of a column that is named as the key of something else: `buyer_id`, of companies.

    Where several hold them, as tables do that are numbered from 1, none is known, unless somebody is told, as by `owner_id`, and one
    of them alone is of people; nor where the table is named.
    """
    words, seen = here.of(column), column.profile
    keyed = is_key_like(words) and without_keys(words) and not here.owns(column)
    if not keyed or column.primary_key or seen is None or seen.distinct < _FEW or seen.tells_apart:
        return None
    keys = [
        (there, goal)
        for there, (goal, *more) in targets
        if not more and there.database is here.database and there.table.primary_key == (goal.name,)
    ]
    if any(name_fit(here, column, there, goal) >= _LEAST_FIT for there, goal in keys):
        return None
    near = ((there, goal) for there, goal in keys if _may_hold(goal, column))
    held = ((there, goal, shared.of(here, (column,), there, (goal,))) for there, goal in near)
    whole = [one for one in held if one[-1].values >= _FEW and one[-1].share == 1]
    if len(whole) > 1 and tells_somebody(words):
        whole = [one for one in whole if one[0].is_of_people]
    if len(whole) != 1 or whole[0][0] is here or here.rejects((column.name,), whole[0][0]):
        return None
    there, goal, values = whole[0]
    return _Candidate(here, (column,), there, (goal,), _BY_VALUES, values, alone=True)


def _may_hold(goal: Column, column: Column) -> bool:
    """Whether a key may hold all values of a column, by what is known of both: told without a look at the rows."""
    known, seen = goal.profile, column.profile
    if goal.kind is not column.kind or known is None or seen is None:
        return False
    if goal.kind is not Kind.TEXT and known.distinct > _MOSTLY * seen.distinct:
        return False  # of many numbers, any range is a part
    bounds = (known.low, seen.low, seen.high, known.high)
    numbers = [one for one in bounds if isinstance(one, int | float)]
    return len(numbers) < len(bounds) or (numbers[0] <= numbers[1] and numbers[2] <= numbers[3])


def _composites(
    here: NamedTable, targets: Sequence[tuple[NamedTable, _Columns]], shared: SharedValues
) -> Iterator[_Candidate]:
    """Keys of several columns, whose names are the same on both sides."""
    linked = {key.columns for key in here.table.foreign_keys}
    by_words = {here.of(column): column for column in here.table.columns}
    for there, target in targets:
        columns = tuple(filter(None, (by_words.get(there.of(column)) for column in target)))
        if len(columns) < 2 or len(columns) < len(target) or there is here:
            continue
        names = tuple(column.name for column in columns)
        telling = any(is_key_like(there.of(column)) for column in target)
        if not telling or names in linked or there.database is not here.database:
            continue
        held = shared.of(here, columns, there, target)
        if held.values >= _FEW and held.share == 1 and not here.rejects(names, there):
            yield _Candidate(here, columns, there, target, 0.9, held)


def _is_own(here: NamedTable, column: Column, there: NamedTable, target: Column) -> bool:
    """Whether a column is the key of its own table, and not that of a wider one: `person_id` of persons on leave."""
    if here.table.primary_key != (column.name,) or not here.owns(column):
        return False
    about = without_keys(here.of(column))
    narrower = 0 < len(about) < len(here.words)
    return not (narrower and len(there.words) <= len(about) and there.owns(target))


def _one_way(best: dict[object, _Candidate]) -> Iterator[_Candidate]:
    """Of two that lead to each other, the better one."""
    for place, found in best.items():
        back = best.get(_place(found.there, found.target))
        turned = back is not None and _place(back.there, back.target) == place
        if back is None or not turned or found.rank > back.rank:
            yield found


def _is_way_back(found: _Candidate) -> bool:
    """Whether the other side is known to refer to this one."""
    here, there = _place(found.here, found.columns), _place(found.there, found.target)
    return any(
        key.columns == there[-1]
        and (key.database, key.schema_name, key.table, key.target_columns) == here
        for key in found.there.table.foreign_keys
    )


def _place(named: NamedTable, columns: _Columns) -> tuple[object, ...]:
    names = tuple(column.name for column in columns)
    return named.database.name, named.table.schema_name, named.table.name, names


def _key(found: _Candidate) -> InferredKey:
    here, there = found.here, found.there
    because = f"{found.shared.said}; {_named(found)}"
    evidence = KeyEvidence(because=because, confidence=min(0.95, round(found.confidence, 2)))
    key = ForeignKey(
        columns=tuple(column.name for column in found.columns),
        database=there.database.name,
        schema_name=there.table.schema_name,
        table=there.table.name,
        target_columns=tuple(column.name for column in found.target),
        evidence=evidence,
    )
    return InferredKey(
        database=here.database.name,
        schema_name=here.table.schema_name,
        table=here.table.name,
        key=key,
    )


def _named(found: _Candidate) -> str:
    same = all(
        one.name.casefold() == other.name.casefold()
        for one, other in zip(found.columns, found.target, strict=True)
    )
    if found.alone:
        return "no other key holds them"
    return "the same name" if same else f"named after {found.there.table.name}"
