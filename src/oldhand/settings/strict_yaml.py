"""A strict reader of YAML that people edit: plain values, with the line on which each stands.

It knows mappings, lists, text, numbers, true, false and null, and refuses what could make a small file explode or build
objects: anchors, aliases and tags. Dates stay text, `NO` is a country and `0123` a code.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from oldhand.errors import OldhandError, SchemaError
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
Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True)
class YamlDocument:
    """The content of a file, and where each value stands."""

    path: Path
    value: Plain
    lines: Mapping[Place, int] = field(repr=False)
    error: type[OldhandError] = SchemaError
    """What is raised where it does not hold."""

    def filled(self, form: type[Form], value: object = None) -> Form:
        """The document as a form that it fills in.

        Raises:
            OldhandError: that of the document: a key is unknown or missing, or holds a value of the wrong kind.
        """
        given = self.value if value is None else value
        try:
            return form.model_validate({} if given is None else given)
        except ValidationError as error:
            place, problem = first_problem(error, form)
            raise self.error(f"{self.where(place)}: {problem}") from error

    def where(self, place: Place) -> str:
        """File and line of the value at `place`, or of the nearest one around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return f"{self.path}, line {self.lines.get(place, 1)}"


def guess(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, in parentheses; empty where none is near."""
    near = get_close_matches(name, [*names], n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def first_problem(
    error: ValidationError, form: type[BaseModel], besides: object = None
) -> tuple[Place, str]:
    """Where something does not fit a form, and what is wrong there; a misspelt key comes before the one that is missing for it.

    Args:
        error: what the form says.
        form: its type; near names are looked for in it.
        besides: a part that is no key of the document, and left out of the place.
    """
    found = error.errors(include_input=False)
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    place = tuple(part for part in first["loc"] if part != besides)
    return place, _problem(place, first["type"], first["msg"], form)


def _problem(place: Place, kind: str, message: str, form: type[BaseModel]) -> str:
    last, named = (
        str(place[-1]) if place else "",
        ".".join(str(p) for p in place if isinstance(p, str)),
    )
    match kind:
        case "extra_forbidden":
            return f"the key {last!r} is not known{guess(last, _keys(form))}."
        case "missing":
            return f"{last!r} is missing."
        case "model_type" | "model_attributes_type":
            return "expected `name: value` lines."
        case _:
            return f"{named}: {message.removeprefix('Value error, ')}."


def _keys(form: object) -> Iterator[str]:
    """The keys of a form, and of those inside of it."""
    if isinstance(form, type) and issubclass(form, BaseModel):
        for name, known in form.model_fields.items():
            yield known.alias or name
            yield from _keys(known.annotation)
    for inner in get_args(form):
        yield from _keys(inner)


def read_document(path: Path, error: type[OldhandError] = SchemaError) -> YamlDocument:
    """Read one YAML file.

    Raises:
        OldhandError: of the type `error`: it cannot be read, is too large, does not parse, or uses anchors, aliases, tags or a key twice.
    """
    try:
        text = bounded_bytes(path, _MAX_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        why = (isinstance(fault, OSError) and fault.strerror) or fault
        raise error(f"{path} cannot be read: {why}.") from fault
    return parse_document(text, path, error)


def parse_document(text: str, path: Path, error: type[OldhandError] = SchemaError) -> YamlDocument:
    r"""Read the text of a YAML file.

    >>> parse_document("name: NO\nsizes: [1, 0123, 2.5, 2024-01-31]", Path("a.yaml")).value
    {'name': 'NO', 'sizes': [1, '0123', 2.5, '2024-01-31']}
    >>> parse_document("a: 1\na: 2", Path("a.yaml"))
    Traceback (most recent call last):
    ...
    oldhand.errors.SchemaError: a.yaml, line 2: the key 'a' stands here twice.
    """
    try:
        return _Reader(path, error).read(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as fault:
        line = 1 if fault.problem_mark is None else fault.problem_mark.line + 1
        raise error(f"{path}, line {line}: {fault.problem or 'not YAML'}.") from fault
    except yaml.YAMLError as fault:
        raise error(f"{path}: {' '.join(str(fault).split())}") from fault


class _Reader:
    """Builds plain values out of the parser's events."""

    def __init__(self, path: Path, error: type[OldhandError]) -> None:
        self._path = path
        self._error = error
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
        return YamlDocument(self._path, value, self._lines, self._error)

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

    def _fault(self, event: yaml.Event, problem: str) -> OldhandError:
        return self._error(f"{self._path}, line {_line(event)}: {problem}.")


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
