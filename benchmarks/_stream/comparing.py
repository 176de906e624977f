"""A run against the run without learning, question by question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

from benchmarks._stream.intervals import Interval, clustered
from benchmarks._stream.replay import Mark
from benchmarks._stream.turns import Turn

Keep = Callable[[Turn], bool]
QUARTERS = (0, 1, 2, 3)


def everything(_turn: Turn) -> bool:
    """Every turn."""
    return True


def seen(turn: Turn) -> bool:
    """Turns whose SQL was asked for before."""
    return turn.seen


def unseen(turn: Turn) -> bool:
    """Turns whose SQL was not asked for before."""
    return not turn.seen


@dataclass(frozen=True)
class Compared:
    """The marks of a condition and those of its baseline, of the same turns in the same order."""

    marks: Sequence[Mark]
    baseline: Sequence[Mark]
    length: int
    """Questions in a stream."""

    def accuracy(self, keep: Keep = everything) -> float:
        """Share of right answers, 0..1; NaN when there is no such turn."""
        return _share([mark.right for mark in self.marks if keep(mark.turn)])

    def informed(self) -> float:
        """Share of answers that rest on something learned."""
        return _share([mark.informed for mark in self.marks])

    def gain(self, keep: Keep = everything) -> Interval:
        """The mean of (right here) - (right in the baseline), clustered by question."""
        pairs = zip(self.marks, self.baseline, strict=True)
        return clustered(
            (mark.turn.number, float(mark.right) - float(base.right))
            for mark, base in pairs
            if keep(mark.turn)
        )

    def quarter(self, number: int) -> Keep:
        """The turns of one quarter of the stream, 0..3."""
        return lambda turn: 4 * turn.position // self.length == number

    def second_half(self) -> Keep:
        """The turns from the middle of the stream on."""
        return lambda turn: 2 * turn.position >= self.length


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else nan
