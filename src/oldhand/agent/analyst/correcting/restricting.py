"""Other rows: only some, without some, some as well."""

import re
from dataclasses import replace
from functools import cache, reduce

from oldhand.agent.analyst.conversation.conditions import conditions_said, of_column
from oldhand.agent.analyst.conversation.editing import also, instead_of_same
from oldhand.agent.analyst.conversation.of_groups import amount_of_groups
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.widening import widened, with_values
from oldhand.agent.analyst.conversation.years import in_that_year, until_its_end
from oldhand.agent.analyst.correcting.giving_way import (
    in_its_place,
    misread,
    of_kind,
    of_same_kind,
)
from oldhand.agent.analyst.covering.beside import are_of_the_same
from oldhand.agent.analyst.covering.written import begin_alike, is_written
from oldhand.agent.analyst.restriction import is_amount
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise, word_stems
from oldhand.lexicon.wording import human, plural, singular
from oldhand.query.describing.about import subject
from oldhand.query.form import (
    AllOf,
    AnyOf,
    ColumnRef,
    Comparison,
    Predicate,
    Query,
    Relation,
)
from oldhand.query.known import profile_of
from oldhand.query.negating import excludes, negated
from oldhand.query.walk import columns

_AROUND = re.compile(
    r"^(?:only|just|for|the|those|these|that|which|who|are|is|all|any|anything|everything|from|in|of|by|with|at|on|also|both)\s+|\s+(?:ones?|too|as well|also|rows|instead)$",
    re.IGNORECASE,
)
_PRICES, _EQUAL = word_stems("money.prices"), ("=", "in")
_OF_REVENUE = re.compile(
    rf"^(?:the )?(?:{'|'.join(words('money.revenue'))}) (?=(?:in|from|for|by|of|with|to) )",
    re.IGNORECASE,
)
"""Rows of which money is told: what is said of them is said of the things that are counted."""
_LISTED = re.compile(r",? (?:and|or) |, ", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|from)\b.*\d", re.IGNORECASE)
_NO_VALUES, _AGE = words("leaving.no_values"), words("correcting.aged")
_FURTHER = words("correcting.further")
"""Words behind which more is said of the same rows."""


