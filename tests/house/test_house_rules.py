"""Rules about this repository. Allow-lists only shrink: an entry that is no longer needed fails the test."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import oldhand
from oldhand import errors
from oldhand.cli.app import COMMANDS, GROUPS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "oldhand"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "versions" not in path.parts)

MAX_FILE = 320
MAX_FUNCTION = 50
LONG_FILES: set[str] = set()
LONG_FUNCTIONS: set[str] = set()
WORD_SETS = 11
"""Sets of words in the modules of the analyst: general words stand in the lexicon."""

FORBIDDEN_FOLDERS = {"core", "common", "utils", "util", "helpers", "misc"}
FORBIDDEN_CLASSES = re.compile(r"(Manager|Service|Engine|Helper|Util)s?$")


def tracked() -> list[Path]:
    """Files of the project that are text."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    paths = [ROOT / name for name in listed.split("\0") if name]
    return [
        path
        for path in paths
        if path.suffix not in {".png", ".sqlite", ".duckdb"} and path.is_file()
    ]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def code_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (node.end_lineno or node.lineno) - body[0].lineno + 1


def test_the_source_was_found():
    assert len(MODULES) > 40


def test_files_stay_short():
    long = {p.name for p in MODULES if len(p.read_text("utf-8").splitlines()) > MAX_FILE}
    assert long == LONG_FILES & long, f"over {MAX_FILE} lines: {sorted(long - LONG_FILES)}"
    assert long == LONG_FILES, f"no longer long, take them off the list: {LONG_FILES - long}"


def test_functions_stay_short():
    long = {
        f"{path.relative_to(SOURCE)}:{node.name}"
        for path in MODULES
        for node in functions(path)
        if code_length(node) > MAX_FUNCTION
    }
    assert long == LONG_FUNCTIONS


def word_sets(path: Path) -> Iterator[str]:
    """Module-level names that are set to words which the module itself spells out."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            parts = list(ast.walk(node.value))
            spelt = any(
                isinstance(part, ast.Set)
                and any(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in part.elts)
                for part in parts
            )
            split = any(isinstance(part, ast.Attribute) and part.attr == "split" for part in parts)
            if spelt or split:
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                yield f"{path.relative_to(SOURCE)}: {ast.unparse(target)}"


def test_general_words_stand_in_the_lexicon():
    found = [
        name
        for path in MODULES
        if path.is_relative_to(SOURCE / "agent" / "analyst")
        for name in word_sets(path)
    ]
    assert len(found) <= WORD_SETS, f"put them into the lexicon: {found}"
    assert len(found) == WORD_SETS, f"lower WORD_SETS to {len(found)}"


def test_no_folder_or_class_has_an_empty_name():
    assert not {part for p in MODULES for part in p.relative_to(SOURCE).parts} & FORBIDDEN_FOLDERS
    classes = [
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) > 50
    assert not [name for name in classes if FORBIDDEN_CLASSES.search(name)]


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """What a module may say to somebody: its texts, those with gaps as one, without its documentation."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    mute = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    mute |= {id(part) for one in nodes if isinstance(one, ast.JoinedStr) for part in one.values}
    for node in nodes:
        if id(node) in mute:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (it.value if isinstance(it, ast.Constant) else "…" for it in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_commands_in_messages_stand_in_backticks_so_that_each_face_says_them_in_its_way():
    names = "|".join((*COMMANDS, *GROUPS))
    bare = re.compile(rf"\boldhand (?:{names})\b|\b(?:{names})\b[^.:;]{{0,30}} --[a-z]")
    terminal = {SOURCE / "cli", SOURCE / "demo"}
    texts = [
        (f"{path.relative_to(SOURCE)}:{line}", text)
        for path in MODULES
        if terminal.isdisjoint(path.parents)
        for line, text in spoken(path)
    ]
    assert sum("`oldhand " in text for _, text in texts) > 40
    assert [one for one, text in texts if bare.search(re.sub("`[^`]*`", "", text))] == []


def test_no_test_replaces_our_own_code():
    users = [
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if path != Path(__file__)
        and re.search(r"unittest\.mock|mocker\b|time\.sleep\(", path.read_text("utf-8"))
    ]
    assert users == []


def test_the_tree_of_errors_is_drawn_as_it_is():
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    defined = [
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.OldhandError) and kind is not errors.OldhandError
    ]
    assert sorted(drawn) == sorted(defined)


