"""What `total` and `overall` are said of: of an amount, of a count, or of all things."""

from dataclasses import replace

from oldhand.agent.analyst.linking.nouns import sole_price
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, DateMention, Mention, Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token
from oldhand.lexicon.wording import is_past_form, plural

_WHOLE_OF = words("grouping.whole")
_TAKINGS = words("money.revenue") | {plural(word) for word in words("money.payments")}
_IN_ALL = words("grouping.in_all")
_OF_TIME = words("money.of_time")
_OUR = words("function_words.whole")
_NEAR = 6
"""Words between an amount and its time, at most."""
_SINGLE = ("avg", "max", "min", "superlative", "median")
"""They ask for the single totals, not for the sum of all."""
_EXTREME = ("sum", "max", "min", "superlative")


def summing_up(tokens: tuple[Token, ...], cues: tuple[Cue, ...]) -> Span:
    """The `in total` or `overall` of `How many orders in total?`: it names no amount, where rows are counted."""
    kinds = {cue.kind for cue in cues}
    if "count" not in kinds or kinds & {">", "<", ">=", "<=", "between"}:
        return Span(0, 0)
    said = [token.lower for token in tokens]
    phrases = [one.split("_") for one in _IN_ALL]
    spans_of = (Span(at, at + len(one)) for one in phrases for at in range(len(said)) if said[at : at + len(one)] == one)  # fmt: skip
    alone = (  # `overall score` is an amount
        span
        for span in spans_of
        if span.end - span.start > 1
        or all(
            one.lower in STOP_WORDS or not one.is_word for one in tokens[span.end : span.end + 1]
        )
    )
    return next(alone, Span(0, 0))


def things_in_total(
    cues: tuple[Cue, ...],
    tables: tuple[Mention, ...],
    columns: tuple[Mention, ...],
    tokens: tuple[Token, ...],
) -> tuple[tuple[Cue, ...], tuple[Mention, ...]]:
    """`Total invoices`: how many there are, though a column is called total; but `total sales` are money."""
    for cue in cues:
        end = cue.span.end
        things = [m for m in tables if m.span.start == end and m.best.score >= WHOLE]
        beyond = [
            m.span.end for m in things if not any(c.span.start == m.span.end for c in columns)
        ]
        if cue.kind != "sum" or not beyond or tokens[end - 1].lower not in _WHOLE_OF:
            continue
        last = tokens[beyond[0] - 1].lower
        if last.endswith("s") and last not in _TAKINGS:
            named = Span(cue.span.start, beyond[0])
            columns = tuple(m for m in columns if not named.holds(m.span))
            cues = tuple(replace(c, kind="count") if c is cue else c for c in cues)
    return cues, columns


def sums_of_takings(
    cues: tuple[Cue, ...],
    tables: tuple[Mention, ...],
    columns: tuple[Mention, ...],
    words: Vocabulary,
    tokens: tuple[Token, ...],
) -> tuple[tuple[Cue, ...], tuple[Mention, ...]]:
    """The cues and columns, with what payments are worth where `total payments`, `total invoiced` or the `highest payments` are spoken of.

    Rows that have one amount have it as their total, too: the `invoice total` of a customer is a sum of it.
    """
    for thing in tables:
        before = [c for c in cues if c.span.end == thing.span.start and c.kind in _EXTREME]
        last = tokens[thing.span.end - 1].lower
        billed = is_past_form(last) and any(c.kind == "sum" for c in before)
        taken = (billed or last in _TAKINGS) and thing.best.score >= WHOLE
        price = sole_price(words, thing.best.id) if before and taken else None
        if price is not None and not any(
            c.best.score >= WHOLE and c.span.overlaps(thing.span) for c in columns
        ):
            rest = (m for m in columns if not m.span.overlaps(thing.span))
            columns = (*rest, Mention(thing.span, (price,)))
        total = next((c for c in cues if c.span.start == thing.span.end and _is_total(c, tokens)), None)  # fmt: skip
        price = sole_price(words, thing.best.id) if total and thing.best.score >= WHOLE else None
        if total and price and not any(_is_told(total, one) for one in columns):
            columns = (*columns, Mention(total.span, (price,)))
            # `The average invoice total` is a mean of single ones.
            single = any(c.span.end == thing.span.start and c.kind in _SINGLE for c in cues)
            summed = () if single else (replace(total, span=thing.span),)
            cues = (*(c for c in cues if c is not total), *summed)
    return cues, tuple(sorted(columns, key=lambda one: one.span.start))


def _is_total(cue: Cue, tokens: tuple[Token, ...]) -> bool:
    """Whether a sum is called so by a noun: `the invoice total`, but not `invoices overall`."""
    said = "_".join(token.lower for token in tokens[cue.span.start : cue.span.end])
    return cue.kind == "sum" and said not in _IN_ALL


def _is_told(total: Cue, column: Mention) -> bool:
    """Whether a column is called total itself, or says what is added up: `the invoice total amount`."""
    overlaps = column.best.score >= WHOLE and column.span.overlaps(total.span)
    return overlaps or column.span.start == total.span.end


def amount_of_many(
    cues: tuple[Cue, ...],
    measured: tuple[Mention, ...],
    dates: tuple[DateMention, ...],
    tables: tuple[Mention, ...],
    words: Vocabulary,
    tokens: tuple[Token, ...],
) -> tuple[Cue, ...]:
    """The cues, with one for a sum where one amount is asked of a month, a year, or of other things that have several.

    So are `the invoice amount for July 2024` and `the invoice amount for customers in Leeds`.
    """
    kinds = {cue.kind for cue in cues} - {"what", "between"}
    asked = [m for m in measured if tokens[m.span.end - 1].lower in _OF_TIME]
    if kinds or len(measured) != 1 or not asked or not tokens[0].lower.startswith("what"):
        return cues
    (amount,) = asked
    last, end = tokens[amount.span.end - 1].lower, amount.span.end
    later = [d for d in dates if end < d.span.start <= end + _NEAR and (d.end - d.start).days > 1]
    the = next((at for at in range(1, amount.span.start) if tokens[at].lower in _OUR), 0)
    own = words.columns[amount.best.id].table
    told = any(m.best.id == own and the <= m.span.start < end for m in tables)
    many = any(
        end < m.span.start <= end + _NEAR and m.best.score >= WHOLE and m.best.id != own
        for m in tables
    )
    if (later or (told and many)) and the and plural(last) != last:
        return (*cues, Cue("sum", Span(the, the + 1)))
    return cues


def is_amount_of_group(
    cue: Cue, cues: tuple[Cue, ...], measured: tuple[Mention, ...], tables: tuple[Mention, ...]
) -> bool:
    """True for the words of `invoice total by country` and `order total by city`: they are the name of an amount.

    It is added up in groups as others are, and nothing is sorted.
    """
    start, end = cue.span.start, cue.span.end
    if cue.kind == "order":
        things = start == 0 and any(m.span.start == 0 for m in tables)
        return things and any(m.span.start == 1 for m in measured)
    grouped = any(c.kind in ("per", "by", "group") and c.span.start == end for c in cues)
    return cue.kind == "sum" and grouped and any(m.span == cue.span for m in measured)
