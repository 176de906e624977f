"""What people write down as the meaning of a phrase, checked against the schemas."""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from rapidfuzz import fuzz, process

from oldhand.errors import InvalidAlias, UnknownTarget
from oldhand.lexicon.wording import number_in
from oldhand.record.effect import EQUAL, Alias, Comparison
from oldhand.record.schema import NUMBERS, TIMES, Column, DatabaseSchema, Table

LONGEST = 100
"""Characters of a phrase at most."""
MOST_WORDS = 8
_NEAR = 55
"""Lowest similarity, of 100, of a name that is offered instead of one that is not there."""
_GENERAL = frozenset(
    "a an the this that these those and or but not no of in on at by to for from with without into about as "  # noqa: SIM905
    "i you he she we they me my your his her our their its is are was were be been do does did has have had "
    "can could will would shall should may might must what which who whom whose when where why how there "
    "many much most more least less few fewer fewest than per each every all any some both either neither "
    "average mean total sum count number amount highest lowest maximum minimum max min top bottom first last "
    "only also between above below over under before after since until during show list give tell find get".split()
)
"""Words that say what is asked, not of what; `it` and `us` are not among them: companies have an IT, and sell to the US."""
_CONDITION = re.compile(r"[<>!]|\b(is|not|null|like|between|in)\b", re.IGNORECASE)
_OPERATOR = {"=": "=", ">": ">", "<": "<", ">=": ">=", "<=": "<=", "\u2265": ">=", "\u2264": "<="}
_WORD = re.compile(r"[^\W_]+")
_NAME = r"(?P<name>(?:\"[^\"]*\"|[^=<>!\u2264\u2265\"])+?)"
_TARGET = re.compile(
    _NAME + r"\s*(?:(?P<operator>>=|<=|[=<>\u2264\u2265])\s*(?P<value>[^=<>].*)"
    r"|(?<=[\s\"])(?P<between>between)\s+(?P<low>.+?)\s+and\s+(?P<high>.+))?",
    re.IGNORECASE,
)
_PART = re.compile(r'"(?P<quoted>[^"]+)"|(?P<plain>[^."]+)')


def spelt(phrase: str) -> str:
    """A phrase as aliases keep it: lower case, single blanks, no quotation marks around it.

    Raises:
        InvalidAlias: it has no word, or too many, or only such as stand in any question.

    >>> spelt(' "Top  Tier" '), spelt("Kund:innen")
    ('top tier', 'kund:innen')
    """
    plain = " ".join(phrase.split()).strip("\"'\u201c\u201d\u2018\u2019` ").lower()
    words = _WORD.findall(plain)
    if not words:
        raise InvalidAlias(f"{phrase!r} has no word that could be looked for in a question.")
    if len(plain) > LONGEST or len(words) > MOST_WORDS:
        raise InvalidAlias(
            f"A phrase has at most {MOST_WORDS} words and {LONGEST} characters; this one has "
            f"{len(words)} and {len(plain)}."
        )
    if all(word.isdigit() for word in words):
        raise InvalidAlias(f"{phrase!r} is a number: a number means itself.")
    if _GENERAL.issuperset(words):
        raise InvalidAlias(
            f"{phrase!r} says how something is asked and stands in many questions: it cannot mean a table, column or value."
        )
    return plain


def target_of(phrase: str, target: str, schemas: Sequence[DatabaseSchema]) -> Alias:
    """The alias that a person states, its target checked against the schemas.

    The database may be left out where only one has such a table, and so may the table where only
    one has such a column.

    Raises:
        InvalidAlias: the phrase or the target is not of that form.
        UnknownTarget: the target is not in the schemas, or several things are called that.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="tier", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> target_of("Clients", "customers", (shop,)).target
    'shop.customers'
    >>> target_of("top tier", "shop.customers.tier = A1", (shop,)).target
    "shop.customers.tier = 'A1'"
    >>> target_of("clients", "shop.custmers", (shop,))
    Traceback (most recent call last):
    ...
    oldhand.errors.UnknownTarget: There is no 'shop.custmers'. Is it shop.customers?
    """
    said = spelt(phrase)
    match = _TARGET.fullmatch(" ".join(target.split()))
    parts = _parts(match["name"]) if match else []
    if match is None or not parts:
        raise InvalidAlias(f"{target!r} names no table, column or value. {InvalidAlias()}")
    found = [*_tables(parts, schemas), *_columns(parts, schemas)]
    if (not found and _CONDITION.search(target)) or _is_null(match["value"]):
        raise InvalidAlias(
            f"{target!r} is no condition that a word can stand for: a target is a table, a column, `column = value`, "
            "a comparison with >, >=, < or <=, or `column between low and high`. Teach others by correcting an answer "
            "with SQL."
        )
    if len(found) != 1:
        raise _unknown(match["name"].strip(), [_name(*one) for one in found], schemas)
    schema, table, column = found[0]
    values = [text for text in (match["value"], match["low"], match["high"]) if text is not None]
    if values and column is None:
        raise InvalidAlias(
            f"{_name(*found[0])} is a table: only a column has the value {values[0]!r}."
        )
    said_operator = "between" if match["between"] else _OPERATOR[match["operator"] or EQUAL]
    operator = _checked_operator(said_operator, column)
    read = [_value(text, column) for text in values if column is not None]
    if operator == "between" and not _is_range(*read):
        raise InvalidAlias(f"{target!r} holds nothing: the smaller value comes first.")
    return Alias(
        phrase=said,
        database=schema.name,
        schema_name=table.schema_name,
        table=table.name,
        column=column.name if column else None,
        value=read[0] if read else None,
        operator=operator,
        upper=read[1] if len(read) > 1 else None,
    )


