"""The arguments of a function: what its docstring says of them, and a pydantic model with their JSON Schema and checks."""

import inspect
from collections.abc import Callable, Mapping
from typing import cast

from griffe import Docstring, DocstringSectionKind
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from oldhand.agent.tools.tool import checked_parameters
from oldhand.errors import InvalidTool
from oldhand.record.shortening import shortened

_SHOWN_PROBLEMS = 5
_SHOWN_INPUT = 80
_NAMED_SCHEMAS = {"properties", "$defs"}
_VALUES = {"default", "const", "enum", "examples", "required", "description"}


class _Quiet(GenerateJsonSchema):
    """A default that JSON cannot write is left out without a word."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        del kind, detail


def described(thing: object) -> tuple[str, dict[str, str]]:
    r"""What a Google-style docstring says besides its sections, and of each argument, on one line.

    >>> def area(width: float) -> float:
    ...     '''The area of a square.
    ...
    ...     Args:
    ...         width: In metres,
    ...             not in feet.
    ...     '''
    >>> described(area)
    ('The area of a square.', {'width': 'In metres, not in feet.'})
    """
    sections = Docstring(inspect.cleandoc(inspect.getdoc(thing) or "")).parse(
        "google", warnings=False
    )
    texts: list[str] = []
    arguments: dict[str, str] = {}
    for section in sections:
        if section.kind is DocstringSectionKind.text:
            texts.append(section.value)
        elif section.kind is DocstringSectionKind.parameters:
            for one in section.value:
                arguments[one.name.lstrip("*")] = " ".join(one.description.split())
    return "\n\n".join(texts), arguments


def arguments_model(
    name: str, function: Callable[..., object], words: Mapping[str, str]
) -> tuple[inspect.Signature, type[BaseModel]]:
    """The signature of a function, and a model with a field for each parameter, in their order.

    The fields are called `field_0`, `field_1`, …: a parameter may be called `copy` or `_id`, a field may not.

    Raises:
        InvalidTool: a parameter has no type, stands for any number of arguments, or has a type unknown to JSON Schema.
    """
    try:
        signature = inspect.signature(function, eval_str=True)
    except (NameError, TypeError, ValueError, SyntaxError, AttributeError) as error:
        raise InvalidTool(f"{name}: its signature cannot be read: {error}.") from error
    fields = {
        f"field_{place}": (parameter.annotation, _field(name, parameter, words))
        for place, parameter in enumerate(signature.parameters.values())
    }
    settings = ConfigDict(extra="forbid", arbitrary_types_allowed=False)
    make = cast("Callable[..., type[BaseModel]]", create_model)
    try:
        return signature, make(f"{name} arguments", __config__=settings, **fields)
    except (PydanticUserError, TypeError, NameError) as error:
        raise InvalidTool(
            f"{name}: a parameter's type cannot be checked: {_first(error)}"
        ) from error


def _field(name: str, parameter: inspect.Parameter, words: Mapping[str, str]) -> FieldInfo:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise InvalidTool(f"{name}: `{parameter}` has no schema: name each parameter.")
    if parameter.annotation is parameter.empty:
        raise InvalidTool(
            f"{name}: the parameter {parameter.name!r} has no type: write `{parameter.name}: str`, for example. "
            "For a method, make the tool of the object's own: as_tool(thing.method)."
        )
    default = ... if parameter.default is parameter.empty else parameter.default
    description = words.get(parameter.name) or None
    if description is None:
        return cast("FieldInfo", Field(default, alias=parameter.name))
    return cast("FieldInfo", Field(default, alias=parameter.name, description=description))


def schema_of(name: str, model: type[BaseModel]) -> dict[str, JsonValue]:
    """The JSON Schema that the model is shown.

    Raises:
        InvalidTool: a type has none.
    """
    try:
        schema = model.model_json_schema(schema_generator=_Quiet)
    except PydanticUserError as error:
        raise InvalidTool(
            f"{name}: a parameter's type has no JSON Schema: {_first(error)}"
        ) from error
    return checked_parameters(name, cast("dict[str, JsonValue]", _untitled(schema)))


def _untitled(schema: JsonValue) -> JsonValue:
    """A schema without the titles that only repeat the names of its fields."""
    if isinstance(schema, list):
        return [_untitled(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    plain: dict[str, JsonValue] = {}
    for key, inner in schema.items():
        if key in _NAMED_SCHEMAS and isinstance(inner, dict):
            plain[key] = {name: _untitled(one) for name, one in inner.items()}
        elif key != "title":
            plain[key] = inner if key in _VALUES else _untitled(inner)
    return plain


def what_is_wrong(name: str, error: ValidationError, parameters: Mapping[str, JsonValue]) -> str:
    """For the model: each field that does not fit, what is expected of it, and what there is."""
    problems = error.errors(include_url=False, include_context=False)
    told = [
        f"- {'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
        + ("" if problem["type"] == "missing" else f", not {_shown(problem['input'])}")
        for problem in problems[:_SHOWN_PROBLEMS]
    ]
    more = len(problems) - len(told)
    if more > 0:
        told.append(f"- and {more} more")
    properties = cast("Mapping[str, JsonValue]", parameters.get("properties", {}))
    required = cast("list[str]", parameters.get("required", []))
    takes = ", ".join(field if field in required else f"{field} (optional)" for field in properties)
    return "\n".join(
        [
            f"{name}: the arguments do not fit.",
            *told,
            f"It takes: {takes or 'no arguments'}. Call it again.",
        ]
    )


def _shown(value: object) -> str:
    text = repr(value[: 2 * _SHOWN_INPUT] if isinstance(value, str | bytes) else value)
    return shortened(text, _SHOWN_INPUT)


def _first(error: Exception) -> str:
    """The first line of pydantic's message; the rest is links."""
    return str(error).strip().split("\n", 1)[0]
