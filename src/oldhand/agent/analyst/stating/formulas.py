"""Formulas and conditions as people write them, with the columns that they name: `(price - cost) / price`, `not closed`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from sqlglot import exp

from oldhand.agent.analyst.candidates.worth import REVENUE, line_amounts
from oldhand.agent.analyst.stating.flags import with_flags
from oldhand.agent.analyst.stating.lasting import in_differences, with_spans
from oldhand.agent.analyst.stating.named import NamedColumn, columns_named
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.phrases import any_of
from oldhand.lexicon.tokens import words_in
from oldhand.query.form import ColumnRef, Elapsed, Worth
from oldhand.record.formula import read_formula
from oldhand.record.schema import NUMBERS, DatabaseSchema, Table
from oldhand.sources.databases.values import Values

_PART = re.compile(r"'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?|<=|>=|<>|!=|[-+*/()=<>,]|[^\W\d][\w.]*")
PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|per cent)\s+of\b", re.IGNORECASE)
_SIGN = re.compile(r"<=|>=|<>|!=|[-+*/()=<>,]")
_KNOWN = words("rules.formulas")
_FUNCTIONS = words("rules.functions")
_ARTICLES = words("function_words.determiners")
_COMPUTING = meanings("grouping.aggregates")
_COMPUTED = re.compile(r"\s[-+*/]\s|[+*/]")
"""What no name of a column is said to have."""
_COMPARING = re.compile(r"=|<>|!=|[<>]=?|in|like|,")


@dataclass(frozen=True, slots=True)
class WrittenFormula:
    """A formula or condition over the columns of one table, and of tables that it refers to."""

    database: str
    table: Table
    text: str
    """Neutral SQL."""
    column: str | None = None
    """The column, where it is nothing but that."""
    compares: bool = False


def written(
    text: str, schemas: tuple[DatabaseSchema, ...], values: Values, beside: str = ""
) -> WrittenFormula | None:
    """What a text computes or compares; None when it does neither.

    Args:
        text: as people write it.
        schemas: the databases that it may speak of.
        values: what these hold.
        beside: words beside it, which may name the table.

    Raises:
        UnclearRule: it computes or compares, but a name in it is not known, or may be several.
    """
    text = PERCENT_OF.sub(lambda share: f"{Decimal(share[1]) / 100} *", text)
    bare = " ".join(word for word in text.split() if word.lower() not in _ARTICLES)
    signed = _in_signs(in_differences(text))
    whole = _is_column(bare, schemas) or (not _COMPUTED.search(signed) and any(one.fit == 1.0 for one in columns_named(bare, schemas)))  # fmt: skip
    parts = [bare] if whole else list(_parts(signed))  # `the total of invoices`
    phrases = [part for part in parts if not _is_fixed(part)]
    if not phrases:
        return None
    named = {phrase: _exact(columns_named(phrase, schemas)) for phrase in phrases}
    stated = _stated(phrases, schemas)
    literals = {
        part
        for place, part in enumerate(parts)
        if part in named and not named[part] and part not in stated and _is_compared(parts, place)
    }
    unknown = [one for one in phrases if not named[one] and one not in stated and one not in literals]  # fmt: skip
    for one in unknown:  # `total cost of rentals`
        first, _, rest = one.partition(" ")
        if first.lower() in _COMPUTING and columns_named(rest, schemas):
            return written(text.replace(one, f"{_COMPUTING[first.lower()]}({rest})"), schemas, values, beside)  # fmt: skip
    if unknown:
        if len(parts) == 1 or not any(map(_SIGN.fullmatch, parts)):
            return None
        raise UnclearRule(f"No column is called {unknown[0]!r}. `oldhand schema show` lists them.")
    wanted = {phrase: found for phrase, found in named.items() if found and phrase not in stated}
    home = _home(wanted, stated, schemas, beside)
    return _written(parts, _Names(home, wanted, stated, literals), values)


def _exact(found: tuple[NamedColumn, ...]) -> tuple[NamedColumn, ...]:
    """Those of the very name, where a database has any: `stems` is no `stem_price`."""
    called = {one.database for one in found if one.fit == 1.0}
    return tuple(one for one in found if one.fit == 1.0 or one.database not in called)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the phrases of a formula are."""

    home: tuple[str, Table]
    columns: Mapping[str, tuple[NamedColumn, ...]]
    stated: Mapping[str, tuple[str, str, str]]
    """Measures and conditions by their names: database, table and text."""
    literals: set[str]

    def spelled(self, phrase: str) -> str:
        """A phrase as SQL has it."""
        if phrase in self.stated:
            return f"({self.stated[phrase][2]})"
        table = self.home[1]
        best = sorted(self.columns[phrase], key=lambda one: (one.table is not table, -one.fit))
        one = next(o for o in best if o.table is table or _refers(table, o.table))
        name = f'"{one.column.name}"'
        return name if one.table is table else f'"{one.table.name}".{name}'


