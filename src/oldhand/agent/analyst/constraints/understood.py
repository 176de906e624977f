"""Words, numbers and signs that would change the answer, were they understood.

A restriction that is dropped in silence gives the right answer to another question.
"""

from collections.abc import Iterator
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.group_words import kind_of_groups
from oldhand.agent.analyst.candidates.states import AFTER_DEEDS
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.linking.denied_deeds import denied_deed
from oldhand.agent.analyst.linking.unknown import (
    amounts_of,
    in_states,
    is_general,
    newcomers,
    relating,
    says_nothing,
)
from oldhand.agent.analyst.words.fitting import ASKED_FOR, WHOLE, is_half_read, is_read
from oldhand.agent.analyst.words.links import Cue, Mention, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.privacy import tells_birth
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.query.form import DatePart, Has
from oldhand.query.walk import is_measure
from oldhand.record.schema import Kind

_NEEDED = frozenset(
    {"superlative", "ordinal", "starts", "ends", "most_count", "most_common", "not", "per", "than_average", "null", "beyond", "share", "avg", "median", "sum", "max", "min"}
)  # fmt: skip
"""Cues without which an answer would be another one."""
_ATTRIBUTES, _NAMES = words("names.attributes"), words("names.titles_asked")
_TELLING = _ATTRIBUTES | words("verbs.undoing")
"""General words that say something all the same: who `left` is not everybody."""
_HAVING, _OF_USE = words("verbs.have"), words("verbs.of_use")
_BOUNDS = (">", ">=", "<", "<=")
_BETWEEN = 2
"""Words between a comparison and what it compares with."""
_HALVES, _TIMES = words("names.halves"), words("names.times")
_NAMED = 0.9
"""How well a word must name a table to be no value of another one."""


def nothing_understood_left_out(one: Hypothesis) -> int:
    """`Paid orders in Rome` by all orders in Rome: what was understood, or may narrow the rows, is not answered to."""
    links, used = one.asked.links, one.draft.used
    explained = _explained(one)
    cues = (cue.span for cue in links.cues if _is_needed(one, cue) and not cue.span.mask & used)
    explained &= ~_kinds_left_out(one)
    said = [m.span for m in (*links.values, *links.numbers, *links.dates)]
    # `items` may be a general word, but not where a table is called so.
    said += [m.span for m in links.tables if m.best.score >= WHOLE]
    said += worth_words(links.tokens)
    needed = bits(span.mask for span in said if not span.mask & explained) | _denied_elsewhere(one)
    needed |= (_only_those(one) & ~used) | (_states(one.asked) & ~explained)
    return (
        bits(span.mask for span in cues)
        | needed
        | bits(
            1 << place
            for place, token in enumerate(links.tokens)
            if not (explained >> place & 1 or (is_general(token) and token.lower not in _TELLING))
        )
    )


def _only_those(one: Hypothesis) -> int:
    """The `only` of `have only cats`, `came only in 2025`: whoever has others as well is none of them."""
    asked = one.asked
    dates = (
        {m.span.start for m in asked.links.dates}
        if len(one.query.rows.relations) > 1
        else set[int]()
    )
    named = {m.span.start for m in (*asked.links.tables, *asked.links.values)}
    said = (p for p in range(len(asked.links.tokens)) if asked.word(p) == "only")
    return bits(
        1 << place
        for place in said
        if (asked.word(place - 1) in _HAVING and place + 1 in named)
        or (asked.word(place + 1) in _HAVING and place + 2 in named)
        or (not one.measured("sum", "avg", "min", "max") and dates & {place + 1, place + 2})
    )


def _denied_elsewhere(one: Hypothesis) -> int:
    """The tokens of `no show` where its `no` was only read as that of `no cancelled lesson`."""
    denied = one.cues("not")
    values = [m.span.mask for m in one.asked.links.values if m.span.mask & ~denied]
    read = bits(c.used for c in one.draft.choices if c.kind not in ("negate", "exclude"))
    return bits(mask for mask in values if mask & denied and not mask & read)


def no_word_read_twice(one: Hypothesis) -> int:
    """`More than 2 devices`, where devices have a table, and tickets are about a device: it is one or the other."""
    asked = one.asked
    tables = one.tables
    read = one.read
    mask = 0
    for value in asked.links.values:
        over = [m for m in asked.links.tables if m.span.overlaps(value.span)]
        named = {m.best.id for m in over if m.best.score >= _NAMED and not value.quoted} & tables
        held = {option.column for option in value.options} & read
        mask |= (
            value.span.mask
            if named and any(asked.column(c).table not in named for c in held)
            else 0
        )
    return mask


