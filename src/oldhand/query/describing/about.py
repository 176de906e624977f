"""What the rows of an answer are, as its sentence speaks of them."""

from dataclasses import dataclass, replace
from itertools import pairwise

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise
from oldhand.lexicon.wording import singular
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.describing.describing import Speaker
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.nouns import (
    LABELS,
    Schemas,
    acts,
    finest,
    happened,
    is_title,
    noun,
    said_name,
)
from oldhand.query.describing.values import DAY
from oldhand.query.form import (
    Arithmetic,
    ColumnRef,
    Comparison,
    Count,
    Expression,
    Node,
    Proportion,
    Query,
    Ratio,
    Relation,
    Share,
)
from oldhand.query.walk import changed, columns, is_measure, walk

_WORTH, _REVENUE = words("money.worth"), words("money.revenue")
_NAMING = ("first name", "name", "full name", "title", "last name")
"""Columns that name a thing, in the order in which names are said."""
_PARTS = ("first name", "last name")


@dataclass(frozen=True)
class About:
    """What the rows of an answer are, and what they meet."""

    noun: str
    """In the plural."""
    conditions: str | None
    """Words to follow the noun; None when they say too little."""
    counted: str
    """What a count of rows counts, in the plural."""
    speaker: Speaker
    repeats: bool
    """True when a join may show the same thing several times."""
    role: bool
    """True when they are spoken of by what they are to others of their table."""
    values: bool
    """True when the question asks for a value, not for revenue."""

    @property
    def things(self) -> str:
        """The noun with what is known of it."""
        return f"{self.noun}{self.after}"

    @property
    def after(self) -> str:
        """What is known of them, to follow the noun; empty when nothing is."""
        return f" {self.conditions}" if self.conditions else ""

    @property
    def among(self) -> str:
        """What the first were taken from, when it was not all."""
        return f" among the {self.things}" if self.conditions else ""


def about(query: Query, question: str, schemas: Schemas) -> About:
    """What the rows of a query are."""
    rows = finest(query.rows)
    plain = all(
        isinstance(o, Count | Ratio | Share | Proportion | Arithmetic) for o in query.select
    )
    main = rows if plain and rows is not None else subject(query, question)
    speaker = Speaker(query.rows, main, schemas, exact=False)
    told = not query.having and not any(join.outer for join in query.rows.joins)
    said = speaker.unechoed(speaker.conditions(query.where), main) if told else None
    once = query.distinct or query.group or not query.rows.joins
    asked = {token.lower for token in tokenise(question)}
    counted = noun(rows) if rows is not None else "rows"
    values = bool(asked & _WORTH) and not asked & _REVENUE
    repeats = not once and rows != main
    return About(noun(main), said, counted, speaker, repeats, bool(main.role), values)


def subject(query: Query, question: str) -> Relation:
    """The relation that is spoken of: the one whose columns are shown, else the first that the question names."""
    shown = [column.of for output in query.select for column in columns(output)]
    asked = question.lower()

    def place(relation: Relation) -> int:
        found = [asked.find(form) for form in (noun(relation), singular(noun(relation)))]
        return min((at for at in found if at >= 0), default=len(asked))

    return shown[0] if shown else min(query.rows.relations, key=place)


def once_each(query: Query) -> Query:
    """A query whose groups nothing is measured of only shows each thing once: it is one of rows."""
    said = (*query.select, *(order.by for order in query.order))
    if query.having or any(map(is_measure, said)):
        return query
    return replace(query, group=(), distinct=query.distinct or bool(query.group))


def shows_things(query: Query) -> bool:
    """True when only names and numbers of things are shown: that there are some says yes, that there are none no."""
    names = [said_name(one.name) for one in query.select if isinstance(one, ColumnRef)]
    telling = [name.rpartition(" ")[2] in LABELS for name in names]
    return len(names) == len(query.select) and all(telling)


def named_in(query: Query, found: FoundRows) -> bool:
    """True when all that the first row holds is already said in the conditions."""
    inside = [part for it in query.where for part in walk(it) if isinstance(part, Comparison)]
    said = {str(value) for part in inside for value in part.values}
    return all(str(cell) in said for cell in found.rows[0])


def named_thing(query: Query) -> str:
    """The name by which all conditions of a query tell one thing; empty when they say anything else."""
    found: dict[str, str] = {}
    owners: set[Relation] = set()
    for it in query.where:
        column = it.left if isinstance(it, Comparison) and it.operator == "=" else None
        value = it.values[0] if isinstance(it, Comparison) and it.values else None
        named = isinstance(column, ColumnRef) and said_name(column.name) in _NAMING
        if not isinstance(column, ColumnRef) or not named or not isinstance(value, str):
            return ""
        found[said_name(column.name)] = value
        owners.add(column.of)
    name = " ".join(found[name] for name in _NAMING if name in found)
    shown = {column.of for output in query.select for column in columns(output)}
    other = next((one for one in query.rows.relations if one in shown - owners), None)
    return f"the {singular(noun(other))} of {name}" if other is not None and name else name


def about_named(thing: str, column: str, value: str) -> str:
    """What is known of a thing.

    >>> about_named("Ann Lee", "hired_on", "2024-05-01"), about_named("Ann Lee", "left_on", "2024-05-01")
    ('Ann Lee was hired on 2024-05-01.', 'Ann Lee left on 2024-05-01.')
    >>> about_named("Ann Lee", "city", "Rome")
    'The city of Ann Lee is Rome.'
    """
    event = happened(column)
    if event is None or not DAY.match(value):
        return f"The {said_name(column)} of {thing} is {value}."
    verb, link = event
    return f"{thing[:1].upper()}{thing[1:]} {verb if acts(verb) else f'was {verb}'} {link} {value}."


def with_whole_names(query: Query, found: FoundRows) -> tuple[Query, FoundRows]:
    """First and last name of somebody, shown beside each other, as one column `name`."""
    for place, (first, last) in enumerate(pairwise(query.select)):
        if not _whole_name(first, last):
            continue
        start, end = place, place + 2
        rows = tuple(
            (*row[:start], " ".join(str(c) for c in row[start:end] if c is not None), *row[end:])
            for row in found.rows
        )
        shown = (*found.columns[:start], "name", *found.columns[end:])
        name = ColumnRef(columns(first)[0].of, "name")
        select = (*query.select[:start], name, *query.select[end:])
        whole = replace(query, select=select, names=())
        return whole, FoundRows(shown, rows, found.row_count, found.truncated)
    return query, found


def with_titles(query: Query, found: FoundRows) -> tuple[Query, FoundRows]:
    """The `product_name` of products as their `name`, so that they are called products; not where several such are shown."""
    shown = {one for one in query.select if isinstance(one, ColumnRef) and is_title(one)}
    if len(shown) > 1:
        return query, found
    named = zip(query.select, found.columns, strict=False)
    headings = tuple("name" if one in shown else heading for one, heading in named)
    whole = (*headings, *found.columns[len(headings) :])
    return changed(query, _as_name), replace(found, columns=whole)


def _as_name(node: Node) -> Node:
    return replace(node, name="name") if isinstance(node, ColumnRef) and is_title(node) else node


def _whole_name(*two: Expression) -> bool:
    """True for the columns of first and last name of the same thing."""
    full = word_lists().abbreviations
    shown = [one for one in two if isinstance(one, ColumnRef)]
    spoken = [
        {part for word in said_name(one.name).split() for part in full.get(word, (word,))}
        for one in shown
    ]
    parts = all(set(part.split()) <= own for part, own in zip(_PARTS, spoken, strict=False))
    return parts and len(shown) == len(_PARTS) and shown[0].of == shown[1].of
