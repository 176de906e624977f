"""Logs as lines of JSON, each with the request that it belongs to; never with secrets."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

REQUEST: ContextVar[dict[str, str] | None] = ContextVar("oldhand_request", default=None)
"""The request under way: its `request_id`, and its `clone` and `route` once they are known."""
_MARKER = re.compile(r'"(\w+)": (-?[\d.]+)')
"""How markers are logged, such as `"boost_applied": 0.15`."""
_SECRET = re.compile(r"oldhand_(key|session|invite|share)_\w+|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|(?i:bearer )\S+")  # fmt: skip
_LONGEST = 4_000


class JSONLines(logging.Formatter):
    r"""Each record as one line of JSON; a marker becomes a field of its own.

    >>> record = logging.LogRecord("oldhand.x", 20, "", 0, 'at %s: "boost_applied": 0.15', ("oldhand_key_1_2",), None)
    >>> {name: it for name, it in json.loads(JSONLines().format(record)).items() if name != "time"}
    {'level': 'info', 'logger': 'oldhand.x', 'message': 'at (hidden): "boost_applied": 0.15', 'boost_applied': 0.15}
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        message = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            message += f"\n{self.formatException(record.exc_info)}"
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            **(REQUEST.get() or {}),
            "message": without_secrets(message)[:_LONGEST],
            **{name: float(number) for name, number in _MARKER.findall(record.getMessage())},
            **getattr(record, "facts", {}),
        }
        return json.dumps(told, ensure_ascii=False, default=str)


def without_secrets(text: str) -> str:
    """The text with keys, passwords in addresses and tokens hidden.

    >>> without_secrets("postgresql://ana:secret@db/shop, Authorization: Bearer abc")
    'postgresql://(hidden)@db/shop, Authorization: (hidden)'
    """
    return _SECRET.sub("(hidden)", text)


def log_json() -> None:
    """Let all that we log go to standard error as lines of JSON, from INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JSONLines())
    for name in ("oldhand", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)
