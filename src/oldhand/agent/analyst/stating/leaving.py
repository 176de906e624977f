"""Sentences that leave rows out of an answer or put them in: `without the lost ones`, `why are they missing?`.

One rule reads them all. A verb has an effect, out or in; each *not* turns it; and what is told as it happened, rather than as it
should be, asks for the opposite: `you left out the lost ones` puts them in.
"""

import re
from dataclasses import dataclass

from oldhand.agent.analyst.stating.clauses import (
    ANSWERS,
    AUXILIARY,
    INSIDE,
    WORD,
    Frame,
    frame_of,
)
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import quoted_spans

_NOT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|should|must|ought|need|would|could|ca|wo|sha)n'?t\b", re.IGNORECASE)  # fmt: skip
_CUT_SHORT = {"ca": "can", "wo": "will", "sha": "shall"}
_SHORT = re.compile(
    r"(?<=\w)'(ve|re|m|ll|d)\b|(?<=\b(?:it|he))'(s)\b|(?<=\bthat)'(s)\b", re.IGNORECASE
)
_WRITTEN_OUT = {"ve": " have", "re": " are", "m": " am", "ll": " will", "d": " would", "s": " is"}
_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_NEITHER = re.compile(r"^neither (.+) nor (.+)$", re.IGNORECASE)
_NONE_OF = re.compile(r"^(no|not|without) (.+?)(?:,|,? (?:and|or|nor)) \1 (.+)$", re.IGNORECASE)
_CLAUSES = re.compile(r"(?:[,;:.!?]|\s-\s|\b(?:but|although|though|which)\b)+(?:\s*\band\b)?", re.IGNORECASE)  # fmt: skip
_CONTRAST = re.compile(r"\b(?:instead of|rather than|in place of)\b|[,;] (?:and )?not\b|^not\b.*(?:\bbut\b|[,;])", re.IGNORECASE)  # fmt: skip
_PLACED = re.compile(
    rf"\b(?P<how>in|into|within|inside|among|part of|from|out of|of|to|with)\s+(?:it|there|here|this|that|(?:(?:the|this|that|your|my|our|all)\s+)?(?:{'|'.join(sorted(ANSWERS))}))(?=\W*$|\s*[,;:.!]|\s+(?:too|as well|also|please|anyway)\b)",
    re.IGNORECASE,
)
_WITHIN = {
    **dict.fromkeys(("in", "into", "within", "inside", "among", "part of"), INSIDE),
    "out of": "out",
}
_OF_ROWS = re.compile(
    r"(?<!that)(?<!which)(?<!who)\s(?:is|are|was|were|has|have|do|does)\b.*", re.IGNORECASE
)
"""What a clause tells of the rows that it names."""
_HOLDS = re.compile(
    r"^.*?\s(?:has|have|holds?|contains?|includes?|counts?|shows?)\s+(?:the |some |all )?",
    re.IGNORECASE,
)
"""What an answer has in it."""
_EFFECTS = {
    "out": False, "missing": False, "without": False, "unwanted": False, "outside": False,
    "into": True, "shown": True, "seen": True, "sought": True, "with": True, "denied": True, INSIDE: True,
}  # fmt: skip
"""Whether rows go in by what a clause says of them, as long as nothing turns it."""
_ALWAYS_TOLD = ("without", "unwanted", "outside", "with", "denied", "sought")
"""Without a verb nothing happens."""


@dataclass(frozen=True, slots=True)
class RowsSaid:
    """Rows that a sentence names, and what it wants done with them."""

    rows: str
    """As they are named; empty where it names none."""
    wants: tuple[bool, ...]
    """True for in, False for out, the likeliest first; none where the sentence only asks whether they are in."""
    told: bool = True
    """False where it speaks of what happened."""

    @property
    def is_open(self) -> bool:
        """Whether it may ask for something else of the answer: `also show the type`."""
        return self.told and self.wants == (True,)


def rows_said(sentence: str) -> RowsSaid | None:
    """What rows a sentence wants in or out; None where it is none of that kind.

    >>> [(one.rows, one.wants) for one in map(rows_said, ("Please leave the lost ones out", "why are lost parcels missing?")) if one]
    [('the lost ones', (False,)), ('lost parcels', (True,))]
    >>> rows_said("by month")
    """
    text = without_contractions(sentence)
    text = _PLACED.sub(lambda m: _WITHIN.get(m["how"].lower(), ""), text)
    text = _NONE_OF.sub(r"\1 \2 or \3", _NEITHER.sub(r"not \1 or \2", text))
    if _CONTRAST.search(text):
        return None
    clauses = [one.strip() for one in _CLAUSES.split(text) if not _is_remark(one)]
    return _of_clauses(clauses) or (_read(text) if len(clauses) > 1 else None)


def without_contractions(sentence: str) -> str:
    """A sentence without contractions.

    >>> without_contractions("They can't count, it's wrong")
    'They can not count, it is wrong'
    """
    text = _NOT.sub(lambda m: f"{_CUT_SHORT.get(m[1].lower(), m[1])} not", sentence)
    text = _SHORT.sub(lambda m: _WRITTEN_OUT[next(filter(None, m.groups())).casefold()], text)
    return text.replace("cannot", "can not")


