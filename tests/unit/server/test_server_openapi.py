"""What the description of the API promises, the routes keep: made-up requests of all kinds."""

from typing import Any

import httpx2 as http
import pytest
from hypothesis import given, settings
from tests.unit.server.conftest import Served

schemathesis = pytest.importorskip("schemathesis", reason="install it with: make dev")

from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

NOT_CALLED = r"sign-out|rebuild|roll-back|/learn|accounts|/clones/\{clone\}/clones|/people"
"""What would end the session, take away what other tests need, or take long."""


def test_each_route_answers_as_it_says(served: Served):
    described = schemathesis.openapi.from_url(f"{served.url}/api/openapi.json")
    operations = [one.ok() for one in described.exclude(path_regex=NOT_CALLED).get_all_operations()]
    assert len(operations) > 45
    for operation in operations:
        answers(operation, served.keys["owner"])


def answers(operation: Any, key: str) -> None:
    """Call one route with made-up requests, valid ones and others."""

    @given(case=operation.as_strategy())
    @settings(max_examples=3)
    def call(case: Any) -> None:
        # That a text is no question, or no SQL, can't be said in a schema: such requests are refused, too.
        case.call_and_validate(
            headers={"Authorization": f"Bearer {key}"}, excluded_checks=[positive_data_acceptance]
        )

    call()


def test_each_route_says_what_it_does(served: Served):
    spec = http.get(f"{served.url}/api/openapi.json").json()
    told = [one for verbs in spec["paths"].values() for one in verbs.values()]
    assert len(told) > 55
    assert [one["operationId"] for one in told if not one.get("summary")] == []
    assert len({one["operationId"] for one in told}) == len(told)
