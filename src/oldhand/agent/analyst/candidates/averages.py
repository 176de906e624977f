"""`Above the average`: a column compared with its own mean."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    select,
    skip,
    slot,
    where,
)
from oldhand.agent.analyst.candidates.comparing import adjective_in
from oldhand.agent.analyst.candidates.measures import may_be_the_cost, measured
from oldhand.agent.analyst.candidates.only_amount import measures_of, sole_amount, sole_worth
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, LinkOption, Mention, spans
from oldhand.query.form import Aggregate, Comparison, Query

NAMED = 0.5
"""How well a column or a thing must be named to be meant."""
_GUESSED, _GUESSES = 3.0, 4
"""The rank of an amount that is only guessed, and how many are."""


def average_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each average that things are compared with."""
    for cue in asked.links.cues_of("than_average"):
        choices = [*_average_of_named(asked, cue), *_average_of_measured(asked, cue)]
        choices = choices or list(_average_of_sole(asked, cue))
        yield Slot(cue.span.mask, (*choices, skip("average")))


def worth_slots(asked: Asked) -> Iterator[Slot]:
    """`The average of the invoices`, `average order`: of what they are worth, where no column is named."""
    things = {m.best.id for m in asked.links.tables}
    grouped = asked.links.cues_of("per", "group", "by", "count", "superlative")
    measured_so = [m for m in asked.links.columns if asked.column(m.best.id).measures]
    alone = len(things) == 1 and not grouped and all(asked.is_thing(m) for m in measured_so)
    for cue in asked.links.cues_of("avg", "median") if alone else ():
        for mention in [*asked.tables_after(cue.span.end, 2)][:1]:
            named = (
                m for m in asked.links.columns if cue.span.end <= m.span.start <= mention.span.end
            )
            if any(m.best.score >= WHOLE and not asked.is_thing(m) for m in named):
                continue  # `the average order status` is none of their amounts
            if (sole := sole_worth(asked, mention.best.id)) is not None:
                told = dict.fromkeys(("sel.score", "sel.near", f"sel.{cue.kind}"), 1.0)
                used, term = spans((cue, mention)), Aggregate(cue.kind, asked.ref(sole.id))
                mean = select(asked, cue.span.start, used, tuple(told.items()), term)
                yield Slot(cue.span.mask, (mean, skip(cue.kind)))


def averaged(asked: Asked, mention: Mention) -> bool:
    """True where an average is asked for, and only words that faintly mean a column can say of what: `how long do visits last on average`."""
    if not asked.links.cues_of("avg", "median") or asked.links.cues_of("count"):
        return False
    amounts = [m for m in _amounts(asked) if asked.meant(asked.column(m.best.id).table) > 0]
    return mention in amounts and not any(_is_named_well(asked, m) for m in amounts)


def _amounts(asked: Asked) -> list[Mention]:
    return [m for m in asked.links.columns if asked.column(m.best.id).measures]


def _is_named_well(asked: Asked, mention: Mention) -> bool:
    return mention.best.score >= NAMED and not asked.is_thing(mention)


def guessed_slots(asked: Asked) -> Iterator[Slot]:
    """`What do instructors earn on average`: the amounts of the things, each of them a guess, where no word names one of them."""
    means, amounts = asked.links.cues_of("avg", "median"), _amounts(asked)
    if not means or asked.links.cues_of("count") or any(worth_words(asked.links.tokens)):
        return
    if any(_is_named_well(asked, m) for m in amounts):
        return
    told = (("sel.score", 0.0), ("sel.rank", _GUESSED), ("super.guessed_measure", 1.0))
    things = [m.best.id for m in asked.links.tables if m.best.score >= NAMED][:1]
    owned = [entry for thing in things for entry in measures_of(asked, thing)][:_GUESSES]
    faint = [m for m in amounts if asked.column(m.best.id) in owned][:1]
    owned = [asked.column(m.best.id) for m in faint] or owned
    for cue in means:
        mask, features = spans((cue, *faint)), (*told, (f"sel.{cue.kind}", 1.0))
        terms = [Aggregate(cue.kind, entry.ref) for entry in owned]
        choices = [select(asked, cue.span.start, mask, features, term) for term in terms]
        yield from slot(mask, choices)


def _average_of_named(asked: Asked, cue: Cue) -> Iterator[Choice]:
    near = [*asked.columns_after(cue.span.end, 2), *asked.columns_before(cue.span.start, 6)][:3]
    if _is_named(asked, cue):
        near = [m for m in asked.links.columns if cue.span.holds(m.span)]  # `more visitors than`
    for mention in near:
        for option in mention.options[:3]:
            if asked.column(option.id).measures and may_be_the_cost(asked, mention, option):
                same = (m for m in near if any(o.id == option.id for o in m.options))
                used = cue.span.mask | spans(same)
                score = ("average.score", option.score)
                yield _than_average(asked, cue, option, cue.argument or ">", score, used)


def _is_named(asked: Asked, cue: Cue) -> bool:
    """True where what is compared stands inside: `more visitors than average`."""
    return "than" in asked.words(cue.span.start + 2, cue.span.end)


def _average_of_measured(asked: Asked, cue: Cue) -> Iterator[Choice]:
    for option, upwards in () if _is_named(asked, cue) else measured(asked, adjective_in(asked, cue)):  # fmt: skip
        if asked.column(option.id).measures:
            score = ("average.adjective", option.score)
            operator = ">" if upwards else "<"
            yield _than_average(asked, cue, option, operator, score, cue.span.mask)


def _average_of_sole(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`Invoices above average`: what no word names is what those things are worth, or the only amount that they have."""
    if _is_named(asked, cue):
        return
    before = [m for m in asked.links.tables if m.span.end <= cue.span.start]
    for option in before[-1].options[:1] if before else ():
        sole = sole_amount(asked, option.id)
        if sole is not None:
            link = LinkOption(sole.id, option.score, 1.0)
            score = ("average.score", option.score)
            yield _than_average(asked, cue, link, cue.argument or ">", score, cue.span.mask)


def _than_average(
    asked: Asked, cue: Cue, option: LinkOption, operator: str, score: tuple[str, float], used: int
) -> Choice:  # fmt: skip
    number = asked.ref(option.id)
    mean = Query(asked.alone(asked.column(option.id).table), (Aggregate("avg", number),))
    features: Features = (score, ("sel.near", option.nearness))
    return where(asked, cue.span.start, used, features, Comparison(number, operator, mean))
