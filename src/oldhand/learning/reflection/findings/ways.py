"""What right SQL tells of the keys by which tables are joined, and of the dates that times mean."""

import re
from collections.abc import Iterable, Iterator, Sequence

from oldhand.learning.reflection.findings.case import GENERAL, CorrectionInContext, stems
from oldhand.learning.reflection.findings.finding import Finding, explained
from oldhand.learning.reflection.query_difference import End, Pair, QueryDifference, Statement
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.naming import is_short_for, name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import words_in
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.describing.nouns import finest
from oldhand.query.form import ColumnRef, Comparison, Function, Predicate
from oldhand.query.known import as_key, called_alike
from oldhand.query.walk import columns, way_between
from oldhand.record.answer import Outcome
from oldhand.record.effect import TimeColumn
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.schema import DATES, DatabaseSchema
from oldhand.record.stemming import stemmed

_ENDS = {word for word, role in meanings("comparing.roles").items() if role in ("from", "to")}
"""Prepositions that tell one end from the other."""
_SPANS = {*meanings("saying.months"), *words("time.spans")}
_TIMES = _SPANS | words("fixed.meanings") | words("time.happening")
_YEAR = re.compile(r"(?:19|20)\d\d")
_BEFORE_CODE = re.compile(r"\w+(?:\s\w+)?(?=\s\([^)]*\))")
"""What a value in brackets explains: `completed bookings (status D)`."""
_PLAIN = words("names.shared") | words("time.plain")


def undeclared(right: Statement | None, case: CorrectionInContext) -> Iterator[Finding]:
    """The keys by which the right statement joins, and of which the schema knows nothing."""
    for pair in _pairs(right.ties if right is not None else ()):
        if as_key(pair, case.schema) is None:
            cause = f"No key was known that joins {pair.table} and {pair.other_table}."
            yield _joined_by(_between([pair], case), cause, case)


def _pairs(ties: Iterable[Pair]) -> Iterator[KeyPair]:
    """What a statement ties two tables by."""
    for one, other in sorted(ties):
        if one[0].casefold() != other[0].casefold():
            yield _pair(one, other)


def _pair(one: End, other: End) -> KeyPair:
    return KeyPair(table=one[0], column=one[1], other_table=other[0], other_column=other[1])


def _joined_by(effect: JoinPath, cause: str, case: CorrectionInContext) -> Finding:
    """A way to join that is proposed."""
    text, domain = f"{effect.says}.", ",".join(sorted(map(case.place, effect.tables)))
    proposal = case.proposal("semantic", text, domain, effect=effect, failure=cause)
    return Finding(improvement=text, root_cause=cause, proposals=(proposal,))


def _between(pairs: Sequence[KeyPair], case: CorrectionInContext, **more: object) -> JoinPath:
    """The way between the tables of the first of some keys."""
    tables = (pairs[0].table, pairs[0].other_table)
    told = {"database": case.schema.name, "tables": tables, "on": tuple(pairs), **more}
    return JoinPath.model_validate(told)


def settled(right: Statement | None, case: CorrectionInContext) -> Iterator[Finding]:
    """Which of several keys is followed where the answer only proposed one: nothing in the question had told it."""
    if right is None or case.reflected.episode.answer.outcome is not Outcome.PROPOSED:
        return
    for pair in _pairs(right.joins):
        if _has_rivals((pair,), case.schema):
            cause = f"Several keys join {pair.table} and {pair.other_table}, and nothing told which one was meant."
            yield _joined_by(_between([pair], case, when=_telling(right, case)), cause, case)


def by_first_filled(right: Statement | None, case: CorrectionInContext) -> Iterator[Finding]:
    """The keys of which the right statement follows the first one that has a value, as in `COALESCE(substitute_id, teacher_id)`."""
    for pairs in map(_first_filled, right.query.where) if right is not None else ():
        if right is not None and pairs:
            cause = f"{pairs[0].table} and {pairs[0].other_table} are joined by the first of several keys that has a value."
            effect = _between(pairs, case, when=_telling(right, case), filled=True)
            yield _joined_by(effect, cause, case)


def _first_filled(one: Predicate) -> tuple[KeyPair, ...]:
    """The keys of one table of which the first with a value leads to another; empty where a condition is no such choice."""
    if not isinstance(one, Comparison) or one.operator != "=":
        return ()
    plain = isinstance(one.left, ColumnRef)
    target, chosen = (one.left, one.right) if plain else (one.right, one.left)
    if not (isinstance(target, ColumnRef) and isinstance(chosen, Function)):
        return ()
    keys = [key for key in chosen.of if isinstance(key, ColumnRef) and key.of != target.of]
    of_one = len(keys) == len(chosen.of) > 1 and len({key.of for key in keys}) == 1
    if chosen.name != "coalesce" or not of_one:
        return ()
    end = (target.of.table, target.name)
    return tuple(_pair((key.of.table, key.name), end) for key in keys)


