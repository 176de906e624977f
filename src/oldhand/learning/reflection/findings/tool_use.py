"""Means that the question did not need: tools that compute for what is only to be explained, dear models for arithmetic."""

import re
from collections.abc import Iterator

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.models.quoting import one_line
from oldhand.record.effect import ToolBan
from oldhand.record.feedback import Source
from oldhand.record.proposal import LessonProposal
from oldhand.record.situation import Intent, intent_of
from oldhand.settings import ReflectionSettings

_COMPUTES = re.compile(r"code|python|exec|interpreter|sandbox|shell|notebook", re.IGNORECASE)
_IN_WORDS = {
    Intent.DEFINITION: ("a definition question", "What is X?"),
    Intent.EXPLANATION: ("an explanation", "Why is X so?"),
}
"""What is answered in words: how a question of that kind is called, and a pattern of it."""


def needless_tools(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """A tool that runs code was called for a question that is answered in words, and the answer was disliked."""
    episode = reflected.episode
    intent = intent_of(episode.answer.question)
    if intent not in _IN_WORDS or reflected.is_liked:
        return
    called, pattern = _IN_WORDS[intent]
    for tool in episode.tools_used:
        if not _COMPUTES.search(tool):
            continue
        name = one_line(tool, 100)
        yield Finding(
            improvement=f"Used {name} for {called}.",
            root_cause=f"The question was taken for a task that has to be computed, although it asks for {called}.",
            proposals=_against(name, intent, pattern, reflected) if reflected.is_disliked else (),
        )


def _against(
    tool: str, intent: Intent, pattern: str, reflected: Reflected
) -> tuple[LessonProposal, ...]:
    said = [one.source for one in reflected.standing if one.rating == -1 or one.corrects]
    source = next((one for one in (Source.OWNER, Source.EXPERT) if one in said), said[0])
    rule = reflected.proposal(
        "semantic",
        f"Never use {tool} for intent='{intent.value}'",
        source,
        tool,
        effect=ToolBan(tool=tool),
        applies_when=f"intent == '{intent.value}'",
        test=f"'{pattern}' is answered in words, without {tool}",
    )
    step = f"Before using {tool}, verify that the task requires computation or validation."
    return rule, reflected.proposal("checklist", step, source, tool)


def dear_arithmetic(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Money was spent on plain arithmetic."""
    answer = reflected.episode.answer
    cost = answer.usage.cost
    if cost <= 0 or intent_of(answer.question) is not Intent.CALCULATION:
        return
    model = one_line(answer.model, 100)
    failure = f"Plain arithmetic went to {model} (${cost:.2g}) instead of a free local model."
    cause = "How simple the question is was not looked at: plain arithmetic needs no large model."
    proposal = reflected.proposal(
        "bug_fix",
        "Send plain arithmetic to a free local model.",
        Source.EXECUTION,
        "routing",
        applies_when=f"intent == '{Intent.CALCULATION.value}' AND complexity < 0.2",
        failure=failure,
        root_cause=cause,
        test="plain arithmetic is answered by a free local model: cost 0, no tools",
    )
    yield Finding(
        improvement=f"Used a model that costs money for plain arithmetic: {model}, ${cost:.2g}.",
        root_cause=cause,
        proposals=(proposal,),
    )
