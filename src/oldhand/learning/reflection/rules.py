"""The mind that reflects without a language model: rules over what is on record."""

from collections.abc import Iterable

from oldhand.learning.reflection.findings.corrected import corrected
from oldhand.learning.reflection.findings.finding import Finder, Finding
from oldhand.learning.reflection.findings.outcomes import dear, empty, no_answer, refused, went_well
from oldhand.learning.reflection.findings.repairs import repairs
from oldhand.learning.reflection.findings.said import complaints, instructions, styles
from oldhand.learning.reflection.findings.tool_use import dear_arithmetic, needless_tools
from oldhand.learning.reflection.reflector import Reflected, Reflection, told
from oldhand.record.memory import Depth, Learnings
from oldhand.record.proposal import LessonProposal
from oldhand.settings import ReflectionSettings

FINDERS: tuple[Finder, ...] = (
    went_well,
    corrected,
    instructions,
    needless_tools,
    dear_arithmetic,
    styles,
    complaints,
    no_answer,
    refused,
    repairs,
    empty,
    dear,
)
"""In the order in which they explain why something went wrong: the first cause that is found counts."""

_NOTHING = "Nothing new: there is nothing in it that could be done better."
_WRONG = "People say that it was wrong, and nothing on record says why."


class RulesReflector:
    """Finds what rules can find: in errors and repairs, evaluations, feedback, corrections, tools, time and cost.

    >>> import asyncio
    >>> from oldhand.testing.records import example_episode
    >>> found = asyncio.run(RulesReflector().reflect(Reflected(episode=example_episode()), "deep"))
    >>> found.learnings.improvements
    ('It tried 1 statement that do more than read.',)
    """

    def __init__(self, limits: ReflectionSettings | None = None) -> None:
        self._limits = limits or ReflectionSettings()

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        """What the rules find; the depth says only how closely somebody else would look."""
        found = [one for finder in FINDERS for one in finder(reflected, self._limits)]
        proposals = told_once(proposal for one in found for proposal in one.proposals)
        return Reflection(
            text=_told(found, disliked=reflected.is_disliked),
            learnings=learnings_of(found, proposals),
            root_cause=next((one.root_cause for one in found if one.root_cause), None),
            proposals=proposals,
            depth=depth,
        )


def learnings_of(found: Iterable[Finding], proposals: Iterable[LessonProposal]) -> Learnings:
    """The findings in the four lists of a reflection."""
    found, proposals = tuple(found), tuple(proposals)
    return Learnings(
        what_went_well=told([one.went_well for one in found]),
        improvements=told([one.improvement for one in found]),
        rules=told([one.text for one in proposals if one.type != "prompt"]),
        prompt_suggestions=told([one.text for one in proposals if one.type == "prompt"]),
    )


def told_once(proposals: Iterable[LessonProposal]) -> tuple[LessonProposal, ...]:
    """Each proposal once; of the same one by several people the first stays."""
    return tuple({(one.type, one.text): one for one in reversed(tuple(proposals))}.values())[::-1]


def _told(found: Iterable[Finding], *, disliked: bool) -> str:
    improvements = told([one.improvement for one in found])
    if improvements:
        return " ".join(improvements)
    if disliked:
        return _WRONG
    return " ".join(told([one.went_well for one in found])) or _NOTHING
