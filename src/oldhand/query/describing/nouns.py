"""What rows and columns are called, and what the schemas tell about them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import name_words, shared_prefix
from oldhand.lexicon.wording import human, plural, singular
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import ColumnRef, Has, Join, Predicate, Query, Relation, Rows, Share
from oldhand.query.known import kind_of, known_table
from oldhand.query.walk import columns, holds_measure, is_measure, relations
from oldhand.record.schema import TIMES, DatabaseSchema

Schemas = Sequence[DatabaseSchema]
NAMES = words("names.titles")
PLACES = words("places.areas")
_KEPT = 16_384
LABELS, _TIMES = NAMES | {"id"}, words("time.columns")
_IN_FULL = words("names.in_full")
_BEFORE = words("ends.before_starts") | words("ends.before_ends")
_ACTIVE = words("verbs.done_by_people")
_HAPPENED = re.compile(r"(?P<verb>\w+(?: up| out| off| in)?) (?P<link>on|at)|(?P<alone>\w+ed)")


@lru_cache(maxsize=_KEPT)
def said_name(name: str) -> str:
    """The name of a column as words."""
    return human(name)


def is_title(column: ColumnRef) -> bool:
    """True for what names a thing in full: the `product_name` of products, the `company_name` of suppliers.

    >>> product, supplier = Relation("shop", "main", "products"), Relation("shop", "main", "suppliers")
    >>> is_title(ColumnRef(product, "product_name")), is_title(ColumnRef(supplier, "company_name"))
    (True, True)
    >>> is_title(ColumnRef(product, "brand_name"))
    False
    """
    of, _, last = said_name(column.name).rpartition(" ")
    return bool(of) and last in NAMES and (of in _IN_FULL or of == one_of(column.of))


def unprefixed(said: str, query: Query, schemas: Schemas) -> str:
    """A sentence about a query without the words that open the names of all tables, or of all columns of one: `vc pets`.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> column = Column(name="id", type="INT", kind=Kind.INTEGER)
    >>> tables = tuple(Table(name=f"vc_{n}", schema_name="main", columns=(column,)) for n in ("pet", "owner", "visit"))
    >>> clinic = DatabaseSchema(name="clinic", dialect="sqlite", tables=tables)
    >>> query = Query(Rows((Relation("clinic", "main", "vc_pet"),)), ())
    >>> unprefixed("There are 3 vc pets.", query, (clinic,))
    'There are 3 pets.'
    """
    for relation in relations(query, inner=True):
        table = known_table(relation, schemas)
        if table is None:
            continue
        beside = next(one.tables for one in schemas if one.name == relation.database)
        own = [column.name for column in table.columns]
        names = {relation.table: shared_prefix([one.name for one in beside])}
        prefix = shared_prefix(own)
        if not set(name_words(prefix)) <= set(name_words(relation.table)):
            names |= dict.fromkeys(own, prefix)
        for name, opening in names.items():
            if opening:
                said = _bare(said, human(name), human(name.removeprefix(opening)).split())
    return said


def _bare(said: str, long: str, parts: list[str]) -> str:
    """A sentence with a name as it is without what opens it, its short forms written out."""
    full = word_lists().abbreviations
    short = " ".join(word for part in parts for word in full.get(part, (part,)))
    opening = long.removesuffix(" ".join(parts)).strip()
    twice = re.escape(short.partition(" ")[0])  # `total bl total`
    said = re.sub(rf"\b({twice} )?{re.escape(long)}", short, said)
    rest = re.compile(rf"\b{re.escape(opening)} (?={re.escape(parts[0][:3])})(\w)", re.IGNORECASE)
    return rest.sub(lambda it: it[1].upper() if it[0][0].isupper() else it[1], said)


@lru_cache(maxsize=_KEPT)
def noun(relation: Relation) -> str:
    """What the rows of a relation stand for, in the plural: its role, its table, or the groups of its query.

    >>> noun(Relation("shop", "main", "order_item")), noun(Relation("firm", "main", "staff", "manager"))
    ('order items', 'managers')
    """
    if relation.query is not None:
        return _noun_of_groups(relation.query)
    role = "" if relation.role.isdecimal() or is_deed(relation.role) else relation.role
    return plural(human(role or relation.table))


def is_deed(role: str) -> bool:
    """True for a role that says what those have done, or where they stand: `created by`, `assigned to`, `from port`."""
    words = role.split()
    return bool(words) and not _BEFORE.isdisjoint((words[0], words[-1]))


def one_of(relation: Relation) -> str:
    """What a row of a relation stands for, in the singular."""
    return singular(noun(relation))


def _noun_of_groups(query: Query) -> str:
    """What groups are called: `cities`, or the things whose names or keys tell the groups apart."""
    if not query.group:
        return noun(query.rows.relations[0]) if len(query.rows.relations) == 1 else "rows"
    columns = [key for key in query.group if isinstance(key, ColumnRef)]
    if len(columns) < len(query.group):
        return "groups"
    name = said_name(columns[0].name)
    if name.endswith(" id"):
        return plural(name.removesuffix(" id"))
    if name in LABELS or name.endswith(" name"):
        return noun(columns[0].of)
    return plural(name) if len(columns) == 1 else "groups"


@lru_cache(maxsize=_KEPT)
def happened(column: str) -> tuple[str, str] | None:
    """What the name of a column says that happened, with the word before the time.

    >>> happened("signed_up_on"), happened("cancelled"), happened("birth_date")
    (('signed up', 'on'), ('cancelled', 'on'), None)
    """
    found = _HAPPENED.fullmatch(human(column))
    return (found["verb"] or found["alone"], found["link"] or "on") if found else None


@lru_cache(maxsize=_KEPT)
def event_name(column: str) -> str:
    """What happened at the time that a column holds.

    >>> event_name("ordered_on"), event_name("start_date")
    ('ordered', 'start')
    """
    words = human(column).split()
    plain = [word for word in words if word not in ("on", "at", "date", "time")]
    return " ".join(plain or words)


def acts(verb: str) -> bool:
    """True for verbs of which the thing itself is the one who acts: it `left`, but it `was hired`.

    >>> acts("left"), acts("signed up"), acts("hired")
    (True, True, False)
    """
    return verb in _ACTIVE or " " in verb


def is_timely(column: ColumnRef, schemas: Schemas) -> bool:
    """True for columns that say when, by their type or by their name."""
    if kind_of(column, schemas) in TIMES:
        return True
    return said_name(column.name).rpartition(" ")[2] in _TIMES or happened(column.name) is not None


def is_key(column: ColumnRef, schemas: Schemas) -> bool:
    """True for the one column that tells the rows of its relation apart."""
    table = known_table(column.of, schemas)
    if table is not None and table.primary_key:
        return table.primary_key == (column.name,)
    return said_name(column.name) in ("id", f"{singular(human(column.of.table))} id")


def referred(column: ColumnRef, schemas: Schemas) -> Relation | None:
    """The table whose rows a column refers to; None where it refers to none, or to its own."""
    table = known_table(column.of, schemas)
    for key in table.foreign_keys if table is not None else ():
        if key.columns == (column.name,) and key.table != column.of.table:
            return Relation(key.database, key.schema_name, key.table)
    return None


def keys_between(
    one: Relation, two: Relation, schemas: Schemas
) -> Iterator[tuple[tuple[str, str], ...]]:
    """The columns over which the rows of one relation refer to those of another."""
    table = known_table(one, schemas)
    for key in table.foreign_keys if table is not None else ():
        if (key.database, key.table) == (two.database, two.table):
            yield tuple(zip(key.columns, key.target_columns, strict=True))


def unclear_joins(rows: Rows, schemas: Schemas) -> list[Join]:
    """The joins that must be said, since these relations could be tied in another way as well."""
    ways = {
        (one.table, two.table, keys)
        for one in rows.relations
        for two in rows.relations
        for keys in keys_between(one, two, schemas)
    }
    known = [join for join in rows.joins if _sides(join) & ways]
    plain = known if len(known) == len(ways) else []
    return [
        join for join in rows.joins if join not in plain and not _is_plain(join, known, schemas)
    ]


def _is_plain(join: Join, known: Sequence[Join], schemas: Schemas) -> bool:
    """True for a join that its role tells, or that the names of its keys tell where no schema does."""
    if join.left.role or join.right.role:
        return bool(join.keys)
    if not join.keys or join.left.query is not None or join.right.query is not None:
        return False
    ends = ((join.right, join.keys), (join.left, _turned(join.keys)))
    return join not in known and any(_is_named(*end, schemas) for end in ends)


def _sides(join: Join) -> set[tuple[str, str, tuple[tuple[str, str], ...]]]:
    left, right = join.left.table, join.right.table
    return {(left, right, join.keys), (right, left, _turned(join.keys))}


def is_obvious_key(column: ColumnRef, other: ColumnRef, schemas: Schemas) -> bool:
    """True for two columns that are the only ones by which rows of one table speak of those of another."""
    ways = [
        (one, keys)
        for one, two in ((column.of, other.of), (other.of, column.of))
        for keys in keys_between(one, two, schemas)
    ]
    if ways:
        (one, keys), *more = ways
        pair = (column.name, other.name) if one == column.of else (other.name, column.name)
        return not more and keys == (pair,)
    pair = ((column.name, other.name),)
    return _is_named(column.of, _turned(pair), schemas) or _is_named(other.of, pair, schemas)


def _is_named(referred: Relation, keys: tuple[tuple[str, str], ...], schemas: Schemas) -> bool:
    """True when the column that refers is named for the key: `customer_id` for the `id` of customers."""
    (own, key), *more = keys
    if more or own == key:
        return not more and (
            own.casefold().endswith("id") or is_key(ColumnRef(referred, key), schemas)
        )
    return said_name(key) == "id" and said_name(own) == f"{singular(human(referred.table))} id"


def _turned(keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((two, one) for one, two in keys)


def finest(rows: Rows) -> Relation | None:
    """The relation whose rows are what the joined rows are: no other one refers to it; None when that isn't told."""
    referred = {join.right for join in rows.joins if join.keys}
    left = [one for one in rows.relations if one not in referred]
    return left[0] if len(left) == 1 else None


