"""Files of rows, and folders of them, as one database: they are copied into a DuckDB file, which is only read."""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import csv
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import duckdb
from sqlglot import exp

from oldhand.errors import DatabaseUnreachable, MissingExtra
from oldhand.sources.cells import unique_names
from oldhand.sources.databases.address import ROW_FILES, Address, database_name
from oldhand.sources.databases.drivers.duckdb import CATALOGUE, DuckdbDriver
from oldhand.sources.databases.files import Stamp, stamp_of
from oldhand.sources.databases.session import RawRow
from oldhand.sources.separated import header_place, layout_of
from oldhand.sources.workers.arrow import arrow_table
from oldhand.sources.workers.client import WorkerSession

_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}

_State = tuple[tuple[Path, Stamp], ...]
DOCUMENTS = (".json", ".jsonl", ".ndjson")
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_NAMED = 3
"""Files that a message names at most."""
_SNIFFED = 200
"""Lines that tell how a file is written."""
_DECIMAL_COMMA = re.compile(r"-?\d+(\.\d{3})*,\d+")
_DECIMAL_POINT = re.compile(r"-?\d+\.\d+")
_VALUE = re.compile(r"[-+]?[\d.,:/ -]*\d[\d.,:/ -]*%?")
_CSV = "SELECT * FROM read_csv(?, sample_size = -1, store_rejects = true, delim = ?, skip = ?, header = ?, decimal_separator = ?)"


