"""Each row of the table of pages as a route, the files that pages load, and errors as pages."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from oldhand.errors import NotSignedIn
from oldhand.server.access import Caller, credential_of, needs, site_of
from oldhand.server.problems import Problem
from oldhand.server.signing_in import signed_in
from oldhand.server.signing_in_elsewhere import listed
from oldhand.server.web import (
    ask_pages,
    care_pages,
    expert_pages,
    learning_pages,
    memory_pages,
    saved_pages,
    source_pages,
)
from oldhand.server.web.page import Page, Visit
from oldhand.server.web.rendering import rendered, static_files
from oldhand.server.web.saved_pages import shared_page, shared_rows

_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
PAGES: tuple[Page, ...] = (
    *ask_pages.PAGES,
    *saved_pages.PAGES,
    *expert_pages.PAGES,
    *learning_pages.PAGES,
    *memory_pages.PAGES,
    *source_pages.PAGES,
    *care_pages.PAGES,
)
"""Every page of an assistant, in the order of the navigation."""


def page_routes() -> APIRouter:
    """All pages."""
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/", entrance, methods=["GET"])
    router.add_api_route("/favicon.ico", icon, methods=["GET"])
    router.add_api_route("/static/{stamp}/{name}", static_file, methods=["GET"])
    router.add_api_route("/shared/{token}", shared_page, methods=["GET"])
    router.add_api_route("/shared/{token}/rows.{ending}", shared_rows, methods=["GET"])
    for page in PAGES:
        place = f"/clones/{{clone}}{page.path}"
        router.add_api_route(place, _endpoint(page), methods=["GET"], response_model=None)
    return router


def _endpoint(page: Page) -> Callable[..., Awaitable[Response]]:
    async def endpoint(
        request: Request, caller: Annotated[Caller, Depends(needs(page.least))]
    ) -> Response:
        visit = Visit(caller, request)
        view = await page.handler(visit)
        if isinstance(view, Response):
            return view
        is_whole = page.group is not None
        news = await caller.old.experts.news(caller.user) if is_whole else ()
        told = {"news": [one.told for one in news]}
        return rendered(page.template, {**framed(visit, page), **told, **view})

    return endpoint


def framed(visit: Visit, page: Page) -> dict[str, object]:
    """What every template can use."""
    seen = [one for one in PAGES if one.group is not None and visit.caller.role.may(one.least)]
    return {
        "page": page,
        "title": page.title,
        "visit": visit,
        "url": visit.url,
        "user": visit.caller.user,
        "role": visit.caller.role.value,
        "groups": {one.group: [it for it in seen if it.group == one.group] for one in seen},
    }


async def entrance(request: Request) -> Response:
    """The page to sign in; who is signed in already goes on to the first assistant that they may use."""
    try:
        known = await signed_in(request, await credential_of(request))
    except NotSignedIn:
        after = onward(request.query_params.get("next", ""))
        return rendered("sign_in.html", {"next": after, "providers": listed(site_of(request))})
    if not known.clones:
        detail = f"You are signed in as {known.user}, and may use no assistant here yet: ask its owner to let you in."
        return rendered(
            "error.html", {"title": "No assistant", "detail": detail, "is_outside": False}, 403
        )
    return RedirectResponse(f"/clones/{next(iter(known.clones))}/", 303)


def onward(path: str) -> str:
    """Where to go on after signing in: a page of this server, or its entrance.

    >>> onward("/clones/default/history"), onward("//evil.example"), onward("https://evil.example")
    ('/clones/default/history', '/', '/')
    """
    return path if path.startswith("/clones/") and "\\" not in path else "/"


async def static_file(stamp: str, name: str) -> Response:  # noqa: ARG001 - it only tells versions apart
    """A script, a style sheet or an icon."""
    found = static_files().get(name)
    if found is None:
        raise HTTPException(404)
    return FileResponse(found, headers=_FOR_EVER)


async def icon() -> Response:
    """For browsers that look for it where it was in 1999."""
    return FileResponse(static_files()["icon.svg"], headers=_FOR_EVER)


def problem_page(request: Request, problem: Problem) -> Response | None:
    """A problem as people see it; None where a program asked."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return None
    if problem.type == NotSignedIn.__name__:
        return RedirectResponse(f"/?next={request.url.path}", 303)
    is_outside = request.url.path.startswith("/shared/")  # there is no start for them
    missing = "There is no such page" if problem.type == "NOT_FOUND" else "Nothing is here"
    title = missing if problem.status == 404 else problem.title
    told = {"title": title, "detail": problem.detail, "is_outside": is_outside}
    return rendered("error.html", told, problem.status)
