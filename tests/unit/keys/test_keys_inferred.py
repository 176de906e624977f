"""Keys that no schema declares are found by names and values, and nothing else is taken for one."""

import random
import sqlite3
from contextlib import closing

import pytest
from benchmarks._generated_keys import fill_clinic, fill_shop, generated
from benchmarks.keys import of_file

from oldhand.errors import SchemaError
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import Catalog, load_schema, open_database

KEYS = {
    ("tblOrders", ("CustID",), "tblCustomers", ("CustID",)),
    ("tblOrderLines", ("OrderNo",), "tblOrders", ("OrderNo",)),
    ("tblOrderLines", ("sku",), "tblProducts", ("sku",)),
    ("tblShipments", ("OrderNo",), "tblOrders", ("OrderNo",)),
    ("tblShipments", ("OrderNo", "LineNo"), "tblOrderLines", ("OrderNo", "LineNo")),
    ("tblStaff", ("manager_id",), "tblStaff", ("id",)),
    ("tblOrders", ("sold_by",), "tblStaff", ("id",)),
}


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.db"
    fill_shop(path, random.Random(3), keyed=False)
    return path


@pytest.fixture
def catalog(tmp_path, shop):
    with closing(Catalog(tmp_path / "home")) as opened:
        opened.add(f"sqlite:///{shop}", name="shop")
        yield opened


def introspected(path):
    with open_database(DatabaseEntry(name="shop", url=f"sqlite:///{path}")) as database:
        return database.introspect()


def keys(schema):
    return {
        (table.name, key.columns, key.table, key.target_columns)
        for table in schema.tables
        for key in table.foreign_keys
    }


def made(path, *statements):
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    return introspected(path)


def test_simple_composite_and_self_keys_are_found_and_nothing_that_is_merely_called_alike(shop):
    schema = introspected(shop)
    assert keys(schema) == KEYS
    assert {table.name: table.primary_key for table in schema.tables} == {
        "tblCustomers": ("CustID",),
        "tblStaff": ("id",),
        "tblOrders": ("OrderNo",),
        "tblProducts": ("sku",),
        "tblOrderLines": ("OrderNo", "LineNo"),
        "tblShipments": ("id",),
    }


@pytest.mark.parametrize("seed", range(4))
def test_declared_keys_are_found_again_once_they_are_taken_out(seed):
    with generated(seed) as files:
        found = [of_file(file.stem, file, {}) for file in files]
    assert len(found) == 2
    for one in found:
        assert one.inferred <= one.declared | one.implied
        assert one.declared <= one.inferred


def test_keys_without_rows_are_found_by_name_with_less_confidence(tmp_path):
    schema = made(
        tmp_path / "empty.db",
        "CREATE TABLE customers (id INTEGER, name TEXT)",
        "CREATE TABLE orders (id INTEGER, customer_id INTEGER, name TEXT)",
    )
    assert keys(schema) == {("orders", ("customer_id",), "customers", ("id",))}
    (key,) = schema.tables[1].foreign_keys
    assert key.is_unconfirmed
    assert key.confidence < 0.8
    assert "no values" in key.evidence.because


def test_a_name_is_no_key_where_the_values_are_others(tmp_path):
    schema = made(
        tmp_path / "others.db",
        "CREATE TABLE customers (id INTEGER, name TEXT)",
        "INSERT INTO customers VALUES (1, 'a'), (2, 'b'), (3, 'c')",
        "CREATE TABLE orders (id INTEGER, customer_id INTEGER)",
        "INSERT INTO orders VALUES (1, 900), (2, 901), (3, 902)",
    )
    assert keys(schema) == set()


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("email", "TEXT"),
        ("population", "INT"),
        ("created_at", "TEXT"),
        ("year", "INT"),
        ("city", "TEXT"),
    ],
)
def test_unique_values_that_two_tables_share_are_no_key(tmp_path, column, kind):
    values = ", ".join(f"({i}, '{2000 + i}')" for i in range(1, 30))
    schema = made(
        tmp_path / "shared.db",
        f"CREATE TABLE suppliers (id INTEGER, {column} {kind})",
        f"INSERT INTO suppliers VALUES {values}",
        f"CREATE TABLE branches (id INTEGER, {column} {kind})",
        f"INSERT INTO branches VALUES {values}",
    )
    assert keys(schema) == set()


