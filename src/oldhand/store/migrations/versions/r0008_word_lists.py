"""A search over memories of our own, in place of the databases': each clone, user and type has its own lists of words."""

import json
import re
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]
import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText

revision = "0008"
down_revision = "0007"
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
PAGE = 2_000

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
OF_EFFECTS = ("spoken", "table", "tables", "tool")
BLOCK = 4_096
LISTED = 128
STEMMER = snowballstemmer.stemmer("porter")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def upgrade() -> None:
    """Create the lists, put every memory in that is not forgotten, and drop the search of the database.

    Whoever changes which words stand for a memory adds a migration that fills them anew.
    """
    connection = op.get_bind()
    postgres = connection.dialect.name == "postgresql"
    op.drop_table("memory_search")
    if postgres:
        op.execute("DROP TEXT SEARCH CONFIGURATION oldhand_words")
        op.execute("DROP TEXT SEARCH DICTIONARY oldhand_stems")
    tables = _create()
    filling = _Filling()
    for rows in _pages(connection):
        known = len(filling.scopes)
        documents = [filling.add(row) for row in rows]
        if new := list(filling.scopes.items())[known:]:
            connection.execute(sa.insert(tables["search_scopes"]), list(map(_empty, new)))
        connection.execute(sa.insert(tables["search_documents"]), documents)
    filling.finish(connection, tables)


def _empty(scope: tuple[tuple[str, str, str], int]) -> dict[str, object]:
    (clone_id, user_id, kind), scope_id = scope
    owner = {"clone_id": _unescaped(clone_id), "user_id": _unescaped(user_id), "type": kind}
    return {"id": scope_id, **owner, "memories": 0, "words": 0, "numbers": 0}


def downgrade() -> None:
    """Drop the lists, and let the database search again."""
    for name in ("search_documents", "search_postings", "search_scopes"):
        op.drop_table(name)
    scripts = op.get_context().environment_context
    assert scripts is not None, "a migration runs in an environment"
    earlier = scripts.script.get_revision("0003")
    assert earlier is not None, "it came before"
    earlier.module.upgrade()


