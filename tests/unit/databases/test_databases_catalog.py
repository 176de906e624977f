import socket
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
import yaml

from oldhand.errors import (
    DanglingForeignKey,
    DatabaseUnreachable,
    InvalidId,
    InvalidSetting,
    NameTaken,
    SchemaDrift,
    SchemaError,
    StoreError,
    UnknownDatabase,
)
from oldhand.record.schema import Kind
from oldhand.sources.databases import Catalog, DriftKind


def change(path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.db"
    change(
        path,
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, born TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, sku TEXT);"
        "INSERT INTO customers VALUES (1, 'Ada', 'Bonn', '1990-01-31'), (2, 'Bob', 'Kiel', '1991-01-31');"
        "INSERT INTO orders VALUES (1, 1, 'A-1'), (2, 1, 'B-2'), (3, 2, 'A-1');",
    )
    return path


@pytest.fixture
def stock(tmp_path):
    path = tmp_path / "stock.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE products (sku VARCHAR PRIMARY KEY, label VARCHAR)")
        connection.execute(
            "INSERT INTO products VALUES ('A-1', 'apple'), ('B-2', 'beet'), ('C-3', 'chard')"
        )
        connection.execute("CREATE TABLE visits (visit INTEGER, customer_id INTEGER)")
        connection.execute("INSERT INTO visits VALUES (1, 1), (2, 2), (3, 2)")
    return path


@pytest.fixture
def catalog(tmp_path):
    opened = Catalog(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def both(catalog, shop, stock):
    catalog.add(f"sqlite:///{shop}", name="shop", description="What we sell")
    catalog.add(f"duckdb:///{stock}", name="stock")
    return catalog


def edit(catalog, name, before, after):
    path = catalog.schema_path(name)
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")


def test_adding_registers_and_introspects(both, shop, tmp_path):
    assert [(e.name, e.description) for e in both.list()] == [
        ("shop", "What we sell"),
        ("stock", ""),
    ]
    schema = both.schema("shop")
    assert schema.description == "What we sell"
    assert [table.name for table in schema.tables] == ["customers", "orders"]
    assert both.schema_path("shop") == tmp_path / "home/knowledge/data_schemas/shop.yaml"
    again = Catalog(tmp_path / "home")
    assert again.list() == both.list()
    assert again.schemas() == both.schemas()


def test_a_relative_path_becomes_absolute(catalog, shop, monkeypatch, tmp_path):
    monkeypatch.chdir(shop.parent)
    entry = catalog.add("sqlite:///shop.db", name="shop")
    assert entry.url == f"sqlite:///{shop}"
    monkeypatch.chdir("/")
    assert catalog.open("shop").fetch("SELECT count(*) FROM orders", rows=1, seconds=60).rows == (
        (3,),
    )


def test_an_awkward_path_survives_the_catalog(catalog, tmp_path):
    path = tmp_path / "50% é #1.db"
    change(path, "CREATE TABLE t (a)")
    catalog.add(f"sqlite:///{path}", name="odd")
    assert Catalog(tmp_path / "home").open("odd").introspect().tables


def test_a_database_that_cannot_be_reached_is_not_registered(catalog, tmp_path):
    with pytest.raises(DatabaseUnreachable):
        catalog.add(f"sqlite:///{tmp_path}/none.db", name="none")
    assert catalog.list() == ()
    assert not (tmp_path / "home").exists()


def test_a_password_in_the_environment_is_not_stored_and_files_are_private(
    catalog, shop, tmp_path, monkeypatch
):
    monkeypatch.setenv("SHOP_FILE", str(shop))
    catalog.add("sqlite:///${SHOP_FILE}", name="shop")
    file = tmp_path / "home" / "databases.yaml"
    assert "${SHOP_FILE}" in file.read_text("utf-8")
    assert str(shop) not in file.read_text("utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["../evil", "", "a/b", "x" * 200])
def test_a_name_cannot_leave_the_folder(catalog, shop, name):
    with pytest.raises(InvalidId):
        catalog.add(f"sqlite:///{shop}", name=name)


def test_a_name_is_given_once(both, stock, shop):
    both.add(f"sqlite:///{shop}", name="shop", description="The same again")
    assert [entry.name for entry in both.list()] == ["shop", "stock"]
    for name in ("shop", "SHOP", "workspace"):
        with pytest.raises(NameTaken):
            both.add(f"duckdb:///{stock}", name=name)


def test_an_unknown_name_is_answered_with_the_nearest_and_all(both):
    with pytest.raises(
        UnknownDatabase, match=r"'shpo'.*Did you mean shop\?.*Registered: shop, stock"
    ):
        both.schema("shpo")
    for ask in (both.open, both.remove, both.check, both.introspect):
        with pytest.raises(UnknownDatabase):
            ask("nothing")
    with pytest.raises(UnknownDatabase):
        both.schemas(["shop", "nothing"])


def test_schemas_come_in_the_order_asked_for(both):
    assert [schema.name for schema in both.schemas()] == ["shop", "stock"]
    assert [schema.name for schema in both.schemas(["stock", "shop", "stock"])] == ["stock", "shop"]
    assert both.schemas([]) == ()


def test_removing_forgets_the_entry_and_references_into_it_but_keeps_its_file(both):
    edit(
        both,
        "shop",
        "  - name: sku\n    type: TEXT\n",
        "  - name: sku\n    type: TEXT\n    references: stock.main.products.sku\n",
    )
    assert both.schema("shop").tables[1].foreign_keys[-1].database == "stock"
    both.remove("stock")
    assert [entry.name for entry in both.list()] == ["shop"]
    assert {key.database for key in both.schema("shop").tables[1].foreign_keys} == {"shop"}
    assert both.schema_path("stock").exists()


def test_an_edited_file_is_read_again(both):
    edit(both, "shop", "name: city\n", "name: city\n    description: Where they live\n")
    column = both.schema("shop").tables[0].column("city")
    assert column is not None
    assert column.description == "Where they live"


def test_a_missing_schema_file_is_introspected(both):
    before = both.schema("shop")
    both.schema_path("shop").unlink()
    assert both.schema("shop").tables == before.tables
    assert both.schema_path("shop").exists()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("stock.main.product.sku", "did you mean products"),
        ("stock.main.products.sk", "did you mean sku"),
        ("stok.main.products.sku", "stok, which is not registered"),
    ],
)
def test_a_key_into_another_database_is_checked(both, target, said):
    edit(both, "shop", "  - name: sku\n", f"  - name: sku\n    references: {target}\n")
    with pytest.raises(DanglingForeignKey, match=said):
        both.schema("shop")
    with pytest.raises(DanglingForeignKey, match=said):
        both.schemas()
    assert both.schema("stock").tables


