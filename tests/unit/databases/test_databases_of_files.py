"""Files of rows, and folders of them, as a database."""

import json
import zipfile

import duckdb
import pytest

from oldhand.errors import DatabaseError, DatabaseUnreachable, InvalidDatabaseUrl, QueryRefused
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.address import absolute_url, file_url
from oldhand.sources.databases.opening import open_database

SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    "<sheets>{}</sheets></workbook>"
)
ROOT = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r0" Target="xl/workbook.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
LINKS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
LINK = (
    '<Relationship Id="r{0}" Target="worksheets/s{0}.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>'
)


def cells_of(rows):
    return "".join(
        "<row>"
        + "".join(
            f"<c><v>{cell}</v></c>"
            if isinstance(cell, int | float)
            else f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
            for cell in row
        )
        + "</row>"
        for row in rows
    )


def workbook(path, **sheets):
    numbered = list(enumerate(sheets.items(), 1))
    named = (f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in numbered)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_rels/.rels", ROOT)
        archive.writestr("xl/workbook.xml", BOOK.format("".join(named)))
        links = "".join(LINK.format(number) for number, _ in numbered)
        archive.writestr("xl/_rels/workbook.xml.rels", LINKS.format(links))
        for number, (_, rows) in numbered:
            archive.writestr(f"xl/worksheets/s{number}.xml", SHEET.format(cells_of(rows)))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "orders.csv").write_text("id,city,amount\n1,Rome,2.5\n2,Oslo,4\n", "utf-8")
    german = "Bericht\n\nnr;ort;betrag;tag\n1;Köln;3,50;01.02.2024\nkaputt\n2;Ulm;4,25;14.02.2024\n"
    (tmp_path / "Umsätze 2024.csv").write_bytes(german.encode("cp1252"))
    lines = [json.dumps({"id": n, "tags": ["a", "b"][:n]}) for n in (1, 2)]
    (tmp_path / "events.jsonl").write_text("\n".join(lines), "utf-8")
    duckdb.sql("SELECT range AS id FROM range(7)").write_parquet(str(tmp_path / "things.parquet"))
    workbook(tmp_path / "people.xlsx", Staff=[["Staff"], ["id", "name"], [1, "Ada"], [2, "Bo"]])
    (tmp_path / "readme.md").write_text("no rows")
    return tmp_path


def opened(path):
    return open_database(DatabaseEntry(name="sales", url=absolute_url(str(path))))


def rows(database, sql):
    return database.fetch(sql, rows=100, seconds=60).rows


def test_a_folder_is_a_database_with_a_table_for_each_file(folder):
    with opened(folder) as database:
        tables = {table.name: table for table in database.introspect().tables}
        assert sorted(tables) == ["events", "orders", "people", "things", "umsatze_2024"]
        assert rows(database, "SELECT sum(amount) FROM orders") == ((6.5,),)
        assert rows(database, "SELECT id, name FROM people") == ((1, "Ada"), (2, "Bo"))
        assert rows(database, "SELECT count(*) FROM things") == ((7,),)
        assert rows(database, "SELECT count(*) FROM events WHERE 'b' = ANY(tags)") == ((1,),)


def test_titles_decimal_commas_old_encodings_and_broken_lines_are_seen_to(folder):
    with opened(folder) as database:
        table = database.introspect().table("umsatze_2024")
        assert [column.kind.value for column in table.columns] == [
            "integer",
            "text",
            "number",
            "date",
        ]
        assert rows(database, "SELECT ort, betrag FROM umsatze_2024 ORDER BY nr") == (
            ("Köln", 3.5),
            ("Ulm", 4.25),
        )
        assert table.description == (
            "1 of the lines of Umsätze 2024.csv could not be read and is left out, the first is line 5."
        )


def test_each_sheet_of_a_workbook_is_a_table_and_one_without_rows_is_none(tmp_path):
    workbook(
        tmp_path / "shop.xlsx",
        Staff=[["id", "name"], [1, "Ada"], [2, "Bo"]],
        **{"Sales 2024": [["Sales", ""], ["staff_id", "amount"], [1, 2.5], [2, 4]]},
        Notes=[["nothing yet"]],
    )
    with opened(tmp_path / "shop.xlsx") as database:
        assert {table.name for table in database.introspect().tables} == {"staff", "sales_2024"}
        joined = "SELECT name, amount FROM staff JOIN sales_2024 ON staff_id = id ORDER BY name"
        assert rows(database, joined) == (("Ada", 2.5), ("Bo", 4.0))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_what_excel_saves_as_unicode_text_is_read(tmp_path, encoding):
    mark = "" if encoding == "utf-16" else "\ufeff"
    written = f"{mark}name\tcity\tamount\r\nZoë\tMünchen\t1,5\r\nŁukasz\tŁódź\t2,25\r\n"
    (tmp_path / "people.csv").write_bytes(written.encode(encoding))
    with opened(tmp_path / "people.csv") as database:
        found = rows(database, "SELECT name, city, amount FROM people ORDER BY amount")
        assert found == (("Zoë", "München", 1.5), ("Łukasz", "Łódź", 2.25))


def test_a_file_that_changes_is_read_again(folder):
    with opened(folder / "orders.csv") as database:
        assert rows(database, "SELECT count(*) FROM orders") == ((2,),)
        with (folder / "orders.csv").open("a") as file:
            file.write("3,Bonn,1\n")
        assert rows(database, "SELECT count(*) FROM orders") == ((3,),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "DELETE FROM orders",
        "COPY orders TO '/tmp/x.csv'",
    ],
)
def test_nothing_is_written_and_no_other_file_is_read(folder, sql):
    with opened(folder) as database, pytest.raises((DatabaseError, QueryRefused)):
        rows(database, sql)


def test_what_holds_no_rows_is_named(tmp_path):
    with pytest.raises(DatabaseUnreachable, match="holds no files of rows"):
        opened(tmp_path)
    (tmp_path / "empty.csv").write_text("\n\n")
    (tmp_path / "empty.json").touch()
    for path in (tmp_path / "empty.csv", tmp_path):
        with pytest.raises(DatabaseUnreachable, match=r"nothing in empty\.csv"):
            opened(path)
    (tmp_path / "towns.csv").write_text("town\nRome\n")
    with opened(tmp_path) as database:
        assert rows(database, "SELECT town FROM towns") == (("Rome",),)
    with pytest.raises(InvalidDatabaseUrl, match="does not exist"):
        absolute_url("no-such.csv")
    (tmp_path / "text.md").write_text("#")
    assert file_url(tmp_path / "text.md") is None
