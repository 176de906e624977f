"""Questions about who stands above whom: `Who does Ann report to?`, `Who has the most direct reports?`.

The words and the names of the question decide which side is sought, so that one slot answers to all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.comparing import comparison_at
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.ladders import Ladder, Spoken, Tie, named_on, told_ladders
from oldhand.agent.analyst.candidates.superlatives import superlative_at
from oldhand.agent.analyst.words.links import ValueMention, ValueOption
from oldhand.lexicon.entries import words
from oldhand.query.form import Comparison, Count, Expression, Has, Query, Ratio

_TOLD: Features = (("hierarchy.told", 1.0),)
_ASKING = words("asking.of_relatives")
_NOBODY = words("negation.nobody")
_SOMEBODY = words("people.somebody")
_EACH = words("grouping.each")
_THEIRS = words("function_words.theirs")


@dataclass(frozen=True, slots=True)
class _Told:
    """One ladder, the words that speak of it, and who is named."""

    ladder: Ladder
    spoken: tuple[Spoken, ...]
    named: tuple[tuple[ValueMention, ValueOption], ...]
    used: int
    """The tokens of all of these, and of the words that ask."""

    @property
    def first(self) -> Spoken:
        return self.spoken[0]


def hierarchy_slots(asked: Asked) -> list[Slot]:
    """A slot for the words that tell who stands above whom; none where they leave it open."""
    choices: list[Choice] = []
    trigger = 0
    for ladder, spoken in told_ladders(asked):
        named = named_on(asked, ladder)
        if named is None:
            continue
        used = sum({word.used for word in spoken}) | _asking(asked, ladder)
        for mention, _ in named:
            used |= mention.span.mask
        made = list(_choices(asked, _Told(ladder, spoken, named, used)))
        choices += made
        trigger |= spoken[0].used if made else 0
    return [Slot(trigger, (*choices, Choice("skip")))] if choices else []


def _asking(asked: Asked, ladder: Ladder) -> int:
    """The tokens that ask or name the members of the ladder themselves."""
    mask = sum(1 << i for i in range(len(asked.links.tokens)) if asked.word(i) in _ASKING)
    for mention in asked.links.tables:
        if mention.best.id in (ladder.below, ladder.above):
            mask |= mention.span.mask
    return mask


def _choices(asked: Asked, told: _Told) -> Iterator[Choice]:
    if told.named:
        above = _is_above(asked, told) if len(told.spoken) == 1 else None
        if above is not None:
            yield from _of_one(asked, told, above=above)
        return
    if len(told.spoken) > 2:
        return
    for make in (_of_each, _with_most, _with_many, _with_none, _with_some, _superiors):
        made = list(make(asked, told))
        if made:
            yield from made
            return


def _is_above(asked: Asked, told: _Told) -> bool | None:
    """True when those above the one who is named are sought, False for those below; None when it is left open."""
    spoken = told.first
    start, end = told.named[0][0].span.start, told.named[-1][0].span.end
    before = end <= spoken.start
    if spoken.tie is Tie.BELOW:
        return before
    if spoken.tie is Tie.ABOVE:
        return not before
    if spoken.tie is Tie.INFERIOR:
        return False
    lead = asked.word(spoken.start - 1)
    if lead == "whose" or "as" in asked.words(max(end, spoken.start - 3), spoken.start):
        return not (lead == "whose" or asked.word(end) == "as")
    if before:
        owner = "s" in (asked.word(end), asked.word(end - 1))
        led = asked.word(spoken.end) == "of"
        return True if owner else False if led else None
    linked = {"of", "for", "to"} & set(asked.words(spoken.end, start))
    return True if linked else None


def _of_one(asked: Asked, told: _Told, *, above: bool) -> Iterator[Choice]:
    """Those above or below somebody: by name, counted, or by columns of theirs."""
    ladder = told.ladder
    sought, given = (ladder.above, ladder.below) if above else (ladder.below, ladder.above)
    wheres = tuple(
        Choice("where", table=given, position=mention.span.start, tables=1 << given,
               condition=_equal(asked.ref(_moved(asked, option.column, ladder, given)), option))
        for mention, option in told.named
    )  # fmt: skip
    shown, used = _shown(asked, told, sought)
    position = told.first.start
    first, *rest = wheres
    along = (*rest, *shown)
    if not above and not shown:
        along = (*along, Choice("join", table=ladder.below, position=position))
    yield replace(first, features=_TOLD, used=told.used | used, along=along)


def _shown(asked: Asked, told: _Told, sought: int) -> tuple[tuple[Choice, ...], int]:
    """What is shown of those sought, and the tokens that say so; nothing where other slots choose it."""
    columns = list(_columns_asked(asked, told))
    if columns and sought == told.ladder.below:
        return (), 0
    if columns:
        terms = tuple(
            asked.ref(_moved(asked, column, told.ladder, sought)) for column, _ in columns
        )
        mask = sum({mask for _, mask in columns})
        return (Choice("select", terms=terms, position=0, tables=1 << sought, table=-1),), mask
    counts = asked.links.cues_of("count")
    if counts:
        return (_select((Count(),), sought),), counts[0].span.mask
    return (_select(_labels(asked, sought), sought),), 0


def _columns_asked(asked: Asked, told: _Told) -> Iterator[tuple[int, int]]:
    """The columns that are asked for besides names, with their tokens: `the salary of Ann's boss`."""
    own = set(asked.vocabulary.tables[told.ladder.below].columns)
    for mention in asked.links.columns:
        apart = not mention.span.mask & told.used
        if apart and asked.region(mention.span) == "S" and mention.best.score >= 0.6:
            column = next((o.id for o in mention.options if o.id in own), None)
            if column is not None and column != told.ladder.reference:
                yield column, mention.span.mask


def _moved(asked: Asked, column: int, ladder: Ladder, table: int) -> int:
    """The column of one side of the ladder that is the given one of the side below."""
    place = asked.vocabulary.tables[ladder.below].columns.index(column)
    return asked.vocabulary.tables[table].columns[place]


def _equal(column: Expression, option: ValueOption) -> Condition:
    return Comparison(column, "in" if len(option.values) > 1 else "=", option.values)


def _labels(asked: Asked, table: int) -> tuple[Expression, ...]:
    names = asked.full_name(table) or (asked.labels(table)[0],)
    return tuple(asked.ref(column) for column in names)


def _select(terms: tuple[Expression, ...], table: int) -> Choice:
    return Choice("select", terms=terms, table=table, tables=1 << table)


def _below_of(told: _Told) -> bool:
    """True where those below are counted or sought: `manages`, `direct reports`, `report to each manager`."""
    ties = {word.tie for word in told.spoken}
    return bool(ties & {Tie.ABOVE, Tie.INFERIOR, Tie.BELOW})


def _of_each(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`How many employees report to each manager`, `direct reports per manager`, or their number on average."""
    ladder = told.ladder
    each = [i for i in range(len(asked.links.tokens)) if asked.word(i) in _EACH]
    means, counts = asked.links.cues_of("avg"), asked.links.cues_of("count")
    people = any(m.best.id == ladder.below for m in asked.links.tables)
    if not (_below_of(told) or people) or not (each or means) or not (counts or means):
        return
    used = told.used | sum(1 << i for i in each)
    for cue in (*means, *counts, *asked.links.cues_of("per", "group", "by")):
        used |= cue.span.mask
    if means:
        reference = asked.ref(ladder.reference)
        mean = Ratio(Count(reference), Count(reference, distinct=True))
        yield replace(_select((mean,), ladder.below), features=_TOLD, used=used)
        return
    terms = (*_labels(asked, ladder.above), Count())
    joined = Choice("join", table=ladder.below)
    yield replace(_select(terms, ladder.above), features=_TOLD, used=used, along=(joined,))


