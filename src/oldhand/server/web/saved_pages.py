"""Saved questions with their answers, boards of them, and what somebody sees who was given a link."""

from starlette.requests import Request
from starlette.responses import Response

from oldhand.record.access import Role
from oldhand.record.saved import SavedQuestion, SharedAnswer
from oldhand.server.sharing import shared
from oldhand.server.web.grid import Grid, as_file, chart_of
from oldhand.server.web.page import Page, View, Visit
from oldhand.server.web.rendering import rendered

_ANSWERS = 30


async def saved(visit: Visit) -> View:
    """What is saved, and the boards."""
    found = await visit.old.saved.list(user=visit.caller.user)
    return {"found": found, "boards": await visit.old.boards.list()}


async def question(visit: Visit) -> View:
    """One saved question: its latest answer, what it was answered before, and what was sent."""
    old, user = visit.old, visit.caller.user
    one = await old.saved.get(visit.given("saved"), user=user)
    mine = one.user_id == user or visit.caller.sees_all
    return {
        "one": one,
        "title": one.name,
        "mine": mine,
        "shown": _shown(visit, one),
        "answers": await old.saved.answers(one.id, limit=_ANSWERS, user=user),
        "deliveries": await old.saved.deliveries(one.id, user=user) if mine else (),
    }


def _shown(visit: Visit, one: SavedQuestion) -> View:
    """Rows and chart of the latest answer."""
    latest = one.latest
    rows = (latest.columns, latest.rows) if latest else ((), ())
    return seen(Grid(*rows, name=one.name, files=visit.url(f"/saved/{one.id}/rows")))


def seen(grid: Grid) -> dict[str, object]:
    """What a template needs to show the rows of an answer, where the sentence does not say all of it."""
    single = len(grid.rows) == 1 and len(grid.columns) == 1
    return {"grid": grid if grid.rows and not single else None, "chart": chart_of(grid)}


async def rows(visit: Visit) -> Response:
    """All rows of the latest answer as a file."""
    one = await visit.old.saved.get(visit.given("saved"), user=visit.caller.user)
    latest = one.latest
    grid = Grid(latest.columns, latest.rows, "rows") if latest else Grid((), ())
    return as_file(grid, visit.given("ending"))


async def board(visit: Visit) -> View:
    """Saved questions side by side."""
    found = await visit.old.boards.get(visit.given("board"), user=visit.caller.user)
    mine = found.board.user_id == visit.caller.user or visit.caller.sees_all
    return {
        "board": found.board,
        "title": found.board.name,
        "mine": mine,
        "seen": [(one, _shown(visit, one)) for one in found.questions],
        "all": await visit.old.saved.list(user=visit.caller.user) if mine else (),
    }


async def shared_page(request: Request, token: str) -> Response:
    """The latest answer of a saved question, for anybody with the link to it."""
    one = await shared(request, token)
    shown = seen(_rows_of(one, f"/shared/{token}/rows"))
    return rendered("shared.html", {"one": one, "title": one.name, "shown": shown})


async def shared_rows(request: Request, token: str, ending: str) -> Response:
    """All rows of it as a file."""
    return as_file(_rows_of(await shared(request, token), ""), ending)


def _rows_of(one: SharedAnswer, files: str) -> Grid:
    return Grid(one.columns, one.rows, name="rows", files=files)


PAGES = (
    Page("/saved", "Saved", Role.MEMBER, saved, "saved.html", group="", key="v"),
    Page("/saved/{saved}", "Saved question", Role.MEMBER, question, "saved_question.html"),
    Page("/saved/{saved}/rows.{ending}", "Rows", Role.MEMBER, rows),
    Page("/boards/{board}", "Board", Role.MEMBER, board, "board.html"),
)
