"""The queries that a question may mean over what people here have stated and taught."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ranking import learned
from oldhand.agent.analyst.constraints.table import KEYS
from oldhand.agent.analyst.ranked import Ranked, by_other_keys, ranked, together
from oldhand.agent.analyst.semantics.honouring import (
    IN_FULL,
    adjectives,
    as_things,
    honours,
    narrowed_by,
)
from oldhand.agent.analyst.words.links import Links
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.wording import is_past_form
from oldhand.query.form import ColumnRef
from oldhand.record.effect import Alias
from oldhand.record.schema import DatabaseSchema

NAMED = 0.6
"""How well a word must fit a column that a question names by it."""


def likeliest(
    asked: Asked,
    nouns: Sequence[Alias],
    plain: tuple[DatabaseSchema, ...],
    schemas: tuple[DatabaseSchema, ...],
) -> list[Ranked]:
    """The queries that a question may mean, the likeliest first; over other keys as well where nothing tells which is meant."""
    links, words = asked.links, asked.vocabulary
    found = ranked(asked, learned().weights)
    if nouns:
        found = together(found, _of_nouns(asked, nouns, plain))
    if plain is not schemas:
        said = named_columns(links, words, IN_FULL)
        beside = adjectives(links, words, said, plain)
        found = [one for one in found if honours(one.query, said, beside, plain)] or found
    if found and KEYS in found[0].broken:
        found[1:1] = by_other_keys(asked, found[0])
    return found


def _of_nouns(
    asked: Asked, nouns: Sequence[Alias], plain: tuple[DatabaseSchema, ...]
) -> list[Ranked]:
    """The queries in which words that stand for rows name nothing but these."""
    bare = Asked(as_things(asked.links, asked.vocabulary, nouns), asked.vocabulary)
    found = ((one, narrowed_by(one.query, nouns, plain)) for one in ranked(bare, learned().weights))
    return [replace(one, query=query) for one, query in found if query is not None]


_DATED = 0.5
"""How well a date must be named, half of whose name says that it is one."""


def named_columns(links: Links, words: Vocabulary, fit: float = NAMED) -> frozenset[ColumnRef]:
    """The columns that a question names so well."""
    things, dated = {one.span: one.best.score for one in links.tables}, min(fit, _DATED)
    told = [
        option.id
        for one in links.columns
        for option in one.options
        # `due` is enough for a `due_date`, and `visits` are no `booked_on`.
        if option.score >= max(dated if words.columns[option.id].temporal else fit, things.get(one.span, 0.0))
    ]  # fmt: skip
    deeds = (one.stem for one in links.tokens if is_past_form(one.lower))
    told += [hit.column for one in deeds for hit in words.hits(one) if hit.column >= 0 and words.columns[hit.column].temporal]  # fmt: skip
    return frozenset(ref for one in told if isinstance(ref := words.columns[one].ref, ColumnRef))
