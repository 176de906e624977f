"""What Prometheus collects: requests as they come, and how each assistant fares, counted when somebody looks."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from oldhand.errors import NotAllowed
from oldhand.face import AsyncOldhand
from oldhand.record.access import Role
from oldhand.record.monitoring import Activity, DocumentStats
from oldhand.server.access import caller_in, site_of
from oldhand.server.site import Site
from oldhand.store import FeedbackTotals, UsageTotal

_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_LOCAL = frozenset({"127.0.0.1", "::1"})

router = APIRouter(tags=["operation"])


class RequestMetrics:
    """Requests of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for kind in (ProcessCollector, PlatformCollector, GCCollector):
            kind(registry=self.registry)
        labels = ("method", "route")
        self.seconds = Histogram(
            "oldhand_request_seconds", "Time until a response was sent, streams to their end.", labels, buckets=_SECONDS, registry=self.registry
        )  # fmt: skip
        self.requests = Counter(
            "oldhand_requests", "Responses.", (*labels, "status"), registry=self.registry
        )
        self.open = Gauge(
            "oldhand_requests_open", "Requests under way, streams among them.", labels, registry=self.registry
        )  # fmt: skip


class AssistantMetrics:
    """How assistants fare, as families of metrics."""

    def __init__(self) -> None:
        of, families = ["clone"], {
            "answers": "Answers given.",
            "answers_rated": "Answers that people rated; a tenth or more should be.",
            "answers_liked": "Answers whose last rating of a person is positive.",
            "reflections_waiting": "Answers that were not looked back on yet.",
            "background_busy": "Whether this process works in the background just now.",
            "night_due": "Whether a night was missed.",
        }  # fmt: skip
        self._gauges = {name: GaugeMetricFamily(f"oldhand_{name}", told, labels=of) for name, told in families.items()}  # fmt: skip
        self._documents = GaugeMetricFamily("oldhand_documents", "Documents by what has become of them.", labels=[*of, "state"])  # fmt: skip
        self._scores = GaugeMetricFamily("oldhand_passage_scores", "Passages that were voted on, by their score.", labels=[*of, "score"])  # fmt: skip
        self._searched = GaugeMetricFamily("oldhand_document_answers", "Answers for which documents were searched: all, those that people rated, those liked, and those whose passages feedback has changed.", labels=[*of, "kind"])  # fmt: skip
        self._failures = CounterMetricFamily("oldhand_failures", "What failed beside answers, in this process.", labels=[*of, "kind"])  # fmt: skip
        labels = [*of, "model", "stage"]
        self._tokens = CounterMetricFamily("oldhand_model_tokens", "Tokens of language models.", labels=[*labels, "direction"])  # fmt: skip
        self._cost = CounterMetricFamily("oldhand_model_cost_dollars", "What language models have cost.", labels=labels)  # fmt: skip
        self._calls = CounterMetricFamily("oldhand_model_requests", "Requests to language models.", labels=labels)  # fmt: skip

    def add(self, clone: str, totals: FeedbackTotals, activity: Activity, usage: Iterable[UsageTotal]) -> None:  # fmt: skip
        """Add what is known of one assistant."""
        told = {
            "answers": totals.answers,
            "answers_rated": totals.rated,
            "answers_liked": totals.liked,
            "reflections_waiting": activity.reflections_waiting,
            "background_busy": activity.is_under_way,
            "night_due": activity.is_night_due,
        }
        for name, number in told.items():
            self._gauges[name].add_metric([clone], number)
        for state, number in activity.documents.items():
            self._documents.add_metric([clone, state.value], number)
        for kind, number in activity.failures.items():
            self._failures.add_metric([clone, kind], number)
        self._add_usage(clone, usage)

    def add_documents(self, clone: str, stats: DocumentStats) -> None:
        """Add how the documents of one assistant fare."""
        ever = stats.spans[-1]
        for kind, number in (("all", ever.answers), ("rated", ever.rated), ("liked", ever.ups), ("moved", ever.moved)):  # fmt: skip
            self._searched.add_metric([clone, kind], number)
        for score, number in stats.scores.items():
            self._scores.add_metric([clone, score], number)

    def _add_usage(self, clone: str, usage: Iterable[UsageTotal]) -> None:
        together: dict[tuple[str, str], list[float]] = {}
        for one in usage:
            spent = one.usage
            sums = together.setdefault((one.model, one.stage), [0.0] * 4)
            for place, number in enumerate((spent.input_tokens, spent.output_tokens, spent.cost or 0.0, spent.requests)):  # fmt: skip
                sums[place] += number
        for (model, stage), (read, written, cost, requests) in together.items():
            self._tokens.add_metric([clone, model, stage, "input"], read)
            self._tokens.add_metric([clone, model, stage, "output"], written)
            self._cost.add_metric([clone, model, stage], cost)
            self._calls.add_metric([clone, model, stage], requests)

    def collect(self) -> Iterator[Metric]:
        """All families, for Prometheus."""
        yield from self._gauges.values()
        yield from (self._documents, self._scores, self._searched, self._failures)
        yield from (self._tokens, self._cost, self._calls)


async def may_look(request: Request) -> None:
    """Let an admin look, or whom the settings let look without a key.

    Raises:
        NotSignedIn, NotAllowed: none of these.
    """
    mode = site_of(request).settings.metrics
    near = request.client is not None and request.client.host in _LOCAL
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    if mode == "open" or (mode == "local" and near and not forwarded):
        return
    if (await caller_in(request, None, Role.OWNER)).role is not Role.ADMIN:
        raise NotAllowed("Metrics are of all assistants: they are for the admin.")


@router.get("/metrics", operation_id="metrics", response_class=Response)
async def metrics(request: Request, _: Annotated[None, Depends(may_look)]) -> Response:
    """How the server and its assistants fare, in the text format of Prometheus."""
    assistants = await _assistants(site_of(request))
    seen = CollectorRegistry()
    seen.register(assistants)
    requests: RequestMetrics = request.app.state.metrics
    told = await asyncio.to_thread(lambda: generate_latest(requests.registry) + generate_latest(seen))  # fmt: skip
    return Response(told, media_type=CONTENT_TYPE_LATEST)


async def _assistants(site: Site) -> AssistantMetrics:
    found = AssistantMetrics()
    for name in await site.access.clones():
        old: AsyncOldhand = await site.clone(name)
        activity = await old.activity()
        found.add(name, await old.feedback_totals(), activity, await old.usage())
        if activity.documents:
            found.add_documents(name, await old.documents.stats())
    return found
