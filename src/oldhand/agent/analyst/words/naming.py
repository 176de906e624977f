"""How names of tables and columns become words, and which words tell a column apart."""

from collections.abc import Iterator
from functools import cache

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, word_stems
from oldhand.query.units import units
from oldhand.record.schema import DatabaseSchema, Table

_TIMES = words("time.columns")
_FLAGS = word_stems("names.flags")
_KEY_WORDS = words("names.keys")
_SUPERIORS = words("people.superiors") | words("people.superiors_written_out")
_PEOPLE = word_stems("people.employees")
_PLACES = word_stems("places.areas")
_SAID_WITH = {stem(word): stem(other) for word, other in meanings("names.said_with").items()}
_COUNT = stem("count")
_OF_CONTENT = words("names.of_content")
_NUMBER, _COUNTED = stem("number"), word_stems("numbers.of_amounts")


def roles(table: Table) -> Iterator[tuple[str, tuple[str, str]]]:
    """The roles that rows of a table have for its other rows, each with the two columns that join them.

    >>> from oldhand.record.schema import ForeignKey
    >>> key = ForeignKey(columns=("manager_id",), database="hr", schema_name="main", table="staff",
    ...                  target_columns=("id",))
    >>> list(roles(Table(name="staff", schema_name="main", columns=(), foreign_keys=(key,))))
    [('manager', ('manager_id', 'id'))]
    """
    for column, key in (*_declared(table), *_likely(table)):
        words = [word for word in split_name(column) if word not in _KEY_WORDS]
        role = "manager" if words[:1] == ["reports"] else " ".join(words)
        if role and stem(role) not in name_words(table.name):
            yield role, (column, key)


def _declared(table: Table) -> Iterator[tuple[str, str]]:
    """The columns that refer to other rows of the table, as the foreign keys say."""
    for key in table.foreign_keys:
        if key.table.casefold() == table.name.casefold() and len(key.columns) == 1:
            yield key.columns[0], key.target_columns[0]


def _likely(table: Table) -> Iterator[tuple[str, str]]:
    """The columns that do so by their names, where no foreign key says what they refer to: `manager_id`."""
    referring = {name.casefold() for key in table.foreign_keys for name in key.columns}
    keys = [column for column in table.columns if column.primary_key]
    people = not _PEOPLE.isdisjoint(name_words(table.name))
    for column in table.columns if people and len(keys) == 1 else ():
        words = [word for word in split_name(column.name) if word not in _KEY_WORDS]
        superior = len(words) == 1 and words[0] in _SUPERIORS
        named = superior and tuple(words) != split_name(column.name)
        free = column.name.casefold() not in referring and not column.primary_key
        if named and free and column.kind is keys[0].kind:
            yield column.name, keys[0].name


def leading(table: Table, schema: DatabaseSchema) -> Iterator[tuple[str, str]]:
    """The columns of foreign keys, in lower case, each with the table after whose rows it is called, or nothing.

    `pilot` is called after the pilots where it holds their number, and neither where it holds a name of theirs nor
    where their table has a column that is called so.
    """
    known = {t.name.casefold(): t for t in schema.tables}
    for key in table.foreign_keys:
        for name, target in zip(key.columns, key.target_columns, strict=False):
            there = known.get(key.table.casefold())
            number = there.column(target) if there is not None and len(key.columns) == 1 else None
            own, rows = set(name_words(name)), set(name_words(key.table))
            numbers = number is not None and number.primary_key
            numbers = numbers and not set(name_words(target)) <= rows
            other = own < rows and there is not None and there.column(name) is None
            yield name.casefold(), key.table if numbers and (own == rows or other) else ""


def dated_words(names: tuple[str, ...]) -> tuple[str, ...]:
    """`ordered_on` may be called the order date; nothing when the name says so itself.

    >>> dated_words(("sign", "up", "on")), dated_words(("order", "date"))
    (('sign', 'up', 'date'), ())
    """
    words = tuple(word for word in names if word not in ("on", "at"))
    return (*words, "date") if words and not _TIMES & set(names) else ()


def alternatives(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """`state_province_county` holds one of these, and may be called by each of them; a `phone` is called a phone number, too.

    >>> list(alternatives(("state", "provinc"))), list(alternatives(("home", "state")))
    ([('state',), ('provinc',)], [])
    >>> list(alternatives(("phone",)))
    [('phone', 'number')]
    """
    if len(names) == 1 and names[0] in _SAID_WITH:
        yield (*names, _SAID_WITH[names[0]])
    if len(names) > 1 and set(names) <= _PLACES:
        yield from ((name,) for name in names)


def is_other_number(word: str, other: str, form: tuple[str, ...], place: int) -> bool:
    """True where a word for an amount would stand for the number that rows are known by.

    >>> is_other_number("number", "amount", ("invoic", "number"), 1)
    True
    >>> is_other_number("number", "amount", ("number", "of", "bottl"), 0)
    False
    """
    return word == _NUMBER and other in _COUNTED and len(form) == place + 1


def is_short(description: str) -> bool:
    """True for a name, as `unit price`; false for a sentence, as `What is sold`."""
    words = description.casefold().split()
    asking = ("what", "who", "where", "when", "how", "whether")
    return 0 < len(words) <= 3 and words[0] not in asking


def stems(text: str) -> Iterator[str]:
    """The stems of the words of a text that say something."""
    for word in split_name(text):
        if word not in STOP_WORDS or word == "name":
            yield stem(word)


def word_weights(form: tuple[str, ...], table_words: tuple[str, ...]) -> tuple[float, ...]:
    """A word of the table's own name, a filler, the flag of a column of yes and no, the number of a phone, or the unit of what is measured tells a column little apart."""
    if all(word in table_words for word in form) or STOP_WORDS.issuperset(form):
        return tuple(1.0 for _ in form)
    unit = 0.5 if len(form) > 1 else 1.0
    flag = len(form) > 1 and not _FLAGS.isdisjoint((form[0], form[-1]))
    also = _SAID_WITH.get(form[0]) if len(form) == 2 else None
    counted = len(form) > 1 and form[-1] == _COUNT  # a `word_count` is told by its words
    return tuple(
        0.1 if (word in STOP_WORDS and word not in _OF_CONTENT) or word == also or (flag and word in _FLAGS)
        else 0.25 if word in table_words or (counted and word == _COUNT)
        else unit if word in amounts()
        else 1.0
        for word in form
    )  # fmt: skip


@cache
def amounts() -> frozenset[str]:
    """The stems of units of money, length and the like; times tell columns apart."""
    return frozenset(stem(word) for word, unit in units().items() if unit.kind != "time")
