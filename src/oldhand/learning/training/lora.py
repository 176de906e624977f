"""Training a LoRA adapter on exported pairs, with peft and transformers: the optional extra `lora`.

LoRA as in Hu et al., “LoRA: Low-Rank Adaptation of Large Language Models” (2021): the weights of the base model stay as
they are; small matrices beside them are trained, on the answers only, not on the questions.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from pydantic import Field, JsonValue, ValidationError

from oldhand.errors import InvalidTrainingData, MissingExtra, OutputExists, UsageError
from oldhand.record.base import Record
from oldhand.record.episode import Message

_NEEDED = ("torch", "transformers", "peft")


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


class Conversation(Record):
    """One line of training data."""

    messages: tuple[Message, ...] = Field(min_length=2)
    metadata: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


def read_conversations(path: Path) -> tuple[Conversation, ...]:
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
        raise InvalidTrainingData(f"{path} has no pairs: oldhand export training writes them.")
    return found


def _conversation(path: Path, number: int, line: str) -> Conversation:
    try:
        found = Conversation.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidTrainingData(f"{path}, line {number}: {place} {first['msg']}.") from error
    if found.messages[-1].role != "assistant":
        raise InvalidTrainingData(
            f"{path}, line {number}: the last message must be the assistant's."
        )
    return found


def train_lora(
    base_model: str,
    training_data: Path,
    output: Path,
    settings: LoraSettings | None = None,
    *,
    force: bool = False,
    observe: Callable[[int, float], None] | None = None,
) -> Trained:
    """Train an adapter; blocks for long.

    Args:
        base_model: a folder with a model in Hugging Face's layout, or a name on its hub.
        training_data: as `oldhand export training` writes it.
        output: the folder for the adapter and the tokenizer, which `peft` and servers load beside the base model.
        settings: how.
        force: write into a folder that is not empty.
        observe: is told the number and the mean loss of each epoch.

    Raises:
        MissingExtra: torch, transformers or peft is not installed.
        InvalidTrainingData: the data does not hold.
        OutputExists: the folder is not empty.
        UsageError: the base model can't be loaded, or the output is to be a GGUF file.
    """
    _check_output(output, force=force)
    conversations = read_conversations(training_data)
    for package in _NEEDED:
        if find_spec(package) is None:
            raise MissingExtra(f"The package {package}", "lora")
    from oldhand.learning.training.lora_run import LoraRun  # noqa: PLC0415  # an optional extra

    run = LoraRun.load(base_model, settings or LoraSettings())
    trained = run.train(conversations, observe)
    run.save(output)
    return trained


def _check_output(output: Path, *, force: bool) -> None:
    if output.suffix == ".gguf":
        raise UsageError(
            f"{output}: adapters are written as a folder that peft reads, not as GGUF; "
            "llama.cpp's convert_lora_to_gguf.py converts it."
        )
    if output.exists() and (not output.is_dir() or any(output.iterdir())) and not force:
        raise OutputExists(f"{output} is there already and not empty: --force writes into it.")