def _written(
    parts: Sequence[str],
    names: _Names,
    values: Values,
) -> WrittenFormula:
    database, table = names.home
    said: list[str] = []
    for place, part in enumerate(parts):
        if part in names.literals:
            column = _compared_column(parts, place, names)
            said.append(_literal(part, table, column, values))
        else:
            said.append(part if _is_fixed(part) else names.spelled(part))
    if len(parts) == 1 and parts[0] in names.columns:
        name = names.spelled(parts[0]).rpartition(".")[2].strip('"')
        return WrittenFormula(database, table, name, name)
    text = " ".join(said)
    for read, compares in ((read_formula, False), (with_flags(table), True)):
        try:
            tree = with_spans(
                read(text), table, [one for some in names.columns.values() for one in some]
            )
            return WrittenFormula(database, table, _plain(tree), compares=compares)
        except ValueError:
            continue
    raise UnclearRule(f"This is neither a formula nor a condition: {' '.join(parts)}")


def _plain(tree: exp.Expr) -> str:
    """Without quotes around names that need none."""
    tree = tree.copy()
    for one in tree.find_all(exp.Identifier):
        one.set("quoted", not re.fullmatch(r"[a-z_][a-z0-9_]*", one.name))
    return tree.sql()


@cache
def _worded() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds comparisons and arithmetic in words, longer phrases first, and what finds functions in words."""
    known = meanings("rules.comparing")
    compared, computed = any_of(known), any_of(meanings("rules.computing"))
    ends = any_of(said for said, sign in known.items() if sign not in "-+*")
    added = any_of(said for said, sign in known.items() if sign in "-+")
    end = rf"\s*(?:$|[()<>=/,]|\b(?:and|or|{ends})\b|(?:[-+]|\b(?:{added})\b)\s*(?:the\s+)?(?:{computed})\b)"
    return (
        re.compile(rf"(?<![\w.])(?:{compared})(?![\w.])", re.IGNORECASE),
        re.compile(rf"(?<![\w.])({computed})\s+(?:the\s+)?(\w.*?)(?={end})", re.IGNORECASE),
    )


def _in_signs(text: str) -> str:
    """A text with its comparisons and arithmetic as signs.

    >>> _in_signs("paid_on is not null and the sum of fee at least 'over 3'")
    "paid_on  IS NOT NULL  and the sum(fee)  >=  'over 3'"
    >>> _in_signs("sum of unit price times quantity minus sum of discount")
    'sum(unit price  *  quantity)  -  sum(discount)'
    """
    comparing, computing = _worded()
    pieces = re.split(r"('[^']*'|\"[^\"]*\")", text)
    for place in range(0, len(pieces), 2):
        said = computing.sub(lambda m: f"{meanings('rules.computing')[_key(m[1])]}({m[2]})", pieces[place])  # fmt: skip
        pieces[place] = comparing.sub(lambda m: f" {meanings('rules.comparing')[_key(m[0])]} ", said)  # fmt: skip
    return "".join(pieces)


def _key(phrase: str) -> str:
    return "-".join(phrase.lower().split())


def _parts(text: str) -> Iterator[str]:
    """Signs, numbers, texts and words that mean something to SQL, and between them the phrases that don't."""
    phrase: list[str] = []
    found = _PART.findall(text)
    for part, after in zip(found, (*found[1:], ""), strict=True):
        if _is_fixed(part) and (after == "(" or part.lower() not in _FUNCTIONS):
            if phrase:
                yield " ".join(phrase)
            phrase = []
            yield part.lower() if part.isalpha() else part
        elif phrase or part.lower() == "no" or part.lower() not in _ARTICLES:  # `no access`
            phrase.append(part)
    if phrase:
        yield " ".join(phrase)


def _is_fixed(part: str) -> bool:
    return (
        bool(_SIGN.fullmatch(part))
        or part.lower() in _KNOWN
        or part[0] in "'\""
        or part[0].isdigit()
    )


def _is_compared(parts: Sequence[str], place: int) -> bool:
    """Whether a phrase stands where a value is compared: `status = paid`, `status in (paid, open)`."""
    before = [part for part in parts[:place] if part != "("]
    return bool(before) and bool(_COMPARING.fullmatch(before[-1]))


def _compared_column(parts: Sequence[str], place: int, names: _Names) -> str:
    before = [part for part in parts[:place] if part in names.columns]
    return names.spelled(before[-1]).rpartition(".")[2].strip('"') if before else ""


