"""What a page is: a row of the table of pages, and the visit that its handler gets."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias
from urllib.parse import quote

from fastapi import Request
from starlette.responses import Response

from oldhand.face import AsyncOldhand
from oldhand.face.exposed import EXPOSED, Exposed
from oldhand.record.access import Role
from oldhand.server.access import Caller


@dataclass(frozen=True)
class Visit:
    """One request for a page, by somebody who may see it."""

    caller: Caller
    request: Request

    @property
    def old(self) -> AsyncOldhand:
        """The assistant that the page is about."""
        return self.caller.old

    @property
    def clone(self) -> str:
        """Its name."""
        return self.request.path_params["clone"]

    def given(self, name: str, default: str = "") -> str:
        """A part of the path by its name, or a parameter of the query."""
        found: str = self.request.path_params.get(name) or self.request.query_params.get(name, "")
        return found or default

    def may(self, method: str) -> bool:
        """Whether they may call a method of the assistant, such as `memories.approve`; the API asks the same table."""
        return self.caller.role.may(_exposed()[method].least)

    def call(self, method: str, **named: str) -> str:
        """The verb and the path of a method, as `data-api` takes them."""
        one = _exposed()[method]
        given = {name: quote(value, safe="") for name, value in named.items()}
        return f"{one.verb} {one.path.format(**given)}"

    def url(self, path: str = "/") -> str:
        """The address of another page of this assistant."""
        return f"/clones/{self.clone}{path}"


@cache
def _exposed() -> Mapping[str, Exposed]:
    return {one.method: one for one in EXPOSED}


View: TypeAlias = Mapping[str, object] | Response
"""What a handler returns: the values of its template, or a whole response, such as a file."""

Handler: TypeAlias = Callable[[Visit], Awaitable[View]]


@dataclass(frozen=True)
class Page:
    """One page: where it lies, who may see it, and what makes it."""

    path: str
    """Below `/clones/{clone}`; what stands in braces is read with `Visit.given`."""
    title: str
    """As it stands in the navigation and above the page; a template may show another one."""
    least: Role
    handler: Handler
    template: str = ""
    """Below `templates`; one that extends `base.html` is a whole page, any other a part of one. Empty for files."""
    group: str | None = None
    """The heading in the navigation that it stands under; None for a page that does not stand there."""
    key: str = ""
    """The letter that leads there after `g`."""
