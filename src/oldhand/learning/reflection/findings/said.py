"""What people said in words or tags, such as how it is to be done, and what evaluators have found wrong."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from oldhand.learning.reflection.findings.finding import Finding, explained
from oldhand.learning.reflection.reflector import Reflected
from oldhand.learning.style import TOO_LONG, TOO_SHORT, words_of
from oldhand.models.quoting import one_line
from oldhand.record.feedback import UNDERSTOOD, Feedback, Source
from oldhand.settings import ReflectionSettings

_CHARS = 300
_ISSUE_CHARS = 240
_MOST_ISSUES = 5
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
                    reflected.proposal("prompt", instruction, _most_trusted(who), "answers"),
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
        # What was carried out as SQL says what it means there; its words alone, such as "only those", do not.
        instructs = _INSTRUCTS.match(text) if UNDERSTOOD not in one.tags else None
        rule = reflected.proposal("semantic", text, one.source, "answers")
        yield Finding(
            improvement=f"{_name(one)} said: {text}",
            root_cause=text if one.rating == -1 and not instructs else "",
            proposals=(rule,) if instructs else (),
        )


def complaints(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Each issue once, as something to check the next time.

    What is no rule of ours, a model may have said. Whoever judges the run of an agent may have read what its tools
    returned, which waits for approval as the words of those who wrote that.
    """
    said: dict[str, tuple[str, Source]] = {}
    for one in reflected.complaints:
        for issue, key in zip_longest(one.issues, one.keys, fillvalue=""):
            free = Source.EXTERNAL if reflected.is_of_an_agent else Source.MODEL
            source = Source.EVALUATOR if key else free
            said.setdefault(
                one_line(issue, _ISSUE_CHARS),
                (one_line(one.error_type or "", 100) or "sql", source),
            )
    for issue, (kind, source) in list(said.items())[:_MOST_ISSUES]:
        yield explained(issue, reflected.proposal("checklist", issue, source, kind))


def _name(one: Feedback) -> str:
    return f"{one.rater} ({one.source.value})"


def _most_trusted(said: list[Feedback]) -> Source:
    order = list(Source)
    return min((one.source for one in said), key=order.index)