def _literal(text: str, table: Table, column: str, values: Values) -> str:
    """A value as the column has it."""
    entry = table.column(column)
    if entry is not None and entry.kind in NUMBERS:
        raise UnclearRule(f"{table.name}.{column} holds numbers, and {text!r} is neither one nor a column.")  # fmt: skip
    known = values.exact([text])
    same = [m.value for m in known if (m.table, m.column) == (table.name, column)]
    return exp.Literal.string(str(same[0]) if same else text).sql()


def _stated(
    phrases: Sequence[str], schemas: tuple[DatabaseSchema, ...]
) -> dict[str, tuple[str, str, str]]:
    """The phrases that are names of measures and conditions already, and those for what came in."""
    known: dict[str, tuple[str, str, str]] = {}
    money = any(one.casefold() in REVENUE and not _is_column(one, schemas) for one in phrases)
    came_in = [*filter(None, map(_came_in, schemas))] if money else []
    if len(came_in) == 1:
        known |= {one: came_in[0] for one in REVENUE if not _is_column(one, schemas)}
    for schema in schemas:
        rules = schema.semantics
        for measure in rules.measures:
            known[measure.name.casefold()] = (schema.name, measure.table, measure.formula)
        for named in rules.conditions:
            known[named.name.casefold()] = (schema.name, named.table, named.condition)
    return {one: known[one.casefold()] for one in phrases if one.casefold() in known}


def _is_column(name: str, schemas: tuple[DatabaseSchema, ...]) -> bool:
    return any(one.name.casefold() == name.casefold() for schema in schemas for table in schema.tables for one in table.columns)  # fmt: skip


def _came_in(schema: DatabaseSchema) -> tuple[str, str, str] | None:
    """What each row of a database brought in, where only one table holds such rows: the product of columns, or one of them."""
    said = vocabulary((schema,))
    amounts = line_amounts(said)
    if len(amounts) != 1 or isinstance(amounts[0].worth, Elapsed):
        return None
    table, worth = said.tables[amounts[0].table].table.name, amounts[0].worth
    product = Worth((worth,)) if isinstance(worth, ColumnRef) else worth
    columns = [one for one in (*product.factors, *product.off) if isinstance(one, ColumnRef)]
    if len(columns) < len(product.factors) + len(product.off):
        return None
    rates = {one.name for one in product.off if isinstance(one, ColumnRef)}
    factors = (f'(1 - "{one.name}")' if one.name in rates else f'"{one.name}"' for one in columns)
    return schema.name, table, " * ".join(factors)


def _home(
    wanted: Mapping[str, tuple[NamedColumn, ...]],
    stated: Mapping[str, tuple[str, str, str]],
    schemas: tuple[DatabaseSchema, ...],
    beside: str,
) -> tuple[str, Table]:
    """The table whose rows a formula is about: it has most of the columns, and refers to those of the others."""
    near = words_in([beside])
    scored: list[tuple[float, str, Table]] = []
    for schema in schemas:
        for table in schema.tables:
            fits = [_best(found, schema.name, table) for found in wanted.values()]
            home = all((schema.name, table.name) == one[:2] for one in stated.values())
            if home and all(fits):
                named = 2.0 * bool(
                    near & {table.name.casefold(), table.name.casefold().rstrip("s")}
                )
                scored.append((sum(fits) + named, schema.name, table))
    if not scored:
        raise UnclearRule(f"No table holds {' and '.join(map(repr, wanted))}, nor refers to them.")
    best = max(score for score, *_ in scored)
    first = [(database, table) for score, database, table in scored if score == best]
    if len(first) > 1 and not wanted:
        raise UnclearRule(f"It names no column of {first[0][1].name} or another table: say which.")
    if len(first) > 1:
        names = " and ".join(table.name for _, table in first[:4])
        phrase = next(iter(wanted), "")
        column = next(one.column.name for one in wanted[phrase] if one.table is first[0][1])
        raise UnclearRule(
            f"{phrase!r} is in {names}: write which, as in {first[0][1].name}.{column}."
        )
    return first[0]


def _best(found: Sequence[NamedColumn], database: str, table: Table) -> float:
    """How well the columns that a phrase names go with a table: its own best, those that it refers to less."""
    here = [one for one in found if one.database == database]
    own = [one.fit for one in here if one.table is table]
    far = [0.4 * one.fit for one in here if one.table is not table and _refers(table, one.table)]
    return max((*own, *far), default=0.0)


def _refers(table: Table, other: Table) -> bool:
    return any(key.table.casefold() == other.name.casefold() for key in table.foreign_keys)
