"""Learning: how the assistant does over time, whether each lesson helps, and what has changed."""

from collections.abc import Sequence

from oldhand.errors import UnknownMemory
from oldhand.learning.evidence import LessonEvidence
from oldhand.loop.progress import AnswersOfDay
from oldhand.record.access import Role
from oldhand.record.stage import State
from oldhand.server.web.page import Page, View, Visit

DAYS = 90
_SHOWN_CHANGES = 100
_TRIALS = 200
_SHOWN_ISSUES = 20
STATE_TONES = {
    State.IN_FORCE: "good",
    State.WAITING: "warn",
    State.RETIRED: "quiet",
    State.ERASED: "quiet",
}


async def learning(visit: Visit) -> View:
    """How the assistant does, and what it has learned of late."""
    days = await visit.old.progress(days=DAYS)
    evidence = await visit.old.memories.evidence()
    changes = await visit.old.memories.changes(limit=_SHOWN_CHANGES + 1)
    activity, issues = await visit.old.activity(), await visit.old.issues(limit=_SHOWN_ISSUES)
    return {
        "days": days,
        "totals": totals(days),
        "trends": trends(days, with_cost=visit.may("usage")),
        "evidence": _telling(evidence)[:_TRIALS],
        "changes": changes[:_SHOWN_CHANGES],
        "is_more": len(changes) > _SHOWN_CHANGES,
        "tones": STATE_TONES,
        "activity": activity,
        "issues": issues,
    }


async def lesson(visit: Visit) -> View:
    """Whether one lesson helps."""
    name = visit.given("memory_id")
    found = await visit.old.memories.evidence(name)
    if not found:
        raise UnknownMemory(f"{name} is not on trial: nothing was left to chance with it.")
    return {"one": found[0], "title": found[0].summary}


def _telling(evidence: Sequence[LessonEvidence]) -> list[LessonEvidence]:
    """Lessons of which something is known come first."""
    return sorted(evidence, key=lambda one: (one.exam is None and not one.shadows.same, -one.shown))


def totals(days: Sequence[AnswersOfDay]) -> dict[str, float | None]:
    """Shares over all of these days; None where nothing is known.

    >>> totals(())
    {'answers': 0, 'right': None, 'rated': None, 'liked': None, 'seconds': None, 'cost': 0, 'tokens': 0}
    """
    sums = {
        name: sum(getattr(one, name) for one in days)
        for name in ("answers", "judged", "right", "rated", "liked", "cost", "tokens")
    }
    waited = sum(one.seconds * one.answers for one in days)
    return {
        "answers": sums["answers"],
        "right": _share(sums["right"], sums["judged"]),
        "rated": _share(sums["rated"], sums["answers"]),
        "liked": _share(sums["liked"], sums["rated"]),
        "seconds": _share(waited, sums["answers"]),
        "cost": sums["cost"],
        "tokens": sums["tokens"],
    }


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def trends(days: Sequence[AnswersOfDay], *, with_cost: bool) -> list[dict[str, object]]:
    """What is drawn: each chart with its lines, a value for each day."""
    on = [one.day.isoformat() for one in days]

    def chart(title: str, unit: str, **lines: list[float | None]) -> dict[str, object]:
        return {"title": title, "unit": unit, "days": on, "lines": lines}

    drawn = [
        chart("Answers", "", answers=[one.answers for one in days]),
        chart(
            "Right, and liked",
            "%",
            right=[_percent(one.right, one.judged) for one in days],
            liked=[_percent(one.liked, one.rated) for one in days],
        ),
        chart("Rated by people", "%", rated=[_percent(one.rated, one.answers) for one in days]),
        chart("Time of an answer", "s", seconds=[round(one.seconds, 3) for one in days]),
    ]
    if with_cost and any(one.tokens for one in days):
        drawn += [
            chart("Cost of language models", "$", dollars=[round(one.cost, 4) for one in days]),
            chart("Tokens", "", tokens=[one.tokens for one in days]),
        ]
    return drawn


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


PAGES = (
    Page("/learning", "Learning", Role.EXPERT, learning, "learning.html", "Learning", "l"),
    Page("/learning/{memory_id}", "Lesson on trial", Role.EXPERT, lesson, "lesson.html"),
)
