"""The search over memories, with what is there already."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import cast

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MEMORIES = sa.table(
    "memories",
    sa.column("seq", sa.BigInteger),
    sa.column("clone_id", sa.Text),
    sa.column("id", sa.Text),
    sa.column("version", sa.Integer),
    sa.column("forgotten_at", sa.DateTime),
    sa.column("user_id", sa.Text),
    sa.column("type", sa.Text),
    sa.column("summary", sa.Text),
    sa.column("payload", sa.Text),
    sa.column("effect", sa.Text),
)
PAGE = 500

# What the code did when this migration was written; it does not follow the code, so that it always gives the same.
MAX_WORDS = 2_000
MAX_LETTERS = 64
_STOP_WORDS = """
    a about all also am an and any are as at be been being but by can could did do does doing for from had has
    have having he her here him his how i if in into is it its just let me my of on or our ours please s shall
    she should show so some such t tell than that the their them then there these they this those to too us was
    we were what when where which who whom whose why will with would you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
SEARCHED = {
    "episodic": ("user_text",),
    "reflection": ("user_text", "reflection"),
    "semantic": ("rule", "applies_when"),
    "prompt": ("description", "text"),
    "checklist": ("step", "domain", "examples"),
    "preference": ("key",),
    "bug_fix": ("failure", "root_cause"),
    "issue": ("question",),
    "example": ("question",),
}
WORD = re.compile(r"[^\W_]+")
ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def upgrade() -> None:
    """Create the index and put every memory in that is not forgotten.

    Whoever changes which words stand for a memory adds a migration that fills the index anew.
    """
    connection = op.get_bind()
    postgres = connection.dialect.name == "postgresql"
    if postgres:
        _create_in_postgres()
    else:
        op.execute(
            "CREATE VIRTUAL TABLE memory_search USING fts5(scope, words, tokenize = 'porter unicode61')"
        )
    for rows in _pages(connection):
        connection.execute(
            _POSTGRES_ROW if postgres else _SQLITE_ROW, [_values(row) for row in rows]
        )


def downgrade() -> None:
    """Drop the index."""
    op.drop_table("memory_search")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TEXT SEARCH CONFIGURATION oldhand_words")
        op.execute("DROP TEXT SEARCH DICTIONARY oldhand_stems")


def _create_in_postgres() -> None:
    op.execute(
        "CREATE TEXT SEARCH DICTIONARY oldhand_stems (TEMPLATE = snowball, LANGUAGE = english)"
    )
    op.execute("CREATE TEXT SEARCH CONFIGURATION oldhand_words (COPY = simple)")
    op.execute(
        "ALTER TEXT SEARCH CONFIGURATION oldhand_words ALTER MAPPING REPLACE simple WITH oldhand_stems"
    )
    op.create_table(
        "memory_search",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("words", TSVECTOR(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_memory_search"),
        sa.ForeignKeyConstraint(
            ["seq"], ["memories.seq"], name="fk_memory_search_memories", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_memory_search_words", "memory_search", ["words"], postgresql_using="gin")
    op.create_index("ix_memory_search_clone_id_type", "memory_search", ["clone_id", "type"])


_SQLITE_ROW = sa.text(
    "INSERT INTO memory_search (rowid, scope, words) VALUES (:seq, :scope, :words)"
)
_POSTGRES_ROW = sa.text(
    "INSERT INTO memory_search (seq, clone_id, user_id, type, words)"
    " VALUES (:seq, :clone_id, :user_id, :type, to_tsvector('oldhand_words', :words))"
)


def _pages(connection: sa.Connection) -> Iterator[Sequence[sa.RowMapping]]:
    newer = MEMORIES.alias("newer")
    counts = (
        sa.select(MEMORIES)
        .where(
            MEMORIES.c.forgotten_at.is_(None),
            ~sa.exists().where(
                newer.c.clone_id == MEMORIES.c.clone_id,
                newer.c.id == MEMORIES.c.id,
                newer.c.version > MEMORIES.c.version,
            ),
        )
        .order_by(MEMORIES.c.seq)
        .limit(PAGE)
    )
    after = 0
    while rows := connection.execute(counts.where(MEMORIES.c.seq > after)).mappings().all():
        yield rows
        after = rows[-1]["seq"]


def _values(row: sa.RowMapping) -> dict[str, object]:
    clone_id, user_id = _unescaped(row["clone_id"]), _unescaped(row["user_id"])
    kind = row["type"]
    effect: Mapping[str, object] = json.loads(row["effect"] or "{}") or {}
    words = _searched(kind, _unescaped(row["summary"]), json.loads(row["payload"]), effect)
    return {
        "seq": row["seq"],
        "clone_id": row["clone_id"],
        "user_id": row["user_id"],
        "type": kind,
        "scope": f"c{_digits(clone_id)}{kind.replace('_', '')} u{_digits(user_id)}",
        "words": " ".join(words),
    }


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _digits(name: str) -> str:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return str(int.from_bytes(digest))


def _searched(
    kind: str, summary: str, payload: Mapping[str, object], effect: Mapping[str, object]
) -> tuple[str, ...]:
    """The words by which a memory is found."""
    texts = _texts(kind, summary, payload, effect)
    words = tuple(islice((word for text in texts for word in _words(text)), MAX_WORDS))
    telling = tuple(word for word in words if word not in STOP_WORDS)
    return telling or words


def _texts(
    kind: str, summary: str, payload: Mapping[str, object], effect: Mapping[str, object]
) -> list[str]:
    if effect.get("kind") == "alias":
        return list(_strings(effect.get("phrase")))
    texts = [text for name in SEARCHED[kind] for text in _strings(payload.get(name))]
    if kind == "preference":
        texts.append(summary)
    if not any(texts) and kind == "issue":
        texts += _strings(payload.get("issue"))
    return texts if any(texts) else [summary]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in cast("Iterable[object]", value) if isinstance(one, str))


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return (found[0][:MAX_LETTERS] for found in WORD.finditer(plain))
