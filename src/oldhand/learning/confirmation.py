"""What people's votes teach: confirmed pairs, rejected pairs, and whose word counts when they differ.

Everything here is computed from the feedback log, so that a vote which is changed or taken back leaves no trace, and
learning again from the same log gives the same memories. The rules:

- Only the owner's and the experts' words teach; their roles were looked up when they spoke.
- Of one person's words on one answer one counts, as `standing` says: the latest that judges it; 0 takes it back.
- A complaint about nothing but the style, such as "too verbose", says nothing of the SQL.
- A correction confirms what it says, and rejects the answer unless it was rated +1, or is the very query of the answer:
  then it confirms that. One that can't be used only rejects.
- Of several people's words on one pair the owner's counts before an expert's, then the latest.
- A correction is more than a thumb: a bare thumb down of the same person makes it contested, and never takes it back.
- Who calls wrong what they have called right for the same question before, contests themselves. Who corrects an answer, and then that correction back, does
  not: their last word is the whole of it.
- A question keeps one confirmed pair for each set of databases: the one with the strongest word, then the latest.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sqlglot import parse_one
from sqlglot.errors import SqlglotError

from oldhand.learning.style import is_about_style
from oldhand.record.answer import WORKSPACE, Answer, Outcome
from oldhand.record.episode import Episode
from oldhand.record.feedback import TRUSTED, Feedback, Source, standing
from oldhand.record.memory import (
    CORRECTED,
    THUMB,
    ExamplePayload,
    ExampleStep,
    IssuePayload,
    Memory,
    MemoryType,
    Provenance,
)
from oldhand.record.phrases import question_key

PASSAGE = "passage: "
"""A correction that begins so names the passage that would have been right, by its hash."""
CONTESTED = 0.75
"""Confidence of a pair on which words differ; 1 where they don't."""
_LONGEST_SUMMARY = 300


@dataclass(frozen=True)
class Solution:
    """One way to answer a question."""

    question: str
    """In words that need no conversation."""
    databases: tuple[str, ...] = ()
    """Those that it reads, sorted; none when it is said in words."""
    database: str | None = None
    """As in `ExamplePayload`."""
    sql: str | None = None
    steps: tuple[ExampleStep, ...] = ()
    words: str | None = None
    chunks: tuple[str, ...] = ()
    """The passages that it rests on."""
    rows: str | None = field(default=None, compare=False)
    """A digest of its rows, where it was run to check it."""

    @property
    def key(self) -> str:
        """The same for solutions that are spelled alike."""
        if self.sql is not None:
            return spelled_alike(self.sql)
        if self.steps:
            return "\n".join(f"{one.database}: {spelled_alike(one.sql)}" for one in self.steps)
        return " ".join((self.words or " ".join(self.chunks)).split())

    def __str__(self) -> str:
        sql = self.sql or "; ".join(f"{one.database}: {one.sql}" for one in self.steps)
        return " ".join((sql or self.words or "the passages that were cited").split())


@dataclass(frozen=True)
class Vote:
    """What one trusted person says of one solution."""

    solution: Solution
    good: bool
    feedback: Feedback

    @property
    def weight(self) -> int:
        """Larger for those whose word counts first."""
        return 1 if self.feedback.source is Source.OWNER else 0


Reader = Callable[[Episode, Feedback], Solution | None]
"""Reads the correction of a feedback; None when nothing can be learned from it."""
Counts = Callable[[str, Feedback], bool]
"""Whether a feedback counts for the memory of an id: false once people took it back as a whole."""


@lru_cache(maxsize=4096)
def spelled_alike(sql: str) -> str:
    """A statement with its blanks, keywords and comments spelled in one way; names and values stay as they are.

    >>> spelled_alike("select  count(*) from shops -- all") == spelled_alike("SELECT COUNT(*) FROM shops")
    True
    """
    try:
        return parse_one(sql).sql(comments=False)
    except (SqlglotError, RecursionError):
        return re.sub(r"\s+", " ", sql).strip(" ;")


