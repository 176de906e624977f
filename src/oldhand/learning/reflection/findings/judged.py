"""What evaluators have found wrong."""

from collections.abc import Iterator
from itertools import zip_longest

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.models.quoting import one_line
from oldhand.record.feedback import Source
from oldhand.record.proposal import Proposal
from oldhand.settings import ReflectionSettings

_MOST = 5
_CHARS = 240


def complaints(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Each issue once, as something to check the next time.

    Whoever judges the run of an agent may have read what its tools returned. What is no rule of ours waits for approval
    then, as the words of those who wrote that.
    """
    said: dict[str, tuple[str, Source]] = {}
    for one in reflected.complaints:
        for issue, key in zip_longest(one.issues, one.keys, fillvalue=""):
            ours = key or not reflected.is_of_an_agent
            source = Source.EVALUATOR if ours else Source.EXTERNAL
            said.setdefault(one_line(issue, _CHARS), (one.error_type or "", source))
    for issue, (kind, source) in list(said.items())[:_MOST]:
        yield Finding(
            improvement=issue,
            root_cause=issue,
            proposals=(
                Proposal(
                    type="checklist",
                    text=issue,
                    domain=one_line(kind, 100) or "sql",
                    episode_id=reflected.episode.id,
                    source=source,
                ),
            ),
        )
