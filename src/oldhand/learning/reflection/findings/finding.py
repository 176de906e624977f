"""One thing that a rule has found."""

from collections.abc import Callable, Iterator

from oldhand.learning.reflection.reflector import Reflected
from oldhand.record.base import Record
from oldhand.record.proposal import LessonProposal
from oldhand.settings import ReflectionSettings


class Finding(Record):
    """What went well, or what could be better and why; each a sentence."""

    went_well: str = ""
    improvement: str = ""
    root_cause: str = ""
    proposals: tuple[LessonProposal, ...] = ()


def explained(cause: str, *proposals: LessonProposal) -> Finding:
    """What could be better is that which went wrong."""
    return Finding(improvement=cause, root_cause=cause, proposals=proposals)


Finder = Callable[[Reflected, ReflectionSettings], Iterator[Finding]]
"""A rule: yields what it finds."""
