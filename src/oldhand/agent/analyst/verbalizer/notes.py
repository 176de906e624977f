"""Tells how the words of a question were understood."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product

from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.links import Links, Mention, ValueMention, ValueOption
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.query.form import Comparison, Query, Worth
from oldhand.query.units import likely_unit
from oldhand.query.walk import all_queries, attributes, walk

NAMED = 0.6
"""How well words must fit a column that is named by them."""
_Note = tuple[int, str]
"""Where the words stand that a note is about, and the note."""


def notes_on(links: Links, words: Vocabulary, best: Query) -> tuple[str, ...]:
    """One sentence for each word that is not simply the name of what it was read as."""
    read = (one for query in all_queries(best) for one in attributes(query))
    columns = {words.entry(one).id for one in read}
    tables = {words.table(relation).id for relation in best.rows.relations}
    notes = (
        *_learned_notes(links, tables, columns),
        *_name_notes(links, words, tables, columns),
        *_value_notes(links, words, columns),
        *_worth_notes(links, words, best),
        *_date_notes(links),
        *_unit_notes(links, words, best),
    )
    return tuple(dict.fromkeys(note for _, note in sorted(notes)))


def _learned_notes(links: Links, tables: set[int], columns: set[int]) -> Iterator[_Note]:
    for one in links.spoken:
        if one.column in columns if one.column >= 0 else one.table in tables:
            yield one.span.start, f"{links.text(one.span)!r} means {one.alias.target} (learned)."


def _name_notes(
    links: Links, words: Vocabulary, tables: set[int], columns: set[int]
) -> Iterator[_Note]:
    """What tables and columns were taken from words that are none of their names."""
    for mention in links.tables:
        said = {token.stem for token in links.tokens[mention.span.start : mention.span.end]}
        table = next((words.tables[o.id] for o in mention.options if o.id in tables), None)
        if table is not None and not said & set(table.forms[0]):
            yield from _read_as(links, mention, f"the table {table.table.name}")
    for mention in links.columns:
        said = {stem(word) for word in split_name(links.text(mention.span))}
        column = next((words.columns[o.id] for o in mention.options if o.id in columns), None)
        if column is None or _names_table(links, mention):
            continue
        if not any(said.intersection(form) for form in column.forms):
            yield from _read_as(links, mention, _name(words, column.id))


def _read_as(links: Links, mention: Mention, meant: str) -> Iterator[_Note]:
    if not any(one.span == mention.span for one in links.spoken):
        yield mention.span.start, f"{links.text(mention.span)!r} was read as {meant}."


def _value_notes(links: Links, words: Vocabulary, columns: set[int]) -> Iterator[_Note]:
    learned = {one.span for one in links.spoken}
    for value in links.values:
        option = next((one for one in value.options if one.column in columns), None)
        if option is not None and value.span not in learned:
            known = value.text in option.values
            held = "a value" if known else f"the value {option.values[0]!r}"
            yield value.span.start, f"{value.text!r} is {held} of {_name(words, option.column)}."
            yield from _value_elsewhere(links, words, value, option)


def _value_elsewhere(
    links: Links, words: Vocabulary, value: ValueMention, option: ValueOption
) -> Iterator[_Note]:
    """Other columns of the same rows that hold it as well, where no word of the question names the column."""
    named = {o.id for m in links.columns for o in m.options if o.score >= NAMED}
    table = words.columns[option.column].table
    for other in value.options if option.column not in named else ():
        same = words.columns[other.column].table == table and other.score >= option.score
        if same and other.column != option.column:
            where = _name(words, other.column)
            yield (
                value.span.start,
                f"{value.text!r} is a value of {where}, too; name the column if that is meant.",
            )


def _date_notes(links: Links) -> Iterator[_Note]:
    for when in links.dates:
        if not (when.weekdays or (when.months and not when.year)):
            last = when.end - timedelta(days=1)
            yield when.span.start, f"{when.text!r} was read as {when.start} to {last}."


def _unit_notes(links: Links, words: Vocabulary, best: Query) -> Iterator[_Note]:
    """How an amount was taken into the unit of a column."""
    conditions = (one for one in walk(best) if isinstance(one, Comparison))
    compared = [(words.entry(one), c) for c in conditions for one in attributes(c.left)]
    amounts = [(number, number.unit) for number in links.numbers if number.unit is not None]
    for (number, said), (entry, condition) in product(amounts, compared):
        own = entry.unit or likely_unit(entry.column, said, (number.value,))
        if own is None or own.kind != said.kind or own == said:
            continue
        value = round(number.value * said.size / own.size, 6)
        if value in (condition.right if isinstance(condition.right, tuple) else ()):
            where = f", going by the values of {_name(words, entry.id)}: its description may say the unit"
            read = f"{number.text!r} was read as {value:,.10g} {own.word}"
            yield number.span.start, f"{read}{'' if entry.unit else where}."


def _worth_notes(links: Links, words: Vocabulary, best: Query) -> Iterator[_Note]:
    """How revenue was understood, where no column holds it."""
    shown = (*best.select, *(order.by for order in best.order))
    worth = next((one for term in shown for one in walk(term) if isinstance(one, Worth)), None)
    if worth is None:
        return
    first, *others = (words.entry(one) for factor in worth.factors for one in attributes(factor))
    names = [_name(words, first.id), *(one.column.name for one in others)]
    product = " \N{MULTIPLICATION SIGN} ".join(names)
    rates = (words.entry(one) for rate in worth.off for one in attributes(rate))
    less = "".join(f", less {rate.column.name}" for rate in rates)
    for span in worth_words(links.tokens):
        yield span.start, f"{links.text(span)!r} was read as the sum of {product}{less}."


def _names_table(links: Links, mention: Mention) -> bool:
    """True when the words of a column better name a table."""
    return any(
        table.span.overlaps(mention.span) and table.best.score > mention.best.score
        for table in links.tables
    )


def _name(words: Vocabulary, column: int) -> str:
    return f"{words.table_of(column).table.name}.{words.columns[column].column.name}"
