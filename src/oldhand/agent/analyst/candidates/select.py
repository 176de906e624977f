"""What is asked for: columns, counts, aggregates, or the things themselves."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.averages import NAMED, averaged
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, skip, slot
from oldhand.agent.analyst.candidates.counting import count_slot, said_apart
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.things import full_name_slots, thing_slots
from oldhand.agent.analyst.candidates.whereabouts import asked_by
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.lexicon.wording import is_past_form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.conversion import is_number
from oldhand.query.form import Aggregate, Count
from oldhand.record.schema import Kind

_BETWEEN = words("function_words.between_asked")
_BEING, _DOING = words("verbs.be"), words("verbs.do")
_WAYS = word_stems("names.ways")
_AVERAGED = 0.3
"""How well a column of numbers must be named where nothing else can be what an average is of."""
_WAY = 0.8
"""How well a column must be called a way."""
_EXTREMES = word_stems("grouping.computed")


def select_slots(asked: Asked) -> list[Slot]:
    """One slot for each thing that may be selected, in the order of the question."""
    links = asked.links
    counts = [c for c in links.cues_of("count", "how_much") if asked.region(c.span) in "SG"]
    slots = [(cue.span.start, count_slot(asked, cue)) for cue in counts]
    columns = [(mention.span.start, _column_slot(asked, mention)) for mention in links.columns]
    slots += [(start, slot) for start, slot in columns if slot is not None]
    slots.extend(thing_slots(asked))
    slots.extend(full_name_slots(asked))
    slots.extend(_wh_slots(asked))
    return [slot for _, slot in sorted(slots, key=lambda pair: pair[0])]


def _column_slot(asked: Asked, mention: Mention) -> Slot | None:
    """A column that is named: itself, or an aggregate of it."""
    region = asked.region(mention.span)
    score = mention.best.score
    named = score >= NAMED or (score >= _AVERAGED and averaged(asked, mention))
    if not named or region == "O" or asked.is_thing(mention):
        return None
    if _is_whose(asked, mention) or _is_of_worth(asked, mention):
        return None
    described = asked.is_value(mention) and any(asked.tables_after(mention.span.end, 0))
    described = described or asked.says_value(mention)
    if described or asked.is_aggregate_word(mention) or asked.is_group(mention):
        return None
    if is_deed(asked, mention) or _is_of_counted(asked, mention) or _is_averaged(asked, mention):
        return None
    if region == "F" and asked.word(mention.span.start - 1) not in ("and", ",", "their", "its"):
        return None
    cues = aggregates_before(asked, mention.span.start) or _own_sum(asked, mention)
    cues = cues or tuple(c for c in said_apart(asked, "sum") if c.span.start >= mention.span.end)
    numeric = asked.column(mention.best.id).numeric
    cues = cues or (said_apart(asked, "avg") if numeric else ())
    choices: list[Choice] = []
    for rank, option in enumerate(mention.options[:4]):
        choices.extend(_column_choices(asked, mention, option, rank, cues))
    name = f"column_{region}"
    return Slot(mention.span.mask, (*choices, skip(name, mention.best.score)))


def _is_of_worth(asked: Asked, mention: Mention) -> bool:
    """True for the tickets of `ticket revenue`: what they brought in is asked for, and not their price."""
    led = any(span.start == mention.span.end for span in worth_words(asked.links.tokens))
    return led and mention.best.score < WHOLE and asked.column(mention.best.id).measures


def _is_whose(asked: Asked, mention: Mention) -> bool:
    """True for the devices in `the carriers of devices`, though the column of their names is called so too."""
    table = asked.column(mention.best.id).table
    return any(
        m.span == mention.span and m.best.id == table and asked.is_owner(m)
        for m in asked.links.tables
    )


def _own_sum(asked: Asked, mention: Mention) -> tuple[Cue, ...]:
    """The cue in `the total of all invoices`: one number is asked for, though a column is called so."""
    end = mention.span.end
    several = (t for t in asked.tables_after(end + 1, 2) if asked.word(t.span.end - 1)[-1:] == "s")
    if asked.word(end) not in ("of", "for") or asked.links.cues_of("per", "group", "by"):
        return ()
    whole = (c for c in asked.links.cues_of("sum") if c.span.holds(mention.span))
    return tuple(whole) if any(several) else ()


def _is_of_counted(asked: Asked, mention: Mention) -> bool:
    """True in `How many agents earn a bonus`: it is said of those who are counted, and not shown."""
    start = mention.span.start
    if asked.links.cues_of("per", "group", "by") or asked.word(0) != "how":
        return False
    counts = asked.links.cues_of("count")[:1]
    things = [m for cue in counts for m in asked.tables_after(cue.span.end, 0)]
    return any(
        m.span.end <= start <= m.span.end + 3 and m.best.score >= 0.9 and asked.word(m.span.end - 1).endswith("s")
        and not {"and", ","} & set(asked.words(m.span.end, start))
        for m in things
    )  # fmt: skip


def _is_averaged(asked: Asked, mention: Mention) -> bool:
    """True in `the average profit of the companies`, though the column of their names is called so too."""
    table = asked.column(mention.best.id).table
    thing = any(m.span == mention.span and m.best.id == table for m in asked.links.tables)
    before = asked.words(0, mention.span.start)
    grouped = asked.links.cues_of("per", "group", "by", "superlative")
    return thing and "of" in before and bool(asked.links.cues_of(*AGGREGATES)) and not grouped


def is_deed(asked: Asked, mention: Mention) -> bool:
    """True for the verb of `Which agent closed the most tickets`: the day of it is not asked for."""
    start, end = mention.span.start, mention.span.end
    counted = asked.cue_after(end, 1, "superlative", "most_count") is not None
    compared = asked.cue_after(end, 0, ">", "<", ">=", "<=")
    if compared is not None and any(asked.tables_after(compared.span.end + 1, 1)):
        return asked.column(mention.best.id).temporal  # `delivered fewer than 80 shipments`
    subject = any(m.span.end == start for m in (*asked.links.tables, *asked.links.values))
    last = asked.cue_after(end, 1, "superlative")
    if last is not None and last.argument == "most" and asked.word(0) in ("which", "who"):
        ends = asked.word(last.span.end) in ("", "?", ".") and asked.links.text(last.span) == "most"
        if ends and any(m.span.end == start for m in asked.links.columns):
            return True  # `which builder built the most`
    verb = end == start + 1 and is_past_form(asked.word(start))
    acting = (counted and subject) or (start > 0 and asked.word(end) in ("a", "an", "any", "some"))
    return verb and acting and asked.column(mention.best.id).temporal


def aggregates_before(asked: Asked, position: int) -> tuple[Cue, ...]:
    """The words before a column that aggregate it: `average, minimum and maximum` AGE."""
    cues: list[Cue] = []
    while True:
        cue = asked.cue_before(position, 3, *AGGREGATES, "superlative")
        if cue is None or not _only_between(asked, cue.span.end, position):
            return tuple(reversed(cues))
        in_place = asked.cue_before(cue.span.start, 0, "ordinal") is not None
        things = asked.tables_after(cue.span.end, position - cue.span.end - 1)
        counted = cue.argument.removeprefix("-") == "most" and any(things)  # `most owners register`
        if cue.kind == "superlative" and (in_place or counted or not _extreme(cue)):
            return tuple(reversed(cues))
        cues.append(cue)
        position = cue.span.start


def _only_between(asked: Asked, start: int, end: int) -> bool:
    """True when nothing but glue and names of things stands between two positions."""
    things = spans(asked.links.tables)
    return all(asked.word(i) in _BETWEEN or things >> i & 1 for i in range(start, end))


def _extreme(cue: Cue) -> str:
    """`max` or `min` for superlatives that can be read as an aggregate of the next column."""
    name = cue.argument.removeprefix("-")
    if cue.argument.startswith("-") and name == "most":
        return "min"
    if name in ("high", "large", "great", "big", "most", "long", "good", "late", "recent"):
        return "max"
    return "min" if name in ("low", "small", "early", "short", "bad", "few") else ""


def _column_choices(
    asked: Asked, mention: Mention, option: LinkOption, rank: int, cues: tuple[Cue, ...]
) -> Iterator[Choice]:
    entry = asked.column(option.id)
    shared: Features = (
        ("sel.score", option.score),
        ("sel.near", option.nearness),
        ("sel.rank", float(rank)),
        *_column_kind(asked, mention, entry),
    )
    start, used, column = mention.span.start, mention.span.mask, asked.ref(option.id)
    aggregates = [cue.kind if cue.kind in AGGREGATES else _extreme(cue) for cue in cues]
    plain: Features = (("sel.cue_ignored", 1.0),) if cues else ()
    yield select(asked, start, used, (*shared, *plain), column)
    if aggregates:
        named: Features = tuple(
            ("sel.superlative_aggregate" if cue.kind == "superlative" else f"sel.{cue.kind}", 1.0)
            for cue in cues
        )
        judged = any(cue.argument in ("good", "bad") for cue in cues)
        if judged and entry.column.kind is Kind.TEXT:
            return  # `the best channel` is not the last one by the alphabet
        if _is_mere_text(entry) and any(AGGREGATES[a].of_numbers for a in aggregates):
            return  # there is no average status
        fits: Features = () if _fits(entry, aggregates) else (("sel.aggregate_of_text", 1.0),)
        terms = (Aggregate(aggregate, column) for aggregate in aggregates)
        used |= spans(
            c for c in asked.links.cues_of("count") if cues[0].span.end <= c.span.start < start
        )
        yield select(asked, start, used | spans(cues), (*shared, *named, *fits), *terms)
        return
    for name, aggregate in _untold_aggregates(asked, mention, entry):
        if aggregate:
            features: Features = (*shared, (name, 1.0))
            yield select(asked, start, used, features, Aggregate(aggregate, column))
            return


def _untold_aggregates(
    asked: Asked, mention: Mention, entry: ColumnEntry
) -> Iterator[tuple[str, str]]:
    """The aggregates that no word before a column tells, with the feature that says why; empty where there is none."""
    yield "sel.aggregate_inside", _aggregate_inside(asked, mention)
    yield "sel.inherited", _inherited(asked, mention)
    end = mention.span.end
    dealt = asked.word(end - 1).endswith("s") and is_past_form(asked.word(end))  # `bottles sold`
    summed = entry.measures and (dealt or asked.links.cues_of("per", "by"))
    yield "sel.implied_sum", "sum" if summed else ""


def _aggregate_inside(asked: Asked, mention: Mention) -> str:
    """`total amount` may be the column of that name, or the sum of all amounts."""
    name = set(asked.column(mention.best.id).forms[0])
    for cue in asked.links.cues_of(*AGGREGATES) if not name & _EXTREMES else ():
        start, end = cue.span.start, cue.span.end
        # A cue may take in the article before it.
        whole = start == mention.span.start or (start < mention.span.start and "total" in name)
        if whole and mention.span.start < end < mention.span.end:
            return cue.kind
    for cue in asked.links.cues_of("count"):
        if cue.span.overlaps(mention.span) and asked.word(cue.span.start) == "total":
            return "sum"
    return ""


def _column_kind(asked: Asked, mention: Mention, entry: ColumnEntry) -> Features:
    end = mention.span.end
    keys = {"id", "ids", "code", "codes", "number", "numbers"}
    asks_for_keys = bool(keys & set(asked.words(mention.span.start, end)))
    told = {
        f"sel.region_{asked.region(mention.span)}": True,
        "sel.unasked_key": entry.key_like and not asks_for_keys,
        "sel.after_of": asked.is_owner(mention),
        "sel.describes": asked.describes(mention),
        "sel.before_value": any(end <= v.span.start <= end + 1 for v in asked.links.values),
    }
    return tuple((name, 1.0) for name, holds in told.items() if holds)


def _is_mere_text(entry: ColumnEntry) -> bool:
    """True for a text that holds no numbers, as far as is known."""
    known = entry.column.samples
    text = entry.column.kind is Kind.TEXT and not entry.numeric
    return text and bool(known) and not any(map(is_number, known))


def _fits(entry: ColumnEntry, aggregates: list[str]) -> bool:
    if entry.numeric:
        return True
    return all(a in ("max", "min") for a in aggregates) and entry.column.kind is not Kind.TEXT


def _inherited(asked: Asked, mention: Mention) -> str:
    """`average age and weight`: the aggregate of the column before, joined by `and`."""
    before = next(asked.columns_before(mention.span.start - 1, 1), None)
    if before is None or asked.word(mention.span.start - 1) not in ("and", ","):
        return ""
    cues = aggregates_before(asked, before.span.start)
    return cues[0].kind if len(cues) == 1 and cues[0].kind in AGGREGATES else ""


def _is_named(asked: Asked, place: int) -> bool:
    """True behind the `how high` of `how high is the price`."""
    named = asked.columns_after(place + 1, 2) if asked.word(place) in _BEING else ()
    return any(m.best.score >= WHOLE and asked.column(m.best.id).measures for m in named)


def _ways(asked: Asked, position: int) -> Iterator[Choice]:
    """`How do people pay`: in which ways payments were made, and how often in each."""
    hits = (hit for way in _WAYS for hit in asked.vocabulary.hits(way) if hit.column >= 0)
    columns = [asked.column(c) for c in dict.fromkeys(h.column for h in hits if h.strength >= _WAY)]
    for entry in (one for one in columns if not (one.key_like or one.numeric)):
        named = entry.words | asked.vocabulary.tables[entry.table].words
        for place, token in enumerate(asked.links.tokens[position + 2 :], position + 2):
            verb = token.is_word and token.lower not in STOP_WORDS
            if verb and any(word.startswith(token.stem) for word in named):
                group = Choice("group", (), 0, 0, position, (entry.ref,), shown="first")
                features: Features = (("versus.count", 1.0),)
                used = Span(position, place + 1).mask
                yield select(asked, position, used, features, Count(), table=entry.table, along=(group,))  # fmt: skip


def _wh_slots(asked: Asked) -> Iterator[tuple[int, Slot]]:
    """`How old`, `when` and `where` ask for a column without naming it."""
    for position, token in enumerate(asked.links.tokens):
        following = asked.word(position + 1)
        if asked.links.regions[position] != "S" or _is_named(asked, position + 2):
            continue
        if token.lower == "how" and following in _DOING:
            yield from ((position, one) for one in slot(1 << position, _ways(asked, position)))
            continue
        if token.lower == "how" and following not in ("many", "much"):
            options = [option for option, up in measured(asked, following) if up]
            span = Span(position, position + 2)
        elif token.lower in ("when", "where") and position < 2:
            options = list(asked_by(asked, token.lower))
            span = Span(position, position + 1)
        else:
            continue
        options.sort(key=lambda option: (-option.score - option.nearness, option.id))
        mean = said_apart(asked, "avg")
        choices: list[Choice] = []
        for option in options[:3]:
            features: Features = (("sel.wh", option.score), ("sel.near", option.nearness))
            column, used = asked.ref(option.id), span.mask | spans(mean)
            shown = Aggregate("avg", column) if mean and asked.column(option.id).numeric else column
            choices.append(select(asked, position, used, features, shown))
        yield from ((position, one) for one in slot(span.mask, choices, skip("wh")))
