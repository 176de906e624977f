"""Whether a column holds anything: `without a phone number`, `who have an e-mail address`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, slot, where
from oldhand.agent.analyst.words.links import Cue, Mention, Option
from oldhand.lexicon.entries import words
from oldhand.query.form import Comparison

_HAVING = words("verbs.having")
_ARTICLES = words("function_words.determiners")


def presence_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each column that rows `have`, as in `customers who have an e-mail address`."""
    for mention in asked.links.columns:
        start, place = _having(asked, mention), mention.span.start
        choices: list[Choice] = []
        for option in mention.options[:3] if start >= 0 else ():
            if _may_be_empty(asked, option):
                filled = Comparison(asked.ref(option.id), "not null")
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
                condition = Comparison(asked.ref(option.id), "null")
                yield where(asked, cue.span.start, used, features, condition)


def _is_own(asked: Asked, cue: Cue, option: Option) -> bool:
    """False for `items never shipped`, when the day of shipping stands with other things than the items."""
    before = next(asked.columns_before(cue.span.start, 1), None)
    if before is None or any(m.span.overlaps(before.span) for m in asked.links.tables):
        return True
    table = asked.column(option.id).table
    return any(asked.column(o.id).table == table for o in before.options)


def _having(asked: Asked, mention: Mention) -> int:
    """Where the `have` stands that a column follows with an article; -1 when there is none."""
    start = mention.span.start
    if asked.word(start - 1) not in ("a", "an", "any") or asked.word(start - 2) not in _HAVING:
        return -1
    return -1 if _compared(asked, mention) or asked.is_thing(mention, 1.1) else start - 2


def _compared(asked: Asked, mention: Mention) -> bool:
    """True when a value of the column, or a comparison with one, stands beside it."""
    end = mention.span.end
    values = (*asked.links.values, *asked.links.numbers, *asked.links.dates)
    near = any(-2 <= value.span.start - end <= 3 for value in values)
    return near or bool(asked.cue_after(end, 2, ">", "<", ">=", "<=", "between", "than_average"))


def _may_be_empty(asked: Asked, option: Option) -> bool:
    entry = asked.column(option.id)
    return entry.column.nullable and not entry.column.primary_key