def test_a_file_that_describes_another_database_is_refused(both):
    both.schema_path("shop").write_text(both.schema_path("stock").read_text("utf-8"), "utf-8")
    with pytest.raises(SchemaError, match="describes 'stock', not 'shop'"):
        both.schema("shop")


@pytest.mark.parametrize(
    "text",
    ["databases: 7", "databases: [{name: a}]", "x: 1", "[", "databases: [{name: a, url: b, c: d}]"],
)
def test_a_broken_list_of_databases_is_named(catalog, tmp_path, text):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "databases.yaml").write_text(text)
    with pytest.raises(InvalidSetting, match=r"databases\.yaml"):
        catalog.list()


def test_introspecting_anew_keeps_what_people_wrote(both, shop):
    edit(both, "shop", "  description: ''\n", "  description: Who buys here\n")
    edit(both, "shop", "name: city\n", "name: city\n    description: Where they live\n")
    edit(
        both,
        "shop",
        "name: name\n    type: TEXT\n",
        "name: name\n    type: TEXT\n    kind: other\n",
    )
    edit(
        both, "shop", "  - name: sku\n", "  - name: sku\n    references: stock.main.products.sku\n"
    )
    change(shop, "ALTER TABLE customers ADD COLUMN email TEXT;")
    found = both.introspect("shop")
    assert found == both.schema("shop")
    customers, orders = found.tables
    columns = {column.name: column for column in customers.columns}
    assert customers.description == "Who buys here"
    assert columns["city"].description == "Where they live"
    assert columns["name"].kind is Kind.OTHER
    assert columns["born"].kind is Kind.DATE
    assert "email" in columns
    assert {key.database for key in orders.foreign_keys} == {"shop", "stock"}
    assert found.description == "What we sell"


def test_words_about_what_is_gone_are_kept_aside(both, shop):
    edit(both, "shop", "name: city\n", "name: city\n    description: Where they live\n")
    change(shop, "ALTER TABLE customers DROP COLUMN city")
    both.introspect("shop")
    aside = both.schema_path("shop").with_suffix(".yaml.old")
    assert "Where they live" in aside.read_text("utf-8")
    assert "Where they live" not in both.schema_path("shop").read_text("utf-8")


def test_a_broken_schema_file_is_never_written_over(both):
    path = both.schema_path("shop")
    path.write_text("tables: [oops", "utf-8")
    with pytest.raises(SchemaError):
        both.introspect("shop")
    assert path.read_text("utf-8") == "tables: [oops"


