"""What was sold, and what lies in stock: which table holds the pieces that a verb speaks of."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Cue
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Aggregate, Column, Elapsed

_SOLD = words("verbs.selling")
_BOUGHT = words("verbs.buying")
_QUANTITY = word_stems("money.pieces")
_PRICE = word_stems("money.prices")
_DEALS = word_stems("money.deals")
_STOCK = word_stems("money.stock")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A table whose rows hold how many pieces of something were dealt with."""

    table: int
    quantity: Column | Elapsed
    """The column with the number of pieces."""

    @property
    def sum(self) -> Aggregate:
        """How many pieces they are together."""
        return Aggregate("sum", self.quantity)


@lru_cache(maxsize=4)
def selling(asked: Asked) -> int:
    """The tokens that speak of selling, as bits: `sold`, `best-selling`, `did we sell`."""
    mask = 0
    for place in range(len(asked.links.tokens)):
        word = asked.word(place)
        done = word == "sell" and "did" in asked.words(place - 4, place)
        mask |= 1 << place if word in _SOLD or done else 0
    return mask


def is_selling(asked: Asked, place: int) -> bool:
    """True when the token at a place speaks of selling."""
    return place >= 0 and bool(selling(asked) >> place & 1)


@lru_cache(maxsize=4)
def buying(asked: Asked) -> int:
    """The tokens that speak of buying, as bits."""
    words = asked.links.tokens
    return sum(1 << place for place in range(len(words)) if asked.word(place) in _BOUGHT)


def sold(asked: Asked) -> tuple[Pieces, ...]:
    """The tables of order lines: a quantity of a thing, within an order, a sale or an invoice."""
    return _pieces(asked.vocabulary, False)


def stocked(asked: Asked) -> tuple[Pieces, ...]:
    """The tables of what lies in stock."""
    return _pieces(asked.vocabulary, True)


@lru_cache(maxsize=32)
def _pieces(vocabulary: Vocabulary, stock: bool) -> tuple[Pieces, ...]:
    return tuple(_found(vocabulary, stock))


def _found(vocabulary: Vocabulary, stock: bool) -> Iterator[Pieces]:
    for entry in vocabulary.tables:
        columns = (vocabulary.columns[number] for number in entry.columns)
        quantity = next((column.ref for column in columns if _is_quantity(column)), None)
        held = [e.right for e in vocabulary.joins.edges(entry.id) if e.left == entry.id]
        if quantity is None or not held:
            continue
        names = _names(vocabulary, entry.id)
        in_stock = bool(names & _STOCK)
        dealt = names.union(*(_names(vocabulary, table) for table in held)) & _DEALS
        if (stock and in_stock) or (not stock and not in_stock and dealt and len(held) > 1):
            yield Pieces(entry.id, quantity)


def _names(vocabulary: Vocabulary, table: int) -> frozenset[str]:
    return frozenset(vocabulary.tables[table].forms[0])


def _is_quantity(entry: ColumnEntry) -> bool:
    words = set(entry.forms[0])
    return (
        entry.numeric
        and not entry.key_like
        and bool(words & _QUANTITY)
        and not (words & (_PRICE | _STOCK | {"per"}))
    )


def pieces_counted(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`How many tents were sold`, `how many are in stock`: the pieces are added up."""
    verb = selling(asked)
    thing, named = _sold_thing(asked, cue) if verb else ("", 0)
    for pieces in sold(asked) if thing else ():
        features: Features = ((f"count.sold_{thing}", 1.0),)
        yield _sum(pieces, cue.span.mask | verb | named, cue.span.start, features)
    stock = _in_stock(asked)
    for pieces in stocked(asked) if stock else ():
        features = (("count.stocked", 1.0),)
        yield _sum(pieces, cue.span.mask | stock, cue.span.start, features)


def _sum(pieces: Pieces, used: int, position: int, features: Features) -> Choice:
    return Choice("select", features, used, 1 << pieces.table, position, (pieces.sum,))


def _sold_thing(asked: Asked, cue: Cue) -> tuple[str, int]:
    """What `how many` is followed by: pieces or a `value`, or the `table` of what is sold, with its tokens."""
    start = cue.span.end
    if start < len(asked.links.tokens) and asked.links.tokens[start].stem in _QUANTITY:
        return "value", 1 << start
    if any(start <= value.span.start <= start + 1 for value in asked.links.values):
        return "value", 0
    sellable = {
        edge.right
        for pieces in sold(asked)
        for edge in asked.vocabulary.joins.edges(pieces.table)
        if edge.left == pieces.table and not _names(asked.vocabulary, edge.right) & _DEALS
    }
    near = list(asked.tables_after(start, 1))
    if near and near[0].best.id in sellable:
        return "table", near[0].span.mask
    return "", 0


def _in_stock(asked: Asked) -> int:
    for place in range(len(asked.links.tokens)):
        if asked.word(place) in ("in", "on") and asked.word(place + 1) in ("stock", "hand"):
            return 3 << place
    return 0


def sale_features(asked: Asked, tables: set[int]) -> Features:
    """Whether a query over `tables` answers to a verb of selling or buying."""
    verb = selling(asked)
    if not verb and not buying(asked):
        return ()
    lines = {pieces.table for pieces in sold(asked)}
    stock = {pieces.table for pieces in stocked(asked)}
    if not lines:
        return ()
    unread = bool(verb) and not lines & tables
    in_stock = bool(stock & tables) and not lines & tables
    return (("sale.unread", float(unread)), ("sale.stock", float(in_stock)))
