"""Operators of PostGIS that the parser does not know."""

import re

_PLAIN = {
    "<<->>": " <-> ", "<<#>>": " <-> ", "<#>": "<->", "|=|": "<->", "&&&": "&& ", "&<|": "&& ", "|&>": "&& ",
    "<<|": "&& ", "|>>": "&& ", "~=": "&&", " @ ": " = ", " ~ ": " = ",
}  # fmt: skip
_FOUND = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|(?P<operator>""" + "|".join(map(re.escape, _PLAIN)) + ")"
)


def with_plain_operators(sql: str) -> str:
    """The text with operators that can be parsed in place of those of PostGIS; every position stays where it was.

    >>> with_plain_operators("SELECT a &&& b, 'x ~= y' FROM t ORDER BY a <<->> b")
    "SELECT a &&  b, 'x ~= y' FROM t ORDER BY a  <->  b"
    """

    def plain(match: re.Match[str]) -> str:
        return _PLAIN[match["operator"]] if match["operator"] else match[0]

    return _FOUND.sub(plain, sql)
