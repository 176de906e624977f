"""Who stands above whom: tables whose rows refer to others of their rows, and the words that speak of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Span, ValueMention, ValueOption, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wording import is_past_form


class Tie(StrEnum):
    """How words tie somebody to somebody else."""

    BELOW = "below"
    """A verb whose subject stands below: `reports to`, `is managed by`."""
    ABOVE = "above"
    """A verb whose subject stands above: `manages`."""
    SUPERIOR = "superior"
    """A noun for who stands above: `boss`."""
    INFERIOR = "inferior"
    """A noun for who stands below: `direct reports`."""


@dataclass(frozen=True, slots=True)
class SelfReference:
    """A table whose rows refer to others of its rows."""

    below: int
    """The table."""
    above: int
    """The same table once more: those whom its rows refer to."""
    column: int
    """The column that refers to them."""


@dataclass(frozen=True, slots=True)
class SpokenTie:
    """Words that tie somebody to somebody else."""

    tie: Tie
    start: int
    end: int
    used: int
    """Their tokens as bits; a verb may stand apart from its `to` or `by`."""


_SUPERIORS = words("people.superiors")
_INFERIORS = words("people.inferiors")
_MANAGING = word_stems("verbs.managing")
_LEADING = _MANAGING | set(map(stem, _SUPERIORS))
_REPORTING = words("verbs.reporting")
_SERVING = words("verbs.working")
_OTHER_ROLES = word_stems("people.other_roles")
_DETERMINERS = words("function_words.before_relatives")
_PEOPLE = word_stems("people.persons")
_SURE = 0.8
"""How well a name must fit."""
_ACTING = words("function_words.before_verbs")


def told_references(asked: Asked) -> Iterator[tuple[SelfReference, tuple[SpokenTie, ...]]]:
    """The self references that a question speaks of, with the words that do."""
    for reference in _references(asked):
        spoken = _spoken(asked, reference)
        if spoken and not _is_elsewhere(asked, reference):
            yield reference, spoken


def untold(asked: Asked) -> int:
    """The tokens that tell who stands above whom, which no query answers to that does not follow them, as bits."""
    mask = 0
    for reference, spoken in told_references(asked):
        superior = len(spoken) == 1 and spoken[0].tie is Tie.SUPERIOR
        if not superior or named_on(asked, reference) != ():
            mask |= bits(word.used for word in spoken)
    return mask


def named_on(
    asked: Asked, reference: SelfReference
) -> tuple[tuple[ValueMention, ValueOption], ...] | None:
    """The one row that is named, by one name or by first and last name; None for several."""
    names = set(asked.full_name(reference.below) or asked.labels(reference.below)[:1])
    found: list[tuple[ValueMention, ValueOption]] = []
    for mention in asked.links.values:
        fits = [o for o in mention.options if o.column in names and o.operator == "="]
        best = max(fits, key=lambda option: (option.score, -option.column), default=None)
        if best is not None and best.score >= _SURE:
            found.append((mention, best))
    apart = any(
        one[0].span.end != two[0].span.start or one[1].column == two[1].column
        for one, two in pairwise(found)
    )
    return None if apart else tuple(found)


def moved(asked: Asked, reference: SelfReference, column: int, table: int) -> int:
    """The column of one side of a self reference that is the given one of the side below."""
    place = asked.vocabulary.tables[reference.below].columns.index(column)
    return asked.vocabulary.tables[table].columns[place]


def led_elsewhere(asked: Asked, tables: Sequence[int]) -> int:
    """The tokens of `manager` in `the manager of the IT department`, where `tables` tell who manages its people, as bits."""
    return bits(
        word.used
        for reference in _references(asked)
        if reference.above in tables and _is_elsewhere(asked, reference)
        for word in _spoken(asked, reference)
    )


def _is_elsewhere(asked: Asked, reference: SelfReference) -> bool:
    """True for `Who manages the Sales department`, where departments say so themselves by a column of that name."""
    own = _LEADING | set(asked.vocabulary.tables[reference.above].forms[0])
    holding = {asked.column(o.column).table for v in asked.links.values for o in v.options[:3]}
    others = {*asked.named_tables, *holding} - {reference.below, reference.above}
    entries = [asked.vocabulary.tables[table] for table in others]
    return any(
        own & set(asked.column(c).forms[0]) for e in entries if not e.role for c in e.columns
    )


def _references(asked: Asked) -> Iterator[SelfReference]:
    """All tables whose rows refer to others of their rows, once for each way in which they do."""
    for entry in asked.vocabulary.tables:
        for edge in asked.vocabulary.joins.between(entry.of, entry.id) if entry.role else ():
            own = asked.named(entry.of, edge.keys[0][0])
            if own is not None and len(asked.key(entry.of)) == 1:
                yield SelfReference(entry.of, entry.id, own)


def _spoken(asked: Asked, reference: SelfReference) -> tuple[SpokenTie, ...]:
    """The words of a question that tell of a self reference, in their order."""
    leading = _is_leading(asked, reference)
    own = set(asked.vocabulary.tables[reference.above].forms[0])
    found: list[SpokenTie] = []
    busy = _busy(asked, reference)
    for place, token in enumerate(asked.links.tokens):
        if token.quoted or busy >> place & 1 or (found and place < found[-1].end):
            continue
        spoken = _leading_at(asked, place) if leading else None
        spoken = spoken or _own_at(asked, place, own)
        found += [spoken] if spoken is not None else []
    return tuple(found)


def _busy(asked: Asked, reference: SelfReference) -> int:
    """The tokens that are values, or that surely name something else, such as `leads`."""
    own = (reference.below, reference.above)
    tables = (m for m in asked.links.tables if m.best.score >= 0.9 and m.best.id not in own)
    columns = (
        m for m in asked.links.columns if m.best.score >= 0.9 and m.best.id != reference.column
    )
    return spans(asked.links.values) | spans(tables) | spans(columns)


def _is_leading(asked: Asked, reference: SelfReference) -> bool:
    """True where people refer to those who lead them, whatever the column is called.

    A single self reference among people is taken for that, unless its name says that it is something else.
    """
    own, table = (asked.vocabulary.tables[t] for t in (reference.above, reference.below))
    words = set(map(stem, own.words))
    if words & _LEADING or ("report", "to") in own.forms:
        return True
    alone = sum(t.of == reference.below for t in asked.vocabulary.tables) == 1
    people = table.words & _PEOPLE or asked.full_name(table.id)
    return bool(people) and alone and not words & _OTHER_ROLES


def _said(tie: Tie, start: int, end: int) -> SpokenTie:
    return SpokenTie(tie, start, end, Span(start, end).mask)


def _leading_at(asked: Asked, place: int) -> SpokenTie | None:
    """What the word at a place says of leading people."""
    word, root = asked.word(place), asked.links.tokens[place].stem
    if word in _SUPERIORS | _INFERIORS:
        return _said(Tie.SUPERIOR if word in _SUPERIORS else Tie.INFERIOR, place, place + 1)
    if word == "direct" and asked.word(place + 1) in ("report", "reports"):
        return _said(Tie.INFERIOR, place, place + 2)
    if word in _REPORTING:
        return _reaching(asked, place, "to")
    if word in _SERVING and asked.word(place + 1) == "under":
        return _said(Tie.BELOW, place, place + 2)
    if root in _MANAGING and _is_verb(asked, place):
        return _reaching(asked, place, "by") or _said(Tie.ABOVE, place, place + 1)
    return None


def _own_at(asked: Asked, place: int, own: set[str]) -> SpokenTie | None:
    """What the word at a place says by the name of the reference itself: `parent`, `mentor`, `referred by`."""
    word, root = asked.word(place), asked.links.tokens[place].stem
    if "parent" in own and word in ("child", "children"):
        return _said(Tie.INFERIOR, place, place + 1)
    if "parent" in own and word == "sub" and asked.word(place + 1):
        return _said(Tie.INFERIOR, place, place + 2)
    if root not in own or word in ("by", "to", "of"):
        return None
    if not _is_verb(asked, place):
        return _said(Tie.SUPERIOR, place, place + 1)
    return _reaching(asked, place, "by") or _said(Tie.ABOVE, place, place + 1)


def _is_verb(asked: Asked, place: int) -> bool:
    """True for `manages`, for `managed` and for the `manage` of `does Ann manage`, but not for `the lead`."""
    word, before = asked.word(place), asked.word(place - 1)
    if before in _DETERMINERS or asked.word(place + 1) in ("of", "s"):
        return False
    if asked.cue_after(place, 0, "most_count", "superlative") is not None:
        return False  # `leads in the number of orders`
    subjects = (*asked.links.values, *asked.links.tables)
    named = before in _SUPERIORS or any(m.span.end == place for m in subjects)
    ends = word.endswith("ing") or is_past_form(word)
    return ends or before in _ACTING or named or (word.endswith("s") and place > 0)


def _reaching(asked: Asked, place: int, link: str) -> SpokenTie | None:
    """A verb with its `to` or `by`: right after it, before the question word, or after a name."""
    word = asked.word(place)
    if link == "by" and not is_past_form(word):
        return None
    following = place + 1 + (asked.word(place + 1) == "directly")
    if asked.word(following) == link:
        return _said(Tie.BELOW, place, following + 1)
    if asked.word(0) == link and asked.word(1) in ("whom", "who", "which"):
        return SpokenTie(Tie.BELOW, place, place + 1, 1 << place | 1)
    return None
