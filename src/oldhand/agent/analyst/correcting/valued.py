"""A correction that only tells the value: which other reading of the question gives it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.understanding import Candidate
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.tokens import NUMBER_WORDS, tokenise
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.editing import with_part
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Count, Query
from oldhand.query.normal import same
from oldhand.query.parts import is_whole, parts
from oldhand.query.provenance import QueryProvenance
from oldhand.query.walk import columns, is_measure
from oldhand.record.base import Cell, Row

_OUTRIGHT = re.compile(
    r"^(?:no+[,.;:!]? )?(?:(?:but |actually,? )?the )?(?:right |correct |true |real |actual |expected )*(?:answer|result|value|figure|number|total|count|solution)(?:'s| is| was| should be| must be| would be| should have been|:| =) (?P<value>.+)$",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"^(?:no+[,.;:!]? )?(?:(?:it|this|that|there|they)(?:'s| is| are| was| were| should be| must be| should have been)(?: only| just)? |(?:we|i) (?:have|get|got|count|counted|expect|expected) (?:only |just )?|i(?: would|'d) expect |should (?:be|have been) |expected:? )?(?P<value>.+?)(?:,? (?:and )?not (?P<not>[\w.,]+))?$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"how (?:many|much)\b", re.IGNORECASE)
_TELLING = re.compile(
    r"^(?:no+[,.]? )?(?:it|this|that|the (?:right |correct )?(?:answer|result)) (?:should|must|ought to|has to|is|was)\b(?: have been| be)? ?(?P<value>.*)$",
    re.IGNORECASE,
)


def value_said(words: str) -> tuple[str, bool] | None:
    """The value that a correction names, and whether it says outright that it is the answer; None when it names no number and says nothing outright.

    >>> value_said("The right answer is Berlin."), value_said("it should be 1,200"), value_said("only paid ones")
    (('Berlin', True), ('1200', False), None)
    """
    plain = " ".join(words.replace("\u2019", "'").split()).strip(" .!?")
    if found := _OUTRIGHT.match(re.split(r"[,;.] (?:but )?", plain)[-1]):
        return _plain(found["value"]), True
    found = _LOOSE.match(plain)
    value = _plain(found["value"]) if found else ""
    return (value, False) if _number(value) is not None else None


def gives(rows: Sequence[Row], value: str) -> bool:
    """Whether rows are what a person named as the answer: one value, or a list of them.

    >>> gives(((12.04,),), "12.0"), gives((("Ada", 3), ("Bo", 1)), "Bo and Ada"), gives(((2,), (3,)), "2")
    (True, True, False)
    """
    number = _number(value)
    if number is not None:
        return len(rows) == 1 and len(rows[0]) == 1 and _is_number(rows[0][0], number, value)
    named = values_named(value)
    return bool(rows) and any(
        {str(row[place]).casefold() for row in rows} == named for place in range(len(rows[0]))
    )


def values_named(value: str) -> set[str]:
    """The values of a list that a person named."""
    return {one.strip().casefold() for one in re.split(r",| and ", value) if one.strip()}


def as_many(query: Query, value: str) -> Query | None:
    """The query with as many of the first rows as a list names; None where it takes none of them, or as many.

    >>> from oldhand.query.form import ColumnRef, Relation, Rows
    >>> name = ColumnRef(Relation("shop", "main", "customers"), "name")
    >>> two = Query(Rows((name.of,)), (name,), limit=2)
    >>> as_many(two, "Ada, Bo and Cy").limit, as_many(two, "Ada and Bo")
    (3, None)
    """
    rows = len(values_named(value))
    return None if query.limit in (None, rows) else replace(query, limit=rows)


def answer_meant(words: str, scene: Scene, found: Sequence[Query], rows: int) -> str:
    """The text, or the list, that is said to be the answer: `it should be Mary`, where names are shown; empty where none is.

    Where one of the `rows` is all, and shows another thing, the name of a thing that the question does not speak of is the answer as well.
    """
    shown = scene.query.select
    told = [one for query in found for one in query.where if isinstance(one, Comparison)]
    names = set[ColumnRef]() if rows != 1 or any(map(is_measure, shown)) else _unasked_names(scene, told)  # fmt: skip
    values = [one.values for one in told if ((one.left,) == shown or one.left in names) and one.operator in ("=", "in")]  # fmt: skip
    telling = _TELLING.match(words.strip(" .!"))
    if telling is None or not (values or _are_held(telling["value"], scene)):
        return ""
    several = len(values_named(telling["value"])) > 1
    return telling["value"] if several or not values else ", ".join(map(str, values[0]))


def _unasked_names(scene: Scene, told: Sequence[Comparison]) -> set[ColumnRef]:
    """The columns that hold the names of things, among those that are compared and of which the query says nothing yet."""
    lookup = Lookup(vocabulary(scene.schemas))
    before = {one for part in scene.query.where for one in columns(part)}
    compared = {one.left for one in told if isinstance(one.left, ColumnRef)} - before
    entries = {one: lookup.vocabulary.entry(one) for one in compared}
    return {one for one, entry in entries.items() if lookup.labels(entry.table)[0] == entry.id}


def _are_held(said: str, scene: Scene) -> bool:
    """Whether the one column that is shown holds all values of a list."""
    named, shown = values_named(said), scene.query.select
    if len(shown) != 1 or not isinstance(shown[0], ColumnRef) or not named:
        return False
    place = (shown[0].of.database, shown[0].of.table, shown[0].name)
    held = [one for one in scene.values.exact(sorted(named)) if (one.database, one.table, one.column) == place]  # fmt: skip
    return named <= {str(one.value).casefold() for one in held}


def only_reshapes(before: Query, after: Query) -> bool:
    """Whether nothing but what makes the groups, or shows each row once, is another.

    >>> from oldhand.query.form import ColumnRef, Relation, Rows
    >>> name = ColumnRef(Relation("shop", "main", "customers"), "name")
    >>> query = Query(Rows((name.of,)), (name,))
    >>> only_reshapes(query, replace(query, distinct=True)), only_reshapes(query, replace(query, limit=1))
    (True, False)
    """
    return replace(after, group=before.group, distinct=before.distinct) == before


def shows_again(before: Query, after: Query, rows: Sequence[Row]) -> bool:
    """Whether something else is shown than before, and some of it several times."""
    told = after.select != before.select and not any(map(is_measure, after.select))
    return told and len({*rows}) < len(rows)


def may_answer(question: str, words: str) -> bool:
    """Whether words may be the answer itself: that to a how many holds a number, and none begins as a question does.

    >>> may_answer("How many are there?", "in Jena too"), may_answer("How many are there?", "twelve"), may_answer("Who?", "Bo")
    (False, True, True)
    """
    asks = _HOW_MANY.match(words)
    counted = _HOW_MANY.match(question) is None or any(one.number is not None for one in tokenise(words))  # fmt: skip
    return asks is None and counted


def only_an_answer(question: str, rows: Sequence[Row]) -> bool:
    """Whether a number that is said of rows can only be another answer: they are one, and the question names none to exchange.

    >>> only_an_answer("the total of orders", ((64.9,),)), only_an_answer("orders in 2023", ((7,),)), only_an_answer("all", ())
    (True, False, False)
    """
    single = len(rows) == 1 and len(rows[0]) == 1 and _number(str(rows[0][0])) is not None
    return single and all(token.number is None for token in tokenise(question))


def others_than(query: Query, candidates: Sequence[Candidate]) -> Iterator[Sequence[Query]]:
    """Other readings of a question, in groups: what else it may mean; then one part exchanged; then one measure or condition changed."""
    read = [one.query for one in candidates if isinstance(one.query, Query)]
    yield _apart(query, read)
    known = next((one.origins for one in candidates if one.query == query), None)
    known = known or (candidates[0].origins if candidates else QueryProvenance())
    yield _apart(query, list(_exchanged(query, known)))
    yield _apart(query, list(_measured(query)))


def _apart(query: Query, found: Sequence[Query]) -> list[Query]:
    """Those of another meaning, each once."""
    kept: list[Query] = []
    for one in found:
        if not any(same(one, other) for other in (query, *kept)):
            kept.append(one)
    return kept


def _exchanged(query: Query, origins: QueryProvenance) -> Iterator[Query]:
    for part in parts(query):
        origin = origins.origin(part)
        for option in origin.options if origin is not None else ():
            made = with_part(query, part, option.node)
            if is_whole(made):
                yield made


def _measured(query: Query) -> Iterator[Query]:
    """Without one of the conditions, with another aggregate, each value once."""
    for one in query.where:
        yield replace(query, where=tuple(other for other in query.where if other is not one))
    for place, term in enumerate(query.select):
        if isinstance(term, Aggregate):
            for function in AGGREGATES:
                if function != term.function:
                    yield _with(query, place, replace(term, function=function))
            yield _with(query, place, replace(term, distinct=not term.distinct))
        elif isinstance(term, Count) and isinstance(term.of, ColumnRef):
            yield _with(query, place, replace(term, distinct=not term.distinct))
    if not any(map(is_measure, query.select)):
        yield replace(query, distinct=not query.distinct)


def _with(query: Query, place: int, term: Aggregate | Count) -> Query:
    select = (*query.select[:place], term, *query.select[place + 1 :])
    return replace(query, select=select, names=())


def _plain(value: str) -> str:
    value = re.sub(r"^(?:just|only|exactly|about)\s+", "", value.strip(" '\""), flags=re.IGNORECASE)
    if value.casefold() in NUMBER_WORDS:
        return str(NUMBER_WORDS[value.casefold()])
    return value.replace(",", "") if re.fullmatch(r"-?[\d,]+(\.\d+)?", value) else value


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) else None


def _is_number(cell: Cell, number: float, written: str) -> bool:
    """Whether a cell is a number as it was written, with no more digits than that."""
    try:
        found = float(str(cell))
    except ValueError:
        return False
    digits = len(written.partition(".")[2])
    return found == number if not digits else round(found, digits) == number
