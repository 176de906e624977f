"""Conditions that a follow-up adds to the query before, or puts in place of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from oldhand.agent.analyst.conversation.editing import fixed
from oldhand.agent.analyst.conversation.reaching import joined
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.linking.links import DateMention
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS, split_name, stem, tokenise
from oldhand.query.form import Column, Comparison, Node, Predicate, Query, Relation, Share, negated
from oldhand.query.walk import changed, columns, holds_measure, queries
from oldhand.record.schema import DATES, NUMBERS, Kind
from oldhand.sources.databases.values import ValueMatch

_LONGEST_VALUE = 5
"""Words of a value at most."""
_GLUE = words("asking.going_on")
_NEGATIONS = words("negation.excluding")
_SIGNS = meanings("comparing.signs")


def restricted(scene: Scene, words: str, *, replace: bool) -> Query | None:
    """The query before with the values, times and numbers that `words` name as conditions.

    Args:
        scene: the query before.
        words: such as `in Hamburg`, `2023`, `with status paid`, `above 100`.
        replace: whether a condition on the same column gives way, as in `and in Hamburg?`.

    Returns:
        None when nothing is named, or when a word with content is left over: it would be ignored silently.
    """
    rows = scene.query if replace else fixed(scene)
    if rows is None:
        return None
    fragment = _Fragment(scene, words)
    conditions = [*fragment.values(), *fragment.times(), *fragment.numbers()]
    add = _instead if replace else _also
    made = joined(reduce(add, conditions, rows), scene.schemas)
    return made if made is not None and fragment.is_used_up(made) else None


def borrowed(scene: Scene, other: Query) -> Query | None:
    """The query before with the conditions of another query.

    None when the other one has no conditions, or some that the rows of the query before can't meet.
    """
    rows = fixed(scene)
    if rows is None or not other.where or other.having:
        return None
    return joined(reduce(_also, other.where, rows), scene.schemas)


def _also(query: Query, condition: Predicate) -> Query:
    if holds_measure(condition):
        return replace(query, having=tuple(dict.fromkeys((*query.having, condition))))
    return replace(query, where=tuple(dict.fromkeys((*query.where, condition))))


def _instead(query: Query, condition: Predicate) -> Query:
    """A condition in place of those about the same, be they of all rows, of groups, or of the part of a percentage."""
    found = False

    def swapped(before: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
        nonlocal found
        kept = tuple(one for one in before if not _is_about_same(one, condition))
        if len(kept) == len(before):
            return before
        found = True
        return (*kept, condition)

    def in_part(node: Node) -> Node:
        return replace(node, when=swapped(node.when)) if isinstance(node, Share) else node

    made = replace(
        query,
        select=tuple(changed(term, in_part) for term in query.select),
        where=swapped(query.where),
        having=swapped(query.having),
    )
    return made if found else _also(query, condition)


def _is_about_same(one: Predicate, other: Predicate) -> bool:
    about = columns(one) == columns(other) and holds_measure(one) == holds_measure(other)
    return about and not any(queries(one))


class _Fragment:
    """Reads the words of one follow-up."""

    def __init__(self, scene: Scene, words: str) -> None:
        self._scene = scene
        self._words = words
        self._tokens = tokenise(words)
        self._used: set[int] = set()
        self._negative = any(token.lower in _NEGATIONS for token in self._tokens)
        self._before = (*scene.query.where, *scene.query.having)

    def is_used_up(self, made: Query) -> bool:
        """True when every word with content had its part in `made`, or names what it reads."""
        tables = [table for _, table in replace(self._scene, query=made).tables()]
        names = [table.name for table in tables] + [c.name for t in tables for c in t.columns]
        known = {stem(word) for name in names for word in split_name(name)}
        left = [token for place, token in enumerate(self._tokens) if place not in self._used]
        said = (token for token in left if token.is_word and token.lower not in _GLUE)
        return bool(self._used) and all(token.stem in known for token in said)

    def values(self) -> Iterator[Predicate]:
        """Conditions on the columns that hold words of the fragment."""
        found: list[tuple[int, Column, str]] = []
        for place, matches in self._phrases():
            column = self._column_of(matches) if self._used.isdisjoint(place) else None
            if column is not None:
                found.append((place[0], *column))
                self._used.update(place)
        chosen: dict[Column, list[str]] = {}
        for _, column, value in sorted(found, key=lambda entry: entry[0]):
            chosen.setdefault(column, []).append(value)
        for column, values in chosen.items():
            made = Comparison(column, "=" if len(values) == 1 else "in", tuple(values))
            yield negated(made) if self._negative else made

    def _phrases(self) -> Iterator[tuple[range, Sequence[ValueMatch]]]:
        """Stretches of the fragment that are values, longest first."""
        count = len(self._tokens)
        places = [
            range(start, start + length)
            for length in range(_LONGEST_VALUE, 0, -1)
            for start in range(count - length + 1)
            if any(t.lower not in STOP_WORDS for t in self._tokens[start : start + length])
        ]
        texts = {place: self._text(place) for place in places}
        found: dict[str, list[ValueMatch]] = {}
        for match in self._scene.values.exact(list(texts.values())):
            found.setdefault(match.phrase.casefold(), []).append(match)
        for place, text in texts.items():
            if matches := found.get(text.casefold()):
                yield place, matches

    def _text(self, place: range) -> str:
        return self._words[self._tokens[place[0]].start : self._tokens[place[-1]].end]

    def _column_of(self, matches: Sequence[ValueMatch]) -> tuple[Column, str] | None:
        """Which column is meant: one of the query, else the only one that its rows refer to."""
        own = self._options(matches, [one for one, _ in self._scene.tables()])
        found = own or self._options(matches, [one for one, _ in self._scene.near()])
        return found[0] if own or len({column for column, _ in found}) == 1 else None

    def _options(
        self, matches: Sequence[ValueMatch], relations: Sequence[Relation]
    ) -> list[tuple[Column, str]]:
        """Columns that hold a value: first one that has a condition already, then one that is named."""
        said = {token.stem for token in self._tokens}
        found = [
            (Column(relation, match.column), match.value)
            for relation in relations
            for match in matches
            if (match.database, match.table) == (relation.database, relation.table)
        ]

        def rank(option: tuple[Column, str]) -> tuple[bool, bool]:
            named = said & {stem(word) for word in split_name(option[0].name)}
            return not self._is_tested(option[0]), not named

        return sorted(found, key=rank)

    def _is_tested(self, column: Column) -> bool:
        return any(columns(one) == (column,) and not any(queries(one)) for one in self._before)

    def times(self) -> Iterator[Predicate]:
        """Conditions on the date that the query before is about."""
        for mention in find_dates(self._words, self._tokens, self._scene.today):
            place = range(mention.span.start, mention.span.end)
            found = self._date_column(mention) if not mention.weekdays else None
            if found is None or not self._used.isdisjoint(place):
                continue
            self._used.update(place)
            before = self._tokens[place[0] - 1].lower if place[0] else ""
            column, kind = found
            if kind in NUMBERS:
                yield Comparison(column, "=", (mention.year or 0,))
            else:
                yield _in_time(column, mention, before)

    def _date_column(self, mention: DateMention) -> tuple[Column, Kind] | None:
        """The date with a condition, else the only one of the first table that has one."""
        fallback: tuple[Column, Kind] | None = None
        for relation, table in self._scene.tables():
            dates = [c for c in table.columns if c.kind in DATES]
            years = [c for c in table.columns if c.kind in NUMBERS and "year" in split_name(c.name)]
            for one in (*dates, *years):
                if self._is_tested(Column(relation, one.name)):
                    return Column(relation, one.name), one.kind
            possible = dates or (years if mention.year else [])
            if len(possible) == 1 and fallback is None:
                fallback = Column(relation, possible[0].name), possible[0].kind
        return fallback

    def numbers(self) -> Iterator[Predicate]:
        """A comparison with a number, of the column that is named or of what was compared before."""
        places = [p for p, t in enumerate(self._tokens) if t.number is not None]
        place = next((p for p in places if p not in self._used), None)
        if place is None:
            return
        cues = [p for p, token in enumerate(self._tokens) if token.lower in _SIGNS]
        rest = (t.text for p, t in enumerate(self._tokens) if p not in cues and t.number is None)
        found, before = self._scene.column(" ".join(rest)), self._compared()
        left = found[0] if found else before.left if before else None
        if left is None or not (cues or before):
            return
        operator = (
            _SIGNS[self._tokens[cues[0]].lower] if cues else before.operator if before else ""
        )
        number = self._tokens[place].number or 0.0
        self._used.update({place, *cues})
        yield Comparison(left, operator, (int(number) if number.is_integer() else number,))

    def _compared(self) -> Comparison | None:
        for one in self._before:
            number = isinstance(one, Comparison) and [*map(type, one.values)] in ([int], [float])
            if number and one.operator in (">", ">=", "<", "<=", "="):
                return one
        return None


def _in_time(column: Column, mention: DateMention, before: str) -> Predicate:
    """`column` within the time that is named, or before or after it."""
    start, end = mention.start.isoformat(), mention.end.isoformat()
    if before == "before":
        return Comparison(column, "<", (start,))
    if before in ("after", "since"):
        return Comparison(column, ">=", (end if before == "after" else start,))
    return Comparison(column, "within", (start, end))
