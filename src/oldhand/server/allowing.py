"""What may be named over the network: addresses of documents and databases lead to where the operator says, and no further."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from oldhand.errors import NotAllowed
from oldhand.settings.server import ServerSettings
from oldhand.sources.databases.address import absolute_url, parse_address

_FILES = frozenset({"sqlite", "duckdb", "files"})
_OPTIONS = frozenset(
    {"sslmode", "ssl", "encrypt", "charset", "connect_timeout", "application_name", "warehouse", "role"}
)  # fmt: skip
"""Those that lead to no file, library or other server."""


def check_database(given: Mapping[str, object], settings: ServerSettings) -> None:
    """Let only kinds and files be added that the operator allows, and nothing of the server's environment.

    Raises:
        InvalidDatabaseUrl: it is no address of a database.
        NotAllowed: the operator does not allow it.
    """
    url = str(given["url"])
    if "$" in url:
        raise NotAllowed("An address that comes over the network names no ${variables}.")
    if "://" not in url:
        raise NotAllowed("Over the network a database is named by a URL; a file can be uploaded.")
    address = parse_address(absolute_url(url))
    if address.kind in _FILES:
        place = Path(address.database).resolve()
        if not any(place.is_relative_to(Path(one).resolve()) for one in settings.folders):
            raise NotAllowed(
                "Upload the file, or ask who runs the server to name its folder under `server: folders` in settings.yaml."
            )
    elif address.kind not in settings.database_kinds:
        allowed = ", ".join(settings.database_kinds)
        raise NotAllowed(f"Databases of this kind are not added here; allowed are {allowed}.")
    elif address.kind != "bigquery" and not (address.host or "").strip("/."):
        raise NotAllowed("The address names no server.")
    others = sorted(set(address.options) - _OPTIONS)
    if others or (address.host or "").startswith(("/", "%")):
        named = ", ".join(others) or "a socket"
        raise NotAllowed(f"The address may not name {named} over the network.")


def check_documents(given: Mapping[str, object], _: ServerSettings) -> None:
    """Let only addresses on the web be added: files of the server are nobody's business.

    Raises:
        NotAllowed: it names a file or a folder.
    """
    source = given["source"]
    sources = [source] if isinstance(source, str) else cast("Sequence[object]", source)
    if not all(str(one).lower().startswith(("https://", "http://")) for one in sources):
        raise NotAllowed("Over the network documents are uploaded, or named by a web address.")


CHECKS: Mapping[str, Callable[[Mapping[str, object], ServerSettings], None]] = {
    "databases.add": check_database,
    "databases.test": check_database,
    "documents.add": check_documents,
}
"""By the method that is called."""
