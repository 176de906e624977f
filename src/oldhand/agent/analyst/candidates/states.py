"""The state that things are in: `open tickets`, `certified mechanics`.

A day of the end that is missing says that a thing is still going on; a yes-or-no column says it outright, in
whichever way it is written. Words that are values of a status column are read as values.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip, slot, where
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.counting import things_of_kind
from oldhand.agent.analyst.candidates.yes_no import is_yes_no
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import LinkOption, Mention, ValueMention, spans
from oldhand.agent.analyst.words.shortened import SHORTENED
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, word_stems
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import Comparison
from oldhand.query.negating import negated
from oldhand.record.base import Cell
from oldhand.record.schema import Kind

_GOING_ON = words("states.going_on")
_OVER = words("states.over")
_IN_USE = words("states.in_use")
_ENDS = word_stems("states.last_days")
_GONE, _VOID, _TO_BE_DONE = words("states.gone"), words("states.void"), words("states.to_be_done")
_OUT_OF_USE = word_stems("states.out_of_use")
_FOR_NOTHING, _PRICES = words("states.for_nothing"), word_stems("money.prices")
_NOTHING_MORE, _HOUSES = words("states.after_gone"), words("people.houses")
_UN, _NONE_OF = words("negation.prefixes"), words("negation.before_nouns")
_BEFORE = words("states.before")
AFTER_DEEDS = words("states.after_deeds")
_THING = 0.6
"""How well the things must be named whose state words after them tell."""
_WHOLE = 0.9
"""How well words must name a column to say that it holds."""
_PAIRS = tuple(meanings("states.flags").items())
_ARTICLES = words("function_words.determiners")


def state_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each word that says which state things are in."""
    values = spans(asked.links.values)
    for place, token in enumerate(asked.links.tokens):
        if not token.quoted and not values >> place & 1:
            choices = (one for table in _things(asked, place) for one in _in(asked, place, table))
            yield from slot(1 << place, choices, skip("state"))
    for mention in asked.links.columns:
        yield from slot(mention.span.mask, _flagged(asked, mention), skip("state"))


def _flagged(asked: Asked, mention: Mention) -> Iterator[Choice]:
    """`Staff who work full time`, `do not have insurance`: a column of yes and no whose whole name is said, but for groups and kinds."""
    entry, used = asked.column(mention.best.id), mention.span.mask
    # Those that are declared so are a matter of `flags`.
    flag = entry.is_flag and entry.column.kind is not Kind.BOOLEAN
    pair = yes_and_no(entry) if mention.best.score >= _WHOLE and flag else None
    grouped = asked.cue_before(
        mention.span.start, 1, "per", "by", "group", "what", "distinct", "and"
    )
    valued = any(value.span.holds(mention.span) for value in asked.links.values)
    if pair is not None and grouped is None and not valued:
        features: Features = (("state.word", 1.0), ("state.own_word", 1.0))
        denied = asked.cue_before(mention.span.start, 3, "not")
        between = asked.links.tokens[denied.span.end : mention.span.start] if denied else ()
        denied = denied if all(map(is_general, between)) else None  # `do not get the newsletter`
        used |= denied.span.mask if denied else 0
        told = Comparison(entry.ref, "=", (pair[1 if denied else 0],))
        yield where(asked, mention.span.start, used, features, told)


def _things(asked: Asked, place: int) -> Iterator[int]:
    """The things whose state the word at a place may tell: those after it, or those before `are`."""
    after = [m.best for m in asked.tables_after(place + 1, 0)]
    if asked.word(place) in _GOING_ON and not after:
        after = _kinds(asked, [v for v in asked.links.values if v.span.start == place + 1])
    house = asked.word(place + 1) in _ARTICLES and asked.word(place + 2) in _HOUSES
    more = asked.word(place + 1) not in _NOTHING_MORE | {""} and not house
    if asked.word(place) in _GONE and not more:
        after = [m.best for m in asked.links.tables if m.span.end == place]
        after += _kinds(asked, [v for v in asked.links.values if v.span.end == place])
    lasting = _IN_USE | _TO_BE_DONE if asked.word(place + 1) == "by" else _IN_USE
    deed = asked.word(place + 1) in AFTER_DEEDS and asked.word(place) not in lasting
    if not after and asked.word(place - 1) in _BEFORE and not deed:
        after = [
            m.best for m in asked.links.tables if m.span.end <= place and m.best.score >= _THING
        ]
        after = after[-2:] or _told_by_kind(asked, place)
    found = [option.id for option in after]
    if not found and is_yes_no(asked) and asked.word(place + 1) in ("", "?"):
        found = [m.best.id for m in asked.links.tables if m.span.end <= place]
        found = found or list(asked.implied_tables)
    yield from dict.fromkeys(found)


