"""A behaviour spec as a test in Python, and in words."""

import pprint
import re
import unicodedata
from collections.abc import Iterator

from oldhand.learning.regression.spec import BehaviourSpec, Expected

_LONGEST = 60
_WIDTH = 96


def pytest_text(spec: BehaviourSpec) -> str:
    r"""A module with one test, which the fixtures of the pytest plugin serve.

    >>> text = pytest_text(BehaviourSpec.model_validate({
    ...     "episode_id": "7599436d-f3cc", "created_at": "2025-11-14T01:23:45Z", "failure_type": "too_expensive",
    ...     "input": {"messages": [{"role": "user", "content": "What's 2 + 2?"}]},
    ...     "expected": {"model_used": "granite-local", "cost": 0.0, "tools_used": []}}))
    >>> print("\n".join(text.splitlines()[-8:]))
        response = orchestrator.route(
            messages=[{'role': 'user', 'content': "What's 2 + 2?"}],
            context={},
        )
    <BLANKLINE>
        assert response.model_used == 'granite-local'
        assert response.cost <= 0.0
        assert set(response.tools_used) == set()
    """
    expected = spec.expected
    queries = "sql_rows" if expected.sql is not None else None
    fixtures = ", ".join(filter(None, ("orchestrator", queries)))
    brought: list[str] = []
    if spec.databases:
        stages = "stage.router, stage.rows_of" if queries else "stage.router"
        brought = [
            f"    stage = oldhand_stage.bringing({_literal(dict(spec.databases), 4)})",
            f"    {fixtures} = {stages}",
        ]
        fixtures = "oldhand_stage"
    messages = [message.model_dump() for message in spec.input.messages]
    lines = [
        f"# Auto-generated from episode {_plain(spec.episode_id[:8])} ({spec.created_at:%Y-%m-%d})",
        *_imports(expected),
        "",
        "",
        f"def {name_of_test(spec)}({fixtures}):",
        f'    """{_docstring(expected)}"""',
        *brought,
        "    response = orchestrator.route(",
        f"        messages={_literal(messages, 8)},",
        "        context={},",
        "    )",
        "",
        *(f"    {line}" for _, *lines in _tested(expected) for line in lines),
    ]
    return "\n".join(lines) + "\n"


def name_of_test(spec: BehaviourSpec) -> str:
    """A name for the test, out of the question.

    >>> from datetime import UTC, datetime
    >>> asked = {"messages": [{"role": "user", "content": "Größte Städte?"}]}
    >>> name_of_test(BehaviourSpec(episode_id="e1", created_at=datetime(2026, 1, 1, tzinfo=UTC),
    ...     failure_type="unanswered", input=asked, expected={"outcome": "answered"}))
    'test_grosste_stadte'
    """
    folded = unicodedata.normalize("NFKD", spec.input.question.casefold())
    words = re.findall(r"[a-z0-9]+", "".join(c for c in folded if not unicodedata.combining(c)))
    name = "_".join(words)[:_LONGEST].rstrip("_") or f"episode_{_plain(spec.episode_id[:8])}"
    return f"test_{name}"


def _imports(expected: Expected) -> Iterator[str]:
    compared = expected.sql is not None or expected.rows is not None
    names = ["has_sql"] * bool(expected.sql_not_contains) + ["same_rows"] * compared
    names += ["same_sql"] * bool(expected.sql_not_equals)
    if names:
        yield ""
        yield f"from oldhand.testing import {', '.join(names)}"


def expectations(expected: Expected) -> tuple[str, ...]:
    """What is expected of an answer, one phrase for each thing.

    >>> expectations(Expected(model_used="granite-local", cost=0.0, tools_used=(), response_contains=("4",)))
    ('the model granite-local', 'a cost of at most 0.0 dollars', 'no tools', "a text with '4'")
    """
    return tuple(phrase for phrase, *_ in _tested(expected))


def _docstring(expected: Expected) -> str:
    text = f"Expected: {'; '.join(expectations(expected))}."
    plain = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _tested(expected: Expected) -> Iterator[tuple[str, ...]]:
    """Each thing that is expected: in words, and behind that the lines that test it."""
    yield from _of_the_route(expected)
    for text in expected.response_contains:
        said = f"assert {text.casefold()!r} in response.text.casefold()"
        yield f"a text with {text!r}", said
    for text in expected.response_not_contains:
        said = f"assert {text.casefold()!r} not in response.text.casefold()"
        yield f"a text without {text!r}", said
    yield from _of_the_queries(expected)


def _of_the_route(expected: Expected) -> Iterator[tuple[str, str]]:
    if (outcome := expected.outcome) is not None:
        yield f"the outcome {outcome.value}", f"assert response.outcome == {outcome.value!r}"
    if (model := expected.model_used) is not None:
        yield f"the model {model}", f"assert response.model_used == {model!r}"
    if (cost := expected.cost) is not None:
        yield f"a cost of at most {cost} dollars", f"assert response.cost <= {cost!r}"
    if (tools := expected.tools_used) is not None:
        names = _literal(set(tools), 4) if tools else "set()"
        said = f"the tools {', '.join(tools)} only" if tools else "no tools"
        yield said, f"assert set(response.tools_used) == {names}"
    for tool in expected.tools_not_used:
        yield f"not the tool {tool}", f"assert {tool!r} not in response.tools_used"


def _of_the_queries(expected: Expected) -> Iterator[tuple[str, ...]]:
    same = f"assert same_rows(expected, response.rows, ordered={expected.counts_order})"
    database = expected.database
    if expected.sql is not None:
        query = f"expected = sql_rows({database!r}, {_literal(expected.sql, 4)})"
        yield f"the rows of {database}: {' '.join(expected.sql.split())}", query, same
    elif database is not None:
        asked = f"assert {database!r} in [step.database for step in response.steps]"
        yield f"the database {database}", asked
    if (rows := expected.rows) is not None:
        yield f"{len(rows):,} given rows", f"expected = {_literal(list(rows), 4)}", same
    for said, pieces, test in (
        ("SQL without", expected.sql_not_contains, "has_sql"),
        ("other SQL than", expected.sql_not_equals, "same_sql"),
    ):
        for sql in pieces:
            unwanted = f"[step.sql for step in response.steps if {test}(unwanted, step.sql)]"
            yield (
                f"{said} {' '.join(sql.split())}",
                f"unwanted = {_literal(sql, 4)}",
                f"assert not {unwanted}",
            )


def _literal(value: object, indent: int) -> str:
    """A value as Python; longer ones over several lines."""
    text = pprint.pformat(value, width=_WIDTH - indent, sort_dicts=False)
    if isinstance(value, str) and "\n" in text:
        text = f"({text})" if not text.startswith("(") else text
    return text.replace("\n", "\n" + " " * indent)


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", text)
