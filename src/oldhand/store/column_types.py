"""Column types that give back exactly what was put in, on SQLite and on Postgres alike."""

import json
import re
from datetime import UTC, datetime
from typing import Protocol, TypeVar

import sqlalchemy as sa

_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNKNOWN = -1.0
_T_co = TypeVar("_T_co", covariant=True)


class _Reader(Protocol[_T_co]):
    """Reads one value; SQLAlchemy's own way through the types takes longer than that."""

    def __call__(self, value: str | None) -> _T_co | None: ...


SEQUENCE = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""Numbers that a database gives by itself; SQLite does so for `INTEGER` only."""


def escape_text(text: str) -> str:
    r"""Write `text` without the characters that a database refuses: NUL and lone surrogates.

    >>> escape_text("Öl\x00")
    'Öl\x1a0000'
    """
    return _UNSTORABLE.sub(lambda match: f"\x1a{ord(match[0]):04x}", text)


def unescape_text(text: str) -> str:
    r"""The text that `escape_text` was given.

    >>> unescape_text(escape_text("\x1a a\x00b")) == "\x1a a\x00b"
    True
    """
    if "\x1a" not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _read_text(value: str | None) -> str | None:
    return None if value is None else unescape_text(value)


def _read_json(value: str | None) -> object | None:
    return None if value is None else json.loads(value)


def dump_json(value: object) -> str:
    r"""Write `value` on one line of readable JSON that is always valid UTF-8.

    >>> dump_json({"city": "Köln", "broken": "\ud800"})
    '{"city": "Köln", "broken": "\\ud800"}'
    """
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class AnyText(sa.TypeDecorator[str]):
    """Text that may hold any character, hostile ones included."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """Escape what the database would refuse."""
        return None if value is None else escape_text(str(value))

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> _Reader[str]:  # noqa: ARG002
        """Give back the text as it was."""
        return _read_text


class Confidence(sa.TypeDecorator[float]):
    """A share from 0 to 1, or None, in a column that knows no NULL: below 0 stands for nobody knows."""

    impl = sa.Float
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: sa.Dialect) -> float:  # noqa: ARG002
        """Write None as a number that no share is."""
        return _UNKNOWN if value is None else value

    def process_result_value(self, value: float | None, dialect: sa.Dialect) -> float | None:  # noqa: ARG002
        """Read that number as None."""
        return None if value is None or value < 0 else value


class JsonDocument(sa.TypeDecorator[object]):
    """JSON kept as text: Postgres' own types would change numbers, key order and rare characters."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: object | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """Write the value as JSON."""
        return None if value is None else dump_json(value)

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> _Reader[object]:  # noqa: ARG002
        """Read the value back."""
        return _read_json


class Moment(sa.TypeDecorator[datetime]):
    """A point in time, kept and given back in UTC; a time without a zone is taken as UTC."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Turn into UTC."""
        return None if value is None else in_utc(value)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Say that it is UTC; SQLite forgets it."""
        return None if value is None else in_utc(value)


def in_utc(value: datetime) -> datetime:
    """The same point in time in UTC.

    >>> in_utc(datetime(2026, 1, 1)).isoformat()
    '2026-01-01T00:00:00+00:00'
    """
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
