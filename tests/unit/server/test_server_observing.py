"""What an operator sees of a server: metrics, logs and traces."""

import json
import logging
from collections.abc import Iterator

import httpx2 as http
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.unit.server.conftest import Served

from oldhand import Client
from oldhand.record.tracing import trace_with
from oldhand.server.observing import JSONLines, collecting

trace_export = pytest.importorskip("opentelemetry.sdk.trace.export", reason="install it with: make dev")  # fmt: skip

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (  # noqa: E402
    InMemorySpanExporter,
)

BERLIN = {"question": "How many customers live in Berlin?"}


def by(served: Served, role: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {served.keys[role]}"}


def metrics(served: Served) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    told = http.get(f"{served.url}/metrics", headers=by(served, "admin"))
    assert told.headers["content-type"].startswith("text/plain")
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(told.text)
        for one in family.samples
    }


def value(found: dict[tuple[str, tuple[tuple[str, str], ...]], float], name: str, **labels: str) -> float:  # fmt: skip
    return found.get((name, tuple(sorted(labels.items()))), 0.0)


def test_metrics_tell_of_routes_and_assistants_and_only_to_admins(served: Served):
    route = "/api/clones/{clone}/ask"
    before = metrics(served)
    answer = http.post(f"{served.url}/api/clones/default/ask", json=BERLIN, headers=by(served, "owner")).json()  # fmt: skip
    vote = {"contentRating": 1}
    http.post(f"{served.url}/chat/message/{answer['episode_id']}/feedback", json=vote, headers=by(served, "owner"))  # fmt: skip
    http.get(f"{served.url}/no/such/place/{answer['episode_id']}")
    after = metrics(served)
    for name, labels, more in (
        ("oldhand_requests_total", {"method": "POST", "route": route, "status": "200"}, 1),
        ("oldhand_request_seconds_count", {"method": "POST", "route": route}, 1),
        ("oldhand_answers", {"clone": "default"}, 1),
        ("oldhand_answers_rated", {"clone": "default"}, 1),
        ("oldhand_answers_liked", {"clone": "default"}, 1),
        ("oldhand_requests_total", {"method": "GET", "route": "", "status": "404"}, 1),
    ):
        assert value(after, name, **labels) - value(before, name, **labels) == more, name
    assert value(after, "process_resident_memory_bytes") > 1e6
    for role, status in (("owner", 403), ("member", 403)):
        assert http.get(f"{served.url}/metrics", headers=by(served, role)).status_code == status
    assert http.get(f"{served.url}/metrics").status_code == 401


def test_metrics_tell_how_the_search_among_documents_fares(served: Served):
    with Client(served.url, served.keys["owner"]) as far:
        (noted,) = far.documents.upload(
            "leave.md", b"# Leave\n\nFathers may take ninety days of unpaid leave.\n"
        )
        far.documents.refresh()
        before = metrics(served)
        answer = far.ask("How many days of unpaid leave may fathers take?")
        far.feedback(answer.episode_id, rating=+1)
        after = metrics(served)
        far.documents.remove(noted.document.id)
    for kind in ("all", "rated", "liked"):
        name, labels = "oldhand_document_answers", {"clone": "default", "kind": kind}
        assert value(after, name, **labels) - value(before, name, **labels) == 1, kind
    assert sum(it for (name, _), it in after.items() if name == "oldhand_passage_scores") >= 1


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler, logger = Keeping(), logging.getLogger("oldhand")
    handler.setFormatter(JSONLines())
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(logging.INFO)
    yield lines
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_the_log_tells_of_each_request_and_never_what_was_asked(served: Served, log: list[str]):
    named = by(served, "owner") | {"X-Request-ID": "r-77"}
    response = http.post(f"{served.url}/api/clones/default/ask", json=BERLIN, headers=named)
    assert response.headers["x-request-id"] == "r-77"
    odd = http.get(f"{served.url}/api/health", headers={"X-Request-ID": "a b\\n" * 50})
    assert len(odd.headers["x-request-id"]) == 16
    told = [json.loads(line) for line in log]
    (one,) = [it for it in told if it.get("request_id") == "r-77" and it["message"] == "request"]
    assert (one["route"], one["clone"], one["status"]) == ("/api/clones/{clone}/ask", "default", 200)  # fmt: skip
    everything = "".join(log)
    assert "Berlin" not in everything
    assert served.keys["owner"] not in everything


@pytest.mark.parametrize("says", [False, True])
def test_an_answer_has_spans_by_the_conventions(served: Served, says: bool):
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace_with(collecting(provider.get_tracer("test"), says=says))
    try:
        with http.Client() as one:  # its second request begins when the first one has ended
            one.post(f"{served.url}/api/clones/default/ask", json=BERLIN, headers=by(served, "owner"))  # fmt: skip
            one.get(f"{served.url}/api/health")
    finally:
        trace_with(None)
    spans: dict[str, ReadableSpan] = {one.name: one for one in kept.get_finished_spans()}
    request, ask, query = spans["POST"], spans["invoke_agent oldhand"], spans["SELECT shop"]
    assert ask.parent is not None
    assert ask.parent.span_id == request.context.span_id
    assert query.context.trace_id == ask.context.trace_id
    assert ask.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert (query.attributes["db.system.name"], query.attributes["db.response.returned_rows"]) == ("sqlite", 1)  # fmt: skip
    assert ("gen_ai.input.messages" in ask.attributes, "db.query.text" in query.attributes) == (says, says)  # fmt: skip
