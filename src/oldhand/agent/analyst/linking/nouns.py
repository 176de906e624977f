"""What nouns name: words that are verbs elsewhere, nouns that two words share, and names that are those of a column."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from oldhand.agent.analyst.words.fitting import ASKED_FOR, WHOLE
from oldhand.agent.analyst.words.links import LinkOption, Mention, Span, spans
from oldhand.agent.analyst.words.shortened import SYNONYM
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, stem, word_stems
from oldhand.record.schema import Kind

_WORTH = word_stems("money.prices")
_KINDS = words("names.kinds")
_NAMES, _OF_ALL = words("names.titles_asked"), words("function_words.of_all")


def is_noun(tokens: Sequence[Token], position: int) -> bool:
    """`name` is a verb in "Name the cities", else it is what people ask for."""
    if tokens[position].lower != "name":
        return False
    following = tokens[position + 1].lower if position + 1 < len(tokens) else ""
    starts = position == 0 or not tokens[position - 1].is_word
    return not (starts and following in ("the", "all", "every", "any", "each"))


def names_a_value(tokens: Sequence[Token], position: int) -> bool:
    """True for `named "database"`, `called Anna`: what follows is a value, and no column is named."""
    if position >= len(tokens):
        return False
    return tokens[position].quoted or tokens[position].text[0].isupper()


def shared_noun(tokens: Sequence[Token], position: int) -> str:
    """`first and last names`: the first word shares the noun of the second; `dates of birth and death`: the second that of the first."""
    before = tokens[max(position - 4, 0) : position]
    if len(before) == 4 and [before[1].lower, before[3].lower] == ["of", "and"]:
        return before[0].stem
    words = tokens[position : position + 4]
    if len(words) < 4 or words[1].lower not in ("and", "or") or not words[3].is_word:
        return ""
    return "" if words[3].lower in STOP_WORDS and words[3].stem != "name" else words[3].stem


def names_of_columns(
    columns: Sequence[Mention], tables: Sequence[Mention], tokens: Sequence[Token]
) -> Iterator[Mention]:
    """The mentions of columns; `the names of studios` is one of studios, where these are no things but a column."""
    things = spans(m for m in tables if m.best.score >= ASKED_FOR)
    said = [token.lower for token in tokens]
    starts, inside = dict[int, int](), set[Mention]()
    for name, column in pairwise(columns):
        between = said[name.span.end : column.span.start]
        only = all(word in _NAMES for word in said[name.span.start : name.span.end])
        plain = column.best.score >= WHOLE and not column.span.mask & things
        if only and plain and between[:1] == ["of"] and set(between[1:]) <= _OF_ALL:
            starts[column.span.start] = name.span.start
            inside.add(name)
    for mention in columns:
        if mention not in inside:
            start = starts.get(mention.span.start, mention.span.start)
            yield replace(mention, span=Span(start, mention.span.end))


_NEARLY = 0.7
"""How near the score of a column that bears a word must come to that of another one that only means the same."""


def as_nouns_tell(
    columns: tuple[Mention, ...],
    tables: tuple[Mention, ...],
    words: Vocabulary,
    tokens: Sequence[Token],
    computing: int,
) -> Iterator[Mention]:
    """The columns as the nouns around their words tell which are meant: names, kinds and what things are worth."""
    starts = {mention.span.start for mention in columns}
    named = tuple(
        mention
        for mention in names_of_columns(columns, tables, tokens)
        # The total of `total weight` computes with it, and is no amount.
        if mention.span.mask & ~computing
        or mention.best.score >= WHOLE
        or mention.span.end not in starts
    )
    titled = tuple(_with_titles(named, tables, words, tokens))
    kinds = tuple(_with_kinds(titled, tables, words, tokens))
    yield from _with_worth(kinds, tables, words, tokens)


def _with_titles(
    columns: tuple[Mention, ...],
    tables: tuple[Mention, ...],
    words: Vocabulary,
    tokens: Sequence[Token],
) -> Iterator[Mention]:
    """The columns, `name` as the `full_name` of the things it is said of, or that alone are spoken of, though others have a `name`."""
    named = {m.best.id for m in tables if m.best.score >= WHOLE}
    for mention in columns:
        said = {token.lower for token in tokens[mention.span.start : mention.span.end]}
        end = mention.span.end
        of = [token.lower for token in tokens[end : end + 1]] == ["of"]
        owners = [m.best.id for m in tables if of and end < m.span.start <= end + 2]
        things = {*owners[:1]} or named
        own = [words.columns[c] for table in things for c in words.tables[table].columns]
        titles = [entry.id for entry in own if entry.name_like]
        known = {option.id for option in mention.options if option.score >= WHOLE}
        if len(things) == 1 == len(titles) and said <= _NAMES and known.isdisjoint(e.id for e in own):  # fmt: skip
            others = (option for option in mention.options if option.id != titles[0])
            yield replace(mention, options=(LinkOption(titles[0], WHOLE, 1.0), *others))
        else:
            yield mention


def _with_worth(
    columns: tuple[Mention, ...],
    tables: tuple[Mention, ...],
    words: Vocabulary,
    tokens: Sequence[Token],
) -> Iterator[Mention]:
    """The columns, the `value` of `order value` as the only price of orders, where no column is called so."""
    things = {m.span.end: m.best.id for m in tables if m.best.score >= WHOLE}
    for mention in columns:
        said = [tokens[place].stem for place in mention.span.places]
        table = things.get(mention.span.start)
        if table is None or mention.best.score >= WHOLE or not _WORTH.issuperset(said):
            yield mention
            continue
        price = sole_price(words, table)
        yield mention if price is None else replace(mention, options=(price,))


def sole_price(words: Vocabulary, table: int) -> LinkOption | None:
    """The only column that says what the rows of a table are worth."""
    own = words.tables[table].words
    entries = map(words.columns.__getitem__, words.tables[table].columns)
    prices = [e.id for e in entries if e.measures and set(e.forms[0]) - own <= _WORTH]
    return LinkOption(prices[0], WHOLE, 1.0) if len(prices) == 1 else None


def _with_kinds(
    columns: tuple[Mention, ...],
    tables: tuple[Mention, ...],
    words: Vocabulary,
    tokens: Sequence[Token],
) -> Iterator[Mention]:
    """The columns, `kind of waste` as the one that holds the wastes: no kinds of other things are meant."""
    starts = {mention.span.start for mention in tables}
    texts = {
        mention.span.start: mention
        for mention in columns
        if mention.span.start not in starts
        and words.columns[mention.best.id].column.kind is Kind.TEXT
    }
    kinds = {
        mention.span: texts[mention.span.end + 1]
        for mention in columns
        if mention.span.end + 1 in texts
        and tokens[mention.span.end].lower == "of"
        and all(tokens[place].lower in _KINDS for place in mention.span.places)
    }
    longer = {held.span: Span(span.start, held.span.end) for span, held in kinds.items()}
    for mention in columns:
        if mention.span not in kinds:
            yield replace(mention, span=longer.get(mention.span, mention.span))


def amounts_first(mention: Mention, words: Vocabulary, tokens: Sequence[Token]) -> Mention:
    """The mention with the amount first that bears its word: `stock` is rather what `units_in_stock` names than the text of `quantity_per_unit`."""
    best = words.columns[mention.best.id]
    if len(mention.span.places) != 1 or mention.best.score >= WHOLE or best.measures:
        return mention
    said = tokens[mention.span.start].stem
    for option in mention.options[1:]:
        entry = words.columns[option.id]
        bears = said in map(stem, split_name(entry.column.name))
        near = option.score >= _NEARLY * mention.best.score
        if bears and near and entry.measures and entry.table == best.table:
            others = (o for o in mention.options if o != option)
            less = (replace(o, score=min(o.score, _NEARLY * option.score)) for o in others)
            return replace(mention, options=(replace(option, score=mention.best.score), *less))
    return mention


def but_likes(mention: Mention, words: Vocabulary) -> Mention:
    """The mention without texts that only mean about the same where what their rows refer to bears the word: the `county` of their parish is no `state` of commissions."""
    texts = {o.id for o in mention.options if words.columns[o.id].column.kind is Kind.TEXT}
    very = {words.columns[o.id].table for o in mention.options if o.score >= 1 and o.id in texts}

    def is_like(option: LinkOption) -> bool:
        held = words.joins.held(words.columns[option.id].table)
        return option.id in texts and option.score <= SYNONYM and not very.isdisjoint(held)

    return replace(mention, options=tuple(one for one in mention.options if not is_like(one)))
