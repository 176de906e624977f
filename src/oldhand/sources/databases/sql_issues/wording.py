"""Rules about the words themselves, where the parser is more lenient than the database."""

from collections.abc import Iterator
from itertools import pairwise
from operator import contains
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from oldhand.sources.databases.sql_issues.reading import Severity, SqlIssue, StatementReading

_COMPARISONS = frozenset({
    TokenType.EQ, TokenType.NEQ, TokenType.GT, TokenType.GTE, TokenType.LT, TokenType.LTE,
})  # fmt: skip
_ANY = frozenset({TokenType.ANY, TokenType.ALL, TokenType.SOME})
_DATES = frozenset({TokenType.DATE, TokenType.TIMESTAMP, TokenType.DATETIME, TokenType.TIME})


class Spelling(NamedTuple):
    """Words in a row that some dialects reject."""

    words: tuple[frozenset[TokenType], ...]
    rejected_by: str
    message: str
    written: str = ""
    """How the first word is written, in capitals; empty when that does not matter."""
    code: str = "foreign_construct"
    severity: Severity = Severity.ERROR


def _one(kind: TokenType) -> frozenset[TokenType]:
    return frozenset({kind})


SPELLINGS: tuple[Spelling, ...] = (
    Spelling((_one(TokenType.DCOLON),), "sqlite mysql", ":: is not known here: use CAST(x AS type)."),
    Spelling((_COMPARISONS, _ANY, _one(TokenType.L_PAREN)), "sqlite", "ANY and ALL are not known here: compare with (SELECT MIN(…) …) or (SELECT MAX(…) …), or use IN."),
    Spelling((_DATES, _one(TokenType.STRING)), "sqlite", "Dates are plain texts here: leave out the word before the text."),
    Spelling(
        (_one(TokenType.LIMIT), _one(TokenType.NUMBER), _one(TokenType.COMMA)),
        "postgres duckdb", "LIMIT a, b is not known here: use LIMIT b OFFSET a.",
    ),
    Spelling((_one(TokenType.EQ),), "postgres mysql", "== is not known here: compare with =.", "=="),
    Spelling((_one(TokenType.RLIKE),), "postgres duckdb", "REGEXP is not known here: use ~ or SIMILAR TO.", "REGEXP"),
    Spelling((_one(TokenType.RLIKE),), "postgres duckdb", "RLIKE is not known here: use ~ or SIMILAR TO.", "RLIKE"),
    Spelling((_one(TokenType.DPIPE),), "mysql", "|| means OR in MySQL: join texts with CONCAT(a, b).", "", "bars_mean_or", Severity.ADVICE),
)  # fmt: skip


def foreign_spelling(reading: StatementReading) -> Iterator[SqlIssue]:
    """Operators of other databases, which the tree shows no more, or under another name."""
    kinds = [token.token_type for token in reading.tokens]
    for spelling in SPELLINGS:
        if reading.dialect not in spelling.rejected_by.split():
            continue
        for index, token in enumerate(reading.tokens):
            following = kinds[index : index + len(spelling.words)]
            fits = len(following) == len(spelling.words)
            is_written = spelling.written in {"", token.text.upper()}
            if is_written and fits and all(map(contains, spelling.words, following)):
                yield reading.at(spelling.code, token, spelling.message, spelling.severity)


def using_without_brackets(reading: StatementReading) -> Iterator[SqlIssue]:
    """USING takes a list; DuckDB knows USING SAMPLE besides."""
    for token, after in pairwise(reading.tokens):
        fits = after.token_type is TokenType.L_PAREN or after.text.upper() == "SAMPLE"
        if token.token_type is TokenType.USING and not fits:
            message = "USING takes columns in brackets: write USING (column)."
            yield reading.at("foreign_construct", token, message)


def bracketed_set_operation(reading: StatementReading) -> Iterator[SqlIssue]:
    """SQLite joins plain SELECTs without brackets."""
    if reading.dialect == "sqlite":
        for token in _bracketed_parts(reading.tokens):
            message = "The parts of a set operation stand without brackets here: leave them out, or write SELECT * FROM (…)."
            yield reading.at("foreign_construct", token, message)


_SET_OPERATORS = frozenset({TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT})


def _bracketed_parts(tokens: list[Token]) -> Iterator[Token]:
    """The brackets that open a part of a set operation, or the whole statement."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN:
            last = index - 1
            if last > 0 and tokens[last].token_type is TokenType.ALL:
                last -= 1
            if last < 0 or tokens[last].token_type in _SET_OPERATORS:
                yield token
            opened.append(index)
        elif token.token_type is TokenType.R_PAREN and opened:
            start = opened.pop()
            is_inner = start > 0 and tokens[start - 1].token_type is TokenType.L_PAREN
            follows = tokens[index + 1 : index + 2]
            if is_inner and follows and follows[0].token_type in _SET_OPERATORS:
                yield tokens[start]


_CLAUSE_RANKS = {
    TokenType.JOIN: 1, TokenType.WHERE: 2, TokenType.GROUP_BY: 3, TokenType.HAVING: 4, TokenType.QUALIFY: 5,
    TokenType.ORDER_BY: 6, TokenType.LIMIT: 7,
}  # fmt: skip
_BEGINS_QUERY = _SET_OPERATORS | {TokenType.SELECT}


def clause_order(reading: StatementReading) -> Iterator[SqlIssue]:
    """WHERE after GROUP BY and the like, which the parser puts right in silence."""
    ranks: list[int | None] = [0]
    for before, token in pairwise([reading.tokens[0], *reading.tokens]):
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            ranks.append(None)  # no query, until a SELECT begins in it
        elif kind is TokenType.R_PAREN and len(ranks) > 1:
            ranks.pop()
        elif kind in _BEGINS_QUERY:
            ranks[-1] = 0
        rank, last = _CLAUSE_RANKS.get(kind), ranks[-1]
        if rank is None or last is None or before.token_type is TokenType.DOT:
            continue
        if rank < last:
            message = f"{token.text.upper()} stands too late: the order is FROM, JOIN, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT."
            yield reading.at("clause_order", token, message)
        ranks[-1] = max(rank, last)


def trailing_comma(reading: StatementReading) -> Iterator[SqlIssue]:
    """A comma with nothing after it; DuckDB alone lets it pass."""
    if reading.dialect == "duckdb":
        return
    ends = {*_CLAUSE_RANKS, TokenType.FROM, TokenType.R_PAREN}
    kinds = [token.token_type for token in reading.tokens]
    for index, kind in enumerate(kinds):
        if kind is TokenType.COMMA and (index + 1 == len(kinds) or kinds[index + 1] in ends):
            message = "Nothing follows this comma: leave it out."
            yield reading.at("trailing_comma", reading.tokens[index], message)
