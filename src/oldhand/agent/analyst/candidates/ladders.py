"""Who stands above whom: tables whose rows refer to others of their rows, and the words that speak of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Span, ValueMention, ValueOption
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems


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
class Ladder:
    """A table whose rows refer to others of its rows."""

    below: int
    """The table."""
    above: int
    """The same table once more: those whom its rows refer to."""
    reference: int
    """The column that refers to them."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words that tie somebody to somebody else."""

    tie: Tie
    start: int
    end: int
    used: int
    """Their tokens as bits; a verb may stand apart from its `to` or `by`."""


_SUPERIORS = words("people.superiors")
_INFERIORS = words("people.inferiors")
_MANAGING = word_stems("verbs.managing")
_REPORTING = words("verbs.reporting")
_SERVING = words("verbs.working")
_OTHER_ROLES = word_stems("people.other_roles")
_DETERMINERS = words("function_words.before_relatives")
_PEOPLE = word_stems("people.persons")
_SURE = 0.8
"""How well a name must fit."""
_ACTING = words("function_words.before_verbs")


def told_ladders(asked: Asked) -> Iterator[tuple[Ladder, tuple[Spoken, ...]]]:
    """The ladders that a question speaks of, with the words that do."""
    for ladder in _ladders(asked):
        spoken = _spoken(asked, ladder)
        if spoken and not _is_elsewhere(asked, ladder):
            yield ladder, spoken


def untold(asked: Asked) -> int:
    """The tokens that tell who stands above whom, which no query answers to that does not follow them, as bits."""
    mask = 0
    for ladder, spoken in told_ladders(asked):
        superior = len(spoken) == 1 and spoken[0].tie is Tie.SUPERIOR
        if not superior or named_on(asked, ladder) != ():
            mask |= sum({word.used for word in spoken})
    return mask


def named_on(asked: Asked, ladder: Ladder) -> tuple[tuple[ValueMention, ValueOption], ...] | None:
    """The one member of the ladder that is named, by one name or by first and last name; None for several."""
    names = set(asked.full_name(ladder.below) or asked.labels(ladder.below)[:1])
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


def led_elsewhere(asked: Asked, tables: Sequence[int]) -> int:
    """The tokens of `manager` in `the manager of the IT department`, where `tables` tell who manages its people, as bits."""
    mask = 0
    for ladder in _ladders(asked):
        if ladder.above in tables and _is_elsewhere(asked, ladder):
            mask |= sum({word.used for word in _spoken(asked, ladder)})
    return mask


def _is_elsewhere(asked: Asked, ladder: Ladder) -> bool:
    """True for `Who manages the Sales department`, where departments say so themselves by a column of that name."""
    own = set(asked.vocabulary.tables[ladder.above].forms[0]) | _MANAGING
    own |= set(map(stem, _SUPERIORS))
    holding = {asked.column(o.column).table for v in asked.links.values for o in v.options[:3]}
    for table in {*asked.named_tables, *holding} - {ladder.below, ladder.above}:
        entry = asked.vocabulary.tables[table]
        led = [set(asked.column(c).forms[0]) & own for c in entry.columns]
        if any(led) and not entry.role:
            return True
    return False


def _ladders(asked: Asked) -> Iterator[Ladder]:
    """All tables whose rows refer to others of their rows, once for each way in which they do."""
    for entry in asked.vocabulary.tables:
        if not entry.role:
            continue
        for edge in asked.vocabulary.joins.between(entry.of, entry.id):
            name = edge.keys[0][0].casefold()
            columns = asked.vocabulary.tables[entry.of].columns
            own = [c for c in columns if asked.column(c).column.name.casefold() == name]
            if own and len(asked.key(entry.of)) == 1:
                yield Ladder(entry.of, entry.id, own[0])


def _spoken(asked: Asked, ladder: Ladder) -> tuple[Spoken, ...]:
    """The words of a question that tell of a ladder, in their order."""
    leading = _is_leading(asked, ladder)
    own = set(asked.vocabulary.tables[ladder.above].forms[0])
    found: list[Spoken] = []
    busy = _busy(asked, ladder)
    place = 0
    while place < len(asked.links.tokens):
        token = asked.links.tokens[place]
        spoken = None
        if not token.quoted and not busy >> place & 1:
            spoken = _leading_at(asked, place) if leading else None
            spoken = spoken or _own_at(asked, place, own)
        if spoken is not None:
            found.append(spoken)
        place = max(place + 1, spoken.end if spoken is not None else 0)
    return tuple(found)


