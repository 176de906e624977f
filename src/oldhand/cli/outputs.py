"""The rows of an answer as a file: for spreadsheets, for notebooks, for other programs."""

import csv
import json
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from oldhand.cli.screen import make_console, some
from oldhand.errors import UsageError
from oldhand.errors.files import is_taken, written_to

if TYPE_CHECKING:
    from oldhand.record.answer import Answer

ENDINGS = ".csv, .json, .parquet, .xlsx, .png or .svg"


def check_output(file: Path | None) -> None:
    """Say before anything is asked that a file could not be written.

    Raises:
        UsageError: the name's ending is none that is known, there is no such folder, or it is one itself.
    """
    if file is None:
        return
    if file.suffix.lower() not in ENDINGS.replace(",", "").split():
        raise UsageError(f"--output {file}: the file's name must end with {ENDINGS}.")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"--output {file}: there is no folder {file.absolute().parent}.")
    if is_taken(file) and file.is_dir():
        raise UsageError(f"--output {file}: it is a folder: name a file in it.")


def hand_out(answer: "Answer", *, chart: bool, as_csv: bool, file: Path | None) -> None:
    """Draw the rows, print them as CSV, and write them to a file: what is wanted of these."""
    from oldhand.cli.charts import TERMINAL, chart_of, drawn

    if chart:
        drawn(chart_of(answer), TERMINAL)
    if as_csv:
        write_csv(answer, sys.stdout)
    if file is not None:
        write_rows(answer, file)
        make_console(stderr=True).print(f"{some(len(answer.rows), 'row')} written to {file}")


def write_rows(answer: "Answer", file: Path) -> None:
    """Write all rows, or a chart of them; the name's ending says how.

    Raises:
        MissingExtra: the package for it is not installed.
        UsageError: a chart needs names and numbers.
        StoreError: the file cannot be written.
    """
    with written_to(file):
        _write_rows(answer, file)


def _write_rows(answer: "Answer", file: Path) -> None:
    match file.suffix.lower():
        case ".csv":
            with file.open("w", encoding="utf-8", newline="") as lines:
                write_csv(answer, lines)
        case ".json":
            objects = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
            file.write_text(json.dumps(objects, ensure_ascii=False, indent=1) + "\n", "utf-8")
        case ".parquet":
            from oldhand.sources.workers.arrow import arrow_table

            import_module("pyarrow.parquet").write_table(
                arrow_table(answer.columns, answer.rows), file
            )
        case ".xlsx":
            from oldhand.face.row_files import write_sheet

            sheet = BytesIO()
            write_sheet(answer.columns, answer.rows, sheet)
            file.write_bytes(sheet.getvalue())
        case _:
            from oldhand.cli.charts import chart_of, draw_image

            draw_image(chart_of(answer), str(file))


def write_csv(answer: "Answer", lines: TextIO) -> None:
    """All rows as comma-separated values, the names of the columns first."""
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)
