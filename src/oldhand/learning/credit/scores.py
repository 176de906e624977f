"""One number for each passage: an exponential moving average of the votes on answers that showed it.

    score = score · 0.9 + rating · 0.1 · weight        adjusted = similarity + score · 0.3

All passages that were shown with an answer share its vote alike, and the first word of a person on it stays.
The score is kept within -1 … 1, the adjusted similarity within 0 … 1. `IntentScores` keeps one for each kind of
question; `NearestVotes` makes one for each question out of the votes on similar ones.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from oldhand.learning.credit.events import (
    CreditEvent,
    Credits,
    PassageCredit,
    ReplayedRule,
    unlearned,
)
from oldhand.learning.credit.lexical import Point, point_of, points_of, space_of
from oldhand.lexicon.entries import meanings
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage
from oldhand.record.situation import Intent, intent_of
from oldhand.settings.documents import ScoreSettings

GENERAL = "general"
"""The intent of questions that are of no kind, and of scores that hold for all."""
Intents = Callable[[str], str]
"""Tells of what kind a question is."""


class ChunkScore(NamedTuple):
    """What is known of one passage, for one kind of question."""

    score: float
    hit_count: int


def few_words(question: str) -> str:
    """The kind of a question by the words of the first list that has one in it.

    >>> [few_words(one) for one in ("What is the notice period?", "How do I return it?", "Price of a bike", "Hello")]
    ['informational', 'procedural', 'transactional', 'general']
    """
    found = singular_words(question)
    named = meanings("asking.intents")
    return next((kind for phrase, kind in named.items() if occurs(phrase, found)), GENERAL)


def many_words(question: str) -> str:
    """The kind of a question by the rules of `record.situation`; those of prices and purchases by their words.

    >>> [many_words(one) for one in ("Which parts are covered?", "How are bikes returned?", "How much does it cost?")]
    ['informational', 'procedural', 'transactional']
    """
    found, named = singular_words(question), meanings("asking.intents")
    if any(kind == "transactional" and occurs(phrase, found) for phrase, kind in named.items()):
        return "transactional"
    by_word, by_rule = few_words(question), intent_of(question)
    if by_rule is Intent.OTHER or (by_rule is Intent.EXPLANATION and by_word == "procedural"):
        return by_word
    return "informational"


def intents_by(limits: ScoreSettings) -> Intents:
    """What tells kinds of questions apart by these settings."""
    return few_words if limits.words_of_intents == "few" else many_words


class PassageScores(ReplayedRule):
    """One score for each passage, whatever was asked."""

    name = "ema"

    def __init__(self, limits: ScoreSettings) -> None:
        super().__init__(first_vote_only=limits.first_vote_only)
        self._limits = limits
        self._scores: dict[tuple[str, str], ChunkScore] = {}

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """The first few by their adjusted similarity."""
        intent = self.intent(asked.text)
        known = {
            one.chunk: found.score
            for one in candidates
            if (found := self._scores.get((one.chunk, intent))) is not None
        }
        return boosted(candidates, known, self._limits)

    def intent(self, question: str) -> str:  # noqa: ARG002
        """Under which kind of question a vote is kept."""
        return GENERAL

    def scores(self) -> Mapping[tuple[str, str], ChunkScore]:
        """What is known, by passage and kind of question."""
        return self._scores

    def _judge(self, event: CreditEvent) -> Credits:
        step = self._limits.rate * event.rating * event.weight
        return dict.fromkeys(voted_on(event), PassageCredit(step))

    def _take(self, event: CreditEvent, told: Credits) -> None:
        intent = self.intent(event.asked.text)
        for chunk, one in told.items():
            before, count = self._scores.get((chunk, intent), (0.0, 0))
            score = before * self._limits.decay + one.credit
            self._scores[chunk, intent] = ChunkScore(min(1.0, max(-1.0, score)), count + 1)

    def _clear(self) -> None:
        self._scores = {}


class IntentScores(PassageScores):
    """One score for each passage and kind of question."""

    name = "intents"

    def __init__(self, limits: ScoreSettings) -> None:
        super().__init__(limits)
        self._intents = intents_by(limits)

    def intent(self, question: str) -> str:
        """The kind of the question."""
        return self._intents(question)


class NearestVotes(ReplayedRule):
    """The mean vote on the most similar questions, weighted by how similar they are."""

    name = "nearest"

    def __init__(self, limits: ScoreSettings) -> None:
        super().__init__(first_vote_only=limits.first_vote_only)
        self._limits = limits
        self._clear()

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """The first few by their adjusted similarity."""
        near: list[tuple[float, Credits]] = []
        for space, point in points_of(asked, self._taken).items():
            taken = self._taken[space]
            if space not in self._points:
                self._points[space] = np.stack([one for one, _ in taken])
            likeness = self._points[space] @ point
            found = np.flatnonzero(likeness >= self._limits.likeness)
            near += [(float(likeness[at]), taken[at][1]) for at in map(int, found)]
        near.sort(key=lambda one: -one[0])
        said, weight = dict[str, float](), dict[str, float]()
        for much, told in near[: self._limits.neighbours]:
            for chunk, one in told.items():
                said[chunk] = said.get(chunk, 0.0) + much * one.credit
                weight[chunk] = weight.get(chunk, 0.0) + much * abs(one.credit)
        known = {chunk: said[chunk] / weight[chunk] for chunk in said if weight[chunk]}
        return boosted(candidates, known, self._limits)

    def _judge(self, event: CreditEvent) -> Credits:
        return dict.fromkeys(voted_on(event), PassageCredit(event.rating * event.weight))

    def _take(self, event: CreditEvent, told: Credits) -> None:
        space = space_of(event.asked)
        self._taken.setdefault(space, []).append((point_of(event.asked), told))
        self._points.pop(space, None)

    def _clear(self) -> None:
        self._taken: dict[str, list[tuple[Point, Credits]]] = {}
        self._points: dict[str, Point] = {}


def voted_on(event: CreditEvent) -> tuple[str, ...]:
    """The passages that a vote is about: all that were shown with the answer, whether it cites them or not."""
    shown = tuple(one.chunk for one in event.shown if event.passage in (None, one.chunk))
    return shown + event.beside


def boosted(
    candidates: Sequence[PassageCandidate], scores: Mapping[str, float], limits: ScoreSettings
) -> list[RankedPassage]:
    """The first few by their adjusted similarity, the rest behind them."""
    if not scores:
        return unlearned(candidates)
    ranked: list[RankedPassage] = []
    for one in candidates[: limits.fetched]:
        boost = limits.boost * scores.get(one.chunk, 0.0)
        ranked.append(RankedPassage(one.chunk, min(1.0, max(0.0, one.base + boost)), boost))
    ranked.sort(key=lambda one: -one.score)
    return ranked + unlearned(candidates[limits.fetched :])
