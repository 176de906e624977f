"""What was done, sold, and lies in stock: which table holds the rows, or the pieces, that a verb speaks of."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    join,
    select,
    skip,
    told_slot,
)
from oldhand.agent.analyst.candidates.worth import is_quantity
from oldhand.agent.analyst.words.entries import ColumnEntry, TableEntry
from oldhand.agent.analyst.words.links import Cue, LinkOption, Span, bits
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wording import is_past_form
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import Aggregate, ColumnRef, Elapsed

_SOLD = words("verbs.selling")
_ARTICLES, _ANYTHING = words("function_words.articles"), words("function_words.any_things")
_BOUGHT = words("verbs.buying")
_OFFERING = words("verbs.offered")
_OF_SALES = ("per", "group", "by", "superlative", "most_count", "most_common", "avg", "how_much")
_NEAR = 4
"""Words between `do` and `sell`."""
_QUANTITY = word_stems("money.pieces")
_PRICE = word_stems("money.prices")
_DEALS = word_stems("money.deals")
_STOCK = word_stems("money.stock")
_NO_STOCK = (
    _PRICE
    | word_stems("money.reordering")
    | word_stems("names.levels")
    | word_stems("grouping.per")
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A table whose rows hold how many pieces of something were dealt with."""

    table: int
    quantity: ColumnRef | Elapsed
    """The column with the number of pieces."""

    @property
    def sum(self) -> Aggregate:
        """How many pieces they are together."""
        return Aggregate("sum", self.quantity)


@lru_cache(maxsize=4)
def selling(asked: Asked) -> int:
    """The tokens that speak of selling, as bits: `sold`, `best-selling`, `did we sell`, but not `do we sell`."""
    offered = 0  # `how many products do we sell` counts them, whatever was sold
    if not (asked.links.dates or asked.links.cues_of(*_OF_SALES)):
        ways = (i for i, token in enumerate(asked.links.tokens) if token.lower == "sell")
        offered = bits(1 << i for i in ways if _OFFERING & {*asked.words(i - _NEAR, i)})
    return asked.marked(_SOLD) & ~offered


def is_selling(asked: Asked, place: int) -> bool:
    """True when the token at a place speaks of selling."""
    return place >= 0 and bool(selling(asked) >> place & 1)


def sold(asked: Asked) -> tuple[Pieces, ...]:
    """The tables of order lines: a quantity of a thing, within an order, a sale or an invoice."""
    return _pieces(asked.vocabulary, False)


def deals(asked: Asked) -> Iterator[int]:
    """The tables of orders and sales that refer to what was sold."""
    for entry in asked.vocabulary.tables:
        if _names(asked.vocabulary, entry.id) & _DEALS and asked.vocabulary.joins.held(entry.id):
            yield entry.id


def stocked(asked: Asked) -> tuple[Pieces, ...]:
    """The tables of what lies in stock."""
    return _pieces(asked.vocabulary, True)


@lru_cache(maxsize=32)
def _pieces(vocabulary: Vocabulary, stock: bool) -> tuple[Pieces, ...]:
    return tuple(_found(vocabulary, stock))


def _found(vocabulary: Vocabulary, stock: bool) -> Iterator[Pieces]:
    for entry in vocabulary.tables:
        columns = [vocabulary.columns[number] for number in entry.columns]
        quantity = next((column for column in columns if _is_quantity(column)), None)
        held = vocabulary.joins.held(entry.id)
        if stock and (own := _stock_of_its_own(vocabulary, entry)) is not None:
            yield Pieces(entry.id, own.ref)
        if quantity is None or not held:
            continue
        names = _names(vocabulary, entry.id)
        in_stock = bool(names & _STOCK)
        dealt = bool(names.union(*(_names(vocabulary, table) for table in held)) & _DEALS)
        alone = bool(names & _DEALS) and any(column.temporal for column in columns)
        dealt = (dealt and (len(held) > 1 or alone)) or quantity.counts_sold
        if (stock and in_stock) or (not stock and not in_stock and dealt):
            yield Pieces(entry.id, quantity.ref)


def _stock_of_its_own(vocabulary: Vocabulary, entry: TableEntry) -> ColumnEntry | None:
    """The `units_in_stock` of a product, where one column alone holds it; a `min_stock` is a level, and a price what it is worth."""
    columns = (vocabulary.columns[number] for number in entry.columns)
    told = ((column, set(column.forms[0])) for column in columns if column.measures)
    found = [column for column, words in told if words & _STOCK and not words & _NO_STOCK]
    return found[0] if len(found) == 1 else None


def _names(vocabulary: Vocabulary, table: int) -> frozenset[str]:
    return frozenset(vocabulary.tables[table].forms[0])


def _is_quantity(entry: ColumnEntry) -> bool:
    return is_quantity(entry) and (_PRICE | _STOCK).isdisjoint(entry.forms[0])


