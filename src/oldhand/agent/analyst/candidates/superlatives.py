"""Superlatives: `the oldest`, `the three most expensive`, `the most orders`, `top 5 by revenue`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.sales import selling, sold
from oldhand.agent.analyst.candidates.select import AGGREGATES, aggregates_before
from oldhand.agent.analyst.candidates.sketch import ROWS, Term
from oldhand.agent.analyst.linking.links import Cue, Mention, NumberMention, Option
from oldhand.agent.analyst.words.wordlists import adjective_of

_DOWN = frozenset({"low", "small", "short", "bad", "few", "cheap", "light", "young", "early"})
_UP = frozenset({"high", "large", "great", "big", "most", "good", "long", "late", "recent", "new"})
_COUNTING = frozenset({"most", "few", "asc", "", "popular"})


@dataclass(frozen=True, slots=True)
class _Superlative:
    """One superlative: its cue, how many are wanted, and the tokens that say so."""

    cue: Cue
    limit: int
    used: int
    down: bool
    """True when the least of something is wanted."""

    @property
    def adjective(self) -> str:
        """The plain adjective, or what stands for it."""
        return self.cue.argument.removeprefix("-")

    @property
    def features(self) -> Features:
        """What all choices of this superlative share."""
        return (("super.many", float(self.limit > 1)), (f"super.{self.cue.kind}", 1.0))


def superlative_slots(asked: Asked) -> list[Slot]:
    """One slot for each superlative: sorted by a column or by a count, and cut."""
    slots: list[Slot] = []
    kinds = ("superlative", "most_count", "most_common", "max", "min", "top")
    for cue in [cue for kind in kinds for cue in asked.links.cues_of(kind)]:
        found = _superlative(asked, cue)
        choices = [*_by_measure(asked, found), *_by_named(asked, found), *_by_count(asked, found)]
        choices.extend(_by_pieces(asked, found))
        if choices:
            name = "aggregate_word" if cue.kind in ("max", "min") else "superlative"
            slots.append(Slot(cue.span.mask, (*choices, skip(name))))
    return slots


def _superlative(asked: Asked, cue: Cue) -> _Superlative:
    number = _number_beside(asked, cue)
    used = cue.span.mask | (number.span.mask if number else 0)
    for top in asked.links.cues_of("top"):
        if number and top.span.end == number.span.start:
            used |= top.span.mask
    words = asked.words(cue.span.start, cue.span.end)
    down = (
        cue.argument.startswith("-")
        or cue.argument.removeprefix("-") in _DOWN
        or cue.argument == "asc"
        or cue.kind == "min"
        or "bottom" in words
        or "fewest" in words
    )
    return _Superlative(cue, int(number.value) if number else 1, used, down)


def _number_beside(asked: Asked, cue: Cue) -> NumberMention | None:
    """How many: `top 3`, `3 youngest`, `the 3 employees with the lowest`."""
    whole = [n for n in asked.links.numbers if n.value == int(n.value) and 0 < n.value <= 1000]
    tops = {top.span.end for top in asked.links.cues_of("top")}
    named = (*asked.links.tables, *asked.links.columns)
    things = {mention.span.start for mention in named}
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


def _by_measure(asked: Asked, found: _Superlative) -> Iterator[Choice]:
    """`the oldest`: by a column that the adjective measures."""
    if found.cue.kind != "superlative" or found.adjective in ("most", "few"):
        return
    turned = found.cue.argument.startswith("-")
    for option, upwards in asked.measured(found.adjective, found.cue.span.start):
        features: Features = (
            *found.features,
            ("super.measure", option.score),
            ("sel.near", option.nearness),
        )
        yield _sorted(asked, found, Term(option.id), features, 0, descending=upwards != turned)


def _by_pieces(asked: Asked, found: _Superlative) -> Iterator[Choice]:
    """`the best-selling`, `sold most`, `most popular`: by the number of pieces sold."""
    span = found.cue.span
    verb = selling(asked) & ((1 << span.end + 2) - (1 << max(span.start - 2, 0)))
    words = asked.words(span.start, span.end)
    popular = "popular" in words
    if not (verb or popular) or found.adjective not in _COUNTING | {"good", "bad", "popular"}:
        return
    often = "often" in words or "frequently" in words
    for pieces in sold(asked):
        features: Features = (
            *found.features,
            ("super.pieces_popular" if popular else "super.pieces", 1.0),
        )
        used = found.used | verb
        term = Term(ROWS, "count") if often else Term(pieces.quantity, "sum")
        choice = _sorted(asked, found, Term(pieces.quantity, "sum"), features, verb)
        limit = None if _several(asked, found) else found.limit
        yield replace(choice, terms=(term,), used=used, limit=limit, table=pieces.table)


def _several(asked: Asked, found: _Superlative) -> bool:
    """True for `best-selling products`: several are asked for, and no number says how many."""
    place = found.cue.span.end + (selling(asked) >> found.cue.span.end & 1)
    numbered = any(number.span.mask & found.used for number in asked.links.numbers)
    return not numbered and asked.word(place).endswith("s") and any(asked.tables_after(place, 0))


def _by_named(asked: Asked, found: _Superlative) -> Iterator[Choice]:
    """`the highest salary`, `top 5 by revenue`: by a column that is named."""
    if found.cue.kind not in ("superlative", "max", "min", "top"):
        return
    known = adjective_of(found.adjective) is not None
    if known and found.adjective not in _DOWN | _UP | {""}:
        return
    for mention, name in _columns_beside(asked, found.cue):
        for option in mention.options[:4]:
            entry = asked.column(option.id)
            if entry.numeric or entry.temporal:
                features: Features = (
                    *found.features,
                    (name, option.score),
                    ("sel.near", option.nearness),
                    ("super.key", float(entry.key_like)),
                )
                used = mention.span.mask
                yield _sorted(asked, found, Term(option.id), features, used)
                yield _by_aggregate(asked, found, mention, option, features)


def _by_aggregate(
    asked: Asked, found: _Superlative, mention: Mention, option: Option, features: Features
) -> Choice:
    """By the aggregate that is named before the column; a sum may also be meant without a word."""
    cues = [c for c in aggregates_before(asked, mention.span.start) if c.kind in AGGREGATES]
    used = mention.span.mask
    for cue in cues:
        used |= cue.span.mask
    extra: Features = ((("super.aggregate_named" if cues else "super.aggregate"), 1.0),)
    if any(name == "super.column_by" for name, _ in features):
        extra += (("super.aggregate_by", 1.0),)
    term = Term(option.id, cues[-1].kind if cues else "sum")
    return _sorted(asked, found, term, (*features, *extra), used)


def _sorted(
    asked: Asked,
    found: _Superlative,
    term: Term,
    features: Features,
    used: int,
    *,
    descending: bool | None = None,
) -> Choice:
    return Choice(
        "order",
        features,
        found.used | used,
        asked.table_bit(term.column),
        found.cue.span.start,
        (term,),
        descending=not found.down if descending is None else descending,
        limit=found.limit,
    )


def _columns_beside(asked: Asked, cue: Cue) -> Iterator[tuple[Mention, str]]:
    by = next((b for b in asked.links.cues_of("by") if b.span.start > cue.span.start), None)
    for mention in asked.columns_after(cue.span.end, 3):
        if by is None or mention.span.end <= by.span.start:
            yield mention, "super.column_after"
    for mention in asked.columns_before(cue.span.start, 3):
        yield mention, "super.column_before"
    if by is not None:
        for mention in asked.columns_after(by.span.end, 3):
            yield mention, "super.column_by"


def _by_count(asked: Asked, found: _Superlative) -> Iterator[Choice]:
    """`the most orders`, `most common`: by how many rows belong together."""
    counting = ("superlative", "most_count", "most_common", "top")
    if found.cue.kind not in counting or found.adjective not in _COUNTING:
        return
    seen: set[int] = set()
    mentions, name, used = _counted_things(asked, found.cue)
    for mention in mentions:
        gap = float(mention.span.start - found.cue.span.end)
        for option in mention.options[:3]:
            if option.id not in seen:
                seen.add(option.id)
                features: Features = ((name, option.score), ("super.gap", gap))
                yield _counted(found, option.id, used | mention.span.mask, features)
    for table, score in asked.named_tables.items():
        near = {table: score}
        for edge in asked.vocabulary.joins.edges(table):
            near.setdefault(edge.other(table), 0.4 * score)
        for other, strength in near.items():
            if other not in seen:
                seen.add(other)
                label = "super.count_named" if other == table else "super.count_related"
                yield _counted(found, other, 0, ((label, strength),))


def _counted_things(asked: Asked, cue: Cue) -> tuple[list[Mention], str, int]:
    """The things that are counted: after the superlative, or after `by number of`."""
    by = asked.cue_after(cue.span.end, 6, "by")
    number = asked.cue_after(by.span.end, 1, "count") if by else None
    if number is not None:
        things = list(asked.tables_after(number.span.end, 2))[:1]
        return things, "super.count_by", number.span.mask
    return list(asked.tables_after(cue.span.end, 3))[:2], "super.count_after", 0


def _counted(found: _Superlative, table: int, used: int, features: Features) -> Choice:
    return Choice(
        "order",
        (*features, *found.features, ("super.count", 1.0)),
        found.used | used,
        1 << table,
        found.cue.span.start,
        (Term(ROWS, "count"),),
        descending=not found.down,
        limit=found.limit,
        table=table,
    )
