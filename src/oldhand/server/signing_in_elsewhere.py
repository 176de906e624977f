"""Signing in with an account of elsewhere: the browser goes to a provider of identities and comes back with a code."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict
from datetime import timedelta
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, TypeAdapter, ValidationError

from oldhand.errors import IdentityRefused, NotSignedIn, OldhandError, UsageError
from oldhand.record.access import CredentialKind, Role
from oldhand.record.base import checked_name
from oldhand.server.access import COOKIE, credential_of, site_of
from oldhand.server.oidc import BegunSignIn, Identity, OpenIDProvider
from oldhand.server.signing_in import SESSION_LASTS, keep_in_browser
from oldhand.server.site import Site

_BEGUN = "oldhand_sign_in"
_BEGUN_LASTS = timedelta(minutes=10)
_REMEMBERED = TypeAdapter(dict[str, str])

router = APIRouter(prefix="/api/sign-in", tags=["signing in"])

Name = Annotated[str, Path(max_length=50, description="The provider, as `/api/sign-in` lists it.")]


class ListedProvider(BaseModel):
    """A provider of identities, for a page on which people choose."""

    name: str
    title: str
    address: str
    """Where a browser goes to sign in."""


@router.get("", operation_id="sign_in_providers")
async def sign_in_providers(request: Request) -> list[ListedProvider]:
    """Where people may sign in beside links; nobody has to be signed in."""
    return listed(site_of(request))


def listed(site: Site) -> list[ListedProvider]:
    """The providers of a site."""
    known = (one.settings for one in site.providers.values())
    return [ListedProvider(name=one.name, title=one.title or one.name, address=f"/api/sign-in/{one.name}") for one in known]  # fmt: skip


@router.get("/{provider}", operation_id="sign_in_elsewhere", status_code=303)
async def sign_in_elsewhere(
    request: Request,
    provider: Name,
    after: Annotated[str, Query(max_length=500, description="The page to come back to.")] = "/",
) -> RedirectResponse:
    """Send a browser to a provider. Who is signed in by a link comes to be known there as well."""
    chosen = _provider(request, provider)
    begun = BegunSignIn(
        token_urlsafe(24), token_urlsafe(24), token_urlsafe(48), _back(request, f"/api/sign-in/{provider}/done")
    )  # fmt: skip
    response = _sent(await chosen.address(begun))
    kept = _REMEMBERED.dump_json({**asdict(begun), "provider": provider, "after": after})
    keep_in_browser(request, response, _BEGUN, urlsafe_b64encode(kept).decode(), _BEGUN_LASTS)
    return response


@router.get("/{provider}/done", operation_id="signed_in_elsewhere", status_code=303)
async def signed_in_elsewhere(
    request: Request,
    provider: Name,
    state: Annotated[str, Query(max_length=500)] = "",
    code: Annotated[str, Query(max_length=4_000)] = "",
    error: Annotated[str, Query(max_length=500)] = "",
) -> RedirectResponse:
    """Where the provider sends the browser back to."""
    site, chosen = site_of(request), _provider(request, provider)
    try:
        begun, after = _remembered(request, provider, state)
        if error or not code:
            raise IdentityRefused(f"Nobody was signed in ({error or 'no code'}): try again, or use a link.")  # fmt: skip
        user = await _user_of(request, site, chosen, await chosen.identity(code, begun))
    except OldhandError:
        await site.access.note("", f"sign in with {provider}", allowed=False)
        raise
    issued = await site.access.sign_in(user, SESSION_LASTS)
    await site.access.note(user, f"sign in with {provider}", subject=issued.credential.id)
    response = _sent(_back(request, after))
    keep_in_browser(request, response, COOKIE, issued.token, SESSION_LASTS)
    response.delete_cookie(_BEGUN)
    return response


@router.get("/{provider}/sign-out", operation_id="sign_out_elsewhere", status_code=303)
async def sign_out_elsewhere(request: Request, provider: Name) -> RedirectResponse:
    """Send a browser on to sign out of the provider as well, after `/api/sign-out`."""
    place = await _provider(request, provider).sign_out_address(_back(request, "/"))
    return _sent(place or _back(request, "/"))


def _provider(request: Request, name: str) -> OpenIDProvider:
    found = site_of(request).providers.get(name)
    if found is None:
        raise UsageError(f"Nobody signs in with {name!r} here: GET /api/sign-in lists who does.")
    return found


def _remembered(request: Request, provider: str, state: str) -> tuple[BegunSignIn, str]:
    """What this browser began.

    Raises:
        IdentityRefused: it began nothing, or another sign-in.
    """
    try:
        kept = _REMEMBERED.validate_json(urlsafe_b64decode(request.cookies.get(_BEGUN, "")))
        after, of = kept.pop("after"), kept.pop("provider")
        begun = BegunSignIn(**kept)
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise IdentityRefused("This browser began no sign-in, or too long ago: begin again.") from error  # fmt: skip
    if of != provider or not compare_digest(begun.state.encode(), state.encode()):
        raise IdentityRefused("This is the end of another sign-in than this browser began: begin again.")  # fmt: skip
    return begun, after


async def _user_of(request: Request, site: Site, provider: OpenIDProvider, one: Identity) -> str:
    """Whom an identity stands for: who it was before, who is signed in by a link just now, or whose name is the verified address.

    Raises:
        IdentityRefused: nobody who may come in.
    """
    access, settings = site.access, provider.settings
    user = await access.identified(one.issuer, one.subject)
    if user is None:
        user = await _signed_in_by_link(request)
        if user is None and one.email is not None:
            user = await _named(site, one.email)
            domain = one.email.rpartition("@")[2]
            if user is None and domain in {it.casefold() for it in settings.domains}:
                user = checked_name(one.email)
                await access.add_account(user)
                await access.let_in(user, Role(settings.newcomers))
        if user is None:
            whose = (
                one.email or "This person, whose e-mail address the provider does not vouch for,"
            )
            raise IdentityRefused(f"{whose} was not invited: ask the owner for a link.")
        if not await access.link(one.issuer, one.subject, user):
            raise IdentityRefused(f"Somebody else of {settings.title or settings.name} is {user} here already.")  # fmt: skip
    account = await access.account(user)
    if account is not None and account.closed_at is not None:
        raise IdentityRefused(f"The account of {user} is closed: ask the admin.")
    return user


async def _signed_in_by_link(request: Request) -> str | None:
    """Who has a session of their own in this browser."""
    try:
        found = await credential_of(request)
    except NotSignedIn:
        return None
    return found.user_id if found.kind is CredentialKind.SESSION and found.clone_id is None else None  # fmt: skip


async def _named(site: Site, email: str) -> str | None:
    """Who goes by this address here: by an account, or by a role in an assistant."""
    known = {one.user_id for one in await site.access.accounts()}
    for clone in await site.access.clones():
        known |= (await (await site.clone(clone)).access.members()).keys()
    return next((one for one in sorted(known) if one.casefold() == email), None)


def _back(request: Request, path: str) -> str:
    """A page of ours; what leads elsewhere leads to the first one."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    base = site_of(request).settings.public_url or str(request.base_url)
    return f"{base.rstrip('/')}{path if ours else '/'}"


def _sent(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303, headers={"Cache-Control": "no-store"})
