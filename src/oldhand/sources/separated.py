"""How rows of cells are written, in files that don't say: what is between the cells, and where the names of columns are."""

import csv
from collections import Counter
from collections.abc import Sequence

_DELIMITERS = (",", ";", "\t", "|")


def layout_of(lines: Sequence[str]) -> tuple[str, int]:
    """What stands between the cells, and how many lines before the first row are none, such as a title.

    >>> layout_of(["Sales of May", "", "id;name", "1;Ada", "2;Bo"]), layout_of(["name", "Ada"])
    ((';', 2), (',', 0))
    """
    best = (0, ",", 0)
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        width, number = max(
            Counter(width for width in widths if width > 1).items(),
            key=lambda found: (found[1], found[0]),
            default=(0, 0),
        )
        if number > best[0]:
            best = number, delimiter, widths.index(width)
    return best[1], best[2]


def header_place(rows: Sequence[Sequence[object]]) -> int:
    """The row that names the columns: the first one with two cells or more, where there is any.

    >>> header_place([["Sales of May", ""], ["id", "name"], [1, "Ada"]])
    1
    """
    wide = max((sum(cell != "" for cell in row) for row in rows), default=0)
    return next((i for i, r in enumerate(rows) if sum(c != "" for c in r) >= min(2, wide)), 0)
