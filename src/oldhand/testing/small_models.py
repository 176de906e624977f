"""The manners in which small models write an object that they were asked for; every one of them can be read.

>>> print(MANNERS["single_quotes"]({"verdict": "answerable", "notes": []}))
{'verdict': 'answerable', 'notes': [],}
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pydantic import JsonValue

JsonObject: TypeAlias = dict[str, JsonValue]
Manner: TypeAlias = Callable[[JsonObject], str]
_SQL = ("sql", "corrected_sql")


def _json(value: JsonValue, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _sql_alone(filled: JsonObject) -> str:
    return next((str(filled[key]) for key in _SQL if key in filled), _json(filled))


def _changed(filled: JsonObject, **values: JsonValue) -> str:
    """The object with other values in those fields that it has."""
    return _json({name: values.get(name, value) for name, value in filled.items()})


def _hidden_last(filled: JsonObject) -> str:
    steps = filled.get("steps")
    made: list[JsonValue] = (
        [{**s, "hidden": True} for s in steps if isinstance(s, dict)]
        if isinstance(steps, list)
        else []
    )
    return _changed(filled, steps=made)


def _shouted(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {
            k: v.upper() if k == "verdict" and isinstance(v, str) else _shouted(v)
            for k, v in value.items()
        }
    return [_shouted(one) for one in value] if isinstance(value, list) else value


def _camel(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        names = {k: re.sub(r"_(\w)", lambda m: m[1].upper(), k) for k in value}
        return {names[k]: _camel(v) for k, v in value.items()}
    return [_camel(one) for one in value] if isinstance(value, list) else value


MANNERS: Mapping[str, Manner] = {
    "plain": _json,
    "fenced": lambda f: f"```json\n{_json(f, 2)}\n```",
    "fence_without_language": lambda f: f"```\n{_json(f)}\n```",
    "fence_left_open": lambda f: f"```json\n{_json(f)}",
    "tildes": lambda f: f"~~~json\n{_json(f)}\n~~~",
    "inline_code": lambda f: f"`{_json(f)}`",
    "prose_around": lambda f: f"Sure! Here is the JSON you asked for:\n\n{_json(f)}\n\nLet me know if {{you}} need more.",
    "thinking": lambda f: f"<think>\nPerhaps {{\"verdict\": \"unanswerable\"}}? No.\n</think>\n\n{_json(f)}",
    "thinking_left_open": lambda f: f"The user asks for JSON.\n</think>\n{_json(f)}",
    "single_quotes": lambda f: re.sub(r"\}$", ",}", str(f)),
    "trailing_commas": lambda f: re.sub(r"(?<=[^\[{,])(\n\s*[\]}])", r",\1", _json(f, 2)),
    "comments": lambda f: _json(f, 1).replace("{\n", "{ // the answer\n", 1),
    "python_words": lambda f: f"answer = {f!r}",
    "wrapped": lambda f: _json({"answer": f}),
    "wrapped_twice": lambda f: _json({"response": {"result": [f]}}),
    "in_a_list": lambda f: _json([f]),
    "as_a_schema": lambda f: _json({"type": "object", "properties": f}),
    "as_a_tool_call": lambda f: f"<tool_call>\n{_json({'name': 'answer', 'arguments': f})}\n</tool_call>",
    "text_in_text": lambda f: _json(_json(f)),
    "shouted_choices": lambda f: _json(_shouted(f)),
    "camel_case": lambda f: _json(_camel(f)),
    "confidence_in_percent": lambda f: _changed(f, confidence="95%"),
    "confidence_of_hundred": lambda f: _changed(f, confidence=95),
    "confidence_as_word": lambda f: _changed(f, confidence="High"),
    "lists_as_text": lambda f: _json({k: "" if v == [] else v for k, v in f.items()}),
    "nulls": lambda f: _json({k: None if v in ("", []) else v for k, v in f.items()}),
    "more_fields": lambda f: _json({"thoughts": "Let me see.", **f, "done": True}),
    "hidden_last_step": _hidden_last,
    "sql_alone": _sql_alone,
    "sql_fenced": lambda f: f"```sql\n{_sql_alone(f)};\n```" if _sql_alone(f) != _json(f) else _json(f),
    "sql_explained": lambda f: f"To answer this:\n\n```sql\n{_sql_alone(f)}\n```\n\nIt counts what was asked for."
    if _sql_alone(f) != _json(f)
    else _json(f),
    "block_text": lambda f: _json(f).replace("\\n", "\n"),
}  # fmt: skip
"""By name; what does not concern a form leaves it as it is."""
