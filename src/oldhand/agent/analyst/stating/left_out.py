"""Rows that are left out, or alone count, and sentences that take such a rule back: `Revenue includes cancelled orders`, `cancelled orders count again`."""

from oldhand.agent.analyst.restriction import RestrictionReader
from oldhand.agent.analyst.stating.named import only_one, tables_in, tables_meant, tables_named
from oldhand.agent.analyst.stating.pointers import pointed
from oldhand.agent.analyst.stating.sentences import Leaving, let_in
from oldhand.agent.analyst.stating.things import Things, the_others, things_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wording import human, plural
from oldhand.record.filter_condition import columns_of, condition_said, read_filter
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import RowFilter
from oldhand.sources.databases.values import Values


def left_out(
    said: Leaving, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, RowFilter]:
    """The database and the rule by which rows are left out, or alone count.

    Raises:
        UnclearRule: which rows is not understood.
    """
    around = tables_in(f"{said.things} {said.about}", schemas)
    things = things_meant(said.things, schemas, values, around)
    if things is None and said.whole:  # treatments from 2018 on
        said = Leaving(said.whole, keep=said.keep)
        things = things_meant(said.things, schemas, values, around)
    if things is None and not said.about and " in " in said.things:
        rows, _, about = said.things.rpartition(" in ")  # cancelled orders in revenue
        said = Leaving(rows, about, said.keep)
        things = things_meant(rows, schemas, values, around)
    if things is None:
        raise UnclearRule(f"I don't understand which rows {said.things!r} are.")
    schema = next(one for one in schemas if one.name == things.database)
    about = _about(said.about, things, schemas, values)
    try:
        condition = things.condition if said.keep else the_others(things, schema)
        rule = RowFilter(table=things.table, condition=condition, when=about)
    except ValueError:
        message = f"Rows are left out by what their own columns hold, and {said.things!r} is told by other rows: name them, as in: unwanted {plural(human(things.table))} are {said.things}."
        raise UnclearRule(message) from None
    return things.database, rule


def _about(said: str, things: Things, schemas: tuple[DatabaseSchema, ...], values: Values) -> str:
    """The words of the questions that a rule is about; none where that are all questions about its rows.

    Raises:
        UnclearRule: no question would be understood that has such a word.
    """
    if said and {*name_words(said)} <= {*name_words(things.table)}:
        return ""
    if (things.database, things.table) in {(name, one.name) for name, one in tables_meant(said, schemas)}:  # fmt: skip
        return ""
    strange = RestrictionReader(schemas, values).unknown(f"What is the {said}?") if said else ()
    if strange and word_stems("money.asked_for").isdisjoint(stem(one.lower()) for one in strange):
        raise UnclearRule(
            f"Nothing here is called {strange[0]!r}, so no question about it would be understood: say what it means first, or leave it out to mean all questions."
        )
    return said.casefold()


def written_out(sentence: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[str, RowFilter] | None:
    """A rule about rows in the words by which rules are told: their condition is written out."""
    rows, condition, keep = condition_said(sentence) or ("", "", False)
    known = [
        (schema, table)
        for database, table in (tables_named(rows, schemas) if rows else ())
        for schema in schemas
        if schema.name == database and all(map(table.column, columns_of(read_filter(condition))))
    ]
    if not known:
        return None
    only_one(rows, [f"{schema.name}.{table.name}" for schema, table in known])
    schema, table = known[0]
    left = (
        condition if keep else the_others(Things(schema.name, table.name, condition, 1.0), schema)
    )
    return schema.name, RowFilter(table=table.name, condition=left)


def let_in_again(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, RowFilter] | None:
    """The database and the rule that would leave out the rows which a sentence says count; None where it says nothing of the kind."""
    told = pointed(sentence, schemas, values)
    said = let_in(told.text)
    try:
        return None if said is None else left_out(said, told.schemas, values)
    except UnclearRule:
        return None
