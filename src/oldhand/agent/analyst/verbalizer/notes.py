"""Tells how the words of a question were understood."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.links import Links, Mention, Spoken
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import split_name, stem
from oldhand.query.form import Query, Worth
from oldhand.query.walk import attributes, queries, walk


def notes_on(links: Links, words: Vocabulary, best: Query) -> tuple[str, ...]:
    """One sentence for each word that is not simply the name of what it was read as."""
    read = (one for query in (best, *queries(best)) for one in attributes(query))
    columns = {words.entry(one).id for one in read}
    tables = {words.table(relation).id for relation in best.rows.relations}
    learned = {one.span for one in links.spoken}
    notes = [(one.span.start, _learned_note(links, one, tables, columns)) for one in links.spoken]
    notes += [
        (m.span.start, _table_note(links, words, m, tables))
        for m in links.tables
        if m.span not in learned
    ]
    notes += [
        (m.span.start, _column_note(links, words, m, columns))
        for m in links.columns
        if m.span not in learned
    ]
    for value in links.values:
        if value.span in learned:
            continue
        for option in value.options:
            if option.column in columns:
                name = _name(words, option.column)
                notes.append(
                    (
                        value.span.start,
                        f"{value.text!r} is {_as(value.text, option.values)} of {name}.",
                    )
                )
                break
    notes += list(_worth_notes(links, words, best))
    for when in links.dates:
        if when.weekdays or (when.month and not when.year):
            continue
        last = when.end.toordinal() - 1
        until = when.end.fromordinal(last)
        notes.append((when.span.start, f"{when.text!r} was read as {when.start} to {until}."))
    return tuple(dict.fromkeys(note for _, note in sorted(notes) if note))


def _worth_notes(links: Links, words: Vocabulary, best: Query) -> Iterator[tuple[int, str]]:
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


def _as(text: str, values: tuple[str | int | float, ...]) -> str:
    return "a value" if text in values else f"the value {values[0]!r}"


def _learned_note(links: Links, one: Spoken, tables: set[int], columns: set[int]) -> str:
    if one.column not in columns if one.column >= 0 else one.table not in tables:
        return ""
    return f"{links.text(one.span)!r} means {one.alias.target} (learned)."


def _table_note(links: Links, words: Vocabulary, mention: Mention, tables: set[int]) -> str:
    chosen = next((option.id for option in mention.options if option.id in tables), None)
    if chosen is None:
        return ""
    entry = words.tables[chosen]
    said = {token.stem for token in links.tokens[mention.span.start : mention.span.end]}
    if said & set(entry.forms[0]):
        return ""
    return f"{links.text(mention.span)!r} was read as the table {entry.table.name}."


def _column_note(links: Links, words: Vocabulary, mention: Mention, columns: set[int]) -> str:
    chosen = next((option.id for option in mention.options if option.id in columns), None)
    if chosen is None or _names_table(links, mention):
        return ""
    said = {stem(word) for word in split_name(links.text(mention.span))}
    if said & {word for form in words.columns[chosen].forms for word in form}:
        return ""
    return f"{links.text(mention.span)!r} was read as {_name(words, chosen)}."


def _names_table(links: Links, mention: Mention) -> bool:
    """True when the words of a column better name a table."""
    return any(
        table.span.overlaps(mention.span) and table.best.score > mention.best.score
        for table in links.tables
    )


def _name(words: Vocabulary, column: int) -> str:
    return f"{words.table_of(column).table.name}.{words.columns[column].column.name}"
