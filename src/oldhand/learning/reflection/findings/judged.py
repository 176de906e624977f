"""What evaluators have found wrong."""

from collections.abc import Iterator

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.models.quoting import one_line
from oldhand.record.feedback import Source
from oldhand.record.proposal import Proposal
from oldhand.settings import ReflectionSettings

_MOST = 5
_CHARS = 240


def complaints(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Each issue once, as something to check the next time."""
    said: dict[str, str] = {}
    for one in reflected.complaints:
        for issue in one.issues:
            said.setdefault(one_line(issue, _CHARS), one.error_type or "")
    for issue, kind in list(said.items())[:_MOST]:
        yield Finding(
            improvement=issue,
            root_cause=issue,
            proposals=(
                Proposal(
                    type="checklist",
                    text=issue,
                    domain=one_line(kind, 100) or "sql",
                    episode_id=reflected.episode.id,
                    source=Source.EVALUATOR,
                ),
            ),
        )
