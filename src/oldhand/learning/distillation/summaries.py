"""Compression: what is asked again and again becomes one summary; the answers themselves stay until they expire.

One pass over all answers in flat memory: of very many different topics, only the most frequent are counted, by the
algorithm of Metwally, Agrawal and El Abbadi, “Efficient Computation of Frequent and Top-k Elements in Data Streams”
(2005).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from oldhand.learning.distillation.lessons import DISTILLED, MOST_EVIDENCE, texts_of
from oldhand.learning.distillation.likeness import gist_of
from oldhand.learning.lifecycle.confidence import initial_confidence
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.lifecycle.scanning import findings
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import Memory, MemoryType, Provenance, SemanticPayload
from oldhand.record.stage import Stage
from oldhand.store import Store
from oldhand.store.turn_reads import StoredTurn

SUMMARY = "summary"
"""Tag of a summary of many answers."""
_TOPICS = 2_000
"""Topics that are counted at the same time."""
_MOST_WORDS = 8
"""Words of a question that make its topic; of longer questions, few are alike."""
_ASKING = frozenset(
    [
        "what",
        "which",
        "who",
        "whose",
        "when",
        "where",
        "why",
        "how",
        "many",
        "much",
        "show",
        "list",
        "give",
        "tell",
        "get",
        "find",
        "me",
        "name",
        "number",
        "count",
        "total",
        "explain",
        "describe",
        "per",
        "each",
        "all",
        "any",
        "have",
        "has",
        "had",
        "was",
        "were",
        "about",
    ]
)
_PAGE = 500


@dataclass
class Topic:
    """What many questions are about, with how often it was asked about since it is counted."""

    words: frozenset[str]
    asked: int = 0
    unsure: int = 0
    """Questions that may have been about something else, before it was counted."""
    judged: int = 0
    """Answers of which a trusted person has said how good they are."""
    liked: int = 0
    first_at: datetime | None = None
    episode_ids: list[str] = field(default_factory=list[str])

    @property
    def certain(self) -> int:
        """Questions that were about it for sure."""
        return self.asked - self.unsure

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


def frequent_topics(turns: Iterator[StoredTurn], least: int) -> list[Topic]:
    """The topics of at least so many questions, the most frequent first.

    Args:
        turns: all questions with their answers, in order of arrival.
        least: questions, for sure.
    """
    topics: dict[frozenset[str], Topic] = {}
    for turn in turns:
        words = topic_words(turn.standalone or turn.question)
        if not words:
            continue
        if words not in topics and len(topics) >= _TOPICS:
            rarest = min(topics.values(), key=lambda one: one.asked)
            del topics[rarest.words]
            topics[words] = Topic(words, asked=rarest.asked, unsure=rarest.asked)
        topics.setdefault(words, Topic(words)).add(turn)
    found = [one for one in topics.values() if one.certain >= least]
    return sorted(found, key=lambda one: (-one.certain, sorted(one.words)))


def all_turns(store: Store, clone_id: str, go_on: Callable[[], bool]) -> Iterator[StoredTurn]:
    """All questions with their answers, a page at a time; those before the time is up."""
    after = 0
    while go_on():
        page = store.turns(clone_id, after=after, limit=_PAGE)
        yield from page
        if len(page) < _PAGE:
            return
        after = page[-1].seq


def summary_of(topic: Topic, clone_id: str, at: datetime) -> Memory:
    """One memory for all answers about a topic.

    It is a count that the machine made and not the words of anybody: a list of single words cannot give orders. It is
    scanned all the same.
    """
    words = ", ".join(sorted(topic.words))
    digest = sha256(words.encode(errors="surrogatepass")).hexdigest()
    liked = f", {topic.liked} of {topic.judged} judged ones were right" if topic.judged else ""
    rule = f"Users often ask about: {words} (about {_rounded(topic.certain)} answers{liked})."
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
    found = findings(texts_of(memory))
    return set_aside(memory, "; ".join(found)) if found else memory


def _rounded(number: int) -> int:
    """To two digits, so that the summary changes now and then and not every night."""
    scale = 10 ** max(0, len(str(number)) - 2)
    return number // scale * scale
