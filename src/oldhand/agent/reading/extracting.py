"""The one to three sentences of passages that answer a question best, as they stand there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from oldhand.agent.reading.apart import (
    Sign,
    about_another,
    asked_signs,
    signs_in,
    topics_of,
    with_signs,
)
from oldhand.agent.reading.asked import AskedWords, Wanted, asked_words, gives, stems_of, strength
from oldhand.lexicon.entries import words
from oldhand.lexicon.sentences import sentences_of
from oldhand.record.document import FoundPassage

MOST = 3
"""Sentences of an answer."""
UNDER = 0.75
"""How much a word counts that stands in the headings of a sentence, or in the name of its document."""
BESIDE = 0.4
"""The same of a word elsewhere in its passage."""
FITTING = 0.15
"""What a sentence gains that holds the kind of thing that is asked for, as a share of all words."""
WORTHWHILE = 0.19
"""Share of the words that one more sentence has to add."""
_OTHERS = 4
"""Passages that the best one is compared with; fewer count as if the rest said nothing."""
_MARK = re.compile(r"^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+")
"""Before an item of a list."""
_CLOSING = " *_\"')\u201d\u2019"
"""What may stand behind the mark at the end of a question."""
_DUMMY = re.compile(r"it (?:is|was|has been) \w+ (?:to|that)\b")
"""`It was decided to …` leans on nothing."""
_LEANING, _TURNING = (
    tuple(sorted(one.replace("_", " ") for one in openings))
    for openings in (words("reading.leaning"), words("reading.otherwise"))
)

_COMPARING = tuple(
    sorted((words("comparing.higher") | words("comparing.lower")) - {"more", "less", "fewer"})
)


@dataclass(frozen=True)
class PassageSentence:
    """A sentence where it stands."""

    found: FoundPassage
    place: int
    """Counted from 0 within its passage."""
    text: str
    under: str = ""
    """The question that stands above it in its document, and that it answers."""
    opens: bool = False
    """Whether it is the first below that."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return stems_of(self.text)

    def strength(self, word: str) -> float:
        """How well it is about a word: what answers a question in its document is about the words of that, too."""
        inside = strength(word, self.stems)
        if inside == 1 or not self.under:
            return inside
        return max(inside, (1.0 if self.opens else UNDER) * strength(word, stems_of(self.under)))

    @property
    def leans(self) -> bool:
        """Whether it is not understood without the one before it.

        >>> from oldhand.testing.records import found_passage
        >>> PassageSentence(found_passage("They bark."), 1, "They bark.").leans
        True
        """
        return self._begins(_LEANING) and not _DUMMY.match(self._plain)

    @property
    def turns(self) -> bool:
        """Whether it says what holds where the one before it does not.

        >>> from oldhand.testing.records import found_passage
        >>> PassageSentence(found_passage("Above that, they pay."), 1, "Above that, they pay.").turns
        True
        """
        return self._begins(_TURNING)

    def exceeds(self, other: "PassageSentence") -> bool:
        """Whether it says what holds of the larger or smaller ones of what another sentence is about."""
        return self._begins(_COMPARING) and not self.stems.isdisjoint(other.stems)

    @cached_property
    def _plain(self) -> str:
        return " ".join(self.text.casefold().replace(",", " ").split())

    def _begins(self, openings: Sequence[str]) -> bool:
        return any(self._plain.startswith(f"{one} ") for one in openings)


@dataclass(frozen=True)
class Extract:
    """Sentences that may answer a question, in the order of their documents, with what speaks for them."""

    sentences: tuple[PassageSentence, ...]
    coverage: float
    """Share of the words of the question that they, their headings and passages are about, 0 to 1."""
    gives: float
    """1 when they hold the kind of thing that is asked for, -1 when they don't, 0 when it is not told."""
    lead: float
    """How much better the best passage covers the question than the next best, 0 to 1."""
    ahead: float
    """The same beside the mean of the others: two that say it are no sign that nothing does, many are."""
    is_first: bool
    """Whether the best passage is the one that the search gave first."""
    asked: int
    """Words that the question is about."""
    told: int = 0
    """Sentences that say what came of it, which make nobody less sure."""


def sentences_in(found: FoundPassage) -> tuple[PassageSentence, ...]:
    """The sentences, items and rows of a passage; a question stands above what answers it, and is none itself.

    >>> from oldhand.testing.records import found_passage
    >>> [(one.under, one.text) for one in sentences_in(found_passage("Is it free? For members. How long is it? A day."))]
    [('Is it free?', 'For members.'), ('How long is it?', 'A day.')]
    """
    lines = (_MARK.sub("", line) for line in found.passage.text.splitlines() if line.strip())
    texts = [
        one for line in lines for one in sentences_of(line.strip()) if any(map(str.isalnum, one))
    ]
    under, opens = next((one for one in found.passage.anchor.heading[-1:] if _asks(one)), ""), True
    told: list[PassageSentence] = []
    for text in texts:
        if _asks(text):
            under, opens = text, True
        else:
            told.append(PassageSentence(found, len(told), text, under, opens=opens and bool(under)))
            opens = False
    return tuple(told)


