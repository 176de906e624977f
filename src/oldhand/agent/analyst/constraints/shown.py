"""The columns that words ask for, against those that a query reads."""

from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.select import is_deed
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.links import Mention, bits, spans
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.query.walk import is_measure, queries, relations

_NAMING = word_stems("names.titles")
_SURE, _WHOLE = 0.6, 0.9
"""How well words must name a column to ask for it, and to ask for no other."""
_LIKE = 0.3
"""How much less well others may fit that are meant as well."""


@dataclass(frozen=True, slots=True)
class _AskedFor:
    """Words that ask for a column."""

    words: int
    """As bits, without those that say nothing."""
    columns: frozenset[int]
    """The columns that they may mean."""
    whole: bool
    """True when they name one so well that showing another one is no answer."""


def nothing_asked_for_left_out(one: Hypothesis) -> int:
    """`The id and type of a service` by its id alone, `enterprise names` by the title of a film."""
    asked, used = one.asked, one.draft.used
    read = {entry.id for entry in asked.reading((one.query, *queries(one.query)))}
    tables = {asked.vocabulary.table(each).id for each in relations(one.query, inner=True)}
    things = spans(m for m in asked.links.tables if any(o.id in tables for o in m.options))
    named = [c for c in one.draft.of("select") if "sel.score" in dict(c.features)]
    shown = bits(c.used for c in named if not any(map(is_measure, c.terms)))
    return bits(
        each.words & ~things & ~(used & ~shown if each.whole else used)
        for each in _asked_for(asked)
        if not each.columns & read
    )


@lru_cache(maxsize=4)
def _asked_for(asked: Asked) -> tuple[_AskedFor, ...]:
    things = (t for t in asked.links.tables if t.best.score >= _SURE)
    owners = {mention: thing.best.id for thing in things for mention in asked.owned(thing)}
    cues, glue = spans(asked.links.cues), asked.marked(STOP_WORDS)
    return tuple(
        _AskedFor(
            mention.span.mask & ~cues & ~glue,
            _meant(asked, mention, owners.get(mention, -1)),
            mention.best.score >= _WHOLE,
        )
        for mention in asked.links.columns
        if mention.best.score >= _SURE and asked.region(mention.span) == "S"
        if not (asked.is_thing(mention, 1.1) or asked.is_verb(mention) or is_deed(asked, mention))
    )


def _meant(asked: Asked, mention: Mention, owner: int) -> frozenset[int]:
    """The columns that a mention may mean: those of the thing whose they are, where it has any."""
    best = mention.best.score
    own = [
        o.id for o in mention.options if asked.column(o.id).table == owner and 2 * o.score > best
    ]
    meant = own or [o.id for o in mention.options if o.score >= best - _LIKE]
    naming = _NAMING & {asked.links.tokens[place].stem for place in mention.span.places}
    label = asked.column(asked.labels(owner)[0]) if naming and owner >= 0 else None
    called = label is not None and asked.vocabulary.tables[owner].words & {*label.forms[0]}
    return frozenset([*meant, label.id] if label is not None and called else meant)
