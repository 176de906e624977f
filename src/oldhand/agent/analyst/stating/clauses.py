"""A clause that speaks of rows: what stands before them, the rows, and what stands behind them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import stem

WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
INSIDE = "inside"
"""Stands for `in there`, `in the total`, `part of it`."""
VERBS = ("out", "into", "shown", "seen")
"""Kinds of verbs."""
AUXILIARY = words("leaving.auxiliary")
ANSWERS = words("leaving.answers")
POINTING = words("function_words.determiners") | words("leaving.pointing")
_FRONT = ("supposing", "failing", "sought", "wondering", "without", "denying", "wishing", "happened", "answering", "speaking", "alone")  # fmt: skip
_BACK = ("denying", "wishing", "happened", "alone")
_EMPTY = ("with", "filling")
_NOTHING = ("", 0)


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the rows of a clause."""

    rows: str
    front: tuple[str, ...]
    """What the words before the rows are, each as an entry of `leaving.yaml`."""
    back: tuple[str, ...]
    kind: str
    """The kind of the verb, or what tells without one whether rows are to go in or out."""
    verb: str
    """The verb as it is written; empty where there is none."""
    said: tuple[str, ...]
    """All words of the clause."""

    @property
    def around(self) -> tuple[str, ...]:
        """What all the words are, those of the rows aside."""
        return (*self.front, *self.back)

    @property
    def is_lapse(self) -> bool:
        """Whether rows were left out that should not have been: `you forgot the lost ones`."""
        return self.kind == "missing" or base(self.verb) in map(stem, words("leaving.lapses"))

    @property
    def is_past(self) -> bool:
        """Whether the verb tells what was done, or is being done."""
        return self.verb.endswith(("ed", "ing")) or self.verb in meanings("leaving.irregular")


def frame_of(text: str) -> Frame | None:
    """What stands around the rows that a clause names; None where nothing says what is to be done with them.

    >>> frame = frame_of("you left out the lost ones")
    >>> (frame.front, frame.rows, frame.back) if frame else None
    (('answering', 'out'), 'the lost ones', ())
    """
    return _Clause(text).frame()


@cache
def _entries() -> dict[str, tuple[tuple[str, ...], ...]]:
    """What words are around rows, with the phrases of each kind, the longest first."""
    kinds = {
        "out": words("leaving.out"),
        "into": words("leaving.into"),
        "shown": words("leaving.shown"),
        "seen": words("leaving.seen"),
        "supposing": words("leaving.supposing"),
        "failing": words("leaving.failing"),
        "sought": words("leaving.sought"),
        "wondering": words("leaving.wondering"),
        "without": words("leaving.without"),
        "denying": words("leaving.denying"),
        "wishing": words("leaving.wishing"),
        "happened": words("leaving.happened"),
        "answering": words("leaving.answering"),
        "speaking": words("leaving.speaking"),
        "alone": words("leaving.alone"),
        "with": words("leaving.with"),
        "filling": words("leaving.filling"),
        "missing": words("leaving.missing"),
        "unwanted": words("leaving.unwanted"),
        "outside": words("leaving.outside"),
        "gone": words("leaving.gone"),
    }
    return {kind: tuple(sorted((tuple(one.split("-")) for one in said), key=len, reverse=True)) for kind, said in kinds.items()}  # fmt: skip


def _phrases(kind: str) -> tuple[tuple[str, ...], ...]:
    return _entries()[kind]


@cache
def verbs() -> dict[str, dict[tuple[str, ...], str]]:
    """Stems of verbs to what may belong to them, the longest first, with the kind that they are of then."""
    every = [(kind, phrase) for kind in VERBS for phrase in _phrases(kind)]
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for kind, (head, *tail) in sorted(every, key=lambda one: -len(one[1])):
        found.setdefault(stem(head), {})[tuple(tail)] = kind
    return found


def base(word: str) -> str:
    """The stem by which a form of a verb is known: that of `leave` for `left`."""
    return stem(meanings("leaving.irregular").get(word, word))


def tells_what_was_done(word: str) -> bool:
    """Whether a form of a verb may be that of the past; `need` and the like only end like one."""
    past = word.endswith("ed") and word not in words("leaving.heads_in_ed")
    return past or word in meanings("leaving.irregular")


