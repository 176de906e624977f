"""Rows that refer to two things of one kind: a train starts at one station and ends at another, a message has a sender and a recipient."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from oldhand.agent.analyst.words.entries import TableEntry
from oldhand.agent.analyst.words.joins import JoinEdge, JoinGraph
from oldhand.agent.analyst.words.shortened import same_root
from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import is_short_for, key_words, name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, stem
from oldhand.lexicon.wording import is_past_form, singular
from oldhand.lexicon.wordlists import word_lists

_BEFORE = words("ends.before_starts") | words("ends.before_ends")
_GROUPING = words("ends.before_groups")
_SHORTEST = 3
"""Letters that a verb has at least of which a noun says who does it: `win`, `winner`."""


class Place(StrEnum):
    """Which end of a way, or of what is handed on."""

    START = "start"
    END = "end"


_NAMED = {Place.START: words("ends.named_starts"), Place.END: words("ends.named_ends")}
_TOLD = {
    Place.START: words("ends.starting") | _NAMED[Place.START],
    Place.END: words("ends.ending") | _NAMED[Place.END],
}


@dataclass(frozen=True, slots=True)
class End:
    """One of several keys by which the rows of a table refer to the same others."""

    holder: int
    """The table of the rows."""
    table: int
    """The table that they refer to."""
    edge: JoinEdge
    """The key."""
    pieces: tuple[str, ...]
    """The words of its name that tell it from the others: `origin`; empty for `station_id`."""
    called: str
    """What those are to the rows: `origin station`."""
    side: Place | None = None
    is_noun: bool = False
    """True when all keys have words that tell them from the others."""

    @property
    def column(self) -> str:
        """The column of the holder."""
        return self.edge.keys[0][0]

    @property
    def forms(self) -> tuple[tuple[str, ...], ...]:
        """The nouns by which it may be called, as stems; none for a key called after what is done or by a preposition."""
        own = tuple(word for piece in self.pieces for word in name_words(piece))
        if not self.is_noun or self.is_deed:
            return ()
        whole = tuple(word for piece in self.called.split() for word in name_words(piece))
        return tuple(dict.fromkeys((whole, own)))

    @property
    def is_deed(self) -> bool:
        """True for a key called after what was done, or by a preposition: `created_by`, `to_port`."""
        return bool(_BEFORE.intersection(self.pieces)) or any(map(is_past_form, self.pieces))

    def is_told_by(self, token: Token) -> bool:
        """True for a word that names the key or what is done there: `departs`, `sent`, `home`."""
        if not token.is_word or token.lower in _BEFORE:
            return False
        if self.side is not None and token.lower in _TOLD[self.side]:
            return True
        base = _infinitive(token)
        near = {token.stem, base, *word_lists().synonyms.get(token.stem, ())}
        return any(
            stem(piece) in near
            or same_root(stem(piece), token.stem)
            or _is_done_by(base, piece)
            or _is_short(piece, token)
            for piece in self.pieces
            if piece not in _BEFORE
        )


def _is_short(piece: str, token: Token) -> bool:
    """True for a piece of a name that a word is written as for short, or whoever does what it says: `hlp` of `helped`, `own` of `owner`."""
    full = {stem(piece), *name_words(piece)} - {piece}
    doer = len(piece) >= _SHORTEST and _is_done_by(piece, token.lower)
    return (
        doer
        or not full.isdisjoint((token.stem, _infinitive(token)))
        or any(is_short_for(piece, one) for one in (token.lower, token.stem))
    )


def tells_doer(token: Token, column: str) -> bool:
    """True for a verb that says what they do whom a key leads to: `curated` of `curator_id`, `drove` of `driver`."""
    if not token.is_word or token.number is not None or token.lower in STOP_WORDS:
        return False
    verb = _infinitive(token)
    pieces = [piece for piece in key_words(column) if piece not in _BEFORE]
    hosted = is_past_form(token.lower) and verb in pieces
    return hosted or any(_is_done_by(verb, piece) for piece in pieces)


def _infinitive(token: Token) -> str:
    return word_lists().irregular.get(token.stem, token.stem)


def tells_key(tokens: Iterable[Token], ends: Iterable[End]) -> bool:
    """Whether words tell one of several keys from the others."""
    ends = tuple(ends)
    return any(
        end.is_told_by(token) or (end.side is not None and token.lower in _BEFORE - _GROUPING)
        for token in tokens
        for end in ends
    )


def _is_done_by(verb: str, noun: str) -> bool:
    """True for a verb and who does it: `send`, `sender`."""
    ends = {
        "er",
        "or",
        "ator",
        f"{verb[-1:]}er",
        f"{verb[-1:]}or",
        *(["r"] if verb.endswith("e") else ()),
    }
    bare = verb.removesuffix("e")
    done = noun.startswith(verb) and noun.removeprefix(verb) in ends
    return len(verb) >= _SHORTEST and (done or noun in (f"{bare}er", f"{bare}or"))


def ends_of(tables: Sequence[TableEntry], joins: JoinGraph) -> Iterator[End]:
    """The keys of tables of which several lead to the same rows of another."""
    found = [end for entry in tables for end in _of_table(entry, tables, joins)]
    named = Counter((end.table, end.pieces) for end in found)
    for end in found:
        # Where the friends and the likes of students tell of a student, these are what they lead to.
        itself = end.side is None and not end.is_deed and named[end.table, end.pieces] > 1
        yield replace(end, is_noun=end.is_noun and not itself)


def _of_table(entry: TableEntry, tables: Sequence[TableEntry], joins: JoinGraph) -> Iterator[End]:
    found: dict[tuple[int, str], dict[str, JoinEdge]] = {}
    for other in dict.fromkeys(joins.held(entry.id)) if not entry.role else ():
        for edge in joins.between(entry.id, other):
            own, theirs = edge.keys[0]
            if edge.left == entry.id and len(edge.keys) == 1 and not tables[other].role:
                found.setdefault((other, theirs), {}).setdefault(own, edge)
    for (other, _), edges in found.items():
        if len(edges) > 1 and other != entry.id:
            yield from _told_apart(entry, tables[other], list(edges.values()))


def _told_apart(holder: TableEntry, other: TableEntry, edges: Iterable[JoinEdge]) -> Iterator[End]:
    named = [(edge, _pieces(edge.keys[0][0], holder, other)) for edge in edges]
    sides = [_side(pieces) for _, (pieces, _) in named]
    apart = all(pieces for _, (pieces, _) in named)
    if apart and len(sides) == 2 and None in sides and sides != [None, None]:
        known = next(side for side in sides if side is not None)
        sides = [side or _opposite(known) for side in sides]
    for (edge, (pieces, called)), side in zip(named, sides, strict=True):
        alone = side is not None and sides.count(side) == 1
        yield End(holder.id, other.id, edge, pieces, called, side if alone else None, apart)


def _pieces(column: str, holder: TableEntry, other: TableEntry) -> tuple[tuple[str, ...], str]:
    """The words of a key that are none of the tables that it joins, and all of its words."""
    whole = key_words(column)
    named = {singular(word) for word in split_name(holder.table.name)}
    target = {*split_name(other.table.name)}
    own = tuple(
        piece
        for piece in whole
        if piece.isalpha()
        and len(piece) > 1
        and stem(piece) not in other.words
        and piece not in target
        # A translator is no translation, but a friend is one of the friends.
        and singular(piece) not in named
    )
    return own, " ".join(whole)


def _side(pieces: Sequence[str]) -> Place | None:
    found = [side for side, named in _NAMED.items() if named.intersection(pieces)]
    return found[0] if len(found) == 1 else None


def _opposite(side: Place) -> Place:
    return Place.END if side is Place.START else Place.START
