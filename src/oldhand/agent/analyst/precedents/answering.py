"""How well a query answers to the words of a question, whoever brought it up."""

from functools import lru_cache

from sqlglot import exp

from oldhand.agent.analyst.precedents.adapting import holds
from oldhand.agent.analyst.precedents.comparing import Difference
from oldhand.agent.analyst.precedents.forms import forms_of
from oldhand.agent.analyst.precedents.gist import Gist
from oldhand.agent.analyst.precedents.wheres import columns_of
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.sources.databases.value_files import normal

FORMS = frozenset({"not", "average", "sum", "count", "each", "more", "less", "at least", "at most", "between", "or", "both", "like", "top", "bottom", "distinct", "falling"})  # fmt: skip
"""Forms that a question and its query usually share."""


def answering(query: exp.Query, new: Gist, words: Vocabulary) -> dict[str, float]:
    """What the question says and the query does not, and the other way round, as named numbers."""
    literals, columns, tables = _read_by(query, words)
    met = [slot for slot in new.slots if any(holds(node, slot) for node in literals)]
    spoken = {word for slot in new.slots for text in slot.texts for word in text.split()}
    alone = [
        node
        for node in literals
        if not any(holds(node, slot) for slot in met)
        and not spoken.issuperset(normal(node.name.strip("%")).split())
    ]
    named = new.columns()
    named_tables = frozenset[int]().union(*(word.tables for word in new.words))
    unmet = [w for w in new.words if not w.columns & columns and not w.tables & tables]
    forms = forms_of(query)
    lacking = {f"lacking.{form}": 1.0 for form in (new.forms & FORMS) - forms}
    beyond = {f"beyond.{form}": 1.0 for form in (forms & FORMS) - new.forms}
    return (
        lacking
        | beyond
        | {
            "slot_unmet": sum(slot.weight for slot in new.slots if slot not in met),
            "literal_alone": float(len(alone)),
            "column_unmet": float(len({w.columns for w in unmet if w.columns})),
            "column_unnamed": float(len(columns - named)),
            "table_unmet": float(len({w.tables for w in unmet if w.tables})),
            "table_unnamed": float(len(tables - named_tables)),
        }
    )


SURE = 0.5
"""How surely a word is a value from which on it may not be left out."""


def unanswered(query: exp.Query, left: Difference, words: Vocabulary) -> tuple[str, ...]:
    """What only the new question says, and an old one's query does not answer to: values, numbers, times and things.

    Args:
        query: of the old question, as it was adapted.
        left: what the changes do not account for.
        words: the schemas' words.
    """
    literals, columns, tables = _read_by(query, words)
    slots = [
        slot.written or slot.key
        for slot in left.new_slots
        if slot.weight >= SURE and not any(holds(node, slot) for node in literals)
    ]
    named = [
        word.stem
        for word, amount in left.new_words
        if amount >= SURE * word.weight
        and not word.cue
        and (word.tables or (word.columns and word.region == "F"))
        and not (word.tables & tables or word.columns & columns)
    ]
    return tuple(dict.fromkeys((*slots, *named)))


def counts_instead(query: exp.Query, left: Difference) -> bool:
    """True when the query counts and only the old question asked for a number, or the other way round."""
    counts = "count" in forms_of(query)
    return "count" in (left.old_forms if counts else left.new_forms)


@lru_cache(maxsize=1024)
def _read_by(
    query: exp.Query, words: Vocabulary
) -> tuple[tuple[exp.Literal, ...], frozenset[int], frozenset[int]]:
    """The literals, columns and tables of a query; those that only join or say `LIMIT 1` are left out."""
    literals = tuple(node for node in query.find_all(exp.Literal) if not _is_one_row(node))
    columns = columns_of(query, words)
    tables = {words.columns[number].table for number in columns}
    tables |= {number for number in _tables(query, words) if number is not None}
    return literals, frozenset(columns), frozenset(tables)


def _is_one_row(literal: exp.Literal) -> bool:
    """True for the 1 of `LIMIT 1`, which `the oldest` says without a number."""
    return literal.name == "1" and isinstance(literal.parent, exp.Limit)


def _tables(query: exp.Query, words: Vocabulary) -> set[int | None]:
    known = {(t.database, t.table.schema_name, t.table.name): t.id for t in words.tables}
    return {known.get((t.catalog, t.db, t.name)) for t in query.find_all(exp.Table)}
