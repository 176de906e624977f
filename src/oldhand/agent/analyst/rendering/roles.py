"""What rows are to other rows of their own table: the manager of an employee, the parent of a category."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import Source, joins, sources
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import split_name

_KEY_WORDS = words("names.keys")
_WRITTEN_OUT = meanings("people.superiors_written_out")


def role_of(alias: str, select: exp.Select) -> str:
    """What the rows under an alias are to those of the same table that refer to them; empty when nothing is.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT b.name FROM staff AS a JOIN staff AS b ON a.manager_id = b.id")
    >>> role_of("b", query), role_of("a", query)
    ('manager', '')
    """
    tables = {source.alias: source for source in sources(select)}
    for reference, key in self_references(select):
        if key.table == alias and tables[alias].table is not None:
            return role_name(reference.name, key.name)
    return ""


def role_name(reference: str, key: str) -> str:
    """The role by the column that refers to it, and by the key of those who play it.

    >>> role_name("manager_id", "id"), role_name("Super_ssn", "ssn"), role_name("ReportsTo", "EmployeeId")
    ('manager', 'supervisor', 'manager')
    """
    own = set(split_name(key)) | _KEY_WORDS
    words = [_WRITTEN_OUT.get(word, word) for word in split_name(reference) if word not in own]
    return " ".join(words)


def self_references(select: exp.Select) -> list[tuple[exp.Column, exp.Column]]:
    """The columns over which a table is joined with itself: the one that refers, and the key that it refers to."""
    tables = {source.alias: source for source in sources(select)}
    found: list[tuple[exp.Column, exp.Column]] = []
    for join in joins(select):
        for equal in join.find_all(exp.EQ):
            one, two = equal.this, equal.expression
            if not (isinstance(one, exp.Column) and isinstance(two, exp.Column)):
                continue
            if _is_same(tables.get(one.table), tables.get(two.table)) and one.name != two.name:
                found.append((one, two) if _refers(one, two) else (two, one))
    return found


def _refers(one: exp.Column, two: exp.Column) -> bool:
    """True when the name of the first column says more than the key's: `manager_id` against `id`."""
    more = set(split_name(one.name)) - set(split_name(two.name)) - _KEY_WORDS
    less = set(split_name(two.name)) - set(split_name(one.name)) - _KEY_WORDS
    return bool(more) and (not less or "to" in split_name(one.name) or len(less) <= len(more))


def _is_same(one: Source | None, two: Source | None) -> bool:
    if one is None or two is None or one.table is None or two.table is None:
        return False
    return one.alias != two.alias and one.table.name == two.table.name
