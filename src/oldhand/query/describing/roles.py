"""What rows are to others that refer to them by one of several keys: origin stations, senders, who created a task."""

from oldhand.lexicon.naming import key_words, name_words
from oldhand.lexicon.tokens import stem
from oldhand.query.describing.nouns import Schemas, is_deed, keys_between, place_of
from oldhand.query.form import ColumnRef, Relation, Rows


def role_of(relation: Relation, rows: Rows, schemas: Schemas) -> str:
    """What the rows of a relation are to those that refer to them; empty where nothing tells them from others.

    A role without a name is called after the key that leads to it, where others lead there, too.
    """
    if relation.role and not relation.role.isdecimal():
        return relation.role
    for join in rows.joins:
        if join.right == relation and len(join.keys) == 1:
            key = ColumnRef(join.left, join.keys[0][0])
            return role_by(key, relation, schemas)
    return ""


def role_by(key: ColumnRef, relation: Relation, schemas: Schemas) -> str:
    """What a key that leads to the rows of a relation makes of them: the `origin station` of trains; empty where it is the only one."""
    beside = place_of(key.of) != place_of(relation)
    several = beside and len({*keys_between(key.of, relation, schemas)}) > 1
    own = key_words(key.name)
    told = [word for word in own if stem(word) not in name_words(relation.table)]
    return " ".join(own) if told and (several or relation.role) else ""


def article(noun: str) -> str:
    """The indefinite article with its blank."""
    return "an " if noun[:1] in "aeiou" else "a "


def in_their_role(role: str, things: str, *, none: bool) -> str:
    """`That are no origin station of trains`, `without tickets created by them`."""
    if not is_deed(role):
        return f"that are {'no' if none else 'the'} {role} of {things}"
    first = role.partition(" ")[0]
    return f"{'without' if none else 'with'} {things} {first if is_deed(first) else role} them"
