"""What the built-in mind makes of one question in its conversation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.aliases.meanings import aliases_of, is_rival, other_meanings, reads
from oldhand.agent.analyst.conversation.followup import (
    changed_query,
    chosen_option,
    is_follow_up,
    merged_question,
    points_back,
    refers_back,
)
from oldhand.agent.analyst.conversation.ran import query_that_ran
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.standalone import standalone_question, with_tail
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.agent.analyst.conversation.which_database import (
    in_named_database,
    rivals_of,
    spoken_of,
)
from oldhand.agent.analyst.deciding import Decision, DecisionKind, decide
from oldhand.agent.analyst.effects.keys import with_keys
from oldhand.agent.analyst.effects.ruling import foreruled, freed, rejected_under, ruled
from oldhand.agent.analyst.effects.standing import going_by, standing
from oldhand.agent.analyst.precedents.precedent import LIKE, precedents_of
from oldhand.agent.analyst.reaching import in_roles
from oldhand.agent.analyst.understanding import Candidate, Understanding, understand
from oldhand.lexicon.wording import listed
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.query.opaque import Opaque
from oldhand.query.walk import databases
from oldhand.record.answer import Outcome
from oldhand.record.lesson import Lesson
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values, ValuesOfOne

TAIL = 0.9
"""How sure we are of a question with its tail, as a share of how sure we are of the question."""
MERGED = 0.8
"""The same when a follow-up's words were put into the question before."""
LOOKED_BACK = 20
"""Exchanges of a conversation that are read."""
Change = Callable[[str, Scene], Query | None]
"""What words do to the query of a scene; None where they do nothing."""


def _nothing(said: str) -> None:
    """No sentence puts anything right: whoever reads it hears no corrections."""


