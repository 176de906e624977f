"""Tables of pages: the first rows stand in the page, the script sorts, filters and turns over all of them."""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO, StringIO
from typing import TypeAlias

from starlette.responses import Response

from oldhand.errors import UsageError
from oldhand.face.row_files import write_sheet
from oldhand.record.base import Cell
from oldhand.record.charting import drawn_column, is_numeric

FIRST_ROWS = 50
_MOST_DRAWN = 2_000
_DATE = re.compile(r"\d{4}-\d\d")


@dataclass(frozen=True)
class LinkedCell:
    """A cell that leads somewhere, or that is a badge."""

    text: str
    href: str = ""
    tone: str = ""
    """`good`, `bad`, `warn` or `quiet` makes it a badge, `time` a moment that is shown on the reader's clock."""


GridCell: TypeAlias = Cell | LinkedCell


@dataclass(frozen=True)
class Grid:
    """Rows as a page shows them; `ui.table` draws it."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[GridCell]]
    name: str = "rows"
    """What a file of them is called."""
    files: str = ""
    """Address of all rows without its ending, `.json`, `.csv` and `.xlsx`; when empty, all of them stand in the page."""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold nothing but numbers: these stand to the right.

        >>> Grid(("city", "sold"), [("Oslo", 3), ("Rome", None)]).numeric
        (False, True)
        """
        return tuple(is_numeric(row[n] for row in self.rows) for n in range(len(self.columns)))

    @property
    def first(self) -> Sequence[Sequence[GridCell]]:
        """The rows that are drawn at once."""
        return self.rows[:FIRST_ROWS]

    @property
    def data(self) -> dict[str, object]:
        """All of it, for the script."""
        rows = [
            [asdict(it) if isinstance(it, LinkedCell) else it for it in row] for row in self.rows
        ]
        return {"columns": self.columns, "numeric": self.numeric, "rows": rows}


@dataclass(frozen=True)
class ChartPlan:
    """How rows are drawn at first; whoever looks may change the kind."""

    kind: str
    """`line` over time, else `bar`."""
    name: int
    """The place of the column along the axis."""
    value: int
    """The place of the numbers."""


def chart_of(grid: Grid) -> ChartPlan | None:
    """The last column of numbers over the first of the others; None where there is nothing to compare.

    >>> chart_of(Grid(("city", "sold"), [("Oslo", 3), ("Rome", 5)])), chart_of(Grid(("sold",), [(3,)]))
    (ChartPlan(kind='bar', name=0, value=1), None)
    """
    numeric = grid.numeric
    value = drawn_column(numeric)
    if value is None or False not in numeric or not 1 < len(grid.rows) <= _MOST_DRAWN:
        return None
    name = numeric.index(False)
    over_time = all(_DATE.match(str(row[name])) for row in grid.rows if row[name] is not None)
    return ChartPlan("line" if over_time else "bar", name, value)


def as_file(grid: Grid, ending: str) -> Response:
    """All rows as a file.

    Raises:
        UsageError: the ending is none of those that are known.
        MissingExtra: the package for it is not installed.
    """
    plain = [[it.text if isinstance(it, LinkedCell) else it for it in row] for row in grid.rows]
    name = {"Content-Disposition": f'attachment; filename="{grid.name}.{ending}"'}
    match ending:
        case "json":
            return Response(
                json.dumps(grid.data, ensure_ascii=False), media_type="application/json"
            )
        case "csv":
            lines = StringIO()
            csv.writer(lines, lineterminator="\n").writerows([grid.columns, *plain])
            # The mark lets spreadsheets read it as UTF-8.
            return Response("\ufeff" + lines.getvalue(), headers=name, media_type="text/csv")
        case "xlsx":
            book = BytesIO()
            write_sheet(grid.columns, plain, book)
            kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            return Response(book.getvalue(), headers=name, media_type=kind)
        case _:
            raise UsageError(f"Rows come as .json, .csv or .xlsx, not as .{ending}.")
