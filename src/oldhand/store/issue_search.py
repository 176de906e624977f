"""Find issues by their words: for each word the newest ones that have it, so that the time has a bound.

A table of words and not the search over memories: a rank over all matches would have to look at every issue that says
"column", where the newest few are enough and a rare word is found whatever its age.
"""

from collections import defaultdict
from collections.abc import Sequence

import sqlalchemy as sa

from oldhand.store import issue_tables

MOST_WORDS = 8
"""Words that are looked for at once."""
MOST_FOUND = 40
"""Issues looked at for each word."""

_words = issue_tables.issue_words


def _newest(number: int) -> sa.Select[int, int]:
    """The number stands for the word, which need not be read again for each issue that has it."""
    found = (
        sa.select(_words.c.tally_seq)
        .where(
            _words.c.group_seq == sa.bindparam("group_seq"),
            _words.c.word == sa.bindparam(f"word_{number}", type_=_words.c.word.type),
        )
        .order_by(_words.c.tally_seq.desc())
        .limit(MOST_FOUND)
        .subquery(f"found_{number}")
    )
    return sa.select(found.c.tally_seq, sa.literal_column(str(number), sa.Integer))


# Built once: putting it together takes longer than running it.
_BY_WORDS = sa.union_all(*map(_newest, range(MOST_WORDS)))


def find_by_words(
    connection: sa.Connection, group_seq: int, words: Sequence[str]
) -> dict[int, set[str]]:
    """The newest issues of a group for each of the first words, with the words that they have.

    An empty word fills a place without finding anything.
    """
    if not words:
        return {}
    padded = [*words[:MOST_WORDS], *[""] * (MOST_WORDS - len(words))]
    given = {f"word_{number}": word for number, word in enumerate(padded)}
    found: dict[int, set[str]] = defaultdict(set)
    for seq, number in connection.execute(_BY_WORDS, {"group_seq": group_seq, **given}).all():
        found[seq].add(padded[number])
    return found
