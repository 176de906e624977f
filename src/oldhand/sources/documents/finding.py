"""Where documents come from: files, folders of them, addresses, and sitemaps."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from errno import EFBIG
from itertools import islice
from pathlib import Path

from oldhand.errors import (
    DocumentGone,
    DocumentTooLarge,
    UnreadableDocument,
    UsageError,
)
from oldhand.record.document import EVERYONE
from oldhand.settings.bounded import bounded_bytes
from oldhand.sources.documents.fetching import Fetched, Fetching, is_url, names_sitemap
from oldhand.sources.documents.media import media_by_name
from oldhand.store.documents.documents import DocumentSource

_LEFT_OUT = ("node_modules", "__pycache__", "venv", "site-packages", "__MACOSX")
"""Folders that hold what programs have made."""


@dataclass(frozen=True)
class DocumentPlaces:
    """The places that documents come from."""

    fetching: Fetching
    most: int
    """Documents of one folder or sitemap."""
    but_not: Path
    """A folder that is left out."""

    def whole(self, source: str) -> str:
        """A source under the one name that it has from everywhere.

        Raises:
            UsageError: there is no such file or folder, nobody may look at it, or it is an address of another kind.
        """
        if is_url(source):
            return source.partition("#")[0]
        if "://" in source:
            raise UsageError(f"{source}: only addresses of http and https are read.")
        path = Path(os.path.abspath(Path(source).expanduser()))  # noqa: PTH100 - links stay
        try:
            is_there = bool(source) and path.exists()
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
        if not is_there:
            raise UsageError(f"There is no file or folder {path}.")
        return str(path)

    def has_many(self, source: str) -> bool:
        """Whether it is a folder or a sitemap."""
        return names_sitemap(source) if is_url(source) else Path(source).is_dir()

    def each(self, source: str) -> list[str]:
        """The documents of a source, by their names from everywhere.

        Raises:
            UsageError: there are none, or too many.
            DocumentError: a sitemap cannot be read.
        """
        if not self.has_many(source):
            return [source]
        under = (str(one) for one in documents_under(Path(source), but_not=self.but_not))
        pages = self.fetching.pages_of(source, self.most + 1) if is_url(source) else under
        found = list(islice(pages, self.most + 1))
        if not found:
            may_read = is_url(source) or os.access(source, os.R_OK | os.X_OK)
            raise UsageError(f"{source} {'holds no documents' if may_read else 'cannot be read: permission denied'}.")  # fmt: skip
        if len(found) > self.most:
            raise UsageError(
                f"{source} holds more than {self.most:,} documents: add a part of it, or raise documents.most."
            )
        return found

    def look(self, source: str) -> Fetched:
        """What a document holds now.

        Raises:
            DocumentGone: it is no longer there.
            DocumentError: it cannot be read.
        """
        if is_url(source):
            return self.fetching.fetch(source)
        path = Path(source)
        try:
            return Fetched(bounded_bytes(path, round(self.fetching.megabytes * 1_000_000)), "")
        except FileNotFoundError as error:
            if path.parent.is_dir():
                raise DocumentGone from error
            raise UnreadableDocument(f"The folder {path.parent} is not there.") from error
        except OSError as error:
            kind = DocumentTooLarge if error.errno == EFBIG else UnreadableDocument
            raise kind(f"{path} cannot be read: {error.strerror}.") from error


def documents_under(folder: Path, *, but_not: Path) -> Iterator[Path]:
    """The files of a folder and of those in it that are documents by their names, in order.

    What is hidden, what programs made, what another program is just writing, and links are left out.

    Args:
        folder: where to look.
        but_not: a folder that is left out with all that is in it.
    """
    for place, inside, files in os.walk(folder):
        here = Path(place)
        inside[:] = sorted(one for one in inside if not _is_left_out(one) and here / one != but_not)
        for name in sorted(files):
            path = here / name
            hidden = name.startswith((".", "~"))
            if not hidden and media_by_name(name) and path.is_file() and not path.is_symlink():
                yield path


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT or name.endswith(".egg-info")


def inside(source: str) -> str:
    """How the places begin that a folder or sitemap brings."""
    return f"{(source.rpartition('/')[0] if is_url(source) else source).rstrip('/')}/"


def readers_at(
    place: str, many: Sequence[DocumentSource], by: DocumentSource | None = None
) -> tuple[str, ...]:
    """Who may see what lies there: its own readers, where it is a folder or sitemap that is known; those of the innermost folder that it lies in; else everyone.

    Args:
        place: a path or URL.
        many: the folders and sitemaps that are known.
        by: the folder or sitemap that brings it: the pages of a sitemap may lie anywhere.
    """
    for one in many:
        if one.source == place:
            return one.readers
    around = [one for one in many if f"{place}/".startswith(inside(one.source))]
    if by is not None:
        around.append(by)
    if not around:
        return (EVERYONE,)
    return max(around, key=lambda one: (len(inside(one.source)), one is by)).readers
