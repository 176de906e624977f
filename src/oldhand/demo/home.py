"""A home with the demo company in it."""

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path

import duckdb
import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
import yaml
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Engine, column, create_engine, make_url, table

from oldhand.demo.company import TODAY, Company, make_company
from oldhand.demo.marks import begin, finish, is_demo, kept_in
from oldhand.demo.objects import Thing
from oldhand.errors import DatabaseUnreachable, MissingExtra, UsageError
from oldhand.errors.files import is_taken, written_to
from oldhand.record.schema import DatabaseSchema, ForeignKey, Table
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.embedded import embedded_url, live_url, start_server

Tables = Mapping[str, Sequence[Thing]]


# The company's records in three databases of different kinds: SQLite, DuckDB and Postgres.
@dataclass(frozen=True)
class Placed:
    """A database of the company, written."""

    name: str
    kind: str
    """`SQLite`, `DuckDB` or `Postgres`."""
    url: str
    tables: tuple[str, ...]
    rows: int


def places(company: Company, folder: Path, postgres: str | None) -> tuple[Placed, ...]:
    """Where the databases lie."""
    shop, warehouse, support = company.databases.values()
    return (
        _placed("shop", "SQLite", f"sqlite:///{folder / 'shop.db'}", shop),
        _placed("warehouse", "DuckDB", f"duckdb:///{folder / 'warehouse.duckdb'}", warehouse),
        _placed("support", "Postgres", postgres, support)
        if postgres
        else _placed("support", "SQLite", f"sqlite:///{folder / 'support.db'}", support),
    )


def write_company(company: Company, folder: Path, postgres: str | None) -> tuple[Placed, ...]:
    """Write all databases anew; arguments as for `places`.

    Raises:
        MissingExtra: Postgres is wanted but not installed; nothing was written.
        DatabaseUnreachable: Postgres does not start.
    """
    shop, warehouse, support = company.databases.values()
    folder.mkdir(parents=True, exist_ok=True)
    if postgres:
        write_postgres(postgres, support)
        (folder / "support.db").unlink(missing_ok=True)
    else:
        write_sqlite(folder / "support.db", "support", support)
    write_sqlite(folder / "shop.db", "shop", shop)
    write_duckdb(folder / "warehouse.duckdb", "warehouse", warehouse)
    return places(company, folder, postgres)


def _placed(name: str, kind: str, url: str, tables: Tables) -> Placed:
    rows = sum(len(things) for things in tables.values())
    return Placed(name, kind, url, tuple(tables), rows)


def write_sqlite(path: Path, name: str, tables: Tables) -> None:
    """Write the database `name` to a file; whoever has the old one open keeps it."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as connection:
        connection.executescript(_ddl(name))
    engine = create_engine(f"sqlite:///{fresh}")
    _insert(engine, tables, dates_as_text=True)
    engine.dispose()
    fresh.replace(path)


def write_duckdb(path: Path, name: str, tables: Tables) -> None:
    """Write the database `name` to a DuckDB file."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with closing(duckdb.connect(fresh)) as connection:
        connection.execute(_ddl(name))
        for table_name, things in tables.items():
            columns = map(list, zip(*things, strict=True))
            arrow = pa.table(dict(zip(things[0]._fields, columns, strict=True)))  # pyright: ignore
            connection.from_arrow(arrow).insert_into(table_name)  # pyright: ignore[reportUnknownArgumentType]
    fresh.replace(path)


def write_postgres(url: str, tables: Tables) -> None:
    """Write the support database into a Postgres of our own, in place of what was there."""
    try:
        import psycopg  # noqa: PLC0415
        from psycopg.sql import SQL, Identifier  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("The Postgres driver (psycopg)", "demo") from error
    start_server(Path(make_url(url).database or ""), create=True)
    engine = create_engine(live_url(url))
    name = Identifier(str(engine.url.database))
    server = engine.url.set(drivername="postgresql", database="postgres")
    with psycopg.connect(
        server.render_as_string(hide_password=False), autocommit=True
    ) as connection:
        connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        connection.execute(SQL("CREATE DATABASE {}").format(name))
    own = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(own) as connection:
        connection.execute(_ddl("support").encode())
    _insert(engine, tables)
    engine.dispose()


def _insert(engine: Engine, tables: Tables, *, dates_as_text: bool = False) -> None:
    with engine.begin() as connection:
        for name, things in tables.items():
            rows = [thing._asdict() for thing in things]
            if dates_as_text:
                rows = [{key: _as_text(value) for key, value in row.items()} for row in rows]
            connection.execute(table(name, *map(column, things[0]._fields)).insert(), rows)


def _as_text(value: object) -> object:
    """A day or a moment as SQLite keeps it."""
    return str(value) if isinstance(value, date) else value


