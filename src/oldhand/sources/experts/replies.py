"""Whether a reply has the form that was asked for."""

from collections.abc import Callable

from oldhand.errors import OldhandError, ReplyRefused
from oldhand.lexicon.wording import number_in
from oldhand.record.consultation import ReplyKind, WantedReply

CheckSql = Callable[[str, str | None], None]
"""Raises an error when a statement can't be run on a database, or on any when None."""


def checked_reply(wanted: WantedReply, text: str, most: int, check_sql: CheckSql) -> str:
    """Return the reply as it is kept.

    Raises:
        ReplyRefused: it has another form; the message says which is expected.

    >>> wanted = WantedReply(kind=ReplyKind.CHOICE, choices=("net", "gross"))
    >>> checked_reply(wanted, "2", 100, lambda sql, database: None)
    'gross'
    >>> checked_reply(wanted, "both", 100, lambda sql, database: None)
    Traceback (most recent call last):
    ...
    oldhand.errors.ReplyRefused: Choose one, by its number or its words: 1. net  2. gross
    """
    reply = text.strip()
    if not reply:
        raise ReplyRefused("The reply is empty: write the answer.")
    if len(reply) > most:
        raise ReplyRefused(f"The reply has {len(reply):,} characters; at most {most:,} are taken.")
    match wanted.kind:
        case ReplyKind.TEXT:
            return _chosen(wanted, reply) or reply
        case ReplyKind.CHOICE:
            return _of_choices(wanted, reply)
        case ReplyKind.NUMBER:
            return _number(reply)
        case ReplyKind.SQL:
            return _statement(wanted, reply, check_sql)


def _chosen(wanted: WantedReply, reply: str) -> str | None:
    number = reply.rstrip(".)")
    if number.isdecimal() and 1 <= int(number) <= len(wanted.choices):
        return wanted.choices[int(number) - 1]
    return next((one for one in wanted.choices if one.casefold() == reply.casefold()), None)


def _of_choices(wanted: WantedReply, reply: str) -> str:
    found = _chosen(wanted, reply)
    if found is None:
        listed = "  ".join(f"{at}. {one}" for at, one in enumerate(wanted.choices, start=1))
        raise ReplyRefused(f"Choose one, by its number or its words: {listed}")
    return found


def _number(reply: str) -> str:
    plain = reply.replace(",", "").replace(" ", "")
    if number_in(plain) is None:
        raise ReplyRefused("A number is expected, such as 1200 or 0.5.")
    return plain


def _statement(wanted: WantedReply, reply: str, check_sql: CheckSql) -> str:
    try:
        check_sql(reply, wanted.database)
    except OldhandError as error:
        raise ReplyRefused(
            f"One statement that only reads is expected, such as SELECT …: {error}"
        ) from error
    return reply
