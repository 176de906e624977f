"""The vectors of passages, one for each model and hash."""

import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.errors import StoreError
from oldhand.store.column_types import AnyText
from oldhand.store.search.index import PASSAGE_SEARCH
from oldhand.store.transactions import StorePart, upsert
from oldhand.store.work_tables import passage_vectors, passages

_VECTORS, _OF = passage_vectors.c, passages.c
_SAME = sa.and_(_VECTORS.clone_id == _OF.clone_id, _VECTORS.chunk_hash == _OF.chunk_hash)


_CLONE, _MODEL = (
    sa.bindparam(name, type_=_VECTORS.model.type) for name in ("of_clone", "of_model")
)
_LAST = sa.select(sa.func.max(_VECTORS.seq)).where(
    _VECTORS.clone_id == _CLONE, _VECTORS.model == _MODEL
)
_OTHER = sa.select(
    sa.func.coalesce(
        *(
            sa.select(_VECTORS.model)
            .where(_VECTORS.clone_id == _CLONE, other)
            .order_by(_VECTORS.model)
            .limit(1)
            .scalar_subquery()
            for other in (_VECTORS.model < _MODEL, _VECTORS.model > _MODEL)
        )
    )
)
"""Built once, as each question takes them: putting a statement together takes longer than running it."""
_READ_AT_ONCE = 2_000
"""Vectors that are held as objects, each of which takes longer and more room than its numbers."""
_LOG = logging.getLogger(__name__)
_MAKE = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    """CREATE TABLE IF NOT EXISTS passage_points (
         seq BIGINT PRIMARY KEY REFERENCES passage_vectors (seq) ON DELETE CASCADE, point halfvec NOT NULL)""",
)
_BOUND = (sa.bindparam("clone", type_=AnyText), sa.bindparam("model", type_=AnyText))
_MISSING = sa.text("""
    SELECT v.seq, v.vector FROM passage_vectors v LEFT JOIN passage_points p ON p.seq = v.seq
    WHERE v.clone_id = :clone AND v.model = :model AND p.seq IS NULL ORDER BY v.seq LIMIT 1000""").bindparams(
    *_BOUND
)
_ADD = sa.text("INSERT INTO passage_points (seq, point) VALUES (:seq, CAST(:point AS halfvec))")
_FOUND = """
    SELECT d.number, 1 - (p.point <=> CAST(:asked AS halfvec)) AS cosine
    FROM passage_search_documents d JOIN passages o ON o.seq = d.seq
    JOIN passage_vectors v ON v.clone_id = o.clone_id AND v.chunk_hash = o.chunk_hash AND v.model = :model
    JOIN passage_points p ON p.seq = v.seq WHERE d.scope_id = :scope"""
_NEAREST = sa.text(
    _FOUND
    + """ AND CASE WHEN d.number < :size THEN get_bit(:readable, d.number) = 1 ELSE false END
    ORDER BY p.point <=> CAST(:asked AS halfvec), d.number LIMIT :most"""
).bindparams(_BOUND[1])
_THESE = sa.text(_FOUND + " AND d.number = ANY(:numbers)").bindparams(_BOUND[1])


class UnreadText(NamedTuple):
    """What a vector is missing for: the words that its hash is made of."""

    chunk: str
    text: str


class NumberedVectors(NamedTuple):
    """Vectors with the numbers of their passages."""

    numbers: list[int]
    vectors: bytearray
    """One behind the other, as they are kept."""
    last: int
    """The newest vector among them, else the one that was asked for."""


