"""A query that has been read: all that the rules look at."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from sqlglot import ErrorLevel, exp
from sqlglot.tokenizer_core import Token

from oldhand.record.base import Record
from oldhand.record.schema import Column, DatabaseSchema
from oldhand.sources.databases.sql_issues.gathering import Gathered, Gatherer
from oldhand.sources.databases.sql_issues.habits import HABITS, Habits
from oldhand.sources.databases.sql_issues.naming import ResolvedName, meaning_of
from oldhand.sources.databases.sql_issues.scopes import ColumnUse


class Severity(StrEnum):
    """What follows from an issue."""

    ERROR = "error"
    """The database would reject the query."""
    ADVICE = "advice"
    """The query runs, but probably does not do what was meant; it never makes a query invalid."""


class SqlIssue(Record):
    """Something wrong with a query, and what to do about it."""

    code: str
    """The rule that found it: `unknown_column`, `aggregate_in_where`, …"""
    message: str
    severity: Severity = Severity.ERROR
    fragment: str = ""
    """The piece of SQL that it is about."""
    about: str = ""
    """What it is about when the fragment says more than that, such as the function without its arguments."""
    position: int | None = None
    """Where the fragment begins in the text, in characters from 0; None when that is not known."""


def position_of(node: exp.Expr) -> int | None:
    """Where `node` begins in the text, as far as the parser kept it.

    >>> from sqlglot import parse_one
    >>> position_of(parse_one("SELECT a FROM shop").find(exp.Table))
    14
    """
    for part in node.walk():
        start = part.meta.get("start")
        if isinstance(start, int):
            return start
    return None


Node = TypeVar("Node", bound=exp.Expr)


def written(node: exp.Expr, dialect: str = "") -> str:
    """The SQL of a piece of a tree on one line, without comments."""
    return node.sql(dialect, comments=False, unsupported_level=ErrorLevel.IGNORE)


@dataclass(frozen=True)
class StatementReading:
    """One query with its tokens, its tree, its scopes, and the schema it is read against."""

    sql: str
    tokens: list[Token]
    tree: exp.Expr
    schema: DatabaseSchema
    others: tuple[DatabaseSchema, ...] = ()

    @property
    def dialect(self) -> str:
        """The name of the database's dialect."""
        return self.schema.dialect

    @property
    def habits(self) -> Habits:
        """How this dialect reads names."""
        return HABITS.get(self.schema.dialect, HABITS["postgres"])

    @cached_property
    def gathered(self) -> Gathered:
        """The scopes of the query."""
        gatherer = Gatherer(self.schema, self.habits)
        gatherer.query(self.tree, None, {})
        return gatherer.found

    @cached_property
    def meanings(self) -> list[tuple[ColumnUse, ResolvedName]]:
        """Each use of a column name with what it means."""
        return [
            (use, meaning_of(use, self.habits, in_double_quotes=self._in_double_quotes(use.column)))
            for scope in self.gathered.scopes
            for use in scope.uses
        ]

    @cached_property
    def meaning(self) -> dict[int, ResolvedName]:
        """What a column means, by the node's id."""
        return {id(use.column): found for use, found in self.meanings}

    def declared(self, node: exp.Expr | None) -> Column | None:
        """The column of the schema that a node means; None when it means none."""
        found = self.meaning.get(id(node))
        return found.column if found else None

    @cached_property
    def _nodes(self) -> dict[type[exp.Expr], list[exp.Expr]]:
        nodes: dict[type[exp.Expr], list[exp.Expr]] = {}
        for node in self.tree.walk():
            nodes.setdefault(type(node), []).append(node)
        return nodes

    @cached_property
    def _derived(self) -> dict[type, list[type[exp.Expr]]]:
        """The classes of nodes, by each class that they are derived from: rules ask for one dozens of times."""
        derived: dict[type, list[type[exp.Expr]]] = {}
        for kind in self._nodes:
            for base in kind.__mro__:
                derived.setdefault(base, []).append(kind)
        return derived

    def all(self, *kinds: type[Node]) -> Iterator[Node]:
        """All nodes of these classes."""
        if len(kinds) == 1:
            found = self._derived.get(kinds[0], ())
        else:
            found = [kind for kind in self._nodes if issubclass(kind, kinds)]
        for kind in found:
            yield from self._nodes[kind]  # pyright: ignore[reportReturnType]

    def issue(
        self,
        code: str,
        node: exp.Expr,
        message: str,
        severity: Severity = Severity.ERROR,
        about: str = "",
    ) -> SqlIssue:
        """An issue about a piece of the tree."""
        return SqlIssue(
            code=code,
            message=message,
            severity=severity,
            fragment=self.written(node)[:200],
            about=about,
            position=position_of(node),
        )

    def written(self, node: exp.Expr) -> str:
        """The SQL of a piece of the tree."""
        return written(node, self.dialect)

    def at(
        self, code: str, token: Token, message: str, severity: Severity = Severity.ERROR
    ) -> SqlIssue:
        """An issue about a piece of the text."""
        fragment = self.sql[token.start : token.end + 1][:200]
        return SqlIssue(
            code=code, message=message, severity=severity, fragment=fragment, position=token.start
        )

    def _in_double_quotes(self, column: exp.Column) -> bool:
        identifier = column.this
        if not isinstance(identifier, exp.Identifier) or not identifier.args.get("quoted"):
            return False
        start = identifier.meta.get("start")
        return not isinstance(start, int) or self.sql[start : start + 1] == '"'
