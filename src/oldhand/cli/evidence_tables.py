"""How the evidence for lessons is put into words and tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.screen import Listing, one_line, program, some
from oldhand.learning.evidence import Decided, EvidenceDecision, Interval, LessonEvidence, path_of
from oldhand.record.shortening import SHOWN_ID
from oldhand.record.stage import State

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.learning.evidence.exam_results import ExamResult
    from oldhand.record.base import Row
    from oldhand.settings import TrialSettings

_SHOWN_SUMMARY = 60
_SHOWN_QUESTIONS = 5
"""Questions of an exam that are named of each kind."""
_DECIDED = {EvidenceDecision.PROMOTE: "helps: promote", EvidenceDecision.RETIRE: "harms: retire"}


def evidence_lines(
    found: Sequence[LessonEvidence], limits: "TrialSettings", most: int
) -> "Iterator[RenderableType]":
    """The first lessons, one on each line, and what all of them come to."""
    if not found:
        yield Text(_nothing_yet(limits))
        return
    columns = ("id", "lesson", "exam", "shadows", "draws", "verdict")
    yield Listing(columns, [_row(one) for one in found[:most]])
    yield from more_than(found, most)
    yield Text(
        "Effects on right answers in percentage points, with their 95 % limits: on confirmed questions (exam), on answers "
        "that came out otherwise with it (shadows), and on those it was shown in or left out of at random (draws)."
    )
    yield Text(_summed_up(found))
    if any(one.uneven for one in found):
        yield Text(
            "* Answers with it are judged more often, or less often, than those without: people may judge by what they see."
        )


def more_than(found: Sequence[object], most: int) -> Iterator[Text]:
    """How many are not shown, and how to see them; nothing where all are."""
    if len(found) > most:
        yield Text(f"And {len(found) - most:,} more: --limit {10 * most} shows more of them.")


def lesson_lines(one: LessonEvidence, limits: "TrialSettings") -> Iterator[Text]:
    """One lesson, in sentences."""
    yield Text(one_line(one.lesson_id), "bold")
    yield Text(one_line(one.summary))
    yield from exam_lines(one.exam)
    yield from _shadow_lines(one)
    if one.shown or one.held_out:
        yield from _draw_lines(one)
    yield Text(_verdict_sentence(one, limits))


def exam_lines(exam: "ExamResult | None") -> Iterator[Text]:
    """How something did in its exam, in sentences."""
    if exam is None:
        yield Text("Exam: no confirmed question concerns it yet.")
        return
    mended, broken = len(exam.mended), len(exam.broken)
    yield Text(
        f"Exam of {exam.at:%Y-%m-%d}: of {some(exam.asked, 'confirmed question')} it mends {mended:,} and breaks {broken:,}"
        f"{_points_after(exam.effect)}."
    )
    for question in exam.broken[:_SHOWN_QUESTIONS]:
        yield Text(f"  broken: {one_line(question)}")
    for question in exam.mended[:_SHOWN_QUESTIONS]:
        yield Text(f"  mended: {one_line(question)}")


def _shadow_lines(one: LessonEvidence) -> Iterator[Text]:
    shadows = one.shadows
    if not shadows.same and not shadows.differing:
        return
    yield Text(
        f"Shadows: {some(shadows.same, 'answer')} would have been the same either way; {shadows.differing:,} came out "
        f"otherwise, of which {shadows.judged:,} were judged, {shadows.both:,} of them both ways."
    )
    if shadows.effect is not None:
        yield Text(f"Effect on these: {_points(shadows.effect)} points, with 95 % confidence.")


def _draw_lines(one: LessonEvidence) -> Iterator[Text]:
    yield Text(
        f"Draws: shown in {some(one.shown, 'answer')}, left out of {one.held_out:,} at random; "
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


def decided_lines(decided: Sequence[Decided]) -> Iterator[Text]:
    """What was just done."""
    if not decided:
        yield Text("Nothing is decided: no lesson has been found to help, or to do harm, since.")
    for one in decided:
        verb = "Retired" if one.evidence.decision is EvidenceDecision.RETIRE else "Promoted"
        effect = one.evidence.effect
        told = "" if effect is None else f": {_points(effect)} points"
        yield Text(f"{verb} {one.memory.id[:SHOWN_ID]}{told}. {one_line(one.memory.summary)}")


def _nothing_yet(limits: "TrialSettings") -> str:
    return (
        "No lesson has been on trial yet. What the owner or an expert corrected or approved is in force at once. A rule, "
        "checklist, preference or fix that only machines have found is drawn, at first in "
        f"{limits.young:.0%} of the answers that it changes; as soon as some of these are judged, by "
        f"`{program()} feedback` or by evaluators, this compares them."
    )


def _row(one: LessonEvidence) -> "Row":
    summary = one_line(one.summary, _SHOWN_SUMMARY)
    shadows = one.shadows
    looked = shadows.same + shadows.differing
    drawn = one.judged_shown + one.judged_held_out
    return (
        one.lesson_id[:SHOWN_ID],
        summary,
        _measured(one.exam and one.exam.effect, one.exam.asked if one.exam else 0),
        _measured(shadows.effect, shadows.judged, f", {shadows.same:,} same" if looked else ""),
        _measured(one.effect, drawn, "*" if one.uneven else ""),
        _verdict(one),
    )


def _measured(effect: Interval | None, number: int, more: str = "") -> str:
    """An effect with the number that it rests on.

    >>> _measured(Interval(mean=-0.061, low=-0.102, high=-0.02), 40), _measured(None, 2), _measured(None, 0)
    ('-6.1 (-10.2 to -2.0), n 40', 'n 2', '')
    """
    if not number and not more:
        return ""
    told = "" if effect is None else f"{_points(effect)}, "
    return f"{told}n {number:,}{more}"


def _points_after(effect: Interval | None) -> str:
    return "" if effect is None else f": {_points(effect)} points"


def _verdict(one: LessonEvidence) -> str:
    if one.decision is not EvidenceDecision.WAIT:
        return _DECIDED[one.decision]
    if one.state is State.ON_TRIAL:
        return f"on trial, {min(max(one.progress, one.shadows.progress), 1):.0%}"
    return one.state.value


def _verdict_sentence(one: LessonEvidence, limits: "TrialSettings") -> str:
    if one.decision is not EvidenceDecision.WAIT:
        which = "better" if one.decision is EvidenceDecision.PROMOTE else "worse"
        done = "promoted" if one.decision is EvidenceDecision.PROMOTE else "retired"
        return (
            f"Answers are {which} with it: {one.standing:+.2f} standard deviations, where {one.bound:.2f} had to be "
            f"reached. It is {done} the next night, or now by `{program()} evidence --decide`."
        )
    if one.state is State.IN_FORCE:
        return "It is in force: somebody with a say stands behind it, or its trial has shown that it helps."
    if one.state is not State.ON_TRIAL:
        why = f": {one_line(one.why).rstrip('.')}" if one.why else ""
        return f"It is {one.state.value}{why}."
    share = f"It is on trial, and shown in {one.chance:.0%} of the answers that it changes"
    path = path_of(one, limits)
    if not path:
        return f"{share}."
    mark, bound = path[-1]
    return f"{share}: at the last look {mark.standing:+.2f} standard deviations; {bound:.2f} either way decide."


def _summed_up(found: Sequence[LessonEvidence]) -> str:
    states = Counter(one.state for one in found)
    told = [f"{states[state]:,} {state.value}" for state in State if states[state]]
    if undecided := sum(one.decision is not EvidenceDecision.WAIT for one in found):
        told.append(f"{undecided:,} to be decided")
    return f"{some(len(found), 'lesson')}: {', '.join(told)}."


def _points(effect: Interval) -> str:
    """A difference of shares in percentage points.

    >>> _points(Interval(mean=-0.061, low=-0.102, high=-0.02))
    '-6.1 (-10.2 to -2.0)'
    """
    return _spread(effect.times(100), "+.1f")


def _spread(one: Interval, form: str) -> str:
    return f"{one.mean:{form}} ({one.low:{form}} to {one.high:{form}})"