class FolderDriver:
    """Files of rows; when one of them changes, they are read again before the next query."""

    dialect = "duckdb"
    sessions = DuckdbDriver.sessions
    catalogue = CATALOGUE.read
    own_functions = None

    def __init__(self, address: Address) -> None:
        self._path = Path(address.database).expanduser()
        self._lock = threading.Lock()
        self._folder = Path(tempfile.mkdtemp(prefix="oldhand-"))
        self._copied: tuple[_State, Path] | None = None

    def connect(self) -> "FolderSession":
        """A session on a copy of what the files hold now.

        Raises:
            DatabaseUnreachable: there are no such files, or one of them cannot be read.
        """
        with self._lock:
            now = self.state()
            if self._copied is None or self._copied[0] != now:
                self._copied = now, self._copy(now)
            copy = self._copied[1]
        return FolderSession(copy, self, now)

    def state(self) -> _State:
        """Which files there are, and their times."""
        return tuple((file, stamp_of(file)) for file in row_files(self._path))

    def close(self) -> None:
        """Remove the copies."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _copy(self, files: _State) -> Path:
        copy = Path(tempfile.mkdtemp(dir=self._folder)) / "rows.duckdb"
        try:
            with duckdb.connect(str(copy), config=_OFFLINE) as database:
                load(database, [file for file, _ in files])
        except duckdb.Error as error:
            raise DatabaseUnreachable(f"{self._path}: {error}") from error
        return copy


class FolderSession(WorkerSession):
    """A session on a copy; it is of no more use once a file has changed."""

    def __init__(self, copy: Path, driver: FolderDriver, state: _State) -> None:
        super().__init__("duckdb", str(copy))
        self._driver = driver
        self._state = state

    @property
    def usable(self) -> bool:
        """False once a file has changed."""
        try:
            return super().usable and self._driver.state() == self._state
        except (DatabaseUnreachable, OSError):
            return False


# Files of rows as tables of DuckDB: CSV, Parquet, JSON and Excel, with their types and without their broken lines.
def row_files(path: Path) -> tuple[Path, ...]:
    """The files of rows at a path: itself, or those of a folder by name.

    Raises:
        DatabaseUnreachable: there are none.
    """
    found = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [one for one in found if one.suffix.lower() in ROW_FILES and one.is_file()]
    shown = tuple(one for one in files if not one.name.startswith((".", "~$")))
    if not shown:
        what = "holds no files of rows" if path.exists() else "is not there"
        raise DatabaseUnreachable(f"{path} {what}. Read are {', '.join(ROW_FILES)}.")
    return shown


def load(database: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    """Make a table of each file, and of each sheet of a workbook, in which there is something.

    Raises:
        DatabaseUnreachable: a file cannot be read, the message names it; or nothing is in any of them.
        MissingExtra: a workbook is among them, and its reader is not installed.
    """
    taken: set[str] = set()
    for file in files:
        try:
            for name, made in _tables(database, file):
                table, number = name, 1
                while table in taken:
                    table, number = f"{name}_{number + 1}", number + 1
                taken.add(table)
                made.create(exp.to_identifier(table, quoted=True).sql("duckdb"))
                _tell_rejected(database, table, file)
        except (duckdb.Error, OSError, UnicodeError, csv.Error) as error:
            said = " ".join(str(error).split())
            raise DatabaseUnreachable(f"{file} cannot be read: {said}") from error
    if not taken:
        names = ", ".join(file.name for file in files[:_NAMED])
        raise DatabaseUnreachable(f"There is nothing in {names}{', …' if files[_NAMED:] else ''}.")


def _tables(
    database: duckdb.DuckDBPyConnection, file: Path
) -> Iterator[tuple[str, duckdb.DuckDBPyRelation]]:
    """The tables in a file by name."""
    suffix, name = file.suffix.lower(), database_name(file.name)
    if not file.stat().st_size:
        return
    if suffix in SHEETS:
        sheets = list(_sheets(file))
        for sheet, columns, values in sheets:
            called = name if len(sheets) == 1 else database_name(f"{sheet}.")
            yield called, database.from_arrow(arrow_table(columns, values))
    elif suffix == ".parquet":
        yield name, database.read_parquet(str(file))
    elif suffix in DOCUMENTS:
        yield name, database.read_json(str(file))
    elif (rows := _separated(database, file)) is not None:
        yield name, rows


def _separated(database: duckdb.DuckDBPyConnection, file: Path) -> duckdb.DuckDBPyRelation | None:
    """The rows of a file of separated values; text that is not UTF-8 is read as Windows wrote it. None where there is none."""
    encoding = _encoding(file)
    with file.open(encoding=encoding, newline="") as lines:
        first = list(islice(lines, _SNIFFED))
    if not any(line.strip() for line in first):
        return None
    delimiter, skipped = layout_of(first)
    rows = list(csv.reader(first[skipped:], delimiter=delimiter))
    header = len(rows) > 1 and not any(_VALUE.fullmatch(cell.strip()) for cell in rows[0])
    cells = [cell.strip() for row in rows[1:] for cell in row]
    comma = delimiter != "," and any(map(_DECIMAL_COMMA.fullmatch, cells))
    comma = comma and not any(map(_DECIMAL_POINT.fullmatch, cells))
    source = file
    if encoding != "utf-8-sig":
        source = Path(database.execute("SELECT current_setting('temp_directory')").fetchall()[0][0])
        source.mkdir(exist_ok=True)
        source = source / file.name
        source.write_text(file.read_text(encoding), "utf-8")
    given = [str(source), delimiter, skipped, header, "," if comma else "."]
    return database.sql(_CSV, params=given)


def _encoding(file: Path) -> str:
    with file.open("rb") as binary:
        if binary.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            return "utf-16"
    try:
        with file.open(encoding="utf-8-sig") as text:
            while text.read(1 << 20):
                pass
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _sheets(file: Path) -> Iterator[tuple[str, tuple[str, ...], list[RawRow]]]:
    """The sheets of a workbook that hold rows; the first row with two cells or more names the columns."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("The reader of workbooks (python-calamine)", "excel") from error
    try:
        workbook = CalamineWorkbook.from_path(file)
        for sheet in workbook.sheet_names:
            rows = [row for row in workbook.get_sheet_by_name(sheet).to_python() if any(row)]
            start = header_place(rows)
            if len(rows) > start + 1:
                names = unique_names([str(cell).strip() for cell in rows[start]])
                columns = map(_whole, zip(*rows[start + 1 :], strict=True))
                yield sheet, names, list(zip(*columns, strict=True))
    except CalamineError as error:
        raise DatabaseUnreachable(f"{file} cannot be read: {error}") from error


def _whole(cells: Sequence[object]) -> list[object]:
    """The cells of a column; a sheet has no whole numbers, so they are told by their values."""
    found = [None if cell == "" else cell for cell in cells]
    if all(cell is None or (isinstance(cell, float) and cell.is_integer()) for cell in found):
        return [int(cell) if isinstance(cell, float) else None for cell in found]
    return found


def _tell_rejected(database: duckdb.DuckDBPyConnection, table: str, file: Path) -> None:
    """Say in the description of a table how many lines of its file are left out."""
    known = "SELECT table_name FROM duckdb_tables() WHERE table_name = 'reject_errors'"
    if not database.execute(known).fetchall():
        return
    found = database.execute("SELECT count(DISTINCT line), min(line) FROM reject_errors").fetchall()
    database.execute("DROP TABLE reject_errors")
    database.execute("DROP TABLE reject_scans")
    number, first = found[0]
    if number:
        said = f"{number:,} of the lines of {file.name} could not be read and {'is' if number == 1 else 'are'} left out, the first is line {first:,}."
        comment = exp.Comment(
            this=exp.table_(table, quoted=True),
            kind="TABLE",
            expression=exp.Literal.string(said),
        )
        database.execute(comment.sql("duckdb"))
