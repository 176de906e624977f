"""Rules that people state: what words mean here, and which rows count."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.face.given import several
from oldhand.face.opened import FaceGroup
from oldhand.record.clone import DEFAULT_USER

if TYPE_CHECKING:
    from oldhand.loop.dbt import ImportedRules
    from oldhand.loop.known_rules import KnownRule
    from oldhand.loop.learned_rules import LearnedRule
    from oldhand.loop.stating import RulePreview


class AsyncRules(FaceGroup):
    """`old.rules`: the rules that people state."""

    async def list(self) -> "tuple[KnownRule, ...]":
        """The rules of all databases, as they stand in `knowledge/semantics`.

        Raises:
            SchemaError: one of these files does not hold; file and line are named.
        """
        return await asyncio.to_thread(self._opened.home.rules.all)

    async def learned(self) -> "tuple[LearnedRule, ...]":
        """What was learned from answers, as rules: those in force, and those that wait or are only noted.

        `old.memories` changes them and takes them out, by their `memory_id`.
        """
        return await asyncio.to_thread(self._opened.home.rules.learned.all)

    async def layers(self) -> dict[str, str]:
        """The semantic layer of each database as YAML, by its name: what people have stated, and what was learned and is in force.

        Raises:
            SchemaError: a file of stated rules does not hold; file and line are named.
        """
        return await asyncio.to_thread(self._opened.home.rules.learned.layers)

    async def add(
        self,
        sentence: str,
        *,
        databases: str | Sequence[str] | None = None,
        rater: str = DEFAULT_USER,
        dry_run: bool = False,
    ) -> "RulePreview":
        """Put a rule in force at once.

        Args:
            sentence: such as `profit = price - cost`, or `Revenue leaves out cancelled orders`.
            databases: a name or several that it may be about; all when None.
            rater: who states it: the owner or an expert.
            dry_run: only say what it would do, tried on recent questions.

        Raises:
            UnclearRule: it is not understood; the message says which part.
            UsageError: whoever states it has no say.
        """
        names = None if databases is None else several("databases", databases)
        rules = self._opened.home.rules
        if dry_run:
            return await rules.preview(sentence, names)
        return await rules.state(sentence, names, rater)

    async def import_dbt(
        self, file: str | Path, *, rater: str = DEFAULT_USER, dry_run: bool = False
    ) -> "ImportedRules":
        """Take over the semantic models and metrics of dbt, as far as rules can hold them.

        Args:
            file: YAML with `semantic_models` and `metrics`.
            rater: who does: the owner or an expert.
            dry_run: only say what would be taken.

        Raises:
            SchemaError: it is not YAML, or holds none; file and line are named.
            UsageError: whoever does has no say.
        """
        from oldhand.loop.dbt import imported

        home = self._opened.home
        return await asyncio.to_thread(imported, home.rules, Path(file), rater, dry_run=dry_run)

    async def edit(self, name: str, sentence: str, *, rater: str = DEFAULT_USER) -> "RulePreview":
        """Put another rule in the place of one, in force at once; `undo` brings the one before back.

        Args:
            name: the name of a measure, condition or word, or the sentence that was stated.
            sentence: what is to hold instead.
            rater: who states it: the owner or an expert.

        Raises:
            UnclearRule: it is not understood; the message says which part.
            UnknownMemory: no rule goes by that name.
            UsageError: several do, or whoever edits has no say.
        """
        return await self._opened.home.rules.edit(name, sentence, rater)

    async def undo(self, database: str, *, rater: str = DEFAULT_USER) -> "tuple[KnownRule, ...]":
        """Let the rules of a database be as they were before their last change; undone twice, they are as they are now.

        Args:
            database: whose rules.
            rater: who does: the owner or an expert.

        Returns:
            the rules that are in force then.

        Raises:
            UsageError: they were never changed, or whoever does has no say.
        """
        return await asyncio.to_thread(self._opened.home.rules.undo, database, rater)

    async def remove(self, name: str, *, rater: str = DEFAULT_USER) -> "tuple[KnownRule, ...]":
        """Take rules out of force.

        Args:
            name: the name of a measure, condition or word, or the sentence that was stated.
            rater: who does: the owner or an expert.

        Raises:
            UnknownMemory: no rule goes by it.
            UsageError: whoever does has no say.
        """
        return await asyncio.to_thread(self._opened.home.rules.remove, name, rater)
