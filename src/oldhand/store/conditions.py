"""Conditions on rows of the logs that several queries share."""

import sqlalchemy as sa

from oldhand.record.feedback import CONFIRMS


def made_with(item: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether an answer rests on what was recalled for it, or may rest on it: it was shown, and is not known to be unused."""
    return sa.and_(item.c.shown, sa.func.coalesce(item.c.used, sa.true()))


def is_corrected(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback states an answer."""
    return sa.func.coalesce(vote.c.correction, "") != ""


def corrects(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback states another answer than the one that was given, which is wrong then, whatever the thumb."""
    return sa.and_(is_corrected(vote), ~is_tagged(vote, CONFIRMS))


def is_tagged(vote: sa.FromClause, tag: str) -> sa.ColumnElement[bool]:
    """Whether a feedback has a tag."""
    return sa.type_coerce(vote.c.tags, sa.Text).contains(f'"{tag}"')


def rates(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback says how good an answer is; a rating of 0 only takes back what was said."""
    return sa.and_(is_whole(vote), sa.or_(sa.func.abs(vote.c.rating) == 1, is_corrected(vote)))


def is_whole(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback is about the answer, and not about one passage that it cites."""
    return vote.c.passage.is_(None)
