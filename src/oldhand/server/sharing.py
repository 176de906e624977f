"""What somebody sees who was given the link to a saved question; nobody has to be signed in."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from oldhand.errors import UnknownSaved
from oldhand.record.access import CredentialKind
from oldhand.record.saved import SharedAnswer
from oldhand.server.access import site_of

router = APIRouter(tags=["saved"])


@router.get("/api/shared/{token}", operation_id="shared")
async def shared(
    request: Request,
    token: Annotated[str, Path(max_length=300, description="As it stands in the link.")],
) -> SharedAnswer:
    """The latest answer of a saved question, for anybody with the link to it: nothing is asked of a database."""
    site = site_of(request)
    found = await site.access.redeemed(token, [CredentialKind.VIEW])
    if found is None or found.clone_id is None:
        raise UnknownSaved("This link is not good any more: ask for another one.")
    return await (await site.clone(found.clone_id)).saved.shared(found.label)
