"""Extremes of what columns hold, told apart from counts: `the highest amount of orders` is that of their amounts, where they have one."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.words.cues import find_cues
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Mention, Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token

_ONE, _BEING = words("function_words.one"), words("verbs.be")
_TYPICAL = words("grouping.usual")


def with_extremes(
    cues: tuple[Cue, ...],
    tables: tuple[Mention, ...],
    columns: tuple[Mention, ...],
    words: Vocabulary,
    tokens: tuple[Token, ...],
) -> tuple[tuple[Cue, ...], tuple[Mention, ...]]:
    """The cues with the extremes of columns, and nothing else read in their words."""
    cues = tuple(_extreme_of(cue, columns, words, tokens) for cue in cues)
    cues = tuple(c for c in cues if not _is_no_mean(c, (tables, columns), words, tokens))
    long = [c.span for c in cues if c.kind == "superlative" and c.span.end > c.span.start + 1]
    kept = tuple(c for c in cues if c.kind != "count" or not _inside(c.span, long))
    return kept, tuple(m for m in columns if not _inside(m.span, long))


def _is_no_mean(
    cue: Cue,
    named: tuple[tuple[Mention, ...], tuple[Mention, ...]],
    words: Vocabulary,
    tokens: tuple[Token, ...],
) -> bool:
    """True for the `typical` of what is no amount and has none: `the typical order status`."""
    if cue.kind != "avg" or tokens[cue.span.start].lower not in _TYPICAL:
        return False
    things = [m for m in named[0] if m.span.start == cue.span.end]
    places = {cue.span.end, *(m.span.end for m in things)}
    said = [words.columns[m.best.id] for m in named[1] if m.span.start in places]
    owned = (words.columns[c] for m in things for c in words.tables[m.best.id].columns)
    return not any(entry.measures for entry in said or owned)


def _inside(span: Span, others: Sequence[Span]) -> bool:
    return any(other.holds(span) for other in others)


def _extreme_of(
    cue: Cue, columns: tuple[Mention, ...], words: Vocabulary, tokens: tuple[Token, ...]
) -> Cue:
    """The superlative of `largest amount` where a column holds amounts: nothing is counted then."""
    if cue.kind != "most_count":
        return cue
    end = cue.span.end
    itself = (
        not cue.span.start or tokens[cue.span.start - 1].lower in _BEING
    )  # `what is the highest amount of orders`
    last = end if itself else end - 1
    named = (m for m in columns if cue.span.start <= m.span.start <= last)
    held = [m for m in named if m.best.score >= WHOLE and words.columns[m.best.id].measures]
    of_many = (
        tokens[end - 1].lower == "of"
        and tokens[end : end + 1]
        and tokens[end].lower not in (*_ONE, "the")
    )
    if (of_many and not itself) or not held:
        return cue
    start = cue.span.start + (tokens[cue.span.start].lower == "the")
    (superlative, *_) = find_cues(tokens[start : start + 1]) or (cue,)
    inside = any(m.span.start < end for m in held)
    return replace(superlative, span=Span(start, start + 1 if inside else end))
