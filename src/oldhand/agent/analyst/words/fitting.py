"""When words are read whole, in part or not at all: the one rule, for linking and for all that looks at what a query leaves out."""

from collections.abc import Container

from oldhand.agent.analyst.words.links import LinkOption, Mention

WHOLE = 0.95
"""How well words fit a table or column that they name in full."""
MEANT = 0.62
"""How well something must fit words, against the best that they may name, to be meant by all of them: better than one word of two does (0.616)."""
PARTIAL = 0.6
"""How well a part of a name must fit words that name another in full, to be thought of at all."""
ASKED_FOR = 0.6
"""How well words must fit a column to ask for it."""
NEAR = 0.5
"""Beside its own table, a name is read of which only a part is said, though the words name another in full."""


def meant(mention: Mention) -> tuple[LinkOption, ...]:
    """What all of the words may mean; what they only half name is left out."""
    least = MEANT * mention.best.score
    return tuple(option for option in mention.options if option.score >= least)


def is_read(mention: Mention, parts: Container[int]) -> bool:
    """True where one of some tables or columns is what the words mean."""
    return any(option.id in parts for option in meant(mention))


def is_half_read(mention: Mention, parts: Container[int]) -> bool:
    """True where only some of the words are read: `policy type` by the number of a policy, though a column is called the type of one."""
    named = any(option.id in parts for option in mention.options)
    return named and not is_read(mention, parts)