def test_drift_is_found_and_named(both, shop):
    assert both.check("shop") == ()
    both.ensure_current("shop")
    change(
        shop,
        "ALTER TABLE customers DROP COLUMN city; ALTER TABLE customers ADD COLUMN email TEXT;"
        "CREATE TABLE reviews (stars INTEGER); DROP TABLE orders; CREATE TABLE orders (id TEXT, customer_id INTEGER, sku TEXT)",
    )
    found = {(d.change, d.table, d.column) for d in both.check("shop")}
    assert found == {
        (DriftKind.COLUMN_MISSING, "customers", "city"),
        (DriftKind.COLUMN_NEW, "customers", "email"),
        (DriftKind.TABLE_NEW, "reviews", None),
        (DriftKind.TYPE_CHANGED, "orders", "id"),
    }
    with pytest.raises(SchemaDrift, match=r"customers\.city: column missing.*INTEGER to TEXT"):
        both.ensure_current("shop")
    change(shop, "DROP TABLE orders")
    assert (DriftKind.TABLE_MISSING, "orders") in {(d.change, d.table) for d in both.check("shop")}


def test_keys_between_databases_are_suggested_and_written_when_asked(both):
    found = both.link_keys()
    links = {
        (k.database, k.table, *k.key.columns, k.key.database, k.key.table, *k.key.target_columns)
        for k in found
    }
    assert links == {
        ("shop", "orders", "sku", "stock", "products", "sku"),
        ("stock", "visits", "customer_id", "shop", "customers", "id"),
    }
    assert all("values are there" in k.key.evidence.because for k in found)
    assert {key.database for key in both.schema("shop").tables[1].foreign_keys} == {"shop"}
    both.link_keys(write=True)
    written = both.schema("shop").tables[1].foreign_keys[-1]
    assert written.ends == (("sku",), "stock", "main", "products", ("sku",))
    assert written.evidence.confirmed
    assert both.link_keys() == ()


def test_keys_are_not_suggested_when_the_values_differ(both, shop):
    change(shop, "UPDATE orders SET sku = 'X-' || id")
    assert [link.database for link in both.link_keys()] == ["stock"]


def test_a_database_that_was_moved_is_opened_at_its_new_place_and_let_go_of_at_the_old_one(
    catalog, shop, tmp_path
):
    catalog.add(f"sqlite:///{shop}", name="shop")
    old = catalog.open("shop")
    shop.rename(tmp_path / "moved.db")
    registry = tmp_path / "home" / "databases.yaml"
    registry.write_text(registry.read_text("utf-8").replace("shop.db", "moved.db"), "utf-8")
    new = catalog.open("shop")
    assert new.fetch("SELECT count(*) FROM orders", rows=1, seconds=60).rows == ((3,),)
    assert old.closed


def test_a_database_is_opened_once_and_again_after_it_was_closed(both):
    first = both.open("shop")
    assert both.open("shop") is first
    first.close()
    assert both.open("shop").fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)
    second = both.open("shop")
    both.close()
    assert second.closed


def test_two_processes_at_once_lose_nothing(tmp_path, shop):
    home = tmp_path / "home"
    program = (
        "import sys; from pathlib import Path; from oldhand.sources.databases import Catalog\n"
        "catalog = Catalog(Path(sys.argv[1]))\n"
        "for n in range(8): catalog.add(sys.argv[2], name=f'{sys.argv[3]}{n}')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, home, f"sqlite:///{shop}", letter])
        for letter in "ab"
    ]
    assert [process.wait() for process in running] == [0, 0]
    catalog = Catalog(home)
    assert sorted(entry.name for entry in catalog.list()) == [
        f"{c}{n}" for c in "ab" for n in range(8)
    ]
    assert len(catalog.schemas()) == 16


def test_a_home_that_cannot_be_written_is_named(tmp_path, shop):
    (tmp_path / "home").write_text("a file, not a folder")
    with pytest.raises(StoreError, match="cannot be written"):
        Catalog(tmp_path / "home").add(f"sqlite:///{shop}", name="shop")


def test_no_half_written_file_is_left_behind(both, tmp_path):
    both.introspect("shop")
    left = [path.name for path in Path(tmp_path / "home").rglob("*") if path.is_file()]
    described = ["shop.yaml", "shop.yaml", "stock.yaml", "stock.yaml"]  # schemas and profiles
    assert sorted(left) == [".databases.lock", "databases.yaml", *described]


def test_a_server_that_does_not_answer_holds_up_no_other_database(both):
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as threads:
        url = f"postgresql://ana@127.0.0.1:{server.getsockname()[1]}/sales"
        registry = both.schema_path("x").parents[2] / "databases.yaml"
        known = yaml.safe_load(registry.read_text("utf-8"))
        known["databases"].append({"name": "silent", "url": url})
        registry.write_text(yaml.safe_dump(known), "utf-8")
        waiting = threads.submit(both.open, "silent")
        asked, _ = server.accept()
        with asked:
            assert both.open("shop").fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)
            assert not waiting.done()
        server.close()
        with pytest.raises(DatabaseUnreachable):
            waiting.result()
