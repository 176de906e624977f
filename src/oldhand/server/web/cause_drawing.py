"""Where something comes from, drawn: a box for each thing, what it came from to the right of it."""

from collections import defaultdict
from dataclasses import dataclass

from oldhand.record.shortening import shortened
from oldhand.record.why import Cause

WIDTH, HEIGHT, GAP_X, GAP_Y = 186, 46, 30, 12
MOST = 60
_CHARS = 27


@dataclass(frozen=True)
class DrawnCause:
    """One box."""

    cause: Cause
    says: str
    x: int
    y: int


@dataclass(frozen=True)
class CauseDrawing:
    """Where everything lies; what several things came from is there once."""

    width: int
    height: int
    boxes: tuple[DrawnCause, ...]
    lines: tuple[str, ...]


def drawn_causes(root: Cause) -> CauseDrawing:
    """All that something came from, as far as there is room: what is farther from it lies farther to the right.

    >>> vote = Cause(kind="feedback", id="f1", text="Called wrong")
    >>> lessons = tuple(Cause(kind="lesson", id=name, text=name, because=(vote,)) for name in "ab")
    >>> found = drawn_causes(Cause(kind="episode", id="e1", text="How many?", because=lessons))
    >>> [one.cause.id for one in found.boxes], len(found.lines)
    (['e1', 'a', 'b', 'f1'], 4)
    """
    depths, known, edges = dict[str, int](), dict[str, Cause](), dict[tuple[str, str], None]()
    waiting = [(root, 0, "")]
    for cause, depth, above in waiting:
        key = f"{cause.kind} {cause.id or cause.text}"
        if key not in known and len(known) == MOST:
            continue
        known.setdefault(key, cause)
        depths[key] = max(depth, depths.get(key, 0))
        if above:
            edges[above, key] = None
        waiting += [(one, depth + 1, key) for one in cause.because]
    filled, boxes = defaultdict[int, int](int), dict[str, DrawnCause]()
    for key, cause in sorted(known.items(), key=lambda one: depths[one[0]]):
        at = depths[key]
        says = shortened(cause.text, _CHARS)
        boxes[key] = DrawnCause(cause, says, at * (WIDTH + GAP_X), filled[at] * (HEIGHT + GAP_Y))
        filled[at] += 1
    return CauseDrawing(
        width=(max(filled) + 1) * (WIDTH + GAP_X) - GAP_X,
        height=max(filled.values()) * (HEIGHT + GAP_Y) - GAP_Y,
        boxes=tuple(boxes.values()),
        lines=tuple(_line(boxes[one], boxes[other]) for one, other in edges),
    )


def _line(start: DrawnCause, end: DrawnCause) -> str:
    x1, x2 = start.x + WIDTH, end.x
    y1, y2, middle = start.y + HEIGHT // 2, end.y + HEIGHT // 2, (x1 + x2) // 2
    return f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"
