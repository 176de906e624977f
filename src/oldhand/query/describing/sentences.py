"""Puts the rows of an answer into a sentence, and says no more than the rows do."""

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wording import counted, listed, plural, singular, value_text
from oldhand.query.describing.about import (
    About,
    about,
    about_named,
    named_in,
    named_thing,
    once_each,
    shows_things,
    with_titles,
    with_whole_names,
)
from oldhand.query.describing.found import SHOWN, FoundRows, capital, cell_text, small
from oldhand.query.describing.groups import Groups
from oldhand.query.describing.headings import group_noun, is_worth, plain_column, span_words
from oldhand.query.describing.nouns import NAMES, Schemas, happened, noun, said_name, unprefixed
from oldhand.query.describing.orders import superlative
from oldhand.query.form import Aggregate, Count, DatePart, Expression, Query, Ratio, Share
from oldhand.query.known import known_column
from oldhand.query.opaque import Opaque
from oldhand.record.base import Cell
from oldhand.record.schema import Column, Kind

_ASKING = words("verbs.auxiliary")


def phrase(
    question: str, query: Query | Opaque | None, found: FoundRows, schemas: Schemas = ()
) -> str:
    """A sentence or two for the rows that a query brought.

    >>> from oldhand.query.form import ColumnRef, Comparison, Relation, Rows
    >>> customers = Relation("crm", "main", "customers")
    >>> where = (Comparison(ColumnRef(customers, "city"), "=", ("Berlin",)),)
    >>> query = Query(Rows((customers,)), (Count(),), where)
    >>> phrase("How many customers live in Berlin?", query, FoundRows(("n",), ((42,),), 1))
    'There are 42 customers in Berlin.'
    """
    if not isinstance(query, Query) or query.compound is not None or query.each:
        return _plain(found)
    return unprefixed(_phrase(question, query, found, schemas), query, schemas)


def _phrase(question: str, query: Query, found: FoundRows, schemas: Schemas) -> str:
    whole, rows = with_titles(*with_whole_names(once_each(query), found))
    told = about(whole, question, schemas)
    answer = _Answer(whole, rows, told, schemas)
    said = answer.said()
    asks = asks_yes_no(question)
    if whole.group:
        groups = answer.groups
        return groups.compared(question, said) if asks else groups.changed(question, said)
    if not asks or not (shows_things(query) or _shows_unasked(question, query)):
        return said
    flags = _flags(query, found, schemas)
    if len(flags) > 1:
        return said
    existing = "" if flags else _existing(query, found, told)
    return with_yes_or_no(existing or said, found=flags[0] if flags else bool(found.rows))


def _shows_unasked(question: str, query: Query) -> bool:
    """True where no word of the question names what is shown: the number of the loan in `Did Rome ever borrow the Torso?`."""
    shown = [plain_column(one) for one in query.select]
    said = {token.stem for token in tokenise(question)}
    return all(
        one is not None and stem(said_name(one.name).rpartition(" ")[2]) not in said
        for one in shown
    )


def _flags(query: Query, found: FoundRows, schemas: Schemas) -> list[bool]:
    """Whether the flags that are shown are set, in each row."""
    shown = [plain_column(one) for one in query.select]
    known = [known_column(one, schemas) if one is not None else None for one in shown]
    places = [place for place, one in enumerate(known) if one is not None and _is_flag(one)]
    return [bool(row[place]) for row in found.rows for place in places if row[place] in (0, 1)]


def _is_flag(column: Column) -> bool:
    digits = column.profile is not None and (column.profile.low, column.profile.high) == (0, 1)
    return column.kind is Kind.BOOLEAN or digits


def asks_yes_no(question: str) -> bool:
    """True for questions that begin with a verb.

    >>> asks_yes_no("Do we have stores in Rome?"), asks_yes_no("Which stores do we have?")
    (True, False)
    """
    return question.strip().partition(" ")[0].casefold() in _ASKING


def with_yes_or_no(sentence: str, *, found: bool) -> str:
    """A sentence about what was found, after the word that answers the question.

    >>> with_yes_or_no("None found: there are no stores in Rome.", found=False)
    'No: there are no stores in Rome.'
    """
    said = sentence.removeprefix("None found: ")
    keep = not said.startswith(("There ", "None ", "No ", "The "))
    return f"{'Yes' if found else 'No'}: {said if keep else small(said)}"


