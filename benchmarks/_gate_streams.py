"""Streams of questions with feedback, as the gate between memory and rules is trained on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random

from benchmarks._spider_data import Question, SpiderDatabase, same_answer
from oldhand.agent.analyst import Understanding, understand
from oldhand.agent.analyst.candidates.ranking import score
from oldhand.agent.analyst.precedents.gate import trained
from oldhand.agent.analyst.precedents.informed import weighed
from oldhand.agent.analyst.precedents.pool import PoolEntry
from oldhand.agent.analyst.precedents.precedent import precedents_of
from oldhand.learning.recall import Recall
from oldhand.query.compiling.compile import compile_query
from oldhand.record.feedback import Source
from oldhand.record.memory import (
    CORRECTED,
    THUMB,
    ExamplePayload,
    IssuePayload,
    Memory,
    MemoryType,
    Provenance,
)
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex

START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Manner:
    """How the owner says whether an answer was right."""

    name: str
    gold: bool
    """True when the right SQL is given, False for thumbs."""
    rate: float
    """Share of the questions that get any."""
    flips: tuple[float, ...] = (0.0,)
    """Shares of the thumbs that say the opposite; one of them is drawn for each stream."""


MANNERS = (
    Manner("gold on 100 %", gold=True, rate=1.0),
    Manner("gold on 40 %", gold=True, rate=0.4),
    Manner("thumbs, up to 30 % flipped", gold=False, rate=1.0, flips=(0.0, 0.1, 0.2, 0.3)),
)


@dataclass(frozen=True)
class Asked:
    """One question of a stream: the features of the pool, and which queries of it are right."""

    database: str
    manner: str
    position: float
    """Where in the stream, 0..1."""
    seen: bool
    """True when its SQL was confirmed before."""
    features: tuple[Mapping[str, float], ...]
    right: tuple[bool, ...]
    confidence: float
    """How sure the rules alone are."""


class _Stream:
    """What is remembered of one database, and what was worked out about its questions."""

    def __init__(self, database: SpiderDatabase, today: date) -> None:
        self.database = database
        self.today = today
        self._credit = MemoryCredit()
        self._index = MemoryIndex()
        self._recall = Recall(
            self._index.search_each, self._credit.tallies, RecallSettings(), FixedClock()
        )
        self._kept = 0

    def pool(self, question: str) -> tuple[Understanding, list[tuple[PoolEntry, dict[str, float]]]]:
        """What the rules make of a question, and the pool with what is remembered."""
        schemas, values = (self.database.schema,), self.database.values
        plain = understand(question, schemas, values, today=self.today)
        known = precedents_of(self._recall.recall(question), schemas)
        return plain, weighed(plain, known, schemas, values, today=self.today)

    def remember(self, question: str, sql: str, *, right: bool, corrected: bool) -> None:
        """Keep a pair."""
        self._kept += 1
        payload = (
            ExamplePayload(
                question=question, database=self.database.name, sql=sql, confirmed_by="owner"
            )
            if right
            else IssuePayload(
                evaluator_type=THUMB,
                issue="wrong",
                question=question,
                database=self.database.name,
                sql_query=sql,
            )
        )
        self._index.save(
            Memory(
                type=MemoryType(payload.type),
                id=f"pair-{self._kept}",
                created_at=START + timedelta(minutes=self._kept),
                tags=(CORRECTED,) if corrected else (),
                provenance=Provenance(source=Source.OWNER, rater="owner"),
                payload=payload,
            )
        )

    def vote(self, entry: PoolEntry, rating: int) -> None:
        """Book a vote on the pairs that an answer rests on."""
        self._credit.vote({one.precedent.id for one in entry.confirmed}, rating)


def asked(
    questions: Sequence[Question],
    database: SpiderDatabase,
    manner: Manner,
    random: Random,
    today: date,
) -> Iterator[Asked]:
    """Ask the questions one after the other, and remember what is said to each answer."""
    stream = _Stream(database, today)
    flips = random.choice(manner.flips)
    confirmed: set[str] = set()
    for place, question in enumerate(questions):
        expected = database.rows(question.gold)
        if expected is None:
            continue
        plain, pool = stream.pool(question.text)
        queries = [compile_query(entry.query, (database.schema,), "sqlite") for entry, _ in pool]
        right = tuple(same_answer(question.gold, expected, database.rows(sql)) for sql in queries)
        features = tuple(found for _, found in pool)
        gold = " ".join(question.gold.casefold().split())
        seen = gold in confirmed
        yield Asked(
            question.database, manner.name, place / len(questions), seen, features, right, plain.confidence,
        )  # fmt: skip
        confirmed.add(gold)
        chosen = _chosen(features)
        liked = chosen is not None and right[chosen] != (random.random() < flips)
        if random.random() >= manner.rate:
            continue
        if chosen is not None:
            stream.vote(pool[chosen][0], 1 if liked else -1)
        if manner.gold:
            stream.remember(question.text, question.gold, right=True, corrected=True)
        if chosen is not None and not (manner.gold and right[chosen]):
            stream.remember(
                question.text,
                queries[chosen],
                right=liked and not manner.gold,
                corrected=manner.gold,
            )


def _chosen(features: Sequence[Mapping[str, float]]) -> int | None:
    scores = [score(found, trained().weights) for found in features]
    return scores.index(max(scores)) if scores else None