def _is_null(value: str | None) -> bool:
    """True for what is written to mean that there is no value; a text that reads so is put in quotation marks."""
    return value is not None and value.strip().upper() == "NULL"


_Place = tuple[DatabaseSchema, Table, Column | None]


def _parts(name: str) -> list[str]:
    return [
        (match["quoted"] or match["plain"]).strip().casefold()
        for match in _PART.finditer(name)
        if (match["quoted"] or match["plain"]).strip()
    ]


def _places(schemas: Sequence[DatabaseSchema]) -> Iterable[_Place]:
    for schema in schemas:
        for table in schema.tables:
            yield schema, table, None
            for column in table.columns:
                yield schema, table, column


def _tables(parts: list[str], schemas: Sequence[DatabaseSchema]) -> list[_Place]:
    return [
        (schema, table, column)
        for schema, table, column in _places(schemas)
        if column is None and _ends((schema.name, table.schema_name, table.name), parts)
    ]


def _columns(parts: list[str], schemas: Sequence[DatabaseSchema]) -> list[_Place]:
    return [
        (schema, table, column)
        for schema, table, column in _places(schemas)
        if column is not None
        and _ends((schema.name, table.schema_name, table.name, column.name), parts)
    ]


def _ends(full: tuple[str, ...], parts: list[str]) -> bool:
    """True when `parts` are the last of `full`, the schema's name left out or not."""
    names = [part.casefold() for part in full]
    without = [*names[:1], *names[2:]]
    return any(way[-len(parts) :] == parts for way in (names, without) if len(way) >= len(parts))


def _name(schema: DatabaseSchema, table: Table, column: Column | None) -> str:
    return ".".join((schema.name, table.name, *((column.name,) if column else ())))


def _unknown(name: str, several: list[str], schemas: Sequence[DatabaseSchema]) -> UnknownTarget:
    if several:
        listed = ", ".join(several[:8])
        return UnknownTarget(
            f"{name!r} may be one of: {listed}. Name it in full.", near=tuple(several)
        )
    depth = name.count(".")
    names = [_name(*place) for place in _places(schemas)]
    scored = process.extract(
        name, names, scorer=fuzz.ratio, processor=str.casefold, limit=20, score_cutoff=_NEAR
    )
    alike = [(text, ratio) for text, ratio, _ in scored if text.count(".") == depth]
    near = tuple(text for text, *_ in (alike or scored)[:3])
    hint = f"Is it {' or '.join(near)}?" if near else "`oldhand schema show` lists what there is."
    return UnknownTarget(f"There is no {name!r}. {hint}", near=near)


def _checked_operator(operator: str, column: Column | None) -> Comparison:
    """The operator, unless the column holds what has no order that people mean."""
    if operator != EQUAL and column is not None and column.kind not in NUMBERS | TIMES:
        raise InvalidAlias(
            f"{column.name} holds neither numbers nor dates: only these are compared."
        )
    return cast("Comparison", operator)


def _is_range(low: str | float, high: str | float) -> bool:
    if isinstance(low, str) or isinstance(high, str):
        return str(low) <= str(high)
    return low <= high


def _value(text: str, column: Column) -> str | int | float:
    plain = text.strip()
    if len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "\"'":
        return plain[1:-1]
    if column.kind not in NUMBERS:
        return plain
    number = number_in(plain)
    if number is None:
        raise InvalidAlias(f"{column.name} holds numbers, and {plain!r} is none.")
    return number
