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
_LONGEST = 10_000_000
"""Characters of one record: every list of memories would read them."""
_DECODER = json.JSONDecoder()
_BEGINS = re.compile(r"[^\s,]")
_LIST = re.compile(r"\s*\[(?=\s*\{)")
"""Around all records it says nothing, nor do the commas between them."""


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
    for line, record in told_records(path):
        if isinstance(record, str):
            raise JournalError(f"{path}:{line}: {record}")
        yield FoundRecord(f"{path}:{line}", record)


def told_records(path: Path) -> Generator[tuple[int, dict[str, object] | str]]:
    """Each record with the line where it begins, be it on one line or on several; for what can't be read, why not.

    Raises:
        JournalError: the file cannot be read.
    """
    text, place, line = _text(path), 0, 1
    if (whole := _LIST.match(text)) is not None and text.rstrip().endswith("]"):
        text, place = text.rstrip()[:-1], whole.end()
    while (found := _BEGINS.search(text, place)) is not None:
        line += text.count("\n", place, found.start())
        place = found.start()
        try:
            value, end = cast("tuple[object, int]", _DECODER.raw_decode(text, place))
            yield line, _record(value, text[place:end])
        except (ValueError, RecursionError) as error:
            end = _end_of_line(text, place)
            if text[place:end].strip() == "{":  # the record was to take several lines
                end = text.find("\n{", end) if text.find("\n{", end) >= 0 else len(text)
            yield line, "not UTF-8" if _is_damaged(text[place:end]) else f"not JSON: {error}"
        line += text.count("\n", place, end)
        place = end


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _is_damaged(text: str) -> bool:
    return any("\udc80" <= one <= "\udcff" for one in text) if not text.isascii() else False


def _record(value: object, text: str) -> dict[str, object] | str:
    if _is_damaged(text):
        return "not UTF-8"
    if len(text) > _LONGEST:
        return f"a record of {len(text):,} characters; {_LONGEST:,} are the most"
    return cast("dict[str, object]", value) if isinstance(value, dict) else "not one JSON object"


def _text(path: Path) -> str:
    try:
        data = bounded_bytes(path, _MOST_BYTES)
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}") from error
    if path.name in JOURNAL_FILES.values():
        data = _without_torn_line(data, path)
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _without_torn_line(data: bytes, path: Path) -> bytes:
    start = data.rfind(b"\n") + 1
    last = data[start:]
    if not last.startswith(b"{") or is_record(last):
        return data
    line = data.count(b"\n") + 1
    warnings.warn(
        f"{path}:{line} is not whole and was skipped: its writer was interrupted.",
        TornLine,
        stacklevel=4,
    )
    return data[:start]
