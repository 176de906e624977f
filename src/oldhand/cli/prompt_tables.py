"""How versions of prompts are put into words and tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.screen import Listing, one_line, program, safe, shown_share
from oldhand.learning.prompts import PromptTest, PromptVerdict, Standing, Version
from oldhand.learning.prompts.evolving import Evolved
from oldhand.record.stage import state_of

if TYPE_CHECKING:
    from oldhand.record.memory import PerformanceMetrics
    from oldhand.settings import PromptSettings

_SHOWN_SUMMARY = 60


def version_table(found: "Sequence[tuple[Version, PerformanceMetrics]]") -> Listing:
    """All versions, one on each line."""
    nothing = (
        "All prompts are as they are shipped. When several answers are criticised for the same reason, a night "
        "suggests an instruction, and a version with it is tried."
    )
    columns = ("version", "state", "confidence", "right", "answers", "up", "down", "cost", "ms", "what it adds")  # fmt: skip
    rows = [
        (
            one.id, state_of(one.memory).value, f"{one.memory.confidence:.2f}", shown_share(metrics.success_rate),
            metrics.episodes_used, metrics.positive_feedback, metrics.negative_feedback,
            f"{metrics.avg_cost:.4f}", round(metrics.avg_latency_ms), one_line(one.payload.description, _SHOWN_SUMMARY),
        )
        for one, metrics in found
    ]  # fmt: skip
    return Listing(columns, rows, nothing)


def shown_version(version: Version, metrics: "PerformanceMetrics") -> Iterator[Text]:
    """One version, whole."""
    yield Text(one_line(version.id), "bold")
    yield Text(f"{state_of(version.memory).value}, confidence {version.memory.confidence:.2f}")
    if version.payload.description:
        yield Text(one_line(version.payload.description))
    if version.payload.supersedes:
        yield Text(f"It takes the place of {one_line(version.payload.supersedes)}.")
    yield Text(_fared(metrics))
    evidence = version.memory.provenance.episode_ids
    if evidence:
        yield Text(f"It rests on {len(evidence)} answers, such as {one_line(evidence[0])}.")
    yield Text("It adds to the prompt:" if version.payload.text else "It adds nothing to the prompt.")  # fmt: skip
    for line in version.payload.text.splitlines():
        yield Text(f"  {safe(line)}")


def difference_lines(old: str | None, new: str, lines: Sequence[str]) -> Iterator[Text]:
    """The lines of two versions, marked as in a patch."""
    yield Text(f"--- {'as shipped' if old is None else one_line(old)}")
    yield Text(f"+++ {one_line(new)}")
    colours = {"+": "green", "-": "red"}
    for line in lines:
        yield Text(one_line(line), colours.get(line[0], ""))


def standing_line(standing: Standing) -> Text:
    """Which version is used, when no test runs."""
    if standing.active is None:
        return Text(f"The {standing.role} prompt is as it is shipped; no version of it is tried.")
    return Text(f"{one_line(standing.active.id)} is used; no other version is tried against it.")


def lines_of_test(test: PromptTest, limits: "PromptSettings") -> Iterator[Text]:
    """A test, in sentences."""
    yield Text(f"{one_line(test.candidate)} is tried against {one_line(test.active)}.", "bold")
    for name, metrics, judged in (
        (test.active, test.active_metrics, test.judged_active),
        (test.candidate, test.candidate_metrics, test.judged_candidate),
    ):
        yield Text(f"{one_line(name)}: {judged:,} answers of the test were judged. {_fared(metrics)}")  # fmt: skip
    if test.difference is not None:
        change = test.difference.times(100)
        yield Text(
            f"With {one_line(test.candidate)}, {change.mean:+.1f} of 100 answers more are right; with 95 % confidence it is "
            f"between {change.low:+.1f} and {change.high:+.1f}."
        )
    yield Text(
        f"It is the better one with a probability of {test.better:.0%}: the next answer is made with it with a chance of "
        f"{test.chance:.0%}."
    )
    yield Text(_verdict(test, limits))


def evolved_lines(done: Evolved) -> Iterator[Text]:
    """What was just done."""
    told = (
        ("On trial now: {}.", done.created),
        ("Held back, since it would break a spec: {}.", done.refused),
        ("In use from now on: {}.", done.promoted),
        ("Deprecated: {}.", done.deprecated),
    )
    if not done.changed:
        yield Text("Nothing is decided, and nothing new is tried.")
    for sentence, ids in told:
        for one in ids:
            yield Text(sentence.format(one_line(one)))


def _verdict(test: PromptTest, limits: "PromptSettings") -> str:
    if test.verdict is PromptVerdict.PROMOTE:
        return (
            f"That is clear enough: it takes the place of {one_line(test.active)} the next night, or now by "
            f"`{program()} prompts ab {test.role} --decide`."
        )
    if test.verdict is PromptVerdict.KEEP:
        return (
            f"That is clear enough: {one_line(test.active)} stays, and {one_line(test.candidate)} is deprecated the next "
            f"night, or now by `{program()} prompts ab {test.role} --decide`."
        )
    missing = limits.episodes - test.judged
    if missing > 0:
        return f"Nothing is decided before {missing:,} more answers are judged."
    told = "Nobody has looked at the evidence yet. "
    if test.standing is not None and test.bound is not None:
        told = f"The evidence that it is better stood at {test.standing:.2f} at the last look; at {test.bound:.2f} it is promoted. "
    return f"{told}It is given up after {limits.most_episodes - test.judged:,} more judged answers at the latest."


def _fared(metrics: "PerformanceMetrics") -> str:
    if not metrics.episodes_used:
        return "No answer was made with it yet."
    right = (
        "" if metrics.success_rate is None else f", {metrics.success_rate:.1%} of the judged right"
    )
    return (
        f"{metrics.episodes_used:,} answers in all{right}: {metrics.positive_feedback:,} liked, "
        f"{metrics.negative_feedback:,} disliked, {metrics.avg_cost:.4f} dollars and {metrics.avg_latency_ms:,.0f} ms each."
    )
