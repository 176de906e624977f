"""Signing in and out: by a link that is good once, and by share links."""

from datetime import timedelta
from secrets import token_hex
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from oldhand.errors import NotSignedIn
from oldhand.record.access import Credential, CredentialKind, Issued, Role
from oldhand.server.access import COOKIE, GUEST, credential_of, role_in, site_of

SESSION_LASTS = timedelta(days=14)
GUEST_LASTS = timedelta(days=30)

router = APIRouter(tags=["signing in"])


class GivenToken(BaseModel):
    """The token of a link."""

    model_config = ConfigDict(extra="forbid")

    token: str = Field(max_length=300)


class SignedIn(BaseModel):
    """Who is signed in."""

    user: str
    clones: dict[str, Role] = Field(description="What the person may do, by assistant.")


@router.post("/api/sign-in", operation_id="sign_in")
async def sign_in(request: Request, response: Response, given: Annotated[GivenToken, Body()]) -> SignedIn:  # fmt: skip
    """Begin a session of a browser with the token of an invite or a share link; a key is kept as it is, so that it can be revoked."""
    access = site_of(request).access
    kinds = [CredentialKind.INVITE, CredentialKind.SHARE, CredentialKind.KEY]
    found = await access.redeemed(given.token, kinds)
    if found is None:
        await access.note("", "sign in", allowed=False)
        raise NotSignedIn("This link is not good any more: ask for another one.")
    guest = found.kind is CredentialKind.SHARE
    user = f"{GUEST}{token_hex(8)}" if guest else found.user_id
    lasts = GUEST_LASTS if guest else SESSION_LASTS
    if found.kind is CredentialKind.KEY:
        issued = Issued(credential=found, token=given.token)
    else:
        issued = await access.sign_in(user, lasts, clone_id=found.clone_id)
    await access.note(user, "sign in", subject=found.id)
    keep_in_browser(request, response, COOKIE, issued.token, lasts)
    return await signed_in(request, issued.credential)


def keep_in_browser(
    request: Request, response: Response, name: str, value: str, lasts: timedelta
) -> None:
    """Set a cookie that no script reads, and that no page of another site makes use of."""
    response.set_cookie(
        name,
        value,
        max_age=round(lasts.total_seconds()),
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="lax",
    )


@router.post("/api/sign-out", operation_id="sign_out", status_code=204)
async def sign_out(
    request: Request,
    response: Response,
    credential: Annotated[Credential, Depends(credential_of)],
) -> None:
    """End the session."""
    if credential.kind is CredentialKind.SESSION:
        await site_of(request).access.end(credential)
    response.delete_cookie(COOKIE)


@router.get("/api/me", operation_id="me")
async def me(
    request: Request, credential: Annotated[Credential, Depends(credential_of)]
) -> SignedIn:
    """Who is signed in, and what they may do in which assistant."""
    return await signed_in(request, credential)


async def signed_in(request: Request, credential: Credential) -> SignedIn:
    """What the person of a credential may do, in each assistant."""
    site = site_of(request)
    names = [credential.clone_id] if credential.clone_id else await site.access.clones()
    roles: dict[str, Role] = {}
    for name in names:
        role = await role_in(await site.clone(name), credential)
        if role is not None:
            roles[name] = role
    return SignedIn(user=credential.user_id, clones=roles)
