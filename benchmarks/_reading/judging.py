"""Questions that were answered from passages, with whether that was right."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks._reading.passages import MemoryPassages
from oldhand.agent.reading.belief import belief, signs_of
from oldhand.agent.reading.extracting import PassageSentence, extracted

Check = Callable[[Sequence[PassageSentence]], bool]


@dataclass(frozen=True)
class Judged:
    """A question, and what the reader made of it."""

    question: str
    answerable: bool
    right: bool
    sure: float
    signs: Mapping[str, float]
    """None where no passage has anything of it."""

    def by(self, weights: Mapping[str, float]) -> "Judged":
        """The same, as sure as other weights are."""
        if not self.signs:
            return self
        told = sum(weights[name] * sign for name, sign in self.signs.items())
        return replace(self, sure=1 / (1 + math.exp(-told)))


def judged(question: str, held: MemoryPassages, *, answerable: bool, is_right: Check) -> Judged:
    """Ask one question of some passages."""
    extract = extracted(question, held.find(question, "ana", True))
    right = extract is not None and answerable and is_right(extract.sentences)
    signs = {} if extract is None else signs_of(extract)
    return Judged(question, answerable, right, belief(extract), signs)


def text_of(sentences: Sequence[PassageSentence]) -> str:
    """What sentences say."""
    return " ".join(one.text for one in sentences)
