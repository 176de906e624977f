"""Cases: one question with all that trusted people said of its answers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oldhand.learning.confirmation import (
    Solution,
    Vote,
    case_tag,
    question_key,
    spelled_alike,
    votes_on,
)
from oldhand.learning.corrections import Corrections, Unusable, sql_of
from oldhand.record.episode import Episode
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.store import Store


@dataclass(frozen=True)
class Case:
    """All that was said of the answers to one question."""

    tag: str
    """The tag of its memories."""
    episodes: Mapping[str, Episode]
    log: tuple[Feedback, ...]
    """In order of arrival."""
    votes: tuple[Vote, ...]
    unusable: Mapping[str, str]
    """Why nothing is learned from a correction, by the feedback's id."""


@dataclass(frozen=True)
class Cases:
    """Reads cases out of the log of a clone. Methods block."""

    clone_id: str
    store: Store
    corrections: Corrections

    def questions(self) -> tuple[str, ...]:
        """All questions that were judged, each once."""
        judged = self.store.judged_questions(self.clone_id).values()
        return tuple({question_key(one): one for one in judged}.values())

    def log(self, question: str) -> tuple[Feedback, ...]:
        """All that was said of the answers to `question`, in order of arrival."""
        key = question_key(question)
        judged = self.store.judged_questions(self.clone_id).items()
        return self.store.feedback_log(
            self.clone_id, [one for one, asked in judged if question_key(asked) == key]
        )

    def memories(self, question: str) -> tuple[Memory, ...]:
        """What is known about `question`."""
        tag = case_tag(self.clone_id, question)
        return self.store.memories(self.clone_id, tag=tag, limit=None)

    def read(self, question: str, log: tuple[Feedback, ...], known: Iterable[Memory]) -> Case:
        """The votes in a log.

        Args:
            question: what the log is about.
            log: in order of arrival.
            known: what is known; its SQL need not be checked once more.
        """
        of_episode: defaultdict[str, list[Feedback]] = defaultdict(list)
        for one in log:
            of_episode[one.episode_id].append(one)
        episodes = {one: self.store.episode(self.clone_id, one) for one in of_episode}
        checked = _checked(known)
        unusable: dict[str, str] = {}

        def read(episode: Episode, feedback: Feedback) -> Solution | None:
            before, sql = checked.get(feedback.id), sql_of(feedback.correction or "")
            if before is not None and sql is not None and before.key == spelled_alike(sql[1]):
                return before
            found = self.corrections.read(episode, feedback)
            if isinstance(found, Unusable):
                unusable[feedback.id] = found.reason
                return None
            return found

        votes = [vote for one, said in of_episode.items() for vote in votes_on(episodes[one], said, read)]  # fmt: skip
        place = {one.id: number for number, one in enumerate(log)}
        votes.sort(key=lambda vote: place[vote.feedback.id])
        return Case(case_tag(self.clone_id, question), episodes, log, tuple(votes), unusable)


def _checked(known: Iterable[Memory]) -> dict[str, Solution]:
    """SQL that was checked when it was learned, by the feedback that gave it."""
    found: dict[str, Solution] = {}
    for memory in known:
        payload = memory.payload
        if memory.provenance.source not in TRUSTED or not isinstance(payload, ExamplePayload):
            continue
        if payload.sql is not None and payload.database is not None:
            databases = (payload.database,)
            solution = Solution(payload.question, databases, payload.database, payload.sql)
            found |= dict.fromkeys(payload.evidence, solution)
    return found


def are_derived(memories: Iterable[Memory], log: Sequence[Feedback]) -> tuple[Memory, ...]:
    """Those memories that follow from a log; what came from elsewhere rests on other episodes."""
    judged = {one.episode_id for one in log}
    return tuple(
        memory
        for memory in memories
        if memory.provenance.episode_ids and judged.issuperset(memory.provenance.episode_ids)
    )