def pieces_counted(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How many tents were sold`, `how many are in stock`: the pieces are added up."""
    place, verb = cue.span.start, selling(asked)
    thing, named = _sold_thing(asked, cue) if verb else ("", 0)
    for pieces in sold(asked) if thing else ():
        features: Features = ((f"count.sold_{thing}", 1.0),)
        yield select(asked, place, cue.span.mask | verb | named, features, pieces.sum)
    stock = _in_stock(asked)
    if stock and _is_of_pieces(asked, cue.span.end):
        stock |= 1 << cue.span.end
    counted = {m.best.id for m in asked.tables_after(cue.span.end, 0)}
    for pieces in (one for one in stocked(asked) if stock and one.table not in counted):
        features = (("count.stocked", 1.0),)
        yield select(asked, place, cue.span.mask | stock, features, pieces.sum)


def _is_of_pieces(asked: Asked, place: int) -> bool:
    return any(token.stem in _QUANTITY for token in asked.links.tokens[place : place + 1])


def _sold_thing(asked: Asked, cue: Cue) -> tuple[str, int]:
    """What `how many` is followed by: pieces or a `value`, or the `table` of what is sold, with its tokens."""
    start = cue.span.end
    if _is_of_pieces(asked, start):
        return "value", 1 << start
    if any(start <= value.span.start <= start + 1 for value in asked.links.values):
        return "value", 0
    held = {one for pieces in sold(asked) for one in asked.vocabulary.joins.held(pieces.table)}
    near = next(asked.tables_after(start, 1), None)
    counted = (asked.column(o.id) for m in asked.columns_after(start, 0) for o in m.options[:1])
    if near is None and any(entry.counts_sold for entry in counted):
        return "value", 1 << start
    if near is None or near.best.id not in held or _sells(asked, near.span.end):
        return "", 0
    return ("", 0) if _names(asked.vocabulary, near.best.id) & _DEALS else ("table", near.span.mask)


def _sells(asked: Asked, place: int) -> bool:
    """Whether things before a place do something to others: `vendors sold curry`, but not `bikes sold in May`."""
    after = place + 1 + (asked.word(place + 1) in _ARTICLES)
    named = (*asked.links.values, *asked.links.tables, *asked.links.columns, *asked.links.numbers)
    what = asked.word(after) in _ANYTHING or any(one.span.start == after for one in named)
    return is_selling(asked, place) and what


def _in_stock(asked: Asked) -> int:
    for place in range(len(asked.links.tokens)):
        if asked.word(place) in ("in", "on") and asked.word(place + 1) in ("stock", "hand"):
            return 3 << place
    return 0


def sale_features(asked: Asked, tables: set[int]) -> Features:
    """Whether a query over `tables` answers to a verb of selling or buying."""
    verb = selling(asked)
    lines = {pieces.table for pieces in sold(asked)}
    if not lines or not (verb or asked.marked(_BOUGHT)):
        return ()
    stock = {pieces.table for pieces in stocked(asked)}
    unread = bool(verb) and not lines & tables
    in_stock = bool(stock & tables) and not lines & tables
    return (("sale.unread", float(unread)), ("sale.stock", float(in_stock)))


def done_at(asked: Asked, place: int) -> Iterator[tuple[LinkOption, Span]]:
    """The tables that the verb at a place names, by themselves or by a column of theirs.

    `Ordered` names orders, `prescribed` names prescriptions by their column `prescribed_on`, and
    `sold` names the lines of the orders.
    """
    if is_selling(asked, place):
        for pieces in sold(asked):
            yield LinkOption(pieces.table, 1.0, 0.0), Span(place, place + 1)
    for mention in asked.tables_after(place, 0):
        for option in mention.options[:2]:
            if option.score >= 0.8:
                yield option, mention.span
    elsewhere = {o.id for m in asked.links.tables if not m.span.mask >> place & 1 for o in m.options}  # fmt: skip
    for mention in asked.columns_after(place, 0) if is_past_form(asked.word(place)) else ():
        likely = [option for option in mention.options if option.score >= 0.5]
        if any(asked.column(option.id).table in elsewhere for option in likely):
            return
        for option in likely:
            if option.score >= 0.8:
                yield LinkOption(asked.column(option.id).table, option.score, 0.0), mention.span


def deeds_called(asked: Asked, participle: str) -> Iterator[int]:
    """The tables called after what was done: payments for `paid`, rentals for `rented`, complaints for `complained`."""
    root = stem(participle)
    verb = word_lists().irregular.get(root, root if is_past_form(participle) else "")
    nouns = (f"{verb}ment", f"{verb}al", f"{verb}t") if verb else ()
    hits = (hit for noun in nouns for hit in asked.vocabulary.hits(noun))
    yield from dict.fromkeys(hit.table for hit in hits if hit.table >= 0 and hit.strength == 1)


def deed_slots(asked: Asked) -> Iterator[Slot]:
    """`Customers who have returned something`: there is a row of what was done."""
    for place in range(1, len(asked.links.tokens)):
        if asked.links.regions[place] != "F" or not is_past_form(asked.word(place)):
            continue
        called = (LinkOption(t, 1.0, 0.0) for t in deeds_called(asked, asked.word(place)))
        done = [*done_at(asked, place)] or [(one, Span(place, place + 1)) for one in called]
        choices = [join(span, (("join.deed", o.score),), o.id) for o, span in done]
        yield from told_slot(choices, skip("deed"))
