"""The same small shop in a real database of each kind."""

import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import duckdb
import psycopg
import pymysql
import pytest

from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.opening import open_database

MARIADB_HINT = "needs MariaDB: tests/install_parts.sh installs Debian's mariadb-server"

TABLES = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL, email VARCHAR(80) UNIQUE, born DATE,
    balance DECIMAL(10, 2), active BOOLEAN, created TIMESTAMP NULL, password_hash VARCHAR(40));
CREATE TABLE order_lines (
    order_id INTEGER NOT NULL, line INTEGER NOT NULL, customer_id INTEGER NOT NULL, quantity INTEGER,
    PRIMARY KEY (order_id, line), FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE TABLE shipments (
    id INTEGER PRIMARY KEY, order_id INTEGER, line INTEGER,
    FOREIGN KEY (order_id, line) REFERENCES order_lines (order_id, line));
CREATE VIEW active_customers AS SELECT id, name FROM customers WHERE active;
INSERT INTO customers VALUES
    (1, 'Ada', 'ada@example.org', '1990-12-10', 12.50, TRUE, '2024-01-31 10:20:30', 'aa11'),
    (2, 'Björn', NULL, NULL, 7.00, FALSE, NULL, 'bb22'),
    (3, 'Chloé', 'chloe@example.org', '2001-02-28', NULL, TRUE, '2024-02-29 00:00:00', 'cc33');
INSERT INTO order_lines VALUES (10, 1, 1, 5), (10, 2, 1, 7), (11, 1, 3, 1);
INSERT INTO shipments VALUES (100, 10, 2);
"""


@dataclass(frozen=True)
class Shop:
    """A database with the shop in it, opened by us, and a way round us to its data."""

    kind: str
    url: str
    database: Database
    write: Callable[[str], None]
    """Runs a statement over the bare driver, as somebody who may write."""
    contents: Callable[[], object]
    """All that is in the database, read over the bare driver."""


@pytest.fixture(scope="session")
def mariadb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a MariaDB server of this test run."""
    path = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin"
    installer, server = (
        shutil.which(name, path=path) for name in ("mariadb-install-db", "mariadbd")
    )
    if installer is None or server is None:
        pytest.skip(MARIADB_HINT)
    data = tmp_path_factory.mktemp("mariadb")
    options = ["--no-defaults", f"--datadir={data}", "--user=root"]
    subprocess.run(
        [installer, *options, "--auth-root-authentication-method=normal", "--skip-test-db"],
        check=True,
        capture_output=True,
    )
    settings = ["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M"]
    with tempfile.TemporaryDirectory(prefix="oldhand-") as sockets:  # a socket's path must be short
        command = [server, *options, *settings, f"--socket={sockets}/s", "--bind-address=127.0.0.1"]
        process, port = serving(command)
        assert process.stderr is not None
        drain = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
        yield port
        process.terminate()
        process.wait()
        process.stderr.close()
        drain.wait()


def serving(command: list[str]) -> tuple[subprocess.Popen[str], int]:
    """A server that accepts connections, and its port: another one when somebody was faster to take it."""
    said = ""
    for _ in range(5):
        port = free_port()
        process = subprocess.Popen([*command, f"--port={port}"], stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        for line in process.stderr:
            said += line
            if "ready for connections" in line:
                return process, port
        process.wait()
        process.stderr.close()
    pytest.fail(f"mariadbd did not start: {said}")


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return server.getsockname()[1]


def statements(script: str) -> list[str]:
    return [statement for statement in script.split(";\n") if statement.strip()]


@pytest.fixture
def sqlite_shop(tmp_path: Path) -> Iterator[Shop]:
    path = tmp_path / "a shop? 100%.db"

    def write(sql: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.executescript(sql)
            connection.commit()

    def contents() -> object:
        with closing(sqlite3.connect(path)) as connection:
            return list(connection.iterdump())

    write(TABLES)
    url = f"sqlite:///{path}".replace("%", "%25").replace("?", "%3F")
    yield from opened("sqlite", url, write, contents)


@pytest.fixture
def duckdb_shop(tmp_path: Path) -> Iterator[Shop]:
    path = tmp_path / "shop.duckdb"

    def write(sql: str) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)

    write(TABLES)
    write(
        "COMMENT ON TABLE customers IS 'Who buys'; COMMENT ON COLUMN customers.born IS 'Birthday'"
    )
    yield from opened("duckdb", f"duckdb:///{path}", write, path.read_bytes)


@pytest.fixture
def postgres_shop(postgres_url: str) -> Iterator[Shop]:
    def write(sql: str) -> None:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(sql.encode())

    def contents() -> object:
        with psycopg.connect(postgres_url) as connection:
            names = connection.execute(
                "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace"
                " ORDER BY relname"
            ).fetchall()
            large = connection.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchall()
            rows = [
                connection.execute(
                    b"SELECT * FROM " + table.encode() + b" ORDER BY 1, 2"
                ).fetchall()
                for table in ("customers", "order_lines", "shipments")
            ]
        return names, large, rows

    write(TABLES)
    write(
        "COMMENT ON TABLE customers IS 'Who buys'; COMMENT ON COLUMN customers.born IS 'Birthday'"
    )
    yield from opened("postgres", postgres_url, write, contents)


@pytest.fixture
def mysql_shop(mariadb_server: int) -> Iterator[Shop]:
    name = f"test_{uuid4().hex[:12]}"

    def connect(database: str | None) -> pymysql.Connection:
        return pymysql.connect(
            host="127.0.0.1", port=mariadb_server, user="root", database=database, autocommit=True
        )

    def write(sql: str) -> None:
        with closing(connect(name)) as connection, connection.cursor() as cursor:
            cursor.execute(sql)

    def contents() -> object:
        with closing(connect(name)) as connection, connection.cursor() as cursor:
            found: list[object] = []
            cursor.execute("SHOW FULL TABLES")
            tables = cursor.fetchall()
            for table, _ in tables:
                cursor.execute(f"SELECT * FROM `{table}`")
                found.append((table, cursor.fetchall()))
            cursor.execute("SHOW VARIABLES WHERE Variable_name IN ('max_connections', 'read_only')")
            return found, cursor.fetchall()

    with closing(connect(None)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4")
    for statement in statements(TABLES):
        write(statement)
    write("ALTER TABLE customers COMMENT = 'Who buys', MODIFY born DATE COMMENT 'Birthday'")
    yield from opened("mysql", f"mysql://root@127.0.0.1:{mariadb_server}/{name}", write, contents)
    with closing(connect(None)) as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE `{name}`")


def opened(
    kind: str, url: str, write: Callable[[str], None], contents: Callable[[], object]
) -> Iterator[Shop]:
    with open_database(DatabaseEntry(name="shop", url=url)) as database:
        yield Shop(kind, url, database, write, contents)