def other_path(difference: QueryDifference, case: CorrectionInContext) -> Finding:
    """The way between two tables that right SQL takes in place of another one."""
    pairs = tuple(_pair(*both) for both in difference.path_pairs)
    cause = f"{' and '.join(difference.path)} were joined in another way than was meant."
    when = _telling(difference.right, case) if _has_rivals(pairs, case.schema) else ()
    effect = _between(pairs, case, when=when, tables=difference.path)
    return _joined_by(effect, cause, case)


def _has_rivals(pairs: Iterable[KeyPair], schema: DatabaseSchema) -> bool:
    """Whether one of the tables refers to the other by several keys."""
    for pair in pairs:
        for one, other in ((pair.table, pair.other_table), (pair.other_table, pair.table)):
            table = schema.table(one)
            keys = table.foreign_keys if table is not None else ()
            if sum(key.table.casefold() == other.casefold() for key in keys) > 1:
                return True
    return False


def _telling(right: Statement, case: CorrectionInContext) -> tuple[str, ...]:
    """The words of the question that name no table, no column and no value: which of several keys is meant is said by them."""
    literals = " ".join(one for it in right.conditions for one in it.literals)
    tables = [table for name in right.tables if (table := case.schema.table(name)) is not None]
    keys = {column for table in tables for key in table.foreign_keys for column in key.columns}
    names = [*right.tables, *(one.name for table in tables for one in table.columns if one.name not in keys)]  # fmt: skip
    named = stems(GENERAL) | stems(literals) | stems(" ".join(word for name in names for word in name_words(name)))  # fmt: skip
    pieces = {piece for name in names for piece in split_name(name)}
    answer = case.reflected.episode.answer
    said = re.findall(r"[^\W\d_]+", _BEFORE_CODE.sub(" ", answer.standalone or answer.question))
    tells = (word.lower() for word in said if word.lower() in _ENDS or (stems(word) and not stems(word) & named))  # fmt: skip
    return tuple(word for word in dict.fromkeys(tells) if word in _ENDS or not any(is_short_for(piece, stemmed(word, "english")) for piece in pieces))  # fmt: skip


def by_another_date(
    given: Statement | None, right: Statement | None, case: CorrectionInContext
) -> Iterator[Finding]:
    """The date of a table that a time means: right SQL has it, where the question names none and the answer took another one."""
    answer = case.reflected.episode.answer
    asked = words_in([answer.standalone or answer.question])
    if right is None or not (_SPANS & asked or any(map(_YEAR.fullmatch, asked))):
        return
    for table in filter(None, map(case.schema.table, right.tables)):
        name, dates = table.name, {one.name for one in table.columns if one.kind in DATES}
        meant, taken = (
            dates & one.narrowed_by(name) if one is not None else set[str]()
            for one in (right, given)
        )
        if len(dates) < 2 or len(meant) != 1 or meant == taken:
            continue
        if any(
            word not in _TIMES and not word_lists().is_filler(word)
            for word in _telling(right, case)
        ):
            continue  # such as `moved in May`, which no column of the table is called
        effect = TimeColumn(database=case.schema.name, table=name, column=meant.pop())
        # `visits` say nothing of `visited_on`: they are what is asked about.
        telling = stems(" ".join({*name_words(effect.column)} - _PLAIN)) - stems(
            " ".join(name_words(name))
        )
        if case.stems & telling:
            continue
        cause = f"The time of {case.place(name)} was taken to be another one than {effect.column}."
        proposal = case.proposal(
            "semantic", f"{effect.says}.", case.place(name), effect=effect, failure=cause
        )
        yield explained(cause, proposal)


def of_other_rows(
    given: Statement | None, right: Statement | None, case: CorrectionInContext
) -> Iterator[Finding]:
    """Whose column is meant: right SQL has the city of the site, where the answer took that of the customer and the question names neither."""
    things = finest(right.query.rows) if right is not None else None
    if given is None or right is None or things is None or things.table not in given.tables:
        return
    taken, meant = (
        {*columns(one.query)} - {*columns(other.query)}
        for one, other in ((given, right), (right, given))
    )
    for column in sorted(meant, key=lambda one: (one.of.table, one.name)):
        rivals = [one.of for one in taken if one.of != column.of and called_alike(one, column)]
        names = " ".join(w for of in (column.of, *rivals) for w in name_words(of.table))
        way = way_between(right.query.rows, things, column.of)
        if not rivals or not way or case.stems & stems(names):
            continue
        passed = [things]
        for join in way:
            passed.append(join.other(passed[-1]))
        pairs = ((j.left.table, j.right.table, *key) for j in way for key in j.keys)
        on = [_pair((one, mine), (other, theirs)) for one, other, mine, theirs in pairs]
        cause = f"The {column.name} of {things.table} was taken to be that of {rivals[0].table}."
        tables = tuple(one.table for one in passed)
        effect = _between(on, case, tables=tables, column=column.name)
        yield _joined_by(effect, cause, case)
