"""Training a LoRA adapter on exported pairs, with peft and transformers: the optional extra `lora`.

LoRA as in Hu et al., “LoRA: Low-Rank Adaptation of Large Language Models” (2021): the weights of the base model stay as
they are; small matrices beside them are trained, on the answers only, not on the questions.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from oldhand.errors import MissingExtra, OutputExists, UsageError
from oldhand.errors.files import written_to
from oldhand.learning.training.conversations import LoraSettings, Trained, read_conversations

_NEEDED = ("torch", "transformers", "peft")


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
        StoreError: the folder can't be made.
    """
    _check_output(output, force=force)
    conversations = read_conversations(training_data)
    for package in _NEEDED:
        if find_spec(package) is None:
            raise MissingExtra(f"The package {package}", "lora")
    with written_to(output):  # before hours of training
        output.mkdir(parents=True, exist_ok=True)
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
