"""A model server on this machine, for tests; `oldhand.testing.fake_server` is the same as a command."""

from threading import Event, Lock, Thread
from typing import Self

from oldhand.testing.fake_http import HttpServer
from oldhand.testing.fake_replies import Answers, Reply, Request, Source


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
        self._source = Source(answers)
        self._requests: list[Request] = []
        self._lock = Lock()
        self._closing = Event()
        self._server = HttpServer((host, port), self._note, self._closing)
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
        """The base URL of OpenAI's protocol, which Ollama speaks as well."""
        return f"{self.url}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was asked so far, in order."""
        with self._lock:
            return tuple(self._requests)

    def _note(self, request: Request) -> Reply:
        with self._lock:
            self._requests.append(request)
        return self._source.reply(request)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait that long, or until it is closed when None; True when it is being closed."""
        return self._closing.wait(seconds)
