"""Verbs by which rows go out of an answer or in, wherever they stand in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.stating.clauses import (
    AUXILIARY,
    POINTING,
    base,
    tells_what_was_done,
    verbs,
)
from oldhand.lexicon.entries import words

_OUT_OF = ("of", "from", "for", "when")
_FAR = 40
"""Words between a verb and what belongs to it, at the most."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb by which rows go out or in, with what belongs to it."""

    start: int
    end: int
    """The place behind it, or behind what stands right behind it: `leave out`."""
    goes_in: bool
    tail: range = range(0)
    """The places of what belongs to it and stands further behind: `leave the lost ones out`."""


def deeds(said: Sequence[str]) -> tuple[Deed, ...]:
    """The verbs in words of a sentence by which rows go out or in; `lost` in `lost parcels are parcels that …` is none.

    Args:
        said: in small letters, contractions written out.

    >>> [(one.start, one.end, one.goes_in) for one in deeds("revenue leaves out cancelled orders".split())]
    [(1, 3, False)]
    """
    return tuple(found for at in range(len(said)) if (found := _deed(said, at)) is not None)


def _deed(said: Sequence[str], at: int) -> Deed | None:
    found = verbs().get(base(said[at]), {})
    tails = {tail: kind for tail, kind in found.items() if kind != "seen"}
    for tail, kind in tails.items():  # the longest first
        near, size = tuple(said[at + 1 : at + 1 + len(tail)]) == tail, len(tail)
        if (tail and near) or (not tail and _is_told(said, at)):
            return Deed(at, at + 1 + size, kind != "out")
        if tail and _is_told(said, at):
            places = range(at + 2, min(len(said), at + _FAR) - size + 1)
            ends = next((place for place in places if _stands_at(said, place, tail)), None)
            if ends is not None:
                return Deed(at, at + 1, kind != "out", range(ends, ends + size))
    return None


def _stands_at(said: Sequence[str], place: int, tail: tuple[str, ...]) -> bool:
    """Whether what belongs to a verb stands at a place behind rows: at the end, or before what they go out of."""
    behind = said[place + len(tail) : place + len(tail) + 1]
    return tuple(said[place : place + len(tail)]) == tail and (not behind or behind[0] in _OUT_OF)


def _is_told(said: Sequence[str], at: int) -> bool:
    """Whether a verb says what is done; a participle says it behind `are` and the like, or before an article."""
    word, behind = said[at], said[at + 1 : at + 2]
    if not (tells_what_was_done(word) or word.endswith("ing")):
        return True
    led = [one for one in said[:at] if one not in words("leaving.filling")][-1:]
    auxiliary = AUXILIARY | words("leaving.denying") | words("leaving.wishing")
    opens = at == 0 and word.endswith("ing") and AUXILIARY.isdisjoint(said)
    return opens or bool(auxiliary.intersection(led) or POINTING.intersection(behind))
