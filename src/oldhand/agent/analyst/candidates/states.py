"""The state that things are in: `open tickets`, `repairs that are finished`, `certified mechanics`, `active products`.

A day of the end that is missing says that a thing is still going on; a yes-or-no column says it outright, in
whichever way it is written. Words that are values of a status column are read as values.
"""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip, slot, where
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.yes_no import is_yes_no
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import Comparison
from oldhand.query.negating import negated
from oldhand.record.schema import Kind

_GOING_ON = words("states.going_on")
_OVER = words("states.over")
_IN_USE = words("states.in_use")
_ENDS = word_stems("states.end_columns")
_OUT_OF_USE = word_stems("states.out_of_use")
_UN = words("negation.prefixes")
_BEFORE = words("states.before")
AFTER_DEEDS = words("states.after_deeds")
_PAIRS = (("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f"), ("1", "0"))


def state_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each word that says which state things are in."""
    values = spans(asked.links.values)
    for place, token in enumerate(asked.links.tokens):
        if not token.quoted and not values >> place & 1:
            choices = (one for table in _things(asked, place) for one in _in(asked, place, table))
            yield from slot(1 << place, choices, skip("state"))


def _things(asked: Asked, place: int) -> Iterator[int]:
    """The things whose state the word at a place may tell: those after it, or those before `are`."""
    after = [m.best for m in asked.tables_after(place + 1, 0)]
    deed = asked.word(place + 1) in AFTER_DEEDS and asked.word(place) not in _IN_USE
    if not after and asked.word(place - 1) in _BEFORE and not deed:
        after = [m.best for m in asked.links.tables if m.span.end <= place and m.best.score >= 0.9]
        after = after[-2:]
    found = [option.id for option in after]
    if not found and is_yes_no(asked) and asked.word(place + 1) in ("", "?"):
        found = [m.best.id for m in asked.links.tables if m.span.end <= place]
        found = found or list(asked.implied_tables)
    yield from dict.fromkeys(found)


def _in(asked: Asked, place: int, table: int) -> Iterator[Choice]:
    """The conditions on rows of a table that the word at a place may stand for."""
    used, turned = 1 << place, False
    for cue in asked.links.cues_of("not"):
        beside = cue.span.end == place - 1 and asked.word(place - 1) in ("yet", "been")
        if cue.span.end == place or beside:
            used |= cue.span.mask
            turned = True
    for number in asked.vocabulary.tables[table].columns:
        entry = asked.column(number)
        condition = _condition(entry, asked.word(place))
        if condition is not None:
            own = float(_stem(asked.word(place)) in entry.forms[0])
            features: Features = (("state.word", 1.0), ("state.own_word", own))
            condition = negated(condition) if turned else condition
            yield where(asked, place, used, features, condition)


def _condition(entry: ColumnEntry, word: str) -> Condition | None:
    """What a word says about a column; None when it says nothing."""
    names = set(entry.forms[0])
    term = entry.ref
    if entry.temporal and entry.column.nullable:
        undone = word.startswith("un") and _stem(word[2:]) in names and word.endswith("ed")
        if undone or (word in _GOING_ON and names & _ENDS):
            return Comparison(term, "null")
        done = word.endswith("ed") and _stem(word) in names
        return Comparison(term, "not null") if done or (word in _OVER and names & _ENDS) else None
    pair = yes_and_no(entry)
    if pair is None:
        return None
    said = entry.column.kind is not Kind.BOOLEAN and _stem(word) in names and word.endswith("ed")
    if said or (word == "active" and "activ" in names):
        return Comparison(term, "=", (pair[0],))
    off = (word in _IN_USE and names & _OUT_OF_USE) or (word == "inactive" and "activ" in names)
    off = off or any(stem(prefix + word) in names for prefix in _UN)
    return Comparison(term, "=", (pair[1],)) if off else None


def _stem(word: str) -> str:
    root = stem(word)
    return word_lists().irregular.get(root, root)


def yes_and_no(entry: ColumnEntry) -> tuple[str | int, str | int] | None:
    """How a column says yes and no; None when it says anything else.

    >>> from oldhand.record.schema import Column
    >>> column = Column(name="certified", type="TEXT", kind=Kind.TEXT, samples=("N", "Y"))
    >>> from oldhand.query import form
    >>> ref = form.Column(form.Relation("shop", "main", "suppliers"), "certified")
    >>> yes_and_no(ColumnEntry(0, 0, column, ref, (("certifi",),), ((1.0,),), False))
    ('Y', 'N')
    """
    if entry.column.kind is Kind.BOOLEAN:
        return True, False
    samples = {str(sample).casefold(): sample for sample in entry.column.samples}
    for yes, no in _PAIRS:
        if {yes, no} == set(samples) and not entry.key_like:
            found = samples[yes], samples[no]
            if isinstance(found[0], str | int) and isinstance(found[1], str | int):
                return found[0], found[1]
    return None
