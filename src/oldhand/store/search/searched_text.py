"""What of a memory is searched, and which words of a question look for it.

Splitting into words happens here and not in the database, so that every kind of store finds the same: the
tokenizers of SQLite and Postgres differ on `order_items`, `shop.orders`, hyphens and accents.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from typing import cast

from oldhand.record.memory import MemoryType
from oldhand.record.stage import PINNED

MAX_TERMS = 64
"""Different words of a question that are looked for; later ones add time and no precision."""
MAX_WORDS = 2_000
"""Words of a memory that can be found."""
_MAX_LETTERS = 64
"""Longer words are cut; Postgres refuses those over 2 KB."""

_STOP_WORDS = """
    a about all also am an and any are as at be been being but by can could did do does doing for from had has
    have having he her here him his how i if in into is it its just let me my of on or our ours please s shall
    she should show so some such t tell than that the their them then there these they this those to too us was
    we were what when where which who whom whose why will with would you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that nearly every question has; they are looked for only where there is nothing else."""

PLAIN = "plainpreferencex"
"""A word that every preference has that is not about what a word means; nobody writes it."""

ALWAYS = "pinnedlessonx"
"""A word that every memory has that the owner has pinned, by which it is found whatever is asked."""

_SEARCHED: dict[MemoryType, tuple[str, ...]] = {
    MemoryType.EPISODIC: ("user_text",),
    MemoryType.REFLECTION: ("user_text", "reflection"),
    MemoryType.SEMANTIC: ("rule", "applies_when"),
    MemoryType.PROMPT: ("description", "text"),
    MemoryType.CHECKLIST: ("step", "domain", "examples"),
    MemoryType.PREFERENCE: ("key",),
    MemoryType.BUG_FIX: ("failure", "root_cause"),
    MemoryType.ISSUE: ("question",),
    MemoryType.EXAMPLE: ("question",),
}
"""The fields of each payload that say when it is of use: usually, which question it came from."""

_OF_EFFECTS = ("spoken", "table", "tables", "tool")
"""The fields of effects, those of aliases aside, that say when they are of use."""

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> Iterator[str]:
    """The words of a text without letter case and accents, in order.

    >>> list(words_of("Größte shop.order_items in 'Köln'?"))
    ['grosste', 'shop', 'order', 'items', 'in', 'koln']
    """
    plain = text.casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(one for one in plain if not unicodedata.combining(one))
    return (found[0][:_MAX_LETTERS] for found in _WORD.finditer(plain))


def question_terms(question: str) -> tuple[str, ...]:
    """The words to look for, each once; safe to hand to any database, whatever the text.

    Stop words are among them: they find only what consists of nothing else, such as an alias for “it”.

    >>> question_terms('customers" NEAR(* of customers')
    ('customers', 'near', 'of')
    """
    different = dict.fromkeys(words_of(question))
    telling = (word for word in different if word not in STOP_WORDS)
    others = (word for word in different if word in STOP_WORDS)
    return (*islice(telling, MAX_TERMS), *islice(others, MAX_TERMS))


def searched_words(
    type: MemoryType,  # noqa: A002
    summary: str,
    payload: Mapping[str, object],
    effect: Mapping[str, object] | None = None,
    tags: Collection[str] = (),
) -> tuple[str, ...]:
    """The words by which a memory can be found, with repetitions.

    An alias is found by its phrase alone: its summary names the target, too, which is no reason to recall it.
    The summary stands in when the payload says nothing.

    >>> searched_words(MemoryType.EXAMPLE, "", {"question": "How many clients do we have?", "sql": "SELECT 1"})
    ('many', 'clients')
    """
    texts = _texts(type, summary, payload, effect or {})
    words = tuple(islice((word for text in texts for word in words_of(text)), MAX_WORDS))
    telling = tuple(word for word in words if word not in STOP_WORDS)
    always = (ALWAYS,) if PINNED in tags else ()
    return (*(telling or words), *_marks(type, effect or {}), *always)


def effect_word(database: str | None) -> str:
    """A word by which all is found that changes answers over a database, whatever is asked; letters only.

    None stands for what has to do with no database.

    >>> effect_word("shop")
    'effectfecmeghabmdmdhagx'
    """
    digest = blake2b((database or "").encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    letters = "".join(chr(ord("a") + int(digit, 16)) for digit in digest)
    return f"effect{letters}x"


EFFECT = "databaseeffectx"
"""A word that all of that has, whatever the database."""


def _marks(type: MemoryType, effect: Mapping[str, object]) -> Iterator[str]:  # noqa: A002
    kind = effect.get("kind")
    if type is MemoryType.PREFERENCE and kind != "alias":
        yield PLAIN
    if kind not in (None, "alias", "value_mapping"):
        database = effect.get("database")
        yield EFFECT
        yield effect_word(database if isinstance(database, str) else None)


def _texts(
    type: MemoryType,  # noqa: A002
    summary: str,
    payload: Mapping[str, object],
    effect: Mapping[str, object],
) -> list[str]:
    if effect.get("kind") == "alias":
        return list(_strings(effect.get("phrase")))
    texts = [text for name in _SEARCHED[type] for text in _strings(payload.get(name))]
    for name in _OF_EFFECTS:
        texts += _strings(effect.get(name))
    if type is MemoryType.PREFERENCE:
        texts.append(summary)
    if not any(texts) and type is MemoryType.ISSUE:
        texts += _strings(payload.get("issue"))
    return texts if any(texts) else [summary]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (one for one in cast("Iterable[object]", value) if isinstance(one, str))