def _told_by_kind(asked: Asked, place: int) -> list[LinkOption]:
    """The things of the last value before a place, where none are named: the animals of `cats that are insured`."""
    before = [value for value in asked.links.values if value.span.end <= place][-1:]
    kinds = (things_of_kind(asked, value).items() for value in before)
    return [LinkOption(table, score, 1.0) for found in kinds for table, score in found]


def _kinds(asked: Asked, values: Sequence[ValueMention]) -> list[LinkOption]:
    """The things that some values are kinds of: animals are the cats of `living cats`."""
    kinds = (option for value in values for option in value.options[:1])
    return [LinkOption(asked.column(one.column).table, one.score, 1.0) for one in kinds]


def _in(asked: Asked, place: int, table: int) -> Iterator[Choice]:
    """The conditions on rows of a table that the word at a place may stand for."""
    used, turned = 1 << place, False
    if asked.word(place) in _GONE:
        used |= asked.marked(_HOUSES, place + 1, place + 3)
    for cue in asked.links.cues_of("not"):
        beside = cue.span.end == place - 1 and asked.word(place - 1) in ("yet", "been")
        # `No paid invoices` are none that are paid.
        if (cue.span.end == place and asked.word(place - 1) not in _NONE_OF) or beside:
            used |= cue.span.mask
            turned = True
    for number in asked.vocabulary.tables[table].columns:
        entry = asked.column(number)
        condition = _holding(asked, entry, place)
        condition = condition or _condition(entry, asked.word(place), asked.links.today)
        if condition is not None and not (turned and _leaves_out(entry, condition)):
            own = float(_is_in(asked.word(place), set(entry.forms[0])))
            features: Features = (("state.word", 1.0), ("state.own_word", own))
            condition = negated(condition) if turned else condition
            along = counting(asked, condition, place) if not turned else ()
            yield where(asked, place, used, features, condition, along)


def _holding(asked: Asked, entry: ColumnEntry, place: int) -> Condition | None:
    """That a column of yes and no holds, where a word is the only one of its name that says something, or what it is short for; that it does not, where its opposite is: `inactive`."""
    pair = yes_and_no(entry) if entry.is_flag and entry.column.kind is not Kind.BOOLEAN else None
    if pair is None:
        return None
    token = asked.links.tokens[place]
    bare = [token.lower.removeprefix(un) for un in _UN if token.lower.startswith(un)]
    for said, value in (((token.stem, token.lower), pair[0]), ([*map(stem, bare), *bare], pair[1])):
        hits = (hit for word in said for hit in asked.vocabulary.hits(word))
        named = (
            entry.weights[hit.form][hit.word] / max(sum(entry.weights[hit.form]), 1.0)
            for hit in hits
            if hit.column == entry.id and hit.word >= 0 and hit.strength >= SHORTENED
        )
        if max(named, default=0) >= _WHOLE:
            return Comparison(entry.ref, "=", (value,))
    return None


def counting(asked: Asked, condition: Condition, place: int) -> tuple[Choice, ...]:
    """That rows without a day of the end still count: `unpaid invoices` are none that were cancelled."""
    time, to_be_done = asked.entry(condition.left), asked.word(place) in _TO_BE_DONE
    if condition.operator != "null" or not (time.temporal and to_be_done):
        return ()
    columns = map(asked.column, asked.vocabulary.tables[time.table].columns)
    held = ((e.ref, value) for e in columns if e.column.kind is Kind.TEXT for value in _seen(e))
    void = [(ref, v) for ref, v in held if isinstance(v, str) and v.casefold() in _VOID]
    others = (negated(Comparison(ref, "=", (value,))) for ref, value in void)
    return tuple(Choice("where", position=place, condition=each) for each in others)


