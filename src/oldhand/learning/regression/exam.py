"""The exam: questions whose right answer people have confirmed, answered with a lesson and without it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from oldhand.errors import OldhandError
from oldhand.learning.evidence.exam_results import ExamResult, exam_of, with_exam
from oldhand.learning.regression.checking import RowsOf
from oldhand.learning.regression.rows import same_rows, sorts
from oldhand.record.base import Row
from oldhand.record.effect import DefaultFilter, JoinPath, spoken_as
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.ports import Clock
from oldhand.store import Store


class Examinee(Protocol):
    """Answers a question as if other lessons were known; blocks, records nothing, draws nothing at random."""

    def foreseen(
        self, question: str, shown: Sequence[Memory], hidden: Collection[str]
    ) -> object | None:
        """What would be asked of the databases; None where that can't be told without answering."""
        ...

    def rows(
        self, question: str, shown: Sequence[Memory], hidden: Collection[str]
    ) -> tuple[Row, ...] | None:
        """The rows of the answer; None where there is none."""
        ...


@dataclass(frozen=True)
class Exam:
    """Examines lessons by the confirmed questions of one clone. Methods block."""

    clone_id: str
    store: Store
    examinee: Examinee
    rows_of: RowsOf
    """Runs what was confirmed."""
    most: int
    """Questions of one exam."""
    clock: Clock

    def examined(self, lesson: Memory) -> Memory:
        """The lesson with how it did; as it was where there is nothing that it could be examined by."""
        result = self.result(lesson)
        if result is None or result.same_as(exam_of(lesson)):
            return lesson
        return with_exam(lesson, result)

    def result(self, lesson: Memory) -> ExamResult | None:
        """How it does; None where no confirmed question concerns it."""
        asked, mended, broken = 0, list[str](), list[str]()
        for pair, payload in self._pairs(lesson):
            try:
                change = self._change(lesson, pair, payload)
            except OldhandError:
                continue  # what can't be asked now tells nothing
            asked += 1
            if change > 0:
                mended.append(payload.question)
            elif change < 0:
                broken.append(payload.question)
        if not asked:
            return None
        now = self.clock.now()
        return ExamResult(asked=asked, mended=tuple(mended), broken=tuple(broken), at=now)

    def _pairs(self, lesson: Memory) -> Iterator[tuple[Memory, ExamplePayload]]:
        """The confirmed questions that a lesson may matter to, newest first; those that it came from aside."""
        origins = set(lesson.provenance.episode_ids)
        found = 0
        for pair in self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=None):
            payload = pair.payload
            if found == self.most:
                return
            if (
                isinstance(payload, ExamplePayload)
                and origins.isdisjoint(pair.provenance.episode_ids)
                and _concerns(lesson, payload)
            ):
                found += 1
                yield pair, payload

    def _change(self, lesson: Memory, pair: Memory, payload: ExamplePayload) -> int:
        """1 where the lesson mends the answer, -1 where it breaks it, 0 where both are as right or wrong."""
        question, hidden = payload.question, frozenset({pair.id})
        without = hidden | {lesson.id}
        foreseen = self.examinee.foreseen(question, (lesson,), hidden)
        if foreseen is not None and foreseen == self.examinee.foreseen(question, (), without):
            return 0
        database, sql = payload.database or "", payload.sql or ""  # `_concerns` sees to it
        right, ordered = self.rows_of(database, sql), sorts(sql)

        def is_right(rows: tuple[Row, ...] | None) -> bool:
            return rows is not None and same_rows(right, rows, ordered=ordered)

        with_it = is_right(self.examinee.rows(question, (lesson,), hidden))
        return with_it - is_right(self.examinee.rows(question, (), without))


def _concerns(lesson: Memory, pair: ExamplePayload) -> bool:
    """Whether a lesson can change the answer to a confirmed question, as far as that can be seen at once."""
    if pair.sql is None or pair.database is None:
        return False
    effect, sql = lesson.effect, pair.sql.casefold()
    if isinstance(effect, DefaultFilter):
        return effect.database == pair.database and effect.table.casefold() in sql
    if isinstance(effect, JoinPath):
        ends = (effect.tables[0], effect.tables[-1])
        return effect.database == pair.database and all(one.casefold() in sql for one in ends)
    word = spoken_as(effect)
    return word is None or occurs(word.phrase, singular_words(pair.question))


Examined = Callable[[Memory], Memory]
"""Gives a lesson with how it did in its exam."""


def not_examined(lesson: Memory) -> Memory:
    """For a clone without an exam."""
    return lesson
