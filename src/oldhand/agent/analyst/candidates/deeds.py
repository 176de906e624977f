"""What was done with the things of a catalogue: `treatments performed` are the rows that tie them to visits, and none of the catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.candidates.worth import is_quantity
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import LinkOption, Links, Mention, Span, ValueMention, spans
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.lexicon.wording import is_past_form

_NAMED = 0.9
"""How well a thing must be named for what was done with it to be asked for."""
_BESIDE = 0.6
"""How much the thing itself is still meant."""
_FITS = 0.6
"""How well a verb must fit the rows of what was done, for these to be surely meant, or the things, for these to be."""
_NEAR = 2
"""Words between what counts and the things that are counted."""
_AUXILIARY, _HAVING = words("verbs.auxiliary"), words("verbs.have")
_DOING = words("verbs.do") | _HAVING
_BESIDE_VERBS = words("verbs.beside_denied") | _AUXILIARY
_PRESENT = words("verbs.present_be")
_OFFERING, _PERFORMING = words("verbs.offering"), word_stems("verbs.performing")
_DEALING, _UNDOING = words("verbs.selling"), word_stems("verbs.undoing")
_ROOTS = word_stems("verbs.buying") | word_stems("verbs.selling") | _PERFORMING
_GROUPING = ("per", "group", "by")
_PARTS = meanings("time.parts")
_BEFORE_TIMES = words("time.before")
_ENDING = (*_GROUPING, "superlative", "most_common", "most_count")


@dataclass(frozen=True, slots=True)
class CatalogueDeed:
    """Words that count what was done with things."""

    table: int
    """The rows that tie the things to what they were used in."""
    pieces: ColumnEntry | None
    """How many of the thing each of these rows holds; None where it is always one."""
    sure: bool
    """True when the verb names these rows, or says no more than that it was done."""
    dealt: bool = False
    """True when they were sold: it is the pieces that count."""


def lines_of(known: Lookup, thing: int) -> list[int]:
    """The tables whose rows tie a thing to the dated rows that it was used in, as those of order lines tie products to orders."""
    roles = known.vocabulary.tables
    found = {t: when_dated(known, t) for t in known.vocabulary.joins.holders(thing) if not roles[t].role}  # fmt: skip
    return [table for table, dated in found.items() if dated and thing not in dated]


def when_dated(known: Lookup, line: int) -> list[int]:
    """The dated rows without a name that undated ones without a name belong to: the orders of order lines."""
    if known.has_name(line) or _is_dated(known, line):
        return []
    held = known.vocabulary.joins.held(line)
    return [t for t in held if _is_dated(known, t) and not known.has_name(t)]


def dating(links: Links, known: Lookup) -> set[int]:
    """The tables that say when the lines were that are named, or of which an amount is."""
    lines = {m.best.id for m in links.tables if m.best.score >= _NAMED}
    amounts = (known.column(m.best.id) for m in links.columns if m.best.score >= _NAMED)
    lines |= {entry.table for entry in amounts if entry.measures}
    return {table for line in lines for table in when_dated(known, line)}


def _is_dated(known: Lookup, table: int) -> bool:
    columns = known.vocabulary.tables[table].columns
    return any(known.column(column).temporal for column in columns)


def with_deeds(links: Links, known: Lookup) -> tuple[Links, dict[Span, CatalogueDeed]]:
    """The links, with the rows of what was done where a verb says so, and in place of things that are counted; these deeds by the words for the things."""
    counted: dict[Span, CatalogueDeed] = {}
    made = list[Mention]()
    for mention in (*links.tables, *links.values) if not links.cues_of("not") else ():
        told = _told(links, known, mention)
        if told is None:
            continue
        deed, verb = told
        done = LinkOption(deed.table, 1.0, 1.0)
        made.append(Mention(verb, (done,)))
        kind = isinstance(mention, ValueMention)
        if _is_counted(links, mention.span):
            counted |= dict.fromkeys((verb, mention.span), deed)
            if not kind:
                others = (replace(o, score=_BESIDE * o.score) for o in mention.options)
                made.append(Mention(mention.span, (done, *others)))
    made.extend(_asked_for(links, known))
    taken = spans(made)
    tables = [*made, *(m for m in links.tables if not m.span.mask & taken)]
    columns = (c for c in links.columns if not c.span.mask & taken)
    tables.sort(key=lambda one: one.span.start)
    return replace(links, tables=tuple(tables), columns=tuple(columns)), counted


def _thing(links: Links, known: Lookup, mention: Mention | ValueMention) -> int | None:
    """The things with a name, no people, that words name, or of which they name a kind that is counted: `desserts`."""
    if isinstance(mention, Mention):
        thing, sure = mention.best.id, mention.best.score >= _NAMED
    else:
        best = next(iter(mention.options), None)
        thing = known.column(best.column).table if best is not None else -1
        ends = {cue.span.end for cue in links.cues_of("count")}
        sure = best is not None and best.score >= _NAMED and mention.span.start in ends
    named = sure and known.has_name(thing)
    return thing if named and not known.is_person(known.column(known.labels(thing)[0])) else None


def _asked_for(links: Links, known: Lookup) -> Iterator[Mention]:
    """The `what` of `what did Anna order most often`, and the verb: things are asked for, of which order lines tell."""
    said = [token.lower for token in links.tokens]
    asking = said[:1] == ["what"] and not _DOING.isdisjoint(said[1:2])
    verb = _verb_behind(links, 2) if asking else None
    if verb is None or any(verb not in m.span.places for m in links.tables):
        return
    root, found = links.tokens[verb].stem, dict[int, list[int]]()
    for table in known.vocabulary.tables:
        lines = lines_of(known, table.id) if not table.role and known.has_name(table.id) else []
        named = _called(known, lines, root)
        if named or (root in _ROOTS and lines):
            found[table.id] = named or lines
    if found:
        lines = {line for tied in found.values() for line in tied}
        yield Mention(Span(0, 1), tuple(LinkOption(thing, 1.0, 1.0) for thing in found))
        yield Mention(Span(verb, verb + 1), tuple(LinkOption(t, 1.0, 1.0) for t in sorted(lines)))


def _called(known: Lookup, lines: list[int], root: str) -> list[int]:
    """Those that a verb names, by themselves or by the rows that they belong to."""
    fitting = _fitting(known, root)
    return [line for line in lines if fitting & {line, *when_dated(known, line)}]


def _fitting(known: Lookup, root: str) -> set[int]:
    """The tables that a verb names, by themselves or by a column."""
    hits = (hit for hit in known.vocabulary.hits(root) if hit.strength >= _FITS)
    return {hit.table if hit.table >= 0 else known.column(hit.column).table for hit in hits}


def _is_counted(links: Links, said: Span) -> bool:
    """True for things that are counted, all of them and not the different ones; `treatments performed per month` count them too."""
    start = said.start
    if links.cues_of("distinct", "superlative", "most_count", "most_common"):
        return False
    counts = (c.span.end for c in links.cues_of("count"))
    heading = start <= _NEAR and bool(links.cues_of(*_GROUPING))
    return heading or any(0 <= start - end <= _NEAR for end in counts)


def _told(
    links: Links, known: Lookup, mention: Mention | ValueMention
) -> tuple[CatalogueDeed, Span] | None:
    """What a verb behind things says was done with them, and the verb; a time of things that have none tells of a deed by itself."""
    thing, place = _thing(links, known, mention), _verb(links, mention.span)
    if thing is None:
        return None
    if place is None:
        timed = (
            isinstance(mention, Mention)
            and _is_counted(links, mention.span)
            and _is_timed(links, mention.span)
        )
        lines = lines_of(known, thing) if timed and not _has_time(known, thing) else []
        return (_deed(known, lines[0], sure=False), mention.span) if len(lines) == 1 else None
    verb, lines = links.tokens[place], lines_of(known, thing)
    named = _called(known, lines, verb.stem)
    lines, dealt = named or lines, verb.lower in _DEALING
    if len(lines) != 1 or verb.lower in _OFFERING or (dealt and links.cues_of("count")):
        return None  # the pieces that were sold are counted as they are where no lines tell of them
    if not named and (verb.stem in _UNDOING or _is_of_its_own(links, known, thing, verb.stem)):
        return None
    sure = bool(named) or verb.stem in _PERFORMING
    return _deed(known, lines[0], sure=sure, dealt=dealt), Span(place, place + 1)


def _deed(known: Lookup, line: int, *, sure: bool, dealt: bool = False) -> CatalogueDeed:
    columns = map(known.column, known.vocabulary.tables[line].columns)
    return CatalogueDeed(line, next((c for c in columns if is_quantity(c)), None), sure, dealt)


def _is_timed(links: Links, things: Span) -> bool:
    """True right before a time, or a period that groups: `treatments in 2024`, `treatments per month`."""
    place = things.end
    while place < len(links.tokens) and links.tokens[place].lower in _BEFORE_TIMES:
        place += 1
    periods = {c.span.end for c in links.cues_of(*_GROUPING) if c.span.start == place}
    starts = {date.span.start for date in links.dates}
    return place in starts or any(
        links.tokens[p].lower in _PARTS for p in periods if p < len(links.tokens)
    )


def _has_time(known: Lookup, thing: int) -> bool:
    columns = map(known.column, known.vocabulary.tables[thing].columns)
    return _is_dated(known, thing) or any("year" in entry.forms[0] for entry in columns)


def _is_of_its_own(links: Links, known: Lookup, thing: int, root: str) -> bool:
    """True for a verb that names things or what they refer to, as `supplied`, and in `films shot in 1999` where they have a year."""
    own = {thing, *known.vocabulary.joins.held(thing)}
    return bool(_fitting(known, root) & own) or (bool(links.dates) and _has_time(known, thing))


def _verb(links: Links, things: Span) -> int | None:
    """Where the verb stands that says what was done with things: `dishes that were served`, `dishes did they serve`; None where none does."""
    place, said = things.end, [token.lower for token in links.tokens]
    if said[place : place + 1] and said[place] in _DOING and said[place + 1 : place + 2] != ["been"]:  # fmt: skip
        behind = _verb_behind(links, place + 1)
        done = behind is not None and (said[place] not in _HAVING or is_past_form(said[behind]))
        return behind if done else None
    while place < len(said) and said[place] in _BESIDE_VERBS | {"that"}:
        place += 1
    dated = bool(links.dates or links.cues_of(*_GROUPING))
    present = not _PRESENT.isdisjoint(said[things.end : place]) and not dated
    verb = place < len(said) and is_past_form(said[place]) and not present
    return place if verb and not _is_value(links, place) else None


def _verb_behind(links: Links, start: int) -> int | None:
    """Where the verb stands whose subject begins at a place: the last word before a time, a group or the end."""
    told = spans((*links.dates, *(c for c in links.cues_of(*_ENDING) if c.span.start > start)))
    end = start
    while end < len(links.tokens) and links.tokens[end].is_word and not told >> end & 1:
        end += 1
    while end > start and links.tokens[end - 1].lower in STOP_WORDS:
        end -= 1
    verb = end - 1
    fits = verb > start and not _is_value(links, verb)
    return verb if fits and links.tokens[verb].lower not in _AUXILIARY else None


def _is_value(links: Links, place: int) -> bool:
    return bool(spans(links.values) >> place & 1)
