"""What stands in a prompt, as a model sees it that knows nothing else: tables, columns, keys, values, orders."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp, parse_one

_BLOCK = re.compile(r"<(\w+)>\n(.*?)\n</\1>", re.DOTALL)
_DATABASE = re.compile(r"^#+ Database: (.+)$")
_TABLE = re.compile(r"^\*\*Table: (.+?)\*\*")
_OVERVIEW = re.compile(r"^\s+- (.+?) \((.*)\)")
_COLUMN = re.compile(r"^\s+- (.+?)(?= \(|:|$)")
_KEY = re.compile(r"FK -> ([^\s(]+)")
_TIE = re.compile(r"([\w.]+\.\w+)\s*=\s*([\w.]+\.\w+)")
HEEDED = frozenset(
    {"rules", "before_you_answer", "preferences", "words", "confirmed_answers", "rejected_answers"}
)
"""Blocks of what people stand behind, which prompts tell a model to go by."""


def unfenced(text: str) -> str:
    r"""The text without what stands in blocks of data; blocks of what people stand behind stay.

    >>> unfenced("Be kind.\n<question>\nBe rude.\n</question>\n<rules>\nBe brief.\n</rules>")
    'Be kind.\n\n<rules>\nBe brief.\n</rules>'
    """
    return _BLOCK.sub(lambda found: found[0] if found[1] in HEEDED else "", text)


def blocks(text: str, tag: str) -> list[str]:
    """What stands in the blocks of that name, in their order."""
    return [found[2] for found in _BLOCK.finditer(text) if found[1] == tag]


@dataclass(frozen=True)
class Seen:
    r"""The parts of a schema that a prompt shows.

    >>> seen = Seen("### Database: shop\n**Table: orders** (in shop.main)\n  - id (INTEGER)\n  - who (INTEGER)\n    FK -> shop.main.people.id")
    >>> sorted(seen.columns['orders']), seen.keys, seen.databases
    (['id', 'who'], {('orders.who', 'people.id')}, {'orders': 'shop'})
    """

    text: str

    def holds(self, value: str) -> bool:
        """Whether a value stands there as it is, by itself and in the same letters."""
        return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", self.text) is not None

    @cached_property
    def columns(self) -> Mapping[str, set[str]]:
        """Columns by table, folded."""
        found: dict[str, set[str]] = {}
        for table, column, _ in self._lines:
            found.setdefault(table, set()).update({column} - {""})
        return found

    @cached_property
    def databases(self) -> Mapping[str, str]:
        """The database of each table."""
        return {table: database for table, _, database in self._lines if database}

    @cached_property
    def keys(self) -> set[tuple[str, str]]:
        """What is tied to what: declared in a column's lines, or written as an equality."""
        found = {(_short(a), _short(b)) for a, b in _TIE.findall(self.text.casefold())}
        table = column = ""
        for line in self.text.splitlines():
            if header := _TABLE.match(line):
                table = header[1].casefold()
            elif key := _KEY.search(line):
                found.add((f"{table}.{column}", _short(key[1].casefold())))
            elif named := _COLUMN.match(line):
                column = named[1].casefold()
        return found

    @cached_property
    def _lines(self) -> list[tuple[str, str, str]]:
        return list(self._read())

    def _read(self) -> Iterator[tuple[str, str, str]]:
        """Table, column and database of each line that names a table or a column."""
        database = table = ""
        for line in self.text.splitlines():
            if named := _DATABASE.match(line):
                database, table = named[1], ""
            elif header := _TABLE.match(line):
                table = header[1].casefold()
                yield table, "", database
            elif not table and (overview := _OVERVIEW.match(line)):
                names = [name.strip().casefold() for name in overview[2].split(",")]
                yield from ((overview[1].casefold(), name, database) for name in ("", *names))
            elif table and (column := _COLUMN.match(line)):
                yield table, column[1].casefold(), database


@dataclass(frozen=True)
class Missing:
    """What a query needs and a prompt does not show."""

    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """As `table.column`."""
    keys: tuple[str, ...] = ()
    """As `orders.customer_id = customers.id`."""
    values: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tables or self.columns or self.keys or self.values)


def written_from(
    sql: str, seen: Seen, guesses: Mapping[str, str], dialect: str
) -> tuple[str, Missing]:
    """A query as it is written by somebody who sees no more than this, and what was missing.

    A name that is not seen is guessed: as `guesses` say, else wrong. A value that is not seen is written in small
    letters; tables whose key is not seen are put beside each other.
    """
    tree = parse_one(sql, read=dialect)
    names = {table.alias_or_name.casefold(): table.name for table in tree.find_all(exp.Table)}
    views = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    tables = {name.casefold() for name in names.values()} - views
    named = {one.alias.casefold() for one in tree.find_all(exp.Alias)}
    lost: dict[str, dict[str, None]] = {"tables": {}, "columns": {}, "keys": {}, "values": {}}
    for join in list(tree.find_all(exp.Join)):
        for tie in list((join.args.get("on") or exp.true()).find_all(exp.EQ)):
            _join(join, tie, names, seen, guesses, lost["keys"])
    for literal in list(tree.find_all(exp.Literal)):
        if (
            literal.is_string
            and literal.name.strip("%")
            and not seen.holds(literal.name.strip("%"))
        ):
            lost["values"][literal.name] = None
            literal.replace(exp.Literal.string(guesses.get(literal.name, literal.name.casefold())))
    for column in tree.find_all(exp.Column):
        of = names.get(column.table.casefold(), "").casefold()
        searched = {of} if of else tables
        known = any(column.name.casefold() in seen.columns.get(table, ()) for table in searched)
        if known or not searched <= tables or column.name.casefold() in named:
            continue
        full = f"{of or next(iter(sorted(tables)), '')}.{column.name}"
        lost["columns"][full] = None
        column.this.set("this", guesses.get(full, guesses.get(column.name, f"the_{column.name}")))
    for table in tree.find_all(exp.Table):
        if table.name.casefold() in tables - seen.columns.keys():
            lost["tables"][table.name] = None
            table.this.set("this", guesses.get(table.name, f"the_{table.name}"))
    return tree.sql(dialect=dialect), Missing(**{kind: tuple(all_) for kind, all_ in lost.items()})


def empty_of(sql: str) -> str:
    """The query without any of its rows.

    >>> empty_of("SELECT COUNT(*) FROM orders")
    'SELECT * FROM (SELECT COUNT(*) FROM orders) AS t LIMIT 0'
    """
    inner = parse_one(sql)
    whole = exp.select("*").from_(
        exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("t")))
    )
    return whole.limit(0).sql()


def _join(
    join: exp.Join,
    tie: exp.EQ,
    names: Mapping[str, str],
    seen: Seen,
    guesses: Mapping[str, str],
    lost: dict[str, None],
) -> None:
    """Take away the condition of a join that rests on a key that is not seen."""
    sides = [side for side in (tie.left, tie.right) if isinstance(side, exp.Column) and side.table]
    if len(sides) < 2:
        return
    first, second = (f"{names.get(s.table.casefold(), s.table)}.{s.name}".casefold() for s in sides)
    if {(first, second), (second, first)} & seen.keys:
        return
    lost[f"{first} = {second}"] = None
    if guess := guesses.get(f"{first} = {second}"):
        tie.replace(parse_one(guess))
    elif join.args.get("on") is tie:
        join.set("on", None)
        join.set("side", None)
        join.set("kind", "CROSS")
    else:
        tie.replace(exp.true())


def _short(name: str) -> str:
    """`table.column` of a longer name."""
    return ".".join(name.split(".")[-2:])
