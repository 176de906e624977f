"""One thing that a rule has found."""

from collections.abc import Callable, Iterator

from oldhand.learning.reflection.reflector import Reflected
from oldhand.record.base import Record
from oldhand.record.proposal import Proposal
from oldhand.settings import ReflectionSettings


class Finding(Record):
    """What went well, or what could be better and why; each a sentence."""

    went_well: str = ""
    improvement: str = ""
    root_cause: str = ""
    proposals: tuple[Proposal, ...] = ()


Finder = Callable[[Reflected, ReflectionSettings], Iterator[Finding]]
"""A rule: yields what it finds."""
