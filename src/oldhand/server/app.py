"""The web application: all routes over the assistants of a site, for programs and for browsers."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from socket import socket

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.middleware.gzip import GZipMiddleware

from oldhand import __version__
from oldhand.server import (
    asking,
    demo_company,
    live_inbox,
    metrics,
    openai_chat,
    sharing,
    signing_in,
    signing_in_elsewhere,
)
from oldhand.server.limits import Limits
from oldhand.server.mcp_tools import mcp_application
from oldhand.server.metrics import RequestMetrics
from oldhand.server.observing import Observing, collect_traces, log_json
from oldhand.server.problems import REFUSALS, add_problems
from oldhand.server.routing import exposed_routes
from oldhand.server.site import Site
from oldhand.server.web.routes import page_routes, problem_page

_DESCRIPTION = """Ask questions over databases and documents, and teach the assistant that answers.

Every route below `/api/clones/{clone}` belongs to one assistant. Send a key as `Authorization: Bearer …`; browsers sign in
and have a cookie. Errors are problem details (RFC 9457): `type` is the name of the error, `detail` says what to do next.
"""


class Health(BaseModel):
    """Whether the server works."""

    status: str = "ok"
    version: str = __version__


def create_app(site: Site) -> FastAPI:
    """The application; it closes the site when it ends."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(site.close)
            await stack.enter_async_context(tools.session_manager.run())
            site.attend()
            yield

    app = FastAPI(
        title="Oldhand",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=REFUSALS,
    )
    app.state.site = site
    add_problems(app, problem_page)
    app.include_router(signing_in.router)
    app.include_router(signing_in_elsewhere.router)
    app.include_router(asking.router)
    app.include_router(openai_chat.router)
    app.include_router(sharing.router)
    app.include_router(exposed_routes())
    app.include_router(demo_company.router)
    app.include_router(metrics.router)
    app.include_router(live_inbox.router)
    app.include_router(page_routes())
    app.add_api_route("/api/health", health, operation_id="health", tags=["operation"])
    tools, made = mcp_application(app)
    app.mount("/mcp", made)
    app.add_middleware(GZipMiddleware, minimum_size=2_000)
    app.add_middleware(Limits, settings=site.settings, monotonic=time.monotonic)
    app.state.metrics = RequestMetrics()
    app.add_middleware(Observing, metrics=app.state.metrics, monotonic=time.monotonic)
    return app


async def health() -> Health:
    """Whether the server works; nobody has to be signed in."""
    return Health()


# Running the server: what it prints when it starts, and how it ends.
async def first_link(site: Site, address: str) -> str | None:
    """On the first start, a link that signs in the owner as admin, once; None where there are accounts already."""
    if await site.access.accounts():
        return None
    old = await site.clone("default")
    owner = (await old.people.get()).owner
    await site.access.add_account(owner, admin=True)
    token = (await site.access.invite(owner)).token
    # Behind the hash, so that it stands in no log of a server between.
    return f"{address}/#sign-in={token}"


class EndingServer(uvicorn.Server):
    """Says to its site that it ends, before it cuts what takes too long."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Finish what is under way, and end."""
        self._site.is_ending = True
        await super().shutdown(sockets)


def serve(site: Site, host: str, port: int, say: Callable[[str], None]) -> None:
    """Answer requests until somebody ends it; what is under way is finished first."""
    logging.getLogger("uvicorn.access").disabled = True
    if site.settings.logs == "json":
        log_json()
    end_traces = collect_traces(says=site.settings.records_questions)
    config = uvicorn.Config(
        create_app(site),
        host=host,
        port=port,
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=round(site.settings.grace_seconds),
        server_header=False,
    )
    server = EndingServer(config, site)

    async def run() -> None:
        address = f"http://{host}:{port}"
        link = await first_link(site, address)
        say(f"Oldhand answers at {address}. Ctrl-C ends it.")
        if link is not None:
            say(f"Sign in as its admin, once, within a week: {link}")
        else:
            say(f"A new link to sign in: `oldhand people invite NAME --address {address}`")
        await server.serve()

    try:
        asyncio.run(run())
    finally:
        end_traces()
