"""The end of a file of lines: what is torn is cut off, and what is there already is known."""

import json
import logging
import os
from pathlib import Path

logger = logging.getLogger(__name__)


def mended_size(file: int, path: Path) -> int:
    """The size of the file once its last line is whole: a torn one is cut off, its text is pending."""
    size = os.fstat(file).st_size
    if size == 0 or os.pread(file, 1, size - 1) == b"\n":
        return size
    start = _start_of_last_line(file, size)
    if is_record(os.pread(file, size - start, start)):
        os.write(file, b"\n")
        return size + 1
    logger.warning("journal_torn: %s: cut off %s bytes of a line", path, size - start)
    os.ftruncate(file, start)
    return start


def _start_of_last_line(file: int, size: int) -> int:
    end = size
    while end > 0:
        start = max(0, end - 65_536)
        newline = os.pread(file, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def is_record(line: bytes) -> bool:
    """Whether a line is one whole JSON object."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def already_there(file: int, size: int, lines: list[bytes]) -> int:
    """How many of `lines` the file ends with: a crash came between the append and its note.

    Whoever appends holds the lock until the note is made, so that only the last lines of a file
    can be such ones.
    """
    ends: list[int] = []
    for line in lines:
        ends.append((ends[-1] if ends else 0) + len(line))
    tail = os.pread(file, ends[-1], max(0, size - ends[-1]))
    everything = b"".join(lines)
    for count in range(len(lines), 0, -1):
        head = everything[: ends[count - 1]]
        if tail.endswith(head):
            return count
    return 0
