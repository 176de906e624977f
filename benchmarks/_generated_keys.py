"""Generated databases with declared keys of all shapes, and columns that only look like keys."""

import random
import re
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_SHOP = """
CREATE TABLE tblCustomers (CustID INTEGER PRIMARY KEY, email TEXT, city TEXT, population INT, created TEXT);
CREATE TABLE tblStaff (id INTEGER PRIMARY KEY, name TEXT, email TEXT, manager_id INT REFERENCES tblStaff (id));
CREATE TABLE tblOrders (OrderNo INTEGER PRIMARY KEY, CustID INT REFERENCES tblCustomers (CustID), email TEXT,
    sold_by INT REFERENCES tblStaff (id), created TEXT);
CREATE TABLE tblProducts (sku TEXT PRIMARY KEY, title TEXT, price REAL, created TEXT);
CREATE TABLE tblOrderLines (OrderNo INT REFERENCES tblOrders (OrderNo), LineNo INT, sku TEXT REFERENCES tblProducts (sku),
    qty INT, PRIMARY KEY (OrderNo, LineNo));
CREATE TABLE tblShipments (id INTEGER PRIMARY KEY, OrderNo INT, LineNo INT, created TEXT, population INT,
    FOREIGN KEY (OrderNo, LineNo) REFERENCES tblOrderLines (OrderNo, LineNo));
"""
_CLINIC = """
CREATE TABLE wards (code TEXT PRIMARY KEY, name TEXT, beds INT, year INT);
CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, name TEXT, ward_code TEXT REFERENCES wards (code), year INT);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, name TEXT, ward TEXT REFERENCES wards (code), age INT);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, patient_id INT REFERENCES patients (patient_id),
    doctor_id INT REFERENCES doctors (doctor_id), year INT, beds INT, follows_visit_id INT REFERENCES visits (visit_id));
"""


@contextmanager
def generated(seed: int = 7) -> Generator[list[Path]]:
    """Two small databases, for as long as they are needed."""
    with TemporaryDirectory() as folder:
        shop, clinic = Path(folder) / "shop.sqlite", Path(folder) / "clinic.sqlite"
        fill_shop(shop, random.Random(seed))
        fill_clinic(clinic, random.Random(seed))
        yield [shop, clinic]


def fill_shop(path: Path, chance: random.Random, *, keyed: bool = True) -> None:
    """A shop with keys of one and of several columns, and e-mails, populations and moments in many tables."""
    customers, staff = range(1001, 1061), range(1, 31)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(_SHOP if keyed else _undeclared(_SHOP))
        for i in customers:
            db.execute("INSERT INTO tblCustomers VALUES (?,?,?,?,?)", (i, f"u{i}@x.org", chance.choice(["Rome", "Bonn"]), chance.randint(1, 9) * 1000, _day(chance)))  # fmt: skip
        for i in staff:
            above = chance.choice([1, 2, 3]) if i > 3 else None
            db.execute("INSERT INTO tblStaff VALUES (?,?,?,?)", (i, f"P{i}", f"p{i}@x.org", above))
        for i in range(1, 41):
            db.execute("INSERT INTO tblProducts VALUES (?,?,?,?)", (f"S-{i:03}", f"Thing {i}", i + 0.5, _day(chance)))  # fmt: skip
        for i in range(1, 301):
            of = chance.choice(customers)
            db.execute("INSERT INTO tblOrders VALUES (?,?,?,?,?)", (i, of, f"u{of}@x.org", chance.choice(staff), _day(chance)))  # fmt: skip
            for line in range(1, chance.randint(2, 5)):
                db.execute("INSERT INTO tblOrderLines VALUES (?,?,?,?)", (i, line, f"S-{chance.randint(1, 40):03}", 1))  # fmt: skip
                db.execute("INSERT INTO tblShipments VALUES (?,?,?,?,?)", (10 * i + line, i, line, _day(chance), chance.randint(1, 9) * 1000))  # fmt: skip
        db.commit()


def fill_clinic(path: Path, chance: random.Random) -> None:
    """A clinic with keys that are texts, and a column named after its table alone."""
    wards = ["ENT", "ICU", "GYN", "PED", "URO"]
    with closing(sqlite3.connect(path)) as db:
        db.executescript(_CLINIC)
        for place, ward in enumerate(wards):
            db.execute("INSERT INTO wards VALUES (?,?,?,?)", (ward, f"Ward {ward}", 10 + place, 2000 + place))  # fmt: skip
        for i in range(1, 21):
            db.execute("INSERT INTO doctors VALUES (?,?,?,?)", (i, f"D{i}", chance.choice(wards), 2000 + i % 5))  # fmt: skip
        for i in range(1, 81):
            db.execute("INSERT INTO patients VALUES (?,?,?,?)", (i, f"N{i}", chance.choice(wards), 20 + i))  # fmt: skip
        for i in range(1, 201):
            row = (i, chance.randint(1, 80), chance.randint(1, 20), 2000 + i % 5, 10 + i % 5, i - 1 if i % 3 == 1 and i > 1 else None)  # fmt: skip
            db.execute("INSERT INTO visits VALUES (?,?,?,?,?,?)", row)
        db.commit()


def _day(chance: random.Random) -> str:
    return f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02} 10:00:00"


def _undeclared(script: str) -> str:
    without = re.sub(
        r"\s*REFERENCES \w+ \([\w, ]+\)|,\s*(FOREIGN|PRIMARY) KEY \([\w, ]+\)", "", script
    )
    return without.replace(" PRIMARY KEY", "")
