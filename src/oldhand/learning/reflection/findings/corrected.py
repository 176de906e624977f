"""What a correction in SQL teaches: the difference between the wrong statement and the right one."""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from oldhand.learning.confirmation import solution_of
from oldhand.learning.corrections import sql_of
from oldhand.learning.reflection.findings.case import GENERAL, CorrectionInContext, stems
from oldhand.learning.reflection.findings.finding import Finding, explained
from oldhand.learning.reflection.findings.ways import (
    by_another_date,
    by_first_filled,
    of_other_rows,
    other_path,
    settled,
    undeclared,
)
from oldhand.learning.reflection.query_difference import (
    ColumnCondition,
    QueryDifference,
    difference_of,
    statement_of,
)
from oldhand.learning.reflection.reflector import Reflected
from oldhand.lexicon.wording import number_in
from oldhand.models.quoting import one_line
from oldhand.query.form import Comparison
from oldhand.query.normal import PRESENCE
from oldhand.record.answer import Outcome
from oldhand.record.effect import DefaultFilter, ValueMapping
from oldhand.record.schema import TIMES, Column, DatabaseSchema, Kind
from oldhand.settings import ReflectionSettings

_CHARS = 300


def corrected(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """What the right statement has that the wrong one had not, and the other way round."""
    given = solution_of(reflected.episode.answer)
    for one in reflected.standing:
        if not one.corrects or one.correction is None:
            if one.rating == 1 and given is not None and given.sql is not None:
                found = (each for each in reflected.schemas if each.name == given.database)
                for schema in found:
                    yield from settled(statement_of(given.sql, schema), CorrectionInContext(reflected, one, schema))  # fmt: skip
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
                case, right = CorrectionInContext(reflected, one, schema), statement_of(sql, schema)
                yield from (*undeclared(right, case), *by_another_date(None, right, case))
        if given is None or given.sql is None or not schemas or named not in (None, given.database):
            yield Finding(
                improvement=f"Another query would have been right: {one_line(sql, _CHARS)}"
            )
            continue
        yield from _compared(given.sql, sql, CorrectionInContext(reflected, one, schemas[0]))


def _compared(given: str, right: str, case: CorrectionInContext) -> Iterator[Finding]:
    wrong, wanted = statement_of(given, case.schema), statement_of(right, case.schema)
    difference = None if wrong is None or wanted is None else difference_of(wrong, wanted)
    yield from (*by_another_date(wrong, wanted, case), *by_first_filled(wanted, case))
    yield from of_other_rows(wrong, wanted, case)
    if difference is None or not difference.path:
        yield from (*settled(wanted, case), *undeclared(wanted, case))
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
        yield other_path(difference, case)
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
    if spoken & case.stems - stems(GENERAL):
        return False
    flag = all(one in ("0", "1") for one in condition.literals)
    # Where words were left out, a flag that is set may be what they mean: `happy pets` are the insured ones.
    unread = case.reflected.episode.answer.outcome is Outcome.PROPOSED and "1" in condition.literals
    if (flag and not unread) or condition.leaves_out:
        return not _leaves_out_most(condition, columns)
    if condition.table not in difference.given.tables:
        return False  # joined for that alone, to pick rows of another table
    explained = stems(GENERAL) | _names(difference, case.schema)
    return all(stem in explained or stem.isdigit() for stem in case.stems)


def _leaves_out_most(condition: ColumnCondition, columns: Sequence[Column | None]) -> bool:
    """Whether most rows lack what a condition wants to be there, or have what it wants to be missing: `without a phone` is no rule."""
    presence = condition.predicate
    profile = columns[0].profile if columns[0] is not None else None
    if not isinstance(presence, Comparison) or presence.operator not in PRESENCE or not profile:
        return False
    missing = profile.rows - profile.present
    kept = missing if presence.operator == "null" else profile.present
    return 2 * kept < profile.rows


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


def _other_aggregate(difference: QueryDifference, case: CorrectionInContext) -> Iterator[Finding]:
    """How to compute is a step to check, since no rule can say when it holds."""
    given, right = difference.given, difference.right
    if set(given.aggregates) == set(right.aggregates) or not right.aggregates:
        return
    wanted, was = ", ".join(right.aggregates), ", ".join(given.aggregates) or "single rows"
    domain = case.place(right.tables[0]) if right.tables else case.schema.name
    text = f"On {domain}, check whether {wanted} is meant rather than {was}."
    yield Finding(proposals=(case.proposal("checklist", one_line(text, _CHARS), domain),))


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
