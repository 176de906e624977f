"""Ordinary questions over two companies: each is answered rightly or not at all, never wrongly."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml
from tests.unit.analyst.worlds import World, are_right, world_of

from oldhand.agent.analyst import DecisionKind, decide
from oldhand.demo.company import TODAY, Company, make_company
from oldhand.demo.home import write_sqlite
from oldhand.query.compiling.compile import spelled

PROBES = Path(__file__).with_name("probes")
CLINIC = """
CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER NOT NULL);
CREATE TABLE doctors (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, specialty TEXT NOT NULL, salary INTEGER NOT NULL,
  department_id INTEGER NOT NULL REFERENCES departments (id),
  supervisor_id INTEGER REFERENCES doctors (id), hired_on DATE NOT NULL
);
CREATE TABLE patients (
  id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, city TEXT NOT NULL,
  born_on DATE NOT NULL, phone TEXT, insured BOOLEAN NOT NULL
);
CREATE TABLE appointments (
  id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients (id),
  doctor_id INTEGER NOT NULL REFERENCES doctors (id), held_on DATE NOT NULL,
  status TEXT NOT NULL, fee REAL NOT NULL
);
CREATE TABLE medications (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL);
CREATE TABLE prescriptions (
  id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients (id),
  doctor_id INTEGER NOT NULL REFERENCES doctors (id),
  medication_id INTEGER NOT NULL REFERENCES medications (id), prescribed_on DATE NOT NULL
);
"""


def _write_company(company: Company, folder: Path) -> dict[str, Path]:
    files = {name: folder / f"{name}.db" for name in company.databases}
    for name, tables in company.databases.items():
        write_sqlite(files[name], name, tables)
    connection = sqlite3.connect(files["shop"])
    # Some products, customers and employees are left out, so that `never` and `without` find some.
    connection.execute("DELETE FROM order_items WHERE product_id % 40 = 3")
    connection.commit()
    connection.close()
    return files


def _clinic_rows() -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    rng = random.Random(11)

    def day(first: int, days: int) -> str:
        return (date(first, 1, 1) + timedelta(days=rng.randrange(days))).isoformat()

    departments = ("Cardiology", "Surgery", "Paediatrics", "Radiology", "Archive")
    yield "departments", [(i, name, i % 3) for i, name in enumerate(departments, 1)]
    names = [
        "Lind",
        "Berg",
        "Moen",
        "Haug",
        "Dahl",
        "Lien",
        "Vik",
        "Strand",
        "Ness",
        "Foss",
        "Hagen",
        "Lund",
    ]
    specialties = ("Surgeon", "Cardiologist", "Paediatrician", "Radiologist")
    yield "doctors", [
        (i, f"Dr. {name}", specialties[i * i % 4], 61_000 + 1_370 * (i * 7 % 12), 1 + i * i % 7 % 4,
         None if i % 5 == 1 else 1 + i // 4, day(2010, 4000))
        for i, name in enumerate(names, 1)
    ]  # fmt: skip
    first = [
        "Ane",
        "Bo",
        "Carl",
        "Dina",
        "Emil",
        "Frida",
        "Geir",
        "Hege",
        "Ida",
        "Jon",
        "Kari",
        "Lars",
    ]
    last = ["Ask", "Bakke", "Claussen", "Dokken", "Eide", "Falk", "Gran", "Holm"]
    yield "patients", [
        (i, first[i % 12], last[i * 5 % 8], ("Oslo", "Bergen", "Tromso", "Bodo")[i * i % 7 % 4],
         day(1935 + i % 60, 365), None if i % 6 == 0 else f"555-{1000 + i}", int(i % 7 != 0))
        for i in range(1, 91)
    ]  # fmt: skip
    yield "appointments", [
        (i, rng.randint(1, 70), rng.randint(1, 10), day(2023, 800),
         rng.choice(("held", "held", "held", "cancelled", "planned")), 40 + i * 37 % 400 + i / 500)
        for i in range(1, 401)
    ]  # fmt: skip
    drugs = [
        "Ibuprofen",
        "Amoxicillin",
        "Insulin",
        "Codeine",
        "Aspirin",
        "Digoxin",
        "Statin",
        "Morphine",
    ]
    yield "medications", [(i, name, 3.5 + 11.25 * (i * 3 % 8)) for i, name in enumerate(drugs, 1)]
    yield "prescriptions", [
        (i, rng.randint(1, 60), rng.randint(1, 10), min(rng.randint(1, 6), rng.randint(1, 6)), day(2023, 800))
        for i in range(1, 260)
    ]  # fmt: skip


def _write_clinic(folder: Path) -> dict[str, Path]:
    path = folder / "clinic.db"
    connection = sqlite3.connect(path)
    connection.executescript(CLINIC)
    for table, rows in _clinic_rows():
        connection.executemany(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})",
            rows,
        )
    connection.commit()
    connection.close()
    return {"clinic": path}


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    folder = tmp_path_factory.mktemp("worlds")
    return {
        "company": world_of(_write_company(make_company(7), folder), TODAY, described=True),
        "clinic": world_of(_write_clinic(folder), TODAY, described=False),
    }


def _probes() -> list[tuple[str, str, str]]:
    return [
        (world, probe["ask"], probe["sql"])
        for world in ("company", "clinic")
        for probe in yaml.safe_load((PROBES / f"{world}.yaml").read_text("utf-8"))
    ]


ABSTAINED: dict[str, list[str]] = yaml.safe_load((PROBES / "abstained.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("name", "question", "sql"), _probes(), ids=[q for _, q, _ in _probes()])
def test_an_ordinary_question_is_answered_rightly_or_not_at_all(worlds, name, question, sql):
    world = worlds[name]
    found = world.understand(question)
    decision = decide(found, world.schemas)
    if question in ABSTAINED[name]:
        assert decision.kind is not DecisionKind.ANSWER, (
            "answered now: take it off the list if it is right"
        )
        return
    assert decision.kind is DecisionKind.ANSWER, decision.reason
    rows = world.rows(found.candidates[0].query)
    ordered = "ORDER BY" in sql
    assert are_right(world.rows(sql), rows, ordered=ordered), spelled(found.candidates[0].query)