def spoken_of(query: Query) -> Relation:
    """The relation that a query is about: that of its measures, or else of its first output."""
    found = finest(query.rows) or query.rows.relations[0]
    for one in query.select:
        if is_measure(one):
            read = columns(one)
            return read[0].of if read and not isinstance(one, Share) else found
    read = columns(query.select[0]) if query.select else ()
    return read[0].of if read else found


def link(main: Relation, other: Relation, rows: Rows) -> str:
    """`of` for what the rows of `main` refer to, step by step; `with` for what refers to them."""
    reached, ahead = {main}, [main]
    while ahead:
        one = ahead.pop()
        steps = [join.right for join in rows.joins if join.left == one]
        ahead += [step for step in steps if step not in reached]
        reached.update(steps)
    return "of" if other in reached else "with"


@lru_cache(maxsize=_KEPT)
def owner_of(predicate: Predicate) -> Relation | None:
    """The one relation that a predicate restricts; None for groups, and for several relations."""
    part = predicate.left if isinstance(predicate, Has) else predicate
    if holds_measure(predicate):
        return None
    owners = {column.of for column in columns(part)}
    return owners.pop() if len(owners) == 1 else None


def place_of(relation: Relation) -> tuple[str, str, str]:
    """Where the rows of a relation lie, whatever their role."""
    return relation.database, relation.schema, relation.table


def is_same_column(one: ColumnRef, other: ColumnRef) -> bool:
    """True for the same column of the same table, in whatever roles."""
    return one.name == other.name and place_of(one.of) == place_of(other.of)
