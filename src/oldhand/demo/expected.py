"""The right answer to a question, and whether an answer that was given is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isclose

from oldhand.record.answer import ASKING_BACK, Answer, Outcome
from oldhand.record.base import Cell, Row

Shown = Cell | list[list[Cell]]
"""An answer as JSON: one value, or a list of rows."""


@dataclass(frozen=True)
class ExpectedAnswer:
    """The right answer.

    >>> ExpectedAnswer(((3,),)).accepts([("Berlin", 3)])
    True
    >>> ExpectedAnswer((("Ada",), ("Bela",)), ranked=True).accepts([("Bela", 9), ("Ada", 7)])
    False
    """

    rows: tuple[Row, ...]
    """Empty when the question cannot be answered."""
    ranked: bool = False
    """Whether the order of the rows matters."""
    says: str = ""
    """What the text holds, with a citation, where documents say it."""

    @property
    def shown(self) -> Shown:
        """A single value by itself, more as rows, nothing as None."""
        return shown(self.rows)

    def accepts_answer(self, answer: Answer) -> bool:
        """Whether the answer says the same, or rightly says nothing."""
        if self.says and not (answer.citations and self.says in answer.text):
            return False
        if not self.rows:
            if self.says:
                return answer.outcome is Outcome.ANSWERED
            return answer.outcome is Outcome.ABSTAINED or answer.outcome in ASKING_BACK
        return answer.outcome is Outcome.ANSWERED and self.accepts(answer.rows)

    def accepts(self, rows: Sequence[Row]) -> bool:
        """Whether the rows hold the right values, in any order of columns.

        Columns that were not asked for are passed over, unless they are numbers beside an unranked answer: then it is not
        clear which number is meant.
        """
        if len(rows) != len(self.rows) or not rows:
            return False
        width, given = len(self.rows[0]), len(rows[0])
        return any(
            self._accepts_columns(rows, chosen)
            for chosen in permutations(range(given), width)
            if self.ranked or not _has_other_numbers(rows, chosen)
        )

    def _accepts_columns(self, rows: Sequence[Row], chosen: tuple[int, ...]) -> bool:
        picked = [tuple(row[column] for column in chosen) for row in rows]
        if self.ranked:
            return all(map(_same_row, self.rows, picked))
        for wanted in self.rows:
            found = next((row for row in picked if _same_row(wanted, row)), None)
            if found is None:
                return False
            picked.remove(found)
        return True


def shown(rows: Sequence[Row]) -> Shown:
    """Rows as JSON: one value by itself, nothing as None.

    >>> shown([(3,)]), shown([]), shown([("Ada", 7), ("Bela", 9)])
    (3, None, [['Ada', 7], ['Bela', 9]])
    """
    if not rows:
        return None
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    return [list(row) for row in rows]


def _has_other_numbers(rows: Sequence[Row], chosen: tuple[int, ...]) -> bool:
    return any(
        isinstance(cell, int | float)
        for row in rows
        for column, cell in enumerate(row)
        if column not in chosen
    )


def _same_row(wanted: Row, given: Row) -> bool:
    return all(map(_same, wanted, given))


def _same(wanted: Cell, given: Cell) -> bool:
    if isinstance(wanted, float) or isinstance(given, float):
        if not isinstance(wanted, int | float) or not isinstance(given, int | float):
            return False
        return isclose(wanted, given, rel_tol=1e-6) or given == round(wanted, 2)
    return wanted == given
