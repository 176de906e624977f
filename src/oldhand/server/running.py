"""Running the server: what it prints when it starts, and how it ends."""

import asyncio
import logging
from collections.abc import Callable
from socket import socket

import uvicorn

from oldhand.server.app import create_app
from oldhand.server.logs import log_json
from oldhand.server.site import Site
from oldhand.server.telemetry import collect_traces


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
