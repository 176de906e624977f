"""Cases: one question with all that trusted people said of its answers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oldhand.learning.confirmation import Solution, Vote, case_tag, spelled_alike, votes_on
from oldhand.learning.corrections import Corrections, Unchecked, Unusable, sql_of
from oldhand.record.episode import Episode
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.record.phrases import question_key
from oldhand.store import Store


@dataclass(frozen=True)
class QuestionCase:
    """All that was said of the answers to one question."""

    tag: str
    """The tag of its memories."""
    episodes: Mapping[str, Episode]
    log: tuple[Feedback, ...]
    """In order of arrival."""
    votes: tuple[Vote, ...]
    unusable: Mapping[str, str]
    """Why nothing is learned from a correction, by the feedback's id."""
    unchecked: Mapping[str, str]
    """Why it is not known yet whether a correction can be used; until then it is as if it had not been said."""

    @property
    def unsettled(self) -> frozenset[str]:
        """The episodes with corrections that are not checked yet: nothing that rests on them is withdrawn."""
        return frozenset(one.episode_id for one in self.log if one.id in self.unchecked)


@dataclass(frozen=True)
class Cases:
    """Reads cases out of the log of a clone. Methods block."""

    clone_id: str
    store: Store
    corrections: Corrections

    def logs(self) -> tuple[tuple[str, tuple[Feedback, ...]], ...]:
        """Each question that was judged, with all that was said of its answers, in order of arrival."""
        judged = self.store.judged_questions(self.clone_id)
        questions = {question_key(one): one for one in judged.values()}
        said: defaultdict[str, list[Feedback]] = defaultdict(list)
        for one in self.store.feedback_log(self.clone_id, list(judged)):
            said[question_key(judged[one.episode_id])].append(one)
        return tuple((question, tuple(said[key])) for key, question in questions.items())

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

    def read(
        self, question: str, log: tuple[Feedback, ...], known: Iterable[Memory]
    ) -> QuestionCase:
        """The votes in a log.

        SQL that is known needs no check once more.
        """
        episodes = self.store.episodes_called(
            self.clone_id, list(dict.fromkeys(one.episode_id for one in log))
        )
        found = self._corrections(log, episodes, known)
        unchecked = {one: read.reason for one, read in found.items() if isinstance(read, Unchecked)}
        unusable = {one: read.reason for one, read in found.items() if isinstance(read, Unusable)}

        def read(_: Episode, feedback: Feedback) -> Solution | None:
            solution = found[feedback.id]
            return solution if isinstance(solution, Solution) else None

        of_episode: defaultdict[str, list[Feedback]] = defaultdict(list)
        for one in log:
            if one.id not in unchecked:
                of_episode[one.episode_id].append(one)
        votes = [vote for one, said in of_episode.items() for vote in votes_on(episodes[one], said, read)]  # fmt: skip
        place = {one.id: number for number, one in enumerate(log)}
        votes.sort(key=lambda vote: place[vote.feedback.id])
        tag = case_tag(self.clone_id, question)
        return QuestionCase(tag, episodes, log, tuple(votes), unusable, unchecked)

    def _corrections(
        self,
        log: Iterable[Feedback],
        episodes: Mapping[str, Episode],
        known: Iterable[Memory],
    ) -> dict[str, Solution | Unusable | Unchecked]:
        """What the corrections of trusted people say, by the feedback's id."""
        checked = _checked(known)
        found: dict[str, Solution | Unusable | Unchecked] = {}
        for one in log:
            if not one.correction or one.source not in TRUSTED:
                continue
            before, sql = checked.get(one.id), sql_of(one.correction)
            if before is not None and sql is not None and before.key == spelled_alike(sql[1]):
                found[one.id] = before
            else:
                found[one.id] = self.corrections.read(episodes[one.episode_id], one)
        return found


def _checked(known: Iterable[Memory]) -> dict[str, Solution]:
    """SQL that was checked when it was learned, by the feedback that gave it."""
    found: dict[str, Solution] = {}
    for memory in known:
        payload = memory.payload
        if memory.provenance.source not in TRUSTED or not isinstance(payload, ExamplePayload):
            continue
        if payload.sql is not None and payload.database is not None:
            databases = (payload.database,)
            solution = Solution(
                payload.question, databases, payload.database, payload.sql, rows=payload.rows
            )
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