@dataclass(frozen=True)
class QuestionReader:
    """Reads questions over the same databases on the same day."""

    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date
    lessons: tuple[Lesson, ...] = ()
    """What was recalled for the question."""
    history: tuple[EarlierTurn, ...] = ()
    """What was asked before."""
    puts_right: Callable[[str], Change | None] = _nothing
    """What a sentence does to the query before that only says what should be different."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "schemas", with_keys(self.schemas, self.lessons))

    def read(self, question: str, history: Sequence[EarlierTurn] = ()) -> UnderstoodQuestion:
        """What `question` means after the exchanges of `history`, oldest first."""
        history = history[-LOOKED_BACK:]
        if history and (option := chosen_option(question, history[-1])):
            return self._as_chosen(option, history)
        change = self.puts_right(question) if history else None
        if change is not None and (right := self._put_right(question, history, change)):
            return right
        points = bool(history) and points_back(question, self.schemas)
        if not (points or is_follow_up(question, self.schemas)):
            return replace(self, history=tuple(history))._alone(question)
        before = self._before(history)
        if before is None:
            return self._alone_or_asking(question, None)
        return self._changed(question, before) or self._alone_or_asking(question, before)

    def _alone(self, question: str) -> UnderstoodQuestion:
        if named := in_named_database(question, self.schemas):
            rest, schema = named
            read = self._within(schema)._alone(rest)
            return replace(read, standalone=question)
        found = self._understood(question)
        if not found.lessons and (parts := with_tail(question)):
            before = self._alone(parts[0])
            changed = self._changed(parts[1], before) if before.answers else None
            if changed is not None:
                sure = before.confidence * TAIL
                return replace(changed, question=question, standalone=question, confidence=sure)
        decision = decide(found, self.schemas)
        if decision.kind is DecisionKind.ANSWER and (asking := self._asking_for_meaning(found)):
            return asking
        several = decision.kind is not DecisionKind.ABSTAIN and self._several_databases(found)
        return several or _reading(found, decision)

    def _within(self, schema: DatabaseSchema) -> "QuestionReader":
        return replace(self, schemas=(schema,), values=ValuesOfOne(self.values, schema.name))

    def _several_databases(self, found: Understanding) -> UnderstoodQuestion | None:
        """Ask back where another database answers the question as well, unless something tells which one is meant."""
        if found.lessons or found.settled or found.unknown_words:
            return None
        rivals = rivals_of(found, self.schemas, lambda schema: self._within(schema)._understood(found.question))  # fmt: skip
        if found.left_out and len(rivals) < 2:
            return None
        name = next(iter(rivals), "")
        if len(rivals) > 1:
            name = spoken_of(found.question, self.history, rivals)
        if name:
            return _reading(rivals[name], Decision(DecisionKind.ANSWER))
        readings = {f"{name}: {one.candidates[0].reading}": one for name, one in rivals.items()}
        could = f"{listed(list(rivals))} could {'both' if len(rivals) == 2 else 'all'} answer this."
        return _asking(f"{could} Which one is meant?", readings) if rivals else None

    def _asking_for_meaning(self, found: Understanding) -> UnderstoodQuestion | None:
        """Ask back where a word was stated with several meanings, and the question makes sense with more than one.

        What was confirmed for such a question is an answer to that already.
        """
        words = aliases_of(self.lessons)
        used = tuple(alias for alias in found.aliases if reads(found.candidates[0], alias))
        meant = other_meanings(used, self.lessons)
        if meant is None or not set(found.lessons) <= set(words.values()):
            return None
        alias, others = meant
        readings = {alias.target: found}
        for other in others:
            unmeant = (alias, *(one for one in others if one != other))
            kept = tuple(one for one in self.lessons if one.memory.effect not in unmeant)
            read = replace(self, lessons=kept)._understood(found.question)
            if decide(read, self.schemas).kind is DecisionKind.ANSWER and is_rival(
                other, read, found
            ):
                readings[other.target] = read
        asked = f"'{alias.phrase}' has {len(readings)} meanings. Which one is meant?"
        return _asking(asked, readings) if len(readings) > 1 else None

    def _understood(self, question: str) -> Understanding:
        """What the rules make of it with the words that were learned, in the light of the pairs that were judged."""
        words = aliases_of(self.lessons)
        plain = understand(
            question, self.schemas, self.values, today=self.today, aliases=tuple(words)
        )
        pairs = precedents_of(self.lessons, self.schemas, self.today)
        alone = found = foreruled(plain, self.lessons, self.schemas)
        if pairs := going_by(pairs, alone, self.schemas):
            from oldhand.agent.analyst.precedents.informed import informed  # noqa: PLC0415 (many have none)

            pairs = rejected_under(pairs, self.lessons, self.schemas)
            found = informed(found, pairs, self.schemas, self.values, today=self.today)
        used = (*found.lessons, *(words[alias] for alias in found.aliases if alias in words))
        found = replace(found, lessons=tuple(dict.fromkeys(used)))
        if found.settled:
            return standing(found, alone, self.lessons, self.schemas)
        return ruled(found, self.lessons, self.schemas)

    def _as_chosen(self, option: str, history: Sequence[EarlierTurn]) -> UnderstoodQuestion:
        """The question that was asked back about, in the reading that was chosen."""
        earlier = self.read(history[-1].question, history[:-1])
        full = dict(zip(earlier.decision.options, earlier.decision.readings, strict=False))
        option = full.get(option, option)
        chosen = next((one for one in earlier.candidates if one.reading == option), None)
        if chosen is None:
            return UnderstoodQuestion(option, Decision(DecisionKind.CLARIFY, _ask_back(None, ())))
        return replace(
            earlier,
            decision=Decision(DecisionKind.ANSWER),
            candidates=(chosen, *(one for one in earlier.candidates if one is not chosen)),
            notes=(f"You chose: {option}.",),
            confidence=max(earlier.confidence, 0.7),
            databases=chosen.databases,
            lessons=chosen.rules,
        )

    def _before(self, history: Sequence[EarlierTurn]) -> UnderstoodQuestion | None:
        """The question before, with the query that ran; None when it was not answered."""
        for place in range(len(history) - 1, -1, -1):
            exchange = history[place]
            if exchange.outcome is Outcome.CLARIFY and not exchange.options:
                continue  # it only asked what was meant
            if exchange.outcome is not Outcome.ANSWERED:
                return None
            earlier = self.read(exchange.question, history[:place])
            ran = query_that_ran(exchange, self.schemas)
            if ran is not None:
                sure = max(earlier.confidence, 0.5)
                return replace(earlier, candidates=(_unsaid(ran),), confidence=sure)
            if earlier.answers:
                return earlier
        return None

    def _put_right(
        self, question: str, history: Sequence[EarlierTurn], change: Change
    ) -> UnderstoodQuestion | None:
        """The query before, put right by a sentence that only says what should be different: `leave out the lost ones`."""
        before = self._before(history)
        if history[-1].outcome is Outcome.PROPOSED:  # it says which of several readings is meant
            proposed = self.read(history[-1].question, history[:-1])
            sure = proposed.candidates and not (proposed.left_out or proposed.missing)
            before = proposed if sure else None
        return self._changed(question, before, change) if before is not None else None

    def _changed(
        self, question: str, before: UnderstoodQuestion, change: Change = changed_query
    ) -> UnderstoodQuestion | None:
        """The query before, changed; None where no rule does that, or where the form can't hold it."""
        form = before.candidates[0].query
        if isinstance(form, Opaque) or form.compound is not None:
            return None
        query, dropped = freed(in_roles(form, self.schemas), question, self.lessons, self.schemas)
        said = before.standalone or before.question.rpartition("; ")[2]
        scene = Scene(query, said, self.schemas, self.values, self.today)
        changed = change(question, scene)
        if changed is None:
            return None
        alone = standalone_question(question, scene, changed) if before.standalone else ""
        notes = (f"Read as a follow-up to {before.question!r}.",)
        known = self._understood(alone) if alone else None
        if known is not None and known.settled:
            taught = _reading(known, Decision(DecisionKind.ANSWER))
            return replace(taught, notes=(*notes, *taught.notes))
        return UnderstoodQuestion(
            f"{before.question.rstrip('?. ')}; {question}",
            Decision(DecisionKind.ANSWER),
            (_unsaid(changed),),
            notes,
            # That somebody goes on proves nothing: no follow-up is surer than what it rests on, or than its own words alone.
            before.confidence if known is None else min(before.confidence, known.confidence),
            databases(changed),
            lessons=tuple(one for one in before.lessons if one not in dropped),
            standalone=alone,
        )

    def _alone_or_asking(
        self, question: str, before: UnderstoodQuestion | None
    ) -> UnderstoodQuestion:
        """No rule changes the query before: try the words in that question, then alone, then ask."""
        if before is not None:
            merged = merged_question(question, before.question, self.schemas)
            reading = self._alone(merged) if merged else None
            if merged and reading and reading.answers and self._says_more(merged, before):
                notes = (f"Read as: {merged}", *reading.notes)
                return replace(reading, notes=notes, confidence=reading.confidence * MERGED)
        reading = self._alone(question)
        if reading.answers and not refers_back(question, self.schemas):
            return reading
        return UnderstoodQuestion(
            question, Decision(DecisionKind.CLARIFY, _ask_back(before, reading.left_out))
        )

    def _says_more(self, merged: str, before: UnderstoodQuestion) -> bool:
        """True when the words that were added change the query: else they were not understood."""
        found = self._understood(merged)
        if found.unknown_words:
            return False
        one, other = found.candidates[0].query, before.candidates[0].query
        if isinstance(one, Opaque) or isinstance(other, Opaque):
            return one != other
        return not same(one, other)


