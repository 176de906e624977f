"""Read files of records: the journal's, exports, or written by hand."""

import json
import re
import warnings
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple, cast

from oldhand.errors import InvalidId, JournalError
from oldhand.record.base import checked_name
from oldhand.settings.bounded import bounded_bytes
from oldhand.store.journal.last_lines import is_record
from oldhand.store.journal.lines import JOURNAL_FILES

_MOST_BYTES = 1_000_000_000
_SPACE = re.compile(r"[ \t\r\n]*")
_REST_OF_LINE = re.compile(r"[^\n]*")


class TornLine(UserWarning):
    """The last line of a journal file is not whole: its writer was interrupted. It is skipped."""


class FoundRecord(NamedTuple):
    """One record of a file."""

    place: str
    """`file:line`, for messages."""
    record: dict[str, object]


def record_files(source: Path) -> Generator[tuple[Path, str | None]]:
    """The files to read, each with the user whose folder it lies in; a `JournalError` when there are none, or a link."""
    if not source.is_dir():
        yield source, None
        return
    found = False
    folders = [one for one in sorted(source.iterdir()) if one.is_dir() and one.name[0] not in "._"]
    for folder, owner in ((source, None), *((one, _owner(one)) for one in folders)):
        for file in sorted(folder.glob("*.jsonl")):
            found = True
            yield _no_link(file), owner
    if not found:
        raise JournalError(f"{source}: no *.jsonl files here, nor in its subfolders")


def _owner(folder: Path) -> str:
    try:
        return checked_name(_no_link(folder).name)
    except InvalidId as error:
        raise JournalError(f"{folder}: {error}") from error


def _no_link(path: Path) -> Path:
    if path.is_symlink():
        raise JournalError(f"{path}: a link; name the place where it leads instead")
    return path


def read_records(path: Path) -> Generator[FoundRecord]:
    """The records of a file: one on each line, or written over several lines.

    Warns:
        TornLine: the last line of a journal file is not whole.

    Raises:
        JournalError: the file cannot be read, or a record is not a JSON object; the line where it
            begins is named.
    """
    text = _text(path)
    decoder = json.JSONDecoder()
    line, position = 1, 0
    while (start := _end(_SPACE, text, position)) < len(text):
        line += text.count("\n", position, start)
        place = f"{path}:{line}"
        try:
            value, position = cast("tuple[object, int]", decoder.raw_decode(text, start))
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{place}: not JSON: {error}") from error
        rest = text[position : _end(_REST_OF_LINE, text, position)]
        if not isinstance(value, dict) or rest.strip():
            raise JournalError(f"{place}: not one JSON object")
        line += text.count("\n", start, position)
        yield FoundRecord(place, cast("dict[str, object]", value))


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _text(path: Path) -> str:
    try:
        data = bounded_bytes(path, _MOST_BYTES)
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from error
    if path.name in JOURNAL_FILES.values():
        data = _without_torn_line(data, path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JournalError(f"{path}:{line}: not UTF-8") from error


def _without_torn_line(data: bytes, path: Path) -> bytes:
    start = data.rfind(b"\n") + 1
    last = data[start:]
    if not last.startswith(b"{") or is_record(last):
        return data
    line = data.count(b"\n") + 1
    warnings.warn(f"{path}:{line} is not whole and was skipped", TornLine, stacklevel=4)
    return data[:start]
