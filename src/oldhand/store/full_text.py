"""The search inside the database: FTS5 in SQLite, a GIN index over a tsvector in Postgres.

One row for each memory that is not forgotten; its key is the `seq` of the version that counts. It is written in the
transaction of that version.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import REGCONFIG, TSQUERY, TSVECTOR

from oldhand.record.memory import MemoryType
from oldhand.store.column_types import AnyText

TABLE = "memory_search"
CONFIGURATION = "oldhand_words"
"""The stems of Postgres' `english`, without its stop words: ours are taken out before."""


class Scope(NamedTuple):
    """To whom a row belongs."""

    clone_id: str
    user_id: str
    type: MemoryType


class Wanted(NamedTuple):
    """Which rows are searched; None means any."""

    clone_id: str
    user_ids: Collection[str] | None = None
    types: Collection[MemoryType] | None = None
    marked: str | None = None
    """A word that they all have, such as `searched_text.PLAIN`; letters and digits only."""

    @property
    def is_nothing(self) -> bool:
        """Whether no row can be wanted."""
        return any(some is not None and not some for some in (self.user_ids, self.types))


_Given = Mapping[str, str | int | Sequence[int] | Sequence[str]]


class Best(NamedTuple):
    """A search that can be run."""

    rows: sa.Select[int, float]
    """Selects `seq` and `score`."""
    given: _Given
    """The values of its parameters."""


class Having(NamedTuple):
    """A search without scores."""

    rows: sa.Select[int]
    """Selects `seq`."""
    given: _Given
    """The values of its parameters."""


class FullText(Protocol):
    """How one kind of database searches."""

    def add(self, connection: sa.Connection, seq: int, scope: Scope, words: Sequence[str]) -> None:
        """Let a version be found by `words`."""
        ...

    def remove(self, connection: sa.Connection, seq: int) -> None:
        """Let a version not be found any longer; one that could not be found is passed over."""
        ...

    def matches(self, wanted: Wanted, terms: Sequence[str], limit: int) -> Best:
        """Find the best rows in which any of `terms` occurs."""
        ...

    def having(self, wanted: Wanted, terms: Sequence[str]) -> Having:
        """Find all rows in which any of `terms` occurs; without scores, which take most of the time."""
        ...

    def scores(self, wanted: Wanted, terms: Sequence[str], seqs: Sequence[int]) -> Best:
        """Score these rows as `matches` does, best first."""
        ...


def full_text(connection: sa.Connection) -> FullText:
    """The search of the database at the other end."""
    return _POSTGRES if connection.dialect.name == "postgresql" else _SQLITE


def scope_words(scope: Scope) -> str:
    """The words by which FTS5 finds the rows of a clone, user and type without looking at others.

    >>> scope_words(Scope("default", "ana", MemoryType.BUG_FIX))
    'c18345607124885091234bugfix u2673169044472470076'
    """
    return f"{_clone_word(scope.clone_id, scope.type)} {_user_word(scope.user_id)}"


def _clone_word(clone_id: str, kind: MemoryType) -> str:
    return f"c{_digits(clone_id)}{kind.value.replace('_', '')}"


def _user_word(user_id: str) -> str:
    return f"u{_digits(user_id)}"


