"""Where a database lies: its URL, read once and checked."""

import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import quote, unquote

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from oldhand.errors import InvalidDatabaseUrl

KINDS = {
    "sqlite": "sqlite",
    "postgresql": "postgres",
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "duckdb": "duckdb",
    "mssql": "mssql",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "files": "files",
    "pgserver": "pgserver",
}
"""The scheme of a URL to the kind of database behind it."""

_SUPPORTED = (
    "sqlite:///file.db, postgresql://user@host/name, mysql://user@host/name, "
    "mariadb://user@host/name, duckdb:///file.duckdb, files:///folder, mssql://user@host/name, "
    "snowflake://user@account/name/schema and bigquery://project/dataset"
)
ROW_FILES = (
    ".csv",
    ".tsv",
    ".json",
    ".jsonl",
    ".ndjson",
    ".parquet",
    ".xlsx",
    ".xlsm",
    ".xlsb",
    ".xls",
    ".ods",
)
"""How files are called whose rows can be read."""
_WITH_PASSWORD = re.compile(r"([\w+]+://[^:/@?]+:)(.*)(@[^@/?]*(?:/[^@]*)?(?:\?.*)?)")
_SECRET = re.compile(r"pass|pwd|secret|token|private_key$|base64", re.IGNORECASE)
"""Options that are as good as a password."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")


_LONGEST_NAME = 64
"""Characters of the name that a database is given after its URL."""


@dataclass(frozen=True)
class Address:
    """A database's URL in parts; `repr` never shows the password."""

    kind: str
    """`sqlite`, `postgres`, `mysql`, `duckdb`, `files`, `mssql`, `snowflake`, `bigquery`, or `pgserver` (a Postgres of our own)."""
    database: str
    """Path of the file, or name of the database on its server; may be empty."""
    shown: str
    """The URL with the password hidden."""
    host: str | None = None
    port: int | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    options: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


def parse_address(url: str, environ: Mapping[str, str] | None = None) -> Address:
    """Read a URL; `${NAME}` in it is filled from the environment.

    Raises:
        InvalidDatabaseUrl: it does not parse, its scheme is not supported, or a variable is not set.

    >>> parse_address("mysql+pymysql://ana:${PW}@db:3307/shop", {"PW": "p@ss/word"})
    Address(kind='mysql', database='shop', shown='mysql+pymysql://ana:***@db:3307/shop', host='db', port=3307, user='ana')
    >>> parse_address("oracle://db/shop")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidDatabaseUrl: Databases of the kind 'oracle' are not supported. Supported are sqlite:///file.db, postgresql://user@host/name, mysql://user@host/name, mariadb://user@host/name, duckdb:///file.duckdb, files:///folder, mssql://user@host/name, snowflake://user@account/name/schema and bigquery://project/dataset.
    """
    environ = os.environ if environ is None else environ
    parsed = _parse(url)
    scheme = parsed.drivername.partition("+")[0].lower()
    if scheme not in KINDS:
        raise InvalidDatabaseUrl(_unsupported(scheme))

    def filled(text: str | None) -> str | None:
        return None if text is None else _fill(text, environ)

    options = {
        name: _fill(value if isinstance(value, str) else value[-1], environ)
        for name, value in parsed.query.items()
    }
    return Address(
        kind=KINDS[scheme],
        database=filled(parsed.database) or "",
        shown=shown_url(url),
        host=filled(parsed.host),
        port=parsed.port,
        user=filled(parsed.username),
        password=filled(parsed.password),
        options=options,
    )


def shown_url(url: str) -> str:
    """The URL as it may be shown to people: the password is hidden.

    >>> shown_url("postgresql://ana:secret@db/shop?sslpassword=x"), shown_url("not a url")
    ('postgresql://ana:***@db/shop?sslpassword=***', '(unreadable URL)')
    """
    try:
        parsed = make_url(_escaped(url))
    except (ArgumentError, ValueError):
        return "(unreadable URL)"
    hidden = {name: "***" for name in parsed.query if _SECRET.search(name)}
    shown = parsed.update_query_dict(hidden).render_as_string(hide_password=True)
    return shown.replace("=%2A%2A%2A", "=***")


