"""What failed before it worked: names that were wrong, and the right ones."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.models.quoting import one_line
from oldhand.record.answer import FailedAttempt, QueryStep
from oldhand.record.feedback import TRUSTED, Source
from oldhand.settings import ReflectionSettings

_CHARS = 200
_PLAIN = re.compile(r"[^\W\d]\w{0,62}")
"""A name that is no sentence; a name in quotes can be one."""
_ALIKE = 0.5
"""How alike the letters of two names are from which on one may stand for the other."""


class Renamed(NamedTuple):
    """A name that the database did not know, and the one that took its place."""

    kind: str
    """`column` or `table`."""
    wrong: str
    right: str
    table: str
    """Of a column; empty when that is not clear."""


def repairs(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Names that were corrected on the way; other failures that were overcome are told."""
    dialects = {schema.name: schema.dialect for schema in reflected.schemas}
    for step, failed in _overcome(reflected.episode.answer.steps):
        renamed = names_repaired(failed, step.sql, dialects.get(step.database))
        for one in renamed:
            yield _finding(one, step.database, reflected)
        if not renamed:
            error = one_line(failed.error, _CHARS)
            yield Finding(
                improvement=f"A statement on {step.database} had to be repaired: {error}",
                root_cause=error,
            )


def _overcome(steps: Sequence[QueryStep]) -> Iterator[tuple[QueryStep, FailedAttempt]]:
    """The statements that worked, each with the attempt right before it that did not."""
    for number, step in enumerate(steps):
        if not step.succeeded:
            continue
        before = steps[number - 1] if number else None
        if step.failures and step.refused < len(step.failures):
            yield step, step.failures[-1]
        elif (
            before is not None
            and not step.failures
            and not before.succeeded
            and before.database == step.database
        ):
            # A run of an agent: each statement is a step of its own, and the error stays with the tool.
            yield step, FailedAttempt(sql=before.sql, error="")


def names_repaired(failed: FailedAttempt, right: str, dialect: str | None) -> tuple[Renamed, ...]:
    """The names that an error complained about, with those that stand in their place in the statement that ran.

    Without an error, names that are alike are paired.

    >>> failed = FailedAttempt(sql="SELECT nam FROM towns", error="no such column: nam")
    >>> names_repaired(failed, "SELECT name FROM towns", "sqlite")
    (Renamed(kind='column', wrong='nam', right='name', table='towns'),)
    """
    try:
        old, new = parse_one(failed.sql, dialect=dialect), parse_one(right, dialect=dialect)
    except (SqlglotError, RecursionError):
        return ()
    found: list[Renamed] = []
    for kind, node in (("column", exp.Column), ("table", exp.Table)):
        before = {one.name for one in old.find_all(node)}
        after = {one.name: one for one in new.find_all(node)}
        fresh = [name for name in after if name not in before]
        for wrong in sorted(before - set(after)):
            if failed.error and wrong.casefold() not in failed.error.casefold():
                continue
            best = _stand_in(wrong, fresh, sure=bool(failed.error))
            if best:
                table = _table_of(after[best], new) if kind == "column" else ""
                found.append(Renamed(kind, wrong, best, table))
    return tuple(found)


def _stand_in(wrong: str, fresh: Sequence[str], *, sure: bool) -> str:
    """Which new name stands for a wrong one; the only one if the error names the wrong one, else one that is alike."""
    if sure and len(fresh) == 1:
        return fresh[0]
    likeness = {
        one: SequenceMatcher(None, wrong.casefold(), one.casefold()).ratio() for one in fresh
    }
    best = max(likeness, key=lambda one: likeness[one], default="")
    return best if best and likeness[best] >= _ALIKE else ""


def _table_of(column: exp.Expr, tree: exp.Expr) -> str:
    """The table of a column, when the statement says it."""
    tables = {one.alias_or_name: one.name for one in tree.find_all(exp.Table)}
    named = column.text("table")
    if named:
        return tables.get(named, "")
    return next(iter(tables.values())) if len(set(tables.values())) == 1 else ""


def _is_known(name: str, database: str, reflected: Reflected) -> bool:
    """Whether it is a name of that database: others may come from a question, and with it from anybody."""
    tables = (t for schema in reflected.schemas if schema.name == database for t in schema.tables)
    names = {n.casefold() for t in tables for n in (t.name, *(one.name for one in t.columns))}
    return name.casefold() in names


def _finding(renamed: Renamed, database: str, reflected: Reflected) -> Finding:
    wrong, right = one_line(renamed.wrong, 100), one_line(renamed.right, 100)
    place = ".".join(filter(None, (database, one_line(renamed.table, 100))))
    kind = renamed.kind
    cause = f"{place} has no {kind} {wrong}."
    fix = f"In {place}, the {kind} is {right}, not {wrong}."
    found = Finding(improvement=fix, root_cause=cause)
    if not (_PLAIN.fullmatch(wrong) and _PLAIN.fullmatch(right)):
        return found
    text, failure = fix, f"A statement asked for the {kind} {wrong} of {place}."
    if reflected.asker not in TRUSTED:
        # The wrong name may be the stranger's, so everybody's lesson does without it.
        if not _is_known(right, database, reflected):
            return found
        text = f"In {place}, the {kind} is called {right}."
        cause = failure = f"A statement asked for a {kind} that {place} does not have."
    proposal = reflected.proposal(
        "bug_fix", text, Source.EXECUTION, place, failure=failure, root_cause=cause
    )
    return found.model_copy(update={"proposals": (proposal,)})
