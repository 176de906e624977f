"""Corrections that say what a word of the question means: `big customers have more than 20 orders`; or a key that nobody has declared: `packer_id is the beekeeper`."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from oldhand.agent.analyst.correcting.phrases import wordings
from oldhand.agent.analyst.deciding import DecisionKind, decide
from oldhand.agent.analyst.effects.filtering import filtered
from oldhand.agent.analyst.effects.keys import with_keys
from oldhand.agent.analyst.stating.formulas import PERCENT_OF
from oldhand.agent.analyst.stating.named import columns_named
from oldhand.agent.analyst.stating.reading import named_in, read_rule
from oldhand.agent.analyst.stating.sentences import COMPUTED, Definition, sentence_of
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.analyst.stating.ways import CONTRAST, way_said
from oldhand.agent.analyst.stating.written_keys import by_key, undeclared
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import key_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, tokenise
from oldhand.query.form import Query
from oldhand.record.schema import Column, DatabaseSchema, Table, with_rule, with_semantics
from oldhand.record.semantics import DefaultDate, DefaultJoin, RowFilter
from oldhand.sources.databases.values import Values

_HOW = words("correcting.computing")
"""Words by which something is computed or compared."""
_SAYING = re.compile(r"\b(?:i|we) (?:\w+ )?mean\b|^(?:it|that|this|which)(?: is|'s| means| should be| must be)\b", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DefinedWord:
    """What a word of a question means, and the question with that meaning."""

    rule: ReadRule
    query: Query


def defined_word(
    said: str,
    question: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    today: date | None,
) -> DefinedWord | None:
    """What a correction says that a word of the question means; None where it says something else.

    Raises:
        UnclearRule: it does, but what it says is not understood.
    """
    if (key := key_supplied(said, question, schemas, values, today)) is not None:
        return DefinedWord(*key)
    plain, *_ = wordings(said)[:1] or ("",)
    plain = _with_things(plain, question, {*_tables(schemas)})
    name = named_in(plain, schemas)
    if not name:  # `routine visits are those of kind R` is no correction of whose visits these are
        plain, name = said, named_in(said, schemas)
    meaning = _SAYING.sub("", plain).strip()
    if COMPUTED.match(meaning) and (not name or meaning != plain):
        name = _unknown_in(question, schemas, values)
        plain = f"{name} = {meaning}"
    if not name or not _is_a_word_of(name, question, schemas, values):
        return None
    stated = read_rule(plain, schemas, values)
    if isinstance(stated.rule, DefaultDate | DefaultJoin | RowFilter):
        return None
    with_it = with_semantics(schemas, stated.database, stated.within)
    found = understand(question, with_it, values, today=today)
    query = found.candidates[0].query if found.candidates else None
    if not isinstance(query, Query) or decide(found, with_it).kind is not DecisionKind.ANSWER:
        said = f"{stated.rule.told}, but then the question is not clear to me yet."
        raise UnclearRule(
            f"I understood that {said} `oldhand rule add` states it for all questions."
        )
    only = [one.effect(stated.database) for one in stated.beside if isinstance(one, RowFilter)]
    query = filtered(query, only, schemas).query if only else query
    return DefinedWord(stated, query)


def says_how(sentence: str, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether a sentence about a name says how it is computed, compared, or found: `the tax advisor is Ms Berg` says who.

    >>> says_how("revenue is the sum of cost", ()), says_how("big customers have over 20 orders", ()), says_how("revenue is fine", ())
    (True, True, False)
    """
    said = {token.lower for token in tokenise(sentence)}
    plain, *_ = wordings(sentence)[:1] or ("",)
    meaning = [one for one in tokenise(plain) if one.lower not in STOP_WORDS]
    tables = {*_tables(schemas)}
    of_rows = not tables.isdisjoint(token.stem for token in meaning)
    explains = of_rows and _SAYING.search(sentence) is not None
    return bool(said & _HOW) or explains or bool(meaning and meaning[-1].stem in tables)


