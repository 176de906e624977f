"""Training pairs: questions with the answers that people liked, one JSON object on each line."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from oldhand.errors import OutputExists
from oldhand.errors.files import is_taken
from oldhand.record.answer import Outcome
from oldhand.record.base import Record
from oldhand.record.clone import Clone
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.sources.databases.files import replacing
from oldhand.store import Store
from oldhand.store.column_types import dump_json
from oldhand.store.lesson_reads import StoredTurn
from oldhand.store.verdict import verdict

Liking = Literal["positive", "negative", "any"]


class Filters(Record):
    """Which answers are wanted."""

    user_id: str | None = None
    """Only what this person asked; None: what the owner and the experts asked."""
    min_confidence: float = 0.0
    """How sure the assistant was of its answer, from 0 to 1; above 0, answers that don't say are left out."""
    feedback: Liking = "positive"
    """`any` also takes answers that nobody has judged."""
    untrusted: bool = False
    """Also what other people asked, and what they said of answers."""


@dataclass(frozen=True)
class TrainingPairs:
    """Reads the answers of one clone. Methods block."""

    clone: Clone
    store: Store

    def lines(self, filters: Filters, left_out: Counter[str] | None = None) -> Iterator[str]:
        """The lines of the file, in order of arrival; takes a few megabytes, however many there are.

        What is left out is counted by the reason.
        """
        tally = Counter[str]() if left_out is None else left_out
        wanted = None if filters.user_id is None else [filters.user_id]
        for turn in self.store.turns(self.clone.id, user_ids=wanted):
            reason = self._reason_against(turn, filters)
            if reason is None:
                yield dump_json(_record(turn)) + "\n"
            else:
                tally[reason] += 1

    def _reason_against(self, turn: StoredTurn, filters: Filters) -> str | None:
        """Why a turn is no training pair; None when it is one."""
        named = filters.user_id is not None
        if not (named or filters.untrusted) and turn.user_id not in people_of(self.clone):
            return "asked by people who are neither owner nor expert"
        if turn.outcome is not Outcome.ANSWERED or not turn.text.strip():
            return "not answered"
        if turn.standalone is None:
            return "questions that lean on a conversation"
        return _unfit(turn, filters)


def _unfit(turn: StoredTurn, filters: Filters) -> str | None:
    """Why an answer is not as it is wanted, by how sure it is and what was said of it."""
    said = verdict(heard(turn.feedback, untrusted=filters.untrusted)).feedback
    confidence = 1.0 if said == "positive" else turn.confidence or 0.0
    if confidence < filters.min_confidence:
        return f"confidence below {filters.min_confidence}, or not known"
    if filters.feedback not in ("any", said):
        return f"feedback not {filters.feedback}"
    return None


def people_of(clone: Clone) -> Collection[str]:
    """The owner and the experts."""
    return (clone.owner, *clone.experts)


def heard(log: tuple[Feedback, ...], *, untrusted: bool) -> tuple[Feedback, ...]:
    """Those who are listened to."""
    return log if untrusted else tuple(one for one in log if one.source in TRUSTED)


def _record(turn: StoredTurn) -> dict[str, object]:
    cited = [
        one.model_dump(include={"number", "document", "place", "quote"}) for one in turn.citations
    ]
    told = {"passages": cited} if cited else {}
    return {
        "messages": [
            {"role": "user", "content": turn.standalone or turn.question},
            {"role": "assistant", "content": turn.text},
        ],
        "metadata": {"episode_id": turn.episode_id, "model": turn.model, "cost": turn.cost} | told,
    }


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> int:
    """Write lines as they come; readable by their owner only, since they hold what people asked.

    Returns:
        how many there were.

    Raises:
        OutputExists: there is such a file already.
        StoreError: it cannot be written; a file that was there is as it was.
    """
    if not force and is_taken(path) and not path.is_dir():
        raise OutputExists(f"{path} is there already: --force overwrites it.")
    number = 0
    with replacing(path) as file:
        for line in lines:
            file.write(line)
            number += 1
    return number