def without_longer(said: str) -> str:
    """Words with `not` in place of `no longer`, what is quoted aside.

    >>> without_longer("no longer those with status 'no longer sold'")
    "not those with status 'no longer sold'"
    """
    quoted = [at for start, end in quoted_spans(said) for at in range(start, end)]
    return _LONGER.sub(lambda found: found[0] if found.start() in quoted else "not", said)


def _of_clauses(clauses: list[str]) -> RowsSaid | None:
    """What clauses want done with the same rows: `the lost ones are in there, take them out`."""
    read = [_read(one) for one in clauses]
    told = [one for one in read if one is not None]
    rest = [_rows_of(clauses[at]) for at, one in enumerate(read) if one is None]
    named = [one for one in rest if not _is_named_before(one.partition(" ")[0])]
    named += [one.rows for one in told if one.rows]
    if not told or len(named) > 1 or len({one.wants[:1] for one in told}) > 1:
        return None
    return RowsSaid("".join(named), told[0].wants, told[0].told)


def _rows_of(clause: str) -> str:
    """The rows that a clause tells something of, or finds in the answer: `it has lost ones`."""
    rows = _OF_ROWS.sub("", clause)
    is_answer = ANSWERS.union(words("leaving.answering"), ("the", "your")).issuperset(rows.lower().split())  # fmt: skip
    return _HOLDS.sub("", clause) if is_answer and _HOLDS.match(clause) else rows


def _is_remark(clause: str) -> bool:
    """Whether a clause names nothing: `which is wrong`, `it's too high`."""
    said = [word for one in WORD.findall(clause.lower()) for word in one.split("'")]
    known = ("filling", "answering", "wishing", "denying", "wondering")
    return AUXILIARY.union(
        ANSWERS, words("leaving.judging"), *(words(f"leaving.{one}") for one in known)
    ).issuperset(said)


def _read(clause: str) -> RowsSaid | None:
    """What a clause wants done with which rows."""
    frame = frame_of(clause)
    if frame is None or (frame.around == ("with",) and frame.said[0] == "with"):
        return None  # `with at least 2 rooms` says which rows alone
    if frame.rows.lower().endswith((" that", " which", " who")):
        return None  # so do `those that are not lost`
    rows = "" if _is_named_before(frame.rows) else frame.rows
    if _asks(frame):
        return RowsSaid(rows, (True,) if frame.is_lapse else (), told=False)
    wants, happened = _wants(frame)
    alone = True in wants and not words("leaving.alone").isdisjoint(frame.said)
    open_to_all = frame.kind == "shown" and wants == (True,) and not happened
    return None if alone or open_to_all else RowsSaid(rows, wants, told=not happened)


def _is_named_before(rows: str) -> bool:
    """Whether they are told by a word such as `them`."""
    return words("leaving.named_before").issuperset(WORD.findall(rows.lower()))


def _wants(frame: Frame) -> tuple[tuple[bool, ...], bool]:
    """Whether rows are to go in, the likeliest first, and whether that follows from what happened."""
    told = _EFFECTS[frame.kind] is not _is_turned(frame)
    wishes = "wishing" in frame.around and not (frame.kind == "seen" and {"can", "could"} & {*frame.said})  # fmt: skip
    is_told = (
        wishes
        or frame.kind in _ALWAYS_TOLD
        or (frame.front[:1] == ("with",) and not frame.is_lapse)
    )
    if is_told and not {"failing", "wondering"} & {*frame.around}:
        return (told,), False
    if _happened(frame):
        return (not told,), True
    behind = frame.kind not in frame.front and ("auxiliary" in frame.back or frame.is_past)
    return ((told, not told) if "speaking" in frame.front or behind else (told,)), False


def _is_turned(frame: Frame) -> bool:
    """Whether a *not* turns what the verb does; `shouldn't they be left out?` has one that does not."""
    turned = frame.around.count("denying") + frame.around.count("failing")
    asks = frame.front[:2] == ("wishing", "denying") and (
        "answering" in frame.front or frame.kind not in frame.front
    )
    return (turned - asks) % 2 == 1


def _asks(frame: Frame) -> bool:
    """Whether it only asks: `did you count the lost ones?`."""
    first, behind = frame.front[:1], frame.kind not in frame.front
    if first == ("auxiliary",):
        return behind or "answering" in frame.front or "speaking" in frame.front
    return first == ("happened",) and behind


def _happened(frame: Frame) -> bool:
    """Whether it tells what happened, or what there is, rather than what should be."""
    if {"wondering", "happened", "failing"} & {*frame.around}:
        return True
    if frame.kind in ("missing", INSIDE, "seen"):
        return True
    if frame.is_lapse:
        return frame.is_past or "answering" in frame.front or "speaking" in frame.front
    if frame.kind in frame.front:
        return "answering" in frame.front
    return "did" in frame.said[-len(frame.back) - 1 :]
