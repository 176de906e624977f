"""Phrases whose meaning was learned: found in a question, and what they add to the words of the schemas and to the values."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.words.entries import WordHit, holding_all
from oldhand.agent.analyst.words.links import (
    Cue,
    Mention,
    Span,
    SpokenPhrase,
    ValueMention,
    ValueOption,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.phrases import ends_of, phrase_forms, spoken_forms
from oldhand.lexicon.tokens import Token, tokenise
from oldhand.record.effect import Alias

MOST = 32
"""Aliases that are looked at for one question."""
SAME_WORDS = 0.95
"""How much a phrase counts for other items whose names hold the words that it stands for."""
INSIDE = 0.4
"""How much a known word still counts inside of a longer learned phrase."""
_TELLING = 1.0
"""Weight of a word that tells a column apart."""


def spoken_in(
    tokens: Sequence[Token], aliases: Sequence[Alias], words: Vocabulary
) -> tuple[SpokenPhrase, ...]:
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
    found: list[SpokenPhrase] = []
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
) -> Iterator[SpokenPhrase]:
    forms = spoken_forms(tokens)
    for alias in aliases:
        ends, size = ends_of(alias.phrase, forms), len(phrase_forms(alias.phrase))
        if ends and (target := target_ids(alias, words)) is not None:
            yield from (SpokenPhrase(Span(end - size, end), *target, alias) for end in ends)


def defined_in(question: str, aliases: Sequence[Alias]) -> tuple[Alias, ...]:
    """The words that mean some rows, or what is computed, and stand in a question."""
    defined = [alias for alias in aliases if alias.is_defined]
    forms = spoken_forms(tokenise(question)) if defined else ()
    return tuple(alias for alias in defined if ends_of(alias.phrase, forms))


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


def phrase_hits(spoken: Sequence[SpokenPhrase], words: Vocabulary) -> Iterator[tuple[int, WordHit]]:
    """Position and hit for each learned phrase, as though the names of its target had been said.

    Other items with the same words in their names are hit too, more weakly: who says `client` for
    the table `customer` means the customer's state by `client state`.
    """
    for one in spoken:
        if one.alias.value is not None:
            continue
        for hit in _hits(one, words):
            yield one.span.start, hit
            for position in range(one.span.start + 1, one.span.end):
                yield position, WordHit(hit.table, hit.column, hit.form, -1, 0.0)


def _hits(one: SpokenPhrase, words: Vocabulary) -> Iterator[WordHit]:
    table = one.table if one.column < 0 else -1
    if one.column < 0:
        forms = words.tables[one.table].forms
        core = forms[0]
    else:
        entry = words.columns[one.column]
        forms = entry.forms
        telling = zip(forms[0], entry.weights[0], strict=True)
        core = tuple(word for word, weight in telling if weight >= _TELLING)
    for number, form in enumerate(forms):
        for place in range(len(form)):
            yield WordHit(table, one.column, number, place, 1.0)
    surely = ([hit for hit in words.hits(word) if hit.strength == 1.0] for word in core)
    for hit in holding_all(list(surely)):
        if (hit.table, hit.column) != (table, one.column):
            yield hit.weaker(SAME_WORDS)


def with_values(
    found: tuple[ValueMention, ...], spoken: Sequence[SpokenPhrase], text: Sequence[str]
) -> tuple[ValueMention, ...]:
    """The mentions of values with those that learned phrases stand for.

    A learned phrase takes the place of shorter values inside of it, and adds a column where the very same words are
    a value already.

    Args:
        found: the mentions that the data knows.
        spoken: the learned phrases.
        text: the words of the question.
    """
    meant = [one for one in spoken if one.alias.value is not None and one.column >= 0]
    if not meant:
        return found
    made: dict[Span, list[ValueOption]] = {}
    for one in meant:
        option = ValueOption(one.column, one.alias.values, 1.0, one.alias.operator)
        made.setdefault(one.span, []).append(option)
    kept: list[ValueMention] = []
    for mention in found:
        if mention.quoted or not any(mention.span.overlaps(span) for span in made):
            kept.append(mention)
        elif mention.span in made:
            known = {option.column for option in made[mention.span]}
            made[mention.span] += [o for o in mention.options if o.column not in known]
    kept += [
        ValueMention(span, " ".join(text[span.start : span.end]), False, tuple(options))
        for span, options in made.items()
        if not any(other.quoted and other.span.overlaps(span) for other in kept)
    ]
    return tuple(sorted(kept, key=lambda mention: mention.span.start))


def doubted_inside(
    mentions: tuple[Mention, ...], spoken: Sequence[SpokenPhrase]
) -> tuple[Mention, ...]:
    """The mentions, those inside of a longer learned phrase weaker: `flight` in `flight length`."""
    return tuple(_doubted(m) if _is_inside(m.span, spoken) else m for m in mentions)


def _is_inside(span: Span, spoken: Sequence[SpokenPhrase]) -> bool:
    return any(one.span.holds(span) and one.span != span for one in spoken)


def _doubted(mention: Mention) -> Mention:
    options = (replace(option, score=option.score * INSIDE) for option in mention.options)
    return replace(mention, options=tuple(options))


def without_inner(cues: tuple[Cue, ...], spoken: Sequence[SpokenPhrase]) -> tuple[Cue, ...]:
    """The cues that are no part of a longer learned phrase: `top` is none in `top tier`."""
    return tuple(cue for cue in cues if not _is_inside(cue.span, spoken))
