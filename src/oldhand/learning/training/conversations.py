"""What the training of an adapter reads and tells: its settings, the conversations, and what came of it."""

from pathlib import Path

from pydantic import Field, JsonValue, ValidationError

from oldhand.errors import InvalidTrainingData
from oldhand.record.base import Record
from oldhand.record.episode import Message


class LoraSettings(Record):
    """How to train."""

    epochs: int = Field(default=3, ge=1)
    """Times that every pair is seen."""
    learning_rate: float = Field(default=2e-4, gt=0)
    rank: int = Field(default=8, ge=1)
    """Width of the matrices that are trained."""
    batch: int = Field(default=4, ge=1)
    """Pairs between two changes of the weights."""
    max_tokens: int = Field(default=1_024, ge=8)
    """Longer pairs are cut at their end."""
    seed: int = 0


class Trained(Record):
    """What came of it."""

    pairs: int
    steps: int
    """Changes of the weights."""
    first_loss: float
    """Mean cross entropy of an answer's tokens, in nats, over the first epoch."""
    last_loss: float
    """The same over the last epoch."""


class TrainingConversation(Record):
    """One line of training data."""

    messages: tuple[Message, ...] = Field(min_length=2)
    metadata: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


def read_conversations(path: Path) -> tuple[TrainingConversation, ...]:
    """The lines of an export.

    Raises:
        InvalidTrainingData: the file can't be read, is empty, or a line does not hold; the line is named.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidTrainingData(f"{path} cannot be read: {error}") from error
    found = tuple(
        _conversation(path, number, line) for number, line in enumerate(lines, 1) if line.strip()
    )
    if not found:
        raise InvalidTrainingData(f"{path} has no pairs: `oldhand export training` writes them.")
    return found


def _conversation(path: Path, number: int, line: str) -> TrainingConversation:
    try:
        found = TrainingConversation.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidTrainingData(f"{path}, line {number}: {place} {first['msg']}.") from error
    if found.messages[-1].role != "assistant":
        raise InvalidTrainingData(
            f"{path}, line {number}: the last message must be the assistant's."
        )
    return found
