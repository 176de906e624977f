"""Compression: what is asked again and again becomes one summary; the answers themselves stay until they expire.

One pass over all answers in flat memory: of very many different topics, only frequent ones are counted on, by lossy
counting (Manku and Motwani, “Approximate Frequency Counts over Data Streams”, 2002).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from oldhand.learning.distillation.lessons import MOST_EVIDENCE, UNTRUSTED, texts_of
from oldhand.learning.distillation.likeness import gist_of
from oldhand.learning.lifecycle.confidence import initial_confidence
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.lifecycle.scanning import findings
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import Memory, MemoryType, Provenance, SemanticPayload
from oldhand.record.stage import DISTILLED, SUMMARY, Stage
from oldhand.store.lesson_reads import StoredTurn

_BUCKET = 2_000
"""Questions after which topics are given up that are rarer than one in so many."""
_MOST_WORDS = 8
"""Words of a question that make its topic; of longer questions, few are alike."""
_ASKING = frozenset(
    ["what", "which", "who", "whose", "when", "where", "why", "how", "many", "much", "show",
     "list", "give", "tell", "get", "find", "me", "name", "number", "count", "total", "explain",
     "describe", "per", "each", "all", "any", "have", "has", "had", "was", "were", "about"]
)  # fmt: skip


@dataclass
class Topic:
    """What many questions are about, with how often it was asked about since it is counted."""

    words: frozenset[str]
    missed: int = 0
    """Questions at most that were about it before it was counted."""
    asked: int = 0
    judged: int = 0
    """Answers of which a trusted person has said how good they are."""
    liked: int = 0
    is_trusted: bool = False
    """Whether somebody we know has asked about it."""
    episode_ids: list[str] = field(default_factory=list[str])

    def add(self, turn: StoredTurn) -> None:
        """Count one more question."""
        self.asked += 1
        if len(self.episode_ids) < MOST_EVIDENCE:
            self.episode_ids.append(turn.episode_id)
        said = [one for one in turn.feedback if one.source in TRUSTED and one.judges]
        if said:
            self.judged += 1
            self.liked += said[-1].rating == 1 and not said[-1].corrects


def topic_words(question: str) -> frozenset[str]:
    """What a question is about, without values, names and the words that ask.

    >>> sorted(topic_words("How many orders did 'Ana' place in Berlin in 2025?"))
    ['order', 'place']
    """
    gist = gist_of(question)
    words = gist.words - gist.names - _ASKING
    return words if len(words) <= _MOST_WORDS else frozenset()


def frequent_topics(
    turns: Iterator[StoredTurn], least: int, trusted: Collection[str]
) -> list[Topic]:
    """The topics of at least so many questions, the most frequent first."""
    topics: dict[frozenset[str], Topic] = {}
    for number, turn in enumerate(turns):
        bucket = number // _BUCKET
        if number % _BUCKET == 0:
            topics = {w: one for w, one in topics.items() if one.asked + one.missed > bucket}
        words = topic_words(turn.standalone or turn.question)
        if not words:
            continue
        topic = topics.setdefault(words, Topic(words, missed=bucket))
        topic.add(turn)
        topic.is_trusted |= turn.user_id in trusted
    found = [one for one in topics.values() if one.asked >= least]
    return sorted(found, key=lambda one: (-one.asked, sorted(one.words)))


def summary_of(topic: Topic, clone_id: str, at: datetime) -> Memory:
    """One memory for all answers about a topic.

    It is a count that the machine made, and single words cannot give orders. It is scanned all the same, and set
    aside where only people we don't know have asked about it.
    """
    words = ", ".join(sorted(topic.words))
    digest = sha256(words.encode(errors="surrogatepass")).hexdigest()
    liked = f", {topic.liked} of {topic.judged} judged ones were right" if topic.judged else ""
    rule = f"Users often ask about: {words} (about {_rounded(topic.asked)} answers{liked})."
    memory = Memory(
        type=MemoryType.SEMANTIC,
        id=f"summary-{digest[:16]}",
        clone_id=clone_id,
        created_at=at,
        confidence=initial_confidence(len(topic.episode_ids)),
        tags=(SUMMARY, DISTILLED, Stage.CANDIDATE.value),
        summary=f"Often asked: {words}",
        provenance=Provenance(source=Source.EXECUTION, episode_ids=tuple(topic.episode_ids)),
        payload=SemanticPayload(rule=rule, source="compression", evidence=tuple(topic.episode_ids)),
    )
    found = [*findings(texts_of(memory)), *(() if topic.is_trusted else (UNTRUSTED,))]
    return set_aside(memory, "; ".join(found)) if found else memory


def _rounded(number: int) -> int:
    """To two digits, so that the summary changes now and then and not every night."""
    scale = 10 ** max(0, len(str(number)) - 2)
    return number // scale * scale
