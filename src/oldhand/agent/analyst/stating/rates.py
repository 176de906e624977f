"""Rates as people state them: `the percentage of visits with status N`, `no-shows / visits`, `total fees divided by the number of visits`."""

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from oldhand.agent.analyst.stating.flags import flag_of
from oldhand.agent.analyst.stating.formulas import WrittenFormula, written
from oldhand.agent.analyst.stating.named import (
    columns_named,
    is_one_of,
    tables_first,
    tables_in,
    tables_meant,
)
from oldhand.agent.analyst.stating.things import not_understood, things_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.phrases import any_of
from oldhand.record.formula import adds_up, read_formula
from oldhand.record.schema import NUMBERS, DatabaseSchema, Table, schema_of, with_rule
from oldhand.record.semantics import Measure
from oldhand.sources.databases.values import Values

_COUNT_OF = "COUNT(CASE WHEN {} THEN 1 END)"
_INVENTED = "zzr"
"""Begins words that no schema and no list has."""
_ALL = r"(?:all (?:of )?(?:the |our )?|the |our )?"


_SHARE, _COUNTED = any_of(words("rules.shares")), any_of(words("rules.counted"))
_AMONG, _BY = any_of(words("rules.among")), any_of(words("rules.dividing"))
_DIVIDED = rf"{_BY}|over(?=\s+(?:the\s+)?(?:total|sum|{_COUNTED})\b)"
_ADDING = any_of([said for said, sign in meanings("rules.comparing").items() if sign in ("+", "-")])  # fmt: skip
_MIXED = re.compile(rf"[^()]+\s(?:{_ADDING})\s[^()]+\s(?:{_BY})\s", re.IGNORECASE)
"""In words, nobody can tell what of `income minus cost divided by income` is divided."""
_SHARE_OF = re.compile(rf"(?:the |an? )?(?:{_SHARE})\s+(?:of|in)\s+(?P<rest>.+)", re.IGNORECASE)
_SHARE_BEHIND = re.compile(rf"(?P<part>.+?),?\s+(?:as|in|expressed\s+as|expressed\s+in)\s+(?:an?\s+|the\s+)?(?:{_SHARE})\s+(?:of|out\s+of)\s+(?P<whole>.+)", re.IGNORECASE)  # fmt: skip
_RATIO_OF = re.compile(r"(?:the |an? )?(?:ratio|quotient)\s+(?:of|between)\s+(?P<top>.+?)\s+(?:to|and|over)\s+(?P<bottom>.+)", re.IGNORECASE)  # fmt: skip
_BETWEEN = re.compile(rf"\s+(?:{_AMONG})\s+", re.IGNORECASE)
_SIGN = re.compile(rf"(\s*[/*()]\s*|\s+[-+]\s+|\s+(?:{_DIVIDED})\s+)", re.IGNORECASE)
_COUNT = re.compile(rf"(?:the )?(?:total )?(?:{_COUNTED})\s+{_ALL}", re.IGNORECASE)
_TOTAL = re.compile(r"^(?:total|overall|whole|sum of(?: the)?) ", re.IGNORECASE)
_AMOUNT = re.compile(r"(?:the )?(?P<what>.+?) (?P<rest>(?:of|for|on|from|in|with|that|which|where|whose) .+)", re.IGNORECASE)  # fmt: skip
_RELATIVE = "|".join(words("rules.relating"))
_DONE = re.compile(
    rf"(?:{_RELATIVE}) (?:(?:{'|'.join(words('verbs.be'))}) )?(?P<what>\w.+)", re.IGNORECASE
)
_COMPARED = re.compile(rf"(?P<rows>[\w ]+?) (?:{_RELATIVE}) (?P<what>.*[<>=].*)", re.IGNORECASE)


