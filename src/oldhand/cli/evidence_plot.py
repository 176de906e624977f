"""The picture of the evidence, as SVG: it needs no plotting library."""

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite

from oldhand.cli.screen import safe
from oldhand.learning.evidence import EvidenceDecision, Interval, LessonEvidence, Mark, path_of
from oldhand.record.shortening import shortened
from oldhand.record.stage import State
from oldhand.settings import TrialSettings

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 900, 26, 330, 30, 50, 50
_HIGH = 420
_HARM, _HELP, _OPEN = "#D55E00", "#0072B2", "#333333"
"""Colours that colour-blind people can tell apart (Okabe and Ito 2008)."""
_LABEL, _HEADING = 44, 110
"""Characters of a lesson."""
_FAR = 6.0
"""Standard deviations that the path of one lesson shows at most."""


def drawn(found: Sequence[LessonEvidence], limits: TrialSettings) -> str:
    """The effects of several lessons with their intervals; of a single one, its path between the bounds."""
    one = found[0] if len(found) == 1 else None
    if one is not None and (path := path_of(one, limits)):
        return _svg(_HIGH, "".join(_path(one, path)))
    rows = [(one, effect) for one in found if (effect := one.shadows.effect or one.effect)]
    return _svg(_TOP + _BOTTOM + _ROW * max(len(rows), 1), "".join(_forest(rows)))


def _svg(height: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="13">\n<rect width="{_WIDTH}" height="{height}" fill="white"/>\n{body}</svg>\n'
    )


def _forest(rows: Sequence[tuple[LessonEvidence, Interval]]) -> Iterator[str]:
    """One line for each lesson: the effect on the answers that it changed, where these are known."""
    yield _text(
        16, 28, "Effect of each lesson on right answers, percentage points (95 % intervals)", "bold"
    )
    if not rows:
        yield _text(16, _TOP + _ROW / 2, "There is too little to tell an effect yet.")
        return
    reach = max(max(abs(effect.low), abs(effect.high)) for _, effect in rows)
    bottom = _TOP + _ROW * len(rows)

    def at(effect: float) -> float:
        return _LEFT + (effect / reach + 1) / 2 * (_WIDTH - _LEFT - _RIGHT)

    yield _line((at(0), _TOP), (at(0), bottom), "#999999")
    for share in (-reach, 0.0, reach):
        yield _text(at(share), bottom + 24, f"{100 * share:+.1f}", anchor="middle")
    for number, (one, effect) in enumerate(rows):
        y, colour = _TOP + _ROW * (number + 0.5), _colour(one)
        yield _text(16, y + 4, _label(one))
        yield _line((at(effect.low), y), (at(effect.high), y), colour, 2)
        yield f'<circle cx="{at(effect.mean):.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>\n'


def _path(one: LessonEvidence, path: Sequence[tuple[Mark, float]]) -> Iterator[str]:
    """How the evidence went along, and where it would have been enough."""
    last = path[-1][0].showings
    bottom, left = _HIGH - _BOTTOM, 70

    def place(showings: float, standing: float) -> tuple[float, float]:
        height = (_FAR - max(-_FAR, min(standing, _FAR))) / (2 * _FAR)
        return left + showings / last * (_WIDTH - left - _RIGHT), _TOP + height * (bottom - _TOP)

    yield _text(16, 28, _label(one, _HEADING), "bold")
    yield _line(place(0, 0), place(last, 0), "#999999")
    for sign, colour, word in ((1, _HELP, "it helps"), (-1, _HARM, "it does harm")):
        edge = [place(mark.showings, sign * bound) for mark, bound in path if isfinite(bound)]
        yield _polyline(edge, colour, dashed=True)
        yield _text(left + 6, place(0, sign * (_FAR - 0.5))[1], word, colour=colour)
    points = [(0.0, 0.0), *((mark.showings, mark.standing) for mark, _ in path)]
    yield _polyline([place(*point) for point in points], _colour(one))
    for standing in (-4, -2, 0, 2, 4):
        yield _text(left - 10, place(0, standing)[1] + 4, f"{standing:+d}", anchor="end")
    yield _text(_WIDTH - _RIGHT, bottom + 24, f"{last:,.0f} even showings", anchor="end")
    yield _text(left, bottom + 24, "standard deviations, at each look")


def _colour(one: LessonEvidence) -> str:
    if one.decision is EvidenceDecision.RETIRE or one.state is State.RETIRED:
        return _HARM
    if one.decision is EvidenceDecision.PROMOTE or one.state is State.IN_FORCE:
        return _HELP
    return _OPEN


def _label(one: LessonEvidence, size: int = _LABEL) -> str:
    return shortened(one.summary or one.lesson_id, size)


def _text(
    x: float,
    y: float,
    text: str,
    weight: str = "normal",
    *,
    anchor: str = "start",
    colour: str = _OPEN,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(safe(text))}</text>\n"
    )


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, width: int = 1) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>\n'


def _polyline(points: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False) -> str:
    shape = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="6 4"' if dashed else ""
    return f'<polyline points="{shape}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>\n'
