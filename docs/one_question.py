"""Prints the stages of one question on its way through the built-in analyst, for the page about it.

python -m docs.one_question links | choices | candidates | parts | origins | sql | rows
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from typing import cast

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.beam import drafts
from oldhand.agent.analyst.candidates.choices import weigh
from oldhand.agent.analyst.candidates.ranking import learned
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.describing.describing import describe_part
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.headings import headings
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Query, Relation
from oldhand.query.parts import parts
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex

QUESTION = "Which 3 customers from Rome placed the most orders in 2024?"
TODAY = date(2025, 6, 1)


def _column(name: str, kind: Kind, *, key: bool = False) -> Column:
    return Column(name=name, type=kind.value, kind=kind, primary_key=key, nullable=not key)


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            schema_name="main",
            columns=(
                _column("id", Kind.INTEGER, key=True),
                _column("name", Kind.TEXT),
                _column("city", Kind.TEXT),
            ),
        ),
        Table(
            name="orders",
            schema_name="main",
            columns=(
                _column("id", Kind.INTEGER, key=True),
                _column("customer_id", Kind.INTEGER),
                _column("placed_on", Kind.DATE),
                _column("total", Kind.NUMBER),
            ),
            foreign_keys=(
                ForeignKey(
                    columns=("customer_id",),
                    database="shop",
                    schema_name="main",
                    table="customers",
                    target_columns=("id",),
                ),
            ),
        ),
    ),
)
VALUES = ValueIndex.in_memory("shop", [("main", "customers", "city", ["Berlin", "Rome"])])
WORDS = vocabulary((SHOP,))
LINKS = link(QUESTION, WORDS, VALUES, TODAY)
UNDERSTOOD = understand(QUESTION, (SHOP,), VALUES, today=TODAY)


def links() -> Iterator[str]:
    """What the words of the question may name."""
    for mention in LINKS.tables:
        yield f"table   {LINKS.text(mention.span):10} {WORDS.tables[mention.best.id].table.name}"
    for mention in LINKS.columns:
        column = WORDS.columns[mention.best.id].column.name
        yield f"column  {LINKS.text(mention.span):10} {column} {mention.best.score:.2f}"
    for value in LINKS.values:
        column = WORDS.columns[value.options[0].column].column.name
        yield f"value   {LINKS.text(value.span):10} {column}"
    for number in LINKS.numbers:
        yield f"number  {number.text:10} {number.value}"
    for when in LINKS.dates:
        yield f"time    {when.text:10} {when.start} up to {when.end}"
    for cue in LINKS.cues:
        yield f"cue     {LINKS.text(cue.span):10} {cue.kind}"


def choices() -> Iterator[str]:
    """What each stretch of words may mean, of which a draft takes one each."""
    weights = learned().weights
    for slot, _ in drafts(Asked(LINKS, WORDS), weights)[0].taken:
        said = [LINKS.tokens[n].text for n in range(len(LINKS.tokens)) if slot.trigger >> n & 1]
        for choice in slot.choices:
            nodes = choice.terms or ((choice.condition,) if choice.condition else ())
            meant = ", ".join(describe_part(node, (SHOP,)) for node in nodes)
            score = weigh(choice.features, weights)
            yield f"{' '.join(said):10} {score:6.2f}  {choice.kind:7} {meant}".rstrip()


def candidates() -> Iterator[str]:
    """The queries in their order."""
    for candidate in UNDERSTOOD.candidates[:3]:
        yield f"{candidate.score:6.2f}  {candidate.reading}"


def form() -> Query:
    """The first of them."""
    query = UNDERSTOOD.candidates[0].query
    assert isinstance(query, Query)
    return query


def the_parts() -> Iterator[str]:
    """The parts of the first candidate."""
    for part in parts(form()):
        yield f"{part.kind:9} {_short(part.node)}"


def _short(node: object) -> str:
    """A node of the form as it would be written, without what goes by itself."""
    if isinstance(node, Relation):
        return node.table
    if isinstance(node, tuple):
        return f"({', '.join(map(_short, cast('tuple[object, ...]', node)))})"
    if not is_dataclass(node):
        return repr(node)
    said = [
        f"{field.name}={_short(getattr(node, field.name))}"
        for field in fields(node)
        if getattr(node, field.name) != field.default
    ]
    return f"{type(node).__name__}({', '.join(said)})"


def origins() -> Iterator[str]:
    """Which words each part came from, and what else they could have meant."""
    known = UNDERSTOOD.candidates[0].origins
    for part in parts(form()):
        if origin := known.origin(part):
            said = " ".join(LINKS.tokens[place].text for place in origin.words)
            others = ", ".join(describe_part(option.node, (SHOP,)) for option in origin.options)
            yield f"{part.kind:9} {said:18} {f'or {others}' if others else ''}".rstrip()


def sql() -> Iterator[str]:
    """The SQL that runs."""
    yield compile_query(ready(form(), SHOP), (SHOP,), "sqlite", headings(form(), (SHOP,)))


def rows() -> Iterator[str]:
    """The sentence for some rows."""
    found = FoundRows(("name",), (("Ada",), ("Bo",), ("Cleo",)), 3)
    yield phrase(QUESTION, form(), found, (SHOP,))


STAGES: dict[str, Callable[[], Iterator[str]]] = {
    "links": links,
    "choices": choices,
    "candidates": candidates,
    "parts": the_parts,
    "origins": origins,
    "sql": sql,
    "rows": rows,
}

if __name__ == "__main__":
    print("\n".join(STAGES[sys.argv[1]]()))
