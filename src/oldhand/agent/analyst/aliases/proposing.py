"""Finds in a confirmed pair which words mean what."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.aliases.aligning import Fitting
from oldhand.agent.analyst.aliases.definitions import Defining
from oldhand.agent.analyst.aliases.gate import explains, gain, may_be_learned
from oldhand.agent.analyst.aliases.open_ends import (
    Phrase,
    learned_form,
    open_items,
    open_phrases,
)
from oldhand.agent.analyst.aliases.used import DENIED, NARROWED, Item, items_of
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.query.form import Query
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

ENOUGH = 1.8
"""Score from which on a phrase and an item go together."""
MARGIN = 0.7
"""By how much they must go together better than with anything else."""


def proposed_aliases(
    question: str,
    sql: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    *,
    database: str | None,
) -> tuple[Alias, ...]:
    """The aliases that a confirmed pair speaks for clearly; none where it could be one or the other.

    Words that nothing the SQL uses explains are set beside what the SQL uses and no word names. An
    alias without which the question is understood as well is none.

    Args:
        question: as it was asked.
        sql: what is known to answer it.
        schemas: the databases that may be asked.
        values: what these hold.
        database: where `sql` runs, in that database's dialect; None when it names databases itself.
    """
    pair = Pair(question=question, sql=sql, database=database)
    query = statements(schemas).query(sql, database)
    if query is None:
        return ()
    words = vocabulary(schemas)
    asked = Asked(link(question, words, values, None), words)
    items = items_of(query, words)
    read = understand(question, schemas, values, limit=1)
    seen = {(i.table, i.column) for c in read.candidates for i in items_of(c.query, words)}
    missing = open_items(items, asked, seen)
    phrases = open_phrases(items, asked, seen)
    clear = _clear(phrases, missing, Fitting(asked, items, missing, phrases))
    found = dict.fromkeys(_alias(phrase, item, words) for phrase, item in clear)
    kept = tuple(
        alias
        for alias in found
        if may_be_learned(alias, words)
        and not _is_another_value(alias, values)
        and _is_needed(alias, pair, schemas, values)
    )
    if not isinstance(query, Query) or any(explains(one, pair, schemas, values) for one in kept):
        return kept
    # No single name is what was meant.
    defined = Defining(asked, query, read, schemas, values).found()
    return kept if defined is None else (defined,)


def _is_another_value(alias: Alias, values: Values) -> bool:
    """Whether a phrase is a value of the very column of which it would mean another one: `Berlin` never means Rome."""
    same = (one for one in values.exact([alias.phrase]) if alias.value is not None)
    return any(
        (one.database, one.table, one.column) == (alias.database, alias.table, alias.column)
        for one in same
    )


def _is_needed(
    alias: Alias, pair: Pair, schemas: tuple[DatabaseSchema, ...], values: Values
) -> bool:
    """True when the question is understood better with the alias, or as well but with fewer unknown words."""
    better = gain(alias, pair, schemas, values)
    if better:
        return better > 0
    known = understand(pair.question, schemas, values, limit=1, aliases=(alias,))
    plain = understand(pair.question, schemas, values, limit=1)
    return len(known.unknown_words) < len(plain.unknown_words)


def _clear(
    phrases: list[Phrase], items: list[Item], fitting: Fitting
) -> Iterator[tuple[Phrase, Item]]:
    """Phrases and items that fit each other better than anything else, best first."""
    values = [item for item in items if item.value is not None]
    if len(phrases) == len(values) == 1 and all(i.column in (-1, values[0].column) for i in items):
        # One word and one value are all that is left: `elite customers`.
        yield phrases[0], values[0]
        return
    scores: dict[tuple[int, int], float] = {
        (p, i): fitting.score(phrase, item)
        for p, phrase in enumerate(phrases)
        for i, item in enumerate(items)
    }
    while scores:
        (p, i), best = max(scores.items(), key=lambda pair: pair[1])
        if best < ENOUGH:
            break
        rivals = [score for (q, j), score in scores.items() if (q == p) != (i == j)]
        if best - max(rivals, default=0.0) >= MARGIN:
            whole = _narrowed(_whole(items[i], items, fitting.asked.vocabulary), items, fitting)
            if whole is not None:
                yield phrases[p], whole
        scores = {(q, j): score for (q, j), score in scores.items() if q != p and j != i}


def _whole(item: Item, items: list[Item], words: Vocabulary) -> Item:
    """The table in place of the column that stands for its rows: `for each dormitory` is no id."""
    if item.column < 0 or item.value is not None:
        return item
    entry = words.columns[item.column]
    stands_for_it = entry.column.primary_key or entry.name_like
    table = next((i for i in items if i.table == item.table and i.column < 0), None)
    return table if table is not None and stands_for_it else item


def _narrowed(item: Item, missing: Sequence[Item], fitting: Fitting) -> Item | None:
    """What a phrase means that stands for some rows of a table only: `regulars` are no customers, but those of one segment.

    The value takes the place of the table where one value narrows its rows; None where something else does.
    """
    if item.column >= 0:
        return item
    items = fitting.items
    left_out = any(one.roles == {DENIED} for one in items)
    denied = left_out and not fitting.asked.links.cues_of("not")
    named = {one.column for one in items if one.value is not None and one not in missing}
    narrowing = [
        one
        for one in missing
        if one.table == item.table and NARROWED in one.roles and one.column not in {-1, *named}
    ]
    values = [one for one in narrowing if one.value is not None]
    if not narrowing:
        return None if denied else item
    only = {one.column for one in narrowing} == {one.column for one in values}
    return values[0] if only and len(values) == 1 else None


def _alias(phrase: Phrase, item: Item, words: Vocabulary) -> Alias:
    entry = words.tables[item.table]
    return Alias(
        phrase=learned_form(phrase.text),
        database=entry.database,
        schema_name=entry.table.schema_name,
        table=entry.table.name,
        column=words.columns[item.column].column.name if item.column >= 0 else None,
        value=item.value,
    )
