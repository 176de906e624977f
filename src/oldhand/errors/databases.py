"""A schema, a database or a query did not do its part."""

from oldhand.errors.root import OldhandError


class SchemaError(OldhandError):
    """A schema file does not hold."""


class UnknownType(SchemaError):
    """A column has a type that is not known."""


class DuplicateTable(SchemaError):
    """A table is described twice."""


class DanglingForeignKey(SchemaError):
    """A foreign key points to a table or column that is not described."""


class SchemaDrift(SchemaError):
    """The schema file no longer fits the live database: `oldhand schema introspect` writes it anew."""


class DatabaseError(OldhandError):
    """A database did not do its part."""


class DatabaseUnreachable(DatabaseError):
    """The database cannot be reached."""


class QueryFailed(DatabaseError):
    """The database rejected the query."""


class QueryTimedOut(DatabaseError):
    """The query ran longer than its time limit and was stopped."""


class QueryCancelled(DatabaseError):
    """The query was cancelled."""


class QueryRefused(OldhandError):
    """The query was not allowed to run: only reading is."""


class UnreadableSQL(QueryRefused):
    """The SQL does not parse."""


class MultipleStatements(QueryRefused):
    """One statement at a time: this text holds several."""


class WriteRefused(QueryRefused):
    """Databases are opened for reading: this statement would change data or structure."""


class StatementRefused(QueryRefused):
    """This kind of statement is not allowed: only SELECT and set operations over it are."""


class FunctionRefused(QueryRefused):
    """A function in this query reads files, sleeps, or reaches out of the database."""
