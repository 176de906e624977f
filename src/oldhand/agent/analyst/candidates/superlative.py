"""One superlative of a question: rows sorted by a term and cut, or by how many there are, as in `the most orders`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.sales import deals, done_at, is_selling, selling, sold
from oldhand.agent.analyst.candidates.worth import line_amounts
from oldhand.agent.analyst.words.cues import ORDINALS
from oldhand.agent.analyst.words.links import Cue, Mention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import is_past_form, singular
from oldhand.query.form import Comparison, Count, Expression, Share

_JUDGING = words("sorting.of_judgement")
_COUNTING = words("sorting.of_number") | {""}
_HAVE = words("verbs.have")
_OF_ONE, _RATES = words("sorting.of_one"), words("asking.rates")
_CLOSE = 0.75
"""How near another table must come to the one that words name best, to be meant by them, too."""
_GUESSED: Features = (("super.count_related", 0.4), ("super.guessed_measure", 1.0))
SEVERAL = 5
"""Rows that are shown where several are asked for, and no number says how many."""


@dataclass(frozen=True, slots=True)
class Superlative:
    """One superlative: its cue, how many are wanted, and the tokens that say so."""

    cue: Cue
    limit: int
    used: int
    down: bool
    """True when the least of something is wanted."""
    passed: int = 0
    """Rows that are passed over: 1 for the second largest."""

    @property
    def adjective(self) -> str:
        """The plain adjective, or what stands for it."""
        return self.cue.argument.removeprefix("-")

    @property
    def features(self) -> Features:
        """What all choices of this superlative share."""
        return (("super.many", float(self.limit > 1)), (f"super.{self.cue.kind}", 1.0))


def sorted_by(
    asked: Asked,
    found: Superlative,
    term: Expression,
    features: Features,
    used: int,
    table: int = -1,
) -> Choice:
    """The choice to sort by a term, or by the rows of a table, and to keep the first ones; `used` are further tokens."""
    tables = asked.bits(term) | (1 << table if table >= 0 else 0)
    return Choice("order", features, found.used | used, tables, found.cue.span.start, (term,),
                  descending=not found.down, limit=found.limit, table=table)  # fmt: skip


def ordinal_before(asked: Asked, cue: Cue) -> tuple[int, int]:
    """The place that the word before a superlative names, and its tokens: 2 for `the second largest`, else 1."""
    ordinal = asked.cue_before(cue.span.start, 0, "ordinal")
    if ordinal is None:
        return 1, 0
    words = asked.words(ordinal.span.start, ordinal.span.end)
    numbers = [ORDINALS.get(word, 0) or (int(word) if word.isdigit() else 0) for word in words]
    return max(1, *numbers), ordinal.span.mask


def is_said_last(asked: Asked, cue: Cue) -> bool:
    """True for the cut of `sales by city, top 5`: the groups with the highest figures."""
    grouped = asked.cue_before(cue.span.start, cue.span.start, "per", "by", "group") is not None
    rest = asked.links.tokens[cue.span.end :]
    return grouped and not any(token.is_word and token.number is None for token in rest)


def by_count(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`the most orders`, `most common`: by how many rows belong together."""
    counting = ("superlative", "most_count", "most_common", "top")
    yield from _by_partners(asked, found)
    yield from _by_worth_to_us(asked, found)
    if found.cue.kind not in counting or found.adjective not in _COUNTING:
        return
    seen: set[int] = set()
    yield from _by_deeds(asked, found)
    mentions, name, used = _counted_things(asked, found.cue)
    for mention in mentions:
        gap = float(mention.span.start - found.cue.span.end)
        for option in mention.options[:3]:
            if option.id not in seen and not _is_second(asked, option.id):
                seen.add(option.id)
                features: Features = ((name, option.score), ("super.gap", gap))
                yield _counted(asked, found, option.id, used | mention.span.mask, features)
    for table, score in {**asked.implied_tables, **asked.named_tables}.items():
        near = {table: score}
        for edge in asked.vocabulary.joins.edges(table):
            if not asked.vocabulary.tables[edge.other(table)].role:
                near.setdefault(edge.other(table), 0.4 * score)
        for other, strength in near.items():
            if other not in seen and not _is_second(asked, other):
                seen.add(other)
                label = "super.count_named" if other == table else "super.count_related"
                yield _counted(asked, found, other, 0, ((label, strength),))


