"""The vectors of passages in Postgres' extension pgvector, where it is there: compared by the database, not in memory.

The table is a copy of `passage_vectors` in another form, beside the tables that are migrated, since not every Postgres has
the extension. A vector that goes takes its copy along.
"""

import logging
from collections.abc import Sequence
from functools import cached_property

import sqlalchemy as sa

from oldhand.errors import StoreError
from oldhand.store.column_types import AnyText
from oldhand.store.transactions import StorePart

_LOG = logging.getLogger(__name__)
_MAKE = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    """CREATE TABLE IF NOT EXISTS passage_points (
         seq BIGINT PRIMARY KEY REFERENCES passage_vectors (seq) ON DELETE CASCADE, point halfvec NOT NULL)""",
)
_OF = (sa.bindparam("clone", type_=AnyText), sa.bindparam("model", type_=AnyText))
_MISSING = sa.text("""
    SELECT v.seq, v.vector FROM passage_vectors v LEFT JOIN passage_points p ON p.seq = v.seq
    WHERE v.clone_id = :clone AND v.model = :model AND p.seq IS NULL ORDER BY v.seq LIMIT 1000""").bindparams(
    *_OF
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
).bindparams(_OF[1])
_THESE = sa.text(_FOUND + " AND d.number = ANY(:numbers)").bindparams(_OF[1])


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
