"""Percentages: `what share of orders were cancelled`, `percentage of customers from Rome per year`; `rates.py` reads those that a word before `rate` tells."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    ChoiceDraft,
    Features,
    Slot,
    select,
    skip,
)
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.counting import things_of_kind
from oldhand.agent.analyst.candidates.exclusion import excluded
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.rates import rate_at, rated
from oldhand.agent.analyst.candidates.worth import amounts_meant, worth_words
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.query.form import (
    Aggregate,
    Arithmetic,
    Count,
    Expression,
    Proportion,
    Query,
    Ratio,
    Share,
    Value,
)
from oldhand.query.negating import negated
from oldhand.query.normal import PRESENCE

Expressions = tuple[Expression, ...]
Placed = tuple[int, Condition]
"""Where in the question a condition stands, and the condition."""
_RELATIVE = words("function_words.relative")
_VERBS, _BE = words("verbs.of_shares"), words("verbs.be")
_BETWEEN = 2
"""Words between `percentage of` and what is worth something, at most."""
_SAID_LAST, _AS = ("as", "in"), ("as", "in", "a", "an", "the")
"""They open a share that is said behind its whole: payments by method as a percentage."""
_SHARE = Share(())


def share_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each `percentage of`: the things that are the whole."""
    for cue in asked.links.cues_of("share"):
        choices = list(_of_two(asked, cue)) or [*_of_worth(asked, cue), *_of_amount(asked, cue)]
        choices = choices or list(_of_things(asked, cue))
        yield Slot(cue.span.mask, (*choices, skip("share")))


def _of_things(asked: Asked, cue: Cue) -> Iterator[Choice]:
    before = [m for m in asked.links.tables if m.span.end <= cue.span.start]
    said_last = asked.word(cue.span.start) in _SAID_LAST
    near = before[:1] if said_last else list(asked.tables_after(cue.span.end, 3))
    # Of `course bookings` and `each vessel's sailings`, those are bookings and sailings.
    near = [m for m in near if not any(asked.tables_after(m.span.end + (asked.word(m.span.end) == "s"), 0))]  # fmt: skip
    for mention in near[:1]:
        used = cue.span.mask | mention.span.mask
        held = _is_held(asked, Span(cue.span.start - 2, mention.span.start))
        for option in mention.options[:2] if not held else ():
            features: Features = (("share.of", option.score),)
            yield select(asked, cue.span.start, used, features, _SHARE, table=option.id)
    starts = () if near else (cue.span.end, cue.span.end + 1)
    for value in (value for value in asked.links.values if value.span.start in starts):
        for table, sure in things_of_kind(asked, value).items():
            yield select(asked, cue.span.start, cue.span.mask, (("share.of", sure),), _SHARE, table=table)  # fmt: skip


