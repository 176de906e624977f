"""The small words that turn the meaning of a question round: not, since, per, and or or between two values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.words.links import Cue, Links, Span
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.lexicon.wordlists import word_lists

NEAR = 3
"""Tokens between a comparison and what it compares with, at most."""
_RELATIONS: Mapping[str, str] = {">": "more", "<": "less", ">=": "at least", "<=": "at most"}
_AFTER: Mapping[str, str] = {"or_more": "at least", "or_less": "at most"}
_EXCLUDING = words("negation.excluding")
_UPWARDS, _DOWNWARDS = words("sorting.upwards"), words("sorting.downwards")


@dataclass(frozen=True, slots=True)
class Signs:
    """What may turn the meaning of a question round, in a form in which two questions can be compared."""

    negated: str = ""
    """`once` where something is denied, `twice` where that something is missing is denied."""
    joined: frozenset[str] = frozenset()
    """`and`, `or` or `both` where it joins two values."""
    objects: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """What stands behind `per`, `from`, `the most`, a number and the like."""
    named: frozenset[str] = frozenset()
    """All that could stand there."""
    scales: frozenset[str] = frozenset()
    """What superlatives measure, where they say it: `time`, `worth` or `amount`."""


def signs_of(links: Links) -> Signs:
    """The signs of a question whose words have been linked."""
    names = _names(links)
    objects: dict[str, frozenset[str]] = {}
    for role, place in _roles(links):
        behind = _behind(links, place, names)
        if behind:
            objects[role] = objects.get(role, frozenset()) | {behind}
    scales = frozenset(scale for cue in links.cues if (scale := _scale(cue)))
    return Signs(
        _negated(links), frozenset(_joined(links)), objects, frozenset(names.values()), scales
    )


def _roles(links: Links) -> Iterator[tuple[str, int]]:
    """The parts that what stands behind a word plays, and where it begins."""
    for place, token in enumerate(links.tokens):
        if role := meanings("comparing.roles").get(token.lower):
            yield role, place + 1
    for cue in links.cues:
        if role := direction(cue):
            yield role, cue.span.end
    for number in links.numbers:
        counted = number.unit.size if number.unit is not None else ""
        yield f"number {number.value} {counted}".rstrip(), number.said.end


def _behind(links: Links, place: int, names: Mapping[int, str]) -> str:
    """The first name from a place on, before the next part of the sentence begins."""
    for at in range(place, min(place + NEAR, len(links.tokens))):
        token = links.tokens[at]
        if not token.is_word or token.lower in words("comparing.ends"):
            return ""
        if at in names:
            return names[at]
    return ""


def relation(links: Links, span: Span) -> str:
    """How a number or time is compared: by the cue before it, or by `or more` behind it."""
    for cue in links.cues:
        if cue.kind in _AFTER and span.end <= cue.span.start <= span.end + 1:
            return _AFTER[cue.kind]
        if cue.kind in _RELATIONS and 0 <= span.start - cue.span.end < NEAR:
            said = links.text(cue.span).casefold()
            between = Span(cue.span.end, span.start)
            if said in words("comparing.loose") or not _is_small(links, between):
                continue
            return meanings("comparing.inclusive").get(said, _RELATIONS[cue.kind])
    return ""


def _is_small(links: Links, span: Span) -> bool:
    return all(is_general(token) for token in links.tokens[span.start : span.end])


def _negated(links: Links) -> str:
    denied = {cue.span.start for cue in links.cues_of("not")}
    denied |= {place for place, token in enumerate(links.tokens) if token.lower in _EXCLUDING}
    if not denied:
        return "once" if links.cues_of("null") else ""
    return "twice" if links.cues_of("null") else "once"


def _joined(links: Links) -> Iterator[str]:
    """What joins two values that stand side by side."""
    spans = sorted((value.span for value in links.values), key=lambda span: span.start)
    for one, other in pairwise(spans):
        between = {token.lower for token in links.tokens[one.end : other.start]}
        if other.start - one.end <= NEAR:
            yield from between & words("comparing.junctions")
    if links.cues_of("both"):
        yield "both"


def _names(links: Links) -> dict[int, str]:
    """What could be the object of a word, by its place: the text of a value, the stem of a word."""
    names: dict[int, str] = {}
    irregular = word_lists().irregular
    for place, token in enumerate(links.tokens):
        if token.is_word and token.lower not in STOP_WORDS:
            names[place] = irregular.get(token.stem, token.stem)
    for value in links.values:
        for place in range(value.span.start, value.span.end):
            names[place] = value.text.casefold()
    return names


def _scale(cue: Cue) -> str:
    """What a superlative measures: `first` a time, `best` a worth, `most` an amount; `oldest` may be either."""
    if cue.kind in ("most_count", "most_common"):
        return "amount"
    word = cue.argument.removeprefix("-") if cue.kind == "superlative" else ""
    if word in words("sorting.of_time"):
        return "time"
    if word in words("sorting.judging"):
        return "worth"
    return "amount" if word in words("sorting.of_anything") | words("sorting.of_size") else ""


def direction(cue: Cue) -> str:
    """`top`, `bottom`, or the adjective where that depends on the column."""
    if cue.kind in ("max", "min"):
        return "top" if cue.kind == "max" else "bottom"
    if cue.kind in ("most_count", "most_common"):
        return "bottom" if cue.argument == "asc" else "top"
    if cue.kind != "superlative":
        return ""
    word = cue.argument.removeprefix("-")
    down = cue.argument.startswith("-")
    if word in _DOWNWARDS or word in _UPWARDS:
        return "bottom" if (word in _DOWNWARDS) != down else "top"
    return f"extreme {'least ' if down else ''}{word}"
