"""Whether a rule was switched off because it did harm: one note in the store, which a night writes and people undo."""

from collections.abc import Callable, Sequence
from datetime import datetime

from oldhand.learning.credit.events import CreditEvent, CreditRule
from oldhand.record.base import Record
from oldhand.record.feedback import Source
from oldhand.record.memory import NIGHT, Memory, MemoryType, PreferencePayload, Provenance
from oldhand.record.retrieval import PassageCandidate
from oldhand.store import Store

NOTE_ID = "credit-safeguard"
_LEAST = 30
"""Questions that have to be measured before anything is decided."""
_HARM = 0.01
"""Mean reciprocal rank that a rule may cost questions that nobody rated."""
_FOLDS = 5
_SURE = 1.64
"""Standard errors that the loss has to be away from none."""


class Harm(Record):
    """What a rule does to questions that nobody rated, as the log tells."""

    rule: str
    questions: int = 0
    """Those with an approved passage that were measured."""
    without: float = 0.0
    """Mean reciprocal rank of the approved passages without the rule."""
    with_rule: float = 0.0
    """The same with what it learned of all other questions."""
    error: float = 0.0
    """Standard error of the difference."""

    @property
    def is_harmful(self) -> bool:
        """Whether the rule puts what people approved of lower, and that is no chance."""
        loss = self.without - self.with_rule
        return self.questions >= _LEAST and loss > max(_HARM, _SURE * self.error)

    @property
    def says(self) -> str:
        """In words.

        >>> Harm(rule="kernel", questions=3).says
        'The rule kernel may be used: 3 questions are too few to tell whether it does harm.'
        """
        may = "was switched off" if self.is_harmful else "may be used"
        told = f"{self.questions} questions are too few to tell whether it does harm."
        if self.questions >= _LEAST:
            told = (
                f"for {self.questions} questions whose votes it did not know, it put approved passages at a mean"
                f" reciprocal rank of {self.with_rule:.2f} instead of {self.without:.2f}."
            )
        return f"The rule {self.rule} {may}: {told}"


def harm_of(
    name: str, make: Callable[[], CreditRule], events: Sequence[CreditEvent], bases: "Bases"
) -> Harm:
    """Replay the log without some questions, and ask these: where does what was approved of them stand?

    The votes on a question, by whomever and however often, are left out together.
    """
    questions = sorted({one.asked.text for one in events})
    fold = {text: at % _FOLDS for at, text in enumerate(questions)}
    gains: list[float] = []
    before, after = 0.0, 0.0
    for part in range(_FOLDS):
        rule = make()
        for one in events:
            if fold[one.asked.text] != part:
                rule.learn(one)
        for one in events:
            found = bases(one) if fold[one.asked.text] == part and one.rating > 0 else ()
            approved = {shown.chunk for shown in one.shown}
            if len(found) <= len(approved):
                continue
            ranked = [passage.chunk for passage in rule.rank(one.asked, found)]
            best = _reciprocal(ranked, one)
            usual = _reciprocal([passage.chunk for passage in found], one)
            gains.append(best - usual)
            before, after = before + usual, after + best
    if not gains:
        return Harm(rule=name)
    count = len(gains)
    mean = sum(gains) / count
    spread = (sum((one - mean) ** 2 for one in gains) / count) ** 0.5
    return Harm(
        rule=name,
        questions=count,
        without=before / count,
        with_rule=after / count,
        error=spread / count**0.5,
    )


Bases = Callable[[CreditEvent], Sequence[PassageCandidate]]
"""The candidates of an answer as the search had put them, best first."""


def _reciprocal(ranked: Sequence[str], event: CreditEvent) -> float:
    """The mean over the passages that were approved of; which of them helped is not known."""
    found = [1 / (ranked.index(one.chunk) + 1) for one in event.shown if one.chunk in ranked]
    return sum(found) / len(found) if found else 0.0


def switched_off(store: Store, clone_id: str) -> str | None:
    """The rule that the safeguard has switched off."""
    note = _note(store, clone_id)
    return None if note is None else note.payload.value or None


def safeguard_says(store: Store, clone_id: str) -> str:
    """What it has found, in words; nothing while it has not looked."""
    note = _note(store, clone_id)
    return "" if note is None else note.summary


def note_harm(store: Store, clone_id: str, harm: Harm, at: datetime) -> None:
    """Switch the rule off where it does harm, and let it be used where it does none; kept where it is another finding."""
    if harm.says == safeguard_says(store, clone_id):
        return
    value = harm.rule if harm.is_harmful else ""
    store.save_memory(
        Memory(
            type=MemoryType.PREFERENCE,
            id=NOTE_ID,
            clone_id=clone_id,
            created_at=at,
            confidence=0.0,  # it is no lesson: neither recalled nor listed
            tags=(NIGHT,),
            summary=harm.says,
            provenance=Provenance(source=Source.EXECUTION),
            payload=PreferencePayload(key=NOTE_ID, value=value),
        )
    )


class _Note(Record):
    summary: str
    payload: PreferencePayload


def _note(store: Store, clone_id: str) -> _Note | None:
    kept = store.lessons.kept(clone_id, [NOTE_ID]).get(NOTE_ID)
    if kept is None or kept.forgotten or kept.memory.provenance.source is not Source.EXECUTION:
        return None
    payload = kept.memory.payload
    if not isinstance(payload, PreferencePayload):
        return None
    return _Note(summary=kept.memory.summary, payload=payload)
