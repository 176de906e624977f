"""Conditions that a follow-up adds to the query before, or puts in place of its own."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.agent.analyst.conversation.editing import fixed
from oldhand.agent.analyst.conversation.scene import Scene, column_node
from oldhand.agent.analyst.linking.links import DateMention
from oldhand.agent.analyst.rendering.names import conjuncts, sources
from oldhand.agent.analyst.splitting.joining import all_of
from oldhand.agent.analyst.telling.ratios import part_of
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS, Token, split_name, stem, tokenise
from oldhand.record.schema import DATES, NUMBERS, Kind
from oldhand.sources.databases.values import ValueMatch

_LONGEST_VALUE = 5
"""Words of a value at most."""
_GLUE = words("asking.going_on")
_NEGATIONS = words("negation.excluding")
_SIGNS = meanings("comparing.signs")
_COMPARED: dict[str, type[exp.Binary]] = {">": exp.GT, "<": exp.LT, ">=": exp.GTE, "<=": exp.LTE}


def restricted(scene: Scene, words: str, *, replace: bool) -> exp.Select | None:
    """The query before with the values, times and numbers that `words` name as conditions.

    Args:
        scene: the query before.
        words: such as `in Hamburg`, `2023`, `with status paid`, `above 100`.
        replace: whether a condition on the same column gives way, as in `and in Hamburg?`.

    Returns:
        None when nothing is named, or when a word with content is left over: it would be ignored silently.
    """
    rows = scene.query.copy() if replace else fixed(scene)
    if rows is None:
        return None
    narrowing = _Narrowing(scene, rows, words, replace)
    narrowing.by_values()
    narrowing.by_dates()
    narrowing.by_number()
    return narrowing.result()


def borrowed(scene: Scene, other: exp.Select) -> exp.Select | None:
    """The query before with the conditions of another query over the same tables.

    None when the other one has no conditions, or some that the tables of the query before can't meet.
    """
    rows, where = fixed(scene), other.args.get("where")
    if rows is None or not isinstance(where, exp.Where) or other.args.get("having"):
        return None
    places = {_place(s.table): s.alias for s in sources(rows) if s.table is not None}
    aliases = {s.alias: places.get(_place(s.table)) for s in sources(other) if s.table is not None}
    if any(alias is None for alias in aliases.values()) or where.this.find(exp.Query):
        return None
    condition = where.this.copy()
    for column in condition.find_all(exp.Column):
        column.set("table", exp.to_identifier(aliases.get(column.table) or column.table))
    mine = rows.args.get("where")
    before = conjuncts(mine.this) if isinstance(mine, exp.Where) else []
    rows.set("where", exp.Where(this=all_of([*before, condition])))
    return rows


def _place(table: exp.Table) -> tuple[str, str, str]:
    return (table.catalog, table.db, table.name)


class _Narrowing:
    """Reads one fragment, and changes a copy of the query before."""

    def __init__(self, scene: Scene, query: exp.Select, words: str, replace: bool) -> None:
        self._scene = scene
        self._words = words
        self._replace = replace
        self._tokens = tokenise(words)
        self._query = query
        self._used: set[int] = set()
        self._negative = any(token.lower in _NEGATIONS for token in self._tokens)

    def result(self) -> exp.Select | None:
        """The changed query, when every word of the fragment had its part in it."""
        left = (token for i, token in enumerate(self._tokens) if i not in self._used)
        if not self._used or any(self._has_content(token) for token in left):
            return None
        return self._query

    def _has_content(self, token: Token) -> bool:
        if not token.is_word or token.lower in _GLUE:
            return False
        tables = [table for _, table in self._scene.tables()]
        names = [table.name for table in tables] + [c.name for t in tables for c in t.columns]
        return token.stem not in {stem(word) for name in names for word in split_name(name)}

    def by_values(self) -> None:
        """Conditions on the columns that hold words of the fragment."""
        found: list[tuple[int, str, ValueMatch]] = []
        for place, matches in self._phrases():
            if self._used.isdisjoint(place) and (column := self._column_of(matches)):
                found.append((place[0], *column))
                self._used.update(place)
        chosen: dict[tuple[str, str], list[str]] = {}
        for _, alias, match in sorted(found, key=lambda entry: entry[0]):
            chosen.setdefault((alias, match.column), []).append(match.value)
        for (alias, name), values in chosen.items():
            column = column_node(name, alias)
            literals = [exp.Literal.string(value) for value in values]
            condition: exp.Expr = (
                exp.EQ(this=column, expression=literals[0])
                if len(literals) == 1
                else exp.In(this=column, expressions=literals)
            )
            self._add(column, exp.Not(this=condition) if self._negative else condition)

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

    def _column_of(self, matches: Sequence[ValueMatch]) -> tuple[str, ValueMatch] | None:
        """Which column of the query is meant: one that has a condition already, one that is named, or the first."""
        said = {token.stem for token in self._tokens}
        options: list[tuple[bool, bool, str, ValueMatch]] = []
        for alias, table in self._scene.tables():
            for match in matches:
                if (match.database, match.table) != (self._scene.database(alias), table.name):
                    continue
                tested = self._replace and bool(self._tests(column_node(match.column, alias)))
                named = bool(said & {stem(word) for word in split_name(match.column)})
                options.append((tested, named, alias, match))
        if not options:
            return None
        best = max(options, key=lambda option: option[:2])
        return best[2], best[3]

    def by_dates(self) -> None:
        """Conditions on the date that the query before is about."""
        for mention in find_dates(self._words, self._tokens, self._scene.today):
            place = range(mention.span.start, mention.span.end)
            column = self._date_column(mention) if not mention.weekdays else None
            if column is None or not self._used.isdisjoint(place):
                continue
            node, kind = column
            self._used.update(place)
            if kind in NUMBERS:
                self._add(node, exp.EQ(this=node, expression=exp.Literal.number(mention.year or 0)))
                continue
            before = self._tokens[place[0] - 1].lower if place[0] else ""
            self._add(node, _in_time(node, mention, before))

    def _date_column(self, mention: DateMention) -> tuple[exp.Column, Kind] | None:
        """The date with a condition, else the only one of the first table that has one."""
        fallback: tuple[exp.Column, Kind] | None = None
        for alias, table in self._scene.tables():
            dates = [c for c in table.columns if c.kind in DATES]
            years = [c for c in table.columns if c.kind in NUMBERS and "year" in split_name(c.name)]
            if mention.year and not dates:
                dates = years
            tested = [c for c in (*dates, *years) if self._tests(column_node(c.name, alias))]
            for column in tested[:1]:
                return column_node(column.name, alias), column.kind
            if len(dates) == 1 and fallback is None:
                fallback = column_node(dates[0].name, alias), dates[0].kind
        return fallback

    def by_number(self) -> None:
        """A comparison with a number, of the column that is named or was compared before."""
        for place, token in enumerate(self._tokens):
            if token.number is None or place in self._used:
                continue
            cues = [
                (i, _COMPARED[_SIGNS[t.lower]])
                for i, t in enumerate(self._tokens)
                if t.lower in _SIGNS
            ]
            compared = self._compared()
            found = self._scene.column(" ".join(t.text for t in self._tokens if t.number is None and t.lower not in _SIGNS))  # fmt: skip
            column = found[0] if found else compared.this.copy() if compared is not None else None
            if column is None or not (cues or compared is not None):
                return
            compare = cues[0][1] if cues else type(compared) if compared is not None else exp.GT
            value = int(token.number) if token.number.is_integer() else token.number
            self._add(column, compare(this=column, expression=exp.Literal.number(value)))
            self._used.update({place, *(i for i, _ in cues)})
            return

    def _compared(self) -> exp.Binary | None:
        for part in self._parts():
            if isinstance(part, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.EQ):
                number = isinstance(part.expression, exp.Literal) and not part.expression.is_string
                if number and isinstance(part.this, exp.Column):
                    return part
        return None

    def _parts(self) -> list[exp.Expr]:
        where = self._query.args.get("where")
        if not isinstance(where, exp.Where):
            return []
        return conjuncts(where.this)

    def _tests(self, column: exp.Column) -> list[exp.Expr]:
        """The conditions of the query that are about `column` alone."""
        return [
            part
            for part in self._parts()
            if (columns := list(part.find_all(exp.Column)))
            and all(_same(c, column) for c in columns)
            and not part.find(exp.Query)
        ]

    def _add(self, column: exp.Column, condition: exp.Expr) -> None:
        if self._replace and self._in_part(column, condition):
            return
        given_way = self._tests(column) if self._replace else []
        kept = [part for part in self._parts() if not any(part is other for other in given_way)]
        if condition not in kept:
            kept.append(condition)
        self._query.set("where", exp.Where(this=all_of(kept)))

    def _in_part(self, column: exp.Column, condition: exp.Expr) -> bool:
        """Put a condition in the place of the one that tells the part of a percentage, if that is about `column`."""
        for output in self._query.selects:
            part = part_of(output.unalias())
            if part is not None and any(_same(c, column) for c in part.find_all(exp.Column)):
                part.replace(condition)
                return True
        return False


def _same(one: exp.Column, other: exp.Column) -> bool:
    return (one.table, one.name) == (other.table, other.name)


def _in_time(column: exp.Column, mention: DateMention, before: str) -> exp.Expr:
    """`column` within the time that is named, or before or after it."""
    start = exp.Literal.string(mention.start.isoformat())
    end = exp.Literal.string(mention.end.isoformat())
    if before == "before":
        return exp.LT(this=column, expression=start)
    if before == "after":
        return exp.GTE(this=column, expression=end)
    if before == "since":
        return exp.GTE(this=column, expression=start)
    return exp.and_(
        exp.GTE(this=column.copy(), expression=start), exp.LT(this=column.copy(), expression=end)
    )
