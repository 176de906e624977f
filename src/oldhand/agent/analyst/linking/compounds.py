"""Words with a hyphen that begin like a denial: a `no-show` is one word, unless something is called by what follows."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from oldhand.agent.analyst.words.fitting import ASKED_FOR
from oldhand.agent.analyst.words.links import Links, Span, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token

_OPENING = words("negation.opening")


def _compounds(links: Links) -> Iterator[Span]:
    tokens, start = links.tokens, 0
    for place, (one, two) in enumerate(pairwise((*links.tokens, None))):
        if two is not None and one is not None and links.question[one.end : two.start] == "-":
            continue
        if place > start and tokens[start].lower in _OPENING:
            yield Span(start, place + 1)
        start = place + 1


def as_one_word(links: Links) -> Links:
    """The links without denials at the beginning of compounds: whoever is a `no-show` is not without a show."""
    taken = bits(one.mask for one in _compounds(links) if not _denies(links, one))
    things = spans(links.tables)  # `what part of brand X` asks for parts
    kept = tuple(cue for cue in links.cues if not cue.span.mask & (taken | things * (cue.argument == "part")))  # fmt: skip
    return replace(links, cues=kept) if len(kept) < len(links.cues) else links


def strange_compounds(links: Links) -> Iterator[Span]:
    """The compounds that nothing is called."""
    known = _known(links)
    return (one for one in _compounds(links) if not known & one.mask)


def in_whole(token: Token, links: Links) -> str:
    """A word, or the compound that it is a part of."""
    places = next((one for one in strange_compounds(links) if token in links.tokens[one.start : one.end]), None)  # fmt: skip
    if places is None:
        return token.text
    return links.question[links.tokens[places.start].start : links.tokens[places.end - 1].end]


def _denies(links: Links, one: Span) -> bool:
    """Whether something is called by what follows the denial: `no-email customers`."""
    mask = _known(links) & one.mask
    return bool(mask) and not mask >> one.start & 1


def _known(links: Links) -> int:
    named = (m for m in (*links.tables, *links.columns) if m.best.score >= ASKED_FOR)
    return spans((*named, *links.values))
