"""Which specs were looked at already, and with what: so that none is answered again for nothing."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from oldhand.learning.regression.spec import BehaviourSpec
from oldhand.record.memory import Memory
from oldhand.sources.databases.files import write_atomically

_FILE = TypeAdapter(dict[str, tuple[str, bool]])


@dataclass
class SpecsSeen:
    """Remembers in a file how specs were found. The file holds digests only, and may be deleted at any time.

    >>> from oldhand.testing.records import example_memory
    >>> file = getfixture("tmp_path") / "specs.json"
    >>> SpecsSeen.read(file).holds("e1", "builtin") is None
    True
    >>> seen = SpecsSeen.read(file)
    >>> seen.note("e1", "builtin", holds=True)
    >>> seen.write()
    >>> SpecsSeen.read(file).holds("e1", "builtin"), SpecsSeen.read(file).holds("e1", "gpt-4")
    (True, None)
    """

    file: Path
    _found: dict[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    _noted: set[str] = field(default_factory=set[str])

    @classmethod
    def read(cls, file: Path) -> Self:
        """What is remembered; nothing when the file is missing, or is none of ours."""
        try:
            return cls(file, _FILE.validate_json(file.read_bytes()))
        except (OSError, ValidationError):
            return cls(file)

    def holds(self, spec: str, with_what: str) -> bool | None:
        """Whether a spec held when it was answered with that; None when it was not."""
        self._noted.add(spec)
        known, held = self._found.get(spec, ("", False))
        return held if known == with_what else None

    def note(self, spec: str, with_what: str, *, holds: bool) -> None:
        """Remember how a spec was found."""
        self._noted.add(spec)
        self._found[spec] = (with_what, holds)

    def write(self) -> None:
        """Keep it; what nobody has asked for is forgotten.

        Raises:
            StoreError: the file cannot be written.
        """
        kept = {spec: found for spec, found in self._found.items() if spec in self._noted}
        write_atomically(self.file, json.dumps(kept))


def digest_of(spec: BehaviourSpec) -> str:
    """A short name for what a spec says."""
    return _digest((spec.model_dump_json(),))


def digest_with(mind: str, known: Iterable[Memory]) -> str:
    """A short name for all that was learned and can matter to an answer, and for who answers."""
    told = (one.model_dump_json(include={"id", "effect", "payload"}) for one in known)
    return _digest((mind, *told))


def _digest(texts: Iterable[str]) -> str:
    return blake2b("\x00".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
