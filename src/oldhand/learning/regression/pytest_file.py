"""A behaviour spec as a test in Python."""

import pprint
import re
import unicodedata
from collections.abc import Iterator

from oldhand.learning.regression.rows import sorts
from oldhand.learning.regression.spec import BehaviourSpec, Expected
from oldhand.learning.regression.telling import expectations

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
    messages = [message.model_dump() for message in spec.input.messages]
    lines = [
        f"# Auto-generated from episode {_plain(spec.episode_id[:8])} ({spec.created_at:%Y-%m-%d})",
        *_imports(expected),
        "",
        "",
        f"def {name_of_test(spec)}({fixtures}):",
        f'    """{_docstring(expected)}"""',
        "    response = orchestrator.route(",
        f"        messages={_literal(messages, 8)},",
        "        context={},",
        "    )",
        "",
        *(f"    {line}" for line in _assertions(expected)),
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


def _docstring(expected: Expected) -> str:
    text = f"Expected: {'; '.join(expectations(expected))}."
    plain = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _assertions(expected: Expected) -> Iterator[str]:
    if expected.outcome is not None:
        yield f"assert response.outcome == {expected.outcome.value!r}"
    if expected.model_used is not None:
        yield f"assert response.model_used == {expected.model_used!r}"
    if expected.cost is not None:
        yield f"assert response.cost <= {expected.cost!r}"
    if expected.tools_used is not None:
        names = set(expected.tools_used)
        yield f"assert set(response.tools_used) == {_literal(names, 4) if names else 'set()'}"
    for tool in expected.tools_not_used:
        yield f"assert {tool!r} not in response.tools_used"
    for text in expected.response_contains:
        yield f"assert {text.casefold()!r} in response.text.casefold()"
    for text in expected.response_not_contains:
        yield f"assert {text.casefold()!r} not in response.text.casefold()"
    yield from _of_the_queries(expected)


def _of_the_queries(expected: Expected) -> Iterator[str]:
    ordered = bool(expected.ordered)
    if expected.sql is not None:
        ordered = sorts(expected.sql) if expected.ordered is None else ordered
        yield f"expected = sql_rows({expected.database!r}, {_literal(expected.sql, 4)})"
        yield f"assert same_rows(expected, response.rows, ordered={ordered})"
    elif expected.database is not None:
        yield f"assert {expected.database!r} in [step.database for step in response.steps]"
    if expected.rows is not None:
        yield f"expected = {_literal(list(expected.rows), 4)}"
        yield f"assert same_rows(expected, response.rows, ordered={ordered})"
    for piece in expected.sql_not_contains:
        yield f"unwanted = {_literal(piece, 4)}"
        yield "assert not [step.sql for step in response.steps if has_sql(unwanted, step.sql)]"
    for sql in expected.sql_not_equals:
        yield f"unwanted = {_literal(sql, 4)}"
        yield "assert not [step.sql for step in response.steps if same_sql(unwanted, step.sql)]"


def _literal(value: object, indent: int) -> str:
    """A value as Python; longer ones over several lines."""
    text = pprint.pformat(value, width=_WIDTH - indent, sort_dicts=False)
    if isinstance(value, str) and "\n" in text:
        text = f"({text})" if not text.startswith("(") else text
    return text.replace("\n", "\n" + " " * indent)


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", text)
