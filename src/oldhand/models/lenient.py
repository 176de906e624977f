"""What small models write in place of an object of a schema, read as what they meant.

Two steps: JSON that is nearly right is mended (by json_repair), and the value is then fitted to the schema: wrapped objects are
unwrapped, and names, choices, numbers and lists are taken however they are written. What is still missing or wrong
is left to the check of the schema, so that the model is told.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

import json_repair
from pydantic import BaseModel, JsonValue

from oldhand.lexicon.wording import plain_number

_LONGEST = 10_000
"""Characters that are mended; the work on a hostile answer grows with their square."""
_DEEPEST = 8
_WRITTEN = re.compile(
    r"\s*([-+]?\d+(?:[.,]\d+)?)\s*(?:(%|per ?cent)|/\s*([1-9]\d*))?\s*", re.IGNORECASE
)
"""`80`, `0,8`, `80 %`, `8/10`."""
_DIGITS = re.compile(r"(?<![\d.,])\d{1,9}(?![\d.,%])")
_SURENESS = {"certain": 1.0, "very high": 0.95, "high": 0.85, "medium": 0.6, "moderate": 0.6, "low": 0.3, "very low": 0.1}  # fmt: skip
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|(?<![^\W\d_])'(?:[^'\\\n]|\\.)*'(?!\w)", re.DOTALL)
_BEGINNING = re.compile(r"(?:\[\s*)?\{")
_TAGS = "think|thinking|thought|thoughts|reasoning|analysis|scratchpad|reflection"
_THOUGHT = re.compile(rf"<({_TAGS})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(rf"\A(?:(?!<(?:{_TAGS})>).)*?</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_NOTHING = frozenset({"", "none", "n/a", "null", "-", "[]"})
_YES, _NO = frozenset({"true", "yes", "y", "1"}), frozenset({"false", "no", "n", "0", "none"})

Node: TypeAlias = Mapping[str, JsonValue]


def meant_objects(text: str, schema: type[BaseModel]) -> Iterator[JsonValue]:
    """Objects of `schema` that `text` may mean; each has still to be checked.

    >>> from typing import Annotated, Literal
    >>> from pydantic import Field
    >>> class Choice(BaseModel):
    ...     verdict: Literal["yes", "no"]
    ...     sure: Annotated[float, Field(ge=0, le=1)]
    >>> list(meant_objects("{'answer': {'Verdict': 'YES', sure: '80 %',}}", Choice))
    [{'verdict': 'yes', 'sure': 0.8}]
    """
    if len(text) > _LONGEST or _is_cut(text):
        return
    try:
        value = cast("JsonValue", json_repair.loads(text[_start(text) :]))
    except (ValueError, RecursionError):
        return
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield fitted(one, schema)
    whole = schema.model_json_schema()
    if len(lists := _lists(whole)) == 1 and value:  # the one list of the form, or one thing of it
        yield fitted({lists[0]: value if isinstance(value, list) else [value]}, schema)


def fitted(value: JsonValue, schema: type[BaseModel]) -> JsonValue:
    """The value as the schema wants it, as far as it can be told what was meant."""
    whole = schema.model_json_schema()
    return _Fitting(cast("Node", whole.get("$defs", {}))).fitted(value, whole)


def without_thoughts(text: str) -> str:
    r"""The text without what a model thought before it answered; all of it when it never came to an answer.

    >>> without_thoughts("<think>\nPerhaps {}?\n</think>\nNo."), without_thoughts("Perhaps.</think>No.")
    ('No.', 'No.')
    """
    return _THOUGHT.sub("", _UNOPENED.sub("", text)).strip()


def _is_cut(text: str) -> bool:
    """Whether an object breaks off, or there is none: what was cut could be half a number, or half a list."""
    bare = _STRING.sub("", text)
    opened, closed = (sum(bare.count(sign) for sign in signs) for signs in ("{[", "}]"))
    return not 0 <= text.find("{") < text.rfind("}") or opened > closed


def _start(text: str) -> int:
    found = _BEGINNING.search(text)
    return found.start() if found else 0


def _lists(whole: Node) -> list[str]:
    """The fields of a form that must be there and are lists."""
    properties = cast("Mapping[str, Node]", whole.get("properties", {}))
    required = cast("list[str]", whole.get("required", []))
    return [name for name in required if properties[name].get("type") == "array"]


class _Fitting:
    """Fits values to the nodes of one JSON Schema."""

    def __init__(self, definitions: Node) -> None:
        self._definitions = definitions

    def fitted(self, value: JsonValue, node: Node, depth: int = 0) -> JsonValue:
        """The value as the node wants it, as far as it can be told what was meant."""
        if depth > _DEEPEST:
            return value
        node = self._resolved(node)
        if (choices := node.get("enum")) is not None:
            return _chosen(value, cast("list[JsonValue]", choices))
        match node.get("type"):
            case "object" if "properties" in node:
                return self._object(value, cast("Mapping[str, Node]", node["properties"]), depth)
            case "array":
                items = cast("Node", node.get("items", {}))
                return [self.fitted(one, items, depth + 1) for one in _listed(value)]
            case "number":
                return _number(value, share=node.get("maximum") == 1)
            case kind:
                return _PLAIN.get(str(kind), _as_it_is)(value)

    def _resolved(self, node: Node) -> Node:
        if isinstance(reference := node.get("$ref"), str):
            return cast("Node", self._definitions[reference.rpartition("/")[2]])
        return node

    def _object(self, value: JsonValue, properties: Mapping[str, Node], depth: int) -> JsonValue:
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict):
            return value
        names = {_folded(name): name for name in properties}
        if not any(_folded(key) in names for key in value):
            inner = [one for one in value.values() if isinstance(one, dict | list)]
            return self._object(inner[0], properties, depth + 1) if len(inner) == 1 else value
        return {
            name: self.fitted(one, properties[name], depth + 1)
            for key, one in value.items()
            # What is null was not said: the default holds, or the check names the field.
            if one is not None and (name := names.get(_folded(key))) is not None
        }


def _folded(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _chosen(value: JsonValue, choices: list[JsonValue]) -> JsonValue:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    meant = [one for one in choices if _folded(str(one)) == _folded(str(value))]
    if meant:
        return meant[0]
    said = str(value).strip()
    named = [
        one for one in choices if re.search(rf"\b{re.escape(str(one))}\b", said, re.IGNORECASE)
    ]
    begins = len(named) == 1 and said.casefold().startswith(str(named[0]).casefold())
    return named[0] if begins else value  # `answerable, since …`


def _listed(value: JsonValue) -> list[JsonValue]:
    """A list, also where one thing or nothing stands in its place, or numbered things do."""
    if isinstance(value, dict) and value and all(key.isdigit() for key in value):
        return list(value.values())
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NOTHING):
        return []
    return value if isinstance(value, list) else [value]


def _number(value: JsonValue, *, share: bool) -> JsonValue:
    """A number, also out of words; of a share, what is written in percent."""
    if isinstance(value, str):
        if share and (known := _SURENESS.get(value.strip().casefold())) is not None:
            return known
        if (found := _WRITTEN.fullmatch(value)) is None:
            return value
        value = float(found[1].replace(",", "."))
        if found[2] or found[3]:
            return value / int(found[3] or 100)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if share and 10 < value <= 100:  # only percent can be meant; 2 could be of 5, or of 10
        return value / 100
    return plain_number(value)


def _truth(value: JsonValue) -> JsonValue:
    said = str(value).strip().casefold()
    return True if said in _YES else False if said in _NO else value


def _text(value: JsonValue) -> JsonValue:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(cast("list[str]", value))
    return value


def _as_it_is(value: JsonValue) -> JsonValue:
    return value


def _whole_number(value: JsonValue) -> JsonValue:
    """Also the one number in words: `step 2`."""
    found = _DIGITS.findall(value) if isinstance(value, str) else []
    return int(found[0]) if len(found) == 1 else _number(value, share=False)


_PLAIN = {"boolean": _truth, "string": _text, "integer": _whole_number}
