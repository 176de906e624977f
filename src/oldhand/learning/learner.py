"""Learning from feedback: the log of what people said becomes memories, and memories are withdrawn again.

What is kept follows from the log alone. Learning once more changes nothing, so that whatever was interrupted between
a feedback and its lesson is made up for by the next feedback on the same question, or by `rebuild`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.learning.aliases import Changed
from oldhand.learning.cases import Cases, QuestionCase, are_derived
from oldhand.learning.confirmation import memories_of
from oldhand.learning.lifecycle.quarantine import REJECTED
from oldhand.learning.notes import Learned, note_on
from oldhand.learning.retractions import Retractions, known_retractions
from oldhand.learning.wording import Wording
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory
from oldhand.record.stage import PINNED
from oldhand.store import Store

_BY_PEOPLE = frozenset({PINNED, REJECTED})
"""Tags of memories that learning leaves as they are: pinned, or retired by a person."""


@dataclass(frozen=True)
class _Derived:
    """What the log says of one question, and what has to change for it."""

    case: QuestionCase
    wanted: tuple[Memory, ...]
    saved: tuple[Memory, ...]
    withdrawn: tuple[str, ...]


@dataclass(frozen=True)
class Learner:
    """Turns the feedback of one clone into memories. Methods block: call them in a thread from async code."""

    clone_id: str
    store: Store
    cases: Cases
    wording: Wording

    def learn(self, feedback: Feedback) -> Learned:
        """Bring what is known about the question of one feedback in line with the log.

        Raises:
            StoreError: nothing was changed then.
        """
        question = self._question(feedback)
        if isinstance(question, Learned):
            return question
        with self.store.learning(self.clone_id):
            case, learned = self.bring_in_line(question)
        return learned.model_copy(update={"note": note_on(feedback, case, learned)})

    def planned(self, feedback: Feedback) -> Learned:
        """What `learn` would do if a feedback were in the log, which it is not; changes nothing."""
        question = self._question(feedback)
        if isinstance(question, Learned):
            return question
        log = (*self.cases.log(question), feedback)
        derived = self._derived(question, log, known_retractions(self.store, self.clone_id, log))
        learned = _learned([derived], self._words([derived]))
        return learned.model_copy(update={"note": note_on(feedback, derived.case, learned)})

    def rebuild(self) -> Learned:
        """Derive everything from the log anew; what people pinned, defined or imported stays.

        Raises:
            StoreError: nothing was changed then.
        """
        with self.store.learning(self.clone_id):
            return self.bring_all_in_line()

    def bring_in_line(self, question: str) -> tuple[QuestionCase, Learned]:
        """Save what the log says of one question, and withdraw what it no longer says.

        To be called inside `Store.learning`. Whoever speaks meanwhile waits for it, and then learns from a log that
        has both.
        """
        log = self.cases.log(question)
        derived = self._derived(question, log, known_retractions(self.store, self.clone_id, log))
        return derived.case, self._save([derived], self._words([derived]))

    def bring_all_in_line(self) -> Learned:
        """Do so for all questions at once, inside `Store.learning`."""
        logs = self.cases.logs()
        said = [one for _, log in logs for one in log]
        retractions = known_retractions(self.store, self.clone_id, said)
        derived = [self._derived(*one, retractions) for one in logs]
        learned = self._save(derived, self._words(derived))
        unusable = sum(len(one.case.unusable) for one in derived)
        unchecked = sum(len(one.case.unchecked) for one in derived)
        notes = [f"Corrections that could not be used: {unusable}."] if unusable else []
        if unchecked:
            notes.append(f"Corrections whose database does not answer: {unchecked}.")
        return learned.model_copy(update={"note": " ".join(notes)})

    def _question(self, feedback: Feedback) -> str | Learned:
        """The question that a feedback teaches something of, or why it teaches nothing."""
        if feedback.source not in TRUSTED and not self._had_a_say(feedback):
            return Learned(note=f"{feedback.rater} is not an owner or expert of this assistant.")
        answer = self.store.episode(self.clone_id, feedback.episode_id).answer
        if answer.standalone is None:
            return Learned(note=self.cases.corrections.leaning(answer))
        return answer.standalone

    def _had_a_say(self, feedback: Feedback) -> bool:
        """Whether somebody who is no longer trusted was so when they spoke of the same answer before."""
        said = self.store.feedback_on(self.clone_id, feedback.episode_id)
        return any(one.rater == feedback.rater and one.source in TRUSTED for one in said)

    def _words(self, derived: Sequence[_Derived]) -> Changed:
        """What becomes of the aliases."""
        cases = [one.case for one in derived]
        votes = [vote for case in cases for vote in case.votes]
        if len(cases) > 1:
            ids = [one.id for one in self._arrived(cases)]
            place = {one: number for number, one in enumerate(ids)}
            votes.sort(key=lambda vote: place[vote.feedback.id])
        return self.wording.changes(
            votes,
            {one: episode for case in cases for one, episode in case.episodes.items()},
            [memory for one in derived for memory in one.wanted],
            unsettled=frozenset[str]().union(*(case.unsettled for case in cases)),
        )

    def _arrived(self, cases: Sequence[QuestionCase]) -> tuple[Feedback, ...]:
        """All that was said, in order of arrival."""
        return self.store.feedback_log(
            self.clone_id, [one for case in cases for one in case.episodes]
        )

    def _derived(
        self, question: str, log: tuple[Feedback, ...], retractions: Retractions
    ) -> _Derived:
        known = self.cases.memories(question)
        case = self.cases.read(question, log, known)
        wanted = memories_of(self.clone_id, case.votes, retractions.counts)
        there = {memory.id: memory for memory in known}
        pinned = {one.id for one in known if not _BY_PEOPLE.isdisjoint(one.tags)}
        right = {memory.id for memory in wanted} | pinned
        right |= {m.id for m in known if case.unsettled.intersection(m.provenance.episode_ids)}
        return _Derived(
            case,
            wanted,
            tuple(m for m in wanted if m.id not in pinned and m != there.get(m.id)),
            tuple(m.id for m in are_derived(known, log) if m.id not in right),
        )

    def _save(self, derived: Sequence[_Derived], words: Changed) -> Learned:
        """Write all changes in one transaction."""
        learned = _learned(derived, words)
        if learned.saved or learned.withdrawn:
            self.store.save_memories(self.clone_id, learned.saved, forgotten=learned.withdrawn)
        return learned


def _learned(derived: Sequence[_Derived], words: Changed) -> Learned:
    """All changes."""
    saved = [memory for one in derived for memory in one.saved]
    withdrawn = [gone for one in derived for gone in one.withdrawn]
    return Learned(saved=(*saved, *words.saved), withdrawn=(*withdrawn, *words.forgotten))


def said(memory: Memory) -> str:
    """What a memory says, in one line for people.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> said(example_memory(kind=MemoryType.EXAMPLE))
    "'How many clients do we have?' → SELECT COUNT(*) FROM customers"
    """
    payload = memory.payload
    match payload:
        case ExamplePayload():
            steps = "; ".join(f"{one.database}: {one.sql}" for one in payload.steps)
            written = "the passages that were cited" if payload.chunks else ""
            meaning = payload.sql or steps or payload.answer or written
            return f"{payload.question!r} → {' '.join(meaning.split())}"
        case IssuePayload() if payload.question and payload.sql_query:
            return f"{payload.question!r} is not {' '.join(payload.sql_query.split())}"
        case _:
            return memory.summary
