"""How the built-in analyst does where names are short and no keys are declared."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from benchmarks import keys
from benchmarks._data import text2sql
from benchmarks._generated_questions import generated
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from benchmarks.spider import TODAY
from oldhand.agent.analyst import decide, understand
from oldhand.query.compiling.compile import compile_query

RULE = """Each database is copied without keys, its tables and columns renamed in one of several ways; every tenth question is
asked as it stands, and right when its rows are those of the gold query over the original. *Answered* are those that the
analyst neither proposes to read so, nor asks about, nor refuses. Keys count as in the benchmark `keys`, left out ones aside."""
EVERY = 10
ROWS = 5_000
"""Rows of a table that are copied."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VOWELS = re.compile(r"[aeiou]")
_LONG = 5
"""Letters from which a word is shortened."""


def _consonants(word: str) -> str:
    return word[0] + _VOWELS.sub("", word[1:])


def _start(word: str) -> str:
    return word[: 4 + crc32(word.encode()) % 2]


def _either(word: str) -> str:
    return (_start if crc32(word.encode()) % 2 else _consonants)(word)


def _camel(*words: str) -> str:
    return words[0] + "".join(word.capitalize() for word in words[1:])


def _snake(*words: str) -> str:
    return "_".join(words)


def _as_one(*words: str) -> str:
    return "".join(words)


WAYS: Mapping[str, tuple[Callable[[str], str], Callable[..., str], str]] = {
    "names as they are": (str, _snake, ""),
    "no vowels, `tblOrdrs`": (_consonants, _camel, "tbl"),
    "cut off, `t_orde`": (_start, _snake, "t_"),
    "some of each": (_either, _snake, ""),
    "as one word, `orderlines`": (str, _as_one, ""),
}
"""How words are shortened and joined, and what opens the names of tables."""


def run(data: Path | None) -> None:
    """Print a row for each way; on generated databases when there is no public data."""
    print(RULE + "\n")
    print("| names | questions | answered | right | wrong | keys found again | listed or implied |")
    print("|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        source = text2sql(data, "spider_dev")
        questions, databases = load(source) if source else generated(Path(folder))
        for way in WAYS:
            _row(way, questions[:: EVERY if source else 1], databases, Path(folder))
    print()


def _row(
    way: str, questions: list[Question], databases: Mapping[str, SpiderDatabase], folder: Path
) -> None:
    count: Counter[str] = Counter()
    found: list[keys.Found] = []
    for name in sorted({question.database for question in questions}):
        original, file = databases[name], folder / f"{crc32(way.encode())}-{name}.sqlite"
        said = stripped(original.file, file, way)
        declared = {
            (said[t], tuple(said[f"{t}.{c}"] for c in own), said[u], tuple(said[f"{u}.{c}"] for c in target))
            for t, own, u, target in keys.of_file(name, original.file, original.described or {}).declared
        }  # fmt: skip
        inferred = keys.of_file(name, file, {}).inferred
        found.append(keys.Found(name, True, frozenset(declared), inferred, frozenset(), (0, 0)))
        asked = [question for question in questions if question.database == name]
        count.update(_asked(asked, original, SpiderDatabase(name, file, None)))
    again = sum(len(one.inferred & one.declared) for one in found)
    listed = again + sum(len(one.implied) for one in found)
    known, made = sum(len(one.declared) for one in found), sum(len(one.inferred) for one in found)
    shares = f"{100 * again / max(known, 1):.1f} % | {100 * listed / max(made, 1):.1f} %"
    answered = count["right"] + count["wrong"]
    print(f"| {way} | {count.total()} | {answered} | {count['right']} | {count['wrong']} | {shares} |")  # fmt: skip


def _asked(
    questions: list[Question], original: SpiderDatabase, other: SpiderDatabase
) -> Iterator[str]:
    for question in questions:
        read = understand(question.text, (other.schema,), other.values, today=TODAY)
        kind = decide(read, (other.schema,)).kind.value
        if kind == "answer":
            sql = compile_query(read.candidates[0].query, (other.schema,), "sqlite")
            expected = original.rows(question.gold) or []
            kind = "right" if same_answer(question.gold, expected, other.rows(sql)) else "wrong"
        yield kind


def stripped(source: Path, target: Path, way: str) -> dict[str, str]:
    """Copy a database without keys under shorter names, and tell the new name of each `table` and `table.column`."""
    said: dict[str, str] = {}
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.text_factory = _readable
        tables = old.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        for (table,) in tables.fetchall():
            said[table] = _unlike(shortened(table, way, opening=True), said.values())
            columns = old.execute(f'PRAGMA table_info("{table}")').fetchall()
            own: list[str] = []
            for column in columns:
                own.append(_unlike(shortened(column[1], way), own))
                said[f"{table}.{column[1]}"] = own[-1]
            typed = ", ".join(f'"{n}" {c[2]}' for n, c in zip(own, columns, strict=True))
            new.execute(f'CREATE TABLE "{said[table]}" ({typed})')
            rows = old.execute(f'SELECT * FROM "{table}" LIMIT {ROWS}')
            new.executemany(f'INSERT INTO "{said[table]}" VALUES ({",".join("?" * len(own))})', rows)  # fmt: skip
        new.commit()
    return said


def shortened(name: str, way: str, *, opening: bool = False) -> str:
    """A name in one of the ways.

    >>> [shortened("Customer_Orders", way, opening=True) for way in WAYS]
    ['customer_orders', 'tblCstmrOrdrs', 't_custo_orde', 'custo_ordrs', 'customerorders']
    """
    short, joined, prefix = WAYS[way]
    words = [found.lower() for found in _WORDS.findall(name)] or [name.lower()]
    made = joined(*(short(word) if len(word) >= _LONG else word for word in words))
    if not (opening and prefix):
        return made
    return prefix + (made[0].upper() + made[1:] if joined is _camel else made)


def _readable(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _unlike(name: str, taken: Iterable[str]) -> str:
    known = {one.casefold() for one in taken}
    while name.casefold() in known:
        name += "x"
    return name