def portable_url(url: str, name: str) -> str:
    """The URL as it may be written down: a variable of the environment stands for the password.

    >>> portable_url("postgresql://ana:secret@db/shop", "web-shop"), portable_url("mysql://ana:${PW}@db/shop", "shop")
    ('postgresql://ana:${WEB_SHOP_PASSWORD}@db/shop', 'mysql://ana:${PW}@db/shop')
    """
    parsed, variable = _parse(url), re.sub(r"\W", "_", name).upper()
    secret = {key: f"${{{variable}_{key.upper()}}}" for key in parsed.query if _SECRET.search(key)}
    if parsed.password is not None and not _VARIABLE.fullmatch(parsed.password):
        parsed = parsed.set(password=f"${{{variable}_PASSWORD}}")
    said = parsed.update_query_dict(secret).render_as_string(hide_password=False)
    return said.replace("%24%7B", "${").replace("%7D", "}")


def absolute_url(url: str) -> str:
    """The URL with a relative file path made absolute, so that it holds in any working directory.

    >>> absolute_url("sqlite:////srv/a.db"), absolute_url("mysql://db/shop")
    ('sqlite:////srv/a.db', 'mysql://db/shop')
    """
    parsed = _parse(url)
    scheme = parsed.drivername.partition("+")[0].lower()
    path = parsed.database
    url = _url_of(url)
    if (
        KINDS.get(scheme) not in ("sqlite", "duckdb", "files", "pgserver")
        or not path
        or path[0] in ":$"
    ):
        return url
    absolute = Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100 - resolve() follows links
    return parsed.set(database=absolute.as_posix()).render_as_string(hide_password=False)


def database_name(url: str) -> str:
    """A name for the database at a URL, after its file or its name on the server.

    >>> database_name("sqlite:///data/Web shop.db"), database_name("postgresql://ana@db/shop?ssl=1")
    ('web_shop', 'shop')
    >>> database_name("sqlite:///Käse.db"), database_name("sqlite:///日本.db")
    ('kase', 'database')
    """
    last = unquote(url.partition("?")[0].rstrip("/").rpartition("/")[2])
    stem = unicodedata.normalize("NFKD", last.rpartition(".")[0] or last)
    plain = stem.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST_NAME].strip("_") or "database"


def _parse(url: str) -> URL:
    try:
        return make_url(_escaped(_url_of(url)))
    except (ArgumentError, ValueError) as error:
        problem = f"The URL of a database does not parse. Supported are {_SUPPORTED}."
        raise InvalidDatabaseUrl(problem) from error


def file_url(path: Path) -> str | None:
    """The URL of a database in a file, as its first bytes or its name tell; None when there is no such file, or it is none.

    >>> file_url(Path("shop"))
    """
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        head = b""  # who opens the database says why it can't be read
    if head.startswith(b"SQLite format 3"):
        return f"sqlite:///{path}"
    if head[8:12] == b"DUCK":
        return f"duckdb:///{path}"
    return f"files:///{path}" if path.suffix.lower() in ROW_FILES else None


def _escaped(url: str) -> str:
    """The URL with a password whose `@`, `/`, `:` or `?` were not escaped taken for what it is.

    >>> _escaped("mysql://ana:p@ss/w?@db/shop"), _escaped("sqlite:////home/a@b/c.db")
    ('mysql://ana:p%40ss%2Fw%3F@db/shop', 'sqlite:////home/a@b/c.db')
    """
    found = _WITH_PASSWORD.fullmatch(url)
    if found is None:
        return url
    start, password, rest = found.groups()
    return f"{start}{quote(password, safe='%${}')}{rest}"


def _url_of(given: str) -> str:
    """The URL of a file or folder that is named by its path; a URL stays as it is."""
    if "://" in given:
        return given
    path = Path(given).expanduser()
    found = f"files:///{path}" if path.is_dir() else file_url(path)
    if found is None:
        there = "is no file of a database or of rows" if path.exists() else "does not exist"
        raise InvalidDatabaseUrl(
            f"A database is named by a URL, such as sqlite:///shop.db, or by a file or folder: {given} {there}. "
            f"Supported are {_SUPPORTED}."
        )
    return found


def _fill(text: str, environ: Mapping[str, str]) -> str:
    for name in _VARIABLE.findall(text):
        if name not in environ:
            raise InvalidDatabaseUrl(f"The URL names ${{{name}}}, but {name} is not set.")
    return _VARIABLE.sub(lambda found: environ[found[1]], text)


def _unsupported(scheme: str) -> str:
    near = get_close_matches(scheme, KINDS, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"Databases of the kind {scheme!r} are not supported.{guess} Supported are {_SUPPORTED}."