def solution_of(answer: Answer) -> Solution | None:
    """How an answer, or a proposed one, was found; None when there was none, or when its question does not stand alone."""
    steps = [step for step in answer.steps if step.succeeded]
    found = answer.outcome in (Outcome.ANSWERED, Outcome.PROPOSED)
    if not found or answer.standalone is None or not (steps or answer.citations):
        return None
    question = answer.standalone
    if not steps:
        return Solution(question, chunks=tuple(one.chunk for one in answer.citations))
    databases = tuple(sorted({step.database for step in steps} - {WORKSPACE}))
    if len(steps) == 1:
        return Solution(question, databases, steps[0].database, steps[0].sql)
    if answer.query is not None and not any(step.failures for step in steps):
        return Solution(question, databases, None, answer.query)
    ran = tuple(ExampleStep(database=step.database, sql=step.sql) for step in steps)
    return Solution(question, databases, steps=ran)


def votes_on(episode: Episode, log: Iterable[Feedback], read: Reader) -> tuple[Vote, ...]:
    """What the people's words on one episode say of solutions."""
    given = solution_of(episode.answer)
    heard = [one for one in log if not is_about_style(one)]
    corrections = {
        one.id: read(episode, one) for one in heard if one.correction and one.source in TRUSTED
    }
    votes: list[Vote] = []
    for one in standing(_without_unusable(one, corrections) for one in heard):
        if one.source not in TRUSTED:
            continue
        corrected = corrections.get(one.id) if one.correction else None
        if corrected is not None:
            votes.append(Vote(corrected, good=True, feedback=one))
        if given is None or (one.rating == 0 and corrected is None):
            continue
        if corrected is not None and (one.rating == 1 or corrected.key == given.key):
            continue
        votes.append(Vote(given, good=corrected is None and one.rating == 1, feedback=one))
    return tuple(votes)


def _without_unusable(one: Feedback, corrections: Mapping[str, Solution | None]) -> Feedback:
    """A correction that can't be used still says that the answer was wrong, unless it was rated +1."""
    if one.id not in corrections or corrections[one.id] is not None:
        return one
    return one.model_copy(update={"correction": None, "rating": 1 if one.rating == 1 else -1})


def memories_of(clone_id: str, votes: Iterable[Vote], counts: Counts) -> tuple[Memory, ...]:
    """The memories that votes add up to; each id once.

    Whoever `counts` leaves out what was taken back as a whole.
    """
    groups: defaultdict[tuple[str, tuple[str, ...]], list[Vote]] = defaultdict(list)
    for vote in votes:
        groups[question_key(vote.solution.question), vote.solution.databases].append(vote)
    found: list[Memory] = []
    for (question, databases), group in groups.items():
        example = memory_id("example", clone_id, question, *databases)
        confirmed = [vote for vote in group if counts(example, vote.feedback)]
        if best := _best(confirmed):
            found.append(_example(example, clone_id, best))
        for key in dict.fromkeys(vote.solution.key for vote in group if vote.solution.sql):
            rejected = memory_id("rejected", clone_id, question, *databases, key)
            ballot = [v for v in group if v.solution.key == key and counts(rejected, v.feedback)]
            if ballot and not _deciding(ballot).good:
                found.append(_rejected(rejected, clone_id, ballot))
    return tuple(found)


def memory_id(kind: str, clone_id: str, *parts: str) -> str:
    """The id that a memory gets from what it is about, so that it is never kept twice.

    >>> memory_id("example", "default", "how many clients", "shop")
    'example-241326383cbd47d6'
    """
    text = "\x1f".join((clone_id, *parts))
    return f"{kind}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def case_tag(clone_id: str, question: str) -> str:
    """The tag that all memories of one question share."""
    return memory_id("case", clone_id, question_key(question))


