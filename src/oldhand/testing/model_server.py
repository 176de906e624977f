"""A model server on this machine, for tests; `oldhand.testing.fake_server` is the same as a command."""

import json
import socket
import struct
import sys
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Self, cast

from pydantic import JsonValue

from oldhand.testing import fake_anthropic, fake_ollama, fake_openai
from oldhand.testing.fake_replies import Answers, Fault, OutOfReplies, Reply, Request
from oldhand.testing.fake_wire import Wire, as_object

_REFUSALS = {
    Fault.RATE_LIMIT,
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE,
    Fault.UNAUTHORIZED,
    Fault.NOT_FOUND,
    Fault.CONTEXT_LENGTH,
}
_JSON = "application/json"
_HTML = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


class FakeServer:
    """Answers on loopback until it is closed; use it in a `with` statement.

    >>> import urllib.request, json
    >>> with FakeServer(["Three."]) as server:
    ...     question = json.dumps({"model": "m", "messages": [{"role": "user", "content": "How many?"}]})
    ...     ask = urllib.request.Request(f"{server.openai_url}/chat/completions", question.encode())
    ...     answer = json.load(urllib.request.urlopen(ask))
    >>> answer["choices"][0]["message"]["content"], server.requests[0].prompt
    ('Three.', 'How many?')
    """

    def __init__(self, answers: Answers, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Start listening.

        Args:
            answers: a queue of replies, one for each request, or a function of the request.
            host: the address to listen on.
            port: 0 takes any free port.

        Raises:
            OSError: the port is taken.
        """
        self.own_chat = True
        """Whether it has Ollama's own chat; without, it is one of the servers that only speak like OpenAI."""
        self._answers = answers if callable(answers) else iter(tuple(answers))
        self._requests: list[Request] = []
        self._closing = Event()
        self._server = _HttpServer((host, port), self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and let go of requests that hang."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it listens: also the base URL of Anthropic's protocol."""
        host, port = self._server.server_address[:2]
        return f"http://{host}:{port}"

    @property
    def openai_url(self) -> str:
        """The base URL of OpenAI's protocol; Ollama's own chat is found beside it."""
        return f"{self.url}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was asked so far, in order."""
        return tuple(self._requests)

    def reply(self, request: Request) -> Reply:
        """Keep `request` and choose the reply; called by the connection's thread.

        Raises:
            OutOfReplies: the queue is empty.
        """
        self._requests.append(request)
        answers = self._answers
        found = answers(request) if callable(answers) else next(answers, None)
        if found is None:
            count = len(self._requests) - 1
            raise OutOfReplies(f"the fake server has no reply left after {count}")
        return Reply(text=found) if isinstance(found, str) else found

    def wait(self, seconds: float | None = None) -> bool:
        """Wait that long, or until it is closed when None; True when it is being closed."""
        return self._closing.wait(seconds)


class _HttpServer(ThreadingHTTPServer):
    """Takes connections, each in a thread of its own."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], desk: FakeServer) -> None:
        self.desk = desk
        super().__init__(address, _Connection)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(cast("socket.socket", request), client_address)


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement

    @property
    def _desk(self) -> FakeServer:
        return cast("_HttpServer", self.server).desk

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""

    def do_GET(self) -> None:
        """Lists of models, for clients that look first."""
        if self.path in {"/v1/models", "/models"}:
            self._send(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})
        elif self.path == "/api/tags":
            self._send(200, {"models": [{"name": "fake", "model": "fake"}]})
        else:
            self._send(404, {"error": {"message": f"There is nothing at {self.path}."}})

    def do_POST(self) -> None:
        """One question to the model."""
        body = as_object(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        wire = _wire_for(self.path)
        if wire is fake_ollama.WIRE and not self._desk.own_chat:
            self._send_bytes(404, b"404 page not found", "text/plain")
            return
        if wire is None or body is None:
            self._send(404 if wire is None else 400, {"error": {"message": "This cannot be read."}})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = wire.read(self.path, headers, body)
        try:
            reply = self._desk.reply(request)
        except OutOfReplies as problem:
            self._send(500, {"error": {"message": str(problem), "type": "server_error"}})
            return
        self._reply(wire, reply, request)

    def _reply(self, wire: Wire, reply: Reply, request: Request) -> None:
        fault = reply.fault
        wants_form = bool(request.schema_name or request.tools)
        refused = fault in _REFUSALS or (fault is Fault.NO_SCHEMA and wants_form)
        if fault is not None and refused:
            after = {} if reply.retry_after is None else {"Retry-After": f"{reply.retry_after:g}"}
            self._send(*wire.error(fault, request), after)
        elif fault is Fault.HANG:
            self._desk.wait()
            self.close_connection = True
        elif fault is Fault.RESET:
            self._reset()
        elif fault is Fault.NOT_JSON:
            self._send_bytes(200, _HTML, "text/html")
        elif fault is Fault.WRONG_SHAPE:
            self._send(200, {"result": "ok"})
        elif request.stream:
            self._stream(wire, reply, request)
        else:
            self._answer(wire, reply, request)

    def _answer(self, wire: Wire, reply: Reply, request: Request) -> None:
        whole = _json(wire.answer(reply, request))
        if reply.fault is Fault.DRIP:
            self._head(200, _JSON, {"Content-Length": str(len(whole))})
            self._drip((whole[i : i + 8] for i in range(0, len(whole), 8)), reply.pause)
        elif reply.fault in {Fault.CUT, Fault.BREAK}:
            self._head(200, _JSON, {"Content-Length": str(len(whole))})
            self.wfile.write(whole[: len(whole) // 2])
            self.close_connection = True
        else:
            self._send_bytes(200, whole, _JSON)

    def _stream(self, wire: Wire, reply: Reply, request: Request) -> None:
        events = wire.events(reply, request)
        half = events.head[: max(2, len(events.head) // 2)]
        self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        pause = reply.pause if reply.fault is Fault.DRIP else None
        match reply.fault:
            case Fault.CUT | Fault.BREAK:
                sent = half
            case Fault.CUT_AT_END:
                sent = [*events.head, *events.finish]
            case Fault.ERROR_IN_STREAM:
                sent = [*half, wire.error_event]
            case _:
                sent = [*events.head, *events.finish, *events.tail]
        self._drip((f"{len(e):x}\r\n".encode() + e + b"\r\n" for e in sent), pause)
        if reply.fault is Fault.BREAK:
            self._reset()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _drip(self, pieces: Iterable[bytes], pause: float | None) -> None:
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            if pause is not None and self._desk.wait(pause):
                self.close_connection = True
                return

    def _reset(self) -> None:
        """Close without the usual farewell, so that the client sees a reset."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()

    def _send(self, status: int, body: JsonValue, headers: dict[str, str] | None = None) -> None:
        self._send_bytes(status, _json(body), _JSON, headers)

    def _send_bytes(
        self, status: int, whole: bytes, kind: str, headers: dict[str, str] | None = None
    ) -> None:
        self._head(status, kind, {"Content-Length": str(len(whole)), **(headers or {})})
        self.wfile.write(whole)

    def _head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def _json(body: JsonValue) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def _wire_for(path: str) -> Wire | None:
    plain = path.partition("?")[0].rstrip("/")
    if plain.endswith("/messages"):
        return fake_anthropic.WIRE
    if plain.endswith("/api/chat"):
        return fake_ollama.WIRE
    return fake_openai.WIRE if plain.endswith("/chat/completions") else None
