"""Find issues by their words: for each word the newest ones that have it, so that the time has a bound.

A table of words and not the search over memories: a rank over all matches would have to look at every issue that says
"column", where the newest few are enough and a rare word is found whatever its age.
"""

from collections.abc import Sequence
from functools import lru_cache

import sqlalchemy as sa

from oldhand.store import tables

MOST_WORDS = 8
"""Words that are looked for at once."""
MOST_FOUND = 40
"""Issues looked at for each word."""

_words = tables.issue_words


def _newest(number: int) -> sa.Select[int, int]:
    """The number stands for the word, which need not be read again for each issue that has it."""
    found = (
        sa.select(_words.c.tally_seq)
        .where(
            _words.c.group_seq == sa.bindparam("group_seq"),
            _words.c.word == sa.bindparam(f"word_{number}", type_=_words.c.word.type),
        )
        .order_by(_words.c.tally_seq.desc())
        .limit(sa.literal_column(str(MOST_FOUND), sa.Integer))
        .subquery(f"found_{number}")
    )
    return sa.select(found.c.tally_seq, sa.literal_column(str(number), sa.Integer))


@lru_cache(maxsize=MOST_WORDS)
def _by_words(number: int) -> sa.CompoundSelect[int, int]:
    """Built once for each number of words: putting it together takes longer than running it."""
    return sa.union_all(*map(_newest, range(number)))


def find_by_words(
    connection: sa.Connection, group_seq: int, words: Sequence[str]
) -> dict[str, list[int]]:
    """For each of the first words the newest issues of a group that have it."""
    wanted = list(dict.fromkeys(words))[:MOST_WORDS]
    if not wanted:
        return {}
    given = {f"word_{number}": word for number, word in enumerate(wanted)}
    found: dict[str, list[int]] = {word: [] for word in wanted}
    lists = list(found.values())
    rows = connection.execute(_by_words(len(wanted)), {"group_seq": group_seq, **given}).all()
    for seq, number in rows:
        lists[number].append(seq)
    return found
