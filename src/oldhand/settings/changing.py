"""Settings that are changed by the assistant's people, in the file that its operator writes."""

from collections.abc import Mapping
from typing import cast

import yaml
from pydantic import JsonValue

from oldhand.errors import UsageError

OPERATORS = ("store", "server", "models.base_url", "query.functions", "routing.models", "model",
             "documents.inside", "documents.embedder", "documents.embedder_url", "documents.reader", "saved.inside", "saved.mail")  # fmt: skip
"""Settings, and groups of them, that lead to other machines, files or money: only the file changes these."""


def changed_text(text: str, changes: Mapping[str, JsonValue]) -> str:
    r"""The file with other values at these names; all else, comments too, stays as it is written.

    >>> changed_text("night:\n  hour: 3  # quiet\n", {"night.hour": 4, "effort": "quick"})
    'night:\n  hour: 4  # quiet\neffort: quick\n'

    Raises:
        UsageError: a setting is the operator's.
    """
    for name, value in changes.items():
        if any(f"{name}.".startswith(f"{one}.") or one.startswith(f"{name}.") for one in OPERATORS):
            raise UsageError(f"{name} is set by who runs the server, in settings.yaml.")
        text = _with(text, name.split("."), value)
    return text


def _with(text: str, path: list[str], value: JsonValue) -> str:
    """The file with one value at its place, which is made where there is none."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    at, column = len(text), 0
    for depth, part in enumerate(path):
        inside = node if isinstance(node, yaml.MappingNode) else None
        found = {str(key.value): it for key, it in inside.value} if inside is not None else {}
        if part not in found:
            return _inserted(text, at, column, path[depth:], value)
        node = found[part]
        if not isinstance(node, yaml.MappingNode) or node.flow_style or depth == len(path) - 1:
            return _replaced(text, node, path[depth + 1 :], value)
        at = text.rindex("\n", 0, node.start_mark.index) + 1
        column = node.start_mark.column
    return text


def _replaced(text: str, node: yaml.Node, rest: list[str], value: JsonValue) -> str:
    """The value of a node replaced; one in braces is written anew as a whole."""
    held = value
    if rest:
        known = yaml.safe_load(text[node.start_mark.index : node.end_mark.index])
        held = _merged(cast("dict[str, JsonValue]", known) if isinstance(known, dict) else {}, rest, value)  # fmt: skip
    start, end = node.start_mark.index, node.end_mark.index
    told = _flow(held)
    space = "" if start and text[start - 1].isspace() else " "
    return f"{text[:start]}{space}{told}{text[end:]}"


def _merged(known: dict[str, JsonValue], path: list[str], value: JsonValue) -> JsonValue:
    first, *rest = path
    inner = known.get(first)
    return {**known, first: _merged(inner if isinstance(inner, dict) else {}, rest, value) if rest else value}  # fmt: skip


def _inserted(text: str, at: int, column: int, path: list[str], value: JsonValue) -> str:
    """A new line before the others of its group, or at the end of the file."""
    first, *rest = path
    line = f"{' ' * column}{first}: {_flow(_merged({}, rest, value) if rest else value)}\n"
    before = text[:at] if not text[:at] or text[:at].endswith("\n") else f"{text[:at]}\n"
    return f"{before}{line}{text[at:]}"


def _flow(value: JsonValue) -> str:
    """A value on one line."""
    written = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return written.removesuffix("\n").removesuffix("\n...")