def _is_needed(one: Hypothesis, cue: Cue) -> bool:
    """True for cues without which an answer would be another one."""
    by = one.asked.word(cue.span.end - 1) == "by"
    grouped = by and kind_of_groups(one.asked, cue) in ("group", "by_aggregate", "by_money")
    numbers = {m.span.start for m in (*one.asked.links.numbers, *one.asked.links.dates)}
    than = one.asked.word(cue.span.end - 1) == "than" and cue.span.end not in numbers
    bound = cue.kind in _BOUNDS and any(
        one.asked.column(m.best.id).measures
        and STOP_WORDS.issuperset(one.asked.words(cue.span.end, m.span.start))
        for m in one.asked.columns_after(cue.span.end, _BETWEEN)
    )  # `below their asking price`
    return grouped or than or bound or cue.kind in _NEEDED


def no_name_half_read(one: Hypothesis) -> int:
    """`Policy type` by the number of a policy, where a column is called the type of one; the `number of orders` is how many there are, though orders have a number."""
    asked = one.asked
    read = one.read
    tables = one.tables
    used = bits(c.used for kind in ("select", "group", "order") for c in one.draft.of(kind))
    named = (m for m in asked.links.tables if m.best.id in tables)
    counted = spans((*named, *asked.links.cues_of("count")))
    mask = 0
    for mention in asked.links.columns:
        half = mention.span.mask & ~counted and is_half_read(mention, read)
        mask |= mention.span.mask if half and not mention.span.mask & ~used else 0
    return mask


def no_value_only_shown(one: Hypothesis) -> int:
    """`Good customers` by showing of all of them whether they are good or bad."""
    asked = one.asked
    plain = (term for term in one.query.select if not is_measure(term))
    shown = {entry.id for entry in asked.entries(plain)}
    compared = {entry.id for entry in (*one.compared(), *asked.entries(one.query.group))}
    mask = 0
    for value in asked.links.values:
        if value.span.end not in {thing.span.start for thing in asked.links.tables}:
            continue
        named = (m for m in asked.links.columns if m.span.overlaps(value.span))
        vaguely = all(m.best.score < _NAMED for m in named if m.best.id in shown)
        held = {option.column for option in value.options if option.score >= ASKED_FOR}
        mask |= value.span.mask if vaguely and held & shown - compared else 0
    return mask


def no_denied_deed_left_out(one: Hypothesis) -> int:
    """`Customers who never answered` by those without bookings: a verb that nobody knows denies no other thing."""
    asked, mask = one.asked, 0
    named = spans(m for m in asked.links.tables if any(o.id in one.tables for o in m.options))
    named |= spans(m for m in asked.links.columns if m.best.score >= ASKED_FOR)
    told = named | spans((*asked.links.values, *asked.links.dates, *asked.links.numbers))
    for cue in asked.links.cues_of("not"):
        place = denied_deed(asked.links.tokens, cue)
        if place is None or asked.word(place) in _HAVING or (told | one.draft.used) >> place:
            continue
        before = [m.best.id for m in asked.links.tables if m.span.end <= cue.span.start]
        of_use = asked.word(place) in _OF_USE and any(map(asked.has_own_name, before))
        mask |= 0 if of_use else 1 << place
    return mask


def done_later_not_lacking(one: Hypothesis) -> int:
    """`Patients who have not paid` by those without invoices, where invoices have a day of payment that is missing until then."""
    asked, mask = one.asked, 0
    lacking = (c for c in one.conditions if isinstance(c, Has) and c.none)
    tables = {table for c in lacking for table in asked.inside(c.rows.rows)}
    for cue in asked.links.cues_of("not"):
        place = denied_deed(asked.links.tokens, cue)
        hits = asked.vocabulary.hits(asked.links.tokens[place].stem) if place is not None else ()
        named = (asked.column(hit.column) for hit in hits if hit.column >= 0 and hit.strength >= 1)
        open_still = any(e.table in tables and e.temporal and e.column.profile and e.column.profile.missing for e in named)  # fmt: skip
        mask |= cue.span.mask if open_still else 0
    return mask


def _kinds_left_out(one: Hypothesis) -> int:
    """The tokens of `professors` where all of the faculty is shown, though it is a rank of theirs."""
    asked = one.asked
    read = one.read
    mask = 0
    for value in asked.links.values:
        over = (m for m in asked.links.tables if m.span == value.span and m.best.score < _NAMED)
        tables = {mention.best.id for mention in over}
        whole = (
            o for o in value.options if value.text.lower().startswith(str(o.values[0]).lower())
        )
        held = {o.column for o in whole if asked.column(o.column).table in tables}
        mask |= value.span.mask if held and not held & read else 0
    return mask


