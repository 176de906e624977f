"""Errors as problem details (RFC 9457): named, with what to do next, and without anything from inside."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route

from oldhand import errors
from oldhand.errors import OldhandError
from oldhand.record.file_names import without_folders
from oldhand.server.access import COOKIE
from oldhand.server.next_steps import next_steps

logger = logging.getLogger(__name__)


class Problem(BaseModel):
    """What went wrong, for programs and for people."""

    type: str = Field(description="The name of the error.", examples=["UnknownEpisode"])
    title: str = Field(description="What kind of error it is.", examples=["Not Found"])
    status: int = Field(description="The HTTP status.", examples=[404])
    detail: str = Field(description="What happened, and what to do next.")


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": Problem.model_json_schema()}},
    }
    for status in (400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503)
}
"""What every route may answer instead, for its description."""

_STATUS: tuple[tuple[type[OldhandError], HTTPStatus], ...] = (
    (errors.NotSignedIn, HTTPStatus.UNAUTHORIZED),
    (errors.NotAllowed, HTTPStatus.FORBIDDEN),
    (errors.ProviderUnreachable, HTTPStatus.BAD_GATEWAY),
    (errors.TooManyRequests, HTTPStatus.TOO_MANY_REQUESTS),
    (errors.UnknownClone, HTTPStatus.NOT_FOUND),
    (errors.UnknownEpisode, HTTPStatus.NOT_FOUND),
    (errors.UnknownMemory, HTTPStatus.NOT_FOUND),
    (errors.UnknownConsultation, HTTPStatus.NOT_FOUND),
    (errors.UnknownExpert, HTTPStatus.NOT_FOUND),
    (errors.UnknownDocument, HTTPStatus.NOT_FOUND),
    (errors.UnknownDatabase, HTTPStatus.NOT_FOUND),
    (errors.UnknownSaved, HTTPStatus.NOT_FOUND),
    (errors.NameTaken, HTTPStatus.CONFLICT),
    (errors.MemoryConflict, HTTPStatus.CONFLICT),
    (errors.UsageError, HTTPStatus.BAD_REQUEST),
    (errors.StoreLocked, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.StoreUnreachable, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (errors.ModelUnavailable, HTTPStatus.BAD_GATEWAY),
    (errors.ModelError, HTTPStatus.BAD_GATEWAY),
    (errors.SchemaError, HTTPStatus.CONFLICT),
    (errors.DatabaseError, HTTPStatus.BAD_GATEWAY),
)
_HINTS = {
    HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Bearer"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "1"},
    HTTPStatus.TOO_MANY_REQUESTS: {"Retry-After": "1"},
}


def problem_of(error: OldhandError, *, in_browser: bool = False) -> Problem:
    """The problem that an error is, with what to do next as the browser or a program has it."""
    kinds = (status for kind, status in _STATUS if isinstance(error, kind))
    status = next(kinds, HTTPStatus.INTERNAL_SERVER_ERROR)
    detail = next_steps(without_folders(str(error)), in_browser=in_browser)
    return Problem(type=type(error).__name__, title=status.phrase, status=status, detail=detail)


def error_for_openai(problem: Problem) -> dict[str, object]:
    """A problem in the form in which clients made for OpenAI look for it."""
    return {"message": problem.detail, "type": problem.type, "code": problem.status}


def responded(problem: Problem, *, for_openai: bool = False) -> JSONResponse:
    """A problem as a response."""
    besides = {"error": error_for_openai(problem)} if for_openai else {}
    return JSONResponse(
        {**problem.model_dump(), **besides},
        problem.status,
        _HINTS.get(HTTPStatus(problem.status)),
        "application/problem+json",
    )


def add_problems(app: FastAPI, page: Callable[[Request, Problem], Response | None]) -> None:
    """Let each error of a route come out as a problem; as a page where `page` makes one of it."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, OldhandError), "it is registered for these"
        problem = problem_of(error, in_browser=COOKIE in request.cookies)
        for_openai = request.url.path.startswith("/v1/")
        return page(request, problem) or responded(problem, for_openai=for_openai)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError), "it is registered for these"
        found = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return responded(
            Problem(
                type="InvalidRequest",
                title=status.phrase,
                status=status,
                detail="; ".join(found[:5]),
            )
        )

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException), "it is registered for these"
        status = HTTPStatus(error.status_code)
        told = Problem(
            type=status.name, title=status.phrase, status=status, detail=str(error.detail)
        )
        response = page(request, told) or responded(told)
        response.headers.update(error.headers or {})
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            # Each route knows only its own.
            response.headers["Allow"] = ", ".join(_allowed(app, request))
        return response

    async def broken(request: Request, error: Exception) -> Response:
        # Starlette raises it again for the server, whose own logger is kept off the terminal.
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        detail = (
            "Something went wrong on the server: its log says what. Try again, or tell who runs it."
        )
        told = Problem(type="InternalError", title=status.phrase, status=status, detail=detail)
        return page(request, told) or responded(told)

    app.add_exception_handler(Exception, broken)
    app.add_exception_handler(OldhandError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)


def _allowed(app: FastAPI, request: Request) -> list[str]:
    """The methods that a path may be called with."""
    found: set[str] = set()
    for route in app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)
