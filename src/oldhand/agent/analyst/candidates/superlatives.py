"""Superlatives: `the oldest`, `the three most expensive`, `the most orders`, `top 5 by revenue`."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.amounts import by_amount, ranked_takings
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, skip, slot
from oldhand.agent.analyst.candidates.counting import said_apart
from oldhand.agent.analyst.candidates.events import may_be_meant
from oldhand.agent.analyst.candidates.measures import extreme_figures, measured, named_next
from oldhand.agent.analyst.candidates.select import aggregates_before
from oldhand.agent.analyst.candidates.superlative import (
    Superlative,
    by_count,
    by_pieces,
    by_share,
    is_said_last,
    ordinal_before,
    sorted_by,
    wanted,
)
from oldhand.agent.analyst.candidates.whereabouts import is_age
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention, NumberMention, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Aggregate, Expression, Function
from oldhand.query.walk import is_measure

_NAMED = 0.8
"""How well a word names a time at least by which things are ordered: `opened`, of `opened_on`."""
_UPWARDS, _DOWNWARDS = words("sorting.upwards"), words("sorting.downwards")
_IDENTIFYING = words("names.identifying")
_IN_TIME = words("sorting.of_time")
_JUDGING = words("sorting.judging")
_MARKS = word_stems("sorting.marks")
_MOST = words("sorting.of_anything")
_LONG = ("long", "short")
_TEXT = 0.8
"""How well a text must be named whose letters are counted."""
_BEING, _HAVING = words("verbs.be"), words("verbs.have")


def superlative_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each superlative: sorted by a column or by a count, and cut."""
    kinds = ("superlative", "most_count", "most_common", "max", "min", "top")
    figures = list(extreme_figures(asked))
    for cue in [cue for kind in kinds for cue in asked.links.cues_of(kind)]:
        found = superlative_at(asked, cue)
        if found.cue.kind == "top" and is_said_last(asked, cue):
            figure = Choice(
                "order", (("order.first_selected", 1.0),), found.used, position=cue.span.start
            )
            cut = replace(figure, descending=not found.down, limit=found.limit)
            yield from slot(found.used, [cut], skip("superlative"))
            continue
        choices = [*_by_measure(asked, found), *_by_named(asked, found), *by_count(asked, found)]
        choices += [
            *by_share(asked, found),
            *_by_verb(asked, found),
            *_by_length(asked, found),
            *by_pieces(asked, found),
            *by_amount(asked, found),
        ]
        rows = wanted(asked, found)
        choices = [replace(choice, passed=found.passed, limit=rows) for choice in choices]
        if found.passed:
            choices += [one for choice in choices for one in _asked_for(asked, choice)]
        elif cue in figures:
            shown: Features = (("super.amount_asked_for", 1.0),)
            choices = [replace(one, features=one.features + shown) for one in choices]
        name = "aggregate_word" if cue.kind in ("max", "min") else "superlative"
        yield from slot(cue.span.mask, choices, skip(name))


def superlative_at(asked: Asked, cue: Cue) -> Superlative:
    """A superlative with how many it wants."""
    number = _number_beside(asked, cue)
    used = cue.span.mask | (number.span.mask if number else 0)
    for top in asked.links.cues_of("top"):
        if number and top.span.end == number.span.start:
            used |= top.span.mask
    least = {"bottom", "fewest"} & set(asked.words(cue.span.start, cue.span.end))
    down = cue.kind == "min" or cue.argument == "asc" or cue.argument.startswith("-")
    down = down or cue.argument in _DOWNWARDS or bool(least)
    place, named = ordinal_before(asked, cue)
    if (first := asked.word(cue.span.end - 1)) in _IN_TIME and cue.kind == "top":
        rest = len(asked.links.tokens)
        if asked.cue_after(cue.span.end, rest, "by", "order") is None:
            cue = Cue("superlative", cue.span, adjective_of(first) or first)
    return Superlative(cue, int(number.value) if number else 1, used | named, down, place - 1)


def _number_beside(asked: Asked, cue: Cue) -> NumberMention | None:
    """How many: `top 3`, `3 youngest`, `the 3 employees with the lowest`."""
    whole = [n for n in asked.links.numbers if n.value == int(n.value) and 0 < n.value <= 1000]
    tops = {top.span.end for top in asked.links.cues_of("top")}
    things = {mention.span.start for mention in (*asked.links.tables, *asked.links.columns)}
    for number in whole:
        after = number.span.start == cue.span.end and cue.kind in ("top", "superlative")
        if after or number.span.end == cue.span.start:
            return number
    for number in whole:
        compared = asked.cue_before(number.span.start, 1, ">", ">=", "<", "<=") is not None
        asked_for = asked.region(number.span) == "S" or number.span.start < cue.span.start
        thing = number.span.end in things and asked_for and not compared
        if number.span.start in tops or thing:
            return number
    return None