def _of_worth(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`What percentage of revenue`: a part of what all lines are worth."""
    for span in worth_words(asked.links.tokens):
        if not 0 <= span.start - cue.span.end <= _BETWEEN:
            continue
        for amount in amounts_meant(asked.vocabulary, asked.links, span):
            share, used = Share((), amount.worth), cue.span.mask | span.mask
            yield select(asked, cue.span.start, used, (("share.of", 1.0),), share, table=amount.table)  # fmt: skip


def _of_amount(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`What share of the takings`: a part of what a column of numbers adds up to."""
    for mention in asked.columns_after(cue.span.end, _BETWEEN):
        entry = asked.column(mention.best.id)
        things = [m for m in asked.tables_after(cue.span.end, _BETWEEN) if m.span.end <= mention.span.start]  # fmt: skip
        done = any(asked.word(m.span.end - 1).endswith("s") for m in things)  # `products cost more`
        if entry.measures and mention.best.score >= WHOLE and not done and not asked.is_thing(mention):  # fmt: skip
            used = cue.span.mask | mention.span.mask
            yield select(asked, cue.span.start, used, (("share.of", 1.0),), Share((), entry.ref), table=entry.table)  # fmt: skip


def _of_two(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`Room cost as a percentage of takings`, `what part of the budget was spent`: what one amount adds up to, of what the other one does."""
    start = cue.span.start
    while asked.word(start - 1) in _AS:
        start -= 1
    behind = cue.span.end + (asked.word(cue.span.end) == "of")
    for whole in asked.columns_after(behind, 1):
        end = whole.span.end + 1 if asked.word(whole.span.end) in _BE else 0
        parts = [m for m in asked.links.columns if m.span.end == start or m.span.start == end > 0]
        for part in parts:
            pair = tuple(asked.column(m.best.id) for m in (part, whole))
            surely = min(part.best.score, whole.best.score) >= WHOLE
            if surely and all(one.measures for one in pair) and pair[0].table == pair[1].table:
                top, bottom = (Aggregate("sum", one.ref) for one in pair)
                ratio = Ratio(Arithmetic("*", Value(100.0), top), bottom)
                span = Span(
                    min(part.span.start, cue.span.start), max(part.span.end, whole.span.end)
                )
                yield select(asked, span.start, span.mask, (("share.of", 1.0),), ratio)


def _is_held(asked: Asked, span: Span) -> bool:
    """True when a column of numbers is named between: `percentage of Hispanics` may be one."""
    return any(
        asked.column(mention.best.id).measures
        for mention in asked.links.columns
        if mention.span.overlaps(span) and mention.best.score >= 0.6 and not asked.is_thing(mention)
    )


def whole_of(draft: ChoiceDraft) -> int | None:
    """The table of which a part is asked for; None where no share is."""
    found = (c.table for c in draft.of("select") if c.terms and isinstance(c.terms[0], Share))
    return next(found, None)


def percentage(
    asked: Asked, draft: ChoiceDraft, whole: int, placed: Sequence[Placed]
) -> Query | None:
    """The percentage of the rows of `whole` that belong to the part, perhaps for each group.

    Args:
        asked: the question.
        draft: the choices made; other things than the percentage must not be selected.
        whole: the table whose rows are the whole.
        placed: all conditions. Those after the verb tell the part, those before it the whole; without a verb,
            or with nothing after it, all of them tell the part. A time tells the whole where anything else
            tells the part.

    Returns:
        None when there is no part, or no telling which it is.
    """
    share = next(t for c in draft.of("select") for t in c.terms if isinstance(t, Share))
    joined = [(choice.position, choice.table) for choice in draft.of("join")]
    groups = tuple(term for choice in draft.of("group") for term in choice.terms)
    alone = len(draft.of("select")) == 1 and not draft.of("order") and not draft.of("having")
    parts = _parts(asked, placed, [pair for pair in joined if pair[1] != whole])
    if parts is None or not alone:
        return None
    if groups and not parts[0][1] and all(_is_time(asked, c) for c in parts[0][0]):
        return _of_groups(asked, whole, share, groups, [c for _, c in placed])
    if share.of is not None:
        return _worth_part(asked, whole, share, groups, parts)
    when, where = (_of_rows(asked, whole, *part) for part in parts)
    rows = asked.tree({whole} | asked.owners(groups))
    if not when or where is None or rows is None or multiplies(asked, rows, whole):
        return None
    return Query(rows, (*groups, Share(tuple(when))), tuple(where), groups)


def _of_groups(
    asked: Asked, whole: int, share: Share, groups: Expressions, where: Sequence[Condition]
) -> Query | None:
    """`Share of customers per city`: what each group makes up of all of them."""
    rows = asked.tree({whole} | asked.owners((*groups, *(c.left for c in where))))
    if rows is None or multiplies(asked, rows, whole):
        return None
    of = Count() if share.of is None else Aggregate("sum", share.of)
    return Query(rows, (*groups, Proportion(of)), tuple(where), groups)


def _worth_part(
    asked: Asked,
    whole: int,
    share: Share,
    groups: Expressions,
    parts: "_Parts",
) -> Query | None:
    """`What percentage of revenue comes from tents`: the part of the lines that meet the conditions."""
    (when, joined), (where, others) = parts
    rows = asked.tree({whole} | asked.owners((*groups, *(c.left for c in (*when, *where)))))
    if not when or joined or others or rows is None or multiplies(asked, rows, whole):
        return None
    return Query(rows, (*groups, replace(share, when=tuple(when))), tuple(where), groups)


_Part = tuple[list[Condition], list[int]]
"""Conditions, and tables in which a row must have a partner."""
_Parts = tuple[_Part, _Part]
"""What tells the part, and what tells the whole."""


def _parts(
    asked: Asked, placed: Sequence[Placed], joined: Sequence[tuple[int, int]]
) -> _Parts | None:
    """What the word before `rate` tells is the part, all else the whole; without one, the verb parts them."""
    place = rate_at(asked)
    if place is not None and not asked.links.cues_of("share"):
        value = rated(asked, place)
        inside: AbstractSet[int | None] | None = {place, value.span.start if value else place}
    else:
        inside = _places_of_part(asked, placed, joined)
    if inside is None:
        return None
    part = ([c for p, c in placed if p in inside], [t for p, t in joined if p in inside])
    rest = ([c for p, c in placed if p not in inside], [t for p, t in joined if p not in inside])
    return part, rest


def _places_of_part(
    asked: Asked, placed: Sequence[Placed], joined: Sequence[tuple[int, int]]
) -> AbstractSet[int | None] | None:
    """Where in the question the words stand that tell the part; None where there is no telling which they are."""
    edge, relative = _verb(asked)
    dates = spans(asked.links.dates)
    times = {p for p, condition in placed if _is_time(asked, condition) or dates >> p & 1}
    after = [place for place, _ in (*placed, *joined) if place >= edge and place not in times]
    if not after:
        if edge and _is_told_further(asked, edge):
            return None
        edge = 0
        after = [place for place, _ in (*placed, *joined) if place not in times]
    if relative and len(after) > 1 and not {"and", "or"} & set(asked.words(edge, max(after))):
        return None
    return set(after) or times


def _is_told_further(asked: Asked, edge: int) -> bool:
    """True for `sold out` behind the verb of `what share of evening shows was sold out`: it tells the part, whatever it means."""
    places = range(edge + 1, len(asked.links.tokens))
    first = next((place for place in places if asked.word(place) not in STOP_WORDS), -1)
    known = spans((*asked.links.dates, *asked.links.cues, *asked.links.tables))
    return first > 0 and asked.links.tokens[first].is_word and not known >> first & 1


def _verb(asked: Asked) -> tuple[int, bool]:
    """The last verb or relative word after the whole is named, and whether there is one of the latter."""
    cue = next(iter(asked.links.cues_of("share")), None)
    if cue is None:
        return 0, False
    start = next((m.span.end for m in asked.tables_after(cue.span.end, 3)), cue.span.end)
    places = range(len(asked.links.tokens) - 1, start - 1, -1)
    found = (i for i in places if asked.word(i) in _VERBS | _RELATIVE)
    return next(found, 0), bool(_RELATIVE & set(asked.words(start, len(asked.links.tokens))))


def _is_time(asked: Asked, condition: Condition) -> bool:
    return asked.entry(condition.left).temporal and condition.operator not in PRESENCE


def _of_rows(
    asked: Asked, table: int, conditions: Sequence[Condition], joined: Sequence[int]
) -> list[Condition] | None:
    """Conditions on rows of `table` alone: what is asked of other tables is asked of their partners."""
    owners = {condition: asked.entry(condition.left).table for condition in conditions}
    made = [condition for condition in conditions if owners[condition] == table]
    others = dict.fromkeys([t for t in owners.values() if t != table] + list(joined))
    for other in others:
        inner = [condition for condition in conditions if owners[condition] == other]
        without = excluded(asked, {table}, other, inner)
        if without is None:
            return None
        made.append(negated(without))
    return made
