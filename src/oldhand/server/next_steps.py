"""What to do next, as each face says it: messages name a command, which is a page in the browser, and a method for programs."""

import re
from typing import NamedTuple

from oldhand.face.exposed import EXPOSED


class _Face(NamedTuple):
    browser: str
    """Where people do there what a group of commands does."""
    methods: str = ""
    """The group of methods of `Oldhand` that do so."""


FACES = {
    "db": _Face("the page Databases", "databases"),
    "schema": _Face("the page Databases", "databases"),
    "docs": _Face("the page Documents", "documents"),
    "saved": _Face("the page Saved", "saved"),
    "rule": _Face("the page Rules", "rules"),
    "memory": _Face("the page Memory", "memories"),
    "experts": _Face("the page People", "experts"),
    "people": _Face("the page People", "people"),
    "learn": _Face("the page Activity"),
    "history": _Face("the page History"),
    "feedback": _Face("what stands below the answer"),
    "fix": _Face("what stands below the answer"),
}
"""By the first word of commands; other commands have no other face."""
_COMMAND = re.compile(r"`oldhand (\w+)(?: ([\w-]+))?[^`]*`")
_METHODS = frozenset(one.method for one in EXPOSED)


def next_steps(text: str, *, in_browser: bool = True) -> str:
    """A message of ours, with its commands as people in the browser, or programs, find them.

    >>> next_steps("There is no document: `oldhand docs list` names them.")
    'There is no document: the page Documents names them.'
    >>> next_steps("There is no rule: `oldhand rule list` names them, `oldhand serve` none.", in_browser=False)
    'There is no rule: `rules.list` names them, `oldhand serve` none.'
    """

    def put(found: re.Match[str]) -> str:
        face = FACES.get(found[1])
        if face is None:
            return found[0]
        method = f"{face.methods}.{found[2]}"
        return face.browser if in_browser else f"`{method}`" if method in _METHODS else found[0]

    return _COMMAND.sub(put, text)
