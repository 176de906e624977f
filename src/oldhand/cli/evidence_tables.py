"""How the evidence for lessons is put into words and tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.screen import SHOWN_MEMORY_ID, Listing, one_line, program, shown_share, some
from oldhand.learning.evidence import Decided, Decision, Interval, LessonEvidence, bounds_of
from oldhand.record.stage import Stage

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.record.base import Row
    from oldhand.settings import TrialSettings

_SHOWN_SUMMARY = 60
_DECIDED = {Decision.PROMOTE: "it helps: promote", Decision.RETIRE: "it does harm: retire"}
_STAGED = {
    Stage.CANDIDATE: "on trial",
    Stage.TRUSTED: "trusted",
    Stage.RETIRED: "retired",
    Stage.QUARANTINED: "set aside",
}


def evidence_lines(
    found: Sequence[LessonEvidence], limits: "TrialSettings"
) -> "Iterator[RenderableType]":
    """All lessons, one on each line, and what it comes to."""
    if not found:
        yield Text(_nothing_yet(limits))
        return
    columns = ("id", "lesson", "shown", "held out", "right with", "right without", "effect, points", "verdict", "held out costs")  # fmt: skip
    yield Listing(columns, [_row(one) for one in found])
    yield Text(_summed_up(found))
    if any(one.uneven for one in found):
        yield Text(
            "* Answers with it are judged more often, or less often, than those without: people may judge by what they see."
        )


def lesson_lines(one: LessonEvidence, limits: "TrialSettings") -> Iterator[Text]:
    """One lesson, in sentences."""
    yield Text(one_line(one.lesson_id), "bold")
    yield Text(one_line(one.summary))
    yield Text(
        f"Shown in {some(one.shown, 'answer')}, left out of {one.held_out:,} at random; "
        f"{one.judged_shown:,} and {one.judged_held_out:,} of them were judged."
    )
    if one.success_shown is not None and one.success_held_out is not None:
        yield Text(
            f"With it {one.success_shown:.1%} of them were right, without it {one.success_held_out:.1%}."
        )
    if one.effect is None:
        yield Text("That is too little to tell an effect.")
    else:
        yield Text(f"Effect on right answers: {_points(one.effect)} points, with 95 % confidence.")
    if one.cost is not None and one.cost.high - one.cost.low > 0:
        yield Text(f"Effect on the cost of an answer: {_spread(one.cost, '+.5f')} dollars.")
    if one.seconds is not None:
        yield Text(f"Effect on its time: {_spread(one.seconds, '+.3f')} seconds.")
    if one.lost is not None:
        yield Text(f"Leaving it out has cost {_spread(one.lost, '+.1f')} right answers so far.")
    yield Text(_verdict_sentence(one, limits))


def decided_lines(decided: Sequence[Decided]) -> Iterator[Text]:
    """What was just done."""
    if not decided:
        yield Text("Nothing is decided: no lesson has been found to help, or to do harm, since.")
    for one in decided:
        verb = "Retired" if one.evidence.decision is Decision.RETIRE else "Promoted"
        effect = one.evidence.effect
        told = "" if effect is None else f": {_points(effect)} points"
        yield Text(
            f"{verb} {one.memory.id[:SHOWN_MEMORY_ID]}{told}. {one_line(one.memory.summary)}"
        )


def _nothing_yet(limits: "TrialSettings") -> str:
    return (
        "No lesson has been on trial yet. A rule, checklist, preference or fix that was learned is shown in "
        f"{limits.young:.0%} of the answers that it fits, at random; as soon as some of these answers are judged, by "
        f"`{program()} feedback` or by evaluators, this compares them."
    )


def _row(one: LessonEvidence) -> "Row":
    summary = one_line(one.summary, _SHOWN_SUMMARY)
    effect = "too little known" if one.effect is None else _points(one.effect)
    lost = "" if one.lost is None else f"{one.lost.mean:+.1f} right answers"
    mark = "*" if one.uneven else ""
    return (
        one.lesson_id[:SHOWN_MEMORY_ID], summary, one.shown, one.held_out, shown_share(one.success_shown),
        shown_share(one.success_held_out), effect + mark, _verdict(one), lost,
    )  # fmt: skip


def _verdict(one: LessonEvidence) -> str:
    if one.decision is not Decision.WAIT:
        return _DECIDED[one.decision]
    if one.stage is Stage.CANDIDATE:
        return f"on trial, {min(one.progress, 1):.0%}"
    return _STAGED[one.stage]


def _verdict_sentence(one: LessonEvidence, limits: "TrialSettings") -> str:
    if one.decision is not Decision.WAIT:
        which = "better" if one.decision is Decision.PROMOTE else "worse"
        done = "promoted" if one.decision is Decision.PROMOTE else "retired"
        return (
            f"Answers are {which} with it: {one.standing:+.2f} standard deviations, where {one.bound:.2f} had to be "
            f"reached. It is {done} the next night, or now by `{program()} evidence --decide`."
        )
    if one.stage is not Stage.CANDIDATE or not one.marks:
        why = f": {one_line(one.set_aside).rstrip('.')}" if one.set_aside else ""
        return f"It is {_STAGED[one.stage]}{why}."
    bound, standing = bounds_of(one, limits)[-1], one.marks[-1].standing
    return (
        f"It is on trial, {min(one.progress, 1):.0%} of the way: at the last look {standing:+.2f} standard deviations; "
        f"{bound:.2f} either way decide."
    )


def _summed_up(found: Sequence[LessonEvidence]) -> str:
    counts = {
        "on trial": sum(one.stage is Stage.CANDIDATE for one in found),
        "trusted": sum(one.stage is Stage.TRUSTED for one in found),
        "retired": sum(one.stage is Stage.RETIRED for one in found),
        "to be decided": sum(one.decision is not Decision.WAIT for one in found),
    }
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    lessons = some(len(found), "lesson")
    return f"{lessons}: {told}." if told else f"{lessons}."


def _points(effect: Interval) -> str:
    """A difference of shares in percentage points.

    >>> _points(Interval(mean=-0.061, low=-0.102, high=-0.02))
    '-6.1 (-10.2 to -2.0)'
    """
    return _spread(effect.times(100), "+.1f")


def _spread(one: Interval, form: str) -> str:
    return f"{one.mean:{form}} ({one.low:{form}} to {one.high:{form}})"
