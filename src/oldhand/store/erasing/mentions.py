"""Whether a record speaks of somebody: by a name where a person is named, or by the id of something of theirs."""

import re
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple, cast

_ID = re.compile(r"[\w.-]+")
NAMED = frozenset({"added_by", "rater", "confirmed_by", "user_id", "asked_by", "expert"})
"""The fields of records, and the columns of tables, that hold the name of a person."""


class Marks(NamedTuple):
    """By what it is told that something is of a user, or follows from what they said."""

    user_id: str
    ids: frozenset[str] = frozenset()
    """Of their answers, of their feedback and what was said of their answers, of their memories and evaluations."""
    judged: frozenset[str] = frozenset()
    """Ids of answers of others that they judged: what was learned from these may rest on their word."""
    gone: frozenset[str] = frozenset()
    """Ids of memories of which nothing was left."""
    lines: frozenset[str] = frozenset()
    """Digests of lines of results files."""


def mentions(value: object, user_id: str, ids: Set[str]) -> bool:
    """Whether a JSON value names a user where it names a person, or one of some ids anywhere.

    >>> mentions({"evidence": [{"rater": "bo", "episode_id": None}]}, "bo", set())
    True
    >>> mentions({"text": "As in episode-1.", "by": "bo"}, "bo", {"episode-1"})
    True
    >>> mentions({"text": "bo"}, "bo", {"episode-1"})
    False
    """
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        if any(fields.get(name) == user_id for name in NAMED & fields.keys()):
            return True
        return any(mentions(one, user_id, ids) for one in fields.values())
    if isinstance(value, list | tuple):
        return any(mentions(one, user_id, ids) for one in cast("list[object]", value))
    return isinstance(value, str) and not ids.isdisjoint(words_in(value))


def without_name(text: str, user_id: str) -> str:
    """A text that no longer says who it was.

    >>> without_name("Like 'How many?', which bo confirmed. Bobo and bo@home did not.", "bo")
    "Like 'How many?', which somebody confirmed. Bobo and bo@home did not."
    """
    name = rf"(?<![\w@-]){re.escape(user_id)}(?![\w@-])"
    return re.sub(name, "somebody", text)


def words_in(text: str) -> Iterator[str]:
    """What may be ids: words as they are written, and without the full stop of a sentence."""
    for found in _ID.finditer(text):
        yield found[0]
        yield found[0].rstrip(".-")
