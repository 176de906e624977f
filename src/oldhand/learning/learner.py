"""Learning from feedback: the log of what people said becomes memories, and memories are withdrawn again.

What is kept follows from the log alone. Learning once more changes nothing, so that whatever was interrupted between
a feedback and its lesson is made up for by the next feedback on the same question, or by `rebuild`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.errors import StoreLocked
from oldhand.learning.aliases import Changed
from oldhand.learning.cases import Case, Cases, are_derived
from oldhand.learning.confirmation import memories_of, solution_of
from oldhand.learning.corrections import LEANS
from oldhand.learning.orders import ORDER, orders_in
from oldhand.learning.wording import Wording
from oldhand.record.base import Record
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory, MemoryType
from oldhand.store import Store

PINNED = "pinned"
"""The tag of memories that learning leaves as they are."""
_ROUNDS = 5
"""How often a question is looked at again because somebody else spoke meanwhile."""


class Learned(Record):
    """What changed."""

    saved: tuple[Memory, ...] = ()
    """Memories that are new or different."""
    withdrawn: tuple[str, ...] = ()
    """Ids of memories that nothing speaks for any more."""
    note: str = ""
    """Why nothing was learned, or what else is to be known; a sentence."""


@dataclass(frozen=True)
class _Derived:
    """What the log says of one question, and what has to change for it."""

    case: Case
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

        Args:
            feedback: in the log already.

        Raises:
            StoreError: nothing was changed then.
        """
        if feedback.source not in TRUSTED:
            return Learned(note=f"{feedback.rater} is not an owner or expert of this assistant.")
        answer = self.store.episode(self.clone_id, feedback.episode_id).answer
        if answer.standalone is None:
            return Learned(note=LEANS)
        case, learned = self.bring_in_line(answer.standalone)
        return learned.model_copy(update={"note": _note(feedback, case, learned)})

    def bring_in_line(self, question: str) -> tuple[Case, Learned]:
        """Save what the log says of one question, and withdraw what it no longer says.

        Nobody may speak meanwhile whose lesson would be overwritten: then it is done again.
        """
        learned, log = Learned(), self.cases.log(question)
        for _ in range(_ROUNDS):
            derived = self._derived(question, log)
            case = derived.case
            words = self.wording.changes(case.votes, case.episodes, derived.wanted)
            learned = _joined(learned, self._save([derived], words))
            log = self.cases.log(question)
            if log == case.log:
                return case, learned
        raise StoreLocked(f"So many people judge {question!r} that it cannot be learned from now.")

    def rebuild(self) -> Learned:
        """Derive everything from the log anew; what people pinned, defined or imported stays.

        Raises:
            StoreError: nothing was changed then.
        """
        questions = self.cases.questions()
        derived = [self._derived(question, self.cases.log(question)) for question in questions]
        cases = [one.case for one in derived]
        votes = sorted(
            (vote for case in cases for vote in case.votes), key=lambda v: v.feedback.created_at
        )
        episodes = {one: episode for case in cases for one, episode in case.episodes.items()}
        pairs = [memory for one in derived for memory in one.wanted]
        learned = self._save(derived, self.wording.changes(votes, episodes, pairs))
        unusable = sum(len(case.unusable) for case in cases)
        note = f"Corrections that could not be used: {unusable}." if unusable else ""
        return learned.model_copy(update={"note": note})

    def _derived(self, question: str, log: tuple[Feedback, ...]) -> _Derived:
        known = self.cases.memories(question)
        case = self.cases.read(question, log, known)
        orders = self.store.memories(
            self.clone_id, type=MemoryType.PREFERENCE, tag=ORDER, limit=None
        )
        wanted = memories_of(self.clone_id, case.votes, orders_in(orders).counts)
        there = {memory.id: memory for memory in known}
        pinned = {memory.id for memory in known if PINNED in memory.tags}
        right = {memory.id for memory in wanted} | pinned
        return _Derived(
            case,
            wanted,
            tuple(m for m in wanted if m.id not in pinned and m != there.get(m.id)),
            tuple(m.id for m in are_derived(known, log) if m.id not in right),
        )

    def _save(self, derived: Sequence[_Derived], words: Changed) -> Learned:
        """Write all changes in one transaction."""
        saved = [memory for one in derived for memory in one.saved]
        withdrawn = [gone for one in derived for gone in one.withdrawn]
        learned = Learned(saved=(*saved, *words.saved), withdrawn=(*withdrawn, *words.forgotten))
        if learned.saved or learned.withdrawn:
            self.store.save_memories(self.clone_id, learned.saved, forgotten=learned.withdrawn)
        return learned


def _joined(first: Learned, then: Learned) -> Learned:
    """Two changes, one after the other, as one."""
    saved = {memory.id: memory for memory in (*first.saved, *then.saved)}
    again = {memory.id for memory in then.saved}
    gone = [one for one in (*first.withdrawn, *then.withdrawn) if one not in again]
    for one in then.withdrawn:
        saved.pop(one, None)
    return Learned(saved=tuple(saved.values()), withdrawn=tuple(dict.fromkeys(gone)))


def _note(feedback: Feedback, case: Case, learned: Learned) -> str:
    """Why a feedback has taught nothing; empty when it has."""
    if reason := case.unusable.get(feedback.id) or _says_nothing(feedback, case):
        return reason
    if learned.saved or learned.withdrawn:
        return ""
    if feedback.rating == 0 and not feedback.correction:
        return "Nothing had been learned that could be taken back."
    if not any(vote.feedback.id == feedback.id for vote in case.votes):
        return "The correction that was given before still holds."
    return _overruled(feedback, case)


def _says_nothing(feedback: Feedback, case: Case) -> str:
    if feedback.correction:
        return ""
    if feedback.rating is None:
        return "A comment alone teaches nothing: give a rating or a correction."
    answer = case.episodes[feedback.episode_id].answer
    if feedback.rating and solution_of(answer) is None:
        return "There was no SQL to judge: a correction would teach."
    return ""


def _overruled(feedback: Feedback, case: Case) -> str:
    others = {vote.feedback.rater for vote in case.votes} - {feedback.rater}
    if others:
        return f"It changes nothing: the word of {' and '.join(sorted(others))} counts first."
    return "It was known already, or cannot be learned: no single statement stands for the answer."


def said(memory: Memory) -> str:
    """What a memory says, in one line for people.

    >>> from oldhand.testing.records import example_memory
    >>> said(example_memory(kind=MemoryType.EXAMPLE))
    "'How many clients do we have?' → SELECT COUNT(*) FROM customers"
    """
    payload = memory.payload
    match payload:
        case ExamplePayload():
            steps = "; ".join(f"{one.database}: {one.sql}" for one in payload.steps)
            meaning = payload.sql or steps or payload.answer or ""
            return f"{payload.question!r} → {' '.join(meaning.split())}"
        case IssuePayload() if payload.question and payload.sql_query:
            return f"{payload.question!r} is not {' '.join(payload.sql_query.split())}"
        case _:
            return memory.summary