def test_evidence_is_written_read_and_kept_when_the_database_is_introspected_anew(catalog):
    schema = catalog.schema("shop")
    assert keys(schema) == KEYS
    assert load_schema(catalog.schema_path("shop")).tables[2].foreign_keys[0].evidence
    assert "are there; the same name" in catalog.schema_path("shop").read_text("utf-8")
    catalog.confirm_keys("shop")
    assert not any(k.is_unconfirmed for t in catalog.schema("shop").tables for k in t.foreign_keys)
    again = catalog.introspect("shop")
    assert keys(again) == KEYS
    assert not any(key.is_unconfirmed for table in again.tables for key in table.foreign_keys)
    assert catalog.link_keys() == ()


def test_a_rejected_key_does_not_come_back(catalog):
    assert catalog.reject_key("shop", "tblOrders", "CustID").table == "tblCustomers"
    left = KEYS - {("tblOrders", ("CustID",), "tblCustomers", ("CustID",))}
    assert keys(catalog.schema("shop")) == left
    assert keys(catalog.introspect("shop")) == left
    assert {key.key.columns for key in catalog.link_keys()} == {
        columns for _, columns, _, _ in left
    }
    with pytest.raises(SchemaError, match="no inferred key"):
        catalog.reject_key("shop", "tblOrders", "email")


def test_what_people_wrote_stands_before_what_is_inferred(catalog):
    path = catalog.schema_path("shop")
    text = path.read_text("utf-8")
    assert "references: shop.main.tblCustomers.CustID\n" in text
    written, _, rest = text.partition("references: shop.main.tblCustomers.CustID\n")
    path.write_text(
        f"{written}references: shop.main.tblStaff.id\n{rest.partition(chr(10))[2]}", "utf-8"
    )
    again = catalog.introspect("shop")
    assert ("tblOrders", ("CustID",), "tblStaff", ("id",)) in keys(again)
    assert ("tblOrders", ("CustID",), "tblCustomers", ("CustID",)) not in keys(again)


def test_keys_that_are_texts_and_columns_called_like_their_table(tmp_path):
    fill_clinic(tmp_path / "clinic.db", random.Random(1))
    with closing(sqlite3.connect(tmp_path / "clinic.db")) as db:
        db.execute("CREATE TABLE bare AS SELECT * FROM patients")
        db.commit()
    assert ("bare", ("ward",), "wards", ("code",)) in keys(introspected(tmp_path / "clinic.db"))


def test_who_manages_a_thing_is_one_of_the_staff_and_no_other_thing(tmp_path):
    schema = made(
        tmp_path / "houses.db",
        "CREATE TABLE gebaeude (gebaeude_id INTEGER PRIMARY KEY, strasse TEXT, verwalter_id INTEGER)",
        "CREATE TABLE mitarbeiter (ma_nr INTEGER PRIMARY KEY, name TEXT)",
        "INSERT INTO gebaeude VALUES (1, 'Ufer 1', 2), (2, 'Ufer 2', 3), (3, 'Ufer 3', 2), (4, 'Ufer 4', 3)",
        "INSERT INTO mitarbeiter VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cem')",
    )
    assert keys(schema) == {("gebaeude", ("verwalter_id",), "mitarbeiter", ("ma_nr",))}


def test_who_manages_customers_is_one_of_the_staff_and_no_customer(tmp_path):
    schema = made(
        tmp_path / "office.db",
        "CREATE TABLE cust (id INTEGER PRIMARY KEY, nm TEXT, acct_mgr_id INTEGER)",
        "CREATE TABLE stf (id INTEGER PRIMARY KEY, nm TEXT)",
        "INSERT INTO cust VALUES (1, 'Argo', 2), (2, 'Boreal', 3), (3, 'Cumulus', 2), (4, 'Delta', 1)",
        "INSERT INTO stf VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cem')",
    )
    assert keys(schema) == {("cust", ("acct_mgr_id",), "stf", ("id",))}
