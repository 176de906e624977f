"""What the names of two columns say about whether one refers to the other."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from oldhand.lexicon.entries import words
from oldhand.lexicon.frequencies import is_english
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

_KEYS = word_stems("names.keys")
_IDENTIFYING = word_stems("names.identifying") | word_stems("names.keys")
_SHARED = word_stems("names.shared")
_PREFIXES = word_stems("names.prefixes")
_SUPERIORS = word_stems("names.superiors")
_LEADERS = word_stems("people.superiors")
_STAFF, _PERSONS = word_stems("people.employees"), word_stems("people.persons")
_ROLES = word_stems("people.roles")
_GLUED = sorted(words("names.glued"))
_LEAST = 3
"""Letters of a short form that stands for a longer word."""


@dataclass(frozen=True)
class NamedTable:
    """A table with the words of its name and of its columns."""

    database: DatabaseSchema
    table: Table
    known: frozenset[str]
    """Words of which the names of tables consist."""
    place: int
    """Its number among all tables."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, without those that only open it."""
        words = name_words(self.table.name, self.known)
        return tuple(word for word in words if word not in _PREFIXES) or words

    def of(self, column: Column) -> tuple[str, ...]:
        """The words of a column's name, without the numbers that tell several of them apart: `club_id_2`."""
        return _words_of(column.name, self.known)

    def owns(self, column: Column) -> bool:
        """Whether a column is named as the key of this very table: `id`, `customer_id` or `cid` of customers."""
        words = self.of(column)
        about = without_keys(words)
        if about != words:
            return not about or _ends_alike(about, self.words, least=1)
        return self.glued(column)

    @property
    def is_of_people(self) -> bool:
        """Whether its rows are people, by its name."""
        return not _PERSONS.isdisjoint(self.words)

    def rejects(self, columns: tuple[str, ...], there: "NamedTable") -> bool:
        """Whether somebody has said that these columns do not refer to a table."""
        where = (columns, there.database.name, there.table.name)
        return where in {(key.columns, key.database, key.table) for key in self.table.rejected_keys}

    def glued(self, column: Column) -> bool:
        """Whether a column's name is made of the first letters of the table's and a word of keys: `aid`, `dno`."""
        words = self.of(column)
        starts = [words[0].removesuffix(key) for key in _GLUED if words[0].endswith(key)]
        return len(words) == 1 and any(
            start and word.startswith(start) for start in starts for word in self.words
        )


def named_tables(schemas: Iterable[DatabaseSchema]) -> list[NamedTable]:
    """All tables of some schemas."""
    tables = [(schema, table) for schema in schemas for table in schema.tables]
    known = frozenset(word for _, table in tables for word in split_name(table.name))
    return [NamedTable(schema, table, known, place) for place, (schema, table) in enumerate(tables)]


