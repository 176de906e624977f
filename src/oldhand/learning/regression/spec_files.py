"""Behaviour specs as YAML files: read strictly, with a name and a line for whatever is wrong; written as people read."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, cast

import yaml

from oldhand.errors import InvalidSpec, OutputExists
from oldhand.errors.files import is_taken
from oldhand.learning.regression.pytest_file import pytest_text
from oldhand.learning.regression.spec import BehaviourSpec, Fix
from oldhand.record.spec_marks import is_spec
from oldhand.settings.strict_yaml import parse_document, read_document
from oldhand.sources.databases.files import locked, write_atomically

SPECS_FOLDER = "tests/ai"
"""Where specs lie, seen from a project's folder."""
_OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029\ufeff]")
"""What YAML takes for the end of a line as well."""
_HEAD = ("episode_id", "created_at", "failure_type")
_BLOCKS = ("databases", "input", "expected", "actual", "fix")
_READABLE = 0o644
_LIST = "spec_folders.txt"
_DROPPED = "spec_dropped.txt"
_DROPPED_HEADER = (
    "# Episodes that went wrong and are to make no behaviour spec. One id on each line."
)
_HEADER = "# Folders of behaviour specs: no lesson that breaks one of them is promoted. One path on each line."


def load_spec(path: Path) -> BehaviourSpec:
    """Read one spec.

    Raises:
        InvalidSpec: it is not YAML, has an unknown or missing key, a value of the wrong kind, or expects nothing.
    """
    return read_document(path, InvalidSpec).filled(BehaviourSpec)


def read_spec(text: str, path: Path) -> BehaviourSpec:
    r"""Read the text of a spec.

    Raises:
        InvalidSpec: as `load_spec`.

    >>> read_spec("episode_id: e1\nexpects: {}\n", Path("a.yaml"))
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidSpec: a.yaml, line 2: the key 'expects' is not known (did you mean expected?).
    """
    return parse_document(text, path, InvalidSpec).filled(BehaviourSpec)


def specs_in(folder: Path) -> tuple[BehaviourSpec, ...]:
    """All specs of a folder and its subfolders, by name of file; none when there is no such folder.

    Raises:
        InvalidSpec: one of them does not hold.
    """
    files = sorted(path for path in folder.rglob("*") if is_spec(path)) if folder.is_dir() else ()
    return tuple(map(load_spec, files))


def spec_text(spec: BehaviourSpec) -> str:
    """A spec as YAML.

    >>> print(spec_text(BehaviourSpec.model_validate({
    ...     "episode_id": "e1", "created_at": "2025-11-14T01:23:45Z", "failure_type": "incorrect_model_routing",
    ...     "input": {"messages": [{"role": "user", "content": "What's 2 + 2?"}]},
    ...     "expected": {"model_used": "granite-local", "cost": 0.0, "tools_used": []}})))
    episode_id: e1
    created_at: 2025-11-14T01:23:45Z
    failure_type: incorrect_model_routing
    <BLANKLINE>
    input:
      messages:
      - role: user
        content: What's 2 + 2?
    <BLANKLINE>
    expected:
      model_used: granite-local
      cost: 0.0
      tools_used: []
    <BLANKLINE>
    """
    said = cast("dict[str, object]", spec.model_dump(mode="json", exclude_none=True))
    head: dict[str, object] = {name: said[name] for name in _HEAD} | {"created_at": spec.created_at}
    blocks = [_yaml(head)]
    for name in _BLOCKS:
        part = cast("dict[str, object]", said.get(name, {}))
        if known := {key: part[key] for key in part if _says_something(key, part[key])}:
            blocks.append(_yaml({name: known}))
    return "\n".join(blocks)


def _says_something(key: str, value: object) -> bool:
    """False for an empty list; only that no tools are to be used, or no rows to come, is something to say."""
    return value != [] or key in {"tools_used", "rows"}


class _Dumper(yaml.SafeDumper):
    """The layout of specs."""


def _moment(_: yaml.SafeDumper, at: datetime) -> yaml.ScalarNode:
    text = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return yaml.ScalarNode("tag:yaml.org,2002:timestamp", text)


