"""`Tickets sold`, where the number of `seats_sold` stands beside a `ticket_price`: how many they were, and no money."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import LinkOption, Mention, Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token, word_stems

_SELLING = words("verbs.selling")
_MONEY = word_stems("money.per_unit")


def pieces_not_prices(
    columns: Sequence[Mention], words: Vocabulary, tokens: Sequence[Token]
) -> Iterator[Mention]:
    """The columns, with how many were sold where a price is only named by what it is paid for."""
    sold = {place for place, token in enumerate(tokens) if token.lower in _SELLING}
    ends = set[int]()
    for mention in columns:
        pieces = _sold_beside(words, words.columns[mention.best.id]) if sold else None
        said = {tokens[place].stem for place in mention.span.places}
        if pieces is not None and mention.best.score < WHOLE and _MONEY.isdisjoint(said):
            end = mention.span.end + (mention.span.end in sold)
            ends.add(end)
            yield Mention(Span(mention.span.start, end), (LinkOption(pieces.id, WHOLE, 1.0),))
        elif mention.span.end not in ends:
            yield mention


def _sold_beside(words: Vocabulary, price: ColumnEntry) -> ColumnEntry | None:
    """The column that counts what was sold at a price, in the same row."""
    if not price.measures or _MONEY.isdisjoint(price.forms[0]):
        return None
    beside = (words.columns[number] for number in words.tables[price.table].columns)
    return next((entry for entry in beside if entry.counts_sold), None)
