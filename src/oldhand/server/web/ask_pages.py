"""Asking: the question, its answer with all that can be done with it, and what was asked before."""

from starlette.responses import Response

from oldhand.record.access import Role
from oldhand.record.episode import Episode
from oldhand.server.web.grid import Grid, LinkedCell, as_file
from oldhand.server.web.page import Page, View, Visit

_LATEST = 8
_HISTORY = 1_000


async def ask(visit: Visit) -> View:
    """The page to ask on."""
    mine = await visit.old.episodes.list(user=visit.caller.user, limit=_LATEST)
    return {"latest": mine}


async def history(visit: Visit) -> View:
    """What was asked: by everybody for those who see all, else by oneself."""
    whose = None if visit.caller.sees_all else visit.caller.user
    found = await visit.old.episodes.list(user=whose, limit=_HISTORY)
    return {"grid": _listed(visit, found)}


def _listed(visit: Visit, found: tuple[Episode, ...]) -> Grid:
    rows = [
        (
            LinkedCell(one.answer.question, visit.url(f"/answers/{one.id}")),
            one.answer.text,
            LinkedCell(one.answer.outcome.value, tone="quiet"),
            one.user_id,
            f"{one.created_at:%Y-%m-%d %H:%M}",
        )
        for one in found
    ]
    return Grid(("question", "answer", "outcome", "asked by", "when"), rows, name="history")


async def answer(visit: Visit) -> View:
    """One answer in its conversation."""
    return {"episode": await _own(visit)}


async def rows(visit: Visit) -> Response:
    """All rows of an answer as a file."""
    return as_file(grid_of(visit, await _own(visit)), visit.given("ending"))


async def _own(visit: Visit) -> Episode:
    """The answer that a page is about, if whoever asks may see it."""
    found = visit.given("episode_id")
    await visit.caller.check_own(found)
    return await visit.old.episodes.get(found)


def grid_of(visit: Visit, episode: Episode) -> Grid:
    """The rows of an answer."""
    columns, rows = episode.answer.shown
    files = visit.url(f"/answers/{episode.id}/rows")
    return Grid(columns, rows, name=f"answer-{episode.id[:8]}", files=files)


PAGES = (
    Page("/", "Ask", Role.EXTERNAL, ask, "ask.html", group="", key="a"),
    Page("/answers", "History", Role.EXTERNAL, history, "history.html", group="", key="h"),
    Page("/answers/{episode_id}", "Answer", Role.EXTERNAL, answer, "answer.html"),
    Page("/answers/{episode_id}/rows.{ending}", "Rows", Role.EXTERNAL, rows),
)