class _Answer:
    """What the rows say, without yes or no."""

    def __init__(self, query: Query, found: FoundRows, told: About, schemas: Schemas) -> None:
        self._query, self._found, self._told = query, found, told
        self.groups = Groups(query, found, told, schemas)

    def said(self) -> str:
        """A sentence for any rows."""
        query, found = self._query, self._found
        if not found.rows:
            return self._nothing()
        if len(found.columns) == 1:
            return self._one_value(found.rows[0][0]) if found.row_count == 1 else self._list()
        if query.group and self.groups.fit:
            return self.groups.sentence()
        own = not query.group and not self._told.repeats
        return _plain(found, self._told.noun if own else "rows")

    def _nothing(self) -> str:
        told = self._told
        if told.conditions:
            return f"None found: there are no {told.things}."
        filtered = self._query.where or self._query.having
        return f"None found: no {told.noun} match." if filtered else f"There are no {told.noun}."

    def _one_value(self, cell: Cell) -> str:
        query, told, output = self._query, self._told, self._query.select[0]
        match output:
            case Count() if isinstance(cell, int):
                return self._extreme_count(cell) if query.group and query.order else self._count(output, cell)  # fmt: skip
            case Share(when=when):
                return _share(told, told.speaker.conditions(when), cell)
            case Ratio(top=top, bottom=Count(of=key, distinct=True)) if key is not None:
                return self._mean(top, group_noun(key), cell)
            case _ if is_worth(output):
                return self._worth(cell)
            case Aggregate(of=of) if not query.group and (plain_column(of) or span_words(output)):
                return self._aggregate(output, cell)
            case _:
                return self._column_value(output, cell)

    def _count(self, output: Count, number: int) -> str:
        told, there = self._told, "is" if number == 1 else "are"
        column = plain_column(output.of) if output.of is not None and output.distinct else None
        name = said_name(column.name) if column is not None else "id"
        if column is not None and name == "id" and noun(column.of) != told.noun:
            name = f"{singular(noun(column.of))} id"
        if name != "id" and told.conditions is not None:
            keyed = name.endswith(" id")
            what = plural(name.removesuffix(" id")) if keyed else f"different {told.speaker.values(name)}"  # fmt: skip
            if what != told.noun:
                said = f"{number:,} {what}" if " of " in what else counted(number, what)
                others = column is not None and noun(column.of) != told.noun
                among = f" among the {told.things}" if others else told.among
                return f"There {there} {said}{among}."
        if told.conditions is None:
            return f"{counted(number, told.noun)}." if number else f"No {told.noun}."
        some = counted(number, told.noun) if number else f"no {told.noun}"
        return f"There {there} {some}{told.after}."

    def _extreme_count(self, number: int) -> str:
        """The most, or the fewest, that one has."""
        one = group_noun(self._query.group[0])
        named = self._told.things.removesuffix(f" with a {one}").removesuffix(f" with an {one}")
        most = "highest" if self._query.order[0].descending else "lowest"
        return f"The {most} number of {named} for one {one} is {number:,}."

    def _mean(self, top: Expression, one: str, cell: Cell) -> str:
        """How many things there are for each, or what they are worth."""
        things, values = self._told.things, self._told.values
        if cell is None:
            return f"There are no {things}, so that no average can be told."
        if isinstance(top, Count):
            return f"On average there are {value_text(cell)} {things} for each {one} that has any."
        what = self._told.speaker.said(top).head
        if is_worth(top):
            what = "value" if values else "revenue"
        own = plural(one)
        rows = f"{one}{things.removeprefix(own)}" if things.startswith(own) else f"{one} with {things}"  # fmt: skip
        return f"The average {what} for each {rows} is {value_text(cell)}."

    def _worth(self, cell: Cell) -> str:
        """What lines are worth altogether."""
        told = self._told
        said, link = ("total value", "of") if told.values else ("revenue", "from")
        which = told.conditions or ""
        of = which.removeprefix("of ") if which.startswith("of ") else which and told.things
        of = f" {link} {of}" if of else ""
        if cell is None:
            return f"There is no {said}{of}: nothing was sold."
        return f"The {said}{of} is {value_text(cell)}."

    def _aggregate(self, output: Aggregate, cell: Cell) -> str:
        """One number, or day, that was computed from all rows."""
        told, column = self._told, plain_column(output.of)
        name = column.name if column is not None else ""
        said = span_words(output) or told.speaker.said(output).head
        of = f" of {told.things}" if told.conditions is not None else ""
        if cell is None:
            return f"There is no {said}{of}: no row has a value."
        last = {"max": "last", "min": "first"}.get(output.function, "")
        happening = self._happened(name, last, value_text(cell, name)) if of and last else ""
        return happening or f"The {said}{of} is {value_text(cell, name)}."

    def _happened(self, column: str, when: str, value: str) -> str:
        """When something happened last, or first; empty when the column doesn't tell of a happening."""
        event = happened(column) if column else None
        if event is None:
            return ""
        return f"{capital(self._told.things)} were {when} {event[0]} {event[1]} {value}."

    def _column_value(self, output: Expression, cell: Cell) -> str:
        """The one value of a column."""
        told, column = self._told, plain_column(output)
        heading = self._found.columns[0]
        name = column.name if column is not None else "" if heading == "result" else heading
        said = output.part if isinstance(output, DatePart) else said_name(name) or "answer"
        thing = named_thing(self._query) if said not in NAMES else ""
        if cell is None:
            return f"The {said}{f' of {thing}' if thing else ''} is not recorded."
        value = value_text(cell, name)
        if best := self._superlative():
            return self._best(best, name, said, value)
        if thing and name:
            return about_named(thing, name, value)
        if said in NAMES and told.role and told.after.startswith(" of "):
            return f"The {singular(told.noun)}{told.after} is {value}."
        if said in NAMES and not told.repeats:
            return f"1 {singular(told.noun)}{told.after}: {value}."
        return f"The {said} is {value}."

    def _superlative(self) -> str:
        """What the rows are the first of: `with the highest price`; empty when they are not."""
        query = self._query
        if len(query.order) != 1 or query.limit is None:
            return ""
        by = query.order[0].by
        plain = isinstance(by, Count) or is_worth(by) or plain_column(by.of if isinstance(by, Aggregate) else by)  # fmt: skip
        return superlative(self._told.speaker, query.order[0], query.offset) if plain else ""

    def _best(self, best: str, name: str, said: str, value: str) -> str:
        """The first row in an order; nothing is claimed when the conditions say too little."""
        told, grouped = self._told, bool(self._query.group)
        thing = singular(told.noun)
        is_thing = said in NAMES or said in {"id", f"{thing} id"}
        what = thing if is_thing else said
        if told.conditions is None:
            return f"The {what} is {value}."
        if best.endswith(f" {said}"):
            return f"The {best.removeprefix('with the ')} of {told.things} is {value}."
        event, _, when = best.rpartition(" ")
        if (happened(name) or ("",))[0] == event and (said := self._happened(name, when, value)):
            return said
        of = "" if is_thing or grouped else f" of the {thing}"
        return f"The {what}{of} {best}{told.among} is {value}."

    def _list(self) -> str:
        query, found, told = self._query, self._found, self._told
        column = plain_column(query.select[0])
        name = column.name if column is not None else found.columns[0]
        values = [cell_text(row[0], name) for row in found.rows]
        own = said_name(name) in NAMES
        things = told.noun if own else told.speaker.values(said_name(name))
        best = self._superlative()
        claims = best and (own or query.group) and told.conditions is not None
        if claims and not told.repeats:
            size = "The first" if found.truncated else f"The {found.row_count:,}"
            short = len(values) == found.row_count <= SHOWN
            shown = listed(values) if short else f"{', '.join(values[:3])}, …"
            return f"{size} {things} {best}{told.among}: {shown}."
        if told.repeats:
            return f"{found.size} rows; the first are {listed(values[:3])}."
        if own and not best and not query.group:
            things += told.after
        if found.row_count <= SHOWN and not found.truncated:
            return f"{found.row_count:,} {things}: {listed(values)}."
        return f"{found.size} {things}; the first are {listed(values[:3])}."


