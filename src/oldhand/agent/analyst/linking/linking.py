"""Finds the tables and columns that the words of a question name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from oldhand.agent.analyst.linking.word_hits import word_hits
from oldhand.agent.analyst.linking.written import but_deeds, meant_by, written
from oldhand.agent.analyst.words.entries import WordHit
from oldhand.agent.analyst.words.fitting import ASKED_FOR, NEAR, PARTIAL, WHOLE
from oldhand.agent.analyst.words.links import LinkOption, Mention, Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token, word_stems
from oldhand.lexicon.wording import is_past_form, singular

MIN_SCORE = 0.3
ROLE = 0.55
"""How surely a role, such as the manager of an employee, must be named to be read."""
_HALF = 0.55
"""How well a name must fit words, against the best, to be thought of before it for what stands near."""
KEPT = 6
"""Options of a mention that are kept."""
_COMPUTED = 0.75
"""How surely a name must hold `total` for it to ask for no sum: an amount does not."""
_OPENING, _CONTAINERS = word_stems("names.prefixes"), word_stems("names.containers")
_GLUE = words("function_words.inside_names")


@dataclass(frozen=True, slots=True)
class _Link:
    item: int
    span: Span
    score: float
    words: int
    """Words of the question that it explains."""
    owner: int
    """Where the words start that only say whose it is: `of the product` in `the description of the product`; else its end."""

    @property
    def is_compact(self) -> bool:
        """True for a whole name of several words that stand side by side."""
        return self.score >= WHOLE and 1 < self.words == self.span.end - self.span.start

    @property
    def without_owner(self) -> "_Link":
        """The same, of which the table says whose it is."""
        own = Span(self.span.start, self.owner)
        return replace(self, span=own, words=min(self.words, own.end - own.start))


def link_tables(
    tokens: Sequence[Token], vocabulary: Vocabulary, added: Sequence[tuple[int, WordHit]] = ()
) -> tuple[Mention, ...]:
    """The mentions of tables, in their order.

    Args:
        tokens: the words of the question.
        vocabulary: the tables.
        added: positions and hits of learned phrases.
    """
    links: list[_Link] = []
    own = {form for table in vocabulary.tables for form in table.forms}
    said = {token.stem for token in tokens if not is_past_form(token.lower)}
    for (table, form), places in _gathered(tokens, vocabulary, added, "table"):
        words = vocabulary.tables[table].forms[form]
        little = _OPENING | _CONTAINERS if words[-1] in _CONTAINERS and words[:-1] not in own else _OPENING  # fmt: skip
        little -= _CONTAINERS & said  # `registers` are those of exams, where that is said
        if words[-1] in said and words[-1] in vocabulary.heads:  # `vouchers` for gift vouchers
            little = frozenset(words[:-1])
        weights = tuple(0.25 if word in little and words[1:] else 1.0 for word in words)
        # A hit of no strength is the rest of a learned phrase.
        named = [place for place in places if place[1] >= 0 or not place[2]]
        links.extend(_clusters(table, named or places, weights, tokens))
    found_here = (_surely(mention, vocabulary) for mention in _mentions(links, {}))
    found_here = (but_deeds(mention, vocabulary, tokens) for mention in found_here)
    return tuple(mention for mention in found_here if mention.options)


def _surely(mention: Mention, vocabulary: Vocabulary) -> Mention:
    """Without tables that fit much worse: those that only their descriptions speak of."""
    least = 0.5 * mention.best.score
    options = tuple(
        option
        for option in mention.options
        if option.score >= (ROLE if vocabulary.tables[option.id].role else least)
    )
    return replace(mention, options=options)


def link_columns(
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    tables: Sequence[Mention],
    computing: int = 0,
    added: Sequence[tuple[int, WordHit]] = (),
) -> tuple[Mention, ...]:
    """The mentions of columns, in their order; tables named nearby decide between equal names.

    Args:
        tokens: the words of the question.
        vocabulary: the columns.
        tables: the tables that are named.
        computing: words that tell to count or to add up, as bits. They are no part of a name of
            which no other word is named, unless they are all of it.
        added: positions and hits of learned phrases.
    """
    links: list[_Link] = []
    for (column, form), places in _gathered(tokens, vocabulary, added, "column"):
        weights = vocabulary.columns[column].weights[form]
        own = vocabulary.table_of(column).words
        sure = _named_surely(places, weights, computing)
        links.extend(_clusters(column, sure, weights, tokens, own))
    nearness = _Nearness(tokens, vocabulary, tables)
    names = {vocabulary.columns[link.item].column.name.lower() for link in links}
    plurals = {name for name in names if name != singular(name)}
    links = [_less_than_things(one, tokens, vocabulary, tables, plurals) for one in _apart(links)]
    near = {link: nearness.of(link) for link in links}
    return tuple(_mentions(links, near))


def _less_than_things(
    link: _Link,
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    tables: Sequence[Mention],
    plurals: AbstractSet[str],
) -> _Link:
    """Where a table is called by the very word, a column that has it not is meant less: `installers` are no `installed_on`, nor `visits` a `booked_on`.

    So is one of several words where another is called by the very plural: `stems` are no `stem_price`.
    """
    if link.words > 1:
        return link
    token = tokens[link.span.start]
    things = (o.id for m in tables if m.span.overlaps(link.span) for o in m.options)
    is_thing = any(written(token, vocabulary.tables[t].table.name) for t in things)
    entry = vocabulary.columns[link.item]
    return replace(link, score=link.score * meant_by(token, entry, plurals, is_thing=is_thing))


_Place = tuple[int, int, float]
"""Where in the question a word stands, which word of a name it may be, and how surely."""


def _gathered(
    tokens: Sequence[Token],
    vocabulary: Vocabulary,
    added: Sequence[tuple[int, WordHit]],
    kind: Literal["table", "column"],
) -> Iterable[tuple[tuple[int, int], list[_Place]]]:
    """The hits of each form of each table, or of each column."""
    found: dict[tuple[int, int], list[_Place]] = defaultdict(list)
    for position, hit in (*word_hits(tokens, vocabulary), *added):
        item = hit.table if kind == "table" else hit.column
        if item >= 0:
            found[item, hit.form].append((position, hit.word, hit.strength))
    return found.items()


def _named_surely(places: list[_Place], weights: tuple[float, ...], computing: int) -> list[_Place]:
    """The hits without words that compute, where no other word of the name is there itself, or where another says the same better: `total labour amount`."""
    told = sorted((s, w) for p, w, s in places if w >= 0 and not computing >> p & 1)
    others = {w: s for s, w in told}
    kept = max(others.values(), default=0.0) >= 0.9 or sum(one >= 1 for one in weights) == 1
    return [
        (p, w, s)
        for p, w, s in places
        if not computing >> p & 1 or (kept and s >= max(others.get(w, 0.0), _COMPUTED))
    ]


def _clusters(
    item: int,
    places: list[_Place],
    weights: tuple[float, ...],
    tokens: Sequence[Token],
    own: AbstractSet[str] = frozenset(),
) -> Iterator[_Link]:
    """Words of one name that stand close together make one link."""
    exact = {p for p, w, s in places if w >= 0 and s == 1.0}
    places = sorted(
        (p, w if w >= 0 else -1 - p, s) for p, w, s in places if s == 1.0 or p not in exact
    )
    cluster: dict[int, tuple[int, float]] = {}
    last = -1
    for position, word, strength in places:
        # Of `the total insured value`, the last word is the value, and the total is none.
        fresh = word not in cluster or cluster[word][0] == position or cluster[word][1] < strength
        if cluster and not (fresh and _close(tokens, last, position, own)):
            yield from _link(item, cluster, weights, tokens, own)
            cluster = {}
        if word not in cluster or strength > cluster[word][1]:
            cluster[word] = (position, strength)
        last = position
    yield from _link(item, cluster, weights, tokens, own)


def _close(tokens: Sequence[Token], last: int, position: int, own: AbstractSet[str]) -> bool:
    """True when only glue, or the name of the table itself, stands between."""
    between = tokens[last + 1 : position]
    return len(between) <= 3 and all(token.lower in _GLUE or token.stem in own for token in between)


def _link(
    item: int,
    cluster: dict[int, tuple[int, float]],
    weights: tuple[float, ...],
    tokens: Sequence[Token],
    own: AbstractSet[str],
) -> Iterator[_Link]:
    described = sum(strength for word, (_, strength) in cluster.items() if word < 0)
    gained = sum(weights[word] * s for word, (_, s) in cluster.items() if word >= 0)
    score = max(gained / max(sum(weights), 1.0), min(described, 0.6))
    positions = {position for position, _ in cluster.values()}
    solid = [p for p in positions if tokens[p].lower not in STOP_WORDS or tokens[p].lower == "name"]
    if solid and score >= MIN_SCORE:
        start, end = min(positions), max(positions) + 1
        owner = _owner(sorted(positions), tokens, own)
        yield _Link(item, Span(start, end), min(score, 1.0), len(positions), owner)


def _owner(places: Sequence[int], tokens: Sequence[Token], own: AbstractSet[str]) -> int:
    """The end of a name without the words of its own table that stand apart from it at its end."""
    for before, place in reversed([*pairwise(places)]):
        if tokens[place].stem not in own:
            break
        if place - before > 1:
            return before + 1
    return places[-1] + 1


def _apart(links: Iterable[_Link]) -> Iterator[_Link]:
    """Words side by side are one name before others are: in `color description of the product` no product is described."""
    listed = list(links)
    names = [link.span for link in listed if link.is_compact]
    for link in listed:
        torn = (
            n
            for n in names
            if n.overlaps(link.span) and not (n.holds(link.span) or link.span.holds(n))
        )
        yield link.without_owner if link.owner < link.span.end and any(torn) else link


class _Nearness:
    """How much the tables that are named around a column's words speak for its table."""

    def __init__(
        self, tokens: Sequence[Token], vocabulary: Vocabulary, tables: Sequence[Mention]
    ) -> None:
        self._tokens = tokens
        self._vocabulary = vocabulary
        self._named: dict[int, list[tuple[Span, float]]] = defaultdict(list)
        self._related: dict[int, float] = defaultdict(float)
        for mention in tables:
            for option in mention.options:
                self._named[option.id].append((mention.span, option.score))
                for edge in vocabulary.joins.edges(option.id):
                    other = edge.other(option.id)
                    self._related[other] = max(self._related[other], 0.15 * option.score)

    def of(self, link: _Link) -> float:
        """0 for a table that is not named and joins none that is, 1 for `name of the TABLE`."""
        table = self._vocabulary.columns[link.item].table
        best = self._related.get(table, 0.0)
        for span, score in self._named.get(table, ()):
            best = max(best, score * self._closeness(link.span, span))
        return best

    def _closeness(self, column: Span, table: Span) -> float:
        if column.overlaps(table):
            return 0.9
        first, second = sorted((column, table), key=lambda span: span.start)
        between = [token.lower for token in self._tokens[first.end : second.start]]
        if first is column and between[:1] in (["of"], ["for"], ["from"]) and len(between) <= 3:
            return 1.0
        if first is table and (not between or between == ["s"]):
            return 1.0
        if first is column and between[:1] == ["and"]:
            return 0.6
        return max(0.4, 0.75 - 0.04 * len(between))


