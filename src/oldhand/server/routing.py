"""Each row of the table of exposed methods as a route."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
from inspect import Parameter, Signature, cleandoc, iscoroutinefunction, signature
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Body, Depends, File, Form, Path, Query, UploadFile
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from starlette.datastructures import UploadFile as StarletteUpload

from oldhand.face.exposed import CONTEXT, EXPOSED, Exposed, class_of, method_of, parameters_of
from oldhand.face.given import OfAnswer, OfMemory
from oldhand.loop.memories import Defined
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.receipt import Receipt
from oldhand.server.access import Caller, needs
from oldhand.server.allowing import CHECKS
from oldhand.server.next_steps import next_steps

_MOST_CHARS = 100_000
_FILE = "file"
"""The part of a form that is the file."""


def _no_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a flag is no time")
    return value


_NO_FLAG = BeforeValidator(_no_flag)


def exposed_routes() -> APIRouter:
    """A route for each of them."""
    router = APIRouter(prefix="/api/clones/{clone}")
    for one in EXPOSED:
        method = getattr(class_of(one), one.name)
        router.add_api_route(
            one.path,
            _endpoint(one, method),
            methods=[one.verb],
            response_model=one.returns,
            name=one.method,
            operation_id=one.method.replace(".", "_"),
            summary=_first_line(method),
            description=_described(method),
            tags=[one.group or "assistant"],
        )
    return router


def _endpoint(one: Exposed, method: Callable[..., object]) -> Callable[..., object]:
    in_path = {each.name for each in parameters_of(one) if f"{{{each.name}}}" in one.path}
    rest = [each for each in parameters_of(one) if each.name not in in_path]
    model = _model(one, rest) if rest else None

    async def endpoint(caller: Caller, given: BaseModel | None = None, **named: str) -> object:
        asked: dict[str, object] = {**named, **({} if given is None else dict(given))}
        await _check_own(one, caller, asked)
        if (check := CHECKS.get(one.method)) is not None:
            check(asked, caller.site.settings)
        if isinstance(file := asked.pop(_FILE, None), StarletteUpload):
            asked |= {"file_name": file.filename or "", "data": await file.read()}
        for name in one.as_caller:
            asked[name] = _spoken_by(caller, asked.get(name)) if name == CONTEXT else caller.user
        done = await _called(method_of(one, caller.old), asked)
        if isinstance(done, Receipt | Defined):
            note = next_steps(done.note, in_browser=caller.in_browser)
            done = done.model_copy(update={"note": note})
        return done if one.shown is None else one.shown(done)

    endpoint.__signature__ = Signature(_asked(one, in_path, model))  # pyright: ignore[reportFunctionMemberAccess]
    endpoint.__name__ = one.method.replace(".", "_")
    endpoint.__doc__ = method.__doc__
    return endpoint


def _spoken_by(caller: Caller, context: object) -> Mapping[str, object]:
    """What is known of a question, with who asks it."""
    given = cast("Mapping[str, object]", context or {})
    return {**given, "user": caller.user}


async def _called(method: Callable[..., object], asked: dict[str, object]) -> object:
    starred = [it for it in signature(method).parameters.values() if it.kind is it.VAR_POSITIONAL]
    several = [each for one in starred for each in cast("list[object]", asked.pop(one.name))]
    if iscoroutinefunction(method):
        return await method(*several, **asked)
    return await asyncio.to_thread(method, *several, **asked)


def _asked(one: Exposed, in_path: set[str], model: type[BaseModel] | None) -> list[Parameter]:
    """The parameters of an endpoint, as FastAPI reads them."""
    who = Annotated[Caller, Depends(needs(one.least))]
    found = [Parameter("caller", Parameter.KEYWORD_ONLY, annotation=who)]
    for name in sorted(in_path):
        text = Annotated[str, Path(max_length=500)]
        found.append(Parameter(name, Parameter.KEYWORD_ONLY, annotation=text))
    if model is not None:
        place = Query() if one.verb in {"GET", "DELETE"} else Form() if one.takes_file else Body()
        found.append(Parameter("given", Parameter.KEYWORD_ONLY, annotation=Annotated[model, place]))
    return found


def _model(one: Exposed, parameters: list[Parameter]) -> type[BaseModel]:
    """What a request gives, with the types and defaults of the method."""
    fields: dict[str, Any] = {}
    if one.takes_file:
        fields[_FILE] = (UploadFile, File())
    for each in parameters:
        if one.takes_file and each.name in {"file_name", "data"}:
            continue
        if each.kind is each.VAR_POSITIONAL:
            fields[each.name] = (tuple[each.annotation, ...], Field(default=()))
            continue
        kind = str if each.annotation in {OfAnswer, OfMemory} else each.annotation
        if kind == OfMemory | None:
            kind = str | None
        default = ... if each.default is Parameter.empty else each.default
        if each.name == one.own and default == DEFAULT_USER:
            default = None
        fields[each.name] = (
            Annotated[kind, _NO_FLAG] if timedelta in get_args(kind) else kind,
            Field(default=default),
        )
    name = one.method.title().replace(".", "").replace("_", "") + "Request"
    config = ConfigDict(extra="forbid", str_max_length=_MOST_CHARS)
    return create_model(name, __config__=config, **fields)


async def _check_own(one: Exposed, caller: Caller, asked: dict[str, object]) -> None:
    """Let people who don't see all name only their own answers."""
    if one.own == "user" and not caller.sees_all:
        asked["user"] = caller.user
    elif one.own and one.own != "user":
        await caller.check_own(str(asked[one.own]))


def _first_line(method: Callable[..., object]) -> str:
    return cleandoc(method.__doc__ or "").split("\n", 1)[0]


def _described(method: Callable[..., object]) -> str:
    """The docstring but for its first line, as Markdown."""
    _, _, rest = cleandoc(method.__doc__ or "").partition("\n")
    return rest.strip()
