"""Whether a column holds anything: `without a phone number`, `who have an e-mail address`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, slot, where
from oldhand.agent.analyst.candidates.states import is_known_before, yes_and_no
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention
from oldhand.lexicon.entries import words
from oldhand.query.form import Comparison
from oldhand.query.negating import negated
from oldhand.record.schema import Kind

_HAVING, _NO = words("verbs.having"), words("negation.nothing_held")
_ARTICLES = words("function_words.determiners")


def presence_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each column that rows `have`, as in `customers who have an e-mail address`."""
    for mention in asked.links.columns:
        start, place = _having(asked, mention), mention.span.start
        choices: list[Choice] = []
        for option in mention.options[:3] if start >= 0 else ():
            if _may_be_empty(asked, option):
                filled = negated(_none_of(asked.column(option.id)))
                features = (("sel.near", option.nearness), ("where.present", option.score))
                used = mention.span.mask | 1 << start
                choices.append(where(asked, place, used, features, filled))
        yield from slot(mention.span.mask, choices)


def empty(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`without a phone number`: the choices of a negation that say a column is empty."""
    for mention in list(asked.columns_after(cue.span.end, 3))[:1]:
        bare = asked.word(cue.span.end - 1) not in _ARTICLES | {"without"}
        if bare and _compared(asked, mention):
            continue
        direct = all(w in _ARTICLES for w in asked.words(cue.span.end, mention.span.start))
        for option in mention.options[:3]:
            if _may_be_empty(asked, option) and _is_own(asked, cue, option):
                used = cue.span.mask | mention.span.mask
                direct_now = direct and not asked.is_thing(mention, 1.1)
                features: Features = (
                    ("sel.near", option.nearness),
                    ("not.null", option.score),
                    ("not.null_direct", option.score * direct_now),
                )
                entry, today = asked.column(option.id), asked.links.today
                condition = _none_of(entry)
                if bare and today and is_known_before(entry, today):
                    continue  # what expires on a day to come has `not expired`, though it has a day
                profile = entry.column.profile
                if (
                    bare
                    and condition.operator == "null"
                    and profile is not None
                    and profile.never_missing
                ):
                    continue  # `never published` is no book without a publisher, where each has one
                if bare and entry.key_like and not _is_of_things(asked, cue, entry):
                    continue  # who has `not reviewed` anything is nobody whose work lacks a reviewer
                yield where(asked, cue.span.start, used, features, condition)


def _is_of_things(asked: Asked, cue: Cue, entry: ColumnEntry) -> bool:
    """Whether a column stands with the things that were named last before a negation, or none were."""
    before = [m for m in asked.links.tables if m.span.end <= cue.span.start]
    return not before or any(option.id == entry.table for option in before[-1].options)


def _none_of(entry: ColumnEntry) -> Comparison:
    """That a row has none of what a column holds: no value, a no, or 0 of what is counted there, as in `without children`."""
    profile = entry.column.profile
    if entry.is_flag and (pair := yes_and_no(entry)) is not None:
        return Comparison(entry.ref, "=", (pair[1],))
    said = profile.values if profile is not None and profile.never_missing else ()
    if none := [v for v in said if isinstance(v, str) and v.casefold() in _NO]:
        return Comparison(entry.ref, "=", (none[0],))
    unseen = profile is None or profile.low is None
    none = _counts_nothing(entry) or (unseen and entry.measures and entry.column.kind is Kind.INTEGER)  # fmt: skip
    return Comparison(entry.ref, "<=", (0,)) if none else Comparison(entry.ref, "null")


def _is_own(asked: Asked, cue: Cue, option: LinkOption) -> bool:
    """False for `items never shipped`, when the day of shipping stands with other things than the items."""
    before = next(asked.columns_before(cue.span.start, 1), None)
    if before is None or any(m.span.overlaps(before.span) for m in asked.links.tables):
        return True
    table = asked.column(option.id).table
    return any(asked.column(o.id).table == table for o in before.options)


def _having(asked: Asked, mention: Mention) -> int:
    """Where the `have` stands that a column follows with an article, or another verb of the things before it; -1 when there is none."""
    start = mention.span.start
    verb = asked.word(start - 2) in _HAVING
    verb = verb or any(m.span.end == start - 2 for m in asked.links.tables if m.best.score >= 0.9)
    if asked.word(start - 1) not in ("a", "an", "any") or not verb:
        return -1
    return -1 if _compared(asked, mention) or asked.is_thing(mention, 1.1) else start - 2


def _compared(asked: Asked, mention: Mention) -> bool:
    """True when a value of the column, or a comparison with one, stands beside it."""
    end = mention.span.end
    values = (*asked.links.values, *asked.links.numbers, *asked.links.dates)
    beside = (value for value in values if not mention.span.holds(value.span))
    near = any(-2 <= value.span.start - end <= 3 for value in beside)
    return near or bool(asked.cue_after(end, 2, ">", "<", ">=", "<=", "between", "than_average"))


def _may_be_empty(asked: Asked, option: LinkOption) -> bool:
    """True where a row may have nothing there, or 0 of what is counted: `rentals that had a late fee`."""
    entry = asked.column(option.id)
    empty = entry.column.nullable or _counts_nothing(entry)
    return empty and not entry.column.primary_key


def _counts_nothing(entry: ColumnEntry) -> bool:
    """True for an amount that is 0 in some rows."""
    profile = entry.column.profile
    lowest = profile.low if profile is not None else None
    return entry.measures and (0 in entry.column.samples or lowest == 0)
