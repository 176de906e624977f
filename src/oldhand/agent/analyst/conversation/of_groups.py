"""What is said of the groups of an answer, rather than of the rows in them: `only those with more than 50`, `the best channel`."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.comparing import comparison_at
from oldhand.agent.analyst.conversation.extremes import is_low
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.restriction import is_amount
from oldhand.agent.analyst.words.links import NumberMention
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import Token, stem, tokenise
from oldhand.lexicon.wording import singular
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.describing.nouns import finest
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    Elapsed,
    Expression,
    Order,
    Predicate,
    Query,
)
from oldhand.query.walk import attribute, columns, figures_of, is_measure

_AROUND, _COUNTING = words("grouping.around"), words("correcting.counting")
_ENDS = words("sorting.ends")
_SIZES = words("sorting.of_size") | words("sorting.of_anything")


def amount_of_groups(scene: Scene, said: str) -> Comparison | None:
    """The condition on the figure of groups that an amount says; None where it is one of the rows, or of something else.

    `More than 50 bookings` are those of a group; `bookings over 50` are rows, each with an amount of its own.
    """
    figure = _figure(scene) or _compared(scene)
    if figure is None:
        return None
    tokens, groups = tokenise(said), _groups(scene)
    functions = meanings("grouping.aggregates")
    function = figure.function if isinstance(figure, Aggregate) else ""
    computes = {one.stem for one in tokens if (functions.get(one.lower) == function if function else one.lower in _COUNTING)}  # fmt: skip
    own = {stem(part) for one in columns(figure) for part in split_name(one.name)}
    counted = finest(scene.query.rows) if figure == Count() else None
    things = {stem(part) for part in split_name((counted or scene.things).table)}
    if function and tokens and tokens[-1].stem in things - own - groups:
        figure = Count()  # only towns with more than 50 sales
    own = own if figure != Count() else things
    rest = _without(tokens, groups | computes | (own if computes else set()), groups | own)
    text = said[rest[0].start : rest[-1].end] if rest else ""
    if not is_amount(text):
        return None
    known = vocabulary(scene.schemas)
    links = link(text, known, scene.values, scene.today)
    at = next(place for place, one in enumerate(links.tokens) if one.number is not None)
    number = NumberMention.at(links.tokens, at)  # of groups, 2000 is no year
    compared = comparison_at(Asked(links, known), number)
    return compared.of(figure) if compared.operator != "=" else None


def extreme_groups(scene: Scene, degree: str) -> Query | None:
    """The one or more groups with the most or the least of their figure: `the two lowest`, `the best channel`; None where groups have none, or several."""
    figure, query = _figure(scene), scene.query
    if figure is None:
        return None
    tokens, groups = tokenise(degree), _groups(scene)
    number = next((int(one.number) for one in tokens if one.number and one.lower != "one"), 0)
    rest = _without([one for one in tokens if one.number is None], groups, groups)
    several = any(one.stem in groups and singular(one.lower) != one.lower for one in tokens)
    text = " ".join(one.lower for one in rest)
    if not text or (several and not number):
        return None
    descending = text != "bottom" and not is_low(text)
    if adjective_of(text) not in _SIZES and text not in _ENDS:
        found = scene.said(f"the {text}")  # the `cheapest` of average prices
        order = found.order[0] if found is not None and found.order and found.limit else None
        if found is None or order is None or found.where or columns(order.by) != columns(figure):
            return None
        # Who was born first is the oldest.
        turned = isinstance(attribute(figure), Elapsed) and isinstance(order.by, ColumnRef)
        descending = order.descending is not turned
    return replace(query, order=(Order(figure, descending),), limit=number or 1)


def _figure(scene: Scene) -> Expression | None:
    """What is told of each group, where that is one figure."""
    figures = figures_of(scene.query)
    return figures[0] if scene.query.group and len(figures) == 1 else None


def _compared(scene: Scene) -> Expression | None:
    """What tells groups apart of which no figure is shown, where nothing else is compared: customers with more than 3 orders."""
    query = scene.query
    told = [one.left for one in query.having if isinstance(one, Comparison) and is_measure(one.left)]  # fmt: skip
    alone = len(told) == 1 and not figures_of(query) and not any(map(_is_number, query.where))
    return told[0] if alone else None


def _is_number(one: Predicate) -> bool:
    return isinstance(one, Comparison) and any(isinstance(value, int | float) for value in one.values)  # fmt: skip


def _groups(scene: Scene) -> set[str]:
    """The stems of words that name the groups."""
    keys = [one for term in scene.query.group for one in columns(term)]
    things = scene.things
    names = [part for one in keys for part in (*split_name(one.name), *(split_name(one.of.table) if one.of != things else ()))]  # fmt: skip
    return {*map(stem, names)} | {*map(stem, _AROUND)}


def _without(
    tokens: Sequence[Token], before: Collection[str], behind: Collection[str]
) -> Sequence[Token]:
    """Tokens without those of some stems at both ends."""
    start, end = 0, len(tokens)
    while start < end and tokens[start].stem in before:
        start += 1
    while start < end and tokens[end - 1].stem in behind:
        end -= 1
    return tokens[start:end]
