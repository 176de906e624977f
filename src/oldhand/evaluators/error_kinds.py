"""What kind of mistake an error is, whether a database, a tool or one of our rules told of it."""

import re
from typing import cast

from pydantic import BaseModel, ConfigDict

from oldhand.lexicon.entries import shipped
from oldhand.sources.databases.complaints import Trouble, read_complaint


class ErrorKind(BaseModel):
    """A kind of mistake, and how it is told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    label: str
    """As the type of error in a record."""
    advice: str
    """What to do so that it does not come again."""
    troubles: tuple[str, ...] = ()
    """As which the message of a database was read."""
    messages: tuple[str, ...] = ()
    """Patterns of what is read here only."""
    rules: tuple[str, ...] = ()
    """Codes of the rules about SQL that find it."""


_WRITTEN = cast("dict[str, dict[str, object]]", shipped("oldhand.evaluators", "error_kinds.yaml"))
KINDS = {code: ErrorKind.model_validate({"code": code, **one}) for code, one in _WRITTEN.items()}
"""All kinds by their codes."""
EMPTY, OTHER, SYNTAX = KINDS["empty_result"], KINDS["other"], KINDS["syntax"]

_OF_TROUBLE = {Trouble[name.upper()]: kind for kind in KINDS.values() for name in kind.troubles}
_PATTERNS = tuple((kind, text) for kind in KINDS.values() for text in kind.messages)
_OF_RULE = {rule: kind for kind in KINDS.values() for rule in kind.rules}


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
        if match := re.search(pattern, message, re.IGNORECASE | re.DOTALL):
            return kind, next((text for text in match.groups() if text), "").casefold()
    return OTHER, ""


def kind_of_rule(code: str) -> ErrorKind:
    """The kind of what a rule found; everything that is not known by name is about syntax.

    >>> kind_of_rule("mixed_srids").label
    'CRS mismatch errors'
    """
    return _OF_RULE.get(code, SYNTAX)


_SAYS_ERROR = re.compile(
    r"\W*(?:traceback\b|(?:an? )?(?:\w+ )?(?:error|exception)\b\s*(?:[:(-]|occurred|while|executing)|"
    r"(?:\w+\.)*\w*(?:Error|Exception)\b\s*[:(]|\((?:\w+\.)+\w+\) \w|"
    r"(?:query|statement|execution|tool)\s+failed\b|failed to \w+|could not \w+)",
    re.IGNORECASE,
)


def is_error(text: str) -> bool:
    """Whether a tool says by its text, and not by an exception, that it has failed.

    >>> [is_error(one) for one in ("Error: (sqlite3.OperationalError) no such column: nmae", "ProgrammingError: syntax")]
    [True, True]
    >>> [is_error(one) for one in ("[('Error 404', 3)]", "3 rows", "error_code | 7", "errors")]
    [False, False, False, False]
    """
    return _SAYS_ERROR.match(text) is not None
