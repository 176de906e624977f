"""What the gateway adds to a call: against a bare HTTP request to the same fake server."""

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
from pydantic import BaseModel

from oldhand.models import LanguageModel, Ledger, Message, get_lm
from oldhand.settings import ModelSettings
from oldhand.testing.fake_server import FakeServer, Reply, Request

ROUNDS = 100
NAMES = ("openai:fake", "ollama:fake", "anthropic:claude-sonnet-5")
ASKED = [
    Message(role="system", content="Write one SQL query. " * 200),
    Message(role="user", content="How many customers live in Berlin?"),
]


class Query(BaseModel):
    """The form of a structured answer."""

    sql: str
    confidence: float


def answer(request: Request) -> Reply:
    """The same work for the server, whatever the client."""
    if request.schema_name or request.body.get("format"):  # Ollama's schemas have no name
        return Reply(data={"sql": "SELECT COUNT(*) FROM customers", "confidence": 0.9})
    return Reply(text="SELECT COUNT(*) FROM customers WHERE city = 'Berlin'")


Call = Callable[[], Awaitable[object]]


def bare_request(client: httpx2.AsyncClient, url: str) -> Call:
    """The same question without any library for models."""
    body = {"model": "fake", "messages": [message.model_dump() for message in ASKED]}

    async def call() -> object:
        response = await client.post(f"{url}/chat/completions", json=body)
        return json.loads(response.text)["choices"][0]["message"]["content"]

    return call


def ways(model: LanguageModel) -> dict[str, Call]:
    """Each way of asking a model."""
    ledger = Ledger()

    async def stream() -> str:
        return "".join([p async for p in model.stream(ASKED, stage="bench", ledger=ledger)])

    return {
        f"`{model.name}` complete": lambda: model.complete(ASKED, stage="bench", ledger=ledger),
        f"`{model.name}` structured": lambda: model.structured(
            ASKED, Query, stage="bench", ledger=ledger
        ),
        f"`{model.name}` stream": stream,
    }


async def milliseconds(call: Call) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    await call()
    return 1000 * (time.perf_counter() - began)


async def measure() -> None:
    """Ask in all ways in turn, so that a busy machine slows them alike, and print the table."""
    with FakeServer(answer) as server:
        environ = {
            "OPENAI_BASE_URL": server.openai_url,
            "OLLAMA_BASE_URL": server.url,
            "ANTHROPIC_BASE_URL": server.url,
        }
        models = [get_lm(name, settings=ModelSettings(), environ=environ) for name in NAMES]
        async with httpx2.AsyncClient(trust_env=False) as client:
            calls = {"bare HTTP request": bare_request(client, server.openai_url)}
            for model in models:
                calls |= ways(model)
            for call in calls.values():
                await call()
            rounds = [
                {name: await milliseconds(call) for name, call in calls.items()}
                for _ in range(ROUNDS)
            ]
        for model in models:
            await model.aclose()
    print("| call | median ms | over the bare request of its round |\n| --- | ---: | ---: |")
    for name in calls:
        median = statistics.median(times[name] for times in rounds)
        over = statistics.median(times[name] - times["bare HTTP request"] for times in rounds)
        print(f"| {name} | {median:.1f} | {over:+.1f} |")


def run(data: Path | None) -> None:
    """Print what the gateway adds to a call; needs no data."""
    del data
    print(f"{ROUNDS} rounds; the fake server runs in the same process.\n")
    asyncio.run(measure())
