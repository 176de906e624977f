"""Versions of a prompt as memories: their marks, names and order.

The text of a version is a block of instructions that stands below the system prompt of its role: never the template
itself, so that no version can lose a placeholder, and the template can change with the software.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from oldhand.learning.lifecycle.pruning import superseded_by
from oldhand.learning.prompts.roles import ROLES
from oldhand.record.feedback import Source
from oldhand.record.memory import Memory, MemoryType, PerformanceMetrics, PromptPayload, Provenance
from oldhand.record.stage import DEPRECATED, SUPERSEDED_BY, Stage, is_approved, is_shown
from oldhand.store.search.searched_text import STOP_WORDS

ACTIVE: Final = "active"
"""Tag of the version that is used."""
CANDIDATE: Final = "candidate"
"""Tag of a version that is tried against the active one."""
SUGGESTED_BY: Final = "suggestion"
"""Field of a payload: the id of the lesson that a version took its new instruction from."""
SHIPPED_CONFIDENCE: Final = 0.7
UNKNOWN_RATE: Final = 0.5
"""The success rate of a version that nobody has judged yet."""

_STATES = frozenset({ACTIVE, CANDIDATE, DEPRECATED, *Stage})
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(
    r"""^\s*(?:add|include|put)\s+(?P<mark>['"‘“])(?P<said>.+)['"’”]\s+(?:to|in|into)\b.*\bprompt\.?\s*$""",  # noqa: RUF001
    re.IGNORECASE | re.DOTALL,
)
_WEAK_WORDS = STOP_WORDS | {"always", "never", "please", "unless", "add", "use", "say", "emphasize"}


class Version(NamedTuple):
    """A memory that is a version of a prompt."""

    memory: Memory
    payload: PromptPayload
    role: str

    @classmethod
    def of(cls, memory: Memory) -> "Version | None":
        """The memory as a version of a prompt; None when it is none, or of no role that we know.

        >>> from oldhand.testing.records import example_memory
        >>> Version.of(example_memory("orchestrator_v2", MemoryType.PROMPT, tags=("orchestrator",))).number
        2
        """
        role = next((tag for tag in memory.tags if tag in ROLES), None)
        if role is None or not isinstance(memory.payload, PromptPayload):
            return None
        return cls(memory, memory.payload, role)

    @property
    def id(self) -> str:
        """The id of the memory, such as `orchestrator_v2`."""
        return self.memory.id

    @property
    def number(self) -> int:
        """The 2 of `v2`; 0 where there is none."""
        found = _NUMBER.search(self.payload.version)
        return int(found[0]) if found else 0

    @property
    def is_deprecated(self) -> bool:
        """Whether another has taken its place, or somebody has set it aside."""
        replaced = DEPRECATED in self.memory.tags or superseded_by(self.memory) is not None
        return replaced or not is_shown(self.memory)

    @property
    def is_usable(self) -> bool:
        """Whether it may be chosen: what says something has to rest on trusted people's words."""
        said = self.payload.text.strip()
        return not self.is_deprecated and (not said or is_approved(self.memory))

    def worth(self, metrics: PerformanceMetrics) -> tuple[float, datetime, int]:
        """What versions are chosen by: confidence times success rate, then the newer one."""
        rate = UNKNOWN_RATE if metrics.success_rate is None else metrics.success_rate
        return self.memory.confidence * rate, self.memory.created_at, self.number


def in_state(version: Version, state: str, *, replaced_by: str | None = None) -> Memory:
    """The version as one that is active, a candidate, or deprecated in favour of another."""
    fields = version.payload.model_dump()
    fields.pop(SUPERSEDED_BY, None)
    if replaced_by is not None:
        fields[SUPERSEDED_BY] = replaced_by
    tags = tuple(tag for tag in version.memory.tags if tag not in _STATES)
    changes = {"tags": (*tags, state), "payload": PromptPayload.model_validate(fields)}
    return version.memory.model_copy(update=changes)


def shipped_version(role: str, clone_id: str, at: datetime) -> Memory:
    """The first version of a role: nothing is added to the shipped prompt."""
    return Memory(
        type=MemoryType.PROMPT,
        id=f"{role}_v1",
        clone_id=clone_id,
        created_at=at,
        confidence=SHIPPED_CONFIDENCE,
        tags=(role, ACTIVE),
        summary=f"The {role} prompt as it is shipped",
        provenance=Provenance(source=Source.EXECUTION),
        payload=PromptPayload(version="v1", description="As it is shipped.", text=""),
    )


def next_version(
    before: Version, suggestion: Memory, instruction: str, number: int, at: datetime
) -> Memory:
    """The version that adds one instruction to another version.

    The sources, the confidence and the approval of the suggestion count for it.
    """
    version = f"v{number}"
    name = "_".join(filter(None, (before.role, version, slug(instruction))))
    approvals = tuple(tag for tag in ("approved", "reviewed") if tag in suggestion.tags)
    payload = {
        "version": version,
        "description": f"Added: {instruction}",
        "text": "\n".join(filter(None, (before.payload.text, f"- {instruction}"))),
        "supersedes": before.id,
        SUGGESTED_BY: suggestion.id,
    }
    return Memory(
        type=MemoryType.PROMPT,
        id=name,
        clone_id=before.memory.clone_id,
        created_at=at,
        confidence=suggestion.confidence,
        tags=(before.role, CANDIDATE, *approvals),
        summary=f"{before.role} {version}: {instruction}",
        provenance=suggestion.provenance,
        payload=PromptPayload.model_validate(payload),
    )


def taken_up(versions: Iterable[Version]) -> frozenset[str]:
    """Ids of the suggestions that some version was made of, whatever became of it."""
    made_of = ((one.payload.model_extra or {}).get(SUGGESTED_BY) for one in versions)
    return frozenset(str(one) for one in made_of if one)


def instruction_in(suggestion: str) -> str:
    """The instruction of a suggestion, as one line.

    >>> instruction_in("Add 'be concise unless asked to elaborate' to system prompt")
    'Be concise unless asked to elaborate.'
    >>> instruction_in("Emphasize units.")
    'Emphasize units.'
    """
    quoted = _QUOTED.match(suggestion)
    line = " ".join((quoted["said"] if quoted else suggestion).split())
    ended = line if line.endswith((".", "!", "?", ":")) else f"{line}."
    return ended[:1].upper() + ended[1:]


def slug(instruction: str) -> str:
    """The first telling word of an instruction, for the name of a version.

    >>> slug("Be concise unless asked to elaborate."), slug("Do it.")
    ('concise', '')
    """
    words = re.findall(r"[a-z]{4,20}", instruction.casefold())
    return next((word for word in words if word not in _WEAK_WORDS), "")