def said_of(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """The conditions that words such as `the paid ones` name, as they stand or with less around them."""
    if (groups := amount_of_groups(scene, words)) is not None:
        return (groups,)
    told, year = in_that_year(scene, words)
    if year is not None:
        return until_its_end(said_of(scene, told), year)
    return _both(scene, _OF_REVENUE.sub("", words))


def _said_at_once(scene: Scene, words: str) -> tuple[Predicate, ...]:
    return (
        _either(scene, words)
        or _own_date(scene, words)
        or _with_less_around(scene, words)
        or _named_things(scene, words)
        or of_kind(scene, _AROUND.sub("", words))
    )


def _with_less_around(scene: Scene, words: str) -> tuple[Predicate, ...]:
    things = plural(human(scene.things.table))
    while words:
        if own := _own_value(scene, words):
            return (own,)
        known = scene.restriction(words) or not scene.reader.unknown(f"How many {things} {words} are there?")  # fmt: skip
        for said in (words, f"in {words}") if known else ():
            found = conditions_said(scene, said)
            several = len(found) > 1 and " and " in said and not _BETWEEN.search(said)
            if several:  # nothing is in Canada and in the USA
                either = conditions_said(scene, said.replace(" and ", " or "))
                found = either if len(either) == 1 and len({*columns(either[0])}) == 1 else found
            if found and all(is_written(one, words) for one in found):
                return found
        shorter = _AROUND.sub("", words)
        if shorter == words:
            break
        words = shorter
    return ()


def _named_things(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """What is said of the things in front of their name: `good ones` may be `Good Customer`."""
    things = plural(human(scene.things.table))
    named = re.sub(r"\bones?\b", things, words, flags=re.IGNORECASE)
    whole = scene.reader.of_any(named) if things in named.split() else None
    known = whole.where if whole is not None and whole.things == scene.things else ()
    return known if all(is_written(one, named) for one in known) else ()


def _both(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """One thing, or several that are said of the same rows: `men over 25`, `women under 30 from Delft`; `men and women over 30` are not both."""
    starts = [one.start for one in reversed(tokenise(words)[1:]) if one.lower in _FURTHER]

    @cache
    def until(end: int) -> tuple[Predicate, ...]:
        said = words[:end].strip(" ,")
        found = _said_at_once(scene, said) if said else ()
        for start in (one for one in starts if one < end):
            tail = words[start:end].strip(" ,")
            one = _said_at_once(scene, tail) or _aged(scene, tail)
            if one and (before := until(start)) and are_of_the_same(before, one):
                both = (*before, *one)
                return both if not found or {*found} < {*both} else found
        return found

    return until(len(words))


def _aged(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """What an amount alone says further of things: of their age where they have one, else of what alone it can be."""
    found = _amounts(scene, words)
    aged = [one for one in found if any(_AGE & {*split_name(column.name)} for part in one for column in columns(part))]  # fmt: skip
    behind = aged if len(found) > 1 and aged else found
    return behind[0] if len(behind) == 1 else ()


def _either(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """One of several values of a column, each named alone: `the Dutch and the French`."""
    pieces = [one for one in _LISTED.split(words) if one and not _BETWEEN.search(words)]
    read = [said_of(scene, one) for one in pieces] if len(pieces) > 1 else []
    told = [one[0] for one in read if len(one) == 1 and isinstance(one[0], Comparison)]
    plain = [one for one in told if one.operator == "=" and one.left == told[0].left]
    values = tuple(dict.fromkeys(value for one in plain for value in one.values))
    if not values or len(values) != len(pieces) or len(plain) != len(pieces):
        return ()
    return (Comparison(plain[0].left, "in", values),)


def _own_date(scene: Scene, words: str) -> tuple[Predicate, ...]:
    """A time alone, of the things in question where they have one: `in 2023` is no year of what they belong to."""
    dates = find_dates(words, tokenise(words), scene.today)
    refs = scene.columns_of(scene.things) if dates else []
    read = [one.ref for one in refs if one.temporal and isinstance(one.ref, ColumnRef)]
    told = [part for part in scene.query.where for one in columns(part) if one in read]
    plain = scene.restriction(words) if read and not told else None
    taken = {one.of for part in plain.where for one in columns(part)} if plain is not None else set[Relation]()  # fmt: skip
    strays = bool(taken) and taken.isdisjoint(scene.query.rows.relations)
    return next((found for one in read if (found := of_column(scene, one, words))), ()) if strays else ()  # fmt: skip


def _own_value(scene: Scene, words: str) -> Comparison | None:
    """A value that one column alone of the things in question holds, whatever columns of others do; also `Germany` for Germans, where that is a value of others."""
    things = scene.things
    bare = re.sub(r"^(?:the|in|from|of|for)\s+", "", words, flags=re.IGNORECASE)
    held = scene.values.exact([bare, singular(bare)])
    alike = () if any(one.table == things.table for one in held) or not held else scene.values.similar(singular(bare))  # fmt: skip
    alike = [one for one in alike if begin_alike(stem(bare), [stem(str(one.value))])]
    own = [one for one in (*held, *alike) if (one.database, one.table) == (things.database, things.table)]  # fmt: skip
    if len({(one.column, one.value) for one in own}) != 1 or own == [*held]:
        return None
    return Comparison(ColumnRef(things, own[0].column), "=", (own[0].value,))


def _alternatives(scene: Scene, words: str) -> list[tuple[Predicate, ...]]:
    """What words may say, be it an amount alone."""
    found = said_of(scene, words)
    return [found] if found else _amounts(scene, words)


def _amounts(scene: Scene, words: str) -> list[tuple[Predicate, ...]]:
    """What an amount alone, such as `over 50`, may be of: a price, else any number of the things."""
    things = subject(scene.query, scene.question)
    noun = plural(human(things.table))
    said = re.sub(rf"^(?:(?:those|these|the|ones|{noun})\s+)+", "", words, flags=re.IGNORECASE)
    if not is_amount(said):
        return []
    measures = [one for one in scene.columns_of(things) if one.measures]
    prices = [one for one in measures if _PRICES & one.words]
    asked = prices if len(prices) == 1 else measures
    read = [one.ref for one in asked if isinstance(one.ref, ColumnRef)]
    return [found for one in read if (found := of_column(scene, one, said))]


def only(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The rows that meet what `rest` says."""
    made = [reduce(lambda query, one: _added(scene, query, one), found, scene.query) for found in _alternatives(scene, rest)]  # fmt: skip
    return tuple(query for one in made for query in scene.changed(one))


def instead(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The same in place of conditions on the same columns; what else is said of these rows is not known."""
    if scene.names_thing(rest) or not _NO_VALUES.isdisjoint(one.lower for one in tokenise(rest)):
        return ()
    found = said_of(scene, rest)
    if not found and not scene.query.where and len(amounts := _alternatives(scene, rest)) == 1:
        found = amounts[0]  # `under 30` of what has one amount alone
    names = [stem(part) for one in found for column in columns(one) for part in split_name(column.name)]  # fmt: skip
    unknown = scene.reader.unknown(f"How many {rest} are there?")
    plain = all(begin_alike(stem(one.lower()), names) for one in unknown)  # `unpaid` is of `paid`
    made = reduce(lambda query, one: in_its_place(scene, query, one), found, scene.query)
    return scene.changed(made) if plain else ()


def meant(scene: Scene, rest: str) -> tuple[Query, ...]:
    """A time that is meant in place of the one that was taken: `I meant returned in May`."""
    found = said_of(scene, rest)
    old = of_same_kind(scene, found[0]) if len(found) == 1 else None
    if old is None:
        return ()
    freed = replace(scene.query, where=tuple(one for one in scene.query.where if one is not old))
    there = columns(old) == columns(found[0])
    return scene.changed(in_its_place(scene, scene.query if there else freed, found[0]))


def named(scene: Scene, name: str, rest: str) -> tuple[Query, ...]:
    """What is called `name` has another value."""
    found = said_of(scene, f"{name} {rest}") or said_of(scene, f"with {name} {rest}")
    return scene.changed(reduce(instead_of_same, found, scene.query))


def undone(scene: Scene) -> tuple[Query, ...]:
    """The things of which no rows of another table tell anything: one query for each such table, whatever was never done to them."""
    known = vocabulary(scene.schemas)
    table = next((one for one in known.tables if one.relation == scene.things), None)
    holders = sorted(known.joins.holders(table.id)) if table is not None else []
    names = dict.fromkeys(plural(human(known.tables[one].table.name)) for one in holders)
    return tuple(query for one in names for query in only(scene, f"without {one}"))


def without(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The rows that do not meet what `rest` says."""
    return tuple(
        query
        for found in _alternatives(scene, rest)
        for query in scene.changed(_left(scene, found))
    )


def _left(scene: Scene, found: tuple[Predicate, ...]) -> Query:
    """The query without the rows that meet all of some conditions; it wants no value any more that is gone, or all others in place of the last one."""
    query, condition = scene.query, found[0] if len(found) == 1 else AllOf(found)
    away = negated(condition)
    if not isinstance(condition, Comparison) or condition.operator not in _EQUAL:
        return _and_also(query, away)
    for before in query.where:
        if not isinstance(before, Comparison) or before.operator not in _EQUAL:
            continue
        if before.left == condition.left:
            kept = with_values(
                before, [one for one in before.values if one not in condition.values]
            )
            return _with_in_place(query, before, kept or away)
    if _may_be_missing(scene, condition):
        away = AnyOf((away, Comparison(condition.left, "null")))
    return _and_also(query, away)


def _with_in_place(query: Query, old: Predicate, new: Predicate) -> Query:
    return replace(query, where=tuple(new if one is old else one for one in query.where))


def _may_be_missing(scene: Scene, one: Comparison) -> bool:
    """Whether rows are known that have no value in the column: what is not `cancelled` may be nothing at all."""
    profile = profile_of(one.left, scene.schemas) if isinstance(one.left, ColumnRef) else None
    return bool(profile and profile.missing)


def are_read(scene: Scene, rows: str) -> bool:
    """Whether it is known which rows are meant."""
    return bool(rows and _alternatives(scene, rows))


def others(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The rows that do not meet what `rest` says in place of those that do."""
    found = said_of(scene, rest)
    kept = tuple(one for one in scene.query.where if one not in found)
    return without(replace(scene, query=replace(scene.query, where=kept)), rest) if found else ()


def including(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The rows that meet what `rest` says as well as those that were there."""
    found = said_of(scene, rest)
    return scene.changed(widened(scene, found)) if found else ()


def _added(scene: Scene, query: Query, condition: Predicate) -> Query:
    wrong = misread(scene, query, condition)
    return in_its_place(scene, query, condition) if wrong else _and_also(query, condition)


def _and_also(query: Query, condition: Predicate) -> Query:
    """One more condition; of two that name values of the same column, or that no row meets at once, the new one."""
    for before in (*query.where, *query.having):
        both = all(isinstance(one, Comparison) and one.operator in _EQUAL for one in (before, condition))  # fmt: skip
        closer = isinstance(before, Comparison) and isinstance(condition, Comparison) and (before.left, before.operator) == (condition.left, condition.operator)  # fmt: skip
        if closer or (both and columns(before) == columns(condition)) or excludes(before, condition):  # fmt: skip
            return instead_of_same(query, condition)
    return also(query, condition)