def _asking(asked: str, meanings: Mapping[str, Understanding]) -> UnderstoodQuestion:
    """Which of several meanings is meant; they are the options."""
    read = tuple(meanings.values())
    return UnderstoodQuestion(
        read[0].question,
        Decision(DecisionKind.CLARIFY, asked, tuple(meanings)),
        tuple(
            replace(one.candidates[0], reading=meaning, rules=one.lessons)
            for meaning, one in meanings.items()
        ),
        (),
        read[0].confidence,
        databases=tuple(dict.fromkeys(name for one in read for name in one.databases)),
        lessons=read[0].lessons,
        standalone=read[0].question,
    )


def _unsaid(query: Query | Opaque) -> Candidate:
    """A query that no words of a question say by themselves."""
    return Candidate(query, 0.0, {}, "", databases(query))


def _reading(found: Understanding, decision: Decision) -> UnderstoodQuestion:
    first = tuple(replace(one, rules=found.lessons) for one in found.candidates[:1])
    said = [f"Read as: {one.reading}." for one in first if not one.reading.startswith(LIKE)]
    return UnderstoodQuestion(
        found.question,
        decision,
        (*first, *found.candidates[1:]),
        (*said, *found.notes),
        found.confidence,
        found.candidates[0].databases if found.candidates else (),
        found.unknown_words,
        found.left_out,
        found.lessons,
        found.question,
    )


def _ask_back(before: UnderstoodQuestion | None, unknown: Sequence[str]) -> str:
    if before is not None and unknown:
        words = listed([f"'{word}'" for word in unknown[:3]], "or")
        return f"I find nothing about {words} in the databases, so I could not tie this to the question before ({before.question!r}). Please ask the whole question."
    if before is None:
        return "What does this refer to? The question before was not answered, or there is none; please ask the whole question."
    return f"I could not tie this to the question before ({before.question!r}). Please ask the whole question."
