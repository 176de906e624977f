"""The columns that words ask for, against those that a query reads."""

from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import single
from oldhand.agent.analyst.candidates.select import is_deed
from oldhand.agent.analyst.candidates.whereabouts import asked_again
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.fitting import ASKED_FOR, WHOLE, meant
from oldhand.agent.analyst.words.links import Mention, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.query.form import Has
from oldhand.query.walk import is_measure

_ANY_THINGS = words("function_words.any_things")
_NAMING = word_stems("names.titles")


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
    read = one.read
    tables = one.tables
    things = spans(m for m in asked.links.tables if any(o.id in tables for o in m.options))
    named = [c for c in one.draft.of("select") if "sel.score" in dict(c.features)]
    shown = bits(c.used for c in named if not any(map(is_measure, c.terms)))
    return bits(
        each.words & ~things & ~(used & ~shown if each.whole else used)
        for each in _asked_for(asked)
        if not each.columns & read
    )


def things_and_no_amounts(one: Hypothesis) -> int:
    """`Is there anything in stock` by how many pieces there are of each: which things they are is asked for."""
    asked = one.asked
    shown = asked.entries(term for term in one.query.select if not is_measure(term))
    alone = bool(shown) and all(entry.measures for entry in shown)
    return asked.marked(_ANY_THINGS) if alone and len(shown) == len(one.query.select) else 0


def kind_of_those_that_are_missing(one: Hypothesis) -> int:
    """`Towns that have no business customers` by the towns of ports: customers have towns, too, and are spoken of."""
    asked = one.asked
    denied = [c for c in one.conditions if isinstance(c, Has) and c.none]
    missing = {t for c in denied if _narrows(c) for t in asked.inside(c.rows.rows)}
    shown = asked.entries(one.query.select)
    own = {e.id for e in shown if e.table not in asked.named_tables and not e.name_like}
    return spans(
        mention
        for mention in asked.links.columns
        if own & {option.id for option in mention.options}
        and any(asked.column(option.id).table in missing & asked.named_tables.keys() for option in meant(mention))
    )  # fmt: skip


def _narrows(condition: Has) -> bool:
    """True where what there must be none of is told by more than that there is any."""
    return any(c.operator != "not null" for c in single(condition.rows.where))


@lru_cache(maxsize=4)
def _asked_for(asked: Asked) -> tuple[_AskedFor, ...]:
    things = (t for t in asked.links.tables if t.best.score >= ASKED_FOR)
    owners = {mention: thing.best.id for thing in things for mention in asked.owned(thing)}
    cues, glue = spans(asked.links.cues), asked.marked(STOP_WORDS)
    return tuple(
        _AskedFor(
            mention.span.mask & ~cues & ~glue,
            _meant(asked, mention, owners.get(mention, -1)),
            mention.best.score >= WHOLE,
        )
        for mention in asked.links.columns
        if mention.best.score >= ASKED_FOR and asked.region(mention.span) == "S"
        if not (asked.is_thing(mention, 1.1) or asked.is_verb(mention) or is_deed(asked, mention))
    )


def _meant(asked: Asked, mention: Mention, owner: int) -> frozenset[int]:
    """The columns that a mention may mean: those of the thing whose they are, where it has any."""
    fitting = [option.id for option in meant(mention)]
    columns = [one for one in fitting if asked.column(one).table == owner] or fitting
    naming = _NAMING & {asked.links.tokens[place].stem for place in mention.span.places}
    label = asked.column(asked.labels(owner)[0]) if naming and owner >= 0 else None
    called = label is not None and asked.vocabulary.tables[owner].words & {*label.forms[0]}
    return frozenset([*columns, label.id] if label is not None and called else columns)


def both_that_are_asked(one: Hypothesis) -> int:
    """`Which trees fell, and what species are they` by the species alone, and `which films are dramas and how long are they` by how long alone."""
    asked = one.asked
    again = asked_again(asked)
    if again < 0:
        return 0
    before = [m for m in asked.links.tables if m.span.end <= again][:1]
    first = {option.id for mention in before for option in mention.options}
    after = [*asked.tables_after(again + 1, 0), *asked.columns_after(again + 1, 0)][:1]
    figures = any(map(is_measure, one.query.select))
    shown = asked.entries(term for term in one.query.select if not is_measure(term))
    second = [e for e in shown if e.table not in first] or shown[1:]
    named = {o.id for m in after for o in m.options}
    told = not after or any(e.table in named or e.id in named for e in second)
    whole = first & {entry.table for entry in shown} and (figures or (second and told))
    return 0 if whole else 1 << again