def _mentions(links: Iterable[_Link], near: dict[_Link, float]) -> Iterator[Mention]:
    """Links over the same words compete: the one that explains most is the anchor of a mention."""

    def strength(link: _Link) -> tuple[float, float, int]:
        return (link.words * link.score, near.get(link, 0.0), -link.item)

    groups: list[tuple[_Link, list[_Link]]] = []
    for link in sorted(links, key=strength, reverse=True):
        home = next((g for a, g in groups if a.span.overlaps(link.span)), None)
        if home is None:
            groups.append((link, [link]))
        else:
            home.append(link)
    for anchor, members in sorted(groups, key=lambda group: group[0].span.start):
        best: dict[int, LinkOption] = {}
        for link in members:
            share = min(1.0, link.words / anchor.words) ** 0.7
            option = LinkOption(link.item, link.score * share, near.get(link, 0.0))
            if link.item not in best or _rank(option) > _rank(best[link.item]):
                best[link.item] = option
        most = max(option.score for option in best.values())
        kept = [o for o in best.values() if most < WHOLE or o.score > PARTIAL or o.nearness >= NEAR]
        # A pay rate is no `cost`, however near it stands, where a column is called so.
        likely = _HALF * most if most > ASKED_FOR else 0.0
        options = sorted(kept, key=_rank, reverse=True)[:KEPT]
        yield Mention(anchor.span, tuple(sorted(options, key=lambda o: o.score < likely)))


def _rank(option: LinkOption) -> tuple[float, int]:
    return (option.score + 0.6 * option.nearness, -option.id)