def without_keys(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a column is about, without the words that say it is a key."""
    return tuple(word for word in words if word not in _KEYS)


def tells_somebody(words: tuple[str, ...]) -> bool:
    """Whether the name of a key says what somebody is to its rows: `owner_id`, `seller`."""
    return not _ROLES.isdisjoint(without_keys(words)[-1:])


def is_key_like(words: tuple[str, ...]) -> bool:
    """Whether a name ends like the name of a key."""
    return words[-1] in _IDENTIFYING


def says_nothing(words: tuple[str, ...]) -> bool:
    """Whether columns of this name stand in many tables, without belonging together."""
    return all(word in _SHARED or word in _KEYS for word in words)


@lru_cache(maxsize=50_000)
def _words_of(column: str, known: frozenset[str]) -> tuple[str, ...]:
    words = name_words(column, known)
    return tuple(word for word in words if not word.isdigit()) or words


def name_fit(here: NamedTable, column: Column, there: NamedTable, key: Column) -> float:
    """How much the name of a column says that it holds the key of a table, 0 to 1.

    >>> from oldhand.record.schema import Kind
    >>> def table(name, *columns):
    ...     made = tuple(Column(name=c, type="INT", kind=Kind.INTEGER) for c in columns)
    ...     return Table(name=name, schema_name="main", columns=made)
    >>> tables = (table("orders", "id", "customer_id", "billing_cust", "city"), table("customers", "id", "city"))
    >>> orders, customers = named_tables((DatabaseSchema(name="shop", dialect="sqlite", tables=tables),))
    >>> key = customers.table.columns[0]
    >>> [name_fit(orders, column, customers, key) for column in orders.table.columns]
    [0.0, 1.0, 0.8, 0.0]
    """
    words, goal = here.of(column), there.of(key)
    about, kept = without_keys(words), without_keys(goal)
    longer = len(words) > len(goal) and _tail(words, goal) and bool(kept)
    if here is there:
        superior = bool(about) and about[-1] in _SUPERIORS
        # Whoever manages a building is no building, and whoever manages a customer none, where somebody else can be meant.
        elsewhere = superior and about[-1] in _LEADERS and not _STAFF & {*here.words}
        return 0.7 if elsewhere else 0.9 if superior else 0.85 * longer
    somebody = _somebody(column, there)
    if words == goal and not says_nothing(goal):
        return 1.0 if _ends_alike(kept, there.words) else 0.85
    if not about or (about == words and _counts(column, about, there)):
        return somebody
    if longer and not says_nothing(goal):
        return 0.85
    named = _about_table(about, there.words, keyed=about != words)
    return max(0.95 * named if kept else named, somebody)  # the key is just called id


def _somebody(column: Column, there: NamedTable) -> float:
    """How much a name says that it holds one of those in a table: `sold_by` and `manager`, of the staff before others, or what some of them are.

    >>> from oldhand.record.schema import Kind
    >>> staff = DatabaseSchema(name="shop", dialect="sqlite", tables=(Table(name="staff", schema_name="main", columns=()),))
    >>> people = named_tables((staff,))[0]
    >>> columns = (Column(name=name, type="INT", kind=Kind.INTEGER) for name in ("sold_by", "insp_by", "hobby", "manager_id"))
    >>> [_somebody(column, people) for column in columns]
    [0.75, 0.75, 0.0, 0.75]
    """
    said = split_name(column.name)
    doing = said[-1].endswith("by") and not (len(said) == 1 and is_english(said[0]))
    words = name_words(column.name)
    about = without_keys(words)[-1:]
    if about and about != words and _is_kind_of(about[0], there):
        return 0.75
    if not (doing or (_LEADERS.issuperset(about) and about)):
        return 0.0
    return 0.75 if _STAFF & {*there.words} else 0.65 if _PERSONS & {*there.words} else 0.0


def _is_kind_of(word: str, there: NamedTable) -> bool:
    """Whether the rows of a table are told by a word of what some of them are: `tech_id` of staff whose job is `technician`."""
    profiles = (column.profile for column in there.table.columns if column.kind is Kind.TEXT)
    kinds = (str(value).split() for profile in profiles if profile for value in profile.values)
    return any(len(kind) == 1 and _alike(stem(kind[0].lower()), word) for kind in kinds)


def _counts(column: Column, about: tuple[str, ...], there: NamedTable) -> bool:
    """Whether a name is that of how many there are: `home_games` is no key of games."""
    last, singular = split_name(column.name)[-1], split_name(there.table.name)[-1].removesuffix("s")
    return column.kind is not Kind.TEXT and last == f"{singular}s" and about != there.words


def _about_table(about: tuple[str, ...], home: tuple[str, ...], *, keyed: bool) -> float:
    """How well what a column is about fits the name of a table."""
    if about == home:
        return 1.0 if keyed else 0.9
    if _tail(about, home):
        return 0.9 if keyed else 0.8
    if len(about) <= len(home) and _ends_alike(about, home):
        return 0.8 if keyed else 0.7
    if keyed and (_alike(about[-1], home[-1]) or _opens(about, home)):
        return 0.7
    return 0.0


def _opens(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _ends_alike(about: tuple[str, ...], home: tuple[str, ...], least: int = _LEAST) -> bool:
    shorter = min(len(about), len(home))
    pairs = zip(about[-shorter:], home[-shorter:], strict=True)
    return shorter > 0 and all(_alike(one, other, least) for one, other in pairs)


def _tail(words: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return len(end) > 0 and words[-len(end) :] == end


def _alike(one: str, other: str, least: int = _LEAST) -> bool:
    """The same word, or a short form of it."""
    short, long = sorted((one, other), key=len)
    return long == short or (len(short) >= least and long.startswith(short))