def _of_scope(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_search_scopes"
    return sa.ForeignKeyConstraint(
        ["scope_id"], ["search_scopes.id"], name=name, ondelete="CASCADE"
    )


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _create() -> dict[str, sa.Table]:
    scopes = op.create_table(
        "search_scopes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("user_id", AnyText(), nullable=False),
        sa.Column("type", AnyText(), nullable=False),
        *map(_count, ("memories", "words", "numbers")),
        sa.PrimaryKeyConstraint("id", name="pk_search_scopes"),
        sa.UniqueConstraint(
            "clone_id", "user_id", "type", name="uq_search_scopes_clone_id_user_id_type"
        ),
        sqlite_autoincrement=True,
    )
    postings = op.create_table(
        "search_postings",
        _key("scope_id"),
        sa.Column("term", sa.Text(), nullable=False),
        _key("block"),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        _of_scope("search_postings"),
        sa.PrimaryKeyConstraint("scope_id", "term", "block", name="pk_search_postings"),
        sqlite_with_rowid=False,
    )
    documents = op.create_table(
        "search_documents",
        _key("scope_id"),
        _key("number"),
        _count("seq"),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("phrase", AnyText()),
        sa.ForeignKeyConstraint(
            ["seq"], ["memories.seq"], name="fk_search_documents_memories", ondelete="CASCADE"
        ),
        _of_scope("search_documents"),
        sa.PrimaryKeyConstraint("scope_id", "number", name="pk_search_documents"),
        sa.UniqueConstraint("seq", name="uq_search_documents_seq"),
        sqlite_with_rowid=False,
    )
    return {one.name: one for one in (scopes, postings, documents)}


class _Filling:
    """The lists while they are put together."""

    def __init__(self) -> None:
        self.scopes: dict[tuple[str, str, str], int] = {}
        self.sizes: Counter[int] = Counter()
        self.words: Counter[int] = Counter()
        self.places: defaultdict[tuple[int, str, int], list[int]] = defaultdict(list)
        self.stems: dict[str, str] = {}

    def add(self, row: sa.RowMapping) -> dict[str, object]:
        """Put a memory in."""
        effect: Mapping[str, object] = json.loads(row["effect"] or "{}") or {}
        words = _searched(
            row["type"], _unescaped(row["summary"]), json.loads(row["payload"]), effect
        )
        stems = [self._stem(word) for word in words]
        phrase = effect.get("phrase") if effect.get("kind") == "alias" else None
        if phrase is not None:
            stems.append(f"#{len(set(stems))}")
        owner = (row["clone_id"], row["user_id"], row["type"])
        scope_id = self.scopes.setdefault(owner, len(self.scopes) + 1)
        number = self.sizes[scope_id]
        self.sizes[scope_id] += 1
        self.words[scope_id] += len(stems)
        block, place = divmod(number, BLOCK)
        for term in set(stems):
            self.places[scope_id, term, block].append(place)
        return {
            "scope_id": scope_id, "number": number, "seq": row["seq"], "terms": " ".join(stems), "phrase": phrase,
        }  # fmt: skip

    def finish(self, connection: sa.Connection, tables: Mapping[str, sa.Table]) -> None:
        """Write what was counted."""
        filled: dict[str, Iterator[dict[str, object]]] = {
            "search_postings": (
                {"scope_id": scope_id, "term": term, "block": block, "places": _packed(places)}
                for (scope_id, term, block), places in self.places.items()
            ),
        }  # fmt: skip
        for name, rows in filled.items():
            while page := list(islice(rows, PAGE)):
                connection.execute(sa.insert(tables[name]), page)
        scopes = tables["search_scopes"]
        for scope_id, size in self.sizes.items():
            counts = {"memories": size, "numbers": size, "words": self.words[scope_id]}
            connection.execute(sa.update(scopes).where(scopes.c.id == scope_id).values(counts))
        if connection.dialect.name == "postgresql" and self.scopes:
            sequence = sa.func.pg_get_serial_sequence("search_scopes", "id")
            connection.execute(sa.select(sa.func.setval(sequence, len(self.scopes))))

    def _stem(self, word: str) -> str:
        if word not in self.stems:
            self.stems[word] = str(STEMMER.stemWord(word))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        return self.stems[word]


def _packed(places: Sequence[int]) -> bytes:
    """Few places as two bytes each, many as bits."""
    if len(places) <= LISTED:
        return struct.pack(f"<{len(places)}H", *places)
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits.to_bytes(BLOCK // 8, "little")


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


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _searched(
    kind: str, summary: str, payload: Mapping[str, object], effect: Mapping[str, object]
) -> tuple[str, ...]:
    """The words by which a memory is found."""
    texts = _texts(kind, summary, payload, effect)
    words = tuple(islice((word for text in texts for word in _words(text)), MAX_WORDS))
    telling = tuple(word for word in words if word not in STOP_WORDS)
    return (*(telling or words), *_marks(kind, effect))


def _marks(kind: str, effect: Mapping[str, object]) -> Iterator[str]:
    does = effect.get("kind")
    if kind == "preference" and does != "alias":
        yield "plainpreferencex"
    if does not in (None, "alias", "value_mapping"):
        database = effect.get("database")
        yield "databaseeffectx"
        name = database if isinstance(database, str) else ""
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        yield f"effect{''.join(chr(ord('a') + int(digit, 16)) for digit in digest)}x"


def _texts(
    kind: str, summary: str, payload: Mapping[str, object], effect: Mapping[str, object]
) -> list[str]:
    if effect.get("kind") == "alias":
        return list(_strings(effect.get("phrase")))
    texts = [text for name in SEARCHED[kind] for text in _strings(payload.get(name))]
    for name in OF_EFFECTS:
        texts += _strings(effect.get(name))
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
