"""Questions about who stands above whom: `Who does Ann report to?`, `Who has the most direct reports?`.

The words and the names of the question decide which side is sought, so that one slot answers to all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.agent.analyst.candidates.comparing import comparison_at
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.self_references import (
    SelfReference,
    SpokenTie,
    Tie,
    moved,
    named_on,
    told_references,
)
from oldhand.agent.analyst.candidates.superlatives import superlative_at
from oldhand.agent.analyst.words.links import ValueMention, ValueOption, bits, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import ColumnRef, Comparison, Count, Elapsed, Expression, Has, Query, Ratio

_TOLD: Features = (("hierarchy.told", 1.0),)
_ASKING = words("asking.of_relatives")
_NOBODY = words("negation.nobody")
_SOMEBODY = words("people.somebody")
_OTHERS = ("people", "persons", "others")
_EACH = words("grouping.each")
_THEIRS = words("function_words.theirs")
_BESIDE, _WHOM = ("and", "with"), ("whom", "which")


@dataclass(frozen=True, slots=True)
class _Told:
    """One self reference, the words that speak of it, and who is named."""

    reference: SelfReference
    spoken: tuple[SpokenTie, ...]
    named: tuple[tuple[ValueMention, ValueOption], ...]
    used: int
    """The tokens of all of these, and of the words that ask."""

    @property
    def first(self) -> SpokenTie:
        return self.spoken[0]

    def is_of(self, *ties: Tie) -> bool:
        """True when some word ties in one of these ways."""
        return any(word.tie in ties for word in self.spoken)


def hierarchy_slots(asked: Asked) -> Iterator[Slot]:
    """A slot for the words that tell who stands above whom; none where they leave it open."""
    choices: list[Choice] = []
    trigger = 0
    for reference, spoken in told_references(asked):
        named = named_on(asked, reference)
        if named is None:
            continue
        used = bits(word.used for word in spoken) | spans(mention for mention, _ in named)
        told = _Told(reference, spoken, named, used | _asking(asked, reference))
        made = list(_choices(asked, told))
        choices += made
        trigger |= spoken[0].used if made else 0
    yield from slot(trigger, choices)


def _asking(asked: Asked, reference: SelfReference) -> int:
    """The tokens that ask or name those who stand above and below themselves."""
    own = (reference.below, reference.above)
    return asked.marked(_ASKING) | spans(m for m in asked.links.tables if m.best.id in own)


def _choices(asked: Asked, told: _Told) -> Iterator[Choice]:
    if told.named:
        above = _is_above(asked, told) if len(told.spoken) == 1 else None
        if above is not None:
            yield _of_one(asked, told, above=above)
        return
    makers = (_of_each, _in_pairs, _with_most, _with_many, _with_none, _with_some, _superiors)
    for make in makers if len(told.spoken) <= 2 else ():
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


def _of_one(asked: Asked, told: _Told, *, above: bool) -> Choice:
    """Those above or below somebody: by name, counted, or by columns of theirs."""
    below, higher = told.reference.below, told.reference.above
    sought, given = (higher, below) if above else (below, higher)
    shown, used = _shown(asked, told, sought)
    first, *rest = (_one_named(asked, told, given, *named) for named in told.named)
    along = (*rest, *shown)
    if not above and not shown:
        along = (*along, Choice("join", table=below, position=told.first.start))
    return replace(first, features=_TOLD, used=told.used | used, along=along)


def _one_named(
    asked: Asked, told: _Told, table: int, mention: ValueMention, option: ValueOption
) -> Choice:
    """That a row of a table is the one who is named."""
    column = asked.ref(moved(asked, told.reference, option.column, table))
    condition = Comparison(column, "in" if len(option.values) > 1 else "=", option.values)
    place = mention.span.start
    return Choice("where", (), 0, 1 << table, place, condition=condition, table=table)


def _shown(asked: Asked, told: _Told, sought: int) -> tuple[tuple[Choice, ...], int]:
    """What is shown of those sought, and the tokens that say so; nothing where other slots choose it."""
    columns = list(_columns_asked(asked, told))
    if columns and sought == told.reference.below:
        return (), 0
    if columns:
        theirs = (asked.ref(moved(asked, told.reference, column, sought)) for column, _ in columns)
        return (select(asked, 0, 0, (), *theirs),), bits(mask for _, mask in columns)
    counts = asked.links.cues_of("count")[:1]
    terms = _named_or_counted(asked, sought)
    return (select(asked, 0, 0, (), *terms, table=sought),), spans(counts)


def _columns_asked(asked: Asked, told: _Told) -> Iterator[tuple[int, int]]:
    """The columns that are asked for besides names, with their tokens: `the salary of Ann's boss`."""
    own = set(asked.vocabulary.tables[told.reference.below].columns)
    for mention in asked.links.columns:
        apart = not mention.span.mask & told.used
        if apart and asked.region(mention.span) == "S" and mention.best.score >= 0.6:
            column = next((o.id for o in mention.options if o.id in own), None)
            if column is not None and column != told.reference.column:
                yield column, mention.span.mask


def _named_or_counted(asked: Asked, table: int) -> tuple[Expression, ...]:
    return (Count(),) if asked.links.cues_of("count") else asked.names(table)


def _members(
    asked: Asked, table: int, used: int, terms: tuple[Expression, ...], *along: Choice
) -> Choice:
    """Those of one side, as they are shown, with all that is said of them."""
    return select(asked, 0, used, _TOLD, *terms, table=table, along=along)


def _of_each(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`How many employees report to each manager`, `direct reports per manager`, or their number on average."""
    reference, each = told.reference, asked.marked(_EACH)
    means, counts = asked.links.cues_of("avg"), asked.links.cues_of("count")
    below = told.is_of(Tie.ABOVE, Tie.INFERIOR, Tie.BELOW)
    below = below or any(m.best.id == reference.below for m in asked.links.tables)
    if not below or not (each or means) or not (counts or means):
        return
    used = told.used | each | spans((*means, *counts, *asked.links.cues_of("per", "group", "by")))
    if means:
        column = asked.ref(reference.column)
        mean = Ratio(Count(column), Count(column, distinct=True))
        yield _members(asked, reference.below, used, (mean,))
        return
    terms = (*asked.names(reference.above), Count())
    yield _members(asked, reference.above, used, terms, Choice("join", table=reference.below))


