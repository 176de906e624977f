"""Which columns of some rows are drawn, in a terminal and on a page alike."""

from collections.abc import Iterable, Sequence


def is_numeric(cells: Iterable[object]) -> bool:
    """Whether a column holds numbers and nothing else; missing values aside.

    >>> is_numeric([3, None, 2.5]), is_numeric([True]), is_numeric([None])
    (True, False, False)
    """
    known = [it for it in cells if it is not None]
    return bool(known) and all(isinstance(it, int | float) and it is not True for it in known)


def drawn_column(numeric: Sequence[bool]) -> int | None:
    """The place of the last column of numbers, which is drawn over the first of the others; None without any.

    >>> drawn_column([False, True, True, False]), drawn_column([False])
    (2, None)
    """
    return len(numeric) - 1 - numeric[::-1].index(True) if True in numeric else None
