"""Looking after the assistant: its people and keys, what it does in the background, what it costs, how it is set."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from enum import Enum
from functools import cache, reduce
from inspect import getsource
from itertools import pairwise
from typing import cast

from pydantic import BaseModel

from oldhand.errors import UsageError
from oldhand.record.access import Role
from oldhand.record.document import DocumentState
from oldhand.record.usage import Usage
from oldhand.server.web.grid import Grid, LinkedCell
from oldhand.server.web.page import Page, View, Visit
from oldhand.settings import changed_text


async def people(visit: Visit) -> View:
    """Who may do what, with which keys."""
    is_admin = visit.may("access.accounts")
    return {
        "clone": await visit.old.people.get(),
        "members": await visit.old.access.members(),
        "keys": [one for one in await visit.old.access.keys() if one.revoked_at is None],
        "accounts": await visit.old.access.accounts() if is_admin else (),
        "clones": await visit.old.access.clones() if is_admin else (),
        "roles": [Role.MEMBER.value, Role.EXTERNAL.value],
    }


async def audit(visit: Visit) -> View:
    """What was done here, and refused."""
    rows = [
        (LinkedCell(one.at.isoformat(), tone="time"), one.actor or "nobody", one.action, one.subject, "" if one.allowed else "refused")
        for one in await visit.old.access.audit(limit=1_000)
    ]  # fmt: skip
    return {"grid": Grid(("when", "who", "what", "about", "result"), rows, name="audit")}


async def activity(visit: Visit) -> View:
    """How far the work is that nobody waits for."""
    found = await visit.old.activity()
    documents = sum(found.documents.values())
    waiting = found.documents.get(DocumentState.WAITING, 0)
    return {"one": found, "documents": documents, "read": documents - waiting}


async def usage(visit: Visit) -> View:
    """What language models have cost."""
    totals = await visit.old.usage()
    rows = [
        (
            one.day.isoformat(), one.model, one.stage, one.usage.requests, one.usage.input_tokens,
            one.usage.cached_tokens, one.usage.output_tokens, round(one.usage.cost, 4), round(one.seconds, 1),
        )
        for one in reversed(totals)
    ]  # fmt: skip
    by_month = defaultdict[date, Usage](Usage)
    for one in totals:
        by_month[one.day.replace(day=1)] += one.usage
    columns = ("day", "model", "stage", "requests", "input", "cached", "output", "dollars", "seconds")  # fmt: skip
    return {"grid": Grid(columns, rows, name="usage"), "months": sorted(by_month.items())[-6:]}


async def settings(visit: Visit) -> View:
    """How the assistant is set, by groups: each is fetched when it is opened, but for the first one."""
    groups = _grouped(await visit.old.settings.get())
    return {
        "sections": [(name, titled(name), len(some)) for name, some in groups.items()],
        "some": groups[""],
        "told": "",
    }


async def setting_group(visit: Visit) -> View:
    """One group: what its owner may change as fields, the rest as it stands."""
    name, found = visit.given("group"), await visit.old.settings.get()
    groups = _grouped(found)
    if name not in groups:
        raise UsageError(f"There are no settings {name!r}: they are {', '.join(groups)}.")
    group: BaseModel = reduce(getattr, name.split("."), found)
    return {"some": groups[name], "told": (type(group).__doc__ or "").partition("\n")[0]}


def _grouped(found: BaseModel) -> Mapping[str, list[dict[str, object]]]:
    groups = defaultdict[str, list[dict[str, object]]](list)
    for one in _fields(found, ""):
        groups[str(one["name"]).rpartition(".")[0]].append(one)
    return groups


def _fields(group: BaseModel, prefix: str) -> Iterator[dict[str, object]]:
    """Each setting with its name, its value, and what kind of field it takes."""
    told = explained(type(group))
    for name in type(group).model_fields:
        value, path = getattr(group, name), f"{prefix}{name}"
        if isinstance(value, BaseModel):
            yield from _fields(value, f"{path}.")
        else:
            options = [one.value for one in type(value)] if isinstance(value, Enum) else []
            yield {
                "name": path,
                "label": name.replace("_", " ").capitalize(),
                "hint": told.get(name, ""),
                "value": value.value if isinstance(value, Enum) else value,
                "kind": _kind(value),
                "options": options,
                "is_open": _is_open(path) and _kind(value) != "other",
            }


@cache
def explained(model: type[BaseModel]) -> Mapping[str, str]:
    """What the docstrings below the fields of a model say; Python keeps them nowhere but in the source.

    >>> from oldhand.settings.acting import QueryLimits
    >>> explained(QueryLimits)["seconds"]
    'Time after which a query is stopped.'
    """
    body = cast("ast.ClassDef", ast.parse(getsource(model)).body[0]).body
    found = dict[str, str]()
    for one, after in pairwise(body):
        match one, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(text))
            ):
                found[name] = " ".join(text.replace("`", "").split())
            case _:
                pass
    return found


def _kind(value: object) -> str:
    match value:
        case bool():
            return "check"
        case int():
            return "whole"
        case float():
            return "number"
        case Enum():
            return "select"
        case str():
            return "text"
        case _:
            return "other"


def _is_open(name: str) -> bool:
    """Whether its people may change a setting."""
    try:
        changed_text("", {name: None})
    except UsageError:
        return False
    return True


def titled(name: str) -> str:
    """The name of a group of settings, as a heading.

    >>> titled("models"), titled("")
    ('Models', 'General')
    """
    return name.replace("_", " ").replace(".", ": ").capitalize() or "General"


PAGES = (
    Page("/people", "People", Role.OWNER, people, "people.html", "Assistant", "e"),
    Page("/activity", "Activity", Role.EXPERT, activity, "activity.html", "Assistant", "y"),
    Page("/usage", "Usage", Role.OWNER, usage, "usage.html", "Assistant", "u"),
    Page("/audit", "Audit log", Role.OWNER, audit, "audit.html"),
    Page("/settings", "Settings", Role.OWNER, settings, "settings.html", "Assistant", "s"),
    Page("/settings/{group}", "Settings", Role.OWNER, setting_group, "setting_group.html"),
)
