"""The text of a statement as tokens, and the tricks of writing that could hide a statement from the guard.

What runs is the text itself without its comments, not SQL generated anew: see `guard`. So this text must read the same
for us and for the database. Wherever the databases and the tokenizer could disagree about where a comment or a name
ends, the text is refused.
"""

import re
from collections import Counter
from itertools import pairwise
from unicodedata import category

from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from oldhand.errors import MultipleStatements, UnreadableSQL, UsageError
from oldhand.sources.databases.guard_names import NAMES

MAX_CHARS = 200_000
"""Longer text is refused unread."""
MAX_DEPTH = 100
"""Brackets inside brackets; the parser's stack ends soon after."""

_MOST = {TokenType.UNION: ("UNION", 500), TokenType.L_BRACKET: ("[", 1_000)}
"""How often these may stand in a statement: the parser and the checks get slow by them."""

_FOREIGN_ERRORS = (SqlglotError, RecursionError, AttributeError, TypeError, ValueError, LookupError)
"""What sqlglot raises on text that is no SQL: its own errors, and slips in rarely used branches."""

_BLANK = r"[ \t\r\n\f\v]"
_LINE_COMMENT = r"--[^\r\n]*(?:[\r\n]|\Z)"
_BLOCK_COMMENT = r"/\*(?![!+]|M!)(?:(?!/\*|\*/).)*\*/"
_GAP = re.compile(f"(?:{_BLANK}|{_LINE_COMMENT}|{_BLOCK_COMMENT})*", re.DOTALL)
_MYSQL_GAP = re.compile(
    rf"(?:{_BLANK}|--(?=\s|\Z)[^\r\n]*(?:\r?\n|\Z)|\#[^\r\n]*(?:\r?\n|\Z)|{_BLOCK_COMMENT})*",
    re.DOTALL,
)

QUOTED = frozenset({
    TokenType.STRING, TokenType.IDENTIFIER, TokenType.BYTE_STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING,
    TokenType.NATIONAL_STRING, TokenType.UNICODE_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING,
})  # fmt: skip
"""Tokens that are text or quoted names."""
_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})


def dialect_named(name: str) -> Dialect:
    """The dialect, if there are rules for it.

    Raises:
        UsageError: there are no rules for a dialect of that name.
    """
    if name not in NAMES:
        raise UsageError(f"{name!r} is not a dialect with rules: {', '.join(NAMES)} are.")
    return Dialect.get_or_raise(name)


def statement_tokens(sql: str, dialect: str) -> list[Token]:
    """The tokens of the only statement in `sql`, without the closing semicolon.

    Raises:
        UnreadableSQL: the text is no SQL, too long, or too deep.
        MultipleStatements: there is more than one statement.
    """
    reader = dialect_named(dialect)
    _check_characters(sql)
    try:
        tokens = reader.tokenize(sql)
    except _FOREIGN_ERRORS as error:
        raise UnreadableSQL(f"The SQL does not parse: {_first_line(error)}") from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if not tokens:
        raise UnreadableSQL("There is no SQL in this text: write one SELECT.")
    if any(token.token_type is TokenType.SEMICOLON for token in tokens):
        raise MultipleStatements(
            "One statement at a time: this text holds several. Send only the SELECT."
        )
    _check_depth(tokens)
    return tokens


def check_writing(sql: str, tokens: list[Token], dialect: str) -> None:
    """See that every reader cuts the text into these tokens: between them lie only blanks and simple comments.

    Raises:
        UnreadableSQL: the text holds something that databases read in different ways.
    """
    gap = _MYSQL_GAP if dialect == "mysql" else _GAP
    end = 0
    for token in tokens:
        if not gap.fullmatch(between := sql[end : token.start]):
            raise _hidden(between)
        if token.token_type is TokenType.HINT:
            raise _hidden(sql[token.start :])
        _check_token(sql, token)
        end = token.end + 1
    if not gap.fullmatch(rest := sql[end:].replace(";", " ")):
        raise _hidden(rest)


def text_without_comments(sql: str, tokens: list[Token]) -> str:
    """The tokens as they were written, comments and superfluous blanks left out; lines stay lines."""
    parts = [_spelled(sql, tokens[0])]
    for before, token in pairwise(tokens):
        gap = sql[before.end + 1 : token.start]
        parts.append(("\n" if "\n" in gap else " ") if gap else "")
        parts.append(_spelled(sql, token))
    return "".join(parts)


def parsed(sql: str, tokens: list[Token], dialect: str) -> exp.Expr:
    """The tree of one statement.

    Raises:
        UnreadableSQL: the tokens do not parse.
    """
    try:
        trees = dialect_named(dialect).parser().parse(tokens, sql)
    except RecursionError as error:
        raise UnreadableSQL("The SQL is nested too deeply: make it simpler.") from error
    except _FOREIGN_ERRORS as error:
        raise UnreadableSQL(f"The SQL does not parse: {_first_line(error)}") from error
    if len(trees) != 1 or trees[0] is None:
        raise UnreadableSQL("There is no SQL in this text: write one SELECT.")
    return trees[0]


def _check_characters(sql: str) -> None:
    if len(sql) > MAX_CHARS:
        raise UnreadableSQL(f"The SQL is longer than {MAX_CHARS:,} characters: make it shorter.")
    if "\0" in sql:
        raise UnreadableSQL(
            "The SQL holds a NUL character, at which databases stop reading: remove it."
        )
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise UnreadableSQL(
            "The SQL holds characters that are not valid text: remove them."
        ) from error


def _check_token(sql: str, token: Token) -> None:
    written = _spelled(sql, token)
    before = sql[max(token.start - 2, 0) : token.start].lower()
    if token.token_type is TokenType.IDENTIFIER and before == "u&":
        raise UnreadableSQL('Names written as U&"…" are not allowed: write the characters.')
    if token.token_type in QUOTED or (written.isascii() and written.isprintable()):
        return
    for char in written:
        if category(char)[0] in "CZ":
            raise UnreadableSQL(
                f"The SQL holds an invisible or special blank character (U+{ord(char):04X}): use plain blanks."
            )


def _check_depth(tokens: list[Token]) -> None:
    depth = 0
    found = Counter(token.token_type for token in tokens)
    for kind, (sign, most) in _MOST.items():
        if found[kind] > most:
            raise UnreadableSQL(f"The SQL has {sign} more than {most} times: make it simpler.")
    for token in tokens:
        if token.token_type in _OPENING:
            depth += 1
        elif token.token_type in _CLOSING:
            depth -= 1
        if depth > MAX_DEPTH:
            raise UnreadableSQL(
                f"The SQL is nested more than {MAX_DEPTH} brackets deep: make it simpler."
            )


def _hidden(gap: str) -> UnreadableSQL:
    shown = gap.strip()[:40]
    return UnreadableSQL(
        f"The SQL holds something that databases read in different ways: {shown!r}. "
        "Plain blanks and simple, unnested comments are allowed; hints and /*! … */ are not."
    )


def _spelled(sql: str, token: Token) -> str:
    return sql[token.start : token.end + 1]


def _first_line(error: Exception) -> str:
    """The message of sqlglot without the terminal's colours and the excerpt."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    text = re.sub(r"<Token token_type: [^,]*, text: (.*?), line: .*?>", r"'\1'", text)
    return text.splitlines()[0] if text else type(error).__name__
