"""Find out which column a name means, the way the database does."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from sqlglot import exp

from oldhand.record.schema import Column, Kind
from oldhand.sources.databases.sql_issues.habits import Habits
from oldhand.sources.databases.sql_issues.scopes import ColumnUse, Output, Scope, ScopeSource


class NameMeaning(Enum):
    """What a name turned out to be."""

    COLUMN = auto()
    OUTPUT = auto()
    """The name of an output column of the same SELECT."""
    UNSURE = auto()
    """It may be a column of something whose columns are not known."""
    TEXT = auto()
    """SQLite reads the quoted name as text."""
    UNKNOWN = auto()
    AMBIGUOUS = auto()
    NO_SUCH_SOURCE = auto()
    """There is no table or alias of the name before the dot."""
    NOT_IN_SOURCE = auto()
    """The table or alias before the dot has no such column."""


@dataclass(frozen=True)
class ResolvedName:
    """What a name means, and where."""

    meaning: NameMeaning
    sources: tuple[ScopeSource, ...] = ()
    """The source that has it; for `AMBIGUOUS`, all that have it."""
    scope: Scope | None = None
    """The scope in which it was found: that of the use, or one around it."""
    output: Output | None = None
    column: Column | None = None
    """As the schema declares it."""

    @property
    def expression(self) -> exp.Expr | None:
        """What an output column of the same SELECT computes."""
        return self.output.node if self.output else None


def meaning_of(use: ColumnUse, habits: Habits, *, in_double_quotes: bool) -> ResolvedName:
    """Look a name up from its scope outward."""
    if use.qualifier:
        return _qualified(use, habits)
    prefers_output = use.clause == "order" and use.alone
    if prefers_output and (
        output := use.scope.output(use.name, named=not habits.order_prefers_outputs)
    ):
        return ResolvedName(NameMeaning.OUTPUT, scope=use.scope, output=output)
    found = _plain(use, habits)
    if found.meaning is NameMeaning.UNKNOWN and in_double_quotes and habits.quoted_text:
        return ResolvedName(NameMeaning.TEXT)
    return found


def _plain(use: ColumnUse, habits: Habits) -> ResolvedName:
    unsure = False
    for scope, sources, clause in _views(use, habits):
        holders = tuple(s for s in sources if s.has(use.name) and use.name not in s.merged)
        if holders:
            return _held(use, habits, scope, holders, unsure=unsure)
        unsure = unsure or any(source.may_have(use.name, habits) for source in sources)
        alone = use.alone and scope is use.scope
        if clause in (habits.bare_alias_clauses if alone else habits.alias_clauses):
            if output := scope.output(use.name, named=True):
                return ResolvedName(NameMeaning.OUTPUT, scope=scope, output=output)
            unsure = unsure or scope.outputs is None
        is_row = habits.rows_are_values and any(source.name == use.name for source in sources)
        if is_row or (use.name in habits.row_ids and sources):
            return ResolvedName(NameMeaning.UNSURE)
    return ResolvedName(NameMeaning.UNSURE if unsure else NameMeaning.UNKNOWN)


def _held(
    use: ColumnUse, habits: Habits, scope: Scope, holders: tuple[ScopeSource, ...], *, unsure: bool
) -> ResolvedName:
    """The meaning of a name that these sources of one scope have."""
    first = next(iter(holders))
    twice = len(holders) > 1 or (
        not habits.duplicate_outputs
        and first.columns is not None
        and first.columns.count(use.name) > 1
    )
    if twice:
        return ResolvedName(NameMeaning.UNSURE if unsure else NameMeaning.AMBIGUOUS, holders, scope)
    return ResolvedName(NameMeaning.COLUMN, holders, scope, column=first.declared(use.name))


def _qualified(use: ColumnUse, habits: Habits) -> ResolvedName:
    for scope, sources, _ in _views(use, habits):
        same = tuple(source for source in sources if source.name == use.qualifier)
        if not same:
            if habits.rows_are_values and any(
                _may_have_fields(s, use.qualifier, habits) for s in sources
            ):
                return ResolvedName(NameMeaning.UNSURE)
            continue
        holders = [source for source in same if source.has(use.name)]
        if holders:
            meaning = NameMeaning.AMBIGUOUS if len(holders) > 1 else NameMeaning.COLUMN
            declared = holders[0].declared(use.name)
            return ResolvedName(meaning, tuple(holders), scope, column=declared)
        if use.name in habits.row_ids or any(s.may_have(use.name, habits) for s in same):
            return ResolvedName(NameMeaning.UNSURE, same, scope)
        return ResolvedName(NameMeaning.NOT_IN_SOURCE, same, scope)
    return ResolvedName(NameMeaning.NO_SUCH_SOURCE, scope=use.scope)


def _views(use: ColumnUse, habits: Habits) -> Iterator[tuple[Scope, list[ScopeSource], str]]:
    """The scopes in which a name is looked for, the sources that it can mean there, and the clause it is in."""
    clause = use.clause
    for scope in use.scope.outward():
        if scope is use.scope:
            yield scope, use.visible, clause
        elif use.clause in habits.own_names_only:
            return
        else:
            yield scope, scope.sources, clause
        clause = scope.clause


def _may_have_fields(source: ScopeSource, name: str, habits: Habits) -> bool:
    """Whether the source has a column of that name whose values have fields of their own."""
    if source.may_have(name, habits):
        return True
    column = source.declared(name)
    return source.has(name) and (column is None or column.kind in _WITH_FIELDS)


_WITH_FIELDS = frozenset({Kind.OTHER, Kind.JSON, Kind.SPATIAL})
