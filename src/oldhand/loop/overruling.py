"""What gives way to the last word: rules that a sentence takes back, and what was learned otherwise than is stated now."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.stating.left_out import let_in_again
from oldhand.errors import UnclearRule
from oldhand.learning.distillation.places import contradict
from oldhand.learning.lifecycle.quarantine import superseded
from oldhand.loop.ground import LoopPart
from oldhand.record.effect import DefaultFilter, Effect, RowRule, TimeColumn
from oldhand.record.filter_condition import read_filter, said_of, what_is_left_out
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import DefaultDate, DefaultJoin, RowFilter, Rule
from oldhand.record.shortening import SHOWN_ID
from oldhand.record.stage import PINNED, is_shown


@dataclass(frozen=True)
class Overruling(LoopPart):
    """Lets the last word hold in one home. Methods block."""

    values: ValueSource

    def taken_back(
        self, sentence: str, schemas: tuple[DatabaseSchema, ...]
    ) -> tuple[str, tuple[RowFilter, ...]] | None:
        """The rules in force that a sentence takes back, and their database; None where it takes none back.

        Raises:
            UnclearRule: it takes back what holds for more than it speaks of, or what was learned.
        """
        today = self.clock.now().date()
        found = let_in_again(sentence, schemas, self.values.lookup(schemas, today).values)
        if found is None:
            return None
        database, wanted = found
        schema = next(one for one in schemas if one.name == database)
        same = [one for one in schema.semantics.filters if _does_the_same(wanted, one)]
        meant = [one for one in same if not wanted.when or one.when == wanted.when]
        if meant:
            return database, tuple(meant)
        if same:
            raise UnclearRule(f"They are left out by another rule: {same[0].told}. `oldhand rule remove {same[0].told!r}` takes it out of force.")  # fmt: skip
        for one in self.learned():
            if (
                isinstance(one.effect, DefaultFilter)
                and one.effect.database == database
                and _does_the_same(wanted, one.effect)
            ):
                raise UnclearRule(f"They are left out by what was learned: {one.effect.says}. `oldhand memory retire {one.id[:SHOWN_ID]}` takes it out.")  # fmt: skip
        return None

    def overruled(self, database: str, rule: Rule) -> tuple[Memory, ...]:
        """What was learned that a stated rule says otherwise."""
        effect = _effect_of(rule, database)
        if effect is None:
            return ()
        return tuple(
            one
            for one in self.learned()
            if one.effect is not None
            and PINNED not in one.tags
            and contradict(effect, one.effect)
            and not _both_leave_out(effect, one.effect)
        )

    def retire(self, found: Sequence[Memory], rule: Rule, rater: str) -> None:
        """Let what was learned give way to what somebody has stated."""
        why = f"{rater} stated otherwise: {rule.told}"
        with self.store.learning(self.clone_id):
            gone = [superseded(one, rule.name, why) for one in found]
            self.store.save_memories(self.clone_id, gone)

    def learned(self) -> list[Memory]:
        """The rules about rows that were learned and are in force."""
        known = self.store.memories(self.clone_id, type=MemoryType.SEMANTIC, limit=None)
        return [one for one in known if is_shown(one) and isinstance(one.effect, RowRule)]


def _effect_of(rule: Rule, database: str) -> RowRule | None:
    """What a stated rule does with rows, as a lesson would say it; None where it does that for some questions alone, or names something."""
    match rule:
        case RowFilter(when=""):
            return rule.effect(database)
        case DefaultJoin():
            return rule.effect(database)
        case DefaultDate():
            return TimeColumn(database=database, table=rule.table, column=rule.column)
        case _:
            return None


def _both_leave_out(one: Effect, other: Effect) -> bool:
    """Whether two filters only leave rows out: both may hold."""
    filters = [it for it in (one, other) if isinstance(it, DefaultFilter)]
    return bool(filters) and all(what_is_left_out(read_filter(it.condition)) is not None for it in filters)  # fmt: skip


def _does_the_same(one: RowFilter, other: RowFilter | DefaultFilter) -> bool:
    """Whether two filters leave the same rows of a table out."""
    said = [said_of(read_filter(it.condition), it.table.casefold()) for it in (one, other)]
    return said[0] == said[1]
