"""How the models have done on questions of each kind: always derived from the latest answers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from oldhand.learning.routing.buckets import Bucket, bucket_of_words
from oldhand.record.answer import Outcome
from oldhand.record.fared import Fared
from oldhand.settings import BUILTIN

_NO_ANSWER = frozenset({Outcome.ABSTAINED, Outcome.FAILED})


@dataclass
class ModelExperience:
    """What one model has done; nothing but sums."""

    answers: int = 0
    good: int = 0
    bad: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    @property
    def judged(self) -> int:
        """Answers of which it is known how they went."""
        return self.good + self.bad

    def add(self, answer: Fared) -> None:
        """Take one answer in."""
        success = went_well(answer)
        self.answers += 1
        self.good += success is True
        self.bad += success is False
        self.cost += answer.cost
        self.seconds += answer.seconds


@dataclass
class Experience:
    """What all models have done."""

    by_model: dict[str, ModelExperience] = field(
        default_factory=lambda: defaultdict(ModelExperience)
    )
    by_bucket: dict[tuple[str, Bucket], ModelExperience] = field(
        default_factory=lambda: defaultdict(ModelExperience)
    )

    def of(self, model: str, bucket: Bucket) -> ModelExperience:
        """What a model has done on questions of one kind."""
        return self.by_bucket.get((model, bucket), ModelExperience())

    def elsewhere(self, model: str, bucket: Bucket) -> list[tuple[Bucket, ModelExperience]]:
        """What it has done on questions of other kinds."""
        found = self.by_bucket.items()
        return [(kind, tried) for (name, kind), tried in found if name == model and kind != bucket]


def experience_of(answers: Iterable[Fared]) -> Experience:
    """Add up answers by model and kind of question."""
    found = Experience()
    for one in filter(_was_there, answers):
        found.by_model[one.model].add(one)
        found.by_bucket[one.model, bucket_of_words(one.question)].add(one)
    return found


def _was_there(answer: Fared) -> bool:
    """Whether the model was heard at all: one that is down says nothing of how good it is."""
    is_silent = answer.outcome is Outcome.FAILED and not answer.requests
    return not is_silent or answer.model == BUILTIN or answer.feedback is not None


def went_well(answer: Fared) -> bool | None:
    """How an answer went, for a choice between models: none at all counts as a wrong one, unless somebody says else."""
    if answer.success is None and answer.outcome in _NO_ANSWER:
        return False
    return answer.success
