"""The search inside the database: FTS5 in SQLite, a GIN index over a tsvector in Postgres.

One row for each memory that is not forgotten; its key is the `seq` of the version that counts. It is written in the
transaction of that version.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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

    @property
    def is_nothing(self) -> bool:
        """Whether no row can be wanted."""
        return any(some is not None and not some for some in (self.user_ids, self.types))


_Given = Mapping[str, str | int | Sequence[int]]


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
    return " AND ".join([*parts, _any("words", terms)])


def _any(column: str, terms: Iterable[str]) -> str:
    quoted = " OR ".join(f'"{term}"' for term in terms)
    return f"{column} : ({quoted})"


class _Postgres:
    """A tsvector with the stems of the `english` dictionary."""

    _table = sa.table(
        TABLE,
        sa.column("seq", sa.BigInteger),
        sa.column("clone_id", AnyText),
        sa.column("user_id", AnyText),
        sa.column("type", sa.Text),
        sa.column("words", TSVECTOR),
    )
    _configuration = sa.cast(CONFIGURATION, REGCONFIG)

    def add(self, connection: sa.Connection, seq: int, scope: Scope, words: Sequence[str]) -> None:
        """Insert the row."""
        row = {
            **scope._asdict(),
            "type": scope.type.value,
            "seq": seq,
            "words": sa.func.to_tsvector(self._configuration, " ".join(words)),
        }
        connection.execute(sa.insert(self._table).values(row))

    def remove(self, connection: sa.Connection, seq: int) -> None:
        """Delete the row."""
        connection.execute(sa.delete(self._table).where(self._table.c.seq == seq))

    def matches(self, wanted: Wanted, terms: Sequence[str], limit: int) -> Best:
        """The score is `ts_rank`, divided by 1 + the logarithm of the length.

        Terms are alternatives, which leaves cover density nothing to measure: `ts_rank_cd` takes five times as long.
        """
        return Best(self._scored(wanted, terms).limit(limit), {})

    def having(self, wanted: Wanted, terms: Sequence[str]) -> Having:
        """In any order."""
        found = sa.select(self._table.c.seq)
        return Having(found.where(*self._conditions(wanted, self._query(terms))), {})

    def scores(self, wanted: Wanted, terms: Sequence[str], seqs: Sequence[int]) -> Best:
        """Rows by their keys need no index of words."""
        return Best(self._scored(wanted, terms).where(self._table.c.seq.in_(seqs)), {})

    def _scored(self, wanted: Wanted, terms: Sequence[str]) -> sa.Select[int, float]:
        columns, query = self._table.c, self._query(terms)
        score = sa.func.ts_rank(columns.words, query, 1, type_=sa.Float())
        found = sa.select(columns.seq, score.label("score"))
        found = found.where(*self._conditions(wanted, query))
        return found.order_by(sa.desc("score"), columns.seq.desc())

    def _query(self, terms: Sequence[str]) -> sa.ScalarSelect[str]:
        """As a subquery it is parsed once and not for each row."""
        any_of = " | ".join(f"'{one}'" for one in terms)
        parsed = sa.func.to_tsquery(self._configuration, any_of, type_=TSQUERY)
        return sa.select(parsed).scalar_subquery()

    def _conditions(
        self, wanted: Wanted, query: sa.ScalarSelect[str]
    ) -> Iterator[sa.ColumnElement[bool]]:
        columns = self._table.c
        yield columns.words.op("@@")(query)
        yield columns.clone_id == wanted.clone_id
        if wanted.user_ids is not None:
            yield columns.user_id.in_(wanted.user_ids)
        if wanted.types is not None:
            yield columns.type.in_([one.value for one in wanted.types])


_SQLITE, _POSTGRES = _Sqlite(), _Postgres()
