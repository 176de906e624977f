"""Reads one question: everything that its words are found to be, before any query is made."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from oldhand.agent.analyst.linking.denied_deeds import absent_values
from oldhand.agent.analyst.linking.ends import with_ends
from oldhand.agent.analyst.linking.extremes import with_extremes
from oldhand.agent.analyst.linking.linking import link_columns, link_tables
from oldhand.agent.analyst.linking.nouns import amounts_first, as_nouns_tell, but_likes
from oldhand.agent.analyst.linking.pieces import pieces_not_prices
from oldhand.agent.analyst.linking.quantities import amounts, before_unit, is_rate_of
from oldhand.agent.analyst.linking.relatives import grouped_by_keys, is_of_another
from oldhand.agent.analyst.linking.spoken import (
    doubted_inside,
    phrase_hits,
    spoken_in,
    with_values,
    without_inner,
)
from oldhand.agent.analyst.linking.totals import (
    amount_of_many,
    is_amount_of_group,
    summing_up,
    sums_of_takings,
    things_in_total,
)
from oldhand.agent.analyst.linking.unknown import but_explained, but_strange_rates, relating
from oldhand.agent.analyst.linking.value_linking import link_values
from oldhand.agent.analyst.words.cues import find_cues
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.agent.analyst.words.fitting import ASKED_FOR, WHOLE
from oldhand.agent.analyst.words.links import (
    Cue,
    DateMention,
    Links,
    Mention,
    NumberMention,
    ValueMention,
    bits,
    spans,
)
from oldhand.agent.analyst.words.regions import find_regions
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token, tokenise
from oldhand.query.aggregates import AGGREGATES
from oldhand.record.effect import Alias
from oldhand.sources.databases.values import Values

_ONE = words("function_words.one") | {"the"}
_IN_DATES = frozenset({"superlative", "top", "per", "group", "by"})
"""Cues that are none inside of a time, as in `last year`."""
_COMPUTING = frozenset({"count", "most_count", *AGGREGATES})
_FORMS = words("asking.changing")
_OF_NUMBERS = words("grouping.of_figures")
_NONE = words("negation.nothing_held")
_BACK, _UNITS, _DURING = words("time.back"), words("time.units"), words("time.during")


def link(
    question: str,
    words: Vocabulary,
    values: Values,
    today: date | None,
    aliases: Sequence[Alias] = (),
) -> Links:
    """Everything that the words of a question were found to be.

    Args:
        question: in English.
        words: the words of the schemas.
        values: the index over the values.
        today: what `last year` counts from.
        aliases: words whose meaning was learned.
    """
    tokens = tokenise(question)
    spoken = spoken_in(tokens, aliases, words) if aliases else ()
    added = tuple(phrase_hits(spoken, words))
    cues = without_inner(find_cues(tokens), spoken)
    tables = doubted_inside(link_tables(tokens, words, added), spoken)
    computing = spans(cue for cue in cues if cue.kind in _COMPUTING)
    columns = link_columns(tokens, words, tables, computing, added)
    columns = tuple(_but_rates(_but_computed(columns, cues), tokens, words))
    summing = summing_up(tokens, cues)
    columns = tuple(m for m in columns if not m.span.overlaps(summing))
    columns = tuple(amounts_first(m, words, tokens) for m in as_nouns_tell(columns, tables, words, tokens, computing))  # fmt: skip
    columns = tuple(but_likes(m, words) for m in pieces_not_prices(columns, words, tokens))
    cues, columns = things_in_total(cues, tables, columns, tokens)
    cues, columns = sums_of_takings(cues, tables, columns, words, tokens)
    cues = tuple(c for c in cues if not (c.span.overlaps(summing) or _in_name(c, columns, tokens)))
    measured = tuple(m for m in columns if m.best.score >= WHOLE and words.columns[m.best.id].measures)  # fmt: skip
    cues = tuple(c for c in cues if not is_amount_of_group(c, cues, measured, tables))
    cues, columns = with_extremes(cues, tables, columns, words, tokens)
    dates = find_dates(question, tokens, today)
    cues = tuple(c for c in cues if c.kind not in _IN_DATES or not _inside(c, dates))
    dates = tuple(d for d in dates if not (d.weekdays and _is_held(d, tokens, values)))
    dates = tuple(d for d in dates if not (d.year and _is_amount(d, cues, columns, words, tokens)))
    cues = amount_of_many(cues, measured, dates, tables, words, tokens)
    columns = tuple(m for m in columns if not _counts_back(m, dates, tokens))
    cues = tuple(c for c in cues if c.kind != "order" or c.span.end not in {d.span.start for d in dates})  # fmt: skip
    things = {m.span.start for m in tables if m.best.score >= WHOLE}
    counted = tuple(a for a in amounts(tokens, question, things) if not _inside(a, dates))
    found = link_values(question, tokens, words, values, (tables, columns, dates), counted)
    found = tuple(v for v in found if not (_is_form(v, tokens, spans(cues)) or _is_of_amount(v, columns, words, tokens, cues)))  # fmt: skip
    absent = tuple(absent_values(question, tokens, cues, words, values))
    found, cues = _denied(found, cues, absent, tokens)
    amount = spans(c for c in cues if c.kind == "how_much")
    found = tuple(v for v in found if v.quoted or not (v.span.mask & amount or _is_first_of_two(v, tables) or _is_newcomer(v, tables, tokens)))  # fmt: skip
    found = with_values(found, spoken, [token.text for token in tokens])
    columns = tuple(m for m in columns if not _is_rather_a_value(m, found, words))
    dates = tuple(d for d in dates if not any(v.quoted and v.span.overlaps(d.span) for v in found))
    numbers = _numbers(tokens, found, (*dates, *(c for c in cues if c.kind == "ordinal")), counted)
    starts = {one.span.start for one in (*numbers, *dates)}
    cues = tuple(c for c in cues if not _comes_from(c, tokens, starts))
    regions = find_regions(tokens, cues, tables, columns)
    links = Links(question, tokens, tables, columns, found, numbers, dates, cues, regions, spoken, today=today)  # fmt: skip
    links = _with_own_values(but_strange_rates(links, words), words)
    return with_ends(grouped_by_keys(but_explained(links), words), words)


def _with_own_values(links: Links, words: Vocabulary) -> Links:
    """The links without values whose words are verbs here, or which tell of something else."""
    verbs = relating(links, words)
    said = (v for v in links.values if v.span.mask & ~verbs or v.quoted or _is_whole(v))
    return replace(links, values=tuple(v for v in said if v.quoted or not is_of_another(v, links, words)))  # fmt: skip


def _is_rather_a_value(
    mention: Mention, values: tuple[ValueMention, ...], words: Vocabulary
) -> bool:
    """True for words that half name a column, and are a value of another one of its table: `open`, beside `opn_dt`."""
    table = words.columns[mention.best.id].table
    return mention.best.score < ASKED_FOR and any(
        value.span == mention.span and option.score > mention.best.score
        for value in values
        for option in value.options
        if words.columns[option.column].table == table and option.column != mention.best.id
    )


def _denied(
    found: tuple[ValueMention, ...],
    cues: tuple[Cue, ...],
    absent: tuple[ValueMention, ...],
    tokens: tuple[Token, ...],
) -> tuple[tuple[ValueMention, ...], tuple[Cue, ...]]:
    """The values, with those that say what was not done, and the cues; no word is read as a value and as a denial."""
    taken = spans(absent)
    kept = (
        v for v in found if v.quoted or not (v.span.mask & taken or _is_denial(v, tokens, cues))
    )
    return (*kept, *absent), tuple(c for c in cues if not c.span.mask & taken)


def _is_denial(value: ValueMention, tokens: tuple[Token, ...], cues: tuple[Cue, ...]) -> bool:
    """True for the `none` of `visits in May and none since`, though a column has such a value."""
    said = {tokens[place].lower for place in value.span.places}
    denying = (c for c in cues if c.kind == "not" and c.span.start < value.span.start)
    return said <= _NONE and any(c.span.holds(value.span) for c in denying)


def _is_newcomer(
    value: ValueMention, tables: tuple[Mention, ...], tokens: tuple[Token, ...]
) -> bool:
    """True for the `new` of `new customers` that is only a part of some value."""
    alone = len(value.span.places) == 1 and tokens[value.span.start].lower == "new"
    before = any(m.span.start == value.span.end and m.best.score >= WHOLE for m in tables)
    return alone and before and not _is_whole(value)


def _but_computed(columns: tuple[Mention, ...], cues: tuple[Cue, ...]) -> tuple[Mention, ...]:
    """Without the stocks of `what share of`, which is a percentage, the room numbers of `average number of`, and the amounts of `visit count per day`."""
    ends = {cue.span.end for cue in cues if cue.kind in AGGREGATES}
    said = [c.span for c in cues if c.kind == "share" or (c.kind == "count" and (c.span.start in ends or len(c.span.places) == 1))]  # fmt: skip
    return tuple(m for m in columns if m.best.score >= WHOLE or not any(s.holds(m.span) for s in said))  # fmt: skip


def _but_rates(
    columns: tuple[Mention, ...], tokens: tuple[Token, ...], words: Vocabulary
) -> Iterator[Mention]:
    """Without the hourly rates of `hours`, of which a column may hold the number."""
    for mention in columns:
        said = tokens[mention.span.start : mention.span.end]
        options = tuple(o for o in mention.options if not is_rate_of(words.columns[o.id], said))
        if options:
            yield replace(mention, options=options)


def _is_first_of_two(value: ValueMention, tables: tuple[Mention, ...]) -> bool:
    """True for the course of `course bookings`, where courses and bookings are things."""
    thing = any(m.span == value.span and m.best.score >= WHOLE for m in tables)
    return thing and any(m.span.start == value.span.end and m.best.score >= WHOLE for m in tables)


def _comes_from(cue: Cue, tokens: tuple[Token, ...], counted: set[int]) -> bool:
    """True for `customers from Berlin`: only before a number or a time `from` compares."""
    alone = cue.span.end == cue.span.start + 1 and tokens[cue.span.start].lower == "from"
    return alone and cue.kind == ">" and not counted & {cue.span.end, cue.span.end + 1}


def _in_name(cue: Cue, columns: tuple[Mention, ...], tokens: tuple[Token, ...]) -> bool:
    """True for the number of `phone number of`, which counts nothing, and the per of a `price per hour`, which makes no groups."""
    start, end = cue.span.start, cue.span.end
    if cue.kind in ("per", "by", "group"):
        return any(m.span.start < start and end < m.span.end and m.best.score >= WHOLE for m in columns)  # fmt: skip
    return (
        cue.kind == "count"
        and tokens[start].lower in ("number", "numbers", "count", "counts")
        and tokens[start - 1].lower not in STOP_WORDS | _OF_NUMBERS
        and any(m.span.start < start <= m.span.end and m.best.score >= 0.6 for m in columns)
    )


def _is_form(value: ValueMention, tokens: tuple[Token, ...], cues: int) -> bool:
    """True for words of the form of a question, such as `quarter` and `after all`, that are only a part of some value."""
    said = [tokens[i].lower for i in value.span.places if not cues >> i & 1]
    return {*said} <= _FORMS | STOP_WORDS and not value.quoted and not _is_whole(value)


def _is_whole(value: ValueMention) -> bool:
    """False for the `Release` of `released`, and for a part of some value."""
    return any(option.score >= 1 for option in value.options)


def _is_of_amount(
    value: ValueMention,
    columns: tuple[Mention, ...],
    words: Vocabulary,
    tokens: tuple[Token, ...],
    cues: tuple[Cue, ...],
) -> bool:
    """True for the number of `price 20`, `4 credits`, `higher than a 7` and `the 3 cheapest`, though a column holds such a text."""
    start, end = value.span.start, value.span.end
    if value.quoted or any(token.number is None for token in tokens[start:end]):
        return False
    before = start - (tokens[start - 1].lower in _ONE)
    if any(
        (c.kind in (">", "<", ">=", "<=") and c.span.end == before)
        or (c.kind in ("superlative", "most_count", "most_common") and c.span.start == end)
        or (c.kind == "top" and c.span.end == start)
        for c in cues
    ):
        return True
    held = {option.column for option in value.options}
    near = [
        m
        for m in columns
        if (0 <= start - m.span.end <= 1 or m.span.start == end) and m.best.score >= _NAMED
    ]
    named = {option.id for mention in near for option in mention.options}
    return any(words.columns[m.best.id].numeric for m in near) and not held & named


_NAMED = 0.6
"""Score of a column that is named by more than a likeness."""
_OF_AMOUNTS = words("comparing.amounts")


def _is_amount(
    date: DateMention,
    cues: tuple[Cue, ...],
    columns: tuple[Mention, ...],
    words: Vocabulary,
    tokens: tuple[Token, ...],
) -> bool:
    """True for the 2000 of `a total amount above 2000`, `spent more than 2000` and `over 2000 kg`: no year is meant."""
    for cue in cues:
        if cue.kind in (">", "<", ">=", "<=") and cue.span.end == date.span.start:
            near = [m for m in columns if 0 <= cue.span.start - m.span.end <= 1]
            entries = [words.columns[m.best.id] for m in near if m.best.score >= 0.6]
            if any(one.lower in _OF_AMOUNTS for one in tokens[cue.span.start : cue.span.end]):
                return not any(e.temporal or "year" in e.forms[0] for e in entries)
            if any(e.measures and "year" not in e.forms[0] for e in entries):
                return True
    return before_unit(tokens, date.span.end)


def _counts_back(mention: Mention, dates: Sequence[DateMention], tokens: Sequence[Token]) -> bool:
    """True for the `last` of `last month`, no part of a last name, and for what ends with the `since` of `since 2025`, as `customer since`."""
    said = {token.lower for token in tokens[mention.span.start : mention.span.end]}
    if tokens[mention.span.end - 1].lower in _DURING:
        return any(date.span.start == mention.span.end for date in dates)
    return said <= _BACK | _UNITS and any(date.span.holds(mention.span) for date in dates)


def _is_held(date: DateMention, tokens: tuple[Token, ...], values: Values) -> bool:
    """True for a day of the week that a column holds as a text."""
    said = tokens[date.span.start].lower
    return bool(values.exact([said, said.removesuffix("s")]))


def _inside(cue: Cue | NumberMention, dates: tuple[DateMention, ...]) -> bool:
    return any(cue.span.overlaps(mention.span) for mention in dates)


def _numbers(
    tokens: tuple[Token, ...],
    values: tuple[ValueMention, ...],
    others: tuple[DateMention | Cue, ...],
    counted: tuple[NumberMention, ...],
) -> tuple[NumberMention, ...]:
    taken = spans((*values, *others))
    found = [amount for amount in counted if not amount.span.mask & taken]
    taken |= bits(amount.said.mask for amount in found)
    for position, token in enumerate(tokens):
        before = tokens[position - 1 : position]
        glued = before and before[0].lower.isalpha() and before[0].end == token.start  # `m3`
        pronoun = token.lower == "one" and _is_pronoun(tokens, position)
        if token.number is None or taken >> position & 1 or glued or pronoun:
            continue
        found.append(NumberMention.at(tokens, position))
    return tuple(sorted(found, key=lambda number: number.span.start))


def _is_pronoun(tokens: tuple[Token, ...], position: int) -> bool:
    before = tokens[position - 1].lower if position else ""
    after = tokens[position + 1].lower if position + 1 < len(tokens) else ""
    return after == "of" or before in ("which", "the", "this", "that", "any", "each")
