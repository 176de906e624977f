"""Words and numbers for sentences: names of tables and columns as people say them, values as people write them."""

import re
from collections.abc import Sequence
from math import isfinite

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.frequencies import man_of
from oldhand.lexicon.splitting import segmented
from oldhand.record.base import Cell

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")
_UNCOUNTED = words("names.uncounted")
_SINGULARS = meanings("plurals.irregular")
_PLURALS = {one: many for many, one in _SINGULARS.items()}
_SAME = words("plurals.same")
_PAST_FORMS, _NO_PAST_FORMS = words("verbs.past_forms"), words("verbs.no_past_forms")
_PREFIXES, _SUFFIXES = words("names.prefixes"), words("names.suffixes")
_BREAKS = frozenset("\n\r\t\v\f\u2028\u2029")


def human(name: str) -> str:
    """A name of a table or column as words.

    >>> human("order_items"), human("unitPrice"), human("t_customer"), human("VATRate"), human("größe_cm"), human("seedlots"), human("veh_mst")
    ('order items', 'unit price', 'customer', 'vat rate', 'größe cm', 'seed lots', 'veh')
    """
    words = [word for part in _PARTS.findall(name) for word in segmented(part.lower())]
    while len(words) > 1 and words[0] in _PREFIXES:
        words.pop(0)
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    return " ".join(words) or name


def is_past_form(word: str) -> bool:
    """True for a word, in lower case, that may be a past tense or a participle: what was done, as a verb or before a thing.

    >>> [word for word in ("delivered", "sold", "seed", "sale", "held") if is_past_form(word)]
    ['delivered', 'sold', 'held']
    """
    return (word.endswith("ed") and word not in _NO_PAST_FORMS) or word in _PAST_FORMS


def plural(words: str) -> str:
    """The last word in the plural, unless it is one already.

    >>> [plural(w) for w in ("customer", "cities", "city", "order item", "address", "box", "status")]
    ['customers', 'cities', 'cities', 'order items', 'addresses', 'boxes', 'status']
    """
    head, _, last = words.rpartition(" ")
    if last in _SAME or last in _SINGULARS:
        made = last
    elif last in _PLURALS:
        made = _PLURALS[last]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        made = last
    elif last.endswith("man") and man_of(f"{last[:-2]}en") == last:
        made = last[:-2] + "en"
    elif re.search(r"(s|x|z|ch|sh)$", last):
        made = last + "es"
    elif re.search(r"[^aeiou]y$", last):
        made = last[:-1] + "ies"
    else:
        made = last + "s"
    return f"{head} {made}".strip()


def singular(words: str) -> str:
    """The last word in the singular, unless it is one already.

    >>> [singular(w) for w in ("customers", "cities", "order items", "addresses", "lens", "people", "sales")]
    ['customer', 'city', 'order item', 'address', 'lens', 'person', 'sale']
    """
    head, _, last = words.rpartition(" ")
    if last in _SAME - {"people"} or last in _PLURALS:
        made = last
    elif last in _SINGULARS:
        made = _SINGULARS[last]
    elif last.endswith("ies") and len(last) > 4:
        made = last[:-3] + "y"
    elif re.search(r"(ss|x|z|ch|sh)es$", last):
        made = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        made = last[:-1]
    else:
        made = man_of(last)
    return f"{head} {made}".strip()


def counted(number: int, words: str) -> str:
    """A number of things.

    >>> counted(1, "orders"), counted(1234, "order"), counted(0, "city")
    ('1 order', '1,234 orders', '0 cities')
    """
    return f"{number:,} {singular(words) if number == 1 else plural(words)}"


def value_text(cell: Cell, column: str = "") -> str:
    r"""One value as it stands in a sentence, which has no line breaks.

    >>> value_text("Hauptstr. 1\n10115 Berlin")
    'Hauptstr. 1 10115 Berlin'
    >>> [value_text(c) for c in (1234, 1234.5, 0.12345, 3.0, None, True, "Berlin", 1e12)]
    ['1,234', '1,234.5', '0.123', '3', 'nothing', 'yes', 'Berlin', '1,000,000,000,000']
    >>> value_text(2023, "year"), value_text(10115, "zip_code")
    ('2023', '10115')
    """
    if cell is None:
        return "nothing"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        if not cell.strip():
            return "(empty)"
        return " ".join(cell.split()) if _BREAKS.intersection(cell) else cell
    if _UNCOUNTED.intersection(human(column).split()):
        return str(cell)
    return number_text(cell)


def number_in(text: str) -> float | None:
    """The number that a text is, a whole one without decimals; None where it is none.

    >>> number_in("100"), number_in("2.50"), number_in("many"), number_in("nan"), number_in("1_000")
    (100, 2.5, None, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text:  # as programs write numbers, and nobody else
        return None
    return plain_number(number) if isfinite(number) else None


def plain_number(number: float) -> float:
    """A number without a point that nothing follows.

    >>> plain_number(2.0), plain_number(2.5), plain_number(2)
    (2, 2.5, 2)
    """
    return int(number) if isinstance(number, float) and number.is_integer() else number


def number_text(number: float) -> str:
    """A number with thousands separators and no more decimals than help."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e15):
        return f"{int(number):,}"
    if 0.01 <= abs(number) < 1:
        return f"{round(number, 3)}"
    return f"{round(number, 2):,}" if abs(number) >= 1 else f"{number:.3g}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Several things in one sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"
