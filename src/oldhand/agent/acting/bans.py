"""Which tools lessons leave an agent for a question."""

from collections.abc import Iterable

from oldhand.agent.tools import Tools
from oldhand.record.effect import ToolBan
from oldhand.record.lesson import Lesson
from oldhand.record.step import Step


def offered(tools: Tools, lessons: Iterable[Lesson]) -> Tools:
    """The tools that no lesson bans; whether a lesson applies to the question was decided when it was recalled.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> def now() -> str:
    ...     '''The time of day.'''
    ...     return "noon"
    >>> ban = Lesson(memory=example_memory(kind=MemoryType.SEMANTIC, effect=ToolBan(tool="now")))
    >>> offered(Tools([now]), [ban])
    Tools()
    """
    effects = (lesson.memory.effect for lesson in lessons)
    banned = {effect.tool for effect in effects if isinstance(effect, ToolBan)}
    return (
        tools if banned.isdisjoint(tools.names) else Tools(t for t in tools if t.name not in banned)
    )


def kept_to(step: Step, tools: Tools, left: Tools) -> Step:
    """The step, or one that says what is wrong with it when it calls a tool that was not offered."""
    banned = {action.tool for action in step.actions if action.tool in tools} - set(left.names)
    if not banned:
        return step
    others = f"There are: {', '.join(left.names)}." if len(left) else "Answer in words."
    fault = f"Not to be used for this question: {', '.join(sorted(banned))}. {others}"
    return Step(number=step.number, thought=step.thought, fault=fault)
