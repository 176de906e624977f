"""What the guard does not let run."""

from oldhand.errors.usage import OldhandError


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
