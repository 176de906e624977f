"""Views of the schemas by what the words of a question mean, within the room that a prompt has."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.view import SchemaView
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.viewing.relevance import HeldValues, Relevance, TablePlace, relevance
from oldhand.errors import ViewTooSmall
from oldhand.lexicon.wording import counted
from oldhand.models.disclosure import as_sent, disclosure_of, without_values
from oldhand.models.quoting import one_line
from oldhand.models.schema_text import database_text, schema_text, table_text
from oldhand.models.tokens import estimate_tokens
from oldhand.record.schema import Column, DatabaseSchema, Disclosure, Same, Table
from oldhand.sources.databases.near_values import near_misses

NAMES_SHARE = 0.1
"""How much of the room the names of what is left out may take."""
BARE_SHARE = 0.6
"""How much of the room is filled with tables before the best ones are shown with what their values look like."""
NAMES_ROOM = 60
"""Tokens that the names of columns may take that are left out of a table."""
WIDE = 16
"""Columns up to which a table is shown whole, however little it has to do with the question."""
_LEAST = 6
"""Tokens that a column takes at least."""
_MISSES = 12
"""Tables in a row for which there was no room, after which no more are tried."""


class LinkedViewer:
    """Shows the schemas whole where they fit, else what the question is about."""

    def __init__(self, values: ValueSource, tokens: int) -> None:
        self._values = values
        self._tokens = tokens

    def of(self, inquiry: Inquiry) -> "LinkedViews":
        """The views for one question; reads the values of the databases when they are needed for the first time."""
        return LinkedViews(inquiry, self._values, self._tokens)


# The most useful part of the schemas that a prompt has room for.
@dataclass
class _Part:
    """One table, as much of it as is shown."""

    place: TablePlace
    table: Table
    score: float
    named: Mapping[str, float]
    shown: Table | None = None
    tokens: int = 0

    @property
    def left_out(self) -> list[str]:
        """Columns that are not shown."""
        names = {column.name for column in self.shown.columns} if self.shown else set[str]()
        return [column.name for column in self.table.columns if column.name not in names]

    def bare(self) -> Table:
        """Without what values look like, and of a wide table only what matters: keys, named columns, the first ones."""
        columns = self.table.columns
        if len(columns) > WIDE:
            order = sorted(range(len(columns)), key=lambda at: (-self._worth(columns[at]), at))
            columns = tuple(columns[at] for at in sorted(order[:WIDE]))
        return self.table.model_copy(update={"columns": tuple(map(without_values, columns))})

    def richer(self) -> Table:
        """With all columns, and with the values of those that are named."""
        columns = tuple(
            column if column.name in self.named else without_values(column)
            for column in self.table.columns
        )
        return self.table.model_copy(update={"columns": columns})

    def _worth(self, column: Column) -> float:
        keys = {name for key in self.table.foreign_keys for name in key.columns}
        is_key = column.primary_key or column.name in keys
        return self.named.get(column.name, 0.0) + 0.5 * is_key

    def fill(self, table: Table, room: int) -> int:
        """Show it so if there is room; how much more room that takes."""
        before, self.shown = self.shown, table
        more = 1 + estimate_tokens(self.text()) - self.tokens
        if more > room:
            self.shown = before
            return 0
        self.tokens += more
        return more

    def text(self) -> str:
        """It as it is shown; not all columns are named that are left out of a very wide table."""
        return table_text(
            self.place[0], self.shown or self.bare(), _first(self.left_out, NAMES_ROOM)
        )


@dataclass
class FittedSchemas:
    """What of the schemas is shown."""

    text: str
    schemas: tuple[DatabaseSchema, ...]
    left_out: frozenset[str] = field(default_factory=frozenset[str])
    note: str = ""


def fitted(
    schemas: Sequence[DatabaseSchema], found: Relevance | None, room: int
) -> FittedSchemas | None:
    """The schemas whole where they fit, else the best of them; None where the best must be known first.

    Args:
        schemas: as models may see them.
        found: what the question has to do with them.
        room: tokens that the text may take.

    Raises:
        ViewTooSmall: there is not even room for the best table.
    """
    if _LEAST * sum(len(t.columns) for s in schemas for t in s.tables) <= room:
        text, tokens = _of_all(Same(tuple(schemas)))
        if tokens <= room:
            return FittedSchemas(text, tuple(schemas))
    return _chosen(schemas, found, room) if found else None


@lru_cache(maxsize=32)
def _of_all(same: Same) -> tuple[str, int]:
    """The text of whole schemas, and its tokens."""
    text = schema_text(same.schemas)
    return text, estimate_tokens(text)


def _chosen(schemas: Sequence[DatabaseSchema], found: Relevance, room: int) -> FittedSchemas:
    parts = sorted(_parts(schemas, found), key=lambda part: -part.score)
    heads = {s.name: 6 + estimate_tokens(database_text(s, ())) for s in schemas}
    left = room - int(NAMES_SHARE * room)
    opened: set[str] = set()
    reserve = int((1 - BARE_SHARE) * left)
    for kept_free, form in ((reserve, _Part.bare), (0, _Part.richer), (0, _whole), (0, _Part.bare)):
        misses = 0
        for part in parts:
            if (form is _Part.bare) is (part.shown is not None):
                continue
            head = 0 if part.place[0] in opened else heads[part.place[0]]
            more = part.fill(form(part), left - head - kept_free)
            if more:
                left -= more + head
                opened.add(part.place[0])
            misses = 0 if more else misses + 1
            if misses == _MISSES:
                break
    if parts and parts[0].shown is None:
        raise ViewTooSmall(_too_small(parts[0], heads, room))
    return _written(schemas, parts, room)


def _whole(part: _Part) -> Table:
    return part.table


def _parts(schemas: Sequence[DatabaseSchema], found: Relevance) -> Iterator[_Part]:
    best = max(found.tables.values(), default=0.0)
    for schema in schemas:
        for table in schema.tables:
            place = (schema.name, table.schema_name, table.name)
            score = found.tables.get(place, 0.0)
            if place in found.paths:
                score = max(score, 0.9 * best)
            yield _Part(place, table, score, found.columns.get(place, {}))


def _too_small(part: _Part, heads: Mapping[str, int], room: int) -> str:
    needed = heads[part.place[0]] + estimate_tokens(part.text())
    return (
        f"The prompt has room for {room:,} tokens of schemas, but the table {part.table.name} alone needs {needed:,}:"
        " raise models.context_tokens, or choose a model with a larger context."
    )


def _written(schemas: Sequence[DatabaseSchema], parts: Sequence[_Part], room: int) -> FittedSchemas:
    by_database: dict[str, list[_Part]] = defaultdict(list)
    for part in parts:
        by_database[part.place[0]].append(part)
    opened = {part.place[0] for part in parts if part.shown}
    names_room = int(NAMES_SHARE * room) // (len(opened) + 1)
    texts: list[str] = []
    unopened: list[str] = []
    shown: list[DatabaseSchema] = []
    for schema in schemas:
        own = by_database[schema.name]
        tables = tuple(part.shown for part in own if part.shown)
        if not tables:
            unopened.append(f"{schema.name} ({counted(len(own), 'table')})")
            continue
        pieces = [part.text() for part in own if part.shown]
        if gone := [part.table.name for part in own if part.shown is None]:
            pieces.append(f"Left out here: {', '.join(_first(gone, names_room))}")
        texts.append(database_text(schema, pieces))
        shown.append(schema.model_copy(update={"tables": tables}))
    if unopened:
        texts.append(f"Databases left out: {', '.join(_first(unopened, names_room))}")
    shown_tables = sum(part.shown is not None for part in parts)
    note = (
        f"The language model was shown {shown_tables:,} of {len(parts):,} tables, since its prompt has no room for all."
        if shown_tables < len(parts)
        else "The language model was not shown all that is known of the tables, since its prompt has no room for it."
    )
    return FittedSchemas("\n\n".join(texts), tuple(shown), frozenset(_gone(parts)), note)


def _gone(parts: Collection[_Part]) -> Iterator[str]:
    for part in parts:
        if part.shown is None:
            yield from (part.place[0].casefold(), part.table.name.casefold())
        yield from (name.casefold() for name in part.left_out)


def _first(names: Sequence[str], room: int) -> list[str]:
    """The names, as many of them as there is room for; the rest is counted."""
    kept: list[str] = []
    for name in map(one_line, names):
        room -= 1 + estimate_tokens(name)
        if room < 0:
            break
        kept.append(name)
    more = len(names) - len(kept)
    return [*kept, f"and {more:,} more"] if more else kept


class LinkedViews:
    """The views for one question."""

    def __init__(self, inquiry: Inquiry, values: ValueSource, tokens: int) -> None:
        self._inquiry = inquiry
        self._values = values
        self._tokens = tokens

    def view(
        self, databases: Collection[str] = (), wanted: Collection[str] = (), room: int | None = None
    ) -> SchemaView:
        """What to show; see `QuestionViews`."""
        chosen = [s for s in self._inquiry.schemas if not databases or s.name in databases]
        schemas = tuple(map(as_sent, chosen))
        room = self._tokens if room is None else room
        shown = fitted(schemas, None, room) or self._best(schemas, wanted, room)
        values = tuple(self._said(schemas))
        return SchemaView(shown.text, shown.schemas, shown.left_out, values, shown.note)

    def near_misses(self, sql: str, database: str) -> tuple[str, ...]:
        """What the data holds in place of texts of a statement that no row can equal; nothing in the workspace."""
        schema = self._inquiry.schema(database)
        if schema is None:
            return ()
        lookup = self._values.lookup((schema,), self._inquiry.today)
        return near_misses(sql, schema, lookup.values)

    def _best(
        self, schemas: tuple[DatabaseSchema, ...], wanted: Collection[str], room: int
    ) -> FittedSchemas:
        found = self._relevance(wanted) if wanted else self._plain
        shown = fitted(schemas, found, room)
        assert shown is not None, "what the question is about is known"
        return shown

    @cached_property
    def _plain(self) -> Relevance:
        return self._relevance(())

    def _relevance(self, wanted: Collection[str]) -> Relevance:
        lookup = self._values.lookup(self._inquiry.schemas, self._inquiry.today)
        return relevance(self._inquiry, lookup.values, wanted)

    def _said(self, schemas: tuple[DatabaseSchema, ...]) -> Iterator[str]:
        """The values that words of the question match, of the columns whose values models may see."""
        names = {schema.name for schema in schemas}
        for held in self._plain.values:
            if held.place[0] in names and self._may_be_said(held):
                database, _, table = held.place
                prefix = f"{database}." if len(names) > 1 else ""
                values = ", ".join(_quoted(value) for value in held.values)
                yield f"{prefix}{table}.{held.column} holds {values}"

    def _may_be_said(self, held: HeldValues) -> bool:
        database, schema_name, name = held.place
        schema = self._inquiry.schema(database)
        table = schema.table(name, schema_name) if schema else None
        column = table.column(held.column) if table else None
        if schema is None or table is None or column is None:
            return False  # a measure or a condition that people have named
        return disclosure_of(column, table, schema) is Disclosure.SAMPLES


def _quoted(value: str | int | float) -> str:
    """A value as it stands in SQL."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
