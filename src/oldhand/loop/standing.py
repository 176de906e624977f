"""Confirmed answers that stay as they are, though a rule that people have stated says otherwise."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.effects.standing import disagreeing
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.semantics.meanings import in_words
from oldhand.agent.analyst.understanding import understand
from oldhand.learning.hygiene import Flaw, Flawed
from oldhand.lexicon.wording import listed
from oldhand.loop.ground import LoopPart
from oldhand.query.form import Query
from oldhand.record.base import Record
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import RowFilter, Rule, Semantics
from oldhand.record.shortening import SHOWN_ID

_NAMED = 3
"""Answers that are named of those that a rule disagrees with."""


class StandingAnswer(Record):
    """A confirmed answer that a rule would change."""

    question: str
    memory_id: str
    """Of the pair that was confirmed."""

    @property
    def told(self) -> str:
        """That it stays, and how to take it out."""
        return (
            f"What was confirmed for {self.question!r} stays as it is, and does not go by this:"
            f" `oldhand memory forget {self.memory_id[:SHOWN_ID]}` takes it out."
        )


@dataclass(frozen=True)
class StandingAnswers(LoopPart):
    """Holds the confirmed answers of one home against its rules. Methods block."""

    values: ValueSource
    otherwise: Callable[[Mapping[str, Semantics]], Iterable[tuple[Memory, ExamplePayload]]]
    """As `Exam.otherwise`."""
    broken: Callable[[str, Semantics, Mapping[str, Semantics]], Mapping[str, Sequence[str]]]
    """As `Exam.broken_by`."""

    def against(self, database: str, rule: Rule, now: Semantics) -> tuple[StandingAnswer, ...]:
        """The confirmed answers that one of the rules `now` of a database would change."""
        found = self._disagreeing(database, now)
        return tuple(answer for answer, those in found if rule in those)

    def flaws(self) -> tuple[Flawed, ...]:
        """The rules that would change a confirmed answer: what a word means, and each rule about rows that alone would, whatever others do."""
        return tuple(one for schema in self.catalog.schemas() for one in self._of(schema))

    def _of(self, schema: DatabaseSchema) -> Iterator[Flawed]:
        now, found = schema.semantics, dict[str, list[StandingAnswer]]()
        if not now.rules:
            return
        told = {in_words(one, schema): one for one in now.rules}
        for answer, those in self._disagreeing(schema.name, now):
            for one in those:
                found.setdefault(in_words(one, schema), []).append(answer)
        filters = {said: one for said, one in told.items() if isinstance(one, RowFilter)}
        free = now.without(*filters.values())
        alone = {said: free.having(one) for said, one in filters.items()}
        broken = self.broken(schema.name, free, alone)
        for said in told:
            answers = found.get(said, [])
            if said in filters:
                answers = [one for one in answers if one.question in broken[said]]
            if answers:
                yield Flawed(flaw=Flaw.DISAGREEING, rule=said, says=said, why=_why(answers))

    def _disagreeing(
        self, database: str, now: Semantics
    ) -> Iterator[tuple[StandingAnswer, frozenset[Rule]]]:
        """The confirmed answers that rules of a database would change, each with these."""
        schema = self.catalog.schema(database).model_copy(update={"semantics": now})
        schemas, today = (schema,), self.clock.now().date()
        values = self.values.lookup(schemas, today).values
        for pair, payload in self.otherwise({database: now}):
            query = statements(schemas).query(payload.sql or "", database)
            if isinstance(query, Query):
                alone = understand(payload.question, schemas, values, limit=1, today=today)
                rules = frozenset(rule for rule, _ in disagreeing(query, alone, schemas))
                if rules:
                    yield StandingAnswer(question=payload.question, memory_id=pair.id), rules


def _why(answers: Sequence[StandingAnswer]) -> str:
    stays = "those answers stay" if len(answers) > 1 else "that answer stays"
    out = " and ".join(
        f"`oldhand memory forget {one.memory_id[:SHOWN_ID]}`" for one in answers[:_NAMED]
    )
    asked = listed([repr(one.question) for one in answers])
    return f"disagrees with what was confirmed for {asked}: {stays}, others follow the rule; {out} lets it decide there, too"