def _share(told: About, part: str, cell: Cell) -> str:
    """A percentage: `Customers in Rome make up 12.5 % of all customers`."""
    if cell is None:
        return f"There are no {told.things}, so that no share can be told."
    return f"{capital(told.noun)} {part} make up {value_text(cell)} % of all {told.things}."


def _existing(query: Query, found: FoundRows, told: About) -> str:
    """That there are such rows, where to show them would tell nobody anything; else empty."""
    keyed = len(found.columns) == 1 and said_name(found.columns[0]).endswith("id")
    if not found.rows or not (keyed or (found.row_count == 1 and named_in(query, found))):
        return ""
    there = "is" if found.row_count == 1 else "are"
    return f"There {there} {counted(found.row_count, told.noun)}{told.after}."


def _plain(found: FoundRows, noun: str = "rows") -> str:
    """What the rows are when nothing better can be said."""
    if not found.rows:
        return "None found."
    names = [said_name(name) if name else f"column {i}" for i, name in enumerate(found.columns, 1)]
    row = [(name, cell_text(cell, name)) for name, cell in zip(names, found.rows[0], strict=True)]
    if found.row_count == 1 and len(row) == 1:
        name = found.columns[0]
        return f"The {names[0]} is {cell_text(found.rows[0][0], name)}."
    first = ", ".join(f"{name} {text}" for name, text in row)
    if names[0] in NAMES and len(row) > 1:
        first = f"{row[0][1]} ({', '.join(f'{name} {text}' for name, text in row[1:])})"
    return f"{capital(first)}." if found.row_count == 1 else f"{found.size} {noun}; the first is {first}."  # fmt: skip
