"""Turns a candidate's neutral query into the SQL of one database.

A candidate names its tables `database.schema.table` and uses sqlglot's neutral functions. sqlglot writes
most of them right in every dialect; `dialects.py` rewrites the others first.
"""

import re

from sqlglot import exp

from oldhand.lexicon.entries import words
from oldhand.query.compiling.dialects import rewritten
from oldhand.query.compiling.warehouses import WAREHOUSES
from oldhand.record.schema import DatabaseSchema

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def default_schema(schema: DatabaseSchema) -> str:
    """The part of a database that needs no name in its SQL.

    In MySQL it is the database's own name, elsewhere `main` or `public`.
    """
    if schema.dialect in WAREHOUSES:
        return ""  # what a name without a schema means there, each login decides
    if schema.dialect == "mysql":
        return schema.tables[0].schema_name if schema.tables else ""
    return "public" if schema.dialect == "postgres" else "main"


def render(query: exp.Expr, dialect: str, home: str = "") -> str:
    """The SQL of `query` in `dialect`, pretty-printed.

    Args:
        query: a neutral query; it is not changed.
        dialect: as sqlglot calls it.
        home: the schema whose name is left out; `main` and `public` are too, but in a warehouse.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT YEAR(o.placed) AS y, COUNT(*) FROM shop.main.orders AS o GROUP BY 1")
    >>> print(render(query, "sqlite"))
    SELECT
      CAST(STRFTIME('%Y', o.placed) AS INTEGER) AS y,
      COUNT(*)
    FROM orders AS o
    GROUP BY
      1
    """
    tree = query.copy()
    for table in tree.find_all(exp.Table):
        table.set("catalog", None)
        if table.db in {home, ""} or (dialect not in WAREHOUSES and table.db in {"main", "public"}):
            table.set("db", None)
    tree = rewritten(tree.transform(_safe_division), dialect)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", needs_quotes(name.name))
    return tree.sql(dialect=dialect, pretty=True)


def needs_quotes(name: str) -> bool:
    """True when some database would misread `name` without quotes.

    >>> [needs_quotes(name) for name in ("city", "order", "Name", "unit price")]
    [False, True, True, True]
    """
    return not _PLAIN_NAME.fullmatch(name) or name in words("sql.reserved")


def _safe_division(node: exp.Expr) -> exp.Expr:
    """Dividing by nothing gives NULL in every dialect; left alone it fails, or is infinite."""
    if isinstance(node, exp.Div | exp.Mod | exp.IntDiv):
        by = node.expression
        if not isinstance(by.unnest(), exp.Literal | exp.Nullif):
            node.set("expression", exp.Nullif(this=by.copy(), expression=exp.Literal.number(0)))
    return node
