"""Rules that people state: understood, tried on recent questions, and put into the semantic layer."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.semantics.meanings import in_words
from oldhand.agent.analyst.stating.examples import examples
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.errors import UnclearRule, UnknownMemory, UsageError
from oldhand.learning.evidence.exam_results import ExamResult
from oldhand.learning.hygiene import Flawed
from oldhand.loop.ground import LoopPart
from oldhand.loop.known_rules import KnownRule, check_rule, known
from oldhand.loop.learned_rules import LearnedRules
from oldhand.loop.overruling import Overruling
from oldhand.loop.standing import StandingAnswer, StandingAnswers
from oldhand.loop.tried_rules import ChangedAnswer, TriedRules
from oldhand.record.base import checked_name
from oldhand.record.feedback import Source
from oldhand.record.semantics import (
    RowFilter,
    Rule,
    Semantics,
)

STAYING = 3
"""Confirmed answers that are named of those that do not go by a rule."""


class RulePreview(KnownRule):
    """What a rule would do."""

    reads_back: str
    """What it will do, in words."""
    replaces: tuple[str, ...] = ()
    """What the rules say that it takes the place of."""
    tried: int = 0
    """Recent questions that were read with and without it."""
    changes: tuple[ChangedAnswer, ...] = ()
    """Those that would be answered otherwise."""
    exam: ExamResult | None = None
    """How confirmed questions are answered with it and without; None where none concerns its database."""
    stays: tuple[StandingAnswer, ...] = ()
    """Confirmed answers that do not go by it, and stay as they are."""


@dataclass(frozen=True)
class HomeRules(LoopPart):
    """The rules of one home."""

    values: ValueSource
    tried: TriedRules
    exam: Callable[[Mapping[str, Semantics]], ExamResult | None]
    standing: StandingAnswers
    """Which confirmed answers stay in spite of them."""
    overruling: Overruling
    """What gives way to them."""
    learned: LearnedRules
    """What was learned beside them."""

    def all(self) -> tuple[KnownRule, ...]:
        """The rules of all databases, in the order of their files; blocks."""
        return tuple(
            known(schema.name, rule, in_words(rule, schema))
            for schema in self.catalog.schemas()
            for rule in schema.semantics.rules
        )

    def disagreeing(self) -> tuple[Flawed, ...]:
        """The rules that disagree with what was confirmed; blocks."""
        return self.standing.flaws()

    def stays(self, stated: ReadRule) -> str:
        """Which confirmed answers do not go by a rule that is in force, and stay as they are; empty where there are none; blocks."""
        now = self.catalog.schema(stated.database).semantics
        rule = next((one for one in now.rules if (one.told, one.name) == (stated.rule.told, stated.rule.name)), None)  # fmt: skip
        found = () if rule is None else self.standing.against(stated.database, rule, now)
        return " ".join(one.told for one in found[:STAYING])

    async def preview(self, sentence: str, databases: Sequence[str] | None) -> RulePreview:
        """What a sentence would do, tried on recent questions; nothing is changed.

        Raises:
            UnclearRule: it is not understood.
        """
        if taken := await asyncio.to_thread(self._taken_back, sentence, databases):
            return await self._without(*taken)
        return await self._previewed(await asyncio.to_thread(self.read, sentence, databases))

    async def state(
        self,
        sentence: str,
        databases: Sequence[str] | None,
        rater: str,
        *,
        before: Rule | None = None,
    ) -> RulePreview:
        """Put a rule in force, in the place of another where that is given.

        Raises:
            UnclearRule: it is not understood.
            UsageError: whoever states it has no say.
        """
        await asyncio.to_thread(self._check_say, rater)
        change = self.catalog.change_semantics
        if taken := await asyncio.to_thread(self._taken_back, sentence, databases):
            preview = await self._without(*taken)
            await asyncio.to_thread(change, taken[0], lambda now: now.without(*taken[1]))
            return preview
        stated = await asyncio.to_thread(self.read, sentence, databases)
        since = self.clock.now().date().isoformat()
        stated = stated.of({"by": rater, "since": since})
        rule, gone = stated.rule, () if before is None else (before,)
        preview = await self._previewed(stated, gone)
        await asyncio.to_thread(
            change, stated.database, lambda now: stated.within(now.without(*gone))
        )
        await asyncio.to_thread(self._overrule, stated.database, rule, rater)
        return preview

    def put(self, database: str, rules: Sequence[Rule], rater: str) -> None:
        """Put rules in force that were imported; blocks.

        Raises:
            UsageError: whoever states them has no say.
        """
        self._check_say(rater)
        stated = {"by": rater, "since": self.clock.now().date().isoformat()}

        def change(now: Semantics) -> Semantics:
            for rule in rules:
                now = now.having(rule.model_copy(update=stated))
            return now

        self.catalog.change_semantics(database, change)
        for rule in rules:
            self._overrule(database, rule, rater)

    def _overrule(self, database: str, rule: Rule, rater: str) -> None:
        """Let what was learned otherwise give way to a rule that is in force."""
        if found := self.overruling.overruled(database, rule):
            self.overruling.retire(found, rule, rater)

    def remove(self, name: str, rater: str) -> tuple[KnownRule, ...]:
        """Take the rules of a name out of force; blocks.

        Raises:
            UnknownMemory: there is none.
            UsageError: whoever does has no say.
        """
        self._check_say(rater)
        found = self.named(name)
        # What counts for it alone goes with it.
        only = [one for one in self.all() if isinstance(one.rule, RowFilter) and one.rule.when in {it.name for it in found}]  # fmt: skip
        found = (*found, *(one for one in only if one not in found))
        for one in found:
            self.catalog.change_semantics(one.database, lambda now, one=one: now.without(one.rule))
        return found

    async def edit(self, name: str, sentence: str, rater: str) -> RulePreview:
        """Put another rule in the place of one, in force at once.

        Raises:
            UnclearRule: it is not understood.
            UnknownMemory: there is no such rule.
            UsageError: several go by that name, or whoever edits has no say.
        """
        await asyncio.to_thread(self._check_say, rater)
        found = await asyncio.to_thread(self.named, name)
        if len(found) > 1:
            said = ", ".join(repr(one.told) for one in found)
            raise UsageError(f"{name!r} is several rules: say which by its sentence: {said}.")
        before = next(iter(found))
        return await self.state(sentence, [before.database], rater, before=before.rule)

    def undo(self, database: str, rater: str) -> tuple[KnownRule, ...]:
        """Let the rules of a database be as they were before their last change; undone twice, they are as they are now.

        Raises:
            UsageError: they were never changed, or whoever does has no say.
        """
        self._check_say(rater)
        before = self.catalog.semantics_before(database)
        if before is None:
            raise UsageError(f"The rules of {database} were never changed.")
        self.catalog.change_semantics(database, lambda _now: before)
        return tuple(one for one in self.all() if one.database == database)

    def named(self, name: str) -> tuple[KnownRule, ...]:
        """The rules that go by a name, or come from a sentence; blocks.

        Raises:
            UnknownMemory: there is none.
        """
        wanted = " ".join(name.casefold().split())
        found = [
            one
            for one in self.all()
            if wanted in (one.name.casefold(), one.rule.says.casefold(), one.told.casefold())
        ]
        if not found:
            near = get_close_matches(wanted, [one.name.casefold() for one in self.all()], 3, 0.5)
            guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise UnknownMemory(f"No rule goes by {name!r}.{guess} `oldhand rule list` lists them.")
        return tuple(found)

    def read(self, sentence: str, databases: Sequence[str] | None) -> ReadRule:
        """The rule that a sentence states; blocks.

        Raises:
            UnclearRule: it is not understood.
        """
        schemas = self.catalog.schemas(databases)
        values = self.values.lookup(schemas, self.clock.now().date()).values
        try:
            stated = read_rule(sentence, schemas, values)
        except UnclearRule as error:
            raise UnclearRule(f"{error} {examples(sentence, schemas, values)}") from error
        schema = next(one for one in schemas if one.name == stated.database)
        check_rule(stated.rule, schema)
        return stated

    def _taken_back(
        self, sentence: str, databases: Sequence[str] | None
    ) -> tuple[str, tuple[RowFilter, ...]] | None:
        """The rules in force that a sentence takes back; blocks."""
        return self.overruling.taken_back(sentence, self.catalog.schemas(databases))

    def _check_say(self, rater: str) -> None:
        if self.people.role(checked_name(rater)) is Source.EXTERNAL:
            raise UsageError(
                f"{rater} is neither the owner nor an expert here, whose rules hold: `oldhand people list` names them."
            )

    async def _previewed(self, stated: ReadRule, gone: Sequence[Rule] = ()) -> RulePreview:
        schema = await asyncio.to_thread(self.catalog.schema, stated.database)
        rule, now = stated.rule, schema.semantics
        then, said = stated.within(now.without(*gone)), in_words(rule, schema)
        also = [one.reads_back for one in then.rules if one in stated.beside]
        replaced = [in_words(one, schema) for one in now.rules if one not in then.rules]
        learned = await asyncio.to_thread(self.overruling.overruled, stated.database, rule)
        replaced += [f"{one.effect.says} (learned: `oldhand memory undo {one.id}` brings it back)" for one in learned if one.effect]  # fmt: skip
        both = (*now.rules, *then.rules)
        changed = [one for one in both if one not in now.rules or one not in then.rules]
        tried, changes = await self.tried.on_recent({stated.database: then}, changed)
        exam = await asyncio.to_thread(self.exam, {stated.database: then})
        stays = await asyncio.to_thread(self.standing.against, stated.database, rule, then)
        return RulePreview(
            **dict(known(stated.database, rule, said)),
            reads_back="; ".join((rule.reads_back.replace(rule.told, said), *also)),
            replaces=tuple(replaced),
            tried=tried,
            changes=changes,
            exam=exam,
            stays=stays,
        )

    async def _without(self, database: str, gone: Sequence[RowFilter]) -> RulePreview:
        """What it would do that rules are taken back."""
        schema = await asyncio.to_thread(self.catalog.schema, database)
        then, said = schema.semantics.without(*gone), [one.told for one in gone]
        tried, changes = await self.tried.on_recent({database: then}, gone)
        exam = await asyncio.to_thread(self.exam, {database: then})
        return RulePreview(
            **dict(known(database, gone[0])),
            reads_back="Such rows count again",
            replaces=tuple(said),
            tried=tried,
            changes=changes,
            exam=exam,
        )
