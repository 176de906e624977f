"""How many keys are found again in databases whose schemas declare none."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks._data import text2sql
from benchmarks._generated_keys import generated
from benchmarks._spider_data import declared_keys
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema, ForeignKey
from oldhand.sources.databases.keys.infer import with_inferred_keys
from oldhand.sources.databases.opening import open_database

RULE = """Each database is read, all of its primary and foreign keys are taken out of the schema, and keys are inferred from
names, types and values. A key counts as listed when the database or its description declares it, as implied when it joins
columns that are the same by the declared keys (of a child with its grandparent, say), as left out when the description
declares its target as the one primary key of that name, the column bears the same name, and each of its values is there:
public descriptions leave keys out. What is none of these is named below, to be read. A key over several columns counts once."""

Ends: TypeAlias = tuple[str, tuple[str, ...], str, tuple[str, ...]]
"""Table and columns of both sides."""


@dataclass(frozen=True)
class Found:
    """What came of one database."""

    database: str
    has_rows: bool
    declared: frozenset[Ends]
    inferred: frozenset[Ends]
    left_out: frozenset[Ends]
    """Those that neither are declared nor follow, but that the declared primary keys and the values speak for."""
    primary: tuple[int, int]
    """Tables whose primary key was found again, of those that declare one."""

    @property
    def implied(self) -> frozenset[Ends]:
        """Those that are not declared, but follow from what is."""
        parent: dict[object, object] = {}

        def root(of: object) -> object:
            while of in parent:
                of = parent[of]
            return of

        for here, columns, there, target in self.declared:
            for one, other in zip(columns, target, strict=True):
                if root((here, one)) != root((there, other)):
                    parent[root((here, one))] = root((there, other))
        return frozenset(
            (here, columns, there, target)
            for here, columns, there, target in self.inferred - self.declared
            if all(
                root((here, one)) == root((there, other))
                for one, other in zip(columns, target, strict=True)
            )
        )


def run(data: Path | None) -> None:
    """Print the tables; on generated databases when there is no public data."""
    print(RULE + "\n")
    for part in ("spider_train", "spider_dev"):
        if (folder := text2sql(data, part)) is not None:
            report(part, of_spider(folder))
    if (sample := text2sql(data, "sample")) is not None:
        files = sorted(sample.rglob("*.sqlite"))
        report("sample", [of_file(file.stem, file, {}) for file in files])
    if data is None:
        with generated() as files:
            report("generated", [of_file(file.stem, file, {}) for file in files])


def of_spider(folder: Path) -> Iterator[Found]:
    """Every database of a part of Spider."""
    for described in json.loads((folder / "tables.json").read_text("utf-8")):
        name = described["db_id"]
        yield of_file(name, folder / "database" / name / f"{name}.sqlite", described)


def of_file(name: str, file: Path, described: dict[str, object]) -> Found:
    """Read one SQLite file, forget its keys, and infer them.

    Args:
        name: of the database.
        file: where it lies.
        described: what Spider says of it; empty where nothing is said but what the database declares.
    """
    with open_database(DatabaseEntry(name=name, url=f"sqlite:///{file}")) as database:
        full = database.introspect()
        found = with_inferred_keys(without_keys(full), database)
    said = set(_declared(full))
    told = {_ends(table, key) for table, key in declared_keys(full, described)}
    pairs = {pair for key in said if len(key[1]) > 1 for pair in _pairs(key)}
    keyed = [t for t in full.tables if t.primary_key and t.key_evidence is None]
    primary = {table.name: table.primary_key for table in found.tables}
    again = [table for table in keyed if primary[table.name] == table.primary_key]
    return Found(
        name,
        any(table.row_count for table in full.tables),
        frozenset(key for key in said | (told - pairs) if key[:2] != key[2:]),
        frozenset(_ends(t.name, key) for t in found.tables for key in t.foreign_keys),
        frozenset(_left_out(full, found)),
        (len(again), len(keyed)),
    )


def without_keys(schema: DatabaseSchema) -> DatabaseSchema:
    """The schema as if the database declared no key at all."""
    bare = {"primary_key": False, "unique": False}
    tables = tuple(
        table.model_copy(
            update={
                "foreign_keys": (),
                "key_evidence": None,
                "columns": tuple(column.model_copy(update=bare) for column in table.columns),
            }
        )
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})


def report(part: str, found: Iterable[Found]) -> None:
    """One table for a set of databases, those without rows apart, and the keys that nobody lists."""
    listed = list(found)
    print(f"### {part}\n")
    print(
        "| databases | declared keys | found again | inferred | listed | listed or implied | listed, implied or left out |"
        " primary keys found again |\n|---|---|---|---|---|---|---|---|"
    )
    for label, has_rows in (("with rows", True), ("without rows: by names alone", False)):
        chosen = [one for one in listed if one.has_rows is has_rows]
        if chosen:
            print(f"| {len(chosen)} {label} | {' | '.join(_cells(chosen))} |")
    print()
    for one in listed:
        unknown = one.inferred - one.declared - one.implied - one.left_out
        for here, columns, there, target in sorted(unknown):
            print(f"- not listed: {one.database} {here}.{'+'.join(columns)} → {there}.{'+'.join(target)}")  # fmt: skip
    print()


def _cells(found: list[Found]) -> Iterator[str]:
    count: Counter[str] = Counter()
    for one in found:
        count["declared"] += len(one.declared)
        count["inferred"] += len(one.inferred)
        count["listed"] += len(one.inferred & one.declared)
        count["implied"] += len(one.implied)
        count["left out"] += len((one.left_out & one.inferred) - one.declared - one.implied)
    yield str(count["declared"])
    yield _share(count["listed"], count["declared"])
    yield str(count["inferred"])
    yield _share(count["listed"], count["inferred"])
    yield _share(count["listed"] + count["implied"], count["inferred"])
    known = count["listed"] + count["implied"] + count["left out"]
    yield _share(known, count["inferred"])
    yield _share(*(sum(one.primary[side] for one in found) for side in (0, 1)))


def _left_out(full: DatabaseSchema, found: DatabaseSchema) -> Iterator[Ends]:
    """Inferred keys named as the one declared primary key of that name, each of whose values is there."""
    declared = [t for t in full.tables if t.key_evidence is None and len(t.primary_key) == 1]
    names = Counter(table.primary_key[0].casefold() for table in declared)
    homes = {table.primary_key[0].casefold(): table.name for table in declared}
    for table in found.tables:
        for key in table.foreign_keys:
            (name, *more), (target, *_) = key.columns, key.target_columns
            same = name.casefold() == target.casefold() and names[target.casefold()] == 1
            held = re.match(
                r"([1-9]\d*) of \1 values", key.evidence.because if key.evidence else ""
            )
            if not more and same and held and homes[target.casefold()] == key.table:
                yield _ends(table.name, key)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _declared(schema: DatabaseSchema) -> Iterator[Ends]:
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.evidence is None:
                yield _ends(table.name, key)


def _ends(table: str, key: ForeignKey) -> Ends:
    return table, key.columns, key.table, key.target_columns


def _pairs(key: Ends) -> Iterator[Ends]:
    here, columns, there, target = key
    for one, other in zip(columns, target, strict=True):
        yield here, (one,), there, (other,)