def _is_second(asked: Asked, table: int) -> bool:
    """True where the words that name a table name another far better."""
    named = [m.best.score for m in asked.links.tables if any(o.id == table for o in m.options)]
    return bool(named) and asked.named_tables[table] < _CLOSE * min(named)


def _by_partners(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`The largest city by customers`: by how many of them there are."""
    by = asked.cue_after(found.cue.span.end, 3, "by") if found.adjective in _JUDGING else None
    if by is None:
        return
    number = asked.cue_after(by.span.end, 1, "count")
    said = by.span.mask | (number.span.mask if number else 0)
    for mention in list(asked.tables_after(number.span.end if number else by.span.end, 1))[:1]:
        column = any(m.span.start < mention.span.end < m.span.end for m in asked.links.columns)
        several = asked.word(mention.span.end - 1).endswith("s") and not column
        for option in mention.options[:1] if several else ():
            features: Features = (("super.count_by", option.score),)
            yield _counted(asked, found, option.id, said | mention.span.mask, features)


def _by_worth_to_us(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`Our best customers`, where nothing rates them: a guess, by what they brought in, else by how much there is of what refers to them."""
    judged = found.cue.kind == "superlative" and found.adjective in _JUDGING
    if not judged or asked.cue_after(found.cue.span.end, 3, "by") is not None:
        return
    for mention in list(asked.tables_after(found.cue.span.end, 0))[:1]:
        thing = mention.best.id
        rated = any(
            asked.column(one.id).table == thing for one, _ in measured(asked, found.adjective)
        )
        amounts = [
            a for a in line_amounts(asked.vocabulary) if not rated and asked.tree({a.table, thing})
        ]
        for amount in amounts:
            yield sorted_by(asked, found, amount.sum, _GUESSED, 0, amount.table)
        for other in asked.vocabulary.joins.holders(thing) if not (rated or amounts) else ():
            if not asked.vocabulary.tables[other].role:
                yield _counted(asked, found, other, 0, _GUESSED)
    for mention in list(asked.columns_after(found.cue.span.end, 0))[:1]:
        if asked.is_attribute(mention.best.id) and not asked.is_thing(mention):
            yield _counted(asked, found, asked.column(mention.best.id).table, 0, _GUESSED)


def _by_deeds(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`most frequently prescribed`, `prescribed most often`: by how often it was done."""
    span = found.cue.span
    the = asked.word(span.start - 1) == "the"
    for place in (span.end, span.start - 1 - the):
        if not is_past_form(asked.word(place)) and not is_selling(asked, place):
            continue
        for option, deed in done_at(asked, place):
            features: Features = (("super.deed", option.score),)
            yield _counted(asked, found, option.id, deed.mask, features)


def _counted_things(asked: Asked, cue: Cue) -> tuple[list[Mention], str, int]:
    """The things that are counted: after the superlative, or after `by number of`."""
    by = asked.cue_after(cue.span.end, 6, "by")
    number = asked.cue_after(by.span.end, 1, "count") if by else None
    if number is not None:
        things = list(asked.tables_after(number.span.end, 2))[:1]
        return things, "super.count_by", number.span.mask
    return list(asked.tables_after(cue.span.end, 3))[:2], "super.count_after", 0


def _counted(asked: Asked, found: Superlative, table: int, used: int, features: Features) -> Choice:
    features = (*features, *found.features, ("super.count", 1.0))
    return sorted_by(asked, found, Count(), features, used, table)


def by_pieces(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`the best-selling`, `sold most`, `most popular`: by the number of pieces sold."""
    span = found.cue.span
    verb = selling(asked) & ((1 << span.end + 2) - (1 << max(span.start - 2, 0)))
    words = asked.words(span.start, span.end)
    popular = "popular" in words
    if not (verb or popular) or found.adjective not in _COUNTING | {"good", "bad", "popular"}:
        return
    often = "often" in words or "frequently" in words
    for pieces in sold(asked):
        name = "super.pieces_popular" if popular else "super.pieces"
        term = Count() if often else pieces.sum
        features: Features = (*found.features, (name, 1.0))
        yield sorted_by(asked, found, term, features, verb, pieces.table)
    for table in deals(asked) if not sold(asked) else ():
        features = (*found.features, ("super.pieces", 1.0))
        yield sorted_by(asked, found, Count(), features, verb, table)


def by_share(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`The highest no-show rate`, `the largest share of cancelled orders`: by how much of all falls to a value."""
    end, of = found.cue.span.end, asked.cue_after(found.cue.span.end, 0, "share")
    for value in asked.links.values:
        rated = value.span.start == end and asked.word(value.span.end) in _RATES
        part = of is not None and of.span.end <= value.span.start <= of.span.end + 1
        if not (rated or part):
            continue
        things = list(asked.tables_after(value.span.end, 0)) if part else []
        used = Span(end, value.span.end + rated).mask | spans(things[:1])
        for option in value.options[:2]:
            share = Share((Comparison(asked.ref(option.column), "=", option.values[:1]),))
            features: Features = (
                *found.features,
                ("super.pieces", 1.0),
                ("share.of", option.score),
            )
            yield sorted_by(asked, found, share, features, used, asked.column(option.column).table)


def wanted(asked: Asked, found: Superlative) -> int:
    """How many rows are shown: the number that is said, else `SEVERAL` for `which customers have the most orders`."""
    numbered = any(number.span.mask & found.used for number in asked.links.numbers)
    if numbered or found.passed or found.cue.kind in ("max", "min"):
        return found.limit
    return SEVERAL if _several(asked, found) else 1


def _several(asked: Asked, found: Superlative) -> bool:
    """True where the noun is in the plural whose first ones are wanted: the one after `best selling`, or before `with the most`."""
    start, end = found.cue.span.start, found.cue.span.end
    start -= asked.word(start - 1) == "the"
    rest = asked.words(end, len(asked.links.tokens))
    if asked.word(start - 1) in _OF_ONE or _OF_ONE.intersection(rest):
        return False
    if asked.word(0) in ("what", "which") and asked.word(1) in ("is", "was"):
        return False  # `what is the name of the goods` is one name
    deed = is_selling(asked, end) or asked.word(end).endswith(("ed", "paid"))
    deed = deed and asked.word(start - 1) not in _HAVE  # `had the most cancelled sailings`
    numbers = found.cue.kind == "most_count" or found.adjective in ("most", "few")
    counts = numbers and found.cue.kind != "most_common"
    tables = asked.vocabulary.tables
    things = _nouns(asked, asked.links.tables, lambda one: tables[one].table.name)
    columns = _nouns(asked, asked.links.columns)
    sums = {m.span for m in asked.links.columns if asked.column(m.best.id).measures}
    sums &= {*things}  # `which month had the highest payments`
    things, columns = ([one for one in nouns if one not in sums] for nouns in (things, columns))
    after = [
        one
        for one in things
        if one.start == end + deed
        and (deed or not counts)
        # `The highest sales amount` is an amount.
        and not any(column.start <= one.end < column.end for column in columns)
    ]
    # What ends right before `the most` is a verb: `owns the most`.
    before = [
        one
        for one in (*things, *columns)
        if one.end < start or one.end == start == found.cue.span.start
    ]
    before.sort(key=lambda noun: noun.end)
    other = [one for one in columns if one.start == end and not counts]
    heads = after or before[-1:] or other
    return any(singular(word) != word for word in (asked.word(one.end - 1) for one in heads))


def _nouns(
    asked: Asked, mentions: Iterable[Mention], name: Callable[[int], str] = lambda _: ""
) -> list[Span]:
    """Where things are named that are not counted, but for participles such as `ordered` that are no name."""
    found: list[Span] = []
    for mention in mentions:
        last = asked.word(mention.span.end - 1)
        verb = last.endswith(("ed", "ing")) and last not in name(mention.best.id).lower()
        if mention.best.score >= 0.5 and not verb and asked.word(mention.span.start - 1) != "many":
            found.append(mention.span)
    return found
