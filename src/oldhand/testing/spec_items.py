"""Behaviour specs as tests of pytest, and the assistant that they are put to."""

import asyncio
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.errors import InvalidSpec, OldhandError, UsageError
from oldhand.face import Oldhand
from oldhand.learning.regression import BehaviourSpec, Mismatch, load_spec, mismatches
from oldhand.learning.regression.checking import SpecQueries
from oldhand.record.base import Row
from oldhand.record.route import CheckedContext, Context, Router, RouteResponse, conversation
from oldhand.settings import home_folder, load_settings
from oldhand.sources.databases import Catalog

_COLUMN = 38
"""Characters of one side of a failure."""


class SpecFailed(Exception):
    """An answer is not what its spec expects."""

    def __init__(self, spec: BehaviourSpec, response: RouteResponse, wrong: Sequence[Mismatch]):
        super().__init__(f"{len(wrong)} of the expectations do not hold")
        self.spec, self.response, self.wrong = spec, response, tuple(wrong)


class SpecFile(pytest.File):
    """A file with one behaviour spec."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its one test.

        Raises:
            CollectError: the spec does not hold; the line is named.
        """
        try:
            spec = load_spec(self.path)
        except InvalidSpec as error:
            raise self.CollectError(str(error)) from error
        yield SpecItem.from_parent(self, name=self.path.stem, spec=spec)  # pyright: ignore[reportUnknownMemberType]


class SpecItem(pytest.Item):
    """One behaviour spec."""

    def __init__(self, *, spec: BehaviourSpec, **of_pytest: object) -> None:
        super().__init__(**of_pytest)  # pyright: ignore[reportArgumentType, reportUnknownMemberType]
        self.spec = spec

    def runtest(self) -> None:
        """Ask again, and compare.

        Raises:
            SpecFailed: something is not as expected.
            InvalidSpec: its SQL can't be run.
        """
        stage = stage_of(self.config).bringing(self.spec.databases)
        asked = [message.model_dump() for message in self.spec.input.messages]
        response = stage.router.route(messages=asked, context={})
        wrong = mismatches(self.spec.expected, response, stage.rows_of)
        if wrong:
            raise SpecFailed(self.spec, response, wrong)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """What was expected beside what came, without a traceback."""
        del style
        error = excinfo.value
        if isinstance(error, SpecFailed):
            return "\n".join(_report(error))
        if isinstance(error, OldhandError):
            return f"{type(error).__name__}: {error}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands, and what it asks."""
        return self.path, 0, f"{self.name}: {self.spec.input.question}"


def _report(failed: SpecFailed) -> Iterator[str]:
    spec, response = failed.spec, failed.response
    yield f"{spec.input.question!r} is answered wrongly again ({spec.failure_type})"
    yield ""
    yield f"{'':22}{'expected':<{_COLUMN}}actual"
    for one in failed.wrong:
        yield from _side_by_side(one)
    yield ""
    yield f"answer: {response.text}"
    for step in response.steps:
        yield f"  {step.database}: {' '.join(step.sql.split())}"
    if spec.actual.failure_reason:
        yield f"what was wrong in episode {spec.episode_id[:8]}: {spec.actual.failure_reason}"
    if spec.fix is not None and spec.fix.rule_added:
        yield f"what mended it: {spec.fix.rule_added}"


def _side_by_side(one: Mismatch) -> Iterator[str]:
    left = textwrap.wrap(one.expected, _COLUMN - 2) or [""]
    right = textwrap.wrap(one.actual, _COLUMN) or [""]
    for number in range(max(len(left), len(right))):
        name = one.field if number == 0 else ""
        wanted = left[number] if number < len(left) else ""
        came = right[number] if number < len(right) else ""
        yield f"{name:<22}{wanted:<{_COLUMN}}{came}".rstrip()


@dataclass
class SpecStage:
    """What specs are put to."""

    router: Router
    rows_of: Callable[[str, str], tuple[Row, ...]]
    closing: ExitStack = field(default_factory=ExitStack)
    home: Path | None = None
    """Whose assistant answers; None for another router."""
    model: str | None = None
    brought: "dict[tuple[tuple[str, str], ...], SpecStage]" = field(
        default_factory=dict[tuple[tuple[str, str], ...], "SpecStage"]
    )

    def bringing(self, databases: Mapping[str, str]) -> "SpecStage":
        """The same assistant over the databases that a spec brings, by name and URL; itself where it brings none.

        Raises:
            OldhandError: one of them does not answer, or a variable in its URL is not set.
        """
        if not databases or self.home is None:
            return self
        key = tuple(sorted(databases.items()))
        if key not in self.brought:
            self.brought[key] = self._over(databases, self.home)
        return self.brought[key]

    def _over(self, databases: Mapping[str, str], home: Path) -> "SpecStage":
        catalog = Catalog(Path(self.closing.enter_context(TemporaryDirectory())))
        self.closing.callback(catalog.close)
        for name, url in databases.items():
            _ = catalog.add(url, name=name)
        runner = self.closing.enter_context(asyncio.Runner())
        opened = open_home(home, model=self.model, catalog=catalog)
        self.closing.callback(lambda: runner.run(opened.close(keeps_databases=True)))
        queries = SpecQueries(catalog, opened.settings.query)
        return SpecStage(_Rehearsal(opened, runner), queries.rows)


@dataclass(frozen=True)
class _Rehearsal:
    """A home over other databases as a router that leaves no trace."""

    home: Home
    runner: asyncio.Runner

    def route(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer the last message."""
        said, known = conversation(messages), CheckedContext.of(context)
        answer = self.home.rehearsal.answer(said, databases=known.databases, user=known.user)
        return self.runner.run(answer)


@dataclass(frozen=True)
class _Rehearsing:
    """A home's assistant as a router that leaves no trace."""

    old: Oldhand

    def route(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer the last message."""
        return self.old.rehearse(messages, context)


_STAGE = pytest.StashKey[SpecStage]()


def stage_of(config: pytest.Config) -> SpecStage:
    """The one of this run; opened when the first test needs it.

    Raises:
        UsageError: the home that was named is not there.
    """
    if _STAGE not in config.stash:
        config.stash[_STAGE] = _opened(config)
    return config.stash[_STAGE]


def close_stage(config: pytest.Config) -> None:
    """Close what was opened."""
    if _STAGE in config.stash:
        config.stash[_STAGE].closing.close()
        del config.stash[_STAGE]


def _opened(config: pytest.Config) -> SpecStage:
    own: Router | None = config.hook.pytest_oldhand_router(config=config)
    named = config.getoption("--oldhand-home") or os.environ.get("OLDHAND_HOME")
    home = home_folder(named)
    if not home.is_dir():
        if own is not None:
            return SpecStage(own, _no_databases)
        if named:
            raise UsageError(f"There is no home at {home}: `oldhand init --home {home}` makes one.")
        pytest.skip(
            "no home to test: give --oldhand-home DIR or set OLDHAND_HOME (`oldhand init` makes one)"
        )
    closing = ExitStack()
    model: str | None = config.getoption("--oldhand-model")
    old = closing.enter_context(Oldhand(home, model=model))
    queries = SpecQueries(old.databases, load_settings(home).query)
    return SpecStage(own or _Rehearsing(old), queries.rows, closing, None if own else home, model)


def _no_databases(database: str, sql: str) -> tuple[Row, ...]:
    raise InvalidSpec(f"There is no home, so nothing can run the SQL on {database}: {sql}")
