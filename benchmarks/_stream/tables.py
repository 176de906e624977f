"""The results as Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from benchmarks._stream.comparing import QUARTERS, Compared, seen, unseen
from benchmarks._stream.conditions import (
    ARMS,
    FLIPPED,
    GOLD,
    LATE,
    OFF,
    OURS,
    PLACEBO,
    ROLL_BACK,
    SYNONYM_ARMS,
    THUMBS,
    Condition,
    Form,
    Manner,
    baseline,
)
from benchmarks._stream.intervals import Interval
from benchmarks._stream.running import Marks

FLIPPED_FIFTH = Condition(OURS, Manner(Form.THUMB, flipped=0.2))


@dataclass(frozen=True)
class Results:
    """All that was run."""

    marks: Marks
    length: int
    """Questions in a stream."""
    orders: Sequence[int]

    def of(self, condition: Condition) -> Compared:
        """A condition beside its baseline."""
        return Compared(self.marks[condition], self.marks[baseline(condition)], self.length)

    def has(self, condition: Condition) -> bool:
        """Whether it was run."""
        return bool(self.marks.get(condition))


def report(results: Results) -> str:
    """All tables, with a heading each."""
    by_arm = [(arm.name, Condition(arm)) for arm in ARMS]
    syn = [(arm.name, Condition(arm, synonyms=True)) for arm in SYNONYM_ARMS]
    manners = [
        (m.name, Condition(OURS, m)) for m in dict.fromkeys((*GOLD, *THUMBS, *FLIPPED, *LATE))
    ]
    off = [("nothing (loop off)", Condition(OFF))]
    sections = (
        ("Arms, with gold feedback on every question", _table("arm", by_arm, results)),
        ("Feedback of other kinds", _table("feedback", [*off, *manners], results)),
        ("In words that the schemas don't use", _table("arm", syn, results)),
        ("What was hoped for", _hopes(results)),
    )
    return "\n\n".join(f"### {title}\n\n{table}" for title, table in sections)


def _table(first: str, rows: Sequence[tuple[str, Condition]], results: Results) -> str:
    head = (first, "right", "1st quarter", "2nd", "3rd", "4th", "gain", "on SQL seen", "on SQL unseen", "rests on memory")  # fmt: skip
    lines = [_line(head), _line(["---"] * len(head))]
    lines += [_line(_cells(n, results.of(c))) for n, c in rows if results.has(c)]
    return "\n".join(lines)


def _cells(name: str, compared: Compared) -> Iterator[str]:
    yield name
    yield percent(compared.accuracy())
    for number in QUARTERS:
        yield percent(compared.accuracy(compared.quarter(number)))
    is_baseline = compared.marks is compared.baseline
    for gain in (compared.gain(), compared.gain(seen), compared.gain(unseen)):
        yield "" if is_baseline else points(gain)
    yield percent(compared.informed())


def _hopes(results: Results) -> str:
    head = ("measure", "hoped for", "reached", "enough")
    rows = [(*told, "yes" if enough else "no") for *told, enough in _hoped(results)]
    return "\n".join(map(_line, (head, ["---"] * len(head), *rows)))


Hope = tuple[str, str, str, bool]
"""What is measured, what was hoped for, what was reached, and whether that is enough."""


def _hoped(results: Results) -> Iterator[Hope]:
    if results.has(Condition(OURS)):
        yield from _learned(results.of(Condition(OURS)))
    if results.has(Condition(OURS, synonyms=True)):
        yield from _in_other_words(results)
    if results.has(FLIPPED_FIFTH):
        gain = results.of(FLIPPED_FIFTH).gain()
        yield "gain from thumbs, 20 % flipped", "low end above -1", points(gain), gain.low > -0.01
    if results.has(Condition(PLACEBO)):
        gain = results.of(Condition(PLACEBO)).gain()
        yield "gain of the placebo", "none", points(gain), gain.low <= 0
    if results.has(Condition(ROLL_BACK)):
        apart = _apart(results.of(Condition(ROLL_BACK)))
        yield "answers unlike loop off after the roll-back", "0", str(apart), apart == 0


def _learned(ours: Compared) -> Iterator[Hope]:
    right, last = ours.accuracy(), ours.accuracy(ours.quarter(3))
    yield "right, gold on every question", "68 %", percent(right), right >= 0.68
    yield "right in the last quarter", "75 %", percent(last), last >= 0.75
    gain = ours.gain(unseen)
    yield "gain on SQL unseen", "low end above 0", points(gain), gain.low > 0


def _in_other_words(results: Results) -> Iterator[Hope]:
    before = results.of(Condition(OFF, synonyms=True)).accuracy()
    after = results.of(Condition(OURS, synonyms=True)).accuracy()
    yield "right in other words, loop off", "40 %", percent(before), before >= 0.4
    yield "right in other words, learning", "55 %", percent(after), after >= 0.55


def _apart(rolled: Compared) -> int:
    late = rolled.second_half()
    pairs = zip(rolled.marks, rolled.baseline, strict=True)
    return sum(mark.right != base.right for mark, base in pairs if late(mark.turn))


def percent(share: float) -> str:
    """A share for people.

    >>> percent(0.6834)
    '68.3 %'
    """
    return f"{100 * share:.1f} %" if isfinite(share) else "-"


def points(gain: Interval) -> str:
    """A difference of shares in percentage points, with its 95 % interval.

    >>> points(Interval(mean=0.081, low=0.0612, high=0.1011))
    '+8.1 (+6.1 to +10.1)'
    """
    mean, low, high = (f"{100 * part:+.1f}" for part in (gain.mean, gain.low, gain.high))
    return f"{mean} ({low} to {high})" if isfinite(gain.low) else "-"


def _line(cells: Iterator[str] | Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
