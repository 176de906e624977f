"""How names of tables and columns become words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, takewhile

from oldhand.lexicon.entries import words
from oldhand.lexicon.frequencies import is_common
from oldhand.lexicon.languages import in_english, joins
from oldhand.lexicon.skeletons import common_word
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.lexicon.wordlists import word_lists

_OPENING = re.compile(r"[A-Za-z]+?(_+|(?<=[a-z])(?=[A-Z]))(?=.)")
_SEVERAL = 3
_VOWELS = frozenset("aeiou")
_SHORTEST, _CUT = 3, 4
"""Letters of a name of consonants, and of one that is cut off and may be a word of its own."""
_SIMPLE = 5
"""Letters of a word of which two consonants are left."""
_KEYS = words("names.keys") - words("ends.before_starts") - words("ends.before_ends")
_SUFFIXES = ("id", "name", "code", "date", "type", "num", "no", "time", "number", "title")


def name_words(
    name: str, known: Collection[str] = frozenset(), language: str = ""
) -> tuple[str, ...]:
    """The words of a table's or column's name as stems, short forms written out, German and French ones in English.

    Args:
        name: as it stands in the schema.
        known: words of other names.
        language: that of the schema.

    >>> name_words("cust_fname"), name_words("stuid", {"stu"}), name_words("unit_price")
    (('custom', 'first', 'name'), ('student', 'id'), ('unit', 'price'))
    >>> name_words("bldng_hght"), name_words("LName")
    (('build', 'height'), ('last', 'name'))
    >>> name_words("KundenNr"), name_words("date_de_livraison", language="french")
    (('custom', 'number'), ('date', 'deliveri'))
    """
    found: list[str] = []
    for piece in _initials_joined(split_name(name)):
        for part in _unglued(piece, known):
            if not joins(part, language):
                found.extend(map(stem, _full(part, language)))
    return tuple(dict.fromkeys(found)) or (name.casefold(),)


def _full(part: str, language: str) -> tuple[str, ...]:
    short = () if language else word_lists().abbreviations.get(part, ())
    foreign = short or in_english(part, language)
    return foreign or word_lists().abbreviations.get(part) or (written_out(part),)


def key_words(column: str) -> tuple[str, ...]:
    """What the rows that a key leads to are called by its name: its words without those that mark it as a key.

    >>> key_words("origin_station_id"), key_words("created_by")
    (('origin', 'station'), ('created', 'by'))
    """
    return tuple(word for word in split_name(column) if word not in _KEYS)


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


def _initials_joined(pieces: Sequence[str]) -> Iterator[str]:
    """`l_name` is `lname`: a letter belongs to the word behind it where both are short for something."""
    rest = iter(pieces)
    for piece in rest:
        after = next(rest, "") if len(piece) == 1 else ""
        joined = piece + after in word_lists().abbreviations
        yield from (piece + after,) if joined or not after else (piece, after)


@cache
def written_out(short: str) -> str:
    """The general word whose vowels are left out of a name, or else the name itself.

    >>> written_out("hght"), written_out("dscrp"), written_out("price"), written_out("veh"), written_out("xqz")
    ('height', 'description', 'price', 'vehicle', 'xqz')
    """
    if len(short) < _SHORTEST or stem(short) in word_lists().known:
        return short
    begun = [] if is_common(short) else _beginning(short)
    if len(set(map(stem, begun))) == 1:
        return min(begun, key=len)
    found = _by_consonants().get(short) or [
        word
        for consonants, words in _by_consonants().items()
        if len(short) > _CUT and consonants.startswith(short)
        for word in words
    ]
    return min(found, key=len, default="") or common_word(short) or short


def _beginning(short: str) -> list[str]:
    """General words that begin so, and are longer by more than an ending."""
    general = frozenset[str]().union(*word_lists().groups)
    return [word for word in general if word.startswith(short) and len(word) > len(short) + 2]


@cache
def _by_consonants() -> Mapping[str, list[str]]:
    """General words by their first letter and their consonants."""
    found: dict[str, list[str]] = {}
    for word in sorted(frozenset[str]().union(*word_lists().groups)):
        if not _VOWELS.isdisjoint(word[1:]):
            found.setdefault(without_vowels(word), []).append(word)
    return found


def without_vowels(word: str) -> str:
    """The first letter of a word and its consonants.

    >>> without_vowels("order"), without_vowels("policy")
    ('ordr', 'plcy')
    """
    return word[0] + "".join(one for one in word[1:] if one not in _VOWELS)


def is_short_for(short: str, word: str) -> bool:
    """True for the first letters of a word, and for its first letter or letters and consonants in their order.

    >>> [is_short_for("cmpny", word) for word in ("company", "compani", "complaint")]
    [True, True, False]
    >>> is_short_for("tkt", "ticket"), is_short_for("regi", "region"), is_short_for("crm", "customer"), is_short_for("ssn", "session")
    (True, True, False, False)
    >>> is_short_for("spr", "supervisor"), is_short_for("tch", "technician"), is_short_for("tcn", "technician")
    (True, True, False)
    >>> is_short_for("catg", "category"), is_short_for("dept", "department")
    (True, True)
    >>> is_short_for("veh", "vehicle"), is_short_for("mk", "make"), is_short_for("crse", "course"), is_short_for("car", "carpet")
    (True, True, True, False)
    """
    lists = word_lists()
    if short[:1] != word[:1] or short in STOP_WORDS:
        return False
    if len(short) < _SHORTEST:
        simple = 2 < len(word) <= _SIMPLE and short not in lists.abbreviations
        return simple and without_vowels(word) == short
    if word.startswith(short):
        least = _CUT if is_common(short) else _SHORTEST
        return least <= len(short) <= len(word) - 2 and short not in lists.known
    if without_vowels(word) == short:
        return True
    if without_vowels(word) == without_vowels(short) and not is_common(short):
        rest = iter(word)
        return len(short) < len(word) - 1 and all(letter in rest for letter in short)
    short, word = (one[:-1] + "y" if one.endswith("i") else one for one in (short, word))
    same = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(short, word, strict=False)))
    cut = same >= _SHORTEST and short != word and stem(short) not in word_lists().known
    begun = same if cut else 1
    rest = iter(word[begun:])
    plain = not set(short[begun:]) & _VOWELS
    plain = plain and (len(short) >= _CUT or all(one != two for one, two in pairwise(short)))
    opens = without_vowels(word).startswith(short)
    enough = opens or 2 * len(short) > sum(letter not in _VOWELS for letter in word)
    return plain and enough and all(letter in rest for letter in short[begun:])


def short_for_others(short: str, word: str) -> bool:
    """True where nothing but the vowels of some general words is missing, and these do not begin as the word does.

    >>> short_for_others("prc", "product"), short_for_others("prd", "product")
    (True, False)
    """
    return short in _by_consonants() and not without_vowels(word).startswith(short)


def _unglued(piece: str, known: Collection[str]) -> tuple[str, ...]:
    short = word_lists().abbreviations
    if piece in short or piece in known:
        return (piece,)
    for suffix in _SUFFIXES:
        start = piece.removesuffix(suffix)
        if start != piece and (start in known or start in short or start + "s" in known):
            return (start, suffix)
    return (piece,)
