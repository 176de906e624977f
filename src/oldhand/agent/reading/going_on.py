"""A question to documents that goes on from the one before: `And on Sundays?`, `What about the licence course?`."""

import re
from collections.abc import Sequence

from oldhand.agent.reading.apart import signs_in
from oldhand.agent.reading.asked import base_stem
from oldhand.lexicon.entries import words

_OPENING = re.compile(
    r"^(?:(?:and|or|but|then|so|also|same for|(?:what|how) about)\b[\s,]*)+", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*['\u2019]?")
_PREPOSITIONS = words("places.prepositions")
_ENDS = _PREPOSITIONS | words("verbs.auxiliary")
"""Where what is named ends."""
_DETERMINERS = words("function_words.determiners")
_LONGEST = 5
"""Words of a thing that is named in place of another one."""
Span = tuple[int, int]


def gone_on(before: str, said: str) -> str:
    """The question before with what is named now in place of its like; where nothing there is like it, both as they stand.

    >>> gone_on("When is the office open on Saturdays?", "And on Sundays?")
    'When is the office open on Sundays?'
    >>> gone_on("What does the beginners' course cost?", "and the licence course?")
    'What does the licence course cost?'
    >>> gone_on("Who coaches the youth team?", "And when does it train?")
    'Who coaches the youth team? And when does it train?'
    """
    named = _OPENING.sub("", said.strip()).rstrip(" ?.!")
    there, now = _read(before), _read(named)
    if 0 < len(now) <= _LONGEST and not _asks(now):
        for like in (_of_a_kind, _behind_the_same, _of_one_name, _as_definite, _called):
            if (span := like(there, now)) is not None:
                begins, ends = there[span[0]].start(), there[span[1] - 1].end()
                return f"{before[:begins]}{named}{before[ends:]}"
    return f"{before} {said}"


def _read(text: str) -> list[re.Match[str]]:
    return [*_WORD.finditer(text)]


def _low(said: Sequence[re.Match[str]]) -> list[str]:
    return [one[0].lower() for one in said]


def _asks(now: Sequence[re.Match[str]]) -> bool:
    """Whether it is a question of its own."""
    return not words("verbs.auxiliary").isdisjoint(_low(now))


def _until(there: Sequence[str], begins: int) -> int:
    """Where what begins there ends; behind `does`, the last word is what it does."""
    does = {"do", "does", "did"}
    ends = next((at for at in range(begins, len(there)) if there[at] in _ENDS), len(there))
    return min(ends, begins + 1) if not does.isdisjoint(there[:begins]) else ends


def _of_a_kind(there: Sequence[re.Match[str]], now: Sequence[re.Match[str]]) -> Span | None:
    """A day, month, year, hall or floor, as another one is named."""
    wanted = {one.kind for one in signs_in(now[0].string)}
    for one in signs_in(there[0].string) if there else ():
        found = re.search(rf"(?<!\w){re.escape(one.said)}(?!\w)", there[0].string)
        if found is None or one.kind not in wanted:
            continue
        within = [at for at, two in enumerate(there) if found.start() <= two.start() < found.end()]
        if within:
            if within[0] and _low(there)[within[0] - 1] == _low(now)[0]:
                within.insert(0, within[0] - 1)
            return within[0], within[-1] + 1
    return None


def _behind_the_same(there: Sequence[re.Match[str]], now: Sequence[re.Match[str]]) -> Span | None:
    """What stands behind the same preposition, the last one of them."""
    low, first = _low(there), _low(now)[0]
    if first not in _PREPOSITIONS or first not in low[:-1]:
        return None
    begins = len(low) - 1 - low[::-1].index(first)
    return (begins, _until(low, begins + 1)) if begins + 1 < len(low) else None


def _of_one_name(there: Sequence[re.Match[str]], now: Sequence[re.Match[str]]) -> Span | None:
    """What is called by the same last word: one course, and another one."""
    low, head = _low(there), base_stem(_low(now)[-1])
    ends = next((at for at, one in enumerate(low) if at and base_stem(one) == head), None)
    if ends is None or head in _ENDS:
        return None
    begins = ends
    while begins > 1 and low[begins - 1] not in _ENDS and low[begins] not in _DETERMINERS:
        begins -= 1
    return begins, ends + 1


def _as_definite(there: Sequence[re.Match[str]], now: Sequence[re.Match[str]]) -> Span | None:
    """What has the same determiner, the last one of them."""
    alike = {"a": "an", "an": "a"}
    low, first = _low(there), _low(now)[0]
    found = [at for at, one in enumerate(low[:-1]) if one in (first, alike.get(first))]
    return (found[-1], _until(low, found[-1] + 1)) if found and first in _DETERMINERS else None


def _called(there: Sequence[re.Match[str]], now: Sequence[re.Match[str]]) -> Span | None:
    """A name, as another one is said."""
    if not all(one[0][0].isupper() for one in now):
        return None
    found = [at for at, one in enumerate(there) if at and one[0][0].isupper()]
    begins = found[-1] if found else 0
    while begins > 1 and begins - 1 in found:
        begins -= 1
    return (begins, found[-1] + 1) if found else None
