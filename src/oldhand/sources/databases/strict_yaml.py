"""A strict reader of YAML that people edit: plain values, with the line on which each stands.

It knows mappings, lists, text, numbers, true, false and null, and refuses what could make a small file explode or build
objects: anchors, aliases and tags. Dates stay text, `NO` is a country and `0123` a code.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import yaml

from oldhand.errors import SchemaError
from oldhand.settings.bounded import bounded_bytes

_MAX_BYTES = 20_000_000
_MAX_DEPTH = 12
_NULL = {"", "~", "null", "Null", "NULL"}
_TRUE = {"true", "True", "TRUE"}
_FALSE = {"false", "False", "FALSE"}
_INTEGER = re.compile(r"[-+]?(0|[1-9]\d{0,300})")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+)([eE][-+]\d+)?")
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"
Place: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value."""


@dataclass(frozen=True)
class YamlDocument:
    """The content of a file, and where each value stands."""

    path: Path
    value: Plain
    lines: Mapping[Place, int] = field(repr=False)

    def where(self, place: Place) -> str:
        """File and line of the value at `place`, or of the nearest one around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return f"{self.path}, line {self.lines.get(place, 1)}"


def read_document(path: Path) -> YamlDocument:
    """Read one YAML file.

    Raises:
        SchemaError: it cannot be read, is too large, does not parse, or uses anchors, aliases, tags or a key twice.
    """
    try:
        text = bounded_bytes(path, _MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise SchemaError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise SchemaError(f"{path} cannot be read: {error}") from error
    return parse_document(text, path)


def parse_document(text: str, path: Path) -> YamlDocument:
    r"""Read the text of a YAML file.

    >>> parse_document("name: NO\nsizes: [1, 0123, 2.5, 2024-01-31]", Path("a.yaml")).value
    {'name': 'NO', 'sizes': [1, '0123', 2.5, '2024-01-31']}
    >>> parse_document("a: 1\na: 2", Path("a.yaml"))
    Traceback (most recent call last):
    ...
    oldhand.errors.SchemaError: a.yaml, line 2: the key 'a' stands here twice.
    """
    reader = _Reader(path)
    try:
        return reader.read(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        raise SchemaError(f"{path}, line {line}: {error.problem or 'not YAML'}.") from error
    except yaml.YAMLError as error:
        raise SchemaError(f"{path}: {' '.join(str(error).split())}") from error


class _Reader:
    """Builds plain values out of the parser's events."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: dict[Place, int] = {}

    def read(self, events: Iterator[yaml.Event]) -> YamlDocument:
        value: Plain = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._fault(event, "a second document begins; one is expected")
                value = self._value(next(events), events, ())
        return YamlDocument(self._path, value, self._lines)

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], place: Place) -> Plain:
        self._lines[place] = _line(event)
        if isinstance(event, yaml.AliasEvent):
            raise self._fault(event, "aliases (*name) are not used here")
        if getattr(event, "anchor", None):
            raise self._fault(event, "anchors (&name) are not used here")
        if getattr(event, "tag", None) not in (None, "!"):
            raise self._fault(event, "tags (!name) are not used here")
        if len(place) > _MAX_DEPTH:
            raise self._fault(event, "nested too deeply")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(events, place)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(events, place)
        return _scalar(event) if isinstance(event, yaml.ScalarEvent) else None

    def _mapping(self, events: Iterator[yaml.Event], place: Place) -> Plain:
        found: dict[str, Plain] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._fault(event, "a key must be plain text")
            key = str(event.value)
            if key in found:
                raise self._fault(event, f"the key {key!r} stands here twice")
            found[key] = self._value(next(events), events, (*place, key))
            self._lines[(*place, key)] = _line(event)
        return found

    def _sequence(self, events: Iterator[yaml.Event], place: Place) -> Plain:
        found: list[Plain] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            found.append(self._value(event, events, (*place, len(found))))
        return found

    def _fault(self, event: yaml.Event, problem: str) -> SchemaError:
        return SchemaError(f"{self._path}, line {_line(event)}: {problem}.")


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1  # pyright: ignore[reportUnnecessaryComparison]


def _scalar(event: yaml.ScalarEvent) -> Plain:
    text = str(event.value)
    if event.style or not event.implicit[0]:
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