def _by_measure(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`the oldest`: by a column that the adjective measures."""
    if found.cue.kind != "superlative" or found.adjective in ("most", "few"):
        return
    turned = found.cue.argument.startswith("-")
    is_degree = found.adjective in _DOWNWARDS | _UPWARDS
    named = named_next(asked, found.cue.span.end) if is_degree else frozenset[int]()
    aged, means = _aged(asked, found), spans(said_apart(asked, "avg"))
    for option, upwards in measured(asked, found.adjective, found.cue.span.start):
        fits = is_age(asked, found.adjective, asked.column(option.id))
        fits = fits and option.id not in asked.vocabulary.ages.values()  # days tell apart more
        fits = fits and (aged < 0 or asked.column(option.id).table == aged)
        by_age = found.adjective in ("old", "young")  # the newest learner is not the youngest
        fits = fits and (by_age or may_be_meant(asked, asked.column(option.id)))
        if not fits or (named and option.id not in named):
            continue
        order = _by(asked, found, option, "super.measure", 0, upwards != turned)
        if _is_guessed(asked, found, option):
            order = replace(order, features=(*order.features, ("super.guessed_measure", 1.0)))
        if means or _is_of_several(asked, found):
            yield _by_mean(asked, replace(order, used=order.used | means), option)
            continue
        yield order
        if found.adjective in ("good", "bad") and asked.column(option.id).words & _MARKS:
            mean = Aggregate("avg", asked.ref(option.id))
            yield replace(order, terms=(mean,), features=(*order.features, ("super.aggregate", 1.0)))  # fmt: skip


def _is_guessed(asked: Asked, found: Superlative, option: LinkOption) -> bool:
    """True for the best customers by how content they were with tickets: marks of something else are no word for them."""
    things = {m.best.id for m in asked.tables_after(found.cue.span.end, 0)}
    judged = found.cue.kind == "superlative" and found.adjective in _JUDGING
    return judged and bool(things) and asked.column(option.id).table not in things


def _is_of_several(asked: Asked, found: Superlative) -> bool:
    """True for `which city has the oldest learners`: what has several of them, and is judged by all of them."""
    start, end = found.cue.span.start, found.cue.span.end
    things = (m.span.end - 1 for m in asked.tables_after(end, 0))
    several = found.limit == 1 and any(asked.word(last).endswith("s") for last in things)
    has = asked.word(start - 2) in _HAVING and asked.word(start - 1) == "the"
    return several and has and asked.word(0) in ("which", "what")


def _by_mean(asked: Asked, order: Choice, option: LinkOption) -> Choice:
    """The same by the mean, of the ages where the column holds a birth."""
    age = asked.vocabulary.ages.get(asked.column(option.id).table)
    born = asked.column(option.id).temporal and age is not None
    term = Aggregate("avg", asked.ref(age if born and age is not None else option.id))
    features = (*order.features, ("super.aggregate", 1.0))
    return replace(order, terms=(term,), features=features, descending=order.descending != born)


def _aged(asked: Asked, found: Superlative) -> int:
    """The people who are called old or young: it is their own birth that tells, and nobody else's."""
    said = asked.tables_after(found.cue.span.end, 0) if found.adjective in ("old", "young") else ()
    tables = (asked.vocabulary.tables[one.best.id] for one in said)
    return next((t.id for t in tables if asked.is_person(asked.column(t.columns[0]))), -1)


def _by(
    asked: Asked, found: Superlative, option: LinkOption, name: str, used: int, descending: bool
) -> Choice:
    """By a column that is measured, whichever way it is sorted then."""
    features = (*found.features, (name, option.score), ("sel.near", option.nearness))
    turned = replace(found, down=not descending)
    return sorted_by(asked, turned, asked.ref(option.id), features, used)


def _asked_for(asked: Asked, order: Choice) -> Iterator[Choice]:
    """`What is the second highest salary`: the value itself is asked for."""
    named = dict(order.features).get("super.column_after")
    plain = [term for term in order.terms if not is_measure(term)]
    of_thing = any(order.used >> (m.span.start - 1) & 1 for m in asked.links.tables if m.span.start)
    if named and plain and not of_thing and asked.links.regions[order.position] == "S":
        features: Features = (*order.features, ("sel.score", named), ("sel.near", 1.0))
        along = (replace(order, features=(), used=0, tables=0),)
        yield select(asked, order.position, order.used, features, *order.terms, along=along)


def _by_verb(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`earns the most`, `weighs least`, `the best paid`: by the column that the verb measures."""
    span = found.cue.span
    if found.cue.kind != "superlative" or found.adjective not in _MOST:
        return
    the = asked.word(span.start - 1) == "the"
    for place in (span.start - 1 - the, span.end):
        verb = stem(asked.word(place)) if asked.word(place) != "paid" else "paid"
        turned = found.cue.argument.startswith("-") or found.adjective in _DOWNWARDS
        for option, upwards in measured(asked, verb, place):
            yield _by(asked, found, option, "super.verb", 1 << place, upwards != turned)


def _by_named(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`the highest salary`, `top 5 by revenue`: by a column that is named."""
    if found.cue.kind == "most_count":
        yield from _by_number_held(asked, found)
    if found.cue.kind not in ("superlative", "max", "min", "top"):
        return
    known = adjective_of(found.adjective) is not None
    if known and found.adjective not in _DOWNWARDS | _UPWARDS | {""}:
        return
    takings, amounts = ranked_takings(asked)
    for mention, name in _columns_beside(asked, found.cue):
        if found.adjective in ("most", "few") and _is_of_things(asked, mention):
            continue
        added_up = amounts if mention.span.mask & takings else frozenset[Expression]()
        for option in (one for one in mention.options[:4] if asked.ref(one.id) not in added_up):
            entry = asked.column(option.id)
            if entry.key_like and not asked.marked(_IDENTIFYING):
                continue
            in_time = entry.temporal and found.adjective not in ("most", "few")
            in_time = in_time and not asked.is_thing(mention)  # `by visits` is by no day of theirs
            # The highest `amount` is not what was paid last.
            in_time = in_time and (option.score >= _NAMED or found.adjective not in _UPWARDS | _DOWNWARDS)  # fmt: skip
            if entry.numeric or in_time:
                features: Features = (
                    *found.features,
                    (name, option.score),
                    ("sel.near", option.nearness),
                    ("super.key", float(entry.key_like)),
                )
                later = _later_first(found) if entry.temporal else not found.down
                turned = replace(found, down=not later)
                yield sorted_by(asked, turned, asked.ref(option.id), features, mention.span.mask)
                if entry.numeric and not entry.holds_years:
                    yield _by_aggregate(asked, found, mention, option, features)


def _by_length(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`The longest description`: by the letters of a text that is named."""
    for mention in asked.columns_after(found.cue.span.end, 0) if found.adjective in _LONG else ():
        for option in mention.options[:2]:
            if asked.column(option.id).textual and option.score >= _TEXT:
                features: Features = (*found.features, ("super.column_after", option.score))
                length = Function("length", (asked.ref(option.id),))
                turned = replace(found, down=found.adjective == "short")
                yield sorted_by(asked, turned, length, features, mention.span.mask)


def _by_number_held(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`The largest number of followers`, where a column holds how many there are."""
    for mention in asked.columns_after(found.cue.span.end, 0):
        for option in (one for one in mention.options if one.score >= WHOLE):
            if asked.column(option.id).measures and asked.meant(asked.column(option.id).table):
                features: Features = (
                    *found.features,
                    ("super.column_after", option.score),
                    ("sel.near", 1.0),
                )
                yield sorted_by(asked, found, asked.ref(option.id), features, mention.span.mask)


def _is_of_things(asked: Asked, mention: Mention) -> bool:
    """True for `the most ratings`, where ratings are things to count, and the name of no column."""
    things = [t for t in asked.tables_after(mention.span.start, 0) if t.span == mention.span]
    several = asked.word(mention.span.end - 1).endswith("s")
    entries = (asked.column(option.id) for option in mention.options)
    forms = {word for entry in entries if entry.measures for word in entry.forms[0]}
    if forms & {"number", "count", "total"}:
        return False  # the column that holds how many there are
    return several and any(t.best.score >= 0.9 > mention.best.score for t in things)


def _later_first(found: Superlative) -> bool:
    """Whether the latest come first: `oldest by hire date` begins with the earliest."""
    upwards = word_lists().measures.get(found.adjective, {}).get("date")
    return not found.down if upwards is None else upwards != found.cue.argument.startswith("-")


def _by_aggregate(
    asked: Asked, found: Superlative, mention: Mention, option: LinkOption, features: Features
) -> Choice:
    """By the aggregate that is named before the column; without a word, by its sum or, of marks that nobody adds up, its average."""
    cues = [c for c in aggregates_before(asked, mention.span.start) if c.kind in AGGREGATES]
    used = mention.span.mask | spans(cues)
    extra: Features = ((("super.aggregate_named" if cues else "super.aggregate"), 1.0),)
    if any(name == "super.column_by" for name, _ in features):
        extra += (("super.aggregate_by", 1.0),)
    if found.adjective in ("most", "few"):
        extra += (("super.aggregate_most", 1.0),)
    usual = "avg" if asked.column(option.id).words & _MARKS else "sum"
    term = Aggregate(cues[-1].kind if cues else usual, asked.ref(option.id))
    return sorted_by(asked, found, term, (*features, *extra), used)


def _columns_beside(asked: Asked, cue: Cue) -> Iterator[tuple[Mention, str]]:
    by = next((b for b in asked.links.cues_of("by") if b.span.start > cue.span.start), None)
    right = any(m.best.score >= 0.9 for m in asked.columns_after(cue.span.end, 1))
    for mention in asked.columns_after(cue.span.end, 3):
        listed = bool({"and", "with", "their"} & set(asked.words(cue.span.end, mention.span.start)))
        if not listed and (by is None or mention.span.end <= by.span.start):
            yield mention, "super.column_after"
    for mention in asked.columns_before(cue.span.start, 3):
        if not right or mention.best.score >= 0.5:
            yield mention, "super.column_before"
    if by is not None:
        for mention in asked.columns_after(by.span.end, 3):
            yield mention, "super.column_by"