def may_say_how(sentence: str, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether it may do so: it writes the name of a column, says what rows of a table have, or takes a share of an amount.

    >>> may_say_how("a rave is a review with five stars", ()), may_say_how("profit is 30% of revenue", ())
    (False, True)
    """
    tables, having = {*_tables(schemas)}, words("rules.having") | words("rules.relating")
    names = (one.name.casefold() for schema in schemas for table in schema.tables for one in table.columns)  # fmt: skip
    written = any(not one.isalpha() and one in sentence.casefold() for one in names)
    pairs = pairwise(tokenise(sentence))
    written = (
        written
        or may_name_key(sentence, schemas)
        or PERCENT_OF.search(sentence) is not None
        or _is_computed(sentence)
    )
    return written or any(one.stem in tables and two.lower in having for one, two in pairs)


def _is_computed(sentence: str) -> bool:
    """Whether a sentence says of a name, or of what was asked, how it is counted or divided."""
    plain, *_ = wordings(sentence)[:1] or ("",)
    try:
        said = sentence_of(plain)
    except UnclearRule:
        return False
    meaning = said.meaning if isinstance(said, Definition) else _SAYING.sub("", plain).strip()
    return COMPUTED.match(meaning) is not None


def _with_things(said: str, question: str, tables: Collection[str]) -> str:
    """Words with the things that `ones` stands for: those behind the same word in the question, else those that were named before.

    >>> _with_things("big ones have over 20 items", "Which customers have big orders?", {"custom", "order"})
    'big orders have over 20 items'
    """
    asked = tokenise(question)
    named = [token.text for token in asked if token.stem in tables]
    tokens = tokenise(said)
    for place, token in enumerate(tokens):
        if token.lower != "ones":
            continue
        before = tokens[place - 1].stem if place else ""
        pairs = pairwise(asked)
        behind = [two.text for one, two in pairs if one.stem == before and two.stem in tables]
        earlier = [one.text for one in reversed(tokens[:place]) if one.stem in tables]
        things = [*behind, *earlier, *named]
        return f"{said[: token.start]}{things[0]}{said[token.end :]}" if things else said
    return said


def _unknown_in(question: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> str:
    """What a question calls by a name that is not known: the rate that it asks for, with the words before, or its one unknown word; empty where there is none."""
    rates = "|".join(words("rules.rates"))
    if rate := re.search(rf"(?:[\w-]+ )+?(?:{rates})\b", question, re.IGNORECASE):
        said = rate[0].split()
        start = next((at for at in range(len(said) - 2, -1, -1) if said[at].lower() in STOP_WORDS), -1)  # fmt: skip
        return " ".join(said[start + 1 :]) if start < len(said) - 2 else ""
    unknown = understand(question, schemas, values).unknown_words
    return unknown[0] if len(unknown) == 1 else ""


def _is_a_word_of(
    name: str, question: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> bool:
    """Whether a name has words of its own, all of which the question has: no table, no column, no value."""
    said = {token.stem for token in tokenise(name) if token.lower not in STOP_WORDS}
    own = said - set(_tables(schemas))
    if not own or not own <= {token.stem for token in tokenise(question)}:
        return False
    return not values.exact([name]) and all(one.fit < 1 for one in columns_named(name, schemas))


def _tables(schemas: tuple[DatabaseSchema, ...]) -> Iterator[str]:
    return (
        stem(word)
        for schema in schemas
        for table in schema.tables
        for word in split_name(table.name)
    )


def key_supplied(
    said: str,
    question: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    today: date | None,
) -> tuple[ReadRule, Query] | None:
    """The key that words name, and the question with it; None where it lacks none, or they name none by which it is understood.

    Args:
        said: such as `packer_id is the beekeeper`, `join on packer_id`, or `by the packer, not the seller`.
        question: one for which two tables are joined by no key that is known.
        schemas: the databases that it may be about.
        values: what these hold.
        today: when it was asked.
    """
    apart = understand(question, schemas, values, today=today).apart
    for rule in _stated(said, apart, schemas, values) if apart else ():
        with_it = with_keys(with_rule(schemas, rule.database, rule.rule))
        found = understand(question, with_it, values, today=today)
        query = found.candidates[0].query if found.candidates and not found.apart else None
        if isinstance(query, Query) and not found.unknown_words:
            return rule, query
    return None


def may_name_key(said: str, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether words name whom a column refers to of which no key is known."""
    columns = (one for schema in schemas for table in schema.tables for one in table.columns if not one.primary_key and not any(one.name in key.columns for key in table.foreign_keys))  # fmt: skip
    return any(_is_told(one, CONTRAST.sub("", said)) for one in columns)


def _stated(
    said: str,
    apart: tuple[str, ...],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> Iterator[ReadRule]:
    """The ways that words may state from one of two tables to the other."""
    for one in wordings(said):
        for schema, rows, other in _both(apart, schemas):
            tried = (one, f"{one} {other.name}", f"{rows.name} belong to {one}")
            for text in tried:
                way = way_said(text, schemas, values)
                if way is not None and {way[1].table, way[1].to} == {*apart}:
                    yield ReadRule(way[0], way[1].model_copy(update={"says": text}))
            told = [column for column in rows.columns if _is_told(column, CONTRAST.sub("", one))]
            keys = [key for column in told if (key := undeclared(column, rows, other, schema))]
            if len(keys) == 1:
                rule = by_key(rows.name, keys[0])
                yield ReadRule(schema.name, rule.model_copy(update={"says": said}))


def _both(
    apart: tuple[str, ...], schemas: tuple[DatabaseSchema, ...]
) -> Iterator[tuple[DatabaseSchema, Table, Table]]:
    for schema in schemas:
        tables = [table for name in apart if (table := schema.table(name)) is not None]
        for rows, other in (tables, tables[::-1]) if len(tables) > 1 else ():
            yield schema, rows, other


def _is_told(column: Column, said: str) -> bool:
    """Whether words name who a column says, or what they do: `packer`, `packed` of `packer_id`."""
    pieces = key_words(column.name)
    if pieces == (column.name.casefold(),):
        return False
    return any(token.lower in pieces or tells_doer(token, column.name) for token in tokenise(said))
