"""Subqueries that tell which rows have a partner in another table, and how many."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import Source, conjuncts, sources
from oldhand.agent.analyst.rendering.roles import role_name, role_of
from oldhand.agent.analyst.telling.operands import literal
from oldhand.lexicon.wording import counted, human, singular

_AT_LEAST: dict[type[exp.Expr], str] = {
    exp.GT: "more than",
    exp.GTE: "at least",
    exp.EQ: "exactly",
}
"""What can be said of a number of partners; of less than so many nothing, as rows without any are left out."""


def partner(inner: exp.Select) -> Source | None:
    """The table that a row must, or must not, have a partner in; others only lead there."""
    tables = sources(inner)
    if len(tables) == 1:
        return tables[0]
    led = {column.table for output in inner.selects for column in output.find_all(exp.Column)}
    others = [source for source in tables if source.alias not in led]
    return others[0] if len(tables) == 2 and len(others) == 1 else None


def without_null_guard(inner: exp.Select) -> exp.Select:
    """A subquery without the condition that what it yields is known, which is no news to anybody."""
    where = inner.args.get("where")
    if not isinstance(where, exp.Where) or len(inner.selects) != 1:
        return inner
    guard = exp.Not(this=exp.Is(this=inner.selects[0].unalias().copy(), expression=exp.Null()))
    kept = [part.copy() for part in conjuncts(where.this) if part != guard]
    bare = inner.copy()
    bare.set("where", exp.Where(this=exp.and_(*kept)) if kept else None)
    return bare


def counted_partner(key: exp.Expr, inner: exp.Select) -> Source | None:
    """The table whose rows `inner` counts for each row that `key` tells apart; None when it may be another.

    Args:
        key: the left side of an IN, a column of the query around `inner`.
        inner: its rows are grouped by one column.
    """
    around = key.find_ancestor(exp.Select)
    if not isinstance(key, exp.Column) or around is None or not _groups_by_what_it_shows(inner):
        return None
    mine = next((it.table for it in sources(around) if it.alias == key.table), None)
    if mine is None or human(key.name) not in ("id", f"{singular(human(mine.name))} id"):
        return None
    tables = sources(inner)
    others = [it for it in tables if it.table is not None and it.table.name != mine.name]
    return others[0] if len(others) == 1 and len(tables) <= 2 else None


def number_of_partners(inner: exp.Select, noun: str) -> str:
    """How many partners there must be; empty when HAVING asks something else.

    >>> from sqlglot import parse_one
    >>> query = "SELECT i.order_id FROM items AS i GROUP BY i.order_id HAVING COUNT(*) > 3"
    >>> number_of_partners(parse_one(query), "items")
    'more than 3 items'
    """
    having = inner.args.get("having")
    asked = having.this if isinstance(having, exp.Having) else None
    word = next((word for kind, word in _AT_LEAST.items() if isinstance(asked, kind)), "")
    if not word or not isinstance(asked, exp.Binary) or not isinstance(asked.this, exp.Count):
        return ""
    number = literal(asked.expression)
    if not isinstance(asked.this.this, exp.Star) or not isinstance(number, int):
        return ""
    return f"{word} {counted(number, noun)}"


def in_role(select: exp.Select, alias: str, main: str, said: str) -> str | None:
    """Conditions on other rows of the same table: `with manager Ann Lee`, or `of Ben Hart` for his manager.

    Args:
        select: the query.
        alias: of the rows that the conditions are on.
        main: the alias of the rows that are spoken of.
        said: the conditions.

    Returns:
        None when the rows are joined in another way.
    """
    if role := role_of(alias, select):
        named = said.startswith("named ")
        return f"with {role} {said.removeprefix('named ')}" if named else f"with a {role} {said}"
    if role_of(main, select):
        return f"of {said.removeprefix('named ')}" if said.startswith("named ") else f"of those {said}"  # fmt: skip
    return None


def of_own_kind(key: exp.Expr, inner: exp.Select, word: str) -> str:
    """`that are the manager of others`: rows that others of their table refer to; empty for anything else.

    Args:
        key: the left side of an IN, a column of the query around `inner`.
        inner: the columns that refer to rows.
        word: `with` or `without`.
    """
    around = key.find_ancestor(exp.Select)
    shown = inner.selects[0].unalias()
    if not isinstance(key, exp.Column) or not isinstance(shown, exp.Column) or around is None:
        return ""
    own = next((s.table for s in sources(around) if s.alias == key.table), None)
    same = [s for s in sources(inner) if own and s.table and s.table.name == own.name]
    role = role_name(shown.name, key.name) if same and shown.name != key.name else ""
    if not role or len(sources(inner)) > 1:
        return ""
    return f"that are the {role} of others" if word == "with" else f"that are nobody's {role}"


def _groups_by_what_it_shows(inner: exp.Select) -> bool:
    group = inner.args.get("group")
    keys = group.expressions if isinstance(group, exp.Group) else []
    return len(keys) == 1 and [it.unalias() for it in inner.selects] == keys