def _digits(name: str) -> str:
    """A number for a name: digits are never split or stemmed."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return str(int.from_bytes(digest))


class _Sqlite:
    """FTS5; its own BM25 with k1 = 1.2 and b = 0.75, negated there so that the best is the smallest."""

    _table = sa.table(TABLE, sa.column("rowid", sa.Integer), sa.column("scope"), sa.column("words"))
    _row: sa.ColumnElement[str] = sa.literal_column(TABLE, sa.Text)

    def add(self, connection: sa.Connection, seq: int, scope: Scope, words: Sequence[str]) -> None:
        """Insert the row."""
        row = {"rowid": seq, "scope": scope_words(scope), "words": " ".join(words)}
        connection.execute(sa.insert(self._table), row)

    def remove(self, connection: sa.Connection, seq: int) -> None:
        """Delete the row."""
        connection.execute(sa.delete(self._table).where(self._table.c.rowid == seq))

    # Built once: putting a statement together takes longer than running it.
    _score = -sa.func.bm25(_row, 0.0, 1.0, type_=sa.Float())
    _seq = _table.c.rowid.label("seq")
    _has = _row.op("MATCH")(sa.bindparam("wanted_words", type_=sa.Text))
    _having = sa.select(_seq).where(_has)
    _scored = (
        sa.select(_seq, _score.label("score"))
        .where(_has)
        .order_by(sa.desc("score"), sa.desc("seq"))
    )
    _best = _scored.limit(sa.bindparam("most", type_=sa.Integer))
    _scores = _scored.where(_table.c.rowid.in_(sa.bindparam("seqs", expanding=True)))

    def matches(self, wanted: Wanted, terms: Sequence[str], limit: int) -> Best:
        """Only the words count for the score, not the scope."""
        return Best(self._best, {"wanted_words": _match(wanted, terms), "most": limit})

    def having(self, wanted: Wanted, terms: Sequence[str]) -> Having:
        """In the order of the index."""
        return Having(self._having, {"wanted_words": _match(wanted, terms)})

    def scores(self, wanted: Wanted, terms: Sequence[str], seqs: Sequence[int]) -> Best:
        """How rare a word is still follows from all rows."""
        return Best(self._scores, {"wanted_words": _match(wanted, terms), "seqs": seqs})


def _match(wanted: Wanted, terms: Sequence[str]) -> str:
    """The search in FTS5's language; terms are letters and digits only.

    >>> _match(Wanted("default", types=[MemoryType.EXAMPLE]), ["near", "berlin"])
    'scope : ("c18345607124885091234example") AND words : ("near" OR "berlin")'
    """
    types = MemoryType if wanted.types is None else wanted.types
    parts = [_any("scope", [_clone_word(wanted.clone_id, one) for one in types])]
    if wanted.user_ids is not None:
        parts.append(_any("scope", [_user_word(one) for one in wanted.user_ids]))
    if wanted.marked is not None:
        parts.append(_any("words", [wanted.marked]))
    return " AND ".join([*parts, _any("words", terms)])


def _any(column: str, terms: Iterable[str]) -> str:
    quoted = " OR ".join(f'"{term}"' for term in terms)
    return f"{column} : ({quoted})"


class _Postgres:
    """A tsvector with the stems of the `english` dictionary."""

    table = sa.table(
        TABLE,
        sa.column("seq", sa.BigInteger),
        sa.column("clone_id", AnyText),
        sa.column("user_id", AnyText),
        sa.column("type", sa.Text),
        sa.column("words", TSVECTOR),
    )
    configuration = sa.cast(CONFIGURATION, REGCONFIG)

    def add(self, connection: sa.Connection, seq: int, scope: Scope, words: Sequence[str]) -> None:
        """Insert the row."""
        row = {
            **scope._asdict(),
            "type": scope.type.value,
            "seq": seq,
            "words": sa.func.to_tsvector(self.configuration, " ".join(words)),
        }
        connection.execute(sa.insert(self.table).values(row))

    def remove(self, connection: sa.Connection, seq: int) -> None:
        """Delete the row."""
        connection.execute(sa.delete(self.table).where(self.table.c.seq == seq))

    def matches(self, wanted: Wanted, terms: Sequence[str], limit: int) -> Best:
        """The score is `ts_rank`, divided by 1 + the logarithm of the length.

        Terms are alternatives, which leaves cover density nothing to measure: `ts_rank_cd` takes five times as long.
        """
        return Best(self._statements(wanted).best, {**_asked(wanted, terms), "most": limit})

    def having(self, wanted: Wanted, terms: Sequence[str]) -> Having:
        """In any order."""
        return Having(self._statements(wanted).having, _asked(wanted, terms))

    def scores(self, wanted: Wanted, terms: Sequence[str], seqs: Sequence[int]) -> Best:
        """Rows by their keys need no index of words."""
        return Best(self._statements(wanted).scores, {**_asked(wanted, terms), "seqs": seqs})

    def _statements(self, wanted: Wanted) -> "_Statements":
        return _statements(wanted.user_ids is not None, wanted.types is not None)


class _Statements(NamedTuple):
    """The searches of Postgres, with parameters for what is asked."""

    best: sa.Select[int, float]
    having: sa.Select[int]
    scores: sa.Select[int, float]


@lru_cache(maxsize=4)
def _statements(users: bool, types: bool) -> _Statements:
    """Built once, as in SQLite.

    Args:
        users: whether only some users' rows are wanted.
        types: whether only rows of some types are.
    """
    columns = _Postgres.table.c
    parsed = sa.func.to_tsquery(
        _Postgres.configuration, sa.bindparam("any_of", type_=sa.Text), type_=TSQUERY
    )
    # As a subquery it is parsed once and not for each row.
    query = sa.select(parsed).scalar_subquery()
    conditions = [columns.words.op("@@")(query), columns.clone_id == sa.bindparam("of_clone")]
    if users:
        conditions.append(columns.user_id.in_(sa.bindparam("of_users", expanding=True)))
    if types:
        conditions.append(columns.type.in_(sa.bindparam("of_types", expanding=True)))
    score = sa.func.ts_rank(columns.words, query, 1, type_=sa.Float())
    scored = sa.select(columns.seq, score.label("score")).where(*conditions)
    scored = scored.order_by(sa.desc("score"), columns.seq.desc())
    return _Statements(
        scored.limit(sa.bindparam("most", type_=sa.Integer)),
        sa.select(columns.seq).where(*conditions),
        scored.where(columns.seq.in_(sa.bindparam("seqs", expanding=True))),
    )


def _asked(wanted: Wanted, terms: Sequence[str]) -> dict[str, str | int | Sequence[str]]:
    any_of = " | ".join(f"'{one}'" for one in terms)
    asked: dict[str, str | int | Sequence[str]] = {
        "any_of": any_of if wanted.marked is None else f"({any_of}) & '{wanted.marked}'",
        "of_clone": wanted.clone_id,
    }
    if wanted.user_ids is not None:
        asked["of_users"] = list(wanted.user_ids)
    if wanted.types is not None:
        asked["of_types"] = [one.value for one in wanted.types]
    return asked


_SQLITE, _POSTGRES = _Sqlite(), _Postgres()