def _with_most(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Who has the most direct reports`: those with none are not there to have the fewest."""
    ladder = told.ladder
    for cue in (*asked.links.cues_of("superlative"), *asked.links.cues_of("most_count")):
        found = superlative_at(asked, cue)
        superiors = any(word.tie is Tie.SUPERIOR for word in told.spoken)
        counting = cue.kind == "most_count" or found.adjective in ("most", "few")
        if not counting or (found.down and not superiors):
            continue
        order = Choice("order", terms=(Count(),), descending=not found.down, limit=found.limit, table=ladder.below)  # fmt: skip
        shown = _select(_labels(asked, ladder.above), ladder.above)
        yield replace(shown, features=_TOLD, used=told.used | found.used, along=(order,))


def _with_many(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Who manages more than 5 people`, `How many managers have at least 3 direct reports`."""
    ladder = told.ladder
    if not _below_of(told):
        return
    for number in asked.links.numbers:
        compared = comparison_at(asked, number)
        near = number.span.end - told.spoken[-1].end
        follows = any(word.start - number.span.end in (0, 1) for word in told.spoken)
        people = asked.word(number.span.end) in ("people", "persons", "others") or any(
            m.best.id == ladder.below for m in asked.tables_after(number.span.end, 0)
        )
        if compared.operator == "between" or not (follows or (people and 0 < near <= 8)):
            continue
        having = Choice("having", table=ladder.below, condition=Comparison(Count(), compared.operator, compared.values))  # fmt: skip
        used = told.used | compared.used | _counting(asked)
        if asked.word(number.span.end) in ("people", "persons", "others"):
            used |= 1 << number.span.end
        counts = bool(asked.links.cues_of("count"))
        terms = (Count(),) if counts else _labels(asked, ladder.above)
        yield replace(_select(terms, ladder.above), features=_TOLD, used=used, along=(having,))


def _with_none(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Employees without a manager`, `who reports to nobody`, `who manages nobody`."""
    negations = asked.links.cues_of("not")
    if not negations or len(told.spoken) > 1:
        return
    ladder, tie = told.ladder, told.first.tie
    used = told.used | sum({cue.span.mask for cue in negations}) | _counting(asked)
    used |= sum(1 << i for i in range(len(asked.links.tokens)) if asked.word(i) in _NOBODY)
    reference = asked.ref(ladder.reference)
    top = tie in (Tie.BELOW, Tie.SUPERIOR)
    condition = Comparison(reference, "null") if top else _partners(asked, ladder, none=True)
    yield _members(asked, ladder, condition, used)


def _with_some(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Employees who manage others`, `who have direct reports`, `who have a boss`."""
    ladder, tie = told.ladder, told.first.tie
    if len(told.spoken) > 1:
        return
    before = asked.words(told.first.start - 2, told.first.start)
    having = bool({"have", "has", "with"} & set(before))
    somebody = bool(_SOMEBODY & set(asked.words(told.first.end, told.first.end + 2)))
    if not (having if tie in (Tie.SUPERIOR, Tie.INFERIOR) else somebody):
        return
    used = told.used | _counting(asked)
    used |= sum(1 << i for i in range(len(asked.links.tokens)) if asked.word(i) in _SOMEBODY)
    top = tie in (Tie.ABOVE, Tie.INFERIOR)
    condition = (
        _partners(asked, ladder, none=False)
        if top
        else Comparison(asked.ref(ladder.reference), "not null")
    )
    yield _members(asked, ladder, condition, used)


def _superiors(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Managers hired before 2017`: those who have somebody below them, with all that is said of them."""
    spoken = told.first
    lead, following = asked.word(spoken.start - 1), asked.word(spoken.end)
    beside = [m for m in asked.links.tables if not m.span.mask & spoken.used]
    if spoken.tie is not Tie.SUPERIOR or len(told.spoken) > 1 or beside:
        return
    several = asked.word(spoken.start).endswith("s") and lead not in _THEIRS
    if following in ("of", "for", "s") or not (several or lead in ("which", "what", "the")):
        return
    condition = _partners(asked, told.ladder, none=False)
    if list(_columns_asked(asked, told)):
        below = told.ladder.below
        yield Choice("where", _TOLD, spoken.used, 1 << below, condition=condition, table=below)
        return
    yield _members(asked, told.ladder, condition, spoken.used | 1 | _counting(asked))


def _counting(asked: Asked) -> int:
    return sum({cue.span.mask for cue in asked.links.cues_of("count")})


def _partners(asked: Asked, ladder: Ladder, *, none: bool) -> Has:
    """Whether anybody refers to a row."""
    reference = asked.ref(ladder.reference)
    known = (Comparison(reference, "not null"),)
    query = Query(asked.alone(ladder.below), (reference,), known)
    return Has(asked.ref(asked.key(ladder.below)[0]), query, none)


def _members(asked: Asked, ladder: Ladder, condition: Condition, used: int) -> Choice:
    """Those of the ladder who meet a condition, by name or counted."""
    counts = bool(asked.links.cues_of("count"))
    terms = (Count(),) if counts else _labels(asked, ladder.below)
    where = Choice("where", table=ladder.below, condition=condition, tables=1 << ladder.below)
    return replace(_select(terms, ladder.below), features=_TOLD, used=used, along=(where,))
