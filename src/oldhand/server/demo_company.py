"""The made-up company in an assistant that has nothing to ask yet: for those who only want to look."""

from asyncio import to_thread
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends

from oldhand.demo.home import make_home
from oldhand.demo.papers import make_papers
from oldhand.errors import UsageError
from oldhand.record.access import Role
from oldhand.server.access import Caller, needs

router = APIRouter()
_FOLDER = "demo"
_SEED = 1


@router.post("/api/clones/{clone}/demo", tags=["databases"], operation_id="add_demo")
async def add_demo(caller: Annotated[Caller, Depends(needs(Role.OWNER))]) -> list[str]:
    """Invent a company, write its databases and papers into the home, and add them; their names come back.

    Only an assistant without databases takes it, so that nothing invented gets among what is real.
    """
    old = caller.old
    async with caller.site.inventing:
        if await to_thread(old.databases.list):
            raise UsageError("This assistant has databases already: make another one for the demo.")
        today = datetime.now(UTC).date()
        made = await to_thread(make_home, old.path / _FOLDER, _SEED, today=today)
        await to_thread(made.register, old.databases)
        papers = await to_thread(make_papers(made.company).write, made.path / "papers")
        await old.documents.add(papers, user=await _teller(caller))
    return [one.name for one in made.databases]


async def _teller(caller: Caller) -> str:
    """Who adds the papers: an admin may have no say in the assistant itself."""
    people = await caller.old.people.get()
    known = (people.owner, *people.experts)
    return caller.user if caller.user in known else people.owner
