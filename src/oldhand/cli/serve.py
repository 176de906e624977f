"""`oldhand serve`: the HTTP API, for people and programs elsewhere."""

from typing import Annotated

from typer import Option, echo

from oldhand.cli import options, searching
from oldhand.cli.opening import existing_home
from oldhand.errors import MissingExtra

EXAMPLES = options.examples("""
oldhand serve
oldhand serve --port 9000 --model ollama:llama3.2
oldhand serve --host 0.0.0.0
""")


def serve(
    host: Annotated[
        str, Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for all networks.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(metavar="N", min=1, max=65535, help="The port.")] = 8421,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    model: options.ModelOption = None,
) -> None:
    """Serve this home over HTTP: an API with sign-in, a chat endpoint like OpenAI's at /v1, and MCP at /mcp.

    The first start prints a link that signs in its admin, once. `oldhand people key NAME` makes keys for programs. Put a
    server that speaks TLS before it when people come from other machines.
    """
    path = existing_home(home)
    try:
        from oldhand.server.app import serve as run
        from oldhand.server.site import Site
    except ImportError as error:
        raise MissingExtra(error.name or "fastapi", "server") from error
    site = Site(path, store=store, model=model)
    searching()  # a server lives long, and what a question leaves behind goes in circles
    run(site, host, port, echo)
