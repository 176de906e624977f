"""A server of vectors for tests, which answers as it is told."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

Answer = Callable[[list[str]], tuple[int, object]]


@contextmanager
def embedding_server(answer: Answer) -> Iterator[tuple[str, list[list[str]]]]:
    asked: list[list[str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(given["input"])
            status, body = answer(given["input"])
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=httpd.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/v1", asked
    finally:
        httpd.shutdown()
        httpd.server_close()


def vectors(rows: Sequence[Sequence[float]]) -> dict[str, object]:
    data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
    return {
        "object": "list",
        "model": "m",
        "data": data[::-1],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
