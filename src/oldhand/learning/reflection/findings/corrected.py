"""What a correction in SQL teaches: the difference between the wrong statement and the right one."""

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import ValidationError

from oldhand.learning.confirmation import solution_of
from oldhand.learning.corrections import sql_of
from oldhand.learning.reflection.findings.finding import Finding, explained
from oldhand.learning.reflection.query_difference import (
    ColumnCondition,
    QueryDifference,
    Statement,
    difference_of,
    statement_of,
)
from oldhand.learning.reflection.reflector import Reflected
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.wording import number_in
from oldhand.models.quoting import one_line
from oldhand.query.form import Comparison
from oldhand.query.known import is_key
from oldhand.record.answer import Outcome
from oldhand.record.effect import DefaultFilter, JoinPath, KeyPair, ValueMapping
from oldhand.record.feedback import Feedback
from oldhand.record.proposal import LessonProposal, ProposedType
from oldhand.record.schema import TIMES, DatabaseSchema, Kind
from oldhand.record.stemming import stemmed
from oldhand.settings import ReflectionSettings
from oldhand.store.search.searched_text import STOP_WORDS, words_of

_CHARS = 300
_GENERAL = """
    number amount many much count total sum average mean show list give find tell get name names each every per
    different distinct there exist most least top best highest lowest largest smallest first last more less
"""
"""Words that say what to do with rows, and not which ones."""
_ENDS = {word for word, role in meanings("comparing.roles").items() if role in ("from", "to")}
"""Prepositions that tell one end from the other."""