def _asks(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith(("?", "\uff1f"))


def extracted(question: str, passages: Sequence[FoundPassage]) -> Extract | None:
    """The sentences that answer a question best; None where nothing in any passage is about it.

    >>> from oldhand.testing.records import found_passage
    >>> passage = found_passage("Dogs are examined within a day. A booking may be cancelled until 7 days before arrival.")
    >>> [one.text for one in extracted("Until when can I cancel a booking?", [passage]).sentences]
    ['A booking may be cancelled until 7 days before arrival.']
    """
    kinds = {sign.kind for one in passages for sign in signs_in(one.passage.text)}
    question = with_signs(question, kinds)
    asked = asked_words(question)
    if not asked.words or not passages:
        return None
    signs = asked_signs(question, asked.wanted)
    readings = [_PassageReading(asked, signs, one) for one in passages]
    best = max(readings, key=lambda one: one.score)
    if best.score <= 0:
        return None
    others = sorted((one.score for one in readings if one is not best), reverse=True)
    strengths = {one.stem: best.strength_in(one.stem, best.chosen) for one in asked.words}
    return Extract(
        sentences=best.chosen,
        coverage=_share(asked, strengths),
        gives=_given(best.chosen, asked.wanted),
        lead=_between(best.score - max(others, default=0.0)),
        ahead=_between(best.score - sum(others[:_OTHERS]) / _OTHERS),
        is_first=best is readings[0],
        asked=len(asked.words),
        told=sum(one.leans for one in best.chosen) if asked.is_story else 0,
    )


def _between(lead: float) -> float:
    return min(1.0, max(0.0, lead))


def _share(asked: AskedWords, strengths: Mapping[str, float]) -> float:
    return sum(one.weight * strengths[one.stem] for one in asked.words) / asked.total


def _given(chosen: Sequence[PassageSentence], wanted: Wanted) -> float:
    if wanted is Wanted.ANYTHING:
        return 0.0
    return 1.0 if any(gives(one.text, wanted) for one in chosen) else -1.0


class _PassageReading:
    """One passage, read for a question."""

    def __init__(self, asked: AskedWords, signs: Sequence[Sign], found: FoundPassage) -> None:
        self._asked = asked
        self.found = found
        self._sentences = sentences_in(found)
        headings = (found.document, *found.passage.anchor.heading)
        topics = topics_of([one.text for one in self._sentences], headings)
        self._fitting: list[PassageSentence] = []
        """Those that are not about another thing of the kind that is asked for."""
        self._meant: list[frozenset[str]] = []
        """Of each sentence: the words of the question that call what it is about."""
        for one, told in zip(self._sentences, topics if signs else repeat(()), strict=False):
            if not about_another(signs, told):
                self._fitting.append(one)
            named = told if one.leans else signs_in(one.text) if signs else ()
            met = (sign.said for sign in signs if any(map(sign.meets, named)))
            self._meant.append(stems_of(" ".join(met)))
        self._above = stems_of(" ".join(headings))
        self._all = stems_of(found.passage.text)

    @cached_property
    def chosen(self) -> tuple[PassageSentence, ...]:
        """The sentences to answer with, in their order."""
        best = max(self._fitting, key=lambda one: (self._worth((one,)), -one.place), default=None)
        if best is None:
            return ()
        kept = self._with_whole(best)
        while len(kept) < MOST:
            more = max(
                (one for one in self._fitting if one not in kept),
                key=lambda one: self._worth((*kept, one)),
                default=None,
            )
            if more is None or self._worth((*kept, more)) - self._worth(kept) < WORTHWHILE:
                break
            kept = (*kept, *(one for one in self._with_whole(more) if one not in kept))[:MOST]
        return tuple(sorted(kept, key=lambda one: one.place))

    def _with_whole(self, one: PassageSentence) -> tuple[PassageSentence, ...]:
        """A sentence, with the one before it where it leans on that, and the one that says what holds otherwise, or what came of it."""
        before = self._sentences[one.place - 1 : one.place] if one.place and not one.opens else ()
        before = [two for two in before if one.leans or one.exceeds(two)]
        next_one = self._sentences[one.place + 1 : one.place + 2]
        goes_on = self._asked.is_story
        after = (
            two for two in next_one if two.turns or two.exceeds(one) or (goes_on and two.leans)
        )
        return (one, *before, *(two for two in after if not two.opens))

    @cached_property
    def score(self) -> float:
        """How well it answers, as a share of what is asked."""
        return self._worth(self.chosen) if self.chosen else 0.0

    def _worth(self, sentences: Sequence[PassageSentence]) -> float:
        asked, total = self._asked, self._asked.total
        covered = sum(one.weight * self.strength_in(one.stem, sentences) for one in asked.words)
        fits = asked.wanted is not Wanted.ANYTHING and any(
            gives(one.text, asked.wanted) for one in sentences
        )
        return covered / total + (FITTING if fits and covered else 0.0)

    def strength_in(self, word: str, sentences: Sequence[PassageSentence]) -> float:
        """How well a word is found in some sentences, or around them."""
        if any(word in self._meant[one.place] for one in sentences):
            return 1.0
        inside = max((one.strength(word) for one in sentences), default=0.0)
        return max(inside, UNDER * strength(word, self._above), BESIDE * strength(word, self._all))
