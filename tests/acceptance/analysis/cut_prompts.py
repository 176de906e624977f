"""Questions to a model behind a real server that sees each prompt without what one pattern finds in it."""

import re
import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import yaml

from oldhand import Oldhand
from oldhand.models.tokens import estimate_tokens
from oldhand.record.answer import Answer
from oldhand.record.base import Row
from oldhand.testing import FakeServer, Gold, PromptReader
from oldhand.testing.fake_replies import Fault, Reply, Request
from oldhand.testing.prompt_reader import Filling, Reading

TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, nick TEXT, town TEXT, pay INTEGER, email TEXT, extra TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, who INTEGER REFERENCES people (id), state TEXT, day DATE, price REAL);
INSERT INTO people VALUES
  (1, 'Ann', 'Basel (BS)', 10, 'ann@x.org', '{"hue": "red"}'), (2, 'Bob', 'Bern', 20, 'bob@x.org', '{"hue": "blue"}'),
  (3, 'Cid', 'Bern', 30, 'cid@x.org', '{"hue": "red"}');
INSERT INTO orders VALUES
  (1, 1, 'fulfilled', '2024-01-31', 2), (2, 1, 'fulfilled', '2026-02-03', 3), (3, 2, 'open', '2025-07-01', 4);
"""
MORE_TOWNS = "".join(
    f"INSERT INTO people VALUES ({number}, 'N{number}', 'Town {number}', 1, NULL, '{{}}');"
    for number in range(-30, 0)
)
"""So many that no schema shows them all, and before the others."""


@dataclass(frozen=True)
class Case:
    """A question that is answered rightly by who sees the whole prompt, and not without a part of it."""

    gold: Gold | str
    right: tuple[Row, ...]
    wrong: tuple[Row, ...]
    """What is answered when the part is missing."""
    cut: str
    """Finds the part."""
    question: str = "How many flumps are there?"
    """In words of no dictionary: the built-in analyst has nothing to say to them."""
    fills: Mapping[str, Filling] = field(default_factory=dict[str, Filling])
    orders: Mapping[str, str] = field(default_factory=dict[str, str])
    tables: str = ""
    """More statements that make the database."""
    schema: Callable[[str], str] = str
    """What people change in the schema file."""
    effort: str = "standard"


def unless(words: str, first: str, better: str) -> Mapping[str, Filling]:
    """A model that writes one statement until it reads certain words, then a better one."""

    def written(reading: Reading) -> str:
        return better if words in reading.text else first

    return {"sql": written, "corrected_sql": written}


@dataclass(frozen=True)
class Reader:
    """The model behind the server, and what it may see."""

    case: Case
    cut: str = ""
    takes: int = 100_000
    """Tokens of the longest prompt that the server takes."""
    manner: Callable[[Reply], Reply] = lambda reply: reply

    @cached_property
    def model(self) -> PromptReader:
        """Who answers."""
        case = self.case
        return PromptReader({case.question: case.gold}, fills=case.fills, orders=case.orders)

    def __call__(self, request: Request) -> Reply:
        """The answer to a request; every one has one system message, the first one."""
        assert [role for role, _ in request.messages].index("system") == 0
        assert [role for role, _ in request.messages].count("system") == 1
        if estimate_tokens(request.prompt) > self.takes:
            return Reply(fault=Fault.CONTEXT_LENGTH)
        messages = request.messages
        if self.cut:
            messages = tuple((role, re.sub(self.cut, "", text)) for role, text in messages)
        return self.manner(self.model.reply(replace(request, messages=messages)))


@contextmanager
def opened(reader: Reader, folder: Path, **models: object) -> Generator[Oldhand]:
    """A home in a folder with one database, whose model is read from a server on this machine."""
    file, home = folder / "shop.db", folder / "home"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(TABLES + reader.case.tables)
    home.mkdir()
    with FakeServer(reader) as server:
        told = {"base_url": server.openai_url, "retries": 0, **models}
        (home / "settings.yaml").write_text(yaml.safe_dump({"models": told}), "utf-8")
        with Oldhand(home, model="openai:fake") as old:
            old.databases.add(f"sqlite:///{file}", name="shop")
            path = home / "knowledge" / "data_schemas" / "shop.yaml"
            path.write_text(reader.case.schema(path.read_text("utf-8")), "utf-8")
            yield old


def answered(reader: Reader, folder: Path, **models: object) -> Answer:
    """The answer to the question of its case."""
    with opened(reader, folder, **models) as old:
        return old.ask(reader.case.question, effort=reader.case.effort)
