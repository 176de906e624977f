"""What the built-in analyst makes of a correction in words: the SQL that it asks for, tried within limits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from oldhand.agent.analyst.conversation.ran import as_it_ran
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.standalone import bare_question, standalone_question
from oldhand.agent.analyst.correcting.asked_instead import MEANT, asked_instead
from oldhand.agent.analyst.correcting.by_rule import as_stated, by_rule, word_told
from oldhand.agent.analyst.correcting.contradicting import contradicted
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.correcting.defining import defined_word, may_say_how, says_how
from oldhand.agent.analyst.correcting.examples import told
from oldhand.agent.analyst.correcting.phrases import is_so_already
from oldhand.agent.analyst.correcting.valued import (
    answer_meant,
    as_many,
    gives,
    may_answer,
    only_an_answer,
    only_reshapes,
    others_than,
    shows_again,
    value_said,
    values_named,
)
from oldhand.agent.analyst.covering.covering import unread
from oldhand.agent.analyst.covering.told import understood
from oldhand.agent.analyst.effects.keys import with_keys
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.offering import apart_by_rows
from oldhand.agent.analyst.semantics.meanings import in_words
from oldhand.agent.analyst.semantics.writing import statement
from oldhand.agent.analyst.stating.examples import examples
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.understanding import Candidate, understand
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.errors import OldhandError, UnclearRule
from oldhand.lexicon.tokens import tokenise
from oldhand.lexicon.wording import value_text
from oldhand.loop.fixing import one_pick_away
from oldhand.loop.heard import Agrees, Heard, NotUnderstood, UnderstoodCorrection, telling
from oldhand.query.compiling.compile import spelled
from oldhand.query.describing.describing import describe
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.query.walk import databases
from oldhand.record.answer import WORKSPACE, Outcome
from oldhand.record.episode import Episode
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog, QueryResult
from oldhand.sources.databases.guard import checked_text
from oldhand.sources.databases.values import Values

TRIED = 24
"""Other readings that are run at most to find the one that gives a value."""
OFFERED = 3
"""Readings between which people are asked to choose."""
_NONE_GIVES = "No reading of the question that I know of gives {}."
_ELSEWHERE = "That is a rule, of which the question does not speak. It holds for all by: `oldhand rule add {!r}`"
_NOTHING = "I did not understand what should be different."
_UNCHANGED = "That changes nothing: the answer has the same rows as before, so nothing was learned."
_NEXT = "Say it with SQL, or pick the right reading with `oldhand fix {}`."


@dataclass(frozen=True)
class Sayings:
    """Understands what people say of answers over the databases of a home. Methods block."""

    catalog: Catalog
    values: ValueSource
    limits: QueryLimits

    def hear(self, episode: Episode, words: str, *, outright: bool = True) -> Heard:
        """What `words` ask for in place of an answer.

        Args:
            episode: the question with its answer.
            words: such as `only the paid ones`.
            outright: True for a correction, which may be put as a question of its own; False for a comment.
        """
        try:
            return _Hearing.of(self, episode).heard(words, outright=outright)
        except OldhandError as error:
            return NotUnderstood(f"It could not be tried: {error}")

    def hear_of_none(self, episode: Episode, words: str) -> Heard | None:
        """What `words` ask for where no database answered: what a word means, or another question; None where they are the answer."""
        try:
            return _Hearing.of(self, episode).heard_of_none(words)
        except OldhandError as error:
            return NotUnderstood(f"It could not be tried: {error}")


@dataclass(frozen=True)
class _Hearing:
    """One answer about which something is said."""

    sayings: Sayings
    episode: Episode
    scene: Scene | None
    """None where the form can't hold the query of the answer, or where there was none."""
    candidates: tuple[Candidate, ...]
    question: str
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date
    """When the question was asked."""
    results: dict[tuple[str, str], QueryResult] = field(
        default_factory=dict[tuple[str, str], QueryResult]
    )
    """Of what was run, by database and SQL, so that nothing runs twice."""

    @classmethod
    def of(cls, sayings: Sayings, episode: Episode) -> "_Hearing":
        answer, today = episode.answer, episode.created_at.date()
        schemas = with_keys(sayings.catalog.schemas())
        values = sayings.values.lookup(schemas, today).values
        question = answer.standalone or answer.question
        read = understand(question, schemas, values, today=today).candidates
        steps = [one for one in answer.steps if one.succeeded]
        query = None
        if len(steps) == 1 and steps[0].database != WORKSPACE:
            query = as_it_ran(steps[0].sql, sayings.catalog.schema(steps[0].database))
        elif answer.query is not None:
            query = next((one.query for one in read if spelled(one.query) == answer.query), None)
        if not isinstance(query, Query):
            scene = None
        else:
            scene = Scene(query, question, schemas, values, today)
        return cls(sayings, episode, scene, read, question, schemas, values, today)

    def heard(self, words: str, *, outright: bool) -> Heard:
        value = value_said(words)
        if value is not None and (found := self._valued(*value)):
            return found
        for hear in (self._defined, self._by_rule):
            if (heard := hear(words)) is not None:
                return heard
        found = () if self.scene is None else corrected(words, self.scene)
        if not found and outright:
            found = asked_instead(words, self.scene, self.schemas, self.values, self.today)
        if not found and self.scene is not None:
            found = as_stated(words, self.scene)
        if value is None and self.scene is not None and (meant := answer_meant(words, self.scene, found, len(self._run(self.scene.query).rows))):  # fmt: skip
            given = self._valued(meant, outright=True)
            return replace(given, proposed=True) if isinstance(given, UnderstoodCorrection) else given or self._not_understood(_NONE_GIVES.format(meant))  # fmt: skip
        if value is not None and (not found or self._leaves_nothing(found[0])):
            return self._not_understood(_NONE_GIVES.format(value[0]))
        if not found:
            already = "" if self.scene is None else is_so_already(words, self.scene)
            return self._elsewhere(words) or self._not_understood(already or f"{_NOTHING} {told(self.scene)}".strip())  # fmt: skip
        return self._understood(words, found)

    def _by_rule(self, words: str) -> Heard | None:
        """What words want that would state a rule, of this answer; None where they are none of the kind."""
        query = None if self.scene is None else by_rule(words, self.scene)
        if query is None or self.scene is None:
            return None
        if same(query, self.scene.query):
            return Agrees("The answer is read so already: that confirms it.")
        heard = self._passing(self._one_of((query,), ""), words)
        return telling(heard, word_told(words, self.scene))

    def heard_of_none(self, words: str) -> Heard | None:
        surely = says_how(words, self.schemas)
        defined = self._defined(words) if surely or may_say_how(words, self.schemas) else None
        if defined is not None and (surely or not isinstance(defined, NotUnderstood)):
            return defined
        if not MEANT.match(words) and may_answer(self.question, words):
            return None
        found = asked_instead(words, self.scene, self.schemas, self.values, self.today)
        return self._understood(words, found) if found else self._not_understood(_NOTHING)

    def _understood(self, words: str, found: Sequence[Query]) -> Heard:
        """The one query that words may mean, with what speaks for asking first."""
        heard = self._one_of(found, "It can be understood in several ways")
        if not isinstance(heard, UnderstoodCorrection) or self.scene is None:
            return heard
        before, after, ran = self.scene.query, found[0], self._run(found[0])
        alike = bool(ran.rows) and not (ran.truncated or heard.against) and self._run(before).rows == ran.rows  # fmt: skip
        if alike and only_reshapes(before, after):
            return self._not_understood(_UNCHANGED)
        asks = heard.proposed or alike or shows_again(before, after, ran.rows)
        said = f"{heard.said} These are the same rows as before." if alike else heard.said
        left = unread(words, self.scene, after)
        return self._passing(replace(heard, unread=left, said=said, proposed=asks), words)

    def _passing(self, heard: Heard, words: str) -> Heard:
        """With whether the words speak of days by today: `only the last quarter`."""
        tokens = tokenise(words)
        lasting = len(find_dates(words, tokens, None)) == len(find_dates(words, tokens, self.today))
        if lasting or self.scene is None or not isinstance(heard, UnderstoodCorrection) or heard.against:  # fmt: skip
            return heard
        asked = (
            f"{bare_question(self.scene.question)} in {re.sub(r'^(?:only|just|in) +', '', words)}?"
        )
        proposed = self.episode.answer.outcome is Outcome.PROPOSED
        return replace(heard, passing=True, alone=heard.alone or asked, proposed=proposed)

    def _defined(self, words: str) -> Heard | None:
        """The question with what the words say that one of its words means; None where they say nothing of the kind."""
        try:
            found = defined_word(words, self.question, self.schemas, self.values, self.today)
        except UnclearRule as error:
            return self._not_understood(f"{error} {examples(words, self.schemas, self.values)}")
        if found is None:
            return None
        rule, schema = found.rule.rule, self.sayings.catalog.schema(found.rule.database)
        taken = self._taken(found.query, doubting=False)
        means = ", and ".join(in_words(one, schema) for one in found.rule.rules)
        said = f"Understood: {means}, from now on in every question. {self._now(found.query)} `oldhand rule remove {rule.name!r}` takes it back."
        return replace(taken, said=said, states=found.rule)

    def _elsewhere(self, words: str) -> NotUnderstood | None:
        """That the words state a rule that changes nothing in this answer; None where they don't."""
        try:
            read_rule(words, self.schemas, self.values)
        except UnclearRule:
            return None
        return NotUnderstood(_ELSEWHERE.format(words))

    def _valued(self, value: str, outright: bool) -> Heard | None:
        """The reading that gives a value; None where a value may be a part of the question as well, and no reading gives it."""
        given = () if self.scene is None else self._run(self.scene.query).rows
        if gives(given, value):
            return Agrees(f"The answer is {value} already: that confirms it.")
        for group in self._groups():
            if found := apart_by_rows([one for one in group if self._gives(one, value)]):
                said = f"Several readings give {value}"
                return self._one_of(found, said, doubting=False)
        few = None if self.scene is None else as_many(self.scene.query, value)
        if few is not None and self._gives(few, value):
            return self._one_of((few,), "")
        near = () if self.scene is None else one_pick_away(self.sayings.catalog, self.scene, len(values_named(value)))  # fmt: skip
        if found := apart_by_rows([one for one in near if self._gives(one, value)]):
            heard = self._one_of(found, f"Several readings give {value}", doubting=False)
            return replace(heard, proposed=True) if isinstance(heard, UnderstoodCorrection) else heard  # fmt: skip
        if not outright and not (self.scene and only_an_answer(self.scene.question, given)):
            return None
        return self._not_understood(_NONE_GIVES.format(value))

    def _groups(self) -> Iterator[Sequence[Query]]:
        left = TRIED
        if self.scene is None:
            groups = iter([[one.query for one in self.candidates if isinstance(one.query, Query)]])
        else:
            groups = others_than(self.scene.query, self.candidates)
        for group in groups:
            yield group[:left]
            left -= len(group[:left])

    def _gives(self, query: Query, value: str) -> bool:
        try:
            return gives(self._run(query).rows, value)
        except OldhandError:
            return False

    def _one_of(self, found: Sequence[Query], several: str, *, doubting: bool = True) -> Heard:
        if len(found) > 1:
            options = "; ".join(f"({n}) {describe(one, self.schemas)}" for n, one in enumerate(found[:OFFERED], 1))  # fmt: skip
            return NotUnderstood(f"{several}: {options}. Say which one is right in its words.")
        proposed = self.episode.answer.outcome is Outcome.PROPOSED or self._leaves_nothing(found[0])
        return replace(self._taken(found[0], doubting=doubting), proposed=proposed)

    def _leaves_nothing(self, query: Query) -> bool:
        """Whether nothing is left of an answer that had rows, or a number: that is seldom meant."""
        before, after = (self._run(one).rows if one is not None else () for one in (self.scene and self.scene.query, query))  # fmt: skip
        return any(any(row) for row in before) and not any(any(row) for row in after)

    def _taken(self, query: Query, *, doubting: bool) -> UnderstoodCorrection:
        before = None if self.scene is None else self.scene.query
        told = f"Understood: {describe(query, self.schemas)}." if before is None else understood(before, query, self.schemas)  # fmt: skip
        against, alone = (), ""
        if doubting and self.scene is not None and before is not None:
            against = contradicted(self.scene.question, before, query, self.scene.today)
            alone = standalone_question("", self.scene, query) if against else ""
        if len(databases(query)) > 1:
            return UnderstoodCorrection(
                spelled(query), f"{told} Ask again to see the answer.", against, alone
            )
        name = databases(query)[0]
        return UnderstoodCorrection(
            f"{name}: {self._sql(query, name)}", f"{told} {self._now(query)}", against, alone
        )

    def _now(self, query: Query) -> str:
        """What the answer is now."""
        rows = self._run(query)
        if len(rows.rows) == 1 and len(rows.rows[0]) == 1:
            cell = rows.rows[0][0]
            shown = "empty" if cell is None else value_text(cell, rows.columns[0])
            return f"The answer is now {shown}."
        found = FoundRows(rows.columns, rows.rows, len(rows.rows), rows.truncated)
        return f"Now: {phrase(self.question, query, found, self.schemas)}"

    def _run(self, query: Query) -> QueryResult:
        if len(databases(query)) != 1:
            return QueryResult((), ())
        (name,), limits = databases(query), self.sayings.limits
        sql = self._sql(query, name)
        if (name, sql) not in self.results:
            database = self.sayings.catalog.open(name)
            text = checked_text(sql, database.dialect)
            found = database.fetch(text, rows=limits.rows, seconds=limits.seconds)
            self.results[name, sql] = found
        return self.results[name, sql]

    def _sql(self, query: Query, name: str) -> str:
        sql = statement(query, self.sayings.catalog.schema(name))
        return " ".join(sql.split()) if "'" not in sql else sql

    def _not_understood(self, reason: str) -> NotUnderstood:
        return NotUnderstood(f"{reason} {_NEXT.format(self.episode.id[:8])}")