def signs(question: str) -> Iterator[str]:
    """Signs that are no words, such as emoji: nothing reads them."""
    for sign in dict.fromkeys(question):
        if ord(sign) > 0x2190 and not sign.isalnum() and not tokenise(sign):
            yield sign


def _explained(one: Hypothesis) -> int:
    """The tokens that a query answers to, or that say nothing more than it does."""
    asked, links = one.asked, one.asked.links
    tables = one.tables
    columns = one.read
    matched = (
        m
        for m in links.columns
        if is_read(m, columns)
        or _is_before_value(asked, m, columns)
        or (asked.is_verb(m) and _is_matched(asked, m, tables))
        or _stands_for_rows(asked, m, tables)
    )
    cues = (cue.span.mask for cue in links.cues if cue.kind not in _NEEDED)
    # Of `train stations`, a station is no half of a name but a thing.
    named = spans(m for m in links.tables if any(option.id in tables for option in m.options))
    house = _of_no_query(asked) | _names(one)
    house |= bits(end.used for end in links.ends if one.speaks_of(end)) | one.deeds
    return one.draft.used | named | spans(matched) | bits(cues) | house | _newcomers(one)


@lru_cache(maxsize=4)
def _of_no_query(asked: Asked) -> int:
    """The tokens that say nothing more, whatever a query is."""
    links, words = asked.links, asked.vocabulary
    dated = bits(1 << place for place in _before_dates(asked))  # `in the year 2024`
    return says_nothing(links) | relating(links, words) | amounts_of(links, words) | dated


@lru_cache(maxsize=4)
def _states(asked: Asked) -> int:
    """The tokens that say in what state things are, whatever a query is."""
    return in_states(asked.links)


def _before_dates(asked: Asked) -> Iterator[int]:
    """The places of words that say of a time that it is one."""
    for date in asked.links.dates:
        if asked.word(date.span.start - 1) in _TIMES:
            yield date.span.start - 1


def _names(one: Hypothesis) -> int:
    """The tokens of `name` and `title` where what shows the rows is shown, whatever it is called."""
    asked = one.asked
    shown = asked.reading(one.query.select)
    labels = any(asked.is_label(entry) and not entry.key_like for entry in shown)
    places = range(len(asked.links.tokens)) if labels else ()
    return bits(
        1 << place
        for place in places
        if asked.word(place) in _NAMES and asked.word(place - 1) not in _HALVES
    )


def _is_before_value(asked: Asked, mention: Mention, columns: set[int]) -> bool:
    """True for the `code` of `post code 255`, where that value is compared."""
    after = (v for v in asked.links.values if v.span.start == mention.span.end)
    held = {option.column for value in after for option in value.options}
    return any(option.id in held & columns for option in mention.options)


def _is_matched(asked: Asked, mention: Mention, tables: set[int]) -> bool:
    """True for a participle that says nothing more than that there are rows of a table."""
    entries = [asked.column(option.id) for option in mention.options]
    deed = asked.word(mention.span.end) in AFTER_DEEDS
    # `Closed` holds for some rows only, `hired` for all.
    return any(
        e.table in tables and not e.is_flag and (deed or (e.temporal and not e.column.nullable))
        for e in entries
    )


def _stands_for_rows(asked: Asked, mention: Mention, tables: set[int]) -> bool:
    """True for the `authors` of submissions, each of which has its own: to count or match them is to do so with the rows."""
    entry = asked.column(mention.best.id)
    seen = entry.column.profile
    textual = entry.column.kind is Kind.TEXT and not entry.key_like and mention.best.score >= _NAMED
    own = textual and entry.table in tables and asked.word(mention.span.end - 1).endswith("s")
    return own and seen is not None and seen.distinct >= _NAMED * seen.rows > 1


def _newcomers(one: Hypothesis) -> int:
    """The tokens of `new` in `new customers each year`, where they are counted by their own, only day."""
    mask = newcomers(one.asked.links)
    parts = one.asked.entries(t for t in one.query.group if isinstance(t, DatePart))
    times = [*parts, *one.compared("within")]
    owners = {time.table for time in times}
    before = (m for m in one.asked.links.tables if m.span.start)
    named = {m.best.id for m in before if mask >> (m.span.start - 1) & 1}
    dates = {
        entry.id
        for entry in one.asked.times
        if entry.table in owners and not tells_birth(entry.column.name)
    }
    return mask if owners and owners == named and dates <= {time.id for time in times} else 0
