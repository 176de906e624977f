"""`oldhand experts serve`: an XMPP server of one's own, so that experts are asked in the client that they like."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option, echo

from oldhand.cli import options
from oldhand.cli.opening import open_home, run
from oldhand.errors import MissingExtra, ProsodyFailed

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

    from oldhand.human.prosody import ProsodyServer

EXAMPLES = options.examples("""
oldhand experts serve
oldhand experts serve --port 5333
""")


def serve(
    port: Annotated[
        int | None,
        Option(metavar="N", min=1, max=65535, help="The port; as the last time, else 5222."),
    ] = None,
    domain: Annotated[
        str | None,
        Option(metavar="NAME", help="What stands behind the @; as the last time, else localhost."),
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Run an XMPP server on this machine (Prosody), with an account for each expert.

    It writes Prosody's configuration, a certificate and the accounts into the folder `xmpp` of the home, and listens on loopback
    only. As long as it runs, questions to people go over it, whoever asks them. Ctrl-C ends it.
    """
    run(_serve(home, store, domain, port))


async def _serve(home: Path | None, store: str | None, domain: str | None, port: int | None) -> None:  # fmt: skip
    try:
        from oldhand.human.own_server import ASKER, addresses, own_server
    except ImportError as error:
        raise MissingExtra(error.name or "slixmpp", "xmpp") from error
    async with open_home(home, store=store) as old:
        people = await old.people.get()
        server = own_server(old.path, domain=domain, port=port)
        found = addresses(server, [ASKER, people.owner, *people.experts])
        told = _told_to_end()
        try:
            await server.start()
            _tell(server, found)
            await _until(told, server, old.experts.attend(found))
        finally:
            await server.stop()


def _tell(server: "ProsodyServer", found: dict[str, str]) -> None:
    echo(f"XMPP answers at 127.0.0.1:{server.port}. Ctrl-C ends it.")
    for expert, address in found.items():
        echo(f"  {expert}: {address}")
    echo(f"Passwords: {server.accounts}")
    echo(f"Certificate that clients trust: {server.certificate}")


def _told_to_end() -> "asyncio.Event":
    """Is set by Ctrl-C or SIGTERM; from now on they end it in order."""
    import asyncio
    import signal

    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, told.set)
    return told


async def _until(
    told: "asyncio.Event", server: "ProsodyServer", carrying: "Coroutine[object, object, None]"
) -> None:
    """Carry questions until it is told to end; an end of the server itself is an error."""
    import asyncio

    tasks = [asyncio.create_task(one) for one in (server.ended(), told.wait(), carrying)]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for one in tasks:
        one.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if told.is_set():
        return
    if tasks[2] in done:
        tasks[2].result()
    raise ProsodyFailed(f"Prosody has ended. {server.said()}")
