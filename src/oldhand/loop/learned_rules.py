"""What was learned from answers, as rules of the semantic layer: words, rows that don't count, dates and ways."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from oldhand.agent.analyst.semantics.extending import rule_of
from oldhand.learning.alias_evidence import evidence_of
from oldhand.loop.ground import LoopPart
from oldhand.loop.known_rules import KnownRule, known
from oldhand.record.effect import Alias, DefaultFilter, TimeColumn, spoken_as
from oldhand.record.evidence import Strength
from oldhand.record.filter_condition import compared
from oldhand.record.join_path import JoinPath
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.semantics import (
    DefaultDate,
    DefaultJoin,
    NamedCondition,
    RowFilter,
    Rule,
    Semantics,
    Synonym,
)
from oldhand.record.stage import State, state_of
from oldhand.sources.databases.semantics_file import semantics_text


class LearnedRule(KnownRule):
    """A rule that was learned from answers; `oldhand memory` changes it and takes it out."""

    memory_id: str
    state: State
    """Whether it is in force, waits, or is only noted."""


@dataclass(frozen=True)
class LearnedRules(LoopPart):
    """The rules of one home that nobody stated: they were learned from what people said of answers. Methods block."""

    def all(self) -> tuple[LearnedRule, ...]:
        """Those that are in force, wait or are noted, newest first; each as the semantic layer would hold it."""
        return tuple(self._known())

    def layers(self) -> dict[str, str]:
        """The semantic layer of each database as YAML, with what was learned and is in force; what people have stated of the same counts before it."""
        learned, made = self.all(), dict[str, str]()
        for schema in self.catalog.schemas():
            layer = Semantics()
            for one in reversed(learned):
                if one.database == schema.name and one.state is State.IN_FORCE:
                    layer = layer.having(one.rule)
            for rule in schema.semantics.rules:
                layer = layer.having(rule)
            if layer.rules:
                made[schema.name] = semantics_text(layer)
        return made

    def _known(self) -> Iterator[LearnedRule]:
        kinds = (MemoryType.SEMANTIC, MemoryType.PREFERENCE)
        for kind in kinds:
            for memory in self.store.memories(self.clone_id, type=kind, limit=None):
                rule, state = as_rule(memory), state_of(memory)
                if rule is None or state in (State.RETIRED, State.ERASED):
                    continue
                database = getattr(memory.effect, "database", "")
                fields = dict(known(database, rule))
                yield LearnedRule(**fields, memory_id=memory.id, state=state)


def as_rule(memory: Memory) -> Rule | None:
    """What a memory does, as somebody would state it; None where it does nothing of the kind, or for some words of a question alone.

    >>> from oldhand.testing.records import example_memory
    >>> word = Alias(phrase="top tier", database="shop", table="customers", column="tier", value="A1")
    >>> as_rule(example_memory(effect=word)).told
    "'top tier' means customers with tier = 'A1'"
    """
    source, since = memory.provenance, memory.created_at.date().isoformat()
    told = any(one.strength is Strength.STATED for one in evidence_of(memory))
    says = f"{'stated as a word' if told else 'learned from answers'}: {memory.id}"
    said = {"by": source.rater or source.source.value, "since": since, "says": says}
    effect = memory.effect
    match effect:
        case DefaultFilter():
            return RowFilter(table=effect.table, condition=effect.condition, **said)
        case TimeColumn():
            return DefaultDate(table=effect.table, column=effect.column, **said)
        case JoinPath() if not effect.when and not effect.filled:
            keys = tuple(one.says for one in effect.on)
            return DefaultJoin(table=effect.tables[0], to=effect.tables[-1], keys=keys, column=effect.column, **said)  # fmt: skip
        case _:
            word = spoken_as(effect)
            return None if word is None else _of_word(word).model_copy(update=said)


def _of_word(word: Alias) -> Rule:
    """What a word means."""
    if word.is_defined:
        return rule_of(word)
    if word.column is None or word.value is None:
        return Synonym(name=word.phrase, table=word.table, column=word.column)
    met = compared(exp.column(exp.to_identifier(word.column)), word.operator, word.values)
    return NamedCondition(name=word.phrase, table=word.table, condition=met.sql())
