"""Every named error becomes one line and an exit code that means something."""

import json
from collections.abc import Iterator
from inspect import Parameter, signature

import pytest
from typer import Typer
from typer.testing import CliRunner

from oldhand import errors
from oldhand.cli.exits import Exit, OldhandGroup, exit_code
from oldhand.cli.options import JsonOption


def families(root: type[errors.OldhandError]) -> Iterator[type[errors.OldhandError]]:
    for child in root.__subclasses__():
        yield child
        yield from families(child)


ALL = sorted({*families(errors.OldhandError)}, key=lambda kind: kind.__name__)


def instance(kind: type[errors.OldhandError]) -> errors.OldhandError:
    """One error of that kind, with "x" for whatever it must be told."""
    told = [it for it in signature(kind).parameters.values() if it.default is Parameter.empty]
    named = {it.name: "x" for it in told if it.kind is not Parameter.VAR_KEYWORD}
    return kind(**named)


def app_that_raises(error: Exception) -> Typer:
    app = Typer(cls=OldhandGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def callback() -> None:
        pass

    @app.command()
    def work(as_json: JsonOption = False) -> None:
        raise error

    return app


def test_there_are_errors_to_test() -> None:
    assert len(ALL) > 30


@pytest.mark.parametrize("kind", ALL)
def test_no_named_error_is_unexpected(kind: type[errors.OldhandError]) -> None:
    assert exit_code(instance(kind)) in {Exit.USAGE, Exit.DATABASE, Exit.MODEL, Exit.STORE}


@pytest.mark.parametrize("kind", ALL)
def test_an_error_is_one_line_on_stderr_and_its_exit_code(kind: type[errors.OldhandError]) -> None:
    ran = CliRunner().invoke(app_that_raises(instance(kind)), ["work"])
    assert ran.exit_code == exit_code(instance(kind))
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"oldhand: {kind.__name__}: ")
    assert ran.stderr.count("\n") == 1


def test_with_json_the_error_is_an_object_on_stdout_too() -> None:
    error = errors.QueryFailed('no such column: "städte"')
    ran = CliRunner().invoke(app_that_raises(error), ["work", "--json"])
    assert ran.exit_code == Exit.DATABASE
    assert json.loads(ran.stdout) == {
        "error": {"type": "QueryFailed", "message": 'no such column: "städte"'}
    }
    assert ran.stderr.count("\n") == 1


def test_what_an_error_quotes_from_a_database_is_not_obeyed_by_the_terminal() -> None:
    ran = CliRunner().invoke(app_that_raises(errors.QueryFailed("a\x1b[2Jb\nc\x07")), ["work"])
    assert ran.stderr == "oldhand: QueryFailed: a␛[2Jb c␇\n"


def test_a_file_that_cannot_be_written_is_one_line_as_well() -> None:
    ran = CliRunner().invoke(
        app_that_raises(PermissionError(13, "Permission denied", "x")), ["work"]
    )
    assert ran.exit_code == Exit.UNEXPECTED
    assert ran.stderr == "oldhand: PermissionError: [Errno 13] Permission denied: 'x'\n"


def test_a_bug_is_not_hidden() -> None:
    ran = CliRunner().invoke(app_that_raises(ZeroDivisionError()), ["work"])
    assert isinstance(ran.exception, ZeroDivisionError)


@pytest.mark.parametrize(
    "line",
    ["init --home -q", "ask Hello --home --quiet", "memory list -H -x", "db add x.db --name --home here"],
)  # fmt: skip
def test_an_option_is_not_taken_for_the_value_of_another(line: str, oldhand, tmp_path) -> None:
    done = oldhand(*line.split())
    assert done.exit_code == Exit.USAGE
    assert "needs a value, and -" in done.stderr
    assert [*tmp_path.iterdir()] == []