class PassageVectors(StorePart):
    """The vectors of all clones; those of different models are never mixed. Methods block."""

    def last(self, clone_id: str, model: str) -> int:
        """The newest vector of a model; 0 when there is none."""
        with self._transactions.reading() as connection:
            return connection.scalar(_LAST, {"of_clone": clone_id, "of_model": model}) or 0

    def other_model(self, clone_id: str, model: str) -> str | None:
        """A model of before whose vectors are still there, since not all are made by this one."""
        with self._transactions.reading() as connection:
            return connection.scalar(_OTHER, {"of_clone": clone_id, "of_model": model})

    def load(self, clone_id: str, model: str, *, numbers_from: int, after: int) -> NumberedVectors:
        """The vectors of passages of these numbers on, and those that were added after one."""
        searched = PASSAGE_SEARCH.documents
        query = (
            sa.select(searched.c.number, _VECTORS.seq, _VECTORS.vector)
            .join_from(searched, passages, _OF.seq == searched.c.seq)
            .join(passage_vectors, _SAME)
            .where(*_of(clone_id, model))
        )
        scopes = PASSAGE_SEARCH.scopes.c
        scope = sa.select(scopes.id).where(scopes.clone_id == clone_id).scalar_subquery()
        new = query.where(searched.c.scope_id == scope, searched.c.number >= numbers_from)
        late = query.where(_VECTORS.seq > after, searched.c.number < numbers_from)
        with self._transactions.reading() as connection:
            found = NumberedVectors([], bytearray(), after)
            for some in (new, late) if numbers_from else (new,):
                found = _with(found, connection.execute(some))
        return found

    def missing(self, clone_id: str, model: str, limit: int) -> list[UnreadText]:
        """Passages without a vector, the oldest first, each hash once."""
        have = sa.and_(_SAME, _VECTORS.model == model)
        query = (
            sa.select(_OF.chunk_hash, _OF.text, _OF.anchor)
            .outerjoin(passage_vectors, have)
            .where(_OF.clone_id == clone_id, _VECTORS.seq.is_(None))
            .order_by(_OF.seq)
            .limit(limit)
        )
        with self._transactions.reading() as connection:
            rows = connection.execute(query).all()
        found = {chunk: "\n".join((*anchor["heading"][-1:], text)) for chunk, text, anchor in rows}
        return [UnreadText(chunk, text) for chunk, text in found.items()]

    def save(self, clone_id: str, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors by hash; one that is there stays, and so does nothing of a passage that is gone."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            here = sa.select(_OF.chunk_hash).where(
                _OF.clone_id == clone_id, _OF.chunk_hash.in_(list(vectors))
            )
            rows = [
                {"clone_id": clone_id, "model": model, "chunk_hash": one, "vector": vectors[one]}
                for one in dict.fromkeys(connection.scalars(here))
            ]
            if rows:
                put = upsert(passage_vectors, connection.dialect.name).on_conflict_do_nothing()
                connection.execute(put, rows)

    def drop_others(self, clone_id: str, model: str) -> None:
        """Let go of the vectors of all other models."""
        others = sa.delete(passage_vectors).where(
            _VECTORS.clone_id == clone_id, _VECTORS.model != model
        )
        with self._transactions.writing(clone_id, journalled=False) as connection:
            connection.execute(others)

    def counts(self, clone_id: str) -> dict[str, int]:
        """How many vectors there are of each model."""
        query = (
            sa.select(_VECTORS.model, sa.func.count())
            .where(_VECTORS.clone_id == clone_id)
            .group_by(_VECTORS.model)
        )
        with self._transactions.reading() as connection:
            rows = connection.execute(query).all()
            return {row[0]: row[1] for row in rows}


def _with(
    found: NumberedVectors, rows: sa.CursorResult[*tuple[int, int, bytes]]
) -> NumberedVectors:
    for some in rows.partitions(_READ_AT_ONCE):
        numbers, seqs, vectors = zip(*some, strict=True)
        found.numbers.extend(numbers)
        found.vectors.extend(b"".join(vectors))
        found = found._replace(last=max(found.last, *seqs))
    return found


def _of(clone_id: str, model: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return (_VECTORS.clone_id == clone_id, _VECTORS.model == model)


# The vectors of passages in Postgres' extension pgvector, where it is there: compared by the database, not in memory.
#
# The table is a copy of `passage_vectors` in another form, beside the tables that are migrated, since not every Postgres has
# the extension. A vector that goes takes its copy along.
class PassagePoints(StorePart):
    """Vectors that the database compares itself. Methods block."""

    @cached_property
    def usable(self) -> bool:
        """Whether this store is in Postgres with the extension, which is switched on for that."""
        if not self._transactions.is_postgres:
            return False
        try:
            with self._transactions.writing("passage_points", journalled=False) as connection:
                for statement in _MAKE:
                    connection.execute(sa.text(statement))
        except StoreError as error:
            _LOG.info("pgvector is not used: %s", error)
            return False
        return True

    def add_missing(self, clone_id: str, model: str) -> int:
        """Take over the vectors of a model that are not among them yet; gives how many there were, at most a thousand."""
        from oldhand.models.embedding.vectors import unpacked_vectors  # noqa: PLC0415  numpy loads slowly

        with self._transactions.writing(clone_id, journalled=False) as connection:
            new = connection.execute(_MISSING, {"clone": clone_id, "model": model}).all()
            if new:
                rows = unpacked_vectors(b"".join(one.vector for one in new), len(new))
                points = zip(new, rows.tolist(), strict=True)
                connection.execute(
                    _ADD, [{"seq": one.seq, "point": f"{row}"} for one, row in points]
                )
        return len(new)

    def nearest(
        self, model: str, scope_id: int, asked: Sequence[float], readable: int, most: int
    ) -> dict[int, float]:
        """The cosines of the nearest passages by number, of those whose bit is set; nearest first."""
        size = readable.bit_length()
        given = {
            "asked": f"{list(asked)}",
            "model": model,
            "scope": scope_id,
            "size": size,
            "readable": readable.to_bytes((size + 7) // 8, "little"),
            "most": most,
        }
        with self._transactions.reading() as connection:
            return {one.number: one.cosine for one in connection.execute(_NEAREST, given)}

    def cosines(
        self, model: str, scope_id: int, asked: Sequence[float], numbers: Sequence[int]
    ) -> dict[int, float]:
        """Those of some passages, as far as they have a vector."""
        given = {
            "asked": f"{list(asked)}",
            "model": model,
            "scope": scope_id,
            "numbers": list(numbers),
        }
        with self._transactions.reading() as connection:
            return {one.number: one.cosine for one in connection.execute(_THESE, given)}
