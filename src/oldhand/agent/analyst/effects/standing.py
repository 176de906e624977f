"""What was confirmed for a question, held against what people have stated since: the answer stays, and says so."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.effects.filtering import filtered, ruled_beyond
from oldhand.agent.analyst.effects.joining import rejoined
from oldhand.agent.analyst.effects.ruling import rules_of, stated_for, stated_joins, whose
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.semantics.dating import dated
from oldhand.agent.analyst.semantics.expanding import folded
from oldhand.agent.analyst.semantics.meanings import in_words, meaning_of
from oldhand.agent.analyst.understanding import Understanding
from oldhand.query.form import ColumnRef, Query, Relation
from oldhand.query.normal import same_in_any_order
from oldhand.query.walk import walk
from oldhand.record.effect import DefaultFilter
from oldhand.record.lesson import Lesson
from oldhand.record.phrases import question_key
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import DefaultDate, Measure, NamedCondition, Rule, Synonym
from oldhand.record.shortening import SHOWN_ID


def standing(
    found: Understanding,
    alone: Understanding,
    lessons: Iterable[Lesson],
    schemas: Sequence[DatabaseSchema],
) -> Understanding:
    """What was confirmed for the very same question, with the rules that it does not go by.

    Args:
        found: what the question means in the light of what was confirmed.
        alone: what its words mean without that.
        lessons: what was learned.
        schemas: with what people have stated.
    """
    query = found.candidates[0].query
    if not isinstance(query, Query):
        return found
    stated = dict(disagreeing(query, alone, schemas))
    said = [f"by a rule of {whose(rule.by)}: {told}." for rule, told in stated.items()]
    rules = rules_of(found.question, lessons, schemas)
    learned = [one for one in rules if isinstance(one, DefaultFilter)]
    said += [f"by what was learned: {one.says}." for one in filtered(query, learned, schemas).rules]
    out = "".join(f" `oldhand memory forget {one[:SHOWN_ID]}` takes that answer out." for one in found.lessons[:1])  # fmt: skip
    notes = (f"Not changed, since this very answer was confirmed, {one}{out}" for one in said)
    return replace(found, notes=(*found.notes, *notes))


def going_by(
    pairs: Iterable[Precedent], alone: Understanding, schemas: Sequence[DatabaseSchema]
) -> tuple[Precedent, ...]:
    """The pairs without those of other questions that do not go by what was stated of a word that this one names, of its date or its way.

    Args:
        pairs: what was judged.
        alone: what the words of a question mean without them.
        schemas: with what people have stated.
    """
    if not any(schema.semantics.rules for schema in schemas):
        return tuple(pairs)
    own = question_key(alone.question)
    return tuple(
        one
        for one in pairs
        if not one.right
        or not isinstance(one.query, Query)
        or question_key(one.question) == own
        or not any(_passed_over(one.query, alone, schemas))
    )


def disagreeing(
    query: Query, alone: Understanding, schemas: Sequence[DatabaseSchema]
) -> Iterator[tuple[Rule, str]]:
    """The stated rules that a confirmed query does not go by, though its question leaves room for them or names them; each with what it says.

    Args:
        query: what was confirmed.
        alone: what the words of its question mean without that.
        schemas: with what people have stated.
    """
    filters = dict(stated_for(alone.question, schemas))
    narrowing = filtered(query, [*filters], schemas).rules
    for one, rule in filters.items():
        if one in narrowing or (rule.when and ruled_beyond(query, one, schemas) not in (None, *query.where)):  # fmt: skip
            yield rule, rule.told
    yield from _passed_over(query, alone, schemas)


def _passed_over(
    query: Query, alone: Understanding, schemas: Sequence[DatabaseSchema]
) -> Iterator[tuple[Rule, str]]:
    """The stated words, dates and ways that a query does not go by."""
    first = alone.candidates[0].query if alone.candidates else None
    if isinstance(first, Query) and same_in_any_order(first, query):
        return
    for schema in schemas:
        for rule in schema.semantics.rules:
            if _is_passed_over(rule, query, alone, schema):
                yield rule, in_words(rule, schema)
    for path, rule in stated_joins(alone.question, schemas).items():
        if rejoined(query, path, alone.question, schemas) not in (None, query):
            yield rule, rule.told


def _is_passed_over(rule: Rule, query: Query, alone: Understanding, schema: DatabaseSchema) -> bool:
    """Whether a question names what a rule says that a word means, and a query does without."""
    match rule:
        case Measure() | NamedCondition():
            meaning = meaning_of(rule, schema)
            if meaning is None or meaning.column not in alone.named:
                return False
            return not _reads(folded(query, (schema,)), rule.table, meaning.column.name)
        case Synonym():
            said = rule.alias(schema.name) in alone.aliases
            return said and not _reads(query, rule.table, rule.column)
        case DefaultDate():
            dates = {(schema.name, rule.table.casefold()): rule.column}
            used = any(_reads(one.query, rule.table, rule.column) for one in alone.candidates[:1] if isinstance(one.query, Query))  # fmt: skip
            return used and dated(query, alone.named, dates, (schema,)) != query
        case _:
            return False


def _reads(query: Query, table: str, column: str | None) -> bool:
    """Whether a query reads a column of a table, or its rows."""
    wanted = table.casefold()
    for part in walk(query, inner=True):
        if column is None and isinstance(part, Relation) and part.table.casefold() == wanted:
            return True
        if isinstance(part, ColumnRef) and part.of.table.casefold() == wanted and part.name == column:  # fmt: skip
            return True
    return False
