"""`oldhand mcp`: the tools of this assistant for another agent, over standard input and output."""

from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from oldhand.cli import options
from oldhand.cli.opening import open_home, run
from oldhand.errors import MissingExtra

if TYPE_CHECKING:
    from oldhand.face import AsyncOldhand

EXAMPLES = options.examples("""
oldhand mcp
oldhand mcp --home ~/oldhand --user ana
""")


def mcp(
    user: Annotated[
        str, Option("--user", metavar="NAME", help="In whose name the agent asks and teaches.")
    ] = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    model: options.ModelOption = None,
) -> None:
    """Let another agent use this assistant: ask, recall, record an outcome, give feedback, state a rule.

    It speaks the Model Context Protocol over standard input and output: name this command in the agent's settings.
    """
    try:
        from oldhand.server.mcp_tools import mcp_server
    except ImportError as error:
        raise MissingExtra(error.name or "mcp", "mcp") from error

    async def work() -> None:
        async with open_home(home, store=store, model=model) as old:

            async def who(_: Any) -> "tuple[AsyncOldhand, str]":
                return old, user

            await mcp_server(who).run_stdio_async()

    run(work())
