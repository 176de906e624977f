"""What people said in words or tags: that it was too long, or how it is to be done."""

import re
from collections.abc import Iterator

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.learning.style import TOO_LONG, TOO_SHORT, words_of
from oldhand.models.quoting import one_line
from oldhand.record.feedback import Feedback, Source
from oldhand.record.proposal import Proposal
from oldhand.settings import ReflectionSettings

_CHARS = 300
_STYLES = (
    (TOO_LONG, "The response could be more concise.", "Be concise unless asked to elaborate."),
    (TOO_SHORT, "The response could say more.", "Say how the answer was found and what it covers."),
)
_INSTRUCTS = re.compile(
    r"\s*(?:please\s+)?(?:always|never|do not|don['’]t|only|use|exclude|include|ignore|leave out|count|show|prefer|avoid|"  # noqa: RUF001
    r"answer|round|write|treat|remember|from now on)\b",
    re.IGNORECASE,
)


def styles(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """It was too long, or too short: an instruction for the prompt."""
    for pattern, improvement, instruction in _STYLES:
        who = [one for one in reflected.feedback if pattern.search(words_of(one))]
        if who:
            yield Finding(
                improvement=improvement,
                root_cause="The prompt does not say how long an answer should be.",
                proposals=(
                    Proposal(
                        type="prompt",
                        text=instruction,
                        domain="answers",
                        episode_id=reflected.episode.id,
                        source=_most_trusted(who),
                    ),
                ),
            )


def instructions(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """A comment that says what is to be done is a rule in the words of the person; others say what was wrong."""
    for one in reflected.feedback:
        text = one_line(one.text or "", _CHARS)
        if not text or any(pattern.search(text) for pattern, _, _ in _STYLES):
            continue
        if one.rating == 1 and not _INSTRUCTS.match(text):
            yield Finding(went_well=f"{_name(one)} said: {text}")
            continue
        rule = Proposal(
            type="semantic",
            text=text,
            domain="answers",
            episode_id=reflected.episode.id,
            source=one.source,
        )
        yield Finding(
            improvement=f"{_name(one)} said: {text}",
            root_cause=text if one.rating == -1 and not _INSTRUCTS.match(text) else "",
            proposals=(rule,) if _INSTRUCTS.match(text) else (),
        )


def _name(one: Feedback) -> str:
    return f"{one.rater} ({one.source.value})"


def _most_trusted(said: list[Feedback]) -> Source:
    order = list(Source)
    return min((one.source for one in said), key=order.index)
