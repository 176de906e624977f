"""Generated companies with rows: the same manners of asking over two sets of tables, one to develop on and one to look at once."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks._generated_company import company, made_up_word
from benchmarks._harm.cases import Case, Kind, Probe
from benchmarks._harm.manners import MANNERS
from benchmarks._spider_data import SpiderDatabase
from oldhand.record.schema import Kind as ColumnKind
from oldhand.record.schema import Table

ROWS = 60
CHILDREN = 240
FEW = 6
"""Distinct values of a text column that sorts things into kinds."""
YEARS = range(2019, 2025)
TABLES = 60


@dataclass(frozen=True)
class Domain:
    """Things of a company, and what happens to them."""

    things: str
    thing: str
    name: str
    kind: str
    amount: str
    events: str
    event: str
    worth: str
    happened: str

    @property
    def key(self) -> str:
        """The column that the events refer by."""
        return f"{self.things.removesuffix('s')}_id"


DEVELOPED = (
    Domain("customers", "customer", "name", "city", "credit_limit", "orders", "order", "total_amount", "ordered_on"),
    Domain("suppliers", "supplier", "name", "country", "rating", "contracts", "contract", "value", "signed_on"),
    Domain("products", "product", "name", "color", "price", "reviews", "review", "stars", "written_on"),
    Domain("stores", "store", "name", "city", "floor_area", "events", "event", "attendance", "held_on"),
)  # fmt: skip
KEPT = (
    Domain("machines", "machine", "model", "maker", "price", "repairs", "repair", "cost", "repaired_on"),
    Domain("accounts", "account", "iban", "bank", "balance", "transfers", "transfer", "amount", "booked_on"),
    Domain("campaigns", "campaign", "name", "channel", "cost", "newsletters", "newsletter", "opens", "sent_on"),
    Domain("employees", "employee", "last_name", "job_title", "salary", "absences", "absence", "days", "started_on"),
)  # fmt: skip


def cases(folder: Path, domains: Sequence[Domain]) -> Iterator[Case]:
    """All corrections over some domains, each in a company of its own; the same every time."""
    for domain in domains:
        random = Random(domain.things)
        kinds = [made_up_word(random) for _ in range(FEW)]
        file = folder / f"{domain.things}.sqlite"
        if not file.exists():
            write(file, domain, kinds, random)
        database = SpiderDatabase(domain.things, file, None)
        yield from _cases(database, domain, kinds)


def _cases(database: SpiderDatabase, domain: Domain, kinds: Sequence[str]) -> Iterator[Case]:
    names = {slot: getattr(domain, slot) for slot in Domain.__dataclass_fields__} | {
        "key": domain.key,
        "said_amount": domain.amount.replace("_", " "),
        "said_worth": domain.worth.replace("_", " "),
    }
    filled = {**names, "v": kinds[0], "w": kinds[1], "y": 2022, "next": 2023, "n": 500}
    other = {**names, "v": kinds[2], "w": kinds[3], "y": 2021, "next": 2022, "n": 300}
    made = [manner.filled(filled) for manner in MANNERS]
    for place, (question, gold, probes) in enumerate(made):
        elsewhere = MANNERS[place].filled(other)
        values = [Probe(Kind.VALUE, elsewhere[0], elsewhere[1])] if elsewhere[1] != gold else []
        own = (Probe(Kind.SAME, f"Please: {question}", gold), *values, *probes)
        unlike = [
            Probe(Kind.RELATED, asked, right, f"manner {number}")
            for number, (asked, right, _) in enumerate(made)
            if number != place
        ]
        yield Case(
            database,
            question,
            gold,
            (
                *(replace(one, family=f"manner {place}") for one in own),
                *unlike,
                *_unrelated(),
            ),
        )


def _unrelated() -> Iterator[Probe]:
    for table in ("categories", "regions", "skills", "insurers"):
        gold = f"SELECT COUNT(*) FROM {table}"
        yield Probe(Kind.UNRELATED, f"How many {table} are there?", gold, "counts")


def write(file: Path, domain: Domain, kinds: Sequence[str], random: Random) -> None:
    """A company of 60 tables; those of the domain hold rows, and of the others a few."""
    with closing(sqlite3.connect(file)) as connection:
        for table in company(TABLES).schema.tables:
            connection.execute(_ddl(table))
            count = {domain.things: ROWS, domain.events: CHILDREN}.get(table.name, 5)
            blanks = ", ".join("?" for _ in table.columns)
            rows = [_row(table, number, domain, kinds, random) for number in range(1, count + 1)]
            connection.executemany(f"INSERT INTO {table.name} VALUES ({blanks})", rows)
        connection.commit()


def _row(
    table: Table, number: int, domain: Domain, kinds: Sequence[str], random: Random
) -> list[object]:
    row: list[object] = []
    foreign = {key.columns[0] for key in table.foreign_keys}
    for column in table.columns:
        if column.primary_key:
            row.append(number)
        elif column.name in foreign:
            # Some are never referred to, and some far more often than others.
            among = ROWS - 9 if column.name == domain.key else 5
            row.append(1 + int(among * random.random() ** 2))
        elif column.kind is ColumnKind.NUMBER:
            row.append(random.randint(1, 1000))
        elif column.kind is ColumnKind.DATE:
            row.append(
                f"{random.choice(YEARS)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
            )
        elif (table.name, column.name) == (domain.things, domain.kind):
            row.append(random.choice(kinds))
        else:
            row.append(f"{made_up_word(random)} {made_up_word(random)}")
    return row


def _ddl(table: Table) -> str:
    types = {ColumnKind.INTEGER: "INTEGER", ColumnKind.NUMBER: "REAL", ColumnKind.DATE: "DATE"}
    columns = [
        f"{one.name} {types.get(one.kind, 'TEXT')}{' PRIMARY KEY' if one.primary_key else ''}"
        for one in table.columns
    ]
    keys = [
        f"FOREIGN KEY ({key.columns[0]}) REFERENCES {key.table} ({key.target_columns[0]})"
        for key in table.foreign_keys
    ]
    return f"CREATE TABLE {table.name} ({', '.join((*columns, *keys))})"
