"""What came in: what sold lines are worth, price times quantity, less a discount; else the amounts of payments, or of bills.

>>> from oldhand.lexicon.tokens import tokenise
>>> said = tokenise("total revenue per city, and the total value of order 7")
>>> [[said[i].lower for i in range(m.start, m.end)] for m in worth_words(said)]
[['revenue'], ['value']]
>>> [len([*worth_words(tokenise(said))]) for said in ("how many void sales were booked", "sales of how many shops")]
[0, 1]
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.words.entries import ColumnEntry, TableEntry
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Links, Span
from oldhand.agent.analyst.words.money import money_verbs
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token, word_stems
from oldhand.query.form import Aggregate, ColumnRef, Elapsed, Worth

REVENUE = words("money.revenue")
_WORTH = words("money.worth")
SPENT = words("verbs.spending")
_MUCH = ["much", "money"]
_COUNTING = (("how", "many"), ("number", "of"), ("count", "the"), ("count", "all"))
_TELLING = 2
"""Words that may stand between them and what is counted."""
_QUANTITIES = word_stems("money.pieces")
_NO_QUANTITIES = word_stems("money.no_pieces") | word_stems("time.columns")
_DISCOUNTS = word_stems("money.discounts")
_PAYMENTS, _BILLS = word_stems("money.payments"), word_stems("money.bills")
_AMOUNTS = word_stems("money.amounts")
_COMING_TO = ("sum", "avg", "how_much", "per", "group", "by", "share", "max", "min")
_TAKEN = word_stems("money.taken")
_SORTED = words("sorting.ordering")


@dataclass(frozen=True, slots=True)
class LineAmount:
    """What a row of a table of sold lines, or of payments, is worth."""

    table: int
    worth: Worth | ColumnRef | Elapsed
    """The product of its columns, or the one that holds it."""
    deal: int
    """The table that says when it was sold: the order of the line, or the row itself."""

    @property
    def sum(self) -> Aggregate:
        """What all lines are worth together."""
        return Aggregate("sum", self.worth)


def worth_words(tokens: Sequence[Token]) -> Iterator[Span]:
    """Where the words of a question speak of revenue, or of what something is worth."""
    words = [token.lower for token in tokens]
    earned = set(money_verbs(words))
    for place, word in enumerate(words):
        before = words[max(place - 3, 0) : place]
        summed = "total" in before or "average" in before or words[place + 1 : place + 2] == ["of"]
        by = before[-1:] == ["by"] and word != "amount" and not _SORTED.intersection(before)
        summed = summed or by  # `largest order by value`; a column may be called amount
        much = words[place - 1 : place + 1] == _MUCH
        if tokens[place].quoted or much or _is_counted(words[:place]):
            continue
        if word in REVENUE or word in SPENT or place in earned or (word in _WORTH and summed):
            yield Span(place, place + 1)


def _is_counted(before: Sequence[str]) -> bool:
    """True behind `how many` and `the number of`, and what tells the things that are counted: `how many void sales`."""
    for told in range(_TELLING + 1):
        rest, between = before[: len(before) - told], before[len(before) - told :]
        if any(one in STOP_WORDS or one.endswith("s") for one in between):
            return False
        if tuple(rest[-2:]) in _COUNTING or (tuple(rest[-1:]) == ("count",)):
            return True
    return False


@lru_cache(maxsize=32)
def line_amounts(vocabulary: Vocabulary) -> tuple[LineAmount, ...]:
    """What the lines of each table of sold things are worth; where there are none, the amounts of payments, else of bills."""
    lines = tuple(found for table in vocabulary.tables for found in _amounts(vocabulary, table))
    return lines or tuple(_paid(vocabulary, _PAYMENTS)) or tuple(_paid(vocabulary, _BILLS))


def amounts_meant(vocabulary: Vocabulary, links: Links, span: Span) -> list[LineAmount]:
    """What a word of money may mean: an `amount` that a column holds is named by its name, and what people have stated is meant alone."""
    own = {column for mask, column in links.stated if mask & span.mask}
    if own:
        entries = (one for one in vocabulary.columns if one.ref in own and one.measures)
        return [LineAmount(one.table, one.ref, one.table) for one in entries]
    word = links.tokens[span.start].lower
    # Who earns the most is paid; what was done is worth its price where revenue is asked for.
    found = line_amounts(vocabulary) or (_priced(vocabulary) if word in REVENUE else ())
    if (word in _WORTH and _is_of_named(vocabulary, links, span)) or _are_things(links, span):
        return []
    return [one for one in found if word not in _WORTH or isinstance(one.worth, Worth)]


def _are_things(links: Links, span: Span) -> bool:
    """Whether rows are meant that are called so, and not what they come to: `list all sales`, `the most sales`; but `sales per shop`."""
    called = any(m.span.overlaps(span) and m.best.score >= WHOLE for m in links.tables)
    ranked = (cue.argument.lstrip("-") for cue in links.cues_of("superlative"))
    return called and not links.cues_of(*_COMING_TO) and all(one == "most" for one in ranked)


def _is_of_named(vocabulary: Vocabulary, links: Links, span: Span) -> bool:
    """Whether things that are named have such an amount themselves: the `order amount`, where orders have one."""
    named = {m.best.id for m in links.tables if m.best.score >= WHOLE}
    columns = (m.best for m in links.columns if m.span.overlaps(span) and m.best.score >= WHOLE)
    entries = (vocabulary.columns[one.id] for one in columns)
    return any(entry.measures and entry.table in named for entry in entries)


def _paid(vocabulary: Vocabulary, called: frozenset[str]) -> Iterator[LineAmount]:
    for table in vocabulary.tables:
        if called.intersection(form[-1] for form in table.forms):
            own = _of_deals(vocabulary, table, _AMOUNTS) or _of_deals(vocabulary, table, _TAKEN)
            yield from own


@lru_cache(maxsize=32)
def _priced(vocabulary: Vocabulary) -> tuple[LineAmount, ...]:
    """The prices of what was done, where one table alone has such: of jobs, lessons, treatments."""
    plain = (table for table in vocabulary.tables if not table.role)
    found = tuple(one for table in plain for one in _of_deals(vocabulary, table, _TAKEN))
    return found if len(found) == 1 else ()


def _of_deals(
    vocabulary: Vocabulary, table: TableEntry, called: frozenset[str]
) -> tuple[LineAmount, ...]:
    """The one column of a table that is called so, where its rows have a day and belong to others."""
    columns = _columns(vocabulary, table.id)
    amounts = [c for c in columns if c.measures and called.intersection(c.forms[0])]
    dated = any(column.temporal for column in columns)
    if len(amounts) != 1 or not dated or not vocabulary.joins.held(table.id):
        return ()
    return (LineAmount(table.id, amounts[0].ref, table.id),)


def _amounts(vocabulary: Vocabulary, table: TableEntry) -> Iterator[LineAmount]:
    columns = _columns(vocabulary, table.id)
    price = next((c for c in columns if c.measures and "price" in c.forms[0]), None)
    quantity = next((c for c in columns if is_quantity(c)), None)
    deal = _deal(vocabulary, table)
    if price is None or quantity is None or deal is None or any(c.name_like for c in columns):
        return
    discounts = [c for c in columns if c.measures and set(c.forms[0]) & _DISCOUNTS]
    if all(_is_rate(column) for column in discounts):
        worth = Worth((price.ref, quantity.ref), tuple(column.ref for column in discounts))
        yield LineAmount(table.id, worth, deal)


def _columns(vocabulary: Vocabulary, table: int) -> list[ColumnEntry]:
    return [vocabulary.columns[number] for number in vocabulary.tables[table].columns]


def is_quantity(entry: ColumnEntry) -> bool:
    """True for a column of how many pieces there are, such as `quantity` and `copies_sold`."""
    words = set(entry.forms[0])
    pieces = bool(words & _QUANTITIES) or entry.counts_sold
    return entry.measures and pieces and not words & _NO_QUANTITIES


def _deal(vocabulary: Vocabulary, table: TableEntry) -> int | None:
    """The dated table that a line belongs to; None for a list of prices and of what is in stock.

    A product has a date too, that of its launch, but it has a name of its own: an order hasn't.
    """
    dated: dict[int, int] = {}
    for one in (table.id, *vocabulary.joins.held(table.id)):
        times = sum(column.temporal for column in _columns(vocabulary, one))
        dated[one] = times - 3 * _is_named(vocabulary, one)
    best = max(dated, key=lambda one: (dated[one], -one))
    return best if dated[best] > 0 else None


def _is_named(vocabulary: Vocabulary, table: int) -> bool:
    own = {"name", "titl", "label", *vocabulary.tables[table].forms[0]}
    return any(c.name_like and set(c.forms[0]) <= own for c in _columns(vocabulary, table))


def _is_rate(entry: ColumnEntry) -> bool:
    """True when the examples of a discount are shares: an amount, or a percentage, is taken off otherwise."""
    samples = [sample for sample in entry.column.samples if isinstance(sample, int | float)]
    return bool(samples) and all(0 <= sample <= 1 for sample in samples)
