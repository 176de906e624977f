"""Who a request comes from, and what they may do: the one place where requests are scoped to a clone.

Invariant: no route gets at an assistant but through `Caller.old`, and no `Caller` is made but here, so that whoever has no
role in a clone gets the same answer as if there were no such clone. Guarded by the test that tries every route as every
role and with another tenant's credentials.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Path, Request
from starlette.requests import HTTPConnection

from oldhand.errors import NotAllowed, NotSignedIn, UnknownClone, UnknownEpisode
from oldhand.face import AsyncOldhand
from oldhand.record.access import Credential, CredentialKind, Role
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.episode import Episode
from oldhand.server.site import Site

COOKIE = "oldhand_session"
GUEST = "guest-"
"""How the names of people begin who came by a share link."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Caller:
    """Somebody who may do something in one clone."""

    user: str
    role: Role
    old: AsyncOldhand
    credential: Credential
    site: Site

    @property
    def sees_all(self) -> bool:
        """Whether they see what others asked."""
        return self.role.may(Role.EXPERT)

    @property
    def in_browser(self) -> bool:
        """Whether they look at pages, and are no program."""
        return self.credential.kind is CredentialKind.SESSION

    async def check_own(self, episode_id: str) -> None:
        """Let nobody but experts, the owner and admins get at what others asked.

        Raises:
            UnknownEpisode: it is somebody else's; as if there were none.
        """
        if not self.sees_all:
            await self.episode(episode_id)

    async def episode(self, episode_id: str) -> Episode:
        """An answer that they may see.

        Raises:
            UnknownEpisode: there is none, or it is somebody else's.
        """
        found = await self.old.episodes.get(episode_id)
        if not self.sees_all and found.user_id != self.user:
            raise UnknownEpisode(f"No answer has an id that begins with {episode_id!r}.")
        return found


def site_of(request: HTTPConnection) -> Site:
    """The assistants of this server."""
    return request.app.state.site


async def credential_of(request: HTTPConnection) -> Credential:
    """The credential of a request: the key in its header, or the session in its cookie.

    Raises:
        NotSignedIn: there is none that is good.
        NotAllowed: a page of another site sent it.
    """
    header = request.headers.get("authorization", "")
    scheme, _, token = header.partition(" ")
    kinds = [CredentialKind.KEY, CredentialKind.SESSION]
    if not (header and scheme.lower() == "bearer"):
        token = request.cookies.get(COOKIE, "")
        if token and _verb(request) not in _SAFE and not _from_own_page(request):
            raise NotAllowed("This request was sent by a page of another site.")
    found = await site_of(request).access.redeemed(token.strip(), kinds) if token else None
    if found is None:
        raise NotSignedIn
    return found


def _verb(request: HTTPConnection) -> str:
    """What it does; a connection that stays open may do anything."""
    return request.scope.get("method", "CONNECT")


def _from_own_page(request: HTTPConnection) -> bool:
    """Whether a browser says that a page of this server sent the request; others can't ride on a cookie."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin, public = request.headers.get("origin"), site_of(request).settings.public_url
    own = {request.headers.get("host"), urlsplit(public).netloc if public else None}
    return origin is not None and urlsplit(origin).netloc in own


def needs(least: Role) -> Callable[..., Awaitable[Caller]]:
    """The dependency of a route of one clone that only people of this role, or of a higher one, may use."""

    async def caller(
        request: Request,
        clone: Annotated[str, Path(description="The name of the assistant.", examples=["default"])],
    ) -> Caller:
        return await caller_in(request, clone, least)

    return caller


def needs_here(least: Role) -> Callable[..., Awaitable[Caller]]:
    """As `needs`, for a route that names no clone: it is the one that the credential is for, else the first."""

    async def caller(request: Request) -> Caller:
        return await caller_in(request, None, least)

    return caller


async def caller_in(request: HTTPConnection, clone: str | None, least: Role) -> Caller:
    """Who a request comes from, in a clone.

    Raises:
        NotSignedIn: nobody that is known.
        UnknownClone: there is none, or they have no role in it.
        NotAllowed: their role is not enough.
    """
    credential = await credential_of(request)
    clone = clone or credential.clone_id or DEFAULT_CLONE
    old, role = await _in_clone(site_of(request), clone, credential)
    if not role.may(least):
        action = f"{_verb(request)} {request.url.path}"
        await old.access.note(credential.user_id, action, allowed=False)
        raise NotAllowed(f"This is for the {least.value} and above; you are {role.value} here.")
    return Caller(credential.user_id, role, old, credential, site_of(request))


async def _in_clone(site: Site, clone: str, credential: Credential) -> tuple[AsyncOldhand, Role]:
    """The assistant and the role in it; an unknown assistant and one that is not theirs look the same."""
    unknown = UnknownClone(f"There is no assistant {clone!r}.")
    if credential.clone_id not in {None, clone}:
        raise unknown
    old = await site.clone(clone)
    role = await role_in(old, credential)
    if role is None:
        raise unknown
    return old, role


async def role_in(old: AsyncOldhand, credential: Credential) -> Role | None:
    """What a credential that is good for this assistant allows in it; guests have no role but that of their link."""
    role = await old.access.role_of(credential.user_id)
    guest = credential.clone_id is not None and credential.user_id.startswith(GUEST)
    return Role.EXTERNAL if role is None and guest else role
