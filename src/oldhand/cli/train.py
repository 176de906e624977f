"""`oldhand train`: a model of your own out of what people liked."""

from pathlib import Path
from typing import Annotated

from typer import Option

from oldhand.cli import options
from oldhand.errors import UsageError

EXAMPLES = options.examples("""
oldhand export training --output training_data.jsonl
oldhand train lora --base-model ./my-base-model --training-data training_data.jsonl --output models/my-adapter
""")

app = options.group("Train a model of your own.", EXAMPLES)


@app.callback()
def train() -> None:
    """Train a model of your own."""


@app.command(epilog=EXAMPLES)
def lora(
    *,
    base_model: Annotated[
        str, Option("--base-model", metavar="DIR|NAME", help="A folder, or a name on the hub.")
    ],
    training_data: Annotated[
        Path,
        Option("--training-data", metavar="FILE", help="As oldhand export training writes it."),
    ],
    output: Annotated[
        Path, Option("--output", "-o", metavar="DIR", help="The folder for the adapter.")
    ],
    epochs: Annotated[
        int, Option("--epochs", metavar="N", min=1, help="Times that every pair is seen.")
    ] = 3,
    learning_rate: Annotated[
        float, Option("--learning-rate", metavar="RATE", help="How far each step goes.")
    ] = 2e-4,
    rank: Annotated[
        int, Option("--rank", metavar="N", min=1, help="Width of the trained matrices.")
    ] = 8,
    seed: Annotated[
        int, Option("--seed", metavar="N", help="Draws the order and the first weights.")
    ] = 0,
    force: Annotated[
        bool, Option("--force", help="Write into a folder that is not empty.")
    ] = False,
) -> None:
    """Train a LoRA adapter on exported pairs.

    Needs the packages of the extra: pip install 'oldhand[lora]'. The base model stays as it is; the adapter is loaded beside it.
    """
    from oldhand.learning.training.conversations import LoraSettings
    from oldhand.learning.training.lora import train_lora

    if learning_rate <= 0:
        raise UsageError("The learning rate must be above 0.")
    settings = LoraSettings(epochs=epochs, learning_rate=learning_rate, rank=rank, seed=seed)
    trained = train_lora(base_model, training_data, output, settings, force=force, observe=_told)
    print(f"Trained on {trained.pairs:,} pairs in {trained.steps:,} steps; adapter in {output}")


def _told(epoch: int, loss: float) -> None:
    print(f"epoch {epoch}: loss {loss:.4f}")
