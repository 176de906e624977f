"""From a sentence to the rule that it states."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.stating.codes import code_named
from oldhand.agent.analyst.stating.dating import date_stated
from oldhand.agent.analyst.stating.denying import of_denied
from oldhand.agent.analyst.stating.formulas import WrittenFormula, written
from oldhand.agent.analyst.stating.left_out import left_out, written_out
from oldhand.agent.analyst.stating.literals import literal_rows, rows_alone
from oldhand.agent.analyst.stating.named import (
    only_one,
    tables_first,
    tables_in,
    tables_meant,
    tables_named,
    tables_with,
)
from oldhand.agent.analyst.stating.partial import amount_of_some
from oldhand.agent.analyst.stating.pointers import Pointed, Pointer, pointed, word_of
from oldhand.agent.analyst.stating.rates import rate_stated
from oldhand.agent.analyst.stating.sentences import NAME, Dating, Definition, Leaving, sentence_of
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.analyst.stating.sums import number_of_all, summed
from oldhand.agent.analyst.stating.things import Things, not_understood, things_meant
from oldhand.agent.analyst.stating.told_by import listed_values, measured_by
from oldhand.agent.analyst.stating.ways import way_stated
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.record.formula import read_condition
from oldhand.record.schema import DATES, DatabaseSchema, Table
from oldhand.record.semantics import (
    DefaultDate,
    Measure,
    NamedCondition,
    RowFilter,
    Synonym,
)
from oldhand.sources.databases.values import Values

_COMPUTED = re.compile(r"\s[-+*/=<>]|[*/=<>]")
_DATES = words("rules.dates")


def read_rule(sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> ReadRule:
    """The rule that a sentence states.

    Args:
        sentence: in English.
        schemas: the databases that it may be about.
        values: what these hold.

    Raises:
        UnclearRule: a part of it is not understood.

    >>> from oldhand.record.schema import Column, Kind
    >>> from oldhand.sources.databases.values import ValueIndex
    >>> columns = tuple(Column(name=name, type="REAL", kind=Kind.NUMBER) for name in ("price", "cost"))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="orders", schema_name="main", columns=columns),))
    >>> read_rule("profit = price - cost", (shop,), ValueIndex.in_memory("shop", [])).rule.told
    "'profit' is price - cost of each row of orders"
    """
    told = Pointed(sentence)
    try:
        stated = _read_literally(sentence, schemas, values)
        told = pointed(sentence, schemas, values)
        stated = stated or _read(told.text, told.schemas, values, told.pointers)
    except UnclearRule as unclear:
        if (stated := code_named(sentence, schemas, values)) is None:
            raise UnclearRule(told.in_their_words(str(unclear))) from unclear
    rule = stated.rule.model_copy(update={"says": " ".join(sentence.split())})
    word = word_of(told) if isinstance(rule, RowFilter) else None
    beside = stated.beside if word is None else (*stated.beside, word)
    return ReadRule(stated.database, rule, beside).of({"says": rule.says})


def _read_literally(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> ReadRule | None:
    """The rule of a sentence in which columns and values of them are written as they are; None where none is understood."""
    literal = literal_rows(sentence, schemas, values)
    if literal is None:
        return None
    try:
        alone = rows_alone(literal)
        return ReadRule(*alone) if alone else _read(literal.text, literal.schemas, values, literal.pointers)  # fmt: skip
    except UnclearRule:
        return None


def _read(
    sentence: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    pointers: Sequence[Pointer],
) -> ReadRule:
    if told := written_out(sentence, schemas) or way_stated(sentence, schemas, pointers):
        return ReadRule(*told)
    match said := of_denied(sentence, schemas, values) or sentence_of(sentence):
        case (name, things):
            return _of_rows(name, things)
        case Definition():
            return _amount(said, schemas, values) or _defined(said, schemas, values)
        case Dating():
            return ReadRule(*date_stated(said, schemas, pointers))
        case Leaving():
            return ReadRule(*left_out(said, schemas, values))
        case None:
            return _described(sentence, schemas, values)


def _amount(
    said: Definition, schemas: tuple[DatabaseSchema, ...], values: Values
) -> ReadRule | None:
    """A rate, or an amount of some rows, with the rule that these alone count where it is asked for."""
    name = said.name.casefold()
    if rate := rate_stated(said.name, said.meaning, schemas, values):
        return _named(name, rate, having=False)
    some = amount_of_some(said.meaning, schemas, values)
    return some and replace(_named(name, some.amount, having=False), beside=(some.beside(name),))


def _defined(said: Definition, schemas: tuple[DatabaseSchema, ...], values: Values) -> ReadRule:
    name = said.name.casefold()
    if tables := tables_named(said.meaning, schemas):
        return _for_table(said, tables)
    around = tables_in(f"{said.name} {said.meaning}", schemas)
    if (compared := _of_things(said, schemas, values)) is not None:
        return compared
    try:
        made = written(said.meaning, schemas, values, beside=said.name)
    except UnclearRule as unclear:
        # `clients with a balance over 100` is no formula, but the analyst may know which rows these are.
        if _COMPUTED.search(said.meaning):
            raise
        made, why = None, unclear
    else:
        why = None
    if made is not None:
        return _named(name, made, having=said.having)
    if (counted := _COUNTED.match(said.meaning)) is not None:
        return number_of_all(name, said.meaning[counted.end() :], schemas)
    if tables := tables_meant(said.meaning, schemas):
        return _for_table(said, tables)
    return _condition(said, schemas, values, around, why)


def _for_table(said: Definition, tables: tuple[tuple[str, Table], ...]) -> ReadRule:
    """A word for a table."""
    only_one(said.meaning, [f"{database}.{table.name}" for database, table in tables])
    database, table = tables[0]
    return ReadRule(database, Synonym(name=said.name.casefold(), table=table.name))


def named_in(sentence: str, schemas: tuple[DatabaseSchema, ...]) -> str:
    """What a sentence gives a meaning to; empty where it has not the form of such a sentence.

    >>> named_in("Profit is price - cost", ()), named_in("Only count paid orders", ())
    ('Profit', '')
    """
    try:
        said = sentence_of(sentence)
    except UnclearRule:
        return ""
    if isinstance(said, Definition):
        return said.name
    return next((name for name, *_ in _rows_named(sentence, schemas)), "") if said is None else ""


def _rows_named(
    sentence: str, schemas: tuple[DatabaseSchema, ...]
) -> Iterator[tuple[str, str, tuple[tuple[str, Table], ...]]]:
    """The name of some rows, what is said of them after it, and the tables that the name ends with, if it does."""
    said = sentence.strip(" .!;").split()
    while said and said[0].lower() in _FILLERS:
        said = said[1:]
    for end in range(1, min(len(said), NAME)):
        named = [tables_meant(" ".join(said[start:end]), schemas) for start in range(1, end)]
        tables = next((found for found in named if found), ())
        own = STOP_WORDS.isdisjoint(word.lower() for word in said[:end])
        if own and (tables or said[end].lower() in _HAVING):
            yield " ".join(said[:end]), " ".join(said[end:]), tables


def _described(sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> ReadRule:
    """`Paid orders have status paid`: what is said of rows after their name, which begins with a word of its own."""
    why = f"I can't tell what {sentence.strip()!r} is to change."
    for name, rest, tables in _rows_named(sentence, schemas):
        around = tables or tables_with(rest, schemas)
        things = things_meant(rest, schemas, values, around, only=True) if around else None
        if things is not None:
            return _of_rows(name, things)
        if (compared := _compared(name, rest, schemas, values)) is not None:
            return compared
        if tables:
            why = not_understood(rest, schemas, values, tables[0])
    raise UnclearRule(why)


def _of_things(
    said: Definition, schemas: tuple[DatabaseSchema, ...], values: Values
) -> ReadRule | None:
    """`Lost rentals are rentals whose returned_on is missing`: a comparison of the columns of things that are named before it."""
    tables = tables_first(said.meaning, schemas)
    found = _RELATING.search(said.meaning) if tables else None
    if found is not None and not tables_meant(_bare(said.meaning[: found.start()]), schemas):
        return None  # `parcels sent by express with a fee over 20` have more than that fee
    rest = said.meaning[found.end() :] if found else ""
    return _compared(said.name, rest, schemas, values, tables[0][1].name) if rest else None


def _bare(things: str) -> str:
    return " ".join(word for word in things.split() if word.lower() not in _FILLERS)


def _compared(
    name: str, rest: str, schemas: tuple[DatabaseSchema, ...], values: Values, things: str = ""
) -> ReadRule | None:
    """What is said of rows as a comparison of their columns: `have returned_on missing`."""
    first, *others = rest.split()
    said = " ".join(others) if first.lower() in _HAVING else rest
    try:
        made = written(said, schemas, values, beside=f"{name} {things}")
    except UnclearRule:
        return None
    return _named(name.casefold(), made, having=True) if made and made.compares else None


def _of_rows(name: str, things: Things) -> ReadRule:
    condition = read_condition(things.condition).sql()
    rule = NamedCondition(name=name.casefold(), table=things.table, condition=condition)
    return ReadRule(things.database, rule)


def _named(name: str, made: WrittenFormula, *, having: bool) -> ReadRule:
    """What a name stands for: a condition, a word for a column, or a measure."""
    table = made.table.name
    if made.column is not None and not having:
        return _word(name, made)
    if made.column is None and not made.compares:
        return ReadRule(made.database, Measure(name=name, table=table, formula=made.text))
    condition = made.text if made.column is None else f"{made.column} IS NOT NULL"
    return ReadRule(made.database, NamedCondition(name=name, table=table, condition=condition))


def _word(name: str, made: WrittenFormula) -> ReadRule:
    """A word for a column; for a date that is called one, the date of its table."""
    table, column = made.table, made.column or ""
    known = table.column(column)
    if known is not None and known.kind in DATES and _DATES.intersection(name.split()):
        return ReadRule(made.database, DefaultDate(table=table.name, column=column, phrase=name))
    return ReadRule(made.database, Synonym(name=name, table=table.name, column=column))


def _condition(
    said: Definition,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    around: tuple[tuple[str, Table], ...],
    unclear: UnclearRule | None = None,
) -> ReadRule:
    bare = " ".join(word for word in said.meaning.split() if word.lower() not in _FILLERS)
    own = tables_in(said.name, schemas) or tables_first(said.meaning, schemas)
    around = own or around or tables_with(said.meaning, schemas)
    read = (
        things_meant(one, schemas, values, around, only=bool(own)) for one in (said.meaning, bare)
    )
    things = summed(said.meaning, schemas, values) or next(
        (one for one in read if one is not None), None
    )
    amount = _AMOUNT.fullmatch(bare)
    measured = measured_by(said.name, around) if amount is not None else []
    only_one(said.meaning, measured)
    if things is None and amount is not None:
        return _measured(said, amount["amount"], measured, schemas, values)
    if things is None and own:
        raise UnclearRule(not_understood(said.meaning, schemas, values, own[0]))
    if things is None and (listed := listed_values(said.meaning, values)) is not None:
        return _of_rows(said.name, listed)
    if things is None:
        why = f"I don't understand what {said.meaning!r} means in these databases."
        raise unclear or UnclearRule(why)
    return _of_rows(said.name, things)


def _measured(
    said: Definition,
    amount: str,
    columns: list[str],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> ReadRule:
    """`Heavy products are those over 100 kg`: the column that the adjective measures against an amount."""
    if not columns:
        raise UnclearRule(
            f"Which column is {said.meaning!r} about? Name it, as in: {said.name} are those with a price {amount}."
        )
    return _defined(Definition(said.name, f"{columns[0]} {amount}"), schemas, values)


_FILLERS = words("rules.articles")
_NUMBER_OF = "|".join(words("rules.counted")).replace("-", " ")
_COUNTED = re.compile(rf"(?:{_NUMBER_OF}) ", re.IGNORECASE)
_HAVING = words("rules.having")
_RELATIVE = "|".join(words("rules.relating"))
_RELATING = re.compile(rf"(?<=\w) (?:{_RELATIVE}) ", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<amount>(?:over|under|above|below|from|at least|at most|up to|(?:more|less|greater|fewer) than) \d+(?:\.\d+)?)(?: [^\W\d]+)?",
    re.IGNORECASE,
)
"""An amount that something is compared with, and its unit."""
