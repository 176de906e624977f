"""The exam: questions whose right answer people have confirmed, answered with what is learned and without it.

There is one for all kinds: lessons, words, pairs, versions of prompts and the rules that people state.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from oldhand.errors import OldhandError
from oldhand.learning.confirmation import case_tag
from oldhand.learning.evidence.exam_results import ExamResult, exam_of, with_exam
from oldhand.learning.regression.checking import RowsOf
from oldhand.learning.regression.rows import same_rows, sorts
from oldhand.record.base import Row
from oldhand.record.effect import DefaultFilter, TimeColumn, spoken_as
from oldhand.record.join_path import JoinPath
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.ports import Clock
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.semantics import Semantics
from oldhand.record.stage import LESSONS, is_on_trial
from oldhand.store import Store


class Examinee(Protocol):
    """Answers a question as if other things were known; blocks, records nothing, draws nothing at random."""

    @property
    def foresees(self) -> bool:
        """Whether it tells what would be asked without answering, and goes by the effects of lessons alone."""
        ...

    def foreseen(self, question: str, setup: RehearsalSetup) -> object:
        """What would be asked of the databases; only of one that foresees."""
        ...

    def rows(self, question: str, setup: RehearsalSetup) -> tuple[Row, ...] | None:
        """The rows of the answer; None where there is none."""
        ...


_OF_WORDS = (*LESSONS, MemoryType.EXAMPLE, MemoryType.ISSUE)
"""What one correction may make."""
Concerns = Callable[[ExamplePayload], bool]
"""Whether something can change the answer to a confirmed question, as far as that can be seen at once."""


@dataclass(frozen=True)
class Exam:
    """Examines whatever is learned by the confirmed questions of one clone. Methods block."""

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
        """How a lesson, a word, a pair or a prompt does; None where no confirmed question concerns it.

        The questions that it came from are left out.
        """
        is_pair = isinstance(lesson.payload, ExamplePayload)
        if self.examinee.foresees and lesson.effect is None and not is_pair:
            return None
        origins = frozenset(lesson.provenance.episode_ids)
        pairs = self._pairs(origins, lambda pair: _concerns(lesson, pair))
        return self._compared(pairs, *self._setups(lesson), self._siblings(lesson))

    def breaks(self, lesson: Memory, pair: Memory) -> bool:
        """Whether a lesson alone makes the answer to a confirmed question wrong."""
        payload = pair.payload
        if not isinstance(payload, ExamplePayload) or not _concerns(lesson, payload):
            return False
        siblings = self._siblings(lesson)
        result = self._compared([(pair, payload)], *self._setups(lesson), siblings)
        return result is not None and bool(result.broken)

    def _setups(self, lesson: Memory) -> tuple[RehearsalSetup, RehearsalSetup]:
        """With a lesson, and without it; all others that are on trial aside."""
        others = self._on_trial()
        return RehearsalSetup((lesson,), others - {lesson.id}), RehearsalSetup(hidden=others | {lesson.id})  # fmt: skip

    def _siblings(self, lesson: Memory) -> frozenset[str]:
        """What else was learned of the answers that a lesson came from: each may hide what the other does."""
        origins = frozenset(lesson.provenance.episode_ids)
        if not origins:
            return frozenset()
        known = self.store.memories(self.clone_id, types=_OF_WORDS, limit=None)
        of_the_same = (one.id for one in known if not origins.isdisjoint(one.provenance.episode_ids))  # fmt: skip
        return frozenset(of_the_same) - {lesson.id}

    def result_of_rules(self, rules: Mapping[str, Semantics]) -> ExamResult | None:
        """How rules would do that take the place of those of some databases."""
        pairs = self._pairs(
            frozenset(), lambda pair: pair.sql is not None and pair.database in rules
        )
        without = RehearsalSetup(hidden=self._on_trial())
        return self._compared(pairs, replace(without, semantics=rules), without)

    def broken_by(
        self, database: str, free: Semantics, rules: Mapping[str, Semantics]
    ) -> dict[str, tuple[str, ...]]:
        """The confirmed questions that each of some rules alone answers wrongly, of those that are right without any of them.

        Args:
            database: whose rules they are.
            free: its rules without those.
            rules: the same with one of them each, by its name.
        """
        found: dict[str, list[str]] = {name: [] for name in rules}
        now = RehearsalSetup(hidden=self._on_trial())
        for pair, payload in self._pairs(
            frozenset(), lambda pair: pair.sql is not None and pair.database == database
        ):
            ruled = now.without(self._of_the_same(pair, payload))
            unruled = replace(ruled, semantics={database: free})
            try:
                if self._change(payload, unruled, ruled) <= 0:
                    continue
                for name, alone in rules.items():
                    if self._change(payload, unruled, replace(ruled, semantics={database: alone})) > 0:  # fmt: skip
                        found[name].append(payload.question)
            except OldhandError:
                continue  # what can't be asked now tells nothing
        return {name: tuple(questions) for name, questions in found.items()}

    def otherwise(self, rules: Mapping[str, Semantics]) -> Iterator[tuple[Memory, ExamplePayload]]:
        """The confirmed pairs over some databases whose questions get other rows where the pair itself is left out.

        Args:
            rules: by database, in the place of those that it has.
        """
        for pair, payload in self._pairs(frozenset(), lambda it: it.sql is not None and it.database in rules):  # fmt: skip
            setup = RehearsalSetup(hidden=self._on_trial(), semantics=rules)
            try:
                rows = self.examinee.rows(payload.question, setup.without(self._of_the_same(pair, payload)))  # fmt: skip
                right = rows is None or self._is_right(payload, rows)
            except OldhandError:
                continue  # what can't be asked now tells nothing
            if not right:
                yield pair, payload

    def _compared(
        self,
        pairs: Iterable[tuple[Memory, ExamplePayload]],
        with_it: RehearsalSetup,
        without: RehearsalSetup,
        siblings: frozenset[str] = frozenset(),
    ) -> ExamResult | None:
        """How the answers differ, beside what else was learned with it, or else where none of that is known.

        A rule and the pair that one correction makes both answer other questions as it says: where each is left out
        alone, the other one would still do it.
        """
        asked, mended, broken = 0, list[str](), list[str]()
        for pair, payload in pairs:
            same = self._of_the_same(pair, payload) - {one.id for one in with_it.shown}
            try:
                change = self._change(payload, with_it.without(same), without.without(same))
                if not change and siblings:
                    same |= siblings
                    change = self._change(payload, with_it.without(same), without.without(same))
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

    def _pairs(
        self, origins: frozenset[str], concerns: Concerns
    ) -> Iterator[tuple[Memory, ExamplePayload]]:
        """The confirmed questions that are concerned, newest first; those of the origins aside."""
        found = 0
        for pair in self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=None):
            payload = pair.payload
            if found == self.most:
                return
            if (
                isinstance(payload, ExamplePayload)
                and origins.isdisjoint(pair.provenance.episode_ids)
                and concerns(payload)
            ):
                found += 1
                yield pair, payload

    def _of_the_same(self, pair: Memory, payload: ExamplePayload) -> frozenset[str]:
        """All that was learned of one question: it would give the answer away, or forbid it."""
        tag = case_tag(self.clone_id, payload.question)
        known = self.store.memories(self.clone_id, tag=tag, limit=None)
        return frozenset({pair.id, *(one.id for one in known)})

    def _on_trial(self) -> frozenset[str]:
        """The lessons that may be right or wrong themselves: an exam takes place without them."""
        return frozenset(
            one.id
            for kind in LESSONS
            for one in self.store.memories(self.clone_id, type=kind, limit=None)
            if is_on_trial(one)
        )

    def _change(
        self, payload: ExamplePayload, with_it: RehearsalSetup, without: RehearsalSetup
    ) -> int:
        """1 where the answer is right only with it, -1 where it is right only without, 0 where both are as right or wrong."""
        question, examinee = payload.question, self.examinee
        if examinee.foresees and examinee.foreseen(question, with_it) == examinee.foreseen(
            question, without
        ):
            return 0
        right, other = (examinee.rows(question, one) for one in (with_it, without))
        return self._is_right(payload, right) - self._is_right(payload, other)

    def _is_right(self, payload: ExamplePayload, rows: tuple[Row, ...] | None) -> bool:
        """Whether rows are those that were confirmed."""
        database, sql = payload.database or "", payload.sql or ""  # `Concerns` sees to it
        return rows is not None and same_rows(self.rows_of(database, sql), rows, ordered=sorts(sql))


def _concerns(lesson: Memory, pair: ExamplePayload) -> bool:
    """Whether a lesson can change the answer to a confirmed question, as far as that can be seen at once."""
    if pair.sql is None or pair.database is None:
        return False
    effect, sql = lesson.effect, pair.sql.casefold()
    if isinstance(effect, DefaultFilter | TimeColumn):
        return effect.database == pair.database and effect.table.casefold() in sql
    if isinstance(effect, JoinPath):
        ends = (effect.tables[0], *(effect.tables[-1:] if effect.column is None else ()))
        return effect.database == pair.database and all(one.casefold() in sql for one in ends)
    word = spoken_as(effect)
    return word is None or occurs(word.phrase, singular_words(pair.question))


Examine = Callable[[Memory], ExamResult | None]
"""Says how something that is to be learned does in its exam."""


def not_examined(lesson: Memory) -> None:
    """For a clone without an exam."""
