"""What the words of groups are: whether `by` names groups, where their names end, and what kind of things they are."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.counting import things_of_kind
from oldhand.agent.analyst.candidates.days import part_at
from oldhand.agent.analyst.candidates.events import events_between
from oldhand.agent.analyst.candidates.measures import extreme_figures
from oldhand.agent.analyst.candidates.rates import rate_at
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention, ValueMention, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.query.aggregates import AGGREGATES

NAMED = 0.4
"""How well words must fit a column to name groups."""
ALSO = words("grouping.between_groups")
"""Words between the names of two groups."""
_NO_DEEDS = words("grouping.before_by")
_TELLING = words("function_words.telling_more")
_AFTER_HEADINGS = words("time.after_parts")


def kind_of_groups(asked: Asked, cue: Cue) -> str:
    """`by` names groups where something is counted or averaged, else it hardly ever does."""
    if cue.argument in ("by", "by_aggregate", "by_money", "per", "group", "asked"):
        return cue.argument
    if cue.kind != "by":
        return cue.kind
    doer = any(value.span.start == cue.span.end for value in asked.links.values)
    if (doer and not any(kind_after(asked, cue))) or _is_told_further(asked, cue):
        return "by"
    if rate_at(asked) is not None:
        return "by_aggregate"
    before = asked.cue_before(cue.span.start, 8, "count", *AGGREGATES, "how_much", "share")
    ranked = _is_ranked_by(asked, cue)
    figures = (c for c in extreme_figures(asked) if c.span.end <= cue.span.start and not ranked)
    before = before or next(figures, None)
    # Behind a value, or before a month, nobody has done anything: `orders from Rome by status`, `bottles sold by month`.
    told = spans((*asked.links.values, *asked.links.dates, *asked.links.numbers))
    last = max(cue.span.start - 1, 0)
    done = not (told >> last & 1 or part_at(asked, cue.span.end) or asked.word(last) in _NO_DEEDS)
    narrowing = asked.links.regions[last] == "F" and done
    if narrowing and before is not None:
        ends = events_between(asked, before.span.end, cue.span.start)
        narrowing = len({event.place for event in ends}) < 2  # `from order to delivery by carrier`
    if any(span.end <= cue.span.start for span in worth_words(asked.links.tokens)):
        return "by_money"
    computed = before is not None and not narrowing
    return "by_aggregate" if computed or is_heading(asked, cue) else "by"


def _is_told_further(asked: Asked, cue: Cue) -> bool:
    """True for `orders by customers from Rome`: whose orders, not for each customer."""
    for mention in asked.tables_after(cue.span.end, 1):
        several = asked.word(mention.span.end - 1).endswith("s")
        return several and asked.word(mention.span.end) in _TELLING
    return False


def is_heading(asked: Asked, cue: Cue) -> bool:
    """`tickets by priority`, `tickets of Ana by priority`: things or an amount and a group, without a verb, perhaps with a time."""
    told = spans((*asked.links.values, *asked.links.dates))
    things = any(
        m.span.start <= 1
        and all(
            told >> place & 1 or asked.word(place) in STOP_WORDS
            for place in range(m.span.end, cue.span.start)
        )
        for m in (*asked.links.tables, *asked.links.values)
    )
    things = things or names_amount(asked, cue.span.start)
    if _is_ranked_by(asked, cue):
        return False
    end = named_until(asked, cue.span.end, reach=0)
    while end is not None and asked.word(end) == "and":
        end = named_until(asked, end + 1, reach=0)
    if not things or end is None:
        return False
    known = spans((*asked.links.dates, *asked.links.numbers, *asked.links.cues_of("top")))
    tokens = enumerate(asked.links.tokens)
    left = [token for i, token in tokens if i >= end and token.is_word and not known >> i & 1]
    return all(token.lower in _AFTER_HEADINGS for token in left)


def _is_ranked_by(asked: Asked, cue: Cue) -> bool:
    """True for `the largest orders by delivery fee`: the amount ranks them."""
    amounts = (m for m in asked.columns_after(cue.span.end, 0) if asked.column(m.best.id).measures)
    extremes = asked.links.cues_of("superlative")
    return any(amounts) and any(one.span.end <= cue.span.start for one in extremes)


def names_amount(asked: Asked, end: int) -> bool:
    """True where nothing but an amount stands before, and perhaps what it is of: `size of tracks`, `invoice total`."""
    amounts = [
        m
        for m in asked.links.columns
        if m.span.end <= end and asked.column(m.best.id).measures and not asked.is_thing(m)
    ]
    named = spans((*asked.links.tables, *amounts))
    left = (asked.word(place) for place in range(end) if not named >> place & 1)
    return bool(amounts) and all(word in STOP_WORDS for word in left)


def named_until(asked: Asked, start: int, reach: int = 2) -> int | None:
    """Where the name of a group ends that begins within `reach` tokens; None when there is none."""
    apart = (i for i in range(start + 1, start + reach + 1) if asked.word(i) in ALSO)
    reach = next(apart, start + reach + 1) - start - 1
    near = (*asked.tables_after(start, reach), *asked.columns_after(start, reach))
    ends = [mention.span.end for mention in near if mention.best.score >= NAMED]
    parts = [part_at(asked, place) for place in range(start, start + reach + 1)]
    of_parts = [part[1].end for part in parts if part is not None]
    if not ends and not of_parts:
        return None
    nearest = max([min(ends + of_parts), *of_parts])
    longer = [m.span.end for m in asked.links.columns if m.span.start <= nearest <= m.span.end]
    return max(longer, default=nearest)


def kind_after(asked: Asked, cue: Cue) -> Iterator[Mention]:
    """The things in `each optometrist`, which is a job of theirs; `by` leads to those of people only: `payments by card` are narrowed."""
    for value in asked.links.values:
        if value.span.start == cue.span.end and not any(asked.tables_after(cue.span.end, 0)):
            kinds = things_of_kind(asked, value).items()
            fit = (t for t in kinds if cue.kind != "by" or _is_a_kind_of_person(asked, value, t[0]))
            options = [LinkOption(table, score, 1.0) for table, score in fit]
            if options:
                yield Mention(value.span, tuple(options[:1]))


def _is_a_kind_of_person(asked: Asked, value: ValueMention, table: int) -> bool:
    """True for the `technician` of `by technician`, but for no name and no plural."""
    named = asked.links.tokens[value.span.start].text.istitle()
    several = asked.word(value.span.end - 1).endswith("s")
    return not (named or several) and asked.is_person(asked.column(asked.labels(table)[0]))