class _Clause:
    """Takes a clause apart from both ends, until only the rows are left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans = [one.span() for one in WORD.finditer(text)]
        self._said = tuple(text[start:end].lower() for start, end in self._spans)
        self._start, self._end = 0, len(self._said)
        self._kind = self._verb = ""

    def frame(self) -> Frame | None:
        """What stands around the rows."""
        front = list(self._front())
        parted = self._parted()
        if parted[1]:
            front = [parted[0] if one == self._kind else one for one in front]
            self._kind, self._end = parted[0], self._end - parted[1]
        back = [] if parted[1] else [*self._back()][::-1]
        kind = self._kind or self._without_verb(front, back)
        if not kind or self._start == self._end:
            return None
        rows = self._text[self._spans[self._start][0] : self._spans[self._end - 1][1]]
        return Frame(rows, tuple(front), tuple(back), kind, self._verb, self._said)

    def _front(self) -> Sequence[str]:
        found: list[str] = []
        while self._start < self._end:
            role, size = self._role_before(found)
            if not size:
                break
            if role in (*VERBS, "without", "sought"):
                self._kind = role
            found.append(role)
            self._start += size
        return found

    def _role_before(self, before: Sequence[str]) -> tuple[str, int]:
        """What the next word before the rows is, and how many words belong to it; none where the rows begin."""
        at, said = self._start, self._said
        if self._kind:
            return self._first(("alone", *_EMPTY))
        if said[at] in POINTING and said[at + 1 : at + 2] and said[at + 1] in ANSWERS:
            return "answering", 2
        verb, known = self._verb_at(at, before), self._first(_FRONT)
        if verb[1] and (verb[1] > 1 or not known[1]):  # `got rid of`, but `needed`
            self._verb = said[at]
            return verb
        if known[0] == "without" and self._said[at + 1 : at + 2] and self._is_doing(at + 1):
            return "denying", 1
        found = known if known[1] else self._first(_EMPTY)
        return ("auxiliary", 1) if not found[1] and said[at] in AUXILIARY else found

    def _first(self, roles: Sequence[str]) -> tuple[str, int]:
        at = self._start
        return next(((role, len(one)) for role in roles for one in _phrases(role) if self._said[at : at + len(one)] == one), _NOTHING)  # fmt: skip

    def _last(self, roles: Sequence[str], end: int) -> tuple[str, int]:
        return next(((role, len(one)) for role in roles for one in _phrases(role) if self._said[max(end - len(one), self._start) : end] == one), _NOTHING)  # fmt: skip

    def _verb_at(self, at: int, before: Sequence[str]) -> tuple[str, int]:
        """The verb at a place before the rows; what belongs to it may stand behind them."""
        tails = verbs().get(base(self._said[at]), {})
        near = [tail for tail in tails if self._said[at + 1 : at + 1 + len(tail)] == tail]
        far = [tail for tail in tails if tail and self._size_behind(tail)]
        size = 1 + len(near[0]) if near else 1
        if not (near or far) or not self._acts(at, size, before):
            return _NOTHING
        return tails[(near or far)[0]], size

    def _is_doing(self, at: int) -> bool:
        """Whether a word tells what somebody is doing: `without counting the lost ones`."""
        return self._said[at].endswith("ing") and base(self._said[at]) in verbs()

    def _acts(self, at: int, size: int, before: Sequence[str]) -> bool:
        """Whether a word tells what is done; `lost` in `are lost parcels counted` says what parcels they are."""
        word, behind = self._said[at], self._said[at + size : at + size + 1]
        if not tells_what_was_done(word):
            return True
        has = at > 0 and self._said[at - 1] in words("verbs.have")
        by_whom = has or "answering" in before or "speaking" in before
        return by_whom or size > 1 or bool(behind and behind[0] in POINTING)

    def _parted(self) -> tuple[str, int]:
        """What belongs to the verb and stands behind the rows: `leave the lost ones out`."""
        tails = verbs().get(base(self._verb), {})
        sizes = ((tails[tail], self._size_behind(tail)) for tail in tails if tail)
        return next((one for one in sizes if one[1] and one[1] < self._end - self._start), _NOTHING)

    def _size_behind(self, tail: tuple[str, ...]) -> int:
        """How many words at the end are a part of a verb, with those behind it that say nothing."""
        end = whole = len(self._said)
        while end > self._start and (size := self._last(_EMPTY, end)[1]):
            end -= size
        if tail == ("in",) and self._said[end - 1 : end] == (INSIDE,):
            return whole - end + 1
        return whole - end + len(tail) if self._said[max(end - len(tail), 0) : end] == tail else 0

    def _back(self) -> Sequence[str]:
        """What the words behind the rows are, the last one first."""
        found: list[str] = []
        before = bool(self._kind)
        while self._end > self._start:
            role, size = self._role_behind(found, before=before)
            if not size:
                break
            found.append(role)
            self._end -= size
        return found

    def _role_behind(self, behind: Sequence[str], *, before: bool) -> tuple[str, int]:
        """What the last word behind the rows is, and how many words belong to it; none where the rows end."""
        if self._said[self._end - 1] == INSIDE:
            return INSIDE, 1
        whole = self._last(("wishing",), self._end)  # `have to`
        found = whole if whole[1] > 1 and not before else self._last(_EMPTY, self._end)
        if self._kind == "sought" and not found[1]:
            found = self._last(("gone", "missing"), self._end)
        if found[1] or before:
            return found
        if not (self._kind or "auxiliary" in behind or "denying" in behind):
            tried = (self._last(("missing", "unwanted"), self._end), self._verb_behind(), self._last(("outside",), self._end))  # fmt: skip
            found = next((one for one in tried if one[1]), _NOTHING)
            self._kind = found[0]
            if not found[1] and self._said[self._end - 1] == "in":
                return INSIDE, 1
            if found[1]:
                return found
        if not (self._kind or INSIDE in behind):
            return _NOTHING
        found = self._last(_BACK, self._end)
        is_auxiliary = not found[1] and self._said[self._end - 1] in AUXILIARY
        return ("auxiliary", 1) if is_auxiliary else found

    def _verb_behind(self) -> tuple[str, int]:
        for at in range(max(self._end - 4, self._start), self._end):
            tails = verbs().get(base(self._said[at]), {})
            if (tail := self._said[at + 1 : self._end]) in tails:
                self._verb = self._said[at]
                return tails[tail], self._end - at
        return _NOTHING

    def _without_verb(self, front: Sequence[str], back: Sequence[str]) -> str:
        """What tells without a verb what is to be done."""
        if INSIDE in back or ("there" in self._said[: self._start] and "auxiliary" in front):
            return INSIDE
        if "denying" in front and {"denying", "wishing", "speaking", "auxiliary", "filling"}.issuperset(front):  # fmt: skip
            denied = "wishing" in front or self._said[self._start - 1] in ("not", "no")
            return "denied" if denied else ""
        return "with" if "with" in (*front, *back) else ""
