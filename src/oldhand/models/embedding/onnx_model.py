"""Models of meaning that run on this machine: a folder with `model.onnx` and `tokenizer.json`."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from oldhand.errors import InvalidSetting, MissingExtra
from oldhand.models.embedding.vectors import unit_vectors

MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
_PACKAGES = ("onnxruntime", "tokenizers")
_LONGEST = 256
"""Tokens of a text that are read, where the folder doesn't say."""
_BATCH_TOKENS = 8_192
"""Tokens that are read at once, those that fill up shorter texts included."""

Texts = Sequence[str] | Sequence[tuple[str, str]]
"""Texts, or pairs of them."""


class _Session(Protocol):
    """What is used of the package onnxruntime."""

    def run(self, wanted: None, given: dict[str, NDArray[np.int64]]) -> Sequence[object]: ...


class _Encoding(Protocol):
    """A text as the model reads it."""

    ids: list[int]
    type_ids: list[int]
    attention_mask: list[int]


class _Tokenizer(Protocol):
    """What is used of the package tokenizers."""

    def encode_batch(self, texts: object) -> list[_Encoding]: ...


class _Loaded(NamedTuple):
    session: _Session
    tokenizer: _Tokenizer
    inputs: frozenset[str]


class OnnxModel:
    """A model that reads texts; loaded when it is first used. Threads may share it."""

    def __init__(self, folder: Path, tokenizer: Path | None = None, threads: int = 0) -> None:
        """See `OnnxEmbedder`.

        Raises:
            InvalidSetting: a file is missing.
            MissingExtra: what runs such models is not installed.
        """
        folder = folder.expanduser()
        self._model = folder / MODEL_FILE
        self._words = (tokenizer or folder) / TOKENIZER_FILE
        for file in (self._model, self._words):
            if not file.is_file():
                raise InvalidSetting(f"{file.parent} holds no {file.name}: name another folder.")
        for package in _PACKAGES:
            try:
                import_module(package)
            except ImportError as error:
                raise MissingExtra(f"The package {package}", "embeddings") from error
        self._threads = threads
        self._lock = Lock()

    @cached_property
    def digest(self) -> str:
        """Of the model's bytes."""
        return sha256(self._model.read_bytes()).hexdigest()[:8]

    def batches(self, texts: Texts) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
        """What the model says of some texts at a time, with their places: texts of like length go together."""
        loaded = self._loaded
        read = loaded.tokenizer.encode_batch(list(texts))
        order = sorted(range(len(read)), key=lambda one: -len(read[one].ids))
        while order:
            size = max(1, _BATCH_TOKENS // max(1, len(read[order[0]].ids)))
            batch, order = order[:size], order[size:]
            yield batch, self._run(loaded, [read[one] for one in batch])

    def _run(self, loaded: _Loaded, read: Sequence[_Encoding]) -> NDArray[np.float32]:
        shape = (len(read), max(len(one.ids) for one in read))
        names = {
            "input_ids": "ids",
            "attention_mask": "attention_mask",
            "token_type_ids": "type_ids",
        }
        given = {name: np.zeros(shape, np.int64) for name in names}
        for name, attribute in names.items():
            for row, one in zip(given[name], read, strict=True):
                row[: len(one.ids)] = getattr(one, attribute)
        asked = {name: values for name, values in given.items() if name in loaded.inputs}
        out = cast("NDArray[np.float32]", loaded.session.run(None, asked)[0])
        if out.ndim != 3:
            return out
        mask = given["attention_mask"][..., None].astype(np.float32)
        return (out * mask).sum(axis=1) / mask.sum(axis=1)

    @property
    def _loaded(self) -> _Loaded:
        with self._lock:
            return self._load

    @cached_property
    def _load(self) -> _Loaded:
        onnxruntime, tokenizers = map(import_module, _PACKAGES)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(str(self._model), options)
            words = tokenizers.Tokenizer.from_file(str(self._words))
        except Exception as error:
            raise InvalidSetting(f"{self._model.parent} cannot be loaded: {error}") from error
        words.no_padding()
        words.enable_truncation(_most_tokens(self._words.parent))
        return _Loaded(session, words, frozenset(one.name for one in session.get_inputs()))


def _most_tokens(folder: Path) -> int:
    file = folder / "sentence_bert_config.json"
    if not file.is_file():
        return _LONGEST
    said = cast("dict[str, int]", json.loads(file.read_text()))
    return said.get("max_seq_length", _LONGEST)


class OnnxEmbedder:
    """An `Embedder` on this machine: the mean over the words of a text."""

    def __init__(self, model: OnnxModel, name: str) -> None:
        self._model = model
        self.name = name
        """See `Embedder`."""
        self._size = 0

    @property
    def dimensions(self) -> int:
        """See `Embedder`."""
        self._size = self._size or len(self.embed_question("?"))
        return self._size

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        found: dict[int, NDArray[np.float32]] = {}
        for places, rows in self._model.batches(texts):
            found.update(zip(places, rows, strict=True))
        rows = np.stack([found[place] for place in range(len(texts))])
        return unit_vectors(rows, len(texts), 0, self.name)

    def embed_question(self, question: str) -> NDArray[np.float32]:
        """See `Embedder`."""
        return self.embed([question])[0]


class OnnxCrossEncoder:
    """A `CrossEncoder` on this machine, such as those that were trained on MS MARCO."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model

    def fits(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """See `CrossEncoder`."""
        found: dict[int, float] = {}
        for places, rows in self._model.batches([(question, text) for text in texts]):
            shares = 1.0 / (1.0 + np.exp(-rows.reshape(len(places), -1)[:, -1]))
            found.update(zip(places, shares.tolist(), strict=True))
        return [found[place] for place in range(len(texts))]
