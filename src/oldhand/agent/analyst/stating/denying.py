"""Rules that give a meaning to what is denied, or are about rows of which something is denied."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.stating.clauses import AUXILIARY
from oldhand.agent.analyst.stating.deeds import deeds
from oldhand.agent.analyst.stating.leaving import without_contractions, without_longer
from oldhand.agent.analyst.stating.named import THINGS, tables_meant
from oldhand.agent.analyst.stating.sentences import NAME, UNSURE, Definition
from oldhand.agent.analyst.stating.things import Things, not_understood, opposite, things_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.values import Values

_NOT = words("rules.never")
_IDLE = words("rules.yet")


def of_denied(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, Things] | Definition | None:
    """What a sentence says of rows that did not do something: what that means, or how such rows are called.

    `Bookings that did not show up have status no-show` gives a meaning to *show up*: the rows that are no such ones.
    `Customers who never booked are dormant` gives one to *dormant*.

    Returns:
        A name and the rows that it is true of; a definition; None where it is no such sentence.

    Raises:
        UnclearRule: neither what is denied nor what is said of such rows is understood.
    """
    if UNSURE.search(sentence):
        return None
    said = without_longer(without_contractions(sentence)).strip(" .!;").split()
    low = [word.lower().strip(",") for word in said]
    start = next((at for at, word in enumerate(low) if word not in words("rules.articles")), 0)
    for end in range(min(start + THINGS, len(low)), start, -1):
        tables = tables_meant(" ".join(low[start:end]), schemas)
        deed = _denied(low, end) if tables else None
        if deed is not None:
            return _meaning(said, deed, tables, schemas, values)
    return None


def _denied(low: Sequence[str], at: int) -> range | None:
    """The places of what is denied of the things that end at a place: `show up` in `that did not show up have …`."""
    passed = words("rules.relating") | AUXILIARY
    while at < len(low) and low[at] in passed:
        at += 1
    if at == len(low) or low[at] not in _NOT:
        return None
    start = at + 1
    while start < len(low) and low[start] in _IDLE | words("rules.passive"):
        start += 1
    says = AUXILIARY | words("rules.have_meaning")
    if start < len(low) and low[start] in says:
        return None  # `returned rentals do not count`
    behind = (end for end in range(start + 1, len(low) - 1) if low[end] in says)
    end = next(behind, 0)
    return range(start, end) if 0 < end - start <= NAME and not _goes(low, end) else None


def _meaning(
    said: Sequence[str],
    deed: range,
    tables: tuple[tuple[str, Table], ...],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> tuple[str, Things] | Definition | None:
    told = said[deed.stop + 1 :]
    while len(told) > 1 and told[0].lower() in words("rules.articles") | words("rules.calling"):
        told = told[1:]
    rest = " ".join(told)
    rows = " ".join(one for one in said[: deed.stop] if one.lower() not in _IDLE)
    things = things_meant(rest, schemas, values, tables, only=True)
    if things is not None and _is_named(rest, things.condition):
        name = [one for one in said[deed.start : deed.stop] if one.lower() not in _IDLE]
        return " ".join(name), replace(things, condition=opposite(things.condition))
    known = not word_stems("money.revenue").isdisjoint(map(stem, split_name(rest.casefold())))
    if known or len(told) > NAME or things_meant(rows, schemas, values, tables) is None:
        raise UnclearRule(not_understood(rest, schemas, values, tables[0]))
    return Definition(rest, rows)


def _is_named(said: str, condition: str) -> bool:
    """Whether a condition speaks of what words name, and is not only what such words may come to."""
    read = {stem(word) for word in split_name(condition.casefold())}
    return not read.isdisjoint(map(stem, split_name(said.casefold())))


def _goes(said: Sequence[str], at: int) -> bool:
    """Whether a sentence says from a place on that rows go out or in; `count as dormant` says what they are."""
    named = said[at] in words("rules.have_meaning")
    return any(one.start >= at and not (named and one.start == at) for one in deeds(said))
