"""How the owner likes answers put: length, formality and structure, learned from ratings of style and from other words for answers."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise
from oldhand.store.credit.credit_store import StyleWord

_SHORT, _LONG = 25, 80
"""Words up to which an answer is short, and from which on it is long."""
_DECAY, _RATE = 0.9, 0.1
_WEIGHT = 2.0
"""Style is rated by owners only, whose word counts twice; other words for an answer count once."""
_TOLD_FROM = 0.15
"""Preference from which on it is told: after one rating it is 0.2."""
_BULLETS = re.compile(r"^\s*[-*•]\s", re.MULTILINE)
_NUMBERED = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
_CASUAL = words("style.casual")
_FORMAL = words("style.formal")
_TOLD = {
    ("length", "short"): "keep answers short",
    ("length", "medium"): "answer in a few sentences",
    ("length", "long"): "answer at length",
    ("formality", "casual"): "use a casual tone",
    ("formality", "neutral"): "use a plain tone",
    ("formality", "formal"): "use a formal tone",
    ("structure", "narrative"): "write whole sentences, no lists",
    ("structure", "bullet_points"): "use bullet points",
    ("structure", "numbered"): "use numbered points",
}


class StylePattern(NamedTuple):
    """One trait of how a text is put."""

    pattern_type: str
    """`length`, `formality` or `structure`."""
    pattern_key: str
    """Such as `short`, `formal` or `bullet_points`."""


def patterns_of(text: str) -> tuple[StylePattern, StylePattern, StylePattern]:
    r"""How a text is put.

    >>> [one.pattern_key for one in patterns_of("Hey, it's about 12 of them!")]
    ['short', 'casual', 'narrative']
    >>> [one.pattern_key for one in patterns_of("Pursuant to the contract:\n- notice is thirty days\n- in writing")]
    ['short', 'formal', 'bullet_points']
    """
    said = [token.lower for token in tokenise(text) if token.is_word]
    length = "short" if len(said) <= _SHORT else "long" if len(said) >= _LONG else "medium"
    casual = not _CASUAL.isdisjoint(said) or "!" in text
    tone = "formal" if not _FORMAL.isdisjoint(said) else "casual" if casual else "neutral"
    listed = "bullet_points" if _BULLETS.search(text) else "narrative"
    structure = "numbered" if _NUMBERED.search(text) else listed
    return (
        StylePattern("length", length),
        StylePattern("formality", tone),
        StylePattern("structure", structure),
    )


def style_scores(said: Iterable[StyleWord]) -> dict[tuple[str, str], float]:
    """What is preferred, from what the owner has said of answers, oldest first; from -1 to 1.

    A rating goes to all traits of an answer. Other words for it go to those that they change: they may only mend a fact.

    >>> round(style_scores([StyleWord("Twelve.", 1, None)] * 2)["length", "short"], 2)
    0.38
    >>> style_scores([StyleWord("Hey, there are 12 of them!", None, "There are 12.")])
    {('formality', 'casual'): -0.1, ('formality', 'neutral'): 0.1}
    """
    scores: dict[tuple[str, str], float] = {}

    def rate(one: StylePattern, much: float) -> None:
        key = one.pattern_type, one.pattern_key
        score = scores.get(key, 0.0) * _DECAY + _RATE * much
        scores[key] = max(-1.0, min(1.0, score))

    for text, rating, edited in said:
        traits = patterns_of(text)
        if rating is not None:
            for one in traits:
                rate(one, rating * _WEIGHT)
        for before, after in zip(traits, patterns_of(edited or text), strict=True):
            if before != after:
                rate(before, -1)
                rate(after, 1)
    return scores


def style_told(scores: Mapping[tuple[str, str], float]) -> tuple[str, ...]:
    """What is preferred, in words for a prompt: of each kind the best one, where it is liked.

    >>> style_told({("length", "short"): 0.4, ("length", "long"): -0.2, ("structure", "numbered"): 0.1})
    ('keep answers short',)
    """
    told: list[str] = []
    for kind in ("length", "formality", "structure"):
        of_kind = {key: score for (one, key), score in scores.items() if one == kind}
        best = max(of_kind, key=lambda key: of_kind[key], default=None)
        if best is not None and of_kind[best] >= _TOLD_FROM and (kind, best) in _TOLD:
            told.append(_TOLD[kind, best])
    return tuple(told)