def _in_pairs(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Employees and their managers`, `who reports to whom`: each with the one above."""
    if asked.links.cues_of("count", "avg", "superlative", "most_count"):
        return
    place = told.spoken[-1].start
    theirs = told.is_of(Tie.SUPERIOR) and asked.word(place - 1) in _THEIRS
    beside = theirs and asked.word(place - 2) in _BESIDE
    asks = told.is_of(Tie.BELOW) and asked.word(told.first.end) in _WHOM
    if beside or asks:
        below, above = told.reference.below, told.reference.above
        used = told.used | asked.marked((*_BESIDE, *_WHOM, *_EACH))
        yield _members(asked, below, used, (*asked.names(below), *asked.names(above)))


def _with_most(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Who has the most direct reports`: those with none are not there to have the fewest."""
    below, above = told.reference.below, told.reference.above
    for cue in (*asked.links.cues_of("superlative"), *asked.links.cues_of("most_count")):
        found = superlative_at(asked, cue)
        counting = cue.kind == "most_count" or found.adjective in ("most", "few")
        if not counting or (found.down and not told.is_of(Tie.SUPERIOR)):
            continue
        order = Choice("order", terms=(Count(),), descending=not found.down, limit=found.limit, table=below)  # fmt: skip
        yield _members(asked, above, told.used | found.used, asked.names(above), order)


def _with_many(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Who manages more than 5 people`, `How many managers have at least 3 direct reports`."""
    below, above = told.reference.below, told.reference.above
    if not told.is_of(Tie.ABOVE, Tie.INFERIOR, Tie.BELOW):
        return
    for number in asked.links.numbers:
        compared, end = comparison_at(asked, number), number.span.end
        follows = any(word.start - end in (0, 1) for word in told.spoken)
        others = asked.marked(_OTHERS, end, end + 1)
        people = others or any(m.best.id == below for m in asked.tables_after(end, 0))
        near = people and 0 < end - told.spoken[-1].end <= 8
        if compared.operator == "between" or not (follows or near):
            continue
        many = Choice("having", table=below, condition=compared.of(Count()))
        used = told.used | compared.used | _counting(asked) | others
        yield _members(asked, above, used, _named_or_counted(asked, above), many)


def _with_none(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Employees without a manager`, `who reports to nobody`, `who manages nobody`."""
    negations = asked.links.cues_of("not")
    if negations and len(told.spoken) == 1:
        used = told.used | spans(negations) | asked.marked(_NOBODY)
        top = told.is_of(Tie.BELOW, Tie.SUPERIOR)
        condition = _refers(asked, told, "null") if top else _partners(asked, told, none=True)
        yield _who(asked, told, condition, used)


def _with_some(asked: Asked, told: _Told) -> Iterator[Choice]:
    """`Employees who manage others`, `who have direct reports`, `who have a boss`."""
    if len(told.spoken) > 1:
        return
    before = asked.words(told.first.start - 2, told.first.start)
    having = bool({"have", "has", "with"} & set(before))
    somebody = asked.marked(_SOMEBODY, told.first.end, told.first.end + 2)
    if not (having if told.is_of(Tie.SUPERIOR, Tie.INFERIOR) else somebody):
        return
    top = told.is_of(Tie.ABOVE, Tie.INFERIOR)
    condition = _partners(asked, told, none=False) if top else _refers(asked, told, "not null")
    yield _who(asked, told, condition, told.used | asked.marked(_SOMEBODY))


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
    condition = _partners(asked, told, none=False)
    if not list(_columns_asked(asked, told)):
        yield _who(asked, told, condition, spoken.used | 1)
        return
    below = told.reference.below
    yield Choice("where", _TOLD, spoken.used, 1 << below, condition=condition, table=below)


def _counting(asked: Asked) -> int:
    return spans(asked.links.cues_of("count"))


def _column(asked: Asked, told: _Told) -> ColumnRef | Elapsed:
    """The column that refers to those above."""
    return asked.ref(told.reference.column)


def _refers(asked: Asked, told: _Told, operator: str) -> Comparison:
    """Whether a row refers to anybody."""
    return Comparison(_column(asked, told), operator)


def _partners(asked: Asked, told: _Told, *, none: bool) -> Has:
    """Whether anybody refers to a row."""
    below, column = told.reference.below, _column(asked, told)
    query = Query(asked.alone(below), (column,), (_refers(asked, told, "not null"),))
    return Has(asked.ref(asked.key(below)[0]), query, none)


def _who(asked: Asked, told: _Told, condition: Condition, used: int) -> Choice:
    """Those who meet a condition, by name or counted."""
    below = told.reference.below
    where = Choice("where", table=below, condition=condition, tables=1 << below)
    terms = _named_or_counted(asked, below)
    return _members(asked, below, used | _counting(asked), terms, where)