def corrected(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """What the right statement has that the wrong one had not, and the other way round."""
    given = solution_of(reflected.episode.answer)
    for one in reflected.standing:
        if not one.corrects or one.correction is None:
            if one.rating == 1 and given is not None and given.sql is not None:
                found = (each for each in reflected.schemas if each.name == given.database)
                for schema in found:
                    yield from _settled(statement_of(given.sql, schema), CorrectionInContext(reflected, one, schema))  # fmt: skip
            continue
        found = sql_of(one.correction)
        if found is None:
            words = one_line(one.correction, _CHARS)
            yield Finding(improvement=f"The right answer would have been: {words}")
            continue
        named, sql = found
        schemas = [each for each in reflected.schemas if given and each.name == given.database]
        if not schemas:
            for schema in _asked(reflected.schemas, named):
                yield from _undeclared(statement_of(sql, schema), CorrectionInContext(reflected, one, schema))  # fmt: skip
        if given is None or given.sql is None or not schemas or named not in (None, given.database):
            yield Finding(
                improvement=f"Another query would have been right: {one_line(sql, _CHARS)}"
            )
            continue
        yield from _compared(given.sql, sql, CorrectionInContext(reflected, one, schemas[0]))


class CorrectionInContext:
    """One correction in its surroundings."""

    def __init__(self, reflected: Reflected, feedback: Feedback, schema: DatabaseSchema) -> None:
        self.reflected = reflected
        answer = reflected.episode.answer
        self.stems = stems(answer.standalone or answer.question)
        self.feedback = feedback
        self.schema = schema
        self.found_rows = any(cell not in (0, None) for row in answer.rows for cell in row)
        """Whether the answer was of any rows: a bare 0 counts none."""

    def proposal(
        self, kind: ProposedType, text: str, domain: str, **more: object
    ) -> LessonProposal:
        """A proposal that rests on the words of the person who corrected."""
        return self.reflected.proposal(kind, text, self.feedback.source, domain, **more)

    def place(self, table: str) -> str:
        """The table with its database."""
        return f"{self.schema.name}.{table}"


def _compared(given: str, right: str, case: CorrectionInContext) -> Iterator[Finding]:
    wrong, wanted = statement_of(given, case.schema), statement_of(right, case.schema)
    difference = None if wrong is None or wanted is None else difference_of(wrong, wanted)
    if difference is None or not difference.path:
        yield from (*_settled(wanted, case), *_undeclared(wanted, case))
    if difference is None or difference.is_empty:
        yield Finding(improvement=f"Another query would have been right: {one_line(right, _CHARS)}")
        return
    for condition in difference.missing:
        yield _missing(condition, difference, case)
    for condition in difference.extra:
        yield Finding(
            improvement=f"It kept only {case.place(condition.table)} with {condition.text}, which was not asked for.",
            root_cause=f"A condition on {case.place(condition.table)} that the question does not have: {condition.text}.",
        )
    for before, after in difference.values:
        yield _other_value(before, after, case)
    if difference.path:
        yield _other_path(difference, case)
    for sentence in difference.words():
        yield explained(one_line(sentence, _CHARS))
    yield from _other_aggregate(difference, case)


def _missing(
    condition: ColumnCondition, difference: QueryDifference, case: CorrectionInContext
) -> Finding:
    """A filter that was left out: one that the question asks for was misread, another one goes without saying."""
    place = case.place(condition.table)
    cause = f"The condition {condition.text} on {place} was missing."
    rule = _filter(condition, case) if is_understood(condition, difference, case) else None
    if rule is None:
        return explained(cause)
    text = f"{rule.says}, unless the question asks for them."
    return explained(cause, case.proposal("semantic", text, place, effect=rule, failure=cause))


def is_understood(
    condition: ColumnCondition, difference: QueryDifference, case: CorrectionInContext
) -> bool:
    """Whether a condition goes without saying: nothing in the question speaks of it, or could be about it.

    What only holds for rows that an outer join did not find is never one. What leaves rows out (`<>`, `NOT`, `IS NULL`, a flag that is 0 or 1) needs no more than that. What picks some rows out
    could be the meaning of a word that nobody has explained; then it is no rule for other questions.
    """
    table = case.schema.table(condition.table)
    columns = [table.column(name) for name in condition.columns] if table else []
    if not columns or any(column is None or column.kind in TIMES for column in columns):
        return False
    if condition.table in difference.right.joined_outside:
        return (
            False  # a row that is missing there is what was asked for, and no rule about the table
        )
    spoken = stems(" ".join((*condition.literals, *condition.columns)))
    if spoken & case.stems - stems(_GENERAL):
        return False
    flag = all(one in ("0", "1") for one in condition.literals)
    if flag or condition.leaves_out:
        return True
    if condition.table not in difference.given.tables:
        return False  # joined for that alone, to pick rows of another table
    explained = stems(_GENERAL) | _names(difference, case.schema)
    return all(stem in explained or stem.isdigit() for stem in case.stems)


def _filter(condition: ColumnCondition, case: CorrectionInContext) -> DefaultFilter | None:
    """The filter as rules carry it out; None when they can't."""
    try:
        return DefaultFilter(
            database=case.schema.name, table=condition.table, condition=condition.text
        )
    except ValidationError:
        return None


def _other_value(
    wrong: ColumnCondition, good: ColumnCondition, case: CorrectionInContext
) -> Finding:
    place = case.place(good.table)
    cause = f"On {place}, {good.text} is meant, and not {wrong.text}."
    pairs = zip(wrong.literals, good.literals, strict=False)
    changed = [(old, new) for old, new in pairs if old != new]
    compared = isinstance(good.predicate, Comparison) and good.predicate.operator == "="
    if len(changed) != 1 or len(good.columns) != 1 or not compared or case.found_rows:
        return explained(cause)  # where rows hold what was said, it is no word for another value
    (spoken, value) = changed[0]
    if not (words := stems(spoken)) or not words <= case.stems or stems(value) <= case.stems:
        return explained(cause)
    try:
        effect = ValueMapping(
            database=case.schema.name,
            table=good.table,
            column=good.columns[0],
            spoken=spoken,
            value=_typed(value, good, case),
        )
    except ValidationError:
        return explained(cause)
    text = f"{effect.says}."
    return explained(cause, case.proposal("semantic", text, place, effect=effect, failure=cause))


def _typed(value: str, condition: ColumnCondition, case: CorrectionInContext) -> str | int | float:
    """A value as its column holds it."""
    table = case.schema.table(condition.table)
    column = table.column(condition.columns[0]) if table else None
    if column is None or column.kind not in (Kind.INTEGER, Kind.NUMBER):
        return value
    number = number_in(value)
    return value if number is None else number


def _asked(schemas: Sequence[DatabaseSchema], named: str | None) -> list[DatabaseSchema]:
    """The database that right SQL is about, where nothing was answered: the one that is named, or the only one."""
    return [each for each in schemas if each.name == named or (named is None and len(schemas) == 1)]


def _undeclared(right: Statement | None, case: CorrectionInContext) -> Iterator[Finding]:
    """The keys by which the right statement joins, and of which the schema knows nothing."""
    for pair in _pairs(right):
        if not is_key(pair, case.schema):
            cause = f"No key was known that joins {pair.table} and {pair.other_table}."
            yield _joined_by(pair, (), cause, case)


def _pairs(right: Statement | None) -> Iterator[KeyPair]:
    """What a statement joins two tables by."""
    for (table, column), (other, to) in sorted(right.joins) if right is not None else ():
        if table.casefold() != other.casefold():
            yield KeyPair(table=table, column=column, other_table=other, other_column=to)


def _joined_by(pair: KeyPair, when: tuple[str, ...], cause: str, case: CorrectionInContext) -> Finding:  # fmt: skip
    tables = (pair.table, pair.other_table)
    effect = JoinPath(database=case.schema.name, tables=tables, on=(pair,), when=when)
    text, domain = f"{effect.says}.", ",".join(sorted(map(case.place, tables)))
    proposal = case.proposal("semantic", text, domain, effect=effect, failure=cause)
    return Finding(improvement=text, root_cause=cause, proposals=(proposal,))


def _settled(right: Statement | None, case: CorrectionInContext) -> Iterator[Finding]:
    """Which of several keys is followed where the answer only proposed one: nothing in the question had told it."""
    if right is None or case.reflected.episode.answer.outcome is not Outcome.PROPOSED:
        return
    for pair in _pairs(right):
        if _has_rivals((pair,), case.schema):
            cause = f"Several keys join {pair.table} and {pair.other_table}, and nothing told which one was meant."
            yield _joined_by(pair, _telling(right, case), cause, case)


def _other_path(difference: QueryDifference, case: CorrectionInContext) -> Finding:
    pairs = tuple(
        KeyPair(table=a, column=b, other_table=c, other_column=d)
        for (a, b), (c, d) in difference.path_pairs
    )
    cause = f"{' and '.join(difference.path)} were joined in another way than was meant."
    domain = ",".join(sorted(case.place(table) for table in difference.path))
    when = _telling(difference.right, case) if _has_rivals(pairs, case.schema) else ()
    effect = JoinPath(database=case.schema.name, tables=difference.path, on=pairs, when=when)
    text = f"{effect.says}."
    proposal = case.proposal("semantic", text, domain, effect=effect, failure=cause)
    return Finding(improvement=text, root_cause=cause, proposals=(proposal,))


def _has_rivals(pairs: Iterable[KeyPair], schema: DatabaseSchema) -> bool:
    """Whether one of the tables refers to the other by several keys."""
    for pair in pairs:
        for one, other in ((pair.table, pair.other_table), (pair.other_table, pair.table)):
            table = schema.table(one)
            keys = table.foreign_keys if table is not None else ()
            if sum(key.table.casefold() == other.casefold() for key in keys) > 1:
                return True
    return False


def _telling(right: Statement, case: CorrectionInContext) -> tuple[str, ...]:
    """The words of the question that name no table, no column and no value: which of several keys is meant is said by them."""
    literals = " ".join(one for it in right.conditions for one in it.literals)
    tables = [table for name in right.tables if (table := case.schema.table(name)) is not None]
    keys = {column for table in tables for key in table.foreign_keys for column in key.columns}
    names = [*right.tables, *(one.name for table in tables for one in table.columns if one.name not in keys)]  # fmt: skip
    named = stems(_GENERAL) | stems(literals) | stems(" ".join(word for name in names for word in name_words(name)))  # fmt: skip
    answer = case.reflected.episode.answer
    said = re.findall(r"[^\W\d_]+", answer.standalone or answer.question)
    tells = (word.lower() for word in said if word.lower() in _ENDS or (stems(word) and not stems(word) & named))  # fmt: skip
    return tuple(dict.fromkeys(tells))


def _other_aggregate(difference: QueryDifference, case: CorrectionInContext) -> Iterator[Finding]:
    """How to compute is a step to check, since no rule can say when it holds."""
    given, right = difference.given, difference.right
    if set(given.aggregates) == set(right.aggregates) or not right.aggregates:
        return
    wanted, was = ", ".join(right.aggregates), ", ".join(given.aggregates) or "single rows"
    domain = case.place(right.tables[0]) if right.tables else case.schema.name
    text = f"On {domain}, check whether {wanted} is meant rather than {was}."
    yield Finding(proposals=(case.proposal("checklist", one_line(text, _CHARS), domain),))


def stems(text: str) -> frozenset[str]:
    """The stems of all words but those that nearly every question has.

    >>> sorted(stems("How many cancelled orders are there?"))
    ['cancel', 'mani', 'order']
    """
    words = (word for word in words_of(text) if word not in STOP_WORDS)
    return frozenset(stemmed(word, "english") for word in words)


def _names(difference: QueryDifference, schema: DatabaseSchema) -> frozenset[str]:
    """What the statements explain without the condition: tables, their columns, and the values that both name."""
    named: list[str] = []
    for name in difference.right.tables:
        table = schema.table(name)
        named += [name, *(column.name for column in table.columns)] if table else [name]
    for condition in difference.right.conditions:
        if condition not in difference.missing:
            named += condition.literals
    return stems(" ".join(named))