@dataclass(slots=True)
class _Reader:
    """Reads the sides of a rate; what they are goes by invented words, each a measure of its table."""

    schemas: tuple[DatabaseSchema, ...]
    values: Values
    around: tuple[tuple[str, Table], ...] = ()
    """Whose rows they are that another side speaks of."""
    known: dict[str, tuple[str, str, str]] = field(default_factory=dict[str, tuple[str, str, str]])
    """Phrases that are rows, or an amount of some rows: the invented word, the table, and the formula."""

    def sides(self, phrases: Sequence[str]) -> list[str]:
        """The sides as a formula is written: an invented word for what is rows, or an amount of some; all else as it is."""
        for _ in range(2):  # what no table is named in may be rows of that of another side
            for phrase in phrases:
                made = None if not phrase.strip() or phrase in self.known else self.counted(phrase) or self.added_up(phrase)  # fmt: skip
                if made is not None:
                    self._name(phrase, *made)
        return [self.known[one][0] if one in self.known else one for one in phrases]

    def counted(self, phrase: str) -> tuple[str, Table, str] | None:
        """How many rows a phrase names: those of a table, or those of which something is said."""
        bare = _COUNT.sub("", phrase.strip())
        alone = re.sub(rf"^{_ALL}", "", bare, flags=re.IGNORECASE)
        called = [one for one in columns_named(alone, self.schemas) if one.fit == 1.0]
        for one in called if bare == phrase.strip() else ():
            flag = flag_of(one.table, one.column.name)
            holds = flag and is_one_of(one.column.name, flag[:1])
            return (one.database, one.table, _COUNT_OF.format(holds)) if holds else None
        if tables := tables_meant(alone, self.schemas):
            return (*tables[0], "COUNT(*)")
        condition = self._meant(alone)
        return None if condition is None else (*condition[:2], _COUNT_OF.format(condition[2]))

    def added_up(self, phrase: str) -> tuple[str, Table, str] | None:
        """What an amount of some rows adds up to: `total fee of visits with dogs`."""
        found = _AMOUNT.fullmatch(phrase.strip())
        what = found["what"] if found else ""
        known = [*columns_named(what, self.schemas), *columns_named(_TOTAL.sub("", what), self.schemas)] if what else []  # fmt: skip
        for one in known:
            if found is None or one.fit < 1 or one.column.kind not in NUMBERS:
                continue
            here = (one.database, one.table)
            name = exp.column(exp.to_identifier(one.column.name, quoted=True)).sql()
            rows = found["rest"].split(" ", 1)[1]
            if here in tables_meant(re.sub(rf"^{_ALL}", "", rows), self.schemas):
                # The cost of the bike is that of each.
                return (*here, f"SUM({name})") if _TOTAL.match(what) or rows.startswith("all ") else None  # fmt: skip
            told = (things_meant(said, self.schemas, self.values, (here,), only=True) for said in (rows, found["rest"]))  # fmt: skip
            if (things := next(filter(None, told), None)) is not None:
                return (*here, f"SUM(CASE WHEN {things.condition} THEN {name} ELSE 0 END)")
        return None

    def _meant(self, phrase: str) -> tuple[str, Table, str] | None:
        """The rows of one table that a phrase names, by the name of a condition or by what is said of them."""
        for schema in self.schemas:
            for one in schema.semantics.conditions:
                table = schema.table(one.table)
                if table is not None and _is_name(phrase, one.name, table):
                    return schema.name, table, one.condition
        compared = _COMPARED.fullmatch(phrase)
        rows = tables_meant(compared["rows"], self.schemas) if compared else ()
        made = written(compared["what"], self.schemas, self.values, compared["rows"]) if compared and rows else None  # fmt: skip
        if made is not None and made.compares and (made.database, made.table) in rows:
            return made.database, made.table, made.text
        around = tables_first(phrase, self.schemas) or tables_in(phrase, self.schemas) or self.around  # fmt: skip
        things = things_meant(phrase, self.schemas, self.values, around, only=True) if around else None  # fmt: skip
        schema = schema_of(things.database, self.schemas) if things else None
        table = schema.table(things.table) if schema and things else None
        return (things.database, table, things.condition) if things and table else None

    def _name(self, phrase: str, database: str, table: Table, formula: str) -> None:
        name = f"{_INVENTED}{string.ascii_lowercase[len(self.known) % 26]}"
        self.known[phrase] = (name, table.name, formula)
        self.around = (*self.around, (database, table))
        rule = Measure(name=name, table=table.name, formula=formula)
        self.schemas = with_rule(self.schemas, database, rule)


def _is_name(phrase: str, name: str, table: Table) -> bool:
    """Whether a phrase is the name of a condition, with or without that of its table."""
    rows = {*name_words(table.name)}
    said, own = (tuple(one for one in name_words(text) if one not in rows) for text in (phrase, name))  # fmt: skip
    return bool(said) and said == own


