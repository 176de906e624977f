"""What is compared: arms, ways of giving feedback, and wordings."""

from dataclasses import dataclass
from enum import StrEnum

from oldhand.record.memory import MemoryType

FIRST = 8
"""Confirmed pairs of a database that the static arm keeps: as many as are recalled for a question."""

EVERYTHING = frozenset((MemoryType.EXAMPLE, MemoryType.ISSUE, MemoryType.PREFERENCE))


@dataclass(frozen=True)
class Arm:
    """Which memories are recalled, and what becomes of them; all are learned in the same way."""

    name: str
    recalled: frozenset[MemoryType] = frozenset()
    """The types that are recalled."""
    first: int | None = None
    """So many confirmed pairs are kept, later ones are not; None keeps all."""
    shuffled: bool = False
    """Each memory answers with what another memory learned."""
    rolled_back: bool = False
    """In the middle of the stream all that was learned is taken back, and learning stops."""


OFF = Arm("loop off")
STATIC = Arm(f"the first {FIRST} confirmed pairs", frozenset((MemoryType.EXAMPLE,)), first=FIRST)
FAILURES = Arm("past failures only", frozenset((MemoryType.ISSUE,)))
EXAMPLES = Arm("confirmed examples only", frozenset((MemoryType.EXAMPLE,)))
ALIASES = Arm("aliases only", frozenset((MemoryType.PREFERENCE,)))
OURS = Arm("ours", EVERYTHING)
PLACEBO = Arm("shuffled placebo", EVERYTHING, shuffled=True)
ROLL_BACK = Arm("ours, rolled back halfway", EVERYTHING, rolled_back=True)


class Form(StrEnum):
    """In which form the owner answers to what was shown."""

    GOLD = "gold"
    """A thumb, and the right SQL as the correction."""
    THUMB = "thumbs"
    """Up when the answer was right, down when not."""


@dataclass(frozen=True)
class Manner:
    """How the owner gives feedback."""

    form: Form = Form.GOLD
    rate: float = 1.0
    """Share of the questions that get any."""
    flipped: float = 0.0
    """Share of the thumbs that say the opposite of what is so."""
    late: int = 0
    """Questions of the stream that are asked before it comes."""

    @property
    def name(self) -> str:
        """For tables.

        >>> Manner(Form.THUMB, 0.5, flipped=0.2).name
        'thumbs on 50 %, 20 % flipped'
        >>> Manner(late=10).name
        'gold on 100 %, 10 questions late'
        """
        flips = f", {self.flipped:.0%} flipped".replace("%", " %") if self.flipped else ""
        late = f", {self.late} questions late" if self.late else ""
        return f"{self.form} on {100 * self.rate:.0f} %{flips}{late}"


@dataclass(frozen=True)
class Condition:
    """One run over the stream."""

    arm: Arm
    manner: Manner = Manner()
    synonyms: bool = False
    """Asked in the wording that avoids the schema's words."""


ARMS = (OFF, STATIC, FAILURES, EXAMPLES, ALIASES, OURS, PLACEBO, ROLL_BACK)
GOLD_RATES = (0.1, 0.25, 0.5, 1.0)
THUMB_RATES = (0.1, 0.25, 0.5, 1.0)
FLIPS = (0.0, 0.1, 0.2, 0.3)
DELAYS = (0, 10, 50, 200)
SYNONYM_ARMS = (OFF, EXAMPLES, ALIASES, OURS)

GOLD = tuple(Manner(Form.GOLD, rate) for rate in GOLD_RATES)
THUMBS = tuple(Manner(Form.THUMB, rate) for rate in THUMB_RATES)
FLIPPED = tuple(Manner(Form.THUMB, flipped=share) for share in FLIPS)
LATE = tuple(Manner(late=questions) for questions in DELAYS)


def baseline(condition: Condition) -> Condition:
    """What a run is compared with: the loop off, in the same wording."""
    return Condition(OFF, synonyms=condition.synonyms)


def conditions() -> tuple[Condition, ...]:
    """Every run of the benchmark, each once.

    >>> len(conditions())
    25
    """
    manners = (*GOLD, *THUMBS, *FLIPPED, *LATE)
    listed = (
        *(Condition(arm) for arm in ARMS),
        *(Condition(OURS, manner) for manner in manners),
        *(Condition(arm, synonyms=True) for arm in SYNONYM_ARMS),
    )
    return tuple(dict.fromkeys(listed))
