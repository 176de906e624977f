"""Answers as tables, files, charts and JSON: what leaves the program for another one."""

import csv
import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from typer.testing import Result

from oldhand import Answer, Outcome
from oldhand.cli.charts import Chart, chart_of, drawn
from oldhand.cli.outputs import check_output, write_csv, write_rows
from oldhand.cli.whole import app
from oldhand.errors import UsageError

ROOT = Path(__file__).parents[3]
ROWS = (("Turin", 3, 1234.5), ("=1+1", None, 2.0), ('Łódź, "PL"', 10, 0.25))


def answer(columns: tuple[str, ...] = ("city", "n", "total"), rows: object = ROWS) -> Answer:
    return Answer.model_validate(
        {
            "episode_id": "e-1",
            "question": "How much per city?",
            "outcome": Outcome.ANSWERED,
            "text": "Total by <city>.",
            "columns": columns,
            "rows": rows,
            "confidence": 0.9,
            "model": "builtin",
            "seconds": 0.1,
            "session_id": "s-1",
        }
    )


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "xlsx", "png", "svg"])
def test_rows_are_written_as_the_name_of_the_file_says(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"out.{ending}"
    check_output(file)
    write_rows(answer(), file)
    match ending:
        case "csv":
            assert list(csv.reader(file.open(encoding="utf-8")))[3] == ['Łódź, "PL"', "10", "0.25"]
        case "json":
            assert json.loads(file.read_text("utf-8"))[1] == {"city": "=1+1", "n": None, "total": 2}
        case "parquet":
            table = import_module("pyarrow.parquet").read_table(file)
            assert table.to_pylist()[0] == {"city": "Turin", "n": 3, "total": 1234.5}
        case "xlsx":
            with zipfile.ZipFile(file) as book:
                assert b"<f>" not in book.read("xl/worksheets/sheet1.xml"), "no text is a formula"
        case _:
            assert file.stat().st_size > 1000


def test_columns_of_one_name_and_cells_of_several_kinds_are_written_too(tmp_path: Path) -> None:
    odd = answer(("a", "a"), ((1, "x"), ("b", None), (2.5, True)))
    for ending in ("csv", "parquet", "xlsx"):
        write_rows(odd, tmp_path / f"odd.{ending}")
    table = import_module("pyarrow.parquet").read_table(tmp_path / "odd.parquet")
    assert (table.column_names, table.num_rows) == (["a", "a_2"], 3)
    write_rows(answer(rows=()), tmp_path / "none.parquet")


def test_a_file_that_cannot_be_written_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"must end with \.csv"):
        check_output(tmp_path / "rows.doc")
    with pytest.raises(UsageError, match="there is no folder"):
        check_output(tmp_path / "missing" / "rows.csv")


def test_csv_has_every_row_and_its_own_line_ends() -> None:
    written = io.StringIO()
    write_csv(answer(), written)
    assert written.getvalue().splitlines()[:2] == ["city,n,total", "Turin,3,1234.5"]


def test_a_chart_is_bars_over_names_and_a_line_over_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn(chart_of(answer()), "terminal")
    assert "Turin      1,234.5 █" in capsys.readouterr().out
    months = chart_of(answer(("month", "n"), (("2024-01", 1), ("2024-02", 5), ("2024-03", 2))))
    assert months.over_time
    drawn(months, "terminal")
    told = capsys.readouterr().out.splitlines()
    assert (told[0], told[1][:3], told[-1][:10].strip()) == ("n", "5 │", "└2024-01")
    assert all(any(ord(dot) > 0x2800 for dot in line) for line in told[1:-1]), "without gaps"
    assert not Chart("n", [("2024-02", 1), ("2024-01", 2), ("2024-03", 3)]).over_time
    with pytest.raises(UsageError, match="nothing to draw"):
        chart_of(answer(("city",), (("Turin",),)))


def test_a_notebook_shows_the_answer_with_nothing_obeyed() -> None:
    shown = answer()._repr_html_()
    assert "Total by &lt;city&gt;." in shown
    assert "<th>city</th>" in shown
    many = answer(("n",), [(n,) for n in range(60)])
    assert "and 10 more" in many._repr_html_()
    frame = answer().to_df()
    assert (frame.shape, list(frame.columns)) == ((3, 3), ["city", "n", "total"])


Ask = Callable[..., Result]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks in a folder of somebody who has set nothing up."""
    monkeypatch.chdir(tmp_path)
    environ = dict.fromkeys(name for name in os.environ if name.startswith("OLDHAND_"))
    environ["HOME"] = str(tmp_path)
    return lambda *words: CommandLine().invoke(app, ["ask", *words], env=environ)


def test_a_file_can_be_asked_where_nothing_was_set_up(tmp_path: Path, ask: Ask) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        shop.execute("INSERT INTO customers (city) VALUES ('Turin'), ('Porto'), ('Turin')")
    shop.close()
    done = ask("--db", "shop.db", "How many customers per city?", "--csv")
    assert done.exit_code == 0, done.stderr
    assert sorted(done.stdout.splitlines()[1:]) == ["Porto,1", "Turin,2"]
    lost = ask("--db", "shops.db", "How many customers are there?")
    assert (lost.exit_code, "that does not exist" in lost.stderr) == (2, True)
    (tmp_path / "notes.db").write_text("no database")
    other = ask("--db", "notes.db", "How many customers are there?")
    assert "no file of SQLite, DuckDB or rows" in other.stderr


def test_a_folder_of_files_can_be_asked_by_its_path(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "customers.csv").write_text("id,city\n1,Turin\n2,Porto\n3,Turin\n")
    for path in ("./rows", "rows"):
        done = ask("--db", path, "How many customers are there?", "--csv")
        assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, ["3"]), done.stderr


def test_json_is_as_its_schema_says(tmp_path: Path, ask: Ask) -> None:
    schema = json.loads((ROOT / "docs/reference/answer.schema.json").read_text("utf-8"))
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        shop.execute("INSERT INTO customers (city) VALUES ('Turin'), (NULL)")
    shop.close()
    validate = import_module("jsonschema").validate
    for question in ("How many customers per city?", "Which customers are gold?", "Will it rain?"):
        told = json.loads(ask("--db", "shop.db", question, "--json", "--reflect").stdout)
        validate(told, schema)
        assert told["version"] == 1
        assert set(schema["required"]) <= set(told)
    told = [one.get("description") for one in schema["properties"].values()]
    assert sum(map(bool, told)) > len(told) / 2
