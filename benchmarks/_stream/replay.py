"""Predict, score, update: one stream of questions over one database under one condition."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks._stream.clone import Clone
from benchmarks._stream.conditions import Condition
from benchmarks._stream.reader import Reader, Shown
from benchmarks._stream.teacher import Said, said_to
from benchmarks._stream.turns import Turn


class Mark(NamedTuple):
    """What came of one turn."""

    turn: Turn
    right: bool
    informed: bool
    """The answer rests on something that was learned."""


def replay(reader: Reader, turns: Sequence[Turn], condition: Condition, length: int) -> list[Mark]:
    """Answer the questions in their order; feedback is learned from before the next one, or later.

    Args:
        reader: of the database that the questions are about.
        turns: this database's part of a stream.
        condition: the arm, the feedback and the wording.
        length: questions in the whole stream.
    """
    clone = Clone(condition.arm, reader, f"{turns[0].order}/{reader.database.name}")
    waiting: deque[tuple[Turn, Shown, Said]] = deque()
    marks: list[Mark] = []
    is_late = condition.arm.rolled_back
    for turn in turns:
        while waiting and waiting[0][0].position + condition.manner.late < turn.position:
            clone.learn(*waiting.popleft())
        if is_late and 2 * turn.position >= length:
            clone.roll_back()
            is_late = False
        text = turn.question.synonyms if condition.synonyms else turn.question.text
        shown = reader.shown(text, clone.recall(text))
        right = reader.is_right(turn.question.gold, shown.sql)
        marks.append(Mark(turn, right, bool(shown.lessons)))
        said = said_to(turn, right, condition.manner)
        if said is not None:
            waiting.append((turn, shown, said))
    return marks
