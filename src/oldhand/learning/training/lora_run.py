"""The training itself; imported only where the extra `lora` is installed."""

# The types of torch, transformers and peft are not at hand where this is checked: they are an optional extra.
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportMissingTypeStubs=false

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Self

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase

from oldhand.errors import UsageError
from oldhand.learning.training.conversations import LoraSettings, Trained, TrainingConversation
from oldhand.record.episode import Message

_NOT_TRAINED = -100
"""What torch's cross entropy passes over."""


@dataclass(frozen=True)
class Example:
    """The tokens of one conversation."""

    tokens: list[int]
    labels: list[int]
    """The same, with everything but the last answer masked."""


@dataclass(frozen=True)
class LoraRun:
    """A model with an adapter that can be trained."""

    model: PeftModel
    tokenizer: PreTrainedTokenizerBase
    settings: LoraSettings

    @classmethod
    def load(cls, base_model: str, settings: LoraSettings) -> Self:
        """The base model with a fresh adapter on all its linear layers.

        Raises:
            UsageError: it can't be loaded.
        """
        torch.manual_seed(settings.seed)
        try:
            tokenizer = AutoTokenizer.from_pretrained(base_model)
            base = AutoModelForCausalLM.from_pretrained(base_model)
        except (OSError, ValueError) as error:
            first = str(error).splitlines()[0]
            raise UsageError(f"The base model {base_model!r} cannot be loaded: {first}") from error
        config = LoraConfig(
            r=settings.rank,
            lora_alpha=2 * settings.rank,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        )
        model = get_peft_model(base, config)
        if torch.cuda.is_available():
            model = model.to("cuda")
        return cls(model, tokenizer, settings)

    def train(
        self,
        conversations: Sequence[TrainingConversation],
        observe: Callable[[int, float], None] | None,
    ) -> Trained:
        """Train on the answers; the order is drawn anew for each epoch."""
        examples = [self._example(one) for one in conversations]
        weights = [one for one in self.model.parameters() if one.requires_grad]
        optimizer = torch.optim.AdamW(weights, lr=self.settings.learning_rate)
        drawn, losses, steps = Random(self.settings.seed), list[float](), 0  # noqa: S311
        self.model.train()
        for epoch in range(self.settings.epochs):
            drawn.shuffle(examples)
            of_epoch = [self._step(batch, optimizer) for batch in self._batches(examples)]
            steps += len(of_epoch)
            losses.append(sum(of_epoch) / len(of_epoch))
            if observe is not None:
                observe(epoch + 1, losses[-1])
        return Trained(pairs=len(examples), steps=steps, first_loss=losses[0], last_loss=losses[-1])

    def save(self, output: Path) -> None:
        """Write adapter and tokenizer."""
        self.model.save_pretrained(output)
        self.tokenizer.save_pretrained(output)

    def _example(self, conversation: TrainingConversation) -> Example:
        *before, answer = conversation.messages
        prompt = self._prompt(before)
        given = self.tokenizer.encode(prompt, add_special_tokens=False)
        end = self.tokenizer.eos_token or ""
        said = self.tokenizer.encode(answer.content + end, add_special_tokens=False)
        # A question that leaves no room loses its beginning: without the answer there is nothing to learn.
        said = said[: self.settings.max_tokens]
        given = given[max(0, len(given) + len(said) - self.settings.max_tokens) :]
        return Example([*given, *said], [*([_NOT_TRAINED] * len(given)), *said])

    def _prompt(self, messages: Sequence[Message]) -> str:
        """The conversation as the model is used to it; plain lines for a model that knows no layout."""
        if self.tokenizer.chat_template:
            said = [message.model_dump() for message in messages]
            text = self.tokenizer.apply_chat_template(
                said, tokenize=False, add_generation_prompt=True
            )
            return str(text)
        lines = [f"{message.role}: {message.content}" for message in messages]
        return "\n".join([*lines, "assistant: "])

    def _batches(self, examples: Sequence[Example]) -> Iterator[Sequence[Example]]:
        size = self.settings.batch
        return (examples[start : start + size] for start in range(0, len(examples), size))

    def _step(self, batch: Sequence[Example], optimizer: torch.optim.Optimizer) -> float:
        """One change of the weights; the mean loss of the answers' tokens before it."""
        longest = max(len(one.tokens) for one in batch)
        device = self.model.device

        def padded(rows: Sequence[Sequence[int]], filling: int) -> torch.Tensor:
            return torch.tensor(
                [[*row, *([filling] * (longest - len(row)))] for row in rows], device=device
            )

        mask = padded([[1] * len(one.tokens) for one in batch], 0)
        tokens = padded([one.tokens for one in batch], self.tokenizer.pad_token_id or 0)
        labels = padded([one.labels for one in batch], _NOT_TRAINED)
        loss = self.model(input_ids=tokens, attention_mask=mask, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return float(loss.item())
