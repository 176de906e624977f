"""Finds in a question the phrases whose meaning was learned, and what they point to in the schemas."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from oldhand.agent.analyst.words.links import Span, Spoken
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import Token, stem, tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.effect import Alias

MOST = 32
"""Aliases that are looked at for one question."""


def spoken_in(
    tokens: Sequence[Token], aliases: Sequence[Alias], words: Vocabulary
) -> tuple[Spoken, ...]:
    """The phrases of `aliases` that stand in the question, longest first where they overlap.

    Endings don't matter: `clients` is found as `client`. A phrase may have several meanings; those
    whose target is not in the schemas are left out.

    >>> from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
    >>> column = Column(name="name", type="TEXT", kind=Kind.TEXT)
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=(column,)),))
    >>> alias = Alias(phrase="key account", database="shop", table="customers")
    >>> spoken_in(tokenise("List our key accounts."), [alias], Vocabulary((shop,)))[0].span
    Span(start=2, end=4)
    """
    found: list[Spoken] = []
    taken = 0
    for one in sorted(
        _all_spoken(tokens, aliases[:MOST], words), key=lambda s: s.span.start - s.span.end
    ):
        same = any(one.span == other.span for other in found)
        if same or not one.span.mask & taken:
            found.append(one)
            taken |= one.span.mask
    return tuple(sorted(found, key=lambda one: one.span.start))


def _all_spoken(
    tokens: Sequence[Token], aliases: Iterable[Alias], words: Vocabulary
) -> Iterator[Spoken]:
    forms = [_form(token.lower) for token in tokens]
    for alias in aliases:
        phrase = phrase_forms(alias.phrase)
        last = len(forms) - len(phrase)
        starts = [
            i
            for i in range(last + 1 if phrase else 0)
            if forms[i] == phrase[0] and tuple(forms[i : i + len(phrase)]) == phrase
        ]
        if not starts or (target := target_ids(alias, words)) is None:
            continue
        for start in starts:
            span = Span(start, start + len(phrase))
            if not any(token.quoted for token in tokens[span.start : span.end]):
                yield Spoken(span, *target, alias)


def target_ids(alias: Alias, words: Vocabulary) -> tuple[int, int] | None:
    """Numbers of the table and of the column (-1 for none) that an alias points to; None when they are gone."""
    for entry in words.tables:
        same = entry.table.name.casefold() == alias.table.casefold()
        if not same or entry.database != alias.database:
            continue
        if alias.schema_name is not None and entry.table.schema_name != alias.schema_name:
            continue
        if alias.column is None:
            return entry.id, -1
        folded = alias.column.casefold()
        for column in entry.columns:
            if words.columns[column].column.name.casefold() == folded:
                return entry.id, column
    return None


@lru_cache(maxsize=4096)
def phrase_forms(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as they are compared.

    >>> phrase_forms("Top clients")
    ('top', 'client')
    """
    return tuple(_form(token.lower) for token in tokenise(phrase) if token.is_word)


@lru_cache(maxsize=16384)
def _form(word: str) -> str:
    plain = "".join(c for c in normalize("NFKD", word) if not combining(c))
    base = stem(plain)
    return word_lists().irregular.get(base, base)
