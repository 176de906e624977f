"""The list of a home's databases, `databases.yaml`."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from oldhand.errors import InvalidSetting, NameTaken, UnknownDatabase
from oldhand.record.answer import WORKSPACE
from oldhand.record.clone import DatabaseEntry
from oldhand.settings.strict_yaml import read_document
from oldhand.sources.databases.address import shown_url
from oldhand.sources.databases.files import Stamp, stamp_of, write_atomically


class _Entries(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    databases: tuple[DatabaseEntry, ...] = ()


class Registry:
    """Entries by name, in the order in which they were added; the file is read again when it changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[Stamp, tuple[DatabaseEntry, ...]] | None = None

    def entries(self) -> tuple[DatabaseEntry, ...]:
        """All databases.

        Raises:
            InvalidSetting: the file does not hold.
        """
        if not self._path.is_file():
            return ()
        stamp, known = stamp_of(self._path), self._known
        if known is None or known[0] != stamp:
            known = self._known = (stamp, self._read())
        return known[1]

    def entry(self, name: str) -> DatabaseEntry:
        """The database of that name.

        Raises:
            UnknownDatabase: there is none; the message names the nearest and all that are there.
        """
        entries = {entry.name: entry for entry in self.entries()}
        if name in entries:
            return entries[name]
        near = get_close_matches(name, entries, n=1, cutoff=0.5)
        guess = f" Did you mean {near[0]}?" if near else ""
        there = ", ".join(entries) or "none yet, `oldhand db add URL --name NAME` adds one"
        raise UnknownDatabase(f"There is no database {name!r}.{guess} Registered: {there}.")

    def check_free(self, entry: DatabaseEntry) -> None:
        """Raise unless the entry's name is free, or stands for the same URL already.

        Raises:
            NameTaken: another database has the name, perhaps in other letter case.
        """
        if entry.name.casefold() == WORKSPACE:
            raise NameTaken(f"{WORKSPACE!r} is the name of the place where results are joined.")
        for known in self.entries():
            same = known.name.casefold() == entry.name.casefold()
            if same and (known.name, known.url) != (entry.name, entry.url):
                raise NameTaken(
                    f"{known.name} is registered already, as {shown_url(known.url)}: "
                    "remove it first, or choose another name."
                )

    def put(self, entry: DatabaseEntry) -> None:
        """Add an entry, or replace the one of its name; the caller holds the lock."""
        entries = {known.name: known for known in self.entries()}
        entries[entry.name] = entry
        self._save(entries.values())

    def drop(self, name: str) -> None:
        """Take the entry of that name out; the caller holds the lock."""
        self._save(entry for entry in self.entries() if entry.name != name)

    def _read(self) -> tuple[DatabaseEntry, ...]:
        return read_document(self._path, InvalidSetting).filled(_Entries).databases

    def _save(self, entries: Iterable[DatabaseEntry]) -> None:
        written = {"databases": [entry.model_dump() for entry in entries]}
        text = yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=1000)
        write_atomically(self._path, text)