def _text(_: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Several lines stay several lines, where YAML can write them so."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    style = '"' if _OTHER_BREAKS.search(plain) else "|" if "\n" in plain else None
    return yaml.ScalarNode("tag:yaml.org,2002:str", plain, style=style)


_Dumper.add_representer(datetime, _moment)
_Dumper.add_representer(str, _text)


def _yaml(fields: dict[str, object]) -> str:
    return yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


@dataclass(frozen=True)
class SpecFolders:
    """The folders of a home: its own `tests/ai`, and those into which its specs were written.

    >>> home = getfixture("tmp_path")
    >>> SpecFolders(home).note(home / "project" / "tests" / "ai")
    >>> [one.relative_to(home).as_posix() for one in SpecFolders(home).folders()]
    ['tests/ai', 'project/tests/ai']
    """

    home: Path

    def folders(self) -> tuple[Path, ...]:
        """All of them, whether they are still there or not."""
        listed = self.home / _LIST
        lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
        named = (Path(line.strip()) for line in lines if line.strip() and line[0] != "#")
        return tuple(dict.fromkeys((self.home / SPECS_FOLDER, *named)))

    def note(self, folder: Path) -> None:
        """Remember one more folder.

        Raises:
            StoreError: the list in the home cannot be written.
        """
        with locked(self.home / f".{_LIST}.lock"):
            folder = folder.absolute()
            if folder not in (known := self.folders()):
                lines = [_HEADER, *map(str, (*known[1:], folder))]
                write_atomically(self.home / _LIST, "\n".join(lines) + "\n")

    def drop(self, episode_id: str) -> None:
        """Remember that an episode is to make no spec.

        Raises:
            StoreError: the list in the home cannot be written.
        """
        with locked(self.home / f".{_LIST}.lock"):
            lines = [_DROPPED_HEADER, *dict.fromkeys((*self._dropped(), episode_id))]
            write_atomically(self.home / _DROPPED, "\n".join(lines) + "\n")

    def settled(self) -> frozenset[str]:
        """The episodes whose specs were kept or dropped.

        Raises:
            InvalidSpec: as `specs`.
        """
        return frozenset((*self._dropped(), *(spec.episode_id for spec in self.specs())))

    def _dropped(self) -> tuple[str, ...]:
        listed = self.home / _DROPPED
        lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
        return tuple(line.strip() for line in lines if line.strip() and line[0] != "#")

    def specs(self) -> tuple[BehaviourSpec, ...]:
        """All specs, each episode's once; read anew each time, because people edit them.

        Raises:
            InvalidSpec: one of them does not hold.
        """
        found = (spec for folder in self.folders() for spec in specs_in(folder))
        return tuple({spec.model_dump_json(): spec for spec in found}.values())


class WrittenSpec(NamedTuple):
    """A spec as it was written, and where."""

    spec: BehaviourSpec
    files: tuple[Path, ...]


def write_spec(
    spec: BehaviourSpec, folder: Path, *, as_python: bool = False, force: bool = False
) -> WrittenSpec:
    """Write `episode_<id>.yaml` into a folder, which is made if needed.

    With `as_python`, `test_episode_<id>.py` is written, too, and named in the spec.

    Raises:
        OutputExists: one of them is there already; nothing was written.
        StoreError: the folder cannot be written.
    """
    name = f"episode_{re.sub(r'[^A-Za-z0-9]+', '_', spec.episode_id)[:8]}"
    module = folder / f"test_{name}.py"
    if as_python:
        fix = (spec.fix or Fix()).model_copy(update={"test_created": module.as_posix()})
        spec = spec.model_copy(update={"fix": fix})
    texts = {folder / f"{name}.yaml": spec_text(spec)}
    if as_python:
        texts[module] = pytest_text(spec)
    for file in texts:
        if not force and is_taken(file):
            raise OutputExists(f"{file} is there already: --force overwrites it.")
    for file, text in texts.items():
        write_atomically(file, text)
        file.chmod(_READABLE)
    return WrittenSpec(spec, tuple(texts))