def _busy(asked: Asked, ladder: Ladder) -> int:
    """The tokens that are values, or that surely name something else, such as `leads`."""
    mask = 0
    for value in asked.links.values:
        mask |= value.span.mask
    for table in asked.links.tables:
        other = table.best.id not in (ladder.below, ladder.above)
        mask |= table.span.mask if other and table.best.score >= 0.9 else 0
    for column in asked.links.columns:
        other = column.best.id != ladder.reference
        mask |= column.span.mask if other and column.best.score >= 0.9 else 0
    return mask


def _is_leading(asked: Asked, ladder: Ladder) -> bool:
    """True where people refer to those who lead them, whatever the column is called.

    A single reference among people is taken for that, unless its name says that it is something else.
    """
    own, table = (asked.vocabulary.tables[t] for t in (ladder.above, ladder.below))
    words = {stem(word) for form in own.forms for word in form}
    if words & (_MANAGING | set(map(stem, _SUPERIORS))) or ("report", "to") in own.forms:
        return True
    people = {word for form in table.forms for word in form} & _PEOPLE
    alone = sum(t.of == ladder.below for t in asked.vocabulary.tables) == 1
    return bool(people or asked.full_name(table.id)) and alone and not words & _OTHER_ROLES


def _leading_at(asked: Asked, place: int) -> Spoken | None:
    """What the word at a place says of leading people."""
    word, root = asked.word(place), asked.links.tokens[place].stem
    if word in _SUPERIORS | _INFERIORS:
        tie = Tie.SUPERIOR if word in _SUPERIORS else Tie.INFERIOR
        return Spoken(tie, place, place + 1, 1 << place)
    if word == "direct" and asked.word(place + 1) in ("report", "reports"):
        return Spoken(Tie.INFERIOR, place, place + 2, 3 << place)
    if word in _REPORTING:
        return _reaching(asked, place, Tie.BELOW, "to")
    if word in _SERVING and asked.word(place + 1) == "under":
        return Spoken(Tie.BELOW, place, place + 2, 3 << place)
    if root in _MANAGING and _is_verb(asked, place):
        return _reaching(asked, place, Tie.BELOW, "by") or Spoken(
            Tie.ABOVE, place, place + 1, 1 << place
        )
    return None


def _own_at(asked: Asked, place: int, own: set[str]) -> Spoken | None:
    """What the word at a place says by the name of the reference itself: `parent`, `mentor`, `referred by`."""
    word, root = asked.word(place), asked.links.tokens[place].stem
    if "parent" in own and (
        word in ("child", "children") or (word == "sub" and asked.word(place + 1))
    ):
        end = place + 1 + (word == "sub")
        return Spoken(Tie.INFERIOR, place, end, Span(place, end).mask)
    if root not in own or word in ("by", "to", "of"):
        return None
    if not _is_verb(asked, place):
        return Spoken(Tie.SUPERIOR, place, place + 1, 1 << place)
    passive = _reaching(asked, place, Tie.BELOW, "by")
    return passive or Spoken(Tie.ABOVE, place, place + 1, 1 << place)


def _is_verb(asked: Asked, place: int) -> bool:
    """True for `manages`, for `managed` and for the `manage` of `does Ann manage`, but not for `the lead`."""
    word, before = asked.word(place), asked.word(place - 1)
    if before in _DETERMINERS or asked.word(place + 1) in ("of", "s"):
        return False
    named = any(v.span.end == place for v in asked.links.values)
    named = named or before in _SUPERIORS or any(m.span.end == place for m in asked.links.tables)
    ends = word.endswith(("ed", "ing", "led")) or word in ("led", "overseen")
    return ends or before in _ACTING or named or (word.endswith("s") and place > 0)


def _reaching(asked: Asked, place: int, tie: Tie, link: str) -> Spoken | None:
    """A verb with its `to` or `by`: right after it, before the question word, or after a name."""
    word = asked.word(place)
    if link == "by" and not (word.endswith("ed") or word in ("led", "overseen")):
        return None
    used = 1 << place
    following = place + 1 + (asked.word(place + 1) == "directly")
    if asked.word(following) == link:
        return Spoken(tie, place, following + 1, used | Span(place + 1, following + 1).mask)
    if asked.word(0) == link and asked.word(1) in ("whom", "who", "which"):
        return Spoken(tie, place, place + 1, used | 1)
    return None