def rate_stated(
    name: str, meaning: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> WrittenFormula | None:
    """What a text says that divides numbers of rows, or what some rows add up to; None where it says no such thing.

    A share is in percent, as is a part of rows that goes by the name of a rate.

    Args:
        name: what is defined.
        meaning: what it stands for.
        schemas: the databases that it may speak of.
        values: what these hold.

    Raises:
        UnclearRule: it says so, but which rows are meant is not understood.
    """
    if _MIXED.match(meaning):
        raise UnclearRule(
            "Which part is divided? Put brackets around it, as in: (income - cost) / income."
        )
    reader = _Reader(schemas, values)
    sides = next(filter(None, _shares(meaning, reader)), None)
    share = sides is not None
    if sides is None and (found := _RATIO_OF.fullmatch(meaning)) is not None:
        sides = (found["top"], found["bottom"])
    counted = _COUNT.match(meaning) is not None
    flat = re.sub(r"\bout of\b", "/", meaning) if counted else meaning
    parts = [sides[0], " / ", sides[1]] if sides is not None else _SIGN.split(flat)
    if not any(map(_divides, parts[1::2])):
        return None
    said = reader.sides(parts[::2])
    if not reader.known and sides is None:
        return None
    _check(parts[::2], reader)
    signs = (" / " if _divides(sign) else sign for sign in parts[1::2])
    text = said[0] + "".join(sign + one for sign, one in zip(signs, said[1:], strict=True))
    made = written(text, reader.schemas, values, beside=name)
    if made is None:
        return None
    formula = _added_up(read_formula(made.text))
    if any(column.table for one in formula.find_all(exp.AggFunc) for column in _values(one)):
        raise UnclearRule(f"Rows of other tables can't be added up for those of {made.table.name}: each may be there several times.")  # fmt: skip
    counts = all(formula.startswith("COUNT") for *_, formula in reader.known.values())
    counts = counts and len(reader.known) == len({*filter(str.strip, parts[::2])})
    percent = share or (counts and not words("rules.rates").isdisjoint(name.casefold().split()))
    return replace(made, text=f"100.0 * {formula.sql()}" if percent else formula.sql())


def _divides(sign: str) -> bool:
    return sign.strip() not in [*"*()+-"]


def _shares(meaning: str, reader: _Reader) -> Iterator[tuple[str, str] | None]:
    """The part and the whole of a share; none where the words speak of no share.

    Raises:
        UnclearRule: they do, but not of rows or amounts that are known.
    """
    if (found := _SHARE_BEHIND.fullmatch(meaning)) is not None:
        yield found["part"], found["whole"]
    if (found := _SHARE_OF.fullmatch(meaning)) is None:
        return
    rest = re.sub(rf"^{_ALL}", "", found["rest"], flags=re.IGNORECASE)
    for between in _BETWEEN.finditer(rest):
        part, whole = rest[: between.start()], rest[between.end() :]
        rows = reader.counted(whole)
        reader.around = (rows[:2],) if rows else ()
        some = reader.counted(part) if rows else None
        if rows is not None and some is not None and some[:2] == rows[:2]:
            yield part, whole
    reader.around = ()
    tables = tables_first(rest, reader.schemas)
    if tables and reader.counted(rest) is not None:
        yield rest, tables[0][1].name
    yield _of_amount(rest, reader)
    if tables:
        raise UnclearRule(not_understood(rest, reader.schemas, reader.values, tables[0]))
    raise UnclearRule(f"I can't tell what {rest!r} is a share of: say it as in: the percentage of … that ….")  # fmt: skip


def _of_amount(rest: str, reader: _Reader) -> tuple[str, str] | None:
    """A share of what rows add up to: `takings from Yoga`; or of one amount that another is: `places offered that were taken`."""
    said = rest.split()
    for end in range(len(said) - 1, 0, -1):
        whole, more = " ".join(said[:end]), " ".join(said[end:])
        if not any(one.fit == 1.0 for one in columns_named(whole, reader.schemas)):
            continue
        if reader.added_up(rest) is not None:
            return rest, whole
        done = _DONE.fullmatch(more)
        other = f"{said[0]} {done['what']}" if done else ""
        if other and any(one.fit == 1.0 for one in columns_named(other, reader.schemas)):
            return other, whole
    return None


def _check(phrases: Sequence[str], reader: _Reader) -> None:
    """Nothing where all sides are known, and rows of one table.

    Raises:
        UnclearRule: they are of several, or one is neither rows, nor a column, nor a measure.
    """
    if len({table for _, table, _ in reader.known.values()}) > 1:
        of = " and ".join(f"{phrase.strip()!r} is of {table}" for phrase, (_, table, _) in reader.known.items())  # fmt: skip
        raise UnclearRule(f"A rate is stated of the rows of one table, and these are of several: {of}.")  # fmt: skip
    for phrase in phrases:
        plain = not phrase.strip(" .,0123456789") or phrase in reader.known
        if not plain and not _is_written(phrase.strip(), reader):
            said = phrase.strip()
            raise UnclearRule(f"Which rows are {said!r}? Say that first, as in: {said} are … with …. No column is called so either.")  # fmt: skip


def _is_written(phrase: str, reader: _Reader) -> bool:
    """Whether a phrase is a formula by itself; `walk-ins` is one word unless both halves are columns."""
    halves = phrase.split("-") if "-" in phrase else [phrase]
    try:
        return all(written(one, reader.schemas, reader.values) is not None for one in halves)
    except UnclearRule:
        return False


def _added_up(formula: exp.Expr) -> exp.Expr:
    """A formula in which what is of each row is added up where anything else is of many rows.

    >>> [_added_up(read_formula(text)).sql() for text in ("price * quantity / (COUNT(*))", "price / cost")]
    ['SUM(price * quantity) / COUNT(*)', 'price / cost']
    """

    def change(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Paren) and isinstance(node.this, exp.AggFunc):
            return node.this
        if isinstance(node, exp.AggFunc):
            return node
        if not adds_up(node) and node.find(exp.Column):
            return exp.Sum(this=node.unnest().copy())
        for name, part in tuple(node.args.items()):
            if isinstance(part, exp.Expr):
                node.set(name, change(part))
        return node

    return change(formula.copy()) if adds_up(formula) else formula


def _values(added: exp.Expr) -> Iterator[exp.Column]:
    """The columns whose values are added up, not those that tell which rows are."""
    parts = added.walk(prune=lambda node: isinstance(node.parent, exp.If) and node.arg_key == "this")  # fmt: skip
    return (one for one in parts if isinstance(one, exp.Column))
