"""Rows as a file for a spreadsheet."""

from collections.abc import Sequence
from importlib import import_module
from typing import IO

from oldhand.errors import MissingExtra
from oldhand.record.base import Cell


def write_sheet(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], file: str | IO[bytes]
) -> None:
    """Write rows for Excel; texts of a database are never taken for formulas or links.

    Raises:
        MissingExtra: the package for it is not installed.
    """
    try:
        xlsxwriter = import_module("xlsxwriter")
    except ImportError as error:
        raise MissingExtra("xlsxwriter", "xlsx") from error
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with xlsxwriter.Workbook(file, plain) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        sheet.write_row(0, 0, columns, bold)
        for number, row in enumerate(rows, 1):
            sheet.write_row(number, 0, row)
        sheet.freeze_panes(1, 0)
        sheet.autofit()
