"""A BERT that lies in PyTorch's format becomes an ONNX model, with whole numbers of 8 bits for its weights."""

import json
import os
from importlib import import_module
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

# What these packages say of their types is less than a checker wants.
_onnx, _helper = import_module("onnx"), import_module("onnx.helper")
_quantization = import_module("onnxruntime.quantization")
_FLOAT, _INT64 = _onnx.TensorProto.FLOAT, _onnx.TensorProto.INT64

_FAR_AWAY = -1e4
"""Added to what is not to be looked at, before the softmax."""


class _BertConfig(BaseModel):
    """What `config.json` says of the sizes."""

    hidden_size: int
    num_attention_heads: int
    num_hidden_layers: int
    layer_norm_eps: float


def quantised(folder: Path, target: Path) -> None:
    """Write the model of a folder with `config.json` and `model.safetensors` as `target`, whole or not at all."""
    config = _BertConfig.model_validate_json((folder / "config.json").read_text())
    target.parent.mkdir(parents=True, exist_ok=True)
    plain, small = (target.with_name(f"{target.name}.{os.getpid()}.{one}") for one in ("32", "8"))
    try:
        _onnx.save(_Bert(config, _tensors(folder / "model.safetensors")).model(), plain)
        _quantization.quantize_dynamic(plain, small, weight_type=_quantization.QuantType.QInt8)
        small.replace(target)
    finally:
        plain.unlink(missing_ok=True)
        small.unlink(missing_ok=True)


def _tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The numbers of a file: its length in 8 bytes, a header in JSON, then one tensor after another."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = cast("dict[str, dict[str, object]]", json.loads(data[8:start]))
    found: dict[str, NDArray[np.float32]] = {}
    for name, of in header.items():
        if name == "__metadata__" or of["dtype"] != "F32":
            continue
        first, end = cast("list[int]", of["data_offsets"])
        flat = np.frombuffer(data[start + first : start + end], "<f4")
        found[name] = flat.reshape(cast("list[int]", of["shape"]))
    return found


class _Bert:
    """Builds the graph, node by node; each method returns the name of what it computes."""

    def __init__(self, config: _BertConfig, tensors: dict[str, NDArray[np.float32]]) -> None:
        self._config = config
        self._tensors = tensors
        self._nodes: list[object] = []
        self._constants: list[object] = []

    def model(self) -> object:
        """From `input_ids` and `attention_mask` to `last_hidden_state`."""
        x = self._embedded()
        seen = self._op("Cast", "attention_mask", to=_FLOAT)
        hidden = self._op("Sub", self._numbers([1.0]), seen)
        far = self._op("Mul", hidden, self._numbers([_FAR_AWAY]))
        bias = self._op("Unsqueeze", far, self._integers([1, 2]))
        for layer in range(self._config.num_hidden_layers):
            x = self._layer(f"encoder.layer.{layer}", x, bias)
        self._nodes.append(_helper.make_node("Identity", [x], ["last_hidden_state"]))
        size = ["batch", "length"]
        given = [
            _helper.make_tensor_value_info(name, _INT64, size)
            for name in ("input_ids", "attention_mask")
        ]
        out = _helper.make_tensor_value_info(
            "last_hidden_state", _FLOAT, [*size, self._config.hidden_size]
        )
        graph = _helper.make_graph(self._nodes, "bert", given, [out], self._constants)
        return _helper.make_model(
            graph, opset_imports=[_helper.make_opsetid("", 20)], ir_version=10
        )

    def _embedded(self) -> str:
        name = "embeddings.{}_embeddings.weight"
        words = self._op("Gather", self._weight(name.format("word")), "input_ids")
        # All tokens are of the first kind, whose vector can be added to those of the places.
        at = self._tensors[name.format("position")] + self._tensors[name.format("token_type")][0]
        length = self._op("Gather", self._op("Shape", "input_ids"), self._integers(1))
        counted = self._op("Range", self._integers(0), length, self._integers(1))
        places = self._op("Gather", self._constant(at), counted)
        return self._normed("embeddings.LayerNorm", self._op("Add", words, places))

    def _layer(self, name: str, x: str, bias: str) -> str:
        looked = self._linear(f"{name}.attention.output.dense", self._attention(name, x, bias))
        x = self._normed(f"{name}.attention.output.LayerNorm", self._op("Add", looked, x))
        inner = self._op("Gelu", self._linear(f"{name}.intermediate.dense", x))
        out = self._linear(f"{name}.output.dense", inner)
        return self._normed(f"{name}.output.LayerNorm", self._op("Add", out, x))

    def _attention(self, name: str, x: str, bias: str) -> str:
        heads = self._config.num_attention_heads
        width = self._config.hidden_size // heads
        split = self._integers([0, 0, heads, width])
        query, key, value = (
            self._op("Reshape", self._linear(f"{name}.attention.self.{one}", x), split)
            for one in ("query", "key", "value")
        )
        query = self._op("Transpose", query, perm=[0, 2, 1, 3])
        key = self._op("Transpose", key, perm=[0, 2, 3, 1])
        value = self._op("Transpose", value, perm=[0, 2, 1, 3])
        near = self._op("Div", self._op("MatMul", query, key), self._numbers([width**0.5]))
        shares = self._op("Softmax", self._op("Add", near, bias), axis=-1)
        mixed = self._op("Transpose", self._op("MatMul", shares, value), perm=[0, 2, 1, 3])
        return self._op("Reshape", mixed, self._integers([0, 0, heads * width]))

    def _linear(self, name: str, x: str) -> str:
        weight = self._constant(self._tensors[f"{name}.weight"].T)
        return self._op("Add", self._op("MatMul", x, weight), self._weight(f"{name}.bias"))

    def _normed(self, name: str, x: str) -> str:
        scale, shift = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        eps = self._config.layer_norm_eps
        return self._op("LayerNormalization", x, scale, shift, axis=-1, epsilon=eps)

    def _op(self, kind: str, *given: str, **how: object) -> str:
        name = f"n{len(self._nodes)}"
        self._nodes.append(_helper.make_node(kind, list(given), [name], **how))
        return name

    def _weight(self, name: str) -> str:
        return self._constant(self._tensors[name])

    def _numbers(self, values: list[float]) -> str:
        return self._constant(np.asarray(values, np.float32))

    def _integers(self, values: list[int] | int) -> str:
        return self._constant(np.asarray(values, np.int64))

    def _constant(self, values: NDArray[np.float32] | NDArray[np.int64]) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(import_module("onnx.numpy_helper").from_array(values.copy(), name))
        return name
