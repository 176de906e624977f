"""From the type that a database declares to what its values can be used for."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import cast

from oldhand.lexicon.entries import shipped
from oldhand.record.base import Cell
from oldhand.record.schema import Kind

_NAMES = cast("dict[str, str]", shipped("oldhand.sources.databases", "kinds.yaml"))
_KINDS = {name.strip(): Kind(kind) for kind, names in _NAMES.items() for name in names.split(",")}
_DIALECT_KINDS: dict[str, dict[str, Kind]] = {
    "mysql": {"bit": Kind.INTEGER, "tinyint(1)": Kind.BOOLEAN, "bit(1)": Kind.BOOLEAN},
    "sqlite": {"bit": Kind.INTEGER, "tinyint(1)": Kind.BOOLEAN},
    "tsql": {"bit": Kind.BOOLEAN, "timestamp": Kind.BINARY},
}
_AFFINITIES = (
    (("int",), Kind.INTEGER),
    (("char", "clob", "text"), Kind.TEXT),
    (("blob",), Kind.BINARY),
    (("real", "floa", "doub"), Kind.NUMBER),
)
_ARGUMENTS = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_OPEN_ARGUMENTS = re.compile(r"\(.*$")
_MODIFIERS = re.compile(r"\b(unsigned|signed|zerofill|character set \w+|charset \w+|collate \w+)\b")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATETIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_TIME = re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?")


def kind_of(declared: str, dialect: str) -> Kind:
    """What the values of a declared type can be used for; `OTHER` when that is not known.

    SQLite knows any type: what is not in the list goes by SQLite's rules of affinity.

    >>> [kind_of(t, "postgres").value for t in ("character varying(50)", "timestamp(6) with time zone", "int4[]", "mood")]
    ['text', 'datetime', 'other', 'other']
    >>> [kind_of(t, "mysql").value for t in ("tinyint(1)", "int(10) unsigned", "enum('a','b (c)')")]
    ['boolean', 'integer', 'text']
    >>> [kind_of(t, "sqlite").value for t in ("", "FLOATING POINT", "VARCHAR(20", "STRANGE")]
    ['other', 'integer', 'text', 'number']
    """
    known = _known_kind(declared, dialect)
    if known is not None:
        return known
    if dialect != "sqlite" or not declared.strip():
        return Kind.OTHER
    folded = declared.casefold()
    for parts, kind in _AFFINITIES:
        if any(part in folded for part in parts):
            return kind
    return Kind.NUMBER


def is_known_type(declared: str, dialect: str) -> bool:
    """Whether the list of known types holds it; SQLite may leave a type empty."""
    is_left_out = dialect == "sqlite" and not declared.strip()
    return is_left_out or _known_kind(declared, dialect) is not None


def nearest_type(declared: str) -> str | None:
    """The known type that is written most like it.

    >>> nearest_type("VARCHRA(50)"), nearest_type("qqq")
    ('VARCHAR', None)
    """
    near = get_close_matches(_base_name(declared), _KINDS, n=1)
    return near[0].upper() if near else None


def kind_of_values(kind: Kind, values: Iterable[Cell]) -> Kind:
    """What a SQLite column really holds, where its declared type says something else.

    >>> kind_of_values(Kind.TEXT, ["2024-01-31", "2023-12-01"]).value
    'date'
    >>> kind_of_values(Kind.INTEGER, [1, 2, "n/a"]).value, kind_of_values(Kind.DATE, ["May 3"]).value
    ('integer', 'text')
    >>> kind_of_values(Kind.OTHER, [1, 2]).value, kind_of_values(Kind.DATE, []).value
    ('integer', 'date')
    """
    seen = [value for value in values if value is not None and value != ""]
    if not seen or kind in (Kind.BINARY, Kind.JSON, Kind.SPATIAL):
        return kind
    texts = [value for value in seen if isinstance(value, str)]
    if len(texts) == len(seen):
        return _kind_of_texts(kind, texts)
    if texts:  # a stray "n/a" among numbers does not make them text
        return kind if len(texts) * 2 < len(seen) and kind is not Kind.OTHER else Kind.TEXT
    if kind is Kind.OTHER:
        return Kind.INTEGER if all(isinstance(value, int) for value in seen) else Kind.NUMBER
    if kind in (Kind.DATE, Kind.DATETIME, Kind.TIME):
        return Kind.NUMBER if any(isinstance(value, float) for value in seen) else Kind.INTEGER
    return kind


def _kind_of_texts(kind: Kind, texts: list[str]) -> Kind:
    if all(_DATE.fullmatch(text) for text in texts):
        return Kind.DATETIME if kind is Kind.DATETIME else Kind.DATE
    if all(_DATETIME.fullmatch(text) or _DATE.fullmatch(text) for text in texts):
        return Kind.DATETIME
    if kind is Kind.TIME and all(_TIME.fullmatch(text) for text in texts):
        return Kind.TIME
    return Kind.TEXT


def _known_kind(declared: str, dialect: str) -> Kind | None:
    text = " ".join(declared.casefold().split())
    special = _DIALECT_KINDS.get(dialect, {})
    if text.endswith("]"):
        return Kind.OTHER
    base = _base_name(declared)
    return special.get(text) or special.get(base) or _KINDS.get(base)


def _base_name(declared: str) -> str:
    text = _QUOTED.sub("", declared.casefold().strip().strip('"'))
    while text != (shorter := _ARGUMENTS.sub(" ", text)):
        text = shorter
    text = _OPEN_ARGUMENTS.sub("", text)  # `varchar(20` happens in SQLite
    base = " ".join(_MODIFIERS.sub(" ", text).split())
    return base or " ".join(text.split())
