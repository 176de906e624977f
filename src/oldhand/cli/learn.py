"""`oldhand learn`: the work of a night, now."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult
from oldhand.cli.opening import opened_home, run
from oldhand.cli.screen import one_line, some
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.learning.distillation.report import DistilledLesson, Happening
    from oldhand.loop.guarding import Guarded
    from oldhand.loop.night import NightReport

EXAMPLES = options.examples("""
oldhand learn
oldhand learn --dry-run
oldhand learn --anew
""")
_SHOWN = 20
"""Lessons of one kind that are listed; --json has more."""


def learn(
    *,
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would be done.")] = False,
    anew: Annotated[
        bool,
        Option("--anew", help="Instead, derive again all that follows from what is on record."),
    ] = False,
    drop: Annotated[
        bool, Option("--drop", help="With --anew: first let go of all that will be derived.")
    ] = False,
    model: options.ModelOption = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Learn from the answers since the last night.

    Every night does so by itself. Answers are looked back on; what that found becomes lessons, is merged with what is known, or takes its place. Lessons
    are weighed by their trials, and what has served its time goes. Started twice at once, it is done once.
    With --anew nothing changes unless something was lost; what people stated, approved, pinned or imported stays as it is.
    """
    if (anew and dry_run) or (drop and not anew):
        raise UsageError("--dry-run stands without --anew, and --drop with it.")
    with opened_home(home, store=store, model=model) as opened:
        opened.background.skip_nights()
        if anew:
            _anew(opened, drop=drop, as_json=as_json)
            return
        report = run(_learned(opened, dry_run=dry_run))
    CommandResult(report, map(indented, report_lines(report))).say(as_json=as_json)


def _anew(opened: "Home", *, drop: bool, as_json: bool) -> None:
    from oldhand.loop.rebuilding import changes

    rebuilt = run(opened.rebuilding.rebuild(drop=drop))
    lines = [*changes(rebuilt), *filter(None, [rebuilt.note])]
    CommandResult(rebuilt, lines).say(as_json=as_json)


async def _learned(opened: "Home", *, dry_run: bool) -> "NightReport":
    try:
        return await (opened.night.rehearse() if dry_run else opened.night.work())
    finally:
        if opened.lm is not None:
            await opened.lm.aclose()  # the connections of this loop


def report_lines(report: "NightReport") -> Iterator[str]:
    """What a night has done, to be read aloud."""
    if report.busy:
        yield "Another process is at the work of the night already, and does it for both."
        return
    from oldhand.learning.distillation.report import Happening

    told, would = report.told, "would be " if report.dry else ""
    yield _looked_back(report)
    if report.documents:
        yield f"{some(report.documents, 'document')} read, as there is something new in them."
    for what, noun, done in map(_became, Happening):
        events, number = told.of(what), told.counts.get(what, 0)
        if number:
            yield f"{some(number, *noun)} {would}{done}:"
            yield from map(event_line, events[:_SHOWN])
            if number > _SHOWN:
                yield f"  … and {number - min(_SHOWN, len(events)):,} more"
    yield from _spec_lines(report.guarded)
    if report.believed:
        yield f"Believed more or less than before: {some(report.believed, 'lesson')}."
    if not told.changed and report.distilled.proposals:
        yield "What was proposed is known already, or somebody took it out."
    elif not told.changed and not report.believed:
        yield (
            "Nothing to learn. A correction would teach, or a word on what was wrong (oldhand feedback), and so would an "
            "answer that failed or that evaluators complain about."
        )
    if not report.finished:
        yield "There was no time for all of it; the rest is done the next time."


def _spec_lines(guarded: "Guarded") -> Iterator[str]:
    """How the specs were found; nothing when there are none."""
    if guarded.specs:
        yield f"{some(guarded.specs, 'spec')} looked at, {guarded.answered:,} answered anew."
    for failure in guarded.failing[:_SHOWN]:
        yield f"  fails, and nothing on trial is to blame: {failure}"
    if guarded.waits:
        yield f"  Some specs could not be looked at: {guarded.waits}"
    if not guarded.finished:
        yield "  The rest of the specs is looked at the next time."


def indented(line: str) -> str:
    """A line with nothing in it that a terminal could take for a command; its indent stays."""
    return " " * (len(line) - len(line.lstrip(" "))) + one_line(line)


def _looked_back(report: "NightReport") -> str:
    answers, read = report.reflected, report.distilled.read
    back = "" if report.dry else f"Looked back on {some(answers, 'answer')}. "
    proposals = report.distilled.proposals
    return f"{back}{some(read, 'reflection')} read, with {some(proposals, 'proposal')}."


def _became(what: "Happening") -> "tuple[Happening, tuple[str, ...], str]":
    """What it happens to, one of them and several, and what is said of it."""
    of: dict[str, tuple[tuple[str, ...], str]] = {
        "merged": (("lesson",), "confirmed by more answers"),
        "waiting": (
            ("lesson",),
            "waiting until the owner has looked (oldhand memory list --waiting)",
        ),
        "promoted": (("lesson",), "in force from now on, by the evidence"),
        "prompt": (("version of prompts", "versions of prompts"), "changed"),
        "erased": (("memory", "memories"), "erased"),
        "summarised": (("topic",), "summarised"),
    }
    return what, *of.get(what.value, (("lesson",), what.value))


def event_line(event: "DistilledLesson") -> str:
    """What became of one lesson, and why."""
    return f"  {event.lesson_id[:24]}  {event.says}" + (f" ({event.why})" if event.why else "")
