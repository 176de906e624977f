"""A real HTTP server on this machine that speaks the protocols of language models, and misbehaves on demand.

Try Oldhand's language-model side without a key:

    python -m oldhand.testing.fake_server --port 8089 --answers answers.yaml
    OPENAI_BASE_URL=http://127.0.0.1:8089/v1 oldhand ask --model openai:fake "How many customers?"

It speaks OpenAI's chat completions (Ollama and others do the same) and Anthropic's messages.
"""

import argparse
import sys
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

import yaml
from pydantic import TypeAdapter, ValidationError

from oldhand.errors import InvalidSetting
from oldhand.testing.fake_http import HttpServer
from oldhand.testing.fake_replies import (
    Answers,
    CalledTool,
    Fault,
    Reply,
    Request,
    Rule,
    Rulebook,
    Source,
    When,
)

__all__ = ["CalledTool", "FakeServer", "Fault", "Reply", "Request", "Rule", "When", "read_rules"]


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
        self._server = HttpServer((host, port), self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
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

    def note(self, request: Request) -> Reply:
        """Keep `request` and choose the reply; called by the connection's thread."""
        with self._lock:
            self._requests.append(request)
        return self._source.reply(request)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait that long, or until it is closed when None; True when it is being closed."""
        return self._closing.wait(seconds)


def read_rules(path: Path) -> list[Rule]:
    """The rules of an answers file: a YAML list of `{when: …, reply: …, fault: …, times: …}`.

    Raises:
        InvalidSetting: it does not parse; the message names the entry.
    """
    try:
        found = yaml.safe_load(path.read_text("utf-8"))
        return TypeAdapter(list[Rule]).validate_python(found or [])
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidSetting(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidSetting(f"{path}: entry {where}: {first['msg']}") from error


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m oldhand.testing.fake_server", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8089, help="0 takes any free port")
    parser.add_argument("--answers", type=Path, help="a YAML list of {when, reply, fault, times}")
    chosen = parser.parse_args(arguments)
    try:
        rules = read_rules(chosen.answers) if chosen.answers else []
        server = FakeServer(Rulebook(rules), host=chosen.host, port=chosen.port)
    except (InvalidSetting, OSError) as problem:
        print(problem, file=sys.stderr)  # noqa: T201 - a command
        return 2
    with server:
        print(f"OPENAI_BASE_URL={server.openai_url}", flush=True)  # noqa: T201
        print(f"ANTHROPIC_BASE_URL={server.url}", flush=True)  # noqa: T201
        print(f"OLLAMA_BASE_URL={server.openai_url}", flush=True)  # noqa: T201
        try:
            server.wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
