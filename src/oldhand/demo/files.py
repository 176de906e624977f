"""The company's records in three databases of different kinds: SQLite, DuckDB and Postgres."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path

import duckdb
import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy import Engine, column, create_engine, make_url, table

from oldhand.demo.company import Company
from oldhand.demo.objects import Thing
from oldhand.errors import MissingExtra
from oldhand.sources.databases.embedded import live_url, start_server

Tables = Mapping[str, Sequence[Thing]]


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
