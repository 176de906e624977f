"""How names of tables and columns become words."""

import re
from collections.abc import Collection, Sequence

from oldhand.lexicon.tokens import split_name, stem
from oldhand.lexicon.wordlists import word_lists

_OPENING = re.compile(r"[A-Za-z]+?(_+|(?<=[a-z])(?=[A-Z]))(?=.)")
_SEVERAL = 3
_SUFFIXES = ("id", "name", "code", "date", "type", "num", "no", "time", "number", "title")


def name_words(name: str, known: Collection[str] = frozenset()) -> tuple[str, ...]:
    """The words of a table's or column's name as stems, short forms written out.

    >>> name_words("cust_fname"), name_words("stuid", {"stu"}), name_words("unit_price")
    (('custom', 'first', 'name'), ('student', 'id'), ('unit', 'price'))
    """
    words: list[str] = []
    for piece in split_name(name):
        for part in _unglued(piece, known):
            full = word_lists().abbreviations.get(part, (part,))
            words.extend(stem(word) for word in full)
    return tuple(dict.fromkeys(words)) or (name.casefold(),)


def shared_prefix(names: Sequence[str]) -> str:
    """The word that opens all of several names and tells none of them apart; empty where there is none.

    >>> shared_prefix(["tblOrders", "tblStaff", "tblParts"]), shared_prefix(["crm_orders", "crm_staff", "crm_parts"])
    ('tbl', 'crm_')
    >>> shared_prefix(["order_id", "order_date", "price"]), shared_prefix(["t_a", "t_b"])
    ('', '')
    """
    openings = {_opening(name) for name in names}
    first = next(iter(openings), "")
    return first if len(names) >= _SEVERAL and len(openings) == 1 else ""


def _opening(name: str) -> str:
    """The first word of a name of several, with what parts it from the rest."""
    found = _OPENING.match(name)
    return found.group() if found else ""


def _unglued(piece: str, known: Collection[str]) -> tuple[str, ...]:
    short = word_lists().abbreviations
    if piece in short or piece in known:
        return (piece,)
    for suffix in _SUFFIXES:
        start = piece.removesuffix(suffix)
        if start != piece and (start in known or start in short or start + "s" in known):
            return (start, suffix)
    return (piece,)