@pytest.mark.parametrize("name", oldhand.__all__)
def test_every_public_name_can_be_imported_and_is_documented(name):
    value = getattr(oldhand, name)
    assert isinstance(value, str) or inspect.getdoc(value)


def ranges() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [project["dependencies"], *project["optional-dependencies"].values()]
    return [
        one for given in named for each in given if (one := Requirement(each)).name != "oldhand"
    ]


def test_dependencies_are_ranges_with_two_ends():
    ends = {one.name: {spec.operator for spec in one.specifier} for one in ranges()}
    assert len(ends) > 20
    assert {name: found for name, found in ends.items() if found != {">=", "<"}} == {}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(wanted: set[str]) -> set[str]:
    """Packages with all that they always bring."""
    known: set[str] = set()
    while wanted:
        known |= wanted
        needs = [Requirement(it) for one in wanted for it in (found_requires(one) or ())]
        wanted = {plain(one.name) for one in needs if not one.marker or one.marker.evaluate({"extra": ""})} - known  # fmt: skip
    return known


def found_requires(name: str) -> list[str] | None:
    try:
        return requires(name)
    except PackageNotFoundError:  # an extra that is not installed here
        return None


def test_what_is_imported_is_asked_for():
    known = brought({plain(one.name) for one in ranges()})
    homes = packages_distributions()
    found = {
        (name.partition(".")[0], file.name)
        for file in MODULES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [it.name for it in node.names])
    }  # fmt: skip
    foreign = {one for one in found if one[0] not in {*sys.stdlib_module_names, "oldhand"}}
    assert len({name for name, _ in foreign}) > 10
    assert {
        one for one in foreign if not known & {plain(it) for it in homes.get(one[0], [one[0]])}
    } == set()


@pytest.mark.parametrize("lock", ["run.txt", "dev.txt"])
def test_what_is_locked_is_within_the_ranges(lock):
    text = (ROOT / "requirements" / lock).read_text("utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))
    known = [one for one in ranges() if one.name in locked]
    assert len(known) > 15
    assert [str(one) for one in known if locked[one.name] not in one.specifier] == []


def test_lock_files_hold_hashes_and_no_addresses():
    locks = [ROOT / "requirements" / name for name in ("run.txt", "dev.txt", "bench.txt")]
    for lock in locks:
        text = lock.read_text("utf-8")
        assert "--hash=sha256:" in text
        assert "://" not in text


def test_nothing_names_a_package_registry_or_a_path_of_one_machine():
    hosts = [
        "py" + "pi.org",
        "pythonhosted" + ".org",
        "registry.npm" + "js",
        "/work" + "/",
        "/root" + "/",
    ]
    found = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in tracked()
        for host in hosts
        if host in path.read_text("utf-8", errors="replace")
    ]
    assert found == []


def test_imports_point_down_only():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_no_two_classes_have_one_name():
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def _twice(node: yaml.Node) -> Iterator[str]:
    """The keys that a mapping holds twice: the second one takes the place of the first without a word."""
    if isinstance(node, yaml.MappingNode):
        keys = Counter(str(key.value) for key, _ in node.value)
        yield from (key for key, times in keys.items() if times > 1)
        yield from (key for _, value in node.value for key in _twice(value))
    elif isinstance(node, yaml.SequenceNode):
        yield from (key for value in node.value for key in _twice(value))


def test_no_yaml_holds_a_key_twice():
    files = [
        file for room in ("src", "tests", "benchmarks") for file in (ROOT / room).rglob("*.yaml")
    ]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found = {
        str(file): keys
        for file in files
        for node in yaml.compose_all(file.read_text("utf-8"), loader)
        if (keys := list(_twice(node)))
    }
    assert files
    assert not found
