"""Names of columns and codes that people put beside their words: `cancelled orders (status X)`, `the volume of a job, vol_m3`.

Nothing in a statement tells more surely what is meant. While the sentence is read, the words before such a name stand for it.
"""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.stating.clauses import base, tells_what_was_done, verbs
from oldhand.agent.analyst.stating.formulas import written
from oldhand.agent.analyst.stating.named import (
    NamedColumn,
    columns_named,
    is_one_of,
    tables_in,
    tables_last,
    tables_meant,
    values_said,
)
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import NUMBER_WORDS, STOP_WORDS
from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, Table, with_rule
from oldhand.record.semantics import NamedCondition, Rule, Synonym
from oldhand.sources.databases.values import Values

_BRACKETS = re.compile(r"(?<=\w)\s+\((?P<inside>[^()]+)\)")
_BEHIND_COMMA = re.compile(r"(?<=\w),\s+(?:i\.e\. |so |that is |namely )?(?P<inside>[\w.]+(?:\s*=\s*|\s+)?[\w'\"]*)(?=[.!;]?$)")  # fmt: skip
_VALUES = re.compile(r"\s*(?:,|/|\bor\b|\band\b)\s*", re.IGNORECASE)
_EQUALS = re.compile(r"^\s*(?:=|is\b|in\b|code\b)\s*", re.IGNORECASE)
_COLUMN = 3
"""Words of the name of a column at most."""
_LIST = r"(?:[\w'-]+(?:,? (?:and|or) |, )){{{}}}[\w'-]+$"
"""So many and one more things in a row, at the end."""
INVENTED = "zzq"
"""Begins words that no schema and no list has."""
_COMPUTING = words("rules.formulas") | meanings("rules.computing").keys()
_PRONOUNS = words("rules.doing")
_BOUNDS = (
    frozenset(one.rpartition("-")[2] for one in meanings("rules.comparing")).union(NUMBER_WORDS, _COMPUTING)
    | words("rules.having") | words("rules.relating")
) - words("rules.within_names")  # fmt: skip
"""Words before the phrase that names a column, whatever the sentence is."""
_CODED = 0.5
"""How well words must fit the column whose codes stand behind them."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A column that is named beside words, or what rows are like that have some values of it."""

    database: str
    table: Table
    column: Column | None
    """None where a condition is named."""
    condition: str = ""
    """In neutral SQL."""
    codes: int = 0
    """How many values it has."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """A sentence without what stands beside its words, and what that was."""

    text: str
    pointers: tuple[Pointer, ...] = ()
    schemas: tuple[DatabaseSchema, ...] = ()
    """With the words that stand for columns and codes in this sentence."""
    said: tuple[tuple[str, str], ...] = ()
    """Invented words of the text, each with the words that it stands for."""

    def in_their_words(self, text: str) -> str:
        """A text about the sentence in the words that were written."""
        for invented, said in self.said:
            text = text.replace(invented, said)
        return text


def pointed(sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> Pointed:
    """A sentence with what stands beside its words understood.

    Raises:
        UnclearRule: a column is named that has no such value, or that may be one of several.
    """
    made = Pointed(sentence.strip(), (), schemas)
    for pattern in (_BRACKETS, _BEHIND_COMMA):
        at = 0
        while found := pattern.search(made.text, at):
            before = made.text[: found.start()]
            pointer = _pointer(found["inside"], before, made.text, schemas, values)
            if pointer is None:
                at = found.end()
                continue
            made = _without(made, before, made.text[found.end() :], pointer)
            at = len(before) if pattern is _BRACKETS else len(made.text)
    return made


def word_of(told: Pointed) -> NamedCondition | None:
    """What the one word of a sentence means beside which codes stand: `cancelled` of `the cancelled orders (status X)`; None where there is none."""
    coded = [one for one in told.pointers if one.condition]
    if len(coded) != 1 or len(told.said) != 1:
        return None
    (pointer,), ((_, name),) = coded, told.said
    name = name.casefold()
    if not name.isalpha() or name in STOP_WORDS or tables_meant(name, told.schemas):
        return None
    if any(one.fit >= _CODED for one in columns_named(name, told.schemas)):
        return None
    return NamedCondition(name=name, table=pointer.table.name, condition=pointer.condition)


def _pointer(
    inside: str, before: str, sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> Pointer | None:
    """What is named beside words; None where it is a remark, or belongs to a formula."""
    led = before.split()[-1:]
    if not led or led[0].lower() in _COMPUTING:
        return None
    _, near = tables_last(before.split(), schemas)
    around = near or tables_in(before, schemas) or tables_in(sentence, schemas)
    said = inside.strip(" .'\"").split()
    for size in range(min(_COLUMN, len(said)), 0, -1):
        column = _column(" ".join(said[:size]), around, schemas, sure=size == len(said))
        if column is not None and size == len(said):
            return Pointer(column.database, column.table, column.column)
        if column is not None and (some := _values(" ".join(said[size:]), column, values)):
            return Pointer(
                column.database, column.table, None, is_one_of(column.column.name, some), len(some)
            )
    if any(sign in inside for sign in "<>=") or " null" in inside.lower():
        made = written(inside, schemas, values, beside=sentence)
        return Pointer(made.database, made.table, None, made.text) if made and made.compares else None  # fmt: skip
    return _coded(inside, near, schemas, values)


def _column(
    name: str,
    around: Sequence[tuple[str, Table]],
    schemas: tuple[DatabaseSchema, ...],
    *,
    sure: bool,
) -> NamedColumn | None:
    """The column of a name: that of the things at hand, where it has one; alone, a name must be one that is written so."""
    found = [one for one in columns_named(name, schemas) if one.fit >= (1.0 if sure else _CODED)]
    if sure and (name.islower() is False or name.isalpha()) and not any(one.column.name.casefold() == name.casefold() for one in found):  # fmt: skip
        return None
    here = [one for one in found if (one.database, one.table) in around]
    best = max((one.fit for one in here or found), default=0.0)
    few = [one for one in here or found if one.fit == best]
    if len(few) > 1 and not here:
        names = ", ".join(f"{one.table.name}.{one.column.name}" for one in few[:5])
        raise UnclearRule(f"{name!r} may be one of: {names}. Name it in full.")
    return few[0] if few else None


def _values(said: str, column: NamedColumn, values: Values) -> list[str | float]:
    """The values of a column that some words are."""
    plain = [one.strip(" '\"") for one in _VALUES.split(_EQUALS.sub("", said))]
    unknown = [one for one in plain if not values_said([one], column, values)]
    if unknown and column.fit == 1 and column.column.kind not in NUMBERS:
        raise UnclearRule(f"{column.table.name}.{column.column.name} has no value {unknown[0]!r}.")
    return [] if unknown else values_said(plain, column, values)


def _coded(
    inside: str,
    near: Sequence[tuple[str, Table]],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> Pointer | None:
    """Codes alone beside things of which one column has them: `cancelled orders (X)`."""
    said = [one.strip(" '\"") for one in _VALUES.split(inside)]
    if any(not one or one in STOP_WORDS for one in said):
        return None
    every = [(schema.name, table) for schema in schemas for table in schema.tables]
    for database, table in near or every:
        known = {(it.column, it.value) for it in values.exact(said) if (it.database, it.table) == (database, table.name)}  # fmt: skip
        for column in table.columns:
            held = [value for name, value in known if name == column.name]
            if len({str(one).casefold() for one in held}) == len({one.casefold() for one in said}):
                others = {name for name, _ in known} - {column.name}
                some = [str(next(v for v in held if str(v).casefold() == one.casefold())) for one in said]  # fmt: skip
                return (
                    None
                    if others
                    else Pointer(database, table, None, is_one_of(column.name, some), len(some))
                )
    return None


def _without(made: Pointed, before: str, behind: str, pointer: Pointer) -> Pointed:
    """The sentence without what stood beside its words, in which these stand for it."""
    said, table = before.split(), pointer.table.name
    if pointer.column is not None:
        name = " ".join(said[_phrase(said) :]).casefold() or pointer.column.name
        rule: Rule = Synonym(name=name, table=table, column=pointer.column.name)
        text, stood = before + behind, made.said
    else:
        name = f"{INVENTED}{string.ascii_lowercase[len(made.said)]}"
        rule = NamedCondition(name=name, table=table, condition=pointer.condition)
        start, end = _coded_words(said, pointer, made.schemas)
        whose = start > 0 and end == len(said) and said[start - 1].lower() in _PRONOUNS
        now = [*said[: start - 1], "that", "are", name] if whose else [*said[:start], name, *said[end:]]  # fmt: skip
        text = " ".join(now) + behind
        stood = (*made.said, (name, " ".join(said[start:end])))
    schemas = with_rule(made.schemas, pointer.database, rule)
    return Pointed(text, (*made.pointers, pointer), schemas, stood)


def _coded_words(
    said: Sequence[str], pointer: Pointer, schemas: tuple[DatabaseSchema, ...]
) -> tuple[int, int]:
    """From where to where the words go for which codes stand: `sold` of `the sold cars`, or of `cars we sold`.

    Raises:
        UnclearRule: they are denied, and the codes may be those of either.
    """
    listed = re.search(_LIST.format(pointer.codes - 1), " ".join(said)) if pointer.codes > 1 else None  # fmt: skip
    if listed is not None:  # drivers and packers (DRV, PCK)
        return len(said) - len(listed[0].split()), len(said)
    start = end = len(said) - tables_last(said, schemas)[0]
    while start > 0 and _tells_apart(said, start - 1):
        start -= 1
    told = " ".join(said[start:end])
    while start > 0 and said[start - 1].lower() in words("rules.yet"):
        start -= 1
    if told and start > 0 and said[start - 1].lower() in words("rules.never"):
        raise UnclearRule(f"I can't tell whether {pointer.condition} is that of what is {told!r} or of what is not: say `with {pointer.condition}` in its place.")  # fmt: skip
    return start, end


def _tells_apart(said: Sequence[str], at: int) -> bool:
    """Whether a word can be one of those that tell the things behind it from others."""
    word = said[at].lower()
    does = base(word) in verbs() and not tells_what_was_done(word)
    ends = STOP_WORDS | _BOUNDS | words("rules.denying") | words("rules.alone")
    return not does and word[-1:].isalnum() and word not in ends


def _phrase(said: Sequence[str]) -> int:
    """Where the phrase begins that names a column and ends with the text."""
    whole = _start(said, words("rules.before_columns") - words("rules.before_times"))
    defined = whole > 0 and said[whole - 1].lower() in words("rules.equating")
    start = whole if defined else _start(said, words("rules.before_columns"))
    while start < len(said) - 1 and said[start].lower() in words("rules.articles"):
        start += 1
    return start


def _start(said: Sequence[str], bounds: frozenset[str]) -> int:
    start = len(said)
    while start > 0 and not _bounds(said, start - 1, bounds):
        start -= 1
    return start


def _bounds(said: Sequence[str], at: int, bounds: frozenset[str]) -> bool:
    word = said[at].lower()
    if word in words("verbs.be"):
        return at == 0 or said[at - 1].lower() not in _PRONOUNS
    on_which = [one.lower() for one in said[max(at - 1, 0) : at + 2]]
    if "which" in on_which[1:] and not words("rules.before_times").isdisjoint(on_which):
        return False  # the day on which it was paid
    return (
        word in _BOUNDS | bounds
        or word[-1:] in ",;:="
        or not word[0].isalnum()
        or word[0].isdigit()
    )