def _best(votes: Sequence[Vote]) -> list[Vote]:
    """The votes on the solution that is confirmed; empty when none is."""
    ballots: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        ballots[vote.solution.key].append(vote)
    place = {id(vote): number for number, vote in enumerate(votes)}
    confirmed = [ballot for ballot in ballots.values() if _deciding(ballot).good]
    if not confirmed:
        return []
    return max(confirmed, key=lambda b: (_deciding(b).weight, place[id(_deciding(b))]))


def _latest(ballot: Sequence[Vote]) -> list[Vote]:
    """The latest vote of each person; of who has written the very SQL, their correction."""
    latest: dict[str, Vote] = {}
    for vote in ballot:
        before = latest.get(vote.feedback.rater)
        wrote = before is not None and before.good and before.feedback.correction is not None
        if not wrote or vote.good or vote.feedback.correction is not None:
            latest[vote.feedback.rater] = vote
    return list(latest.values())


def _deciding(ballot: Sequence[Vote]) -> Vote:
    """The vote that counts: the owner's before an expert's, then the latest."""
    place = {id(vote): number for number, vote in enumerate(ballot)}
    return max(_latest(ballot), key=lambda vote: (vote.weight, place[id(vote)]))


def _taken_back(one: Vote, by: Vote) -> bool:
    """Whether who corrected an answer once has corrected that again, to what it was: their last word is the whole of it."""
    both = one.feedback.correction is not None and by.feedback.correction is not None and by.good
    same = one.feedback.rater == by.feedback.rater
    return both and same and one.feedback.created_at < by.feedback.created_at


def _example(example_id: str, clone_id: str, ballot: Sequence[Vote]) -> Memory:
    vote = _deciding(ballot)
    solution, given = vote.solution, [one for one in ballot if one.good]
    payload = ExamplePayload(
        question=solution.question,
        database=solution.database,
        sql=solution.sql,
        steps=solution.steps,
        answer=solution.words,
        confirmed_by=vote.feedback.rater,
        evidence=tuple(one.feedback.id for one in given),
        rows=solution.rows,
        chunks=solution.chunks,
    )
    return _memory(MemoryType.EXAMPLE, example_id, clone_id, ballot, payload)


def _rejected(rejected_id: str, clone_id: str, ballot: Sequence[Vote]) -> Memory:
    vote = _deciding(ballot)
    solution = vote.solution
    payload = IssuePayload(
        evaluator_type=THUMB,
        issue=vote.feedback.text or f"{vote.feedback.rater} called this SQL wrong.",
        question=solution.question,
        database=solution.database,
        sql_query=solution.sql,
    )
    return _memory(MemoryType.ISSUE, rejected_id, clone_id, ballot, payload)


def _memory(
    kind: MemoryType,
    memory_id: str,
    clone_id: str,
    ballot: Sequence[Vote],
    payload: ExamplePayload | IssuePayload,
) -> Memory:
    """A memory with all that speaks for it; it is as old as the first word for it."""
    vote = _deciding(ballot)
    agreeing = [one.feedback for one in ballot if one.good is vote.good]
    others = ballot if not vote.good or vote.feedback.correction else _latest(ballot)
    contested = any(one.good is not vote.good for one in others if not _taken_back(one, vote))
    corrected = (CORRECTED,) if any(one.correction for one in agreeing) else ()
    question = vote.solution.question
    summary = f"{' '.join(question.split())} {'→' if vote.good else '↛'} {vote.solution}"
    return Memory(
        type=kind,
        id=memory_id,
        clone_id=clone_id,
        created_at=agreeing[0].created_at,
        confidence=CONTESTED if contested else 1.0,
        tags=(case_tag(clone_id, question), *corrected),
        summary=summary[:_LONGEST_SUMMARY],
        provenance=Provenance(
            source=vote.feedback.source,
            rater=vote.feedback.rater,
            episode_ids=tuple(dict.fromkeys(one.episode_id for one in agreeing)),
        ),
        payload=payload,
    )
