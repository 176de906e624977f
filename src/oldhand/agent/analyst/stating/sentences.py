"""The forms of sentences by which people state rules."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from oldhand.agent.analyst.stating.clauses import AUXILIARY
from oldhand.agent.analyst.stating.deeds import Deed, deeds
from oldhand.agent.analyst.stating.leaving import without_contractions, without_longer
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.phrases import any_of

_DENYING, _ALONE = words("rules.denying"), words("rules.alone")
_FILLING = words("rules.filling")
_ARTICLES = words("rules.articles")
_BE = words("verbs.be")
_HAVING = words("rules.having")
NAME = 6
"""Words of a name at most."""
_EQUALS = re.compile(r"\s*(?<![<>!:=]):?=(?!=)\s*")
_TYPOGRAPHY = str.maketrans({
    "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{MULTIPLICATION SIGN}": "*", "\N{DIVISION SIGN}": "/",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", "\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{LESS-THAN OR EQUAL TO}": "<=", "\N{GREATER-THAN OR EQUAL TO}": ">=", "\N{NOT EQUAL TO}": "<>",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Definition:
    """`name` stands for what `meaning` says."""

    name: str
    meaning: str
    having: bool = False
    """True where the meaning is what such rows have: `those with a company`."""


@dataclass(frozen=True, slots=True)
class Dating:
    """The rows that `rows` names go by the date that `date` names."""

    rows: str
    date: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """Rows that are left out, or that alone count."""

    things: str
    about: str = ""
    """What the question is about then: `revenue`; empty for all questions."""
    keep: bool = False
    """True when these rows alone count."""
    whole: str = ""
    """The rows, where what seemed to be the question is said of them: `treatments from 2018 on`."""


def sentence_of(text: str) -> Definition | Dating | Leaving | None:
    """Which form a sentence has.

    Raises:
        UnclearRule: it says that rows are not left out, which no rule does.

    >>> sentence_of("profit = price - cost")
    Definition(name='profit', meaning='price - cost', having=False)
    >>> sentence_of("Revenue leaves out cancelled orders.")
    Leaving(things='cancelled orders', about='Revenue', keep=False, whole='')
    >>> sentence_of("Only count paid orders")
    Leaving(things='paid orders', about='', keep=True, whole='')
    >>> sentence_of("Orders are dated by paid_at")
    Dating(rows='Orders', date='paid_at')
    """
    said = without_longer(" ".join(text.translate(_TYPOGRAPHY).split()).rstrip(".!;"))
    if found := UNSURE.search(said):
        raise UnclearRule(f"I can't tell what {found[0].lower()!r} leaves in and what out: say `leave out …`, or `count only …`.")  # fmt: skip
    sides = _EQUALS.split(said, maxsplit=1) if "=" in said else said.split(": ", 1)
    if len(sides) == 2 and _is_name(sides[0]):
        return _defined(*sides)
    if dating := _dating(said):
        return dating
    defines = any(_is_name(left) and (COMPUTED.match(right) or _says_what(left, right)) for left, right in _around(said, _MEANING))  # fmt: skip
    if not defines and (left_out := _leaving(said)) is not None:
        return left_out
    low = _lower(said)
    if not defines and any(one.goes_in and one.end == len(low) for one in deeds(low)):
        raise UnclearRule("Such rows count already, unless a rule leaves them out: say `count only …`, or `leave out …`.")  # fmt: skip
    for left, right in _around(said, _NAMING):
        return _defined(right, left)
    for left, right in _around(said, _MEANING):
        if _is_name(left):
            return _defined(left, right)
    return None


def _dating(said: str) -> Dating | None:
    """The rows and the date that they go by; None where a sentence says no such thing.

    >>> _dating("Parcels count in the month they are delivered"), _dating("Use paid_at as the date of orders")
    (Dating(rows='Parcels', date='they are delivered'), Dating(rows='orders', date='paid_at'))
    """
    for form in (_DATED_IN, _DATED_AS):
        if found := form.match(said):
            return Dating(_bare(found["rows"]), _bare(found["date"]))
    for left, right in _around(said, _DATING):
        return Dating(_bare(left), _bare(right))
    return None


def _defined(name: str, meaning: str) -> Definition:
    said, before = meaning.split(), list[str]()
    while len(said) > 1 and said[0].lower() in _ARTICLES | _BE | _HAVING:
        before.append(said[0].lower())
        said = said[1:]
    having = bool(_HAVING.intersection(before))
    return Definition(_bare(name.replace('"', "")), " ".join(said), having)


def _says_what(name: str, meaning: str) -> bool:
    """Whether words say what a name stands for, and not that such rows are left out or counted.

    >>> _says_what("former staff", "staff with a leaving date"), _says_what("void orders", "always left out of revenue")
    (True, False)
    """
    said = _lower(f"{name} are {meaning}")
    names = len(name.split())
    first = next((at for at, word in enumerate(said) if at > names and word not in _FILLING | _DENYING | _ALONE), 0)  # fmt: skip
    return first > 0 and all(names < one.start != first for one in deeds(said))


def _lower(said: str) -> list[str]:
    return [token.lower().strip(",") for token in without_contractions(said).split()]


def _between(phrases: Collection[str]) -> re.Pattern[str]:
    return re.compile(rf"\s+(?:{any_of(phrases)})\s+", re.IGNORECASE)


_DATING = _between(words("rules.dating"))
_TIMES = "|".join(sorted(words("rules.dates") | words("time.units"), key=len, reverse=True))
_DATED_IN = re.compile(rf"^(?P<rows>[\w ]+?) (?:always )?(?:count|counts|are counted|is counted|belong|belongs|fall|falls|are reported|is reported) (?:in|into|to|for|on|under) (?:the |that )?(?:{_TIMES}) (?:of (?:the |their |its )?|in which |on which |when |that |where )?(?P<date>.+)$", re.IGNORECASE)  # fmt: skip
_DATED_AS = re.compile(rf"^(?:use|take) (?:the )?(?P<date>[\w. ]+?) as (?:the )?(?:{_TIMES}) (?:of|for) (?:the |all |an? )?(?P<rows>[\w ]+)$", re.IGNORECASE)  # fmt: skip
COMPUTED = re.compile(rf"(?:the |an? )?(?:{'|'.join(one.replace('-', ' ') for one in words('rules.shares') | words('rules.counted') | meanings('rules.computing').keys())}|ratio of) |.* (?:{'|'.join(one.replace('-', ' ') for one in words('rules.dividing'))}) ", re.IGNORECASE)  # fmt: skip
"""What begins with it, or is divided, is a number, whatever it is of."""
_NAMING = _between(words("rules.naming"))
_MEANING = _between(words("rules.meaning"))


def _around(said: str, phrase: re.Pattern[str]) -> list[tuple[str, str]]:
    """What stands on both sides of a phrase, which stands nearest to the beginning."""
    found = phrase.search(said)
    return [(said[: found.start()], said[found.end() :])] if found else []


def _is_name(text: str) -> bool:
    if text.lower().endswith((" that", " which", " who")):
        return False
    return 0 < len(text.split()) <= NAME and not re.search(r"[-+*/()<>]", text.replace("-", "", 1))


def _bare(text: str) -> str:
    """Without articles before it, and without `ones` behind."""
    found = text.strip(" ,:'\"").split()
    while len(found) > 1 and found[0].lower() in _ARTICLES:
        found = found[1:]
    return " ".join(found)


def let_in(text: str) -> Leaving | None:
    """The rows that count again, as by `Revenue includes cancelled orders`; None where a sentence says nothing of the kind.

    >>> let_in("Revenue includes cancelled orders")
    Leaving(things='cancelled orders', about='Revenue', keep=False, whole='')
    >>> let_in("Revenue leaves out cancelled orders"), let_in("profit = price - cost")
    (None, None)
    """
    said = without_longer(" ".join(text.translate(_TYPOGRAPHY).split()).rstrip(".!;"))
    return None if "=" in said or UNSURE.search(said) else _leaving(said, back=True)


def _leaving(said: str, *, back: bool = False) -> Leaving | None:
    """`Revenue leaves out cancelled orders`, `cancelled orders don't count`, `count only paid orders`; with `back` what is said against such a rule."""
    tokens, low = without_contractions(said).split(), _lower(said)
    found = deeds(low)
    alone = bool(_ALONE.intersection(low))
    deed = next((one for one in found if not one.goes_in), next(iter(found), None))
    if deed is None:
        return None
    outs = [one for one in found if not one.goes_in]
    denials = set[int]().union(*(_denials(low, one) for one in found))
    denied = bool(_DENYING.intersection(low)) if alone else bool(denials)
    turned = len(outs) == 1 and not alone and denied
    if back:
        if alone or (outs and not turned) or (deed.goes_in and denied):
            return None
        denials |= {at for at, word in enumerate(low) if word in words("rules.again")}
    elif deed.goes_in and denied == alone:
        return None
    elif turned:
        raise UnclearRule("Such rows are in unless a rule leaves them out: `oldhand rule list` shows these rules, and `oldhand rule remove NAME` takes one out of force.")  # fmt: skip
    done = {at for one in found for at in (*range(one.start, one.end), *one.tail)} | denials
    idle = _FILLING | _ALONE | _DENYING if alone else _FILLING | _ALONE
    dropped = [at in done or word in idle for at, word in enumerate(low)]
    before = [tokens[at] for at in range(deed.start) if not dropped[at]]
    start = deed.end
    while start < len(tokens) and (dropped[start] or low[start] == "as"):
        start += 1
    kept = (
        at
        for at in range(start, len(tokens))
        if at not in deed.tail and not (back and at in denials)
    )
    after = ["from" if at == deed.tail.stop else tokens[at] for at in kept]  # out of revenue
    about, things = " ".join(before), " ".join(after)
    head, rest = _cut(things)
    whole = ""
    if before and not after:
        about, things = "", about
    elif (
        before and after and low[deed.end] in ("for", "from", "of", "in", "when", "whenever", "as")
    ):
        about, things = _bare(things), about  # cancelled orders are left out of revenue
    elif not before and rest:
        about, things, whole = rest, head, things
    keep = alone and (deed.goes_in or denied)
    return Leaving(_bare(things), _asked_about(about), keep, whole) if things else None


def _asked_about(said: str) -> str:
    """What questions are about: `talk about guests`, `guest figures`; empty where that is anything.

    >>> _asked_about("talk about guests"), _asked_about("the revenue figures"), _asked_about("all reports")
    ('guests', 'revenue', '')
    """
    found = _bare(said).split()
    while found and found[0].lower() in _FILLING | _ARTICLES:
        found = found[1:]
    for one in sorted(words("rules.asking"), key=len, reverse=True):
        led = one.split("-")
        if len(found) > len(led) and [word.lower() for word in found[: len(led)]] == led:
            return _asked_about(" ".join(found[len(led) :]))
    while found and found[-1].lower() in words("rules.figures"):
        found = found[:-1]
    return " ".join(found)


UNSURE = re.compile(r"\b(?:unless|sometimes|occasionally|maybe|perhaps)\b|\b(?:everything|everyone|all|anything|none|nothing) (?:but|except|other than|apart from)\b|\b(?:wrong|mistake) to\b", re.IGNORECASE)  # fmt: skip
"""What turns a rule round in ways that are read wrongly too easily."""


def _denials(low: list[str], deed: Deed) -> set[int]:
    """The places of what turns a verb: `never leave out`, `are not left out`; `orders that are not paid are left out` has none."""
    passed = (AUXILIARY | _FILLING | words("leaving.wishing") | {"ever"}) - _DENYING
    led = next((at for at in reversed(range(deed.start)) if low[at] not in passed), 0)
    found = {led} if low[led] in _DENYING else set[int]()
    if low[:2] == ["none", "of"]:
        found = {0, 1}
    found |= {at for at in (0, deed.end) if low[at : at + 1] == ["no"]}
    without = words("leaving.without") if deed.goes_in else frozenset[str]()
    return found | {at for at, word in enumerate(low) if word in without}


def _cut(things: str) -> tuple[str, str]:
    """`cancelled orders from revenue`: the rows, and what the question is about then."""
    found = re.search(r"\s+(?:from|when computing|when asked for|when asked about|for)\s+(?:the\s+)?([\w ]+)$", things, re.IGNORECASE)  # fmt: skip
    return (things[: found.start()], found[1]) if found else (things, "")
