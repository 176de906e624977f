"""What learned phrases add to the words of the schemas: hits for linking, and values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.words.entries import Hit
from oldhand.agent.analyst.words.links import (
    Cue,
    Mention,
    Span,
    Spoken,
    ValueMention,
    ValueOption,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary

SAME_WORDS = 0.95
"""How much a phrase counts for other items whose names hold the words that it stands for."""
INSIDE = 0.4
"""How much a known word still counts inside of a longer learned phrase."""
_TELLING = 1.0
"""Weight of a word that tells a column apart."""


def phrase_hits(spoken: Sequence[Spoken], words: Vocabulary) -> Iterator[tuple[int, Hit]]:
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
                yield position, Hit(hit.table, hit.column, hit.form, -1, 0.0)


def _hits(one: Spoken, words: Vocabulary) -> Iterator[Hit]:
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
            yield Hit(table, one.column, number, place, 1.0)
    for hit in _named_alike(core, words):
        if (hit.table, hit.column) != (table, one.column):
            yield Hit(hit.table, hit.column, hit.form, hit.word, SAME_WORDS)


def _named_alike(core: tuple[str, ...], words: Vocabulary) -> Iterator[Hit]:
    """Hits for the words of `core` in the names that hold all of them."""
    found = [
        [hit for hit in words.hits(word) if hit.strength == 1.0 and hit.word >= 0] for word in core
    ]
    names = [{(hit.table, hit.column, hit.form) for hit in hits} for hits in found]
    shared = (
        set[tuple[int, int, int]].intersection(*names) if names else set[tuple[int, int, int]]()
    )
    for hits in found:
        yield from (hit for hit in hits if (hit.table, hit.column, hit.form) in shared)


def with_values(
    found: tuple[ValueMention, ...], spoken: Sequence[Spoken], text: Sequence[str]
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


def doubted_inside(mentions: tuple[Mention, ...], spoken: Sequence[Spoken]) -> tuple[Mention, ...]:
    """The mentions, those of single words inside of a longer learned phrase weaker: `flight` in `flight length`."""
    longer = [one for one in spoken if one.span.end - one.span.start > 1]
    if not longer:
        return mentions
    return tuple(_doubted(m) if any(_is_inner(m, one) for one in longer) else m for m in mentions)


def _is_inner(mention: Mention, one: Spoken) -> bool:
    inside = one.span.start <= mention.span.start and mention.span.end <= one.span.end
    return inside and mention.span != one.span


def _doubted(mention: Mention) -> Mention:
    options = (replace(option, score=option.score * INSIDE) for option in mention.options)
    return replace(mention, options=tuple(options))


def without_inner(cues: tuple[Cue, ...], spoken: Sequence[Spoken]) -> tuple[Cue, ...]:
    """The cues that are no part of a longer learned phrase: `top` is none in `top tier`."""
    if not spoken:
        return cues
    return tuple(
        cue
        for cue in cues
        if not any(
            one.span.start <= cue.span.start
            and cue.span.end <= one.span.end
            and one.span != cue.span
            for one in spoken
        )
    )
