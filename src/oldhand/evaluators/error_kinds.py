"""What kind of mistake an error is, whether a database, a tool or one of our rules told of it."""

import re
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter

from oldhand.sources.databases.complaints import Trouble, read_complaint
from oldhand.sources.databases.strict_yaml import parse_document

_FILE = "error_kinds.yaml"


class ErrorKind(NamedTuple):
    """A kind of mistake."""

    code: str
    label: str
    """As the type of error in a record."""
    advice: str
    """What to do so that it does not come again."""


class _Entry(BaseModel):
    """A kind in the file, with how it is told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    label: str
    advice: str
    troubles: tuple[str, ...] = ()
    """As which the message of a database was read."""
    messages: tuple[str, ...] = ()
    """Patterns of what is read here only."""
    rules: tuple[str, ...] = ()
    """Codes of the rules about SQL that find it."""


def _entries() -> dict[str, _Entry]:
    text = files("oldhand.evaluators").joinpath(_FILE).read_text("utf-8")
    found = parse_document(text, Path(_FILE)).value
    return TypeAdapter(dict[str, _Entry]).validate_python(found)


_ENTRIES = _entries()
KINDS = {code: ErrorKind(code, entry.label, entry.advice) for code, entry in _ENTRIES.items()}
"""All kinds by their codes."""
EMPTY, OTHER, SYNTAX = KINDS["empty_result"], KINDS["other"], KINDS["syntax"]

_OF_TROUBLE = {
    Trouble[name.upper()]: KINDS[code]
    for code, entry in _ENTRIES.items()
    for name in entry.troubles
}
_PATTERNS = tuple(
    (KINDS[code], re.compile(text, re.IGNORECASE | re.DOTALL))
    for code, entry in _ENTRIES.items()
    for text in entry.messages
)
_OF_RULE = {rule: KINDS[code] for code, entry in _ENTRIES.items() for rule in entry.rules}


def kind_of_message(message: str) -> tuple[ErrorKind, str]:
    """The kind of a database's or tool's error, and the name that it is about, in lower case; empty when it tells none.

    >>> kind_of_message("no such column: s.nmae")[1]
    'nmae'
    >>> kind_of_message('relation "orders" does not exist')[0].label
    'Unknown table errors'
    >>> kind_of_message("function sum(text) does not exist")[1]  # there is one, for other types
    'sum'
    >>> kind_of_message("Out of luck") == (OTHER, "")
    True
    """
    for line in message.splitlines():
        complaint = read_complaint(line)
        if complaint.trouble is not Trouble.OTHER:
            return _OF_TROUBLE[complaint.trouble], complaint.name.casefold()
    for kind, pattern in _PATTERNS:
        if match := pattern.search(message):
            return kind, next((text for text in match.groups() if text), "").casefold()
    return OTHER, ""


def kind_of_rule(code: str) -> ErrorKind:
    """The kind of what a rule found; everything that is not known by name is about syntax.

    >>> kind_of_rule("mixed_srids").label
    'CRS mismatch errors'
    """
    return _OF_RULE.get(code, SYNTAX)
