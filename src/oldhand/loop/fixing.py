"""Putting an answer right without SQL: from the record of an answer to parts that can be picked, and to a correction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from oldhand.agent.analyst.conversation.ran import as_it_ran
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.semantics.writing import statement
from oldhand.agent.analyst.understanding import Candidate
from oldhand.agent.fixing import Exchangeable, Read, Replacements, exchangeable, other_readings
from oldhand.errors import DatabaseError, QueryRefused, UsageError
from oldhand.loop.ground import LoopPart
from oldhand.loop.recalling import Recalling
from oldhand.query.describing.describing import describe
from oldhand.query.form import ColumnRef, Comparison, Predicate, Query, Relation, Scalar
from oldhand.query.normal import same
from oldhand.query.provenance import QueryProvenance
from oldhand.query.walk import columns, databases, walk
from oldhand.record.answer import WORKSPACE, Answer
from oldhand.record.episode import Episode
from oldhand.record.fixing import READINGS, ExchangeablePart, Fixing, Pick, TriedQuery
from oldhand.record.lesson import Lesson
from oldhand.record.schema import DatabaseSchema, Kind
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog, plain_cell

FEW = 12
"""Values of a column up to which each can be picked."""
SHOWN_READINGS = 4
_NEAR = 120
"""Queries one exchanged part away that are tried at most."""
_NOTHING = "There is nothing to pick from in this answer: say what would have been right, with `oldhand feedback {} --correction`."
_SEVERAL = (
    "This answer puts rows of several databases together, which can't be exchanged part by part: {}"
)


@dataclass(frozen=True)
class PuttingRight(LoopPart):
    """Puts the answers of one clone right. Methods block."""

    values: ValueSource
    recalling: Recalling
    limits: QueryLimits

    def look(self, episode_id: str, picked: Sequence[Pick] = ()) -> Fixing:
        """How an answer was read, and what it would be with all that is picked, one after the other.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: there is nothing to pick from, or no such choice.
        """
        return _Work(self, self.store.episode(self.clone_id, episode_id)).fixing(picked)

    def known_then(
        self, episode: Episode, question: str, databases: Sequence[str]
    ) -> tuple[Lesson, ...]:
        """What was known of a question when it was answered: numbers that were shown mean the same whatever is learned since."""
        recalled = self.store.recollection(self.clone_id, episode.id)
        if recalled is None:
            return self.recalling.consider(question, episode.user_id, databases).lessons
        found: list[Lesson] = []
        for one in recalled.items:
            if one.kind == "memory" and one.shown:
                versions = self.store.memory_versions(self.clone_id, one.item_id)
                then = [it for it in versions if it.saved_at <= episode.created_at]
                found.append(Lesson(memory=(then or versions)[-1].memory, score=one.score))
        return tuple(found)


@dataclass(frozen=True)
class _Work:
    """One answer that is put right."""

    by: PuttingRight
    episode: Episode

    @property
    def answer(self) -> Answer:
        return self.episode.answer

    def fixing(self, picked: Sequence[Pick]) -> Fixing:
        reading = self._reading()
        database = self._database(reading)
        schema = self.by.catalog.schema(database)
        first, others = self._start(reading, schema)
        few = few_values(self.by.catalog, first, schema)
        read = first
        for pick in picked:
            read = _picked(pick, read, self._offered(read, others, schema, few), others, schema)
        parts = self._offered(read, others, schema, few)
        instead = other_readings(read, others, (schema,))
        return Fixing(
            episode_id=self.answer.episode_id,
            question=self._question,
            database=database,
            picked=tuple(picked),
            before=self._before(first, schema),
            after=self._tried(read, schema) if picked else None,
            parts=tuple(_listed(parts)),
            readings=tuple(self._tried(one.read, schema) for one in instead[:SHOWN_READINGS]),
            left_out=reading.missing,
        )

    @property
    def _question(self) -> str:
        return self.answer.standalone or self.answer.question

    def _reading(self) -> UnderstoodQuestion:
        """The question, read once more with all that was known when it was answered."""
        names = sorted({step.database for step in self.answer.steps} - {WORKSPACE})
        schemas = self.by.catalog.schemas(names or None)
        today = self.episode.created_at.date()
        values = self.by.values.lookup(schemas, today).values
        lessons = self.by.known_then(self.episode, self._question, [one.name for one in schemas])
        return QuestionReader(schemas, values, today, lessons).read(self._question)

    def _database(self, reading: UnderstoodQuestion) -> str:
        """The one database that is asked."""
        ran = {step.database for step in self.answer.steps}
        likeliest = reading.candidates[0].databases if reading.candidates else ()
        names = sorted(ran) if ran else list(likeliest)
        if not names:
            raise UsageError(_NOTHING.format(self.answer.episode_id[:8]))
        if len(names) > 1:
            raise UsageError(_SEVERAL.format(_NOTHING.format(self.answer.episode_id[:8])))
        return names[0]

    def _start(
        self, reading: UnderstoodQuestion, schema: DatabaseSchema
    ) -> "tuple[Read, tuple[Candidate, ...]]":
        """The reading that was answered with, or the likeliest, and all candidates over its database."""
        candidates = tuple(
            one for one in reading.candidates if databases(one.query) == (schema.name,)
        )
        forms = [(one, one.query) for one in candidates if isinstance(one.query, Query)]
        ran = as_it_ran(self.answer.steps[-1].sql, schema) if self.answer.steps else None
        if isinstance(ran, Query):
            known = next((one for one, form in forms if same(form, ran)), None)
            if known is None or not isinstance(known.query, Query):
                return Read(self._question, ran, _origins(forms), reading.missing), candidates
            return Read(self._question, known.query, known.origins, reading.missing), candidates
        if not forms:
            raise UsageError(_NOTHING.format(self.answer.episode_id[:8]))
        best, form = forms[0]
        return Read(self._question, form, best.origins, reading.missing), candidates

    def _offered(
        self,
        read: Read,
        others: Sequence[Candidate],
        schema: DatabaseSchema,
        few: Mapping[ColumnRef, tuple[Scalar, ...]],
    ) -> tuple[Exchangeable, ...]:
        return exchangeable(read, others, (schema,), few)

    def _before(self, first: Read, schema: DatabaseSchema) -> TriedQuery:
        answer = self.answer
        if not answer.steps:
            return self._tried(first, schema)
        return TriedQuery(
            reading=describe(first.query, (schema,)),
            sql=answer.steps[-1].sql,
            columns=answer.columns,
            rows=answer.rows,
            truncated=answer.truncated,
        )

    def _tried(self, read: Read, schema: DatabaseSchema) -> TriedQuery:
        """The rows of a reading."""
        sql = statement(read.query, schema)
        reading, limits = describe(read.query, (schema,)), self.by.limits
        try:
            database = self.by.catalog.open(schema.name)
            found = database.fetch(sql, rows=limits.rows, seconds=limits.seconds)
        except (DatabaseError, QueryRefused) as error:
            return TriedQuery(reading=reading, sql=sql, error=str(error))
        rows = tuple(tuple(map(plain_cell, row)) for row in found.values)
        columns, cut = tuple(found.columns), found.truncated
        return TriedQuery(reading=reading, sql=sql, columns=columns, rows=rows, truncated=cut)


def _origins(forms: Sequence[tuple[Candidate, Query]]) -> QueryProvenance:
    """Where parts come from, as far as the likeliest reading has them, too."""
    return forms[0][0].origins if forms else QueryProvenance()


def _picked(
    pick: Pick,
    read: Read,
    parts: Sequence[Exchangeable],
    others: Sequence[Candidate],
    schema: DatabaseSchema,
) -> Read:
    """The reading once something is picked.

    Raises:
        UsageError: there is no such part, or no such choice for it.
    """
    part, choice = pick
    choices: Sequence[Replacements] = ()
    if part == READINGS:
        choices = other_readings(read, others, (schema,))[:SHOWN_READINGS]
    elif 0 < part <= len(parts):
        choices = parts[part - 1].choices
    if not 0 < choice <= len(choices):
        what = f"part {part}" if part else "the other readings"
        raise UsageError(f"There is no choice {choice} for {what}: it has {len(choices)}.")
    return choices[choice - 1].read


def _listed(parts: Sequence[Exchangeable]) -> Iterator[ExchangeablePart]:
    for number, part in enumerate(parts, 1):
        choices = tuple(choice.says for choice in part.choices)
        yield ExchangeablePart(
            number=number, kind=part.kind, says=part.says, words=part.words, choices=choices
        )


def one_pick_away(catalog: Catalog, scene: Scene, rows: int) -> list[Query]:
    """What the query of an answer is with one part exchanged, and its first rows as many as there should be; nothing where it reads several databases."""
    names, query = databases(scene.query), scene.query
    if len(names) != 1:
        return []
    schema = catalog.schema(names[0])
    read = Read(scene.question, query if query.limit is None else replace(query, limit=rows))
    few = few_values(catalog, read, schema)
    found = (one.read.query for part in exchangeable(read, (), (schema,), few) for one in part.choices)  # fmt: skip

    def is_near(one: Query) -> bool:
        added = [new for new in one.where if new not in query.where]
        return not any(_says_no_more(new, one, few) or _is_invented(new, read) for new in added)

    return list(filter(is_near, found))[:_NEAR]


def _says_no_more(new: Predicate, query: Query, few: Mapping[ColumnRef, tuple[Scalar, ...]]) -> bool:  # fmt: skip
    """Whether a condition names what is shown, or the one value of two that another one wants out."""
    if not isinstance(new, Comparison) or not isinstance(new.left, ColumnRef):
        return False
    values = few.get(ColumnRef(replace(new.left.of, role=""), new.left.name), ())
    return new.left in query.select or (new.operator == "!=" and len(values) == 2)


def _is_invented(new: Predicate, read: Read) -> bool:
    """Whether a condition keeps rows by what nothing was asked about, and a value that the question does not name: `in 2021` of how many there are; some may be left out."""
    asked = {(one.of.table, one.name) for part in read.query.where for one in columns(part)}
    if any((one.of.table, one.name) in asked for one in columns(new)):
        return False
    told = [part for part in walk(new) if isinstance(part, Comparison) and part.operator != "!="]
    values = [one for part in told for one in part.values]
    question = read.question.casefold()
    return bool(values) and not any(str(one).casefold() in question for one in values)


def few_values(
    catalog: Catalog, read: Read, schema: DatabaseSchema
) -> dict[ColumnRef, tuple[Scalar, ...]]:
    """The values of those text columns of the tables read that have only a few."""
    database = catalog.open(schema.name)
    found: dict[ColumnRef, tuple[Scalar, ...]] = {}
    for relation in dict.fromkeys(_tables(read.query)):
        table = schema.table(relation.table, relation.schema or None)
        for column in table.columns if table is not None else ():
            if column.kind not in (Kind.TEXT, Kind.OTHER, Kind.BOOLEAN) or column.unique:
                continue
            values = database.distinct_values(
                relation.table, column.name, schema_name=relation.schema or None, limit=FEW + 1
            )
            try:
                some = tuple(sorted((one for one in values if one is not None), key=str))
            except DatabaseError:
                continue  # it can't be picked, that is all
            if len(some) <= FEW:
                found[ColumnRef(relation, column.name)] = some
    return found


def _tables(query: Query) -> Iterator[Relation]:
    for one in query.rows.relations:
        if one.query is None:
            yield Relation(one.database, one.schema, one.table)
