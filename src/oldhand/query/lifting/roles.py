"""What rows are to other rows of their own table: the manager of an employee, the parent of a category."""

from collections.abc import Iterable, Sequence

from oldhand.lexicon.splitting import split_name
from oldhand.query.form import Relation

_KEY_WORDS = frozenset({"id", "key", "code", "no", "num", "number", "fk", "ref", "to", "by"})
_WRITTEN_OUT = {"super": "supervisor", "mgr": "manager", "reports": "manager", "report": "manager"}

Tie = tuple[int, str, int, str]
"""That a column of one table must equal one of another: the places of the tables, each with the column."""


def role_name(reference: str, key: str) -> str:
    """The role by the column that refers to it, and by the key of those who play it.

    >>> role_name("manager_id", "id"), role_name("Super_ssn", "ssn"), role_name("ReportsTo", "EmployeeId")
    ('manager', 'supervisor', 'manager')
    """
    own = set(split_name(key)) | _KEY_WORDS
    return " ".join(
        _WRITTEN_OUT.get(word, word) for word in split_name(reference) if word not in own
    )


def with_roles(
    tables: Sequence[Relation], ties: Iterable[Tie], taken: Iterable[Relation] = ()
) -> list[Relation]:
    """The relations, told apart by their roles where one occurs twice."""
    named = list(tables)
    for one, left, two, right in ties:
        if one == two or tables[one] != tables[two] or left == right:
            continue
        if _refers(left, right):
            named[two] = _in_role(tables[two], role_name(left, right))
        else:
            named[one] = _in_role(tables[one], role_name(right, left))
    used = set(taken)
    for place, relation in enumerate(named):
        number = 2
        while relation in used:
            relation = _in_role(tables[place], str(number))  # noqa: PLW2901 - until it is free
            number += 1
        used.add(relation)
        named[place] = relation
    return named


def _in_role(relation: Relation, role: str) -> Relation:
    return Relation(relation.database, relation.schema, relation.table, role, relation.query)


def _refers(one: str, two: str) -> bool:
    """True when the first name says more than the key's: `manager_id` against `id`."""
    more = set(split_name(one)) - set(split_name(two)) - _KEY_WORDS
    less = set(split_name(two)) - set(split_name(one)) - _KEY_WORDS
    return bool(more) and (not less or "to" in split_name(one) or len(less) <= len(more))
