"""Reference pages out of the docstrings: the API in Python, and the JSON that `oldhand ask --json` prints."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import griffe
from griffe import Attribute, Class, Docstring, DocstringSectionKind, Function, Module

from oldhand.cli.ask import JSON_VERSION
from oldhand.record.answer import Answer

ROOT = Path(__file__).parents[1]
API = ROOT / "docs/reference/api.md"
SCHEMA = ROOT / "docs/reference/answer.schema.json"
HEAD = """# The API in Python

<!-- Written by `make docs` out of the docstrings; change it there. -->

`AsyncOldhand` has the same methods as coroutines; its `databases` are as here.
"""
GROUPS = {
    "Oldhand": ("oldhand.face.async_face.AsyncOldhand", "old"),
    "old.databases": ("oldhand.sources.databases.catalog.Catalog", "old.databases"),
    "old.documents": ("oldhand.face.documents.AsyncDocuments", "old.documents"),
    "old.episodes": ("oldhand.face.episodes.AsyncEpisodes", "old.episodes"),
    "old.memories": ("oldhand.face.memories.AsyncMemories", "old.memories"),
    "old.rules": ("oldhand.face.rules.AsyncRules", "old.rules"),
    "old.prompts": ("oldhand.face.prompts.AsyncPrompts", "old.prompts"),
    "old.people": ("oldhand.face.access.AsyncPeople", "old.people"),
    "old.experts": ("oldhand.face.experts.AsyncExperts", "old.experts"),
    "old.saved": ("oldhand.face.saved.AsyncSaved", "old.saved"),
    "old.boards": ("oldhand.face.boards.AsyncBoards", "old.boards"),
    "old.access": ("oldhand.face.access.AsyncAccess", "old.access"),
    "old.settings": ("oldhand.face.settings.AsyncSettings", "old.settings"),
}
"""Heading: where its methods are, and how they are called."""
OTHERS = (
    "oldhand.record.answer.Answer",
    "oldhand.record.answer.Ranking",
    "oldhand.record.answer.QueryStep",
    "oldhand.record.answer.Outcome",
    "oldhand.record.usage.Usage",
    "oldhand.face.remote.AsyncClient",
    "oldhand.face.tool_use.create_tool_use_agent",
    "oldhand.agent.tools.function_tool.tool",
    "oldhand.agent.tools.sql.sql_tools.sql_tools",
    "oldhand.models.get_lm",
)
EXAMPLE = re.compile(r"^(>>> .*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)


def loaded() -> Module:
    """The package, read but not run."""
    found = griffe.load("oldhand", search_paths=[ROOT / "src"], docstring_parser="google")
    assert isinstance(found, Module), "the package is a module"
    return found


def api_page(package: Module) -> str:
    """The page of all that engineers import."""
    parts = [HEAD, *_face(package)]
    parts += [line for path in OTHERS for line in _described(_at(package, path))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip() + "\n"


def _at(package: Module, path: str) -> Class | Function:
    found = package[path.removeprefix("oldhand.")]
    found = found.final_target if found.is_alias else found
    assert isinstance(found, Class | Function), path
    return found


def _face(package: Module) -> Iterator[str]:
    for heading, (path, called) in GROUPS.items():
        kind = _at(package, path)
        assert isinstance(kind, Class), path
        first = _at(package, "oldhand.face.sync_face.Oldhand") if heading == "Oldhand" else kind
        yield from (f"\n## {heading}\n", *_doc(first.docstring))
        if heading == "Oldhand":
            yield from _doc(kind.docstring)
        for name, member in kind.all_members.items():
            method = member.final_target if member.is_alias else member
            if isinstance(method, Function) and not name.startswith("_") and method.docstring:
                yield from (f"\n### {called}.{name}\n", *_signature(method, f"{called}.{name}"))
                yield from _doc(method.docstring)


def _described(found: Class | Function) -> Iterator[str]:
    yield f"\n## {found.name}\n"
    if isinstance(found, Function):
        yield from _signature(found, found.name)
    yield from _doc(found.docstring)
    if isinstance(found, Class):
        for name, field in found.members.items():
            if isinstance(field, Attribute) and not name.startswith("_"):
                typed = f": {field.annotation}" if field.annotation else f" = {field.value}"
                said = f": {_one_line(field.docstring.value)}" if field.docstring else ""
                yield f"- `{name}{typed}`{said}"


def _signature(function: Function, called: str) -> Iterator[str]:
    given = [one for one in function.parameters if one.name != "self"]
    shown, starred = list[str](), False
    for one in given:
        if one.kind is griffe.ParameterKind.keyword_only and not starred:
            shown.append("*")
            starred = True
        typed = f": {one.annotation}" if one.annotation else ""
        default = f" = {one.default}" if one.default is not None else ""
        shown.append(f"{one.name}{typed}{default}")
    gives = f" -> {function.returns}" if function.returns else ""
    line = f"{called}({', '.join(shown)}){gives}"
    if len(line) > 110:
        line = f"{called}(\n    " + ",\n    ".join(shown) + f",\n){gives}"
    yield f"```text\n{line}\n```\n"


def _doc(docstring: Docstring | None) -> Iterator[str]:
    parsed = docstring.parse("google", returns_multiple_items=False, returns_named_value=False, warnings=False) if docstring else ()  # fmt: skip
    for section in parsed:
        match section.kind:
            case DocstringSectionKind.text:
                yield EXAMPLE.sub(r"```pycon\n\1\n```", section.value) + "\n"
            case DocstringSectionKind.parameters | DocstringSectionKind.raises:
                for one in section.value:
                    known = getattr(one, "name", None) or one.annotation
                    raised = "" if hasattr(one, "name") else "raises "
                    yield f"- {raised}`{known}`: {_one_line(one.description)}"
                yield ""
            case DocstringSectionKind.returns:
                yield f"Gives {_one_line(section.value[0].description)}\n"
            case DocstringSectionKind.examples:
                for kind, text in section.value:
                    block = kind is DocstringSectionKind.examples
                    yield f"```pycon\n{text}\n```\n" if block else f"{text}\n"
            case _:
                pass


def _one_line(text: str) -> str:
    return " ".join(text.split())


def answer_schema(package: Module) -> str:
    """What `oldhand ask --json` prints, as a JSON schema; what fields mean is told by their docstrings."""
    schema = Answer.model_json_schema(mode="serialization")
    classes = {
        name: one
        for module in (
            "record.answer",
            "record.consultation",
            "record.document",
            "record.usage",
        )
        for name, one in package[module].members.items()
        if isinstance(one, Class)
    }
    for name, known in {"Answer": schema, **schema["$defs"]}.items():
        for field, kept in known.get("properties", {}).items():
            told = classes[name].members[field].docstring
            if told:
                kept["description"] = _one_line(told.value)
    schema["properties"] = {
        "version": {
            "const": JSON_VERSION,
            "description": "Raised when a field goes or changes its meaning; new fields don't raise it.",
        },
        **schema["properties"],
        "abstained": {
            "type": "boolean",
            "description": "True when there is no answer: it asked back, proposed one, abstained, or failed.",
        },
        "reflection": {"type": "object", "description": "With --reflect: what looking back found."},
    }
    schema["required"] = [name for name in schema["properties"] if name != "reflection"]
    schema["title"] = "oldhand ask --json"
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def pages() -> dict[Path, str]:
    """Each generated page with its text."""
    package = loaded()
    return {API: api_page(package), SCHEMA: answer_schema(package)}
