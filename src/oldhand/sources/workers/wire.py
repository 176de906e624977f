"""What crosses between us and a worker: plain values, whatever the other side says."""

import io
import pickle
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from struct import Struct
from typing import Any
from uuid import UUID

_READERS = "markdown plain_text html pdf word slides sheets mail"
KINDS = {
    **{kind: f"oldhand.sources.workers.{kind}" for kind in ("sqlite", "duckdb")},
    **{kind: f"oldhand.sources.documents.readers.{kind}" for kind in _READERS.split()},
}
"""What a worker may serve: the module of each, with an `opened(path)` that returns a session."""
ORDER = Struct("!ci")
"""What the nursery is to do, and with which worker or kind of database."""
FORK, PREPARE, KILL = b"F", b"P", b"K"
_CLASSES: frozenset[type] = frozenset({
    Decimal, UUID, date, datetime, str, time, timedelta, timezone,
})  # fmt: skip
_KNOWN = {(kind.__module__, kind.__qualname__): kind for kind in _CLASSES}


class _Writer(pickle.Pickler):
    """Writes tuples, lists, dicts, numbers, texts, bytes and points in time; anything else becomes its text."""

    def reducer_override(self, obj: object) -> Any:
        if isinstance(obj, datetime | time) and obj.tzinfo is not None:
            offset = obj.utcoffset()
            fixed = obj.replace(tzinfo=None if offset is None else timezone(offset))
            return fixed.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        if obj in _CLASSES if isinstance(obj, type) else type(obj) in _CLASSES:
            return NotImplemented
        return str, (str(obj),)


class _Reader(pickle.Unpickler):
    """Makes nothing but plain values: a worker runs other people's SQL, so its word is not trusted."""

    def find_class(self, module: str, name: str) -> type:
        try:
            return _KNOWN[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is no plain value") from None


def packed(message: tuple[object, ...]) -> bytes:
    """A message as bytes.

    >>> unpacked(packed(("end", Decimal("1.50"), [date(2024, 2, 29)], object)))
    ('end', Decimal('1.50'), [datetime.date(2024, 2, 29)], "<class 'object'>")
    """
    written = io.BytesIO()
    _Writer(written, pickle.HIGHEST_PROTOCOL).dump(message)
    return written.getvalue()


def unpacked(data: bytes) -> tuple[object, ...]:
    """The message again.

    Raises:
        pickle.UnpicklingError: it holds something else than plain values.
    """
    return tuple(_Reader(io.BytesIO(data)).load())
