"""What the values of a database look like is measured once, kept readable, and used by both minds."""

import random
import sqlite3
from contextlib import closing
from datetime import date

import duckdb
import pytest

from oldhand.face import Oldhand
from oldhand.models.schema_text import schema_text
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database

STATUS = ("paid", "open", "", "cancelled")


def orders(chance: random.Random, form: str):
    for number in range(1, 201):
        day = date(2020 + number % 5, 1 + number % 12, 1 + chance.randint(0, 27))
        amount = f"{chance.randint(5, 900)}.{chance.randint(10, 99)}"
        yield number, day, day.strftime(form), amount, STATUS[number % 4], "YN"[number % 2]


@pytest.fixture(params=["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y%m%d"])
def form(request):
    return request.param


@pytest.fixture
def rows(form):
    return list(orders(random.Random(5), form))


@pytest.fixture
def shop(tmp_path, rows):
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TABLE tblOrders (OrderNo INT, order_date TEXT, amount TEXT, status TEXT, is_active TEXT, tags TEXT,"
            " password TEXT)"
        )
        db.execute("CREATE TABLE tblStaff (id INT, name TEXT)")
        db.execute("CREATE TABLE tblEmpty (id INT, f1 TEXT, f2 TEXT)")
        for number, _, said, amount, status, flag in rows:
            row = (number, said, amount, status, flag, '{"size": 1, "tags": []}', "hush")
            db.execute("INSERT INTO tblOrders VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        db.execute("INSERT INTO tblStaff VALUES (1, 'Ann'), (2, NULL), (3, 'Bo')")
        db.commit()
    return f"sqlite:///{path}"


def profiles(url):
    with open_database(DatabaseEntry(name="shop", url=url)) as database:
        schema = database.introspect()
    return schema, {c.name: c.profile for t in schema.tables for c in t.columns if c.profile}


def test_values_are_counted_and_what_texts_hold_is_seen(shop, form):
    _, seen = profiles(shop)
    assert (seen["order_date"].holds, seen["order_date"].form) == ("date", form)
    assert seen["amount"].holds == "number"
    assert seen["is_active"].holds == "flag"
    assert (seen["tags"].holds, seen["tags"].form) == ("json", "size, tags")
    assert seen["status"].values == ("cancelled", "open", "paid")
    assert (seen["status"].rows, seen["status"].empty, seen["status"].missing) == (200, 50, 0)
    assert (seen["OrderNo"].low, seen["OrderNo"].high) == (1, 200)
    assert (seen["name"].missing, seen["name"].distinct) == (1, 2)


STRUCTURES = 'CREATE TABLE things (doc JSON, box {}, sizes {}); INSERT INTO things VALUES (\'{{"hue": "red", "to": {{}}}}\', {}, {})'


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("duckdb", STRUCTURES.format("STRUCT(wide INT, high INT)[]", "INT[]", "[{'wide': 1, 'high': 2}]", "[1, 2]")),
        ("sqlite", STRUCTURES.format("JSON", "TEXT", "'[{\"wide\": 1, \"high\": 2}]'", "'x'")),
    ],
)  # fmt: skip
def test_structures_of_a_database_are_profiled_with_their_inner_shape(tmp_path, kind, made):
    path = tmp_path / "things.db"
    connect = duckdb.connect if kind == "duckdb" else sqlite3.connect
    with closing(connect(str(path))) as db:
        for statement in made.split("; "):
            db.execute(statement)
        db.commit()
    schema, seen = profiles(f"{kind}:///{path}")
    assert (seen["doc"].holds, seen["doc"].form) == ("json", "hue, to")
    assert (seen["box"].holds, seen["box"].form) == ("json", "wide, high")
    assert "sizes" not in seen or seen["sizes"].holds is None  # an array says what it is
    assert all(column.samples == () for column in schema.tables[0].columns if column.name == "doc")
    assert "Holds JSON (hue, to)" in schema_text([schema])


def test_what_looks_secret_is_counted_but_never_shown(shop):
    _, seen = profiles(shop)
    hidden = seen["password"]
    assert hidden.distinct == 1
    assert (hidden.low, hidden.high, hidden.values) == (None, None, ())


def test_models_read_it(shop, form):
    schema, _ = profiles(shop)
    text = schema_text([schema])
    assert "Values: 'cancelled', 'open', 'paid'" in text
    assert f"Text that holds dates ({form})" in text
    assert "Empty text stands for no value (25% of rows)" in text
    assert "hush" not in text


def answers(old, question):
    answer = old.ask(question)
    assert answer.rows, answer.text
    return [cell for row in answer.rows for cell in row]


def test_the_analyst_reads_dates_numbers_and_missing_values_as_they_are_written(
    tmp_path, shop, rows, form
):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(shop, name="shop")
        in_2023 = [row for row in rows if row[1].year == 2023]
        assert answers(old, "How many orders were placed in 2023?") == [len(in_2023)]
        assert answers(old, "How many orders have no status?") == [50]
        top = sorted(rows, key=lambda row: -float(row[3]))[:3]
        assert answers(old, "Which 3 orders have the highest amount?") == [row[0] for row in top]
        latest = max(row[1] for row in rows)
        assert answers(old, "What is the latest order date?") == [latest.strftime(form)]
        assert old.ask("How many staff are there?").rows == ((3,),)
        said = old.ask("How many orders were placed in 2023?").text
        assert "order date in 2023" in said
        assert "substring" not in said


def test_days_and_months_that_cannot_be_told_apart_stay_text(tmp_path):
    path = tmp_path / "unclear.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE visits (id INT, day TEXT)")
        for number in range(1, 20):
            said = f"{1 + number % 12:02}/{1 + number % 11:02}/2024"
            db.execute("INSERT INTO visits VALUES (?, ?)", (number, said))
        db.commit()
    _, seen = profiles(f"sqlite:///{path}")
    assert seen["day"].holds is None


def test_the_profile_is_kept_readable_and_made_anew(tmp_path, shop, form):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(shop, name="shop")
        file = tmp_path / "home" / "knowledge" / "profiles" / "shop.yaml"
        assert "values: [cancelled, open, paid]" in file.read_text("utf-8")
        schema_file = tmp_path / "home" / "knowledge" / "data_schemas" / "shop.yaml"
        assert "kind: date" not in schema_file.read_text("utf-8")
        kept = old.databases.schema("shop").table("tblOrders").column("order_date")
        assert (kept.kind.value, kept.profile.form) == ("date", form)
        file.unlink()
        assert old.databases.schema("shop").table("tblOrders").column("order_date").profile is None
        old.databases.introspect("shop")
        assert file.is_file()