def _ddl(name: str) -> str:
    return files("oldhand.demo").joinpath("ddl", f"{name}.sql").read_text("utf-8")


@dataclass(frozen=True)
class DemoHome:
    """The company and where it lies."""

    company: Company
    path: Path
    databases: tuple[Placed, ...]
    note: str | None = None
    """What is different from the usual, in a line; None when nothing is."""

    def register(self, catalog: Catalog) -> None:
        """Make the databases known, with what the company's people know about their tables; then the company is whole."""
        known = descriptions()
        urls = {entry.name: entry.url for entry in catalog.list()}
        for place in self.databases:
            if urls.get(place.name, place.url) != place.url:
                catalog.remove(place.name)
            catalog.add(place.url, name=place.name, description=known[place.name].description)
        for place in self.databases:
            catalog.write_schema(describe(catalog.schema(place.name), known[place.name]))
        finish(self.path, self.company.seed, self.company.today)


def make_home(
    home: Path, seed: int, postgres: str | None = None, *, today: date = TODAY
) -> DemoHome:
    """Invent the company of a seed and write its databases into a home, in place of an older company.

    Answers and feedback that lie in the home stay as they are. Where Postgres is not installed or does not start, a
    SQLite file stands in for it. The company is unfinished until it is registered.

    Args:
        home: A folder that is empty, not there yet, or a demo's; an absolute path.
        seed: Any whole number.
        postgres: `pgserver:` URL for the support database; by default one in the home.
        today: The last day in the company's books.

    Raises:
        UsageError: the folder holds something else.
    """
    _claim(home)
    begin(home)
    shutil.rmtree(home / "index", ignore_errors=True)  # of the values of an older company
    company = make_company(seed, today)
    url = postgres or embedded_url(home / "postgres", "support")
    try:
        return DemoHome(company, home, write_company(company, home / "data", url))
    except (MissingExtra, DatabaseUnreachable) as error:
        written = write_company(company, home / "data", None)
        return DemoHome(
            company, home, written, f"{str(error).rstrip('.')} (a SQLite file stands in for it)"
        )


def kept_home(home: Path, seed: int | None = None) -> DemoHome:
    """The company that lies in a home.

    Args:
        home: A demo's folder; an absolute path.
        seed: The seed that it must have; None takes any.

    Raises:
        UsageError: there is none, it was not written to its end, or it is of another seed.
    """
    kept, today = kept_in(home)
    if seed not in (None, kept):
        raise UsageError(f"The company in {home} is of seed {kept}: leave out --seed, or --keep.")
    company = make_company(kept, today)
    is_postgres = not (home / "data" / "support.db").is_file()
    url = embedded_url(home / "postgres", "support") if is_postgres else None
    return DemoHome(company, home, places(company, home / "data", url))


def _claim(home: Path) -> None:
    if is_taken(home) and not home.is_dir():
        raise UsageError(f"{home} is not a folder: give another one with --home.")
    if home.is_dir() and any(home.iterdir()) and not is_demo(home):
        raise UsageError(
            f"{home} holds something else than a demo company: give another folder with --home."
        )
    with written_to(home):
        home.mkdir(parents=True, exist_ok=True)


# What the company's people know about their tables: descriptions, and keys that lead into other databases.
class _Described(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str


class DescribedTable(_Described):
    """What is known of one table."""

    columns: Mapping[str, str] = Field(default_factory=dict[str, str])
    foreign_keys: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Column to `database.schema.table.column`."""


class DescribedDatabase(_Described):
    """What is known of one database."""

    tables: Mapping[str, DescribedTable]


def descriptions() -> dict[str, DescribedDatabase]:
    """What is known of each database, by name."""
    text = files("oldhand.demo").joinpath("descriptions.yaml").read_text("utf-8")
    return {name: DescribedDatabase.model_validate(it) for name, it in yaml.safe_load(text).items()}


def describe(schema: DatabaseSchema, known: DescribedDatabase) -> DatabaseSchema:
    """The schema as it was found, with what is known of it."""
    tables = tuple(_describe_table(table, known.tables[table.name]) for table in schema.tables)
    return schema.model_copy(update={"description": known.description, "tables": tables})


def _describe_table(table: Table, known: DescribedTable) -> Table:
    columns = tuple(
        column.model_copy(update={"description": known.columns.get(column.name, "")})
        for column in table.columns
    )
    keys = tuple(_key(column, target) for column, target in known.foreign_keys.items())
    return table.model_copy(
        update={
            "description": known.description,
            "columns": columns,
            "foreign_keys": tuple(dict.fromkeys((*table.foreign_keys, *keys))),
        }
    )


def _key(column: str, target: str) -> ForeignKey:
    database, schema_name, table, target_column = target.split(".")
    return ForeignKey(
        columns=(column,),
        database=database,
        schema_name=schema_name,
        table=table,
        target_columns=(target_column,),
    )
