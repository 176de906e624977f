"""What models judged before, so that the same thing is not asked twice; a file that all processes of a home share."""

import logging
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

logger = logging.getLogger(__name__)

MAX_ANSWERS = 20_000
"""Answers that are kept; the oldest go first."""
_BUSY_SECONDS = 2.0


class JudgeCache:
    """Answers by content. It only saves calls: a cache that cannot be read or written is logged, counted and passed over.

    >>> cache = JudgeCache(getfixture("tmp_path") / "judgements.db")
    >>> key = content_key("sqlvalidator", "gpt-4", "Is this right? SELECT 1")
    >>> cache.get(key)
    >>> cache.put(key, '{"is_valid": true}')
    >>> JudgeCache(getfixture("tmp_path") / "judgements.db").get(key)
    '{"is_valid": true}'
    """

    def __init__(self, path: Path, most: int = MAX_ANSWERS) -> None:
        self._path = path
        self._most = most
        self.failures = 0
        """How often it could not be read or written."""

    def get(self, key: str) -> str | None:
        """The answer for a key; None when there is none."""
        if not self._path.is_file():
            return None
        try:
            with closing(self._opened()) as connection:
                found = connection.execute(
                    "SELECT answer FROM answers WHERE key = ?", (key,)
                ).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)
            return None
        return str(found[0]) if found else None

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, and let go of the oldest ones when there are too many."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._opened()) as connection, connection:
                connection.execute(
                    "INSERT OR REPLACE INTO answers (key, answer) VALUES (?, ?)", (key, answer)
                )
                connection.execute(
                    "DELETE FROM answers WHERE place <= (SELECT max(place) FROM answers) - ?",
                    (self._most,),
                )
        except (sqlite3.Error, OSError) as error:
            self._failed(error)

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
        try:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers "
                "(place INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, answer TEXT NOT NULL)"
            )
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _failed(self, error: Exception) -> None:
        self.failures += 1
        logger.warning("judge_cache_failed: %s, %s so far: %s", self._path, self.failures, error)


def content_key(*parts: str) -> str:
    """A key that differs as soon as one part does.

    >>> content_key("ab", "c") == content_key("a", "bc")
    False
    """
    text = "\x1e".join(f"{len(part)}:{part}" for part in parts)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()
