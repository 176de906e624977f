"""What holds for every request: how large it may be, how many may come, and what browsers are told."""

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oldhand.server.problems import Problem
from oldhand.settings import ServerSettings

# What draws charts makes two small style sheets, whose hashes these are, and sets styles of what it has drawn.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; style-src 'self'; "
        b"style-src-elem 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='; style-src-attr 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_KNOWN = 10_000
"""Callers whose requests are counted at once."""


class TooLarge(Exception):
    """The body of a request is larger than allowed."""


@dataclass
class TokenBucket:
    """What somebody may still ask: it fills up at a steady rate."""

    left: float
    at: float


class Limits:
    """Holds requests to limits; the first thing that a request meets."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: ServerSettings,
        monotonic: Callable[[], float],
    ) -> None:
        self._app = app
        self._monotonic = monotonic
        self._most_bytes = round(settings.megabytes * 1_000_000)
        self._per_second = settings.requests_per_second
        self._burst = settings.burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if not self._may_come(_caller(scope, headers)):
            await _refuse(send, 429, "TooManyRequests", "Too many requests: wait a moment.")
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._most_bytes:
            await _refuse(send, 413, "TooLarge", f"At most {self._most_bytes:,} bytes.")
            return
        await self._through(scope, receive, send)

    async def _through(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken, begun = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most_bytes:
                raise TooLarge
            return message

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        try:
            await self._app(scope, counted, with_headers)
        except TooLarge:
            if not begun:
                await _refuse(send, 413, "TooLarge", f"At most {self._most_bytes:,} bytes.")

    def _may_come(self, caller: str) -> bool:
        now = self._monotonic()
        bucket = self._buckets.setdefault(caller, TokenBucket(self._burst, now))
        self._buckets.move_to_end(caller)
        while len(self._buckets) > _KNOWN:
            self._buckets.popitem(last=False)
        bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


def _caller(scope: Scope, headers: dict[bytes, bytes]) -> str:
    """Whose requests are counted together: those of one credential, else of one address."""
    told = headers.get(b"authorization") or headers.get(b"cookie")
    if told:
        return f"{hash(told)}"
    client = scope.get("client")
    return client[0] if client else ""


async def _refuse(send: Send, status: int, name: str, detail: str) -> None:
    problem = Problem(type=name, title=name, status=status, detail=detail)
    body = json.dumps(problem.model_dump()).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"retry-after", b"1"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
