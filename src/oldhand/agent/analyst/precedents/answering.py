"""How well a query answers to the words of a question, whoever brought it up."""

from oldhand.agent.analyst.precedents.comparing import QuestionDifference
from oldhand.agent.analyst.precedents.forms import forms_of
from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.agent.analyst.precedents.held import (
    Held,
    column_numbers,
    holds,
    spoken,
    table_numbers,
    values_of,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import Count, Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk

FORMS = frozenset({"not", "average", "sum", "count", "each", "more", "less", "at least", "at most", "between", "or", "both", "like", "top", "bottom", "distinct", "falling"})  # fmt: skip
"""Forms that a question and its query usually share."""


def answering(query: Query | Opaque, new: QuestionGist, words: Vocabulary) -> dict[str, float]:
    """What the question says and the query does not, and the other way round, as named numbers."""
    held, columns, tables = _said(query), column_numbers(query, words), table_numbers(query, words)
    met = [slot for slot in new.slots if any(holds(one.value, slot) for one in held)]
    named_words = {word for slot in new.slots for text in slot.texts for word in text.split()}
    alone = [
        one
        for one in held
        if not any(holds(one.value, slot) for slot in met)
        and not named_words.issuperset(spoken(one.value).split())
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


def unanswered(
    query: Query | Opaque, left: QuestionDifference, words: Vocabulary
) -> tuple[str, ...]:
    """What only the new question says, and an old one's query does not answer to: values, numbers, times and things.

    Args:
        query: of the old question, as it was adapted.
        left: what the changes do not account for.
        words: the schemas' words.
    """
    held, columns, tables = _said(query), column_numbers(query, words), table_numbers(query, words)
    slots = [
        slot.written or slot.key
        for slot in left.new_slots
        if slot.weight >= SURE and not any(holds(one.value, slot) for one in held)
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


def counts_instead(query: Query | Opaque, left: QuestionDifference) -> bool:
    """True when the query counts and only the old question asked for a number, or the other way round."""
    shown = query.select if isinstance(query, Query) else ()
    counts = any(isinstance(node, Count) for one in shown for node in walk(one))
    return "count" in (left.old_forms if counts else left.new_forms)


def _said(query: Query | Opaque) -> tuple[Held, ...]:
    """The values of a query without the 1 of `the first`, which `the oldest` says without a number."""
    return tuple(one for one in values_of(query) if not (one.is_limit and one.value == 1))
