"""Follow-ups that pick the first or the last of groups: `which of them has the most?`."""

import re
from dataclasses import replace

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.entries import words
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.form import Order, Query
from oldhand.query.walk import is_measure

_LEAST = words("sorting.fewest_of_them") | words("sorting.downwards")


def extreme_group(scene: Scene, degree: str) -> Query | None:
    """The one group with the most or the least of what was computed for each; None where nothing was."""
    computed = [term for term in scene.query.select if is_measure(term)]
    if not scene.query.group or len(computed) != 1:
        return None
    return replace(scene.query, order=(Order(computed[0], not is_low(degree)),), limit=1)


def is_low(word: str) -> bool:
    """Whether what a superlative or comparative asks for stands at the lower end of what it measures.

    >>> [is_low(one) for one in ("cheapest", "fewest", "oldest", "highest")]
    [True, True, True, False]
    """
    plain = adjective_of(word) or re.sub(r"(?:est|er)$", "", word)
    return plain in _LEAST or word in _LEAST or plain == "old"