def _seen(entry: ColumnEntry) -> tuple[Cell, ...]:
    """The few values of a column, as far as they are known."""
    profile = entry.column.profile
    return profile.values if profile is not None and profile.values else entry.column.samples


def _condition(entry: ColumnEntry, word: str, today: date | None) -> Condition | None:
    """What a word says about a column; None when it says nothing."""
    names = set(entry.forms[0])
    term = entry.ref
    known = today is not None and is_known_before(entry, today)
    if entry.temporal and (entry.column.nullable or known):
        undone = word.startswith("un") and _is_in(word[2:], names) and _is_done(word[2:])
        if undone or (word in _GOING_ON and names & _ENDS):
            return None if known else Comparison(term, "null")
        seen = entry.column.profile
        said = word.endswith("ed") or (_is_done(word) and not (seen and seen.never_missing))
        done = (said and _is_in(word, names)) or (word in _OVER and names & _ENDS)
        ended = Comparison(term, "<", (f"{today}",)) if known else Comparison(term, "not null")
        return ended if done else None
    if word in _FOR_NOTHING and entry.measures and names & _PRICES:
        lowest = entry.column.profile.low if entry.column.profile is not None else None
        return Comparison(term, "=", (0,)) if lowest == 0 else None
    pair = yes_and_no(entry)
    if pair is None:
        return None
    own = word.endswith("ed") or (entry.is_flag and word not in STOP_WORDS)
    said = entry.column.kind is not Kind.BOOLEAN and own and _is_in(word, names)
    if said or (word == "active" and "activ" in names):
        return Comparison(term, "=", (pair[0],))
    off = (word in _IN_USE and names & _OUT_OF_USE) or (word == "inactive" and "activ" in names)
    off = off or any(stem(prefix + word) in names for prefix in _UN)
    bare = (word.removeprefix(prefix) for prefix in _UN if entry.is_flag)
    off = off or any(part != word and _is_in(part, names) for part in bare)
    return Comparison(term, "=", (pair[1],)) if off else None


def _leaves_out(entry: ColumnEntry, condition: Condition) -> bool:
    """True where the opposite of a condition would leave out the rows without a day, which are not over either."""
    seen = entry.column.profile
    filled = seen is not None and seen.never_missing
    return condition.operator == "<" and not filled


def is_known_before(entry: ColumnEntry, today: date) -> bool:
    """True for a day of the end that lies ahead of some rows, as that on which things expire: it has come, or not yet.

    Where some rows have none, those are the ones for which it has not come.
    """
    seen = entry.column.profile
    if seen is None or seen.high is None or not entry.words & _ENDS:
        return False
    return f"{seen.high}"[:10] > f"{today}" and (seen.never_missing or not _is_of_deed(entry))


def _is_of_deed(entry: ColumnEntry) -> bool:
    """True for `returned_on`, which is empty until it was done, and false for an `expiry_date`."""
    return any(map(_is_done, split_name(entry.column.name)))


def _is_done(word: str) -> bool:
    """True for a participle, `closed` or `paid`."""
    return word.endswith("ed") or stem(word) in word_lists().irregular


def _is_in(word: str, names: set[str]) -> bool:
    """True when a name holds the word, or the verb that it is of: `paid`, `pay`."""
    root = stem(word)
    return bool({root, word_lists().irregular.get(root, root)} & names)


def yes_and_no(entry: ColumnEntry) -> tuple[str | int, str | int] | None:
    """How a column says yes and no; None when it says anything else.

    >>> from oldhand.record.schema import Column
    >>> column = Column(name="certified", type="TEXT", kind=Kind.TEXT, samples=("N", "Y"))
    >>> from oldhand.query import form
    >>> ref = form.ColumnRef(form.Relation("shop", "main", "suppliers"), "certified")
    >>> yes_and_no(ColumnEntry(0, 0, column, ref, (("certifi",),), ((1.0,),), False))
    ('Y', 'N')
    """
    if entry.column.kind is Kind.BOOLEAN:
        return True, False
    samples = {str(sample).casefold(): sample for sample in _seen(entry)}
    for yes, no in _PAIRS:
        if {yes, no} == set(samples) and not entry.key_like:
            found = samples[yes], samples[no]
            if isinstance(found[0], str | int) and isinstance(found[1], str | int):
                return found[0], found[1]
    return None
