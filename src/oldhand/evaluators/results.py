"""The results of evaluators in one home: where an evaluator saves, and where notes come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Self

from pydantic import JsonValue

from oldhand.evaluators.notes import Chances, Notes, NotesWanted, choose_notes, plain
from oldhand.evaluators.running import EvaluatorCall
from oldhand.evaluators.strangers import without_quotes, without_words
from oldhand.evaluators.verdicts import checked_texts, checked_verdict
from oldhand.models import same_model
from oldhand.models.clock import SystemClock
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.evaluation import Evaluation
from oldhand.record.ports import Clock, NewId, random_id
from oldhand.settings import EvaluationSettings, home_folder, load_settings
from oldhand.store import EvaluationFilter, Store, home_store
from oldhand.store.home_store import RESULTS_FOLDER
from oldhand.store.result_store import results_file


def results_path(model: str, task: str, home: str | Path | None = None) -> Path:
    """The file in which the results of a model on one kind of task lie, whether it exists or not.

    Args:
        model: the judged model, by any of its names.
        task: the kind of task.
        home: the home; else `OLDHAND_HOME`, else `~/.oldhand`.

    >>> results_path("openai:gpt-4", "spatial_qa", "/home/ana/.oldhand").name
    'resultdicttojsonl_gpt-4_spatial_qa.jsonl'
    """
    return home_folder(home) / RESULTS_FOLDER / results_file(same_model(model), task)


@dataclass(frozen=True)
class ResultContext:
    """What is known of a result beside the record that people read; it stays in the store."""

    keys: Sequence[str] = ()
    """For each issue what it is about, such as `unknown_column:orders.total`: issues of one key are the same one."""
    advice: Sequence[str] = ()
    """What could be better but makes nothing invalid."""
    step_number: int | None = None
    """Which step was judged, where the agent does not say so."""


@dataclass
class Results:
    """What evaluators found for one clone; methods block."""

    store: Store
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    clone_id: str = DEFAULT_CLONE
    clock: Clock = field(default_factory=SystemClock)
    new_id: NewId = random_id
    source: Random = field(default_factory=Random)
    """Decides which notes are held out."""
    _is_pruned: bool = False

    @classmethod
    def of_home(cls, home: str | Path | None = None) -> Self:
        """Those of a home: the argument, else `OLDHAND_HOME`, else `~/.oldhand`, made if needed.

        Raises:
            InvalidSetting: its settings do not hold.
            StoreError: its store cannot be opened.
        """
        path, clock = home_folder(home), SystemClock()
        settings = load_settings(path)
        store = home_store(path, settings, clock=clock)
        return cls(store, settings.evaluations, clock=clock)

    def save(
        self,
        evaluator_type: str,
        result: Mapping[str, object],
        about: ResultContext,
        now: EvaluatorCall,
    ) -> Evaluation:
        """Keep what an evaluator says; saying the same of the same step of a run again changes nothing.

        Raises:
            InvalidEvaluation: `result` has not the form of a result.
            StoreError: it cannot be saved.
        """
        said, run = checked_verdict(result), now.run
        keys = self._keys(about, len(said.issues))
        told = zip_longest(said.issues, keys, fillvalue="")
        issues = tuple(_own_words(one, key, now) for one, key in told)
        given = Evaluation(
            id="",
            episode_id=run.episode_id,
            evaluator_type=evaluator_type,
            granularity=now.granularity,
            policy_model=same_model(run.policy_model_name),
            task_type=run.task_type,
            query_idx=run.query_idx,
            question=run.query or None,
            step_number=about.step_number if now.step_number is None else now.step_number,
            keys=keys,
            advice=checked_texts("advice", list(about.advice)),
            created_at=self.clock.now(),
            **said._replace(issues=issues)._asdict(),
        )
        evaluation = given.model_copy(update={"id": self._id(given)})
        self._prune_once()
        self.store.results.add(self.clone_id, [evaluation], fading=self.settings.fading_runs)
        return evaluation

    def _keys(self, about: ResultContext, issues: int) -> tuple[str, ...]:
        keys = tuple(about.keys)[:issues]
        return (*keys, *[""] * (issues - len(keys))) if keys else ()

    def _id(self, one: Evaluation) -> str:
        """The same for the same step of a run, whoever repeats it."""
        if one.episode_id is None:
            return self.new_id()
        judged = one.sql_query or "\x1f".join((one.error_type or "", *one.issues))
        name = (one.episode_id, str(one.step_number), one.granularity, one.evaluator_type, judged)
        text = "\x1e".join(name).encode("utf-8", "surrogatepass")
        return f"evaluation-{blake2b(text, digest_size=16).hexdigest()}"

    def _prune_once(self) -> None:
        """Let go of what is older than wanted, once for each process."""
        if not self._is_pruned and self.settings.keep_days is not None:
            self._is_pruned = True
            before = self.clock.now() - timedelta(days=self.settings.keep_days)
            self.store.results.prune(self.clone_id, before)

    def records(
        self, policy_model: str, task_type: str, evaluator_type: str | None = None
    ) -> list[dict[str, JsonValue]]:
        """The records of a model on one kind of task, oldest first."""
        wanted = EvaluationFilter(same_model(policy_model), task_type, evaluator_type)
        return self.store.results.records(self.clone_id, wanted)

    def objections(self, policy_model: str, task_type: str, sql: str) -> tuple[str, ...]:
        """What was found wrong with exactly that statement before, as a note says it."""
        wanted = EvaluationFilter(same_model(policy_model), task_type, sql_query=sql)
        found = self.store.results.found(self.clone_id, wanted, 20)
        said = (text for one in found if one.is_valid is not True for text in one.issues)
        return tuple(dict.fromkeys(plain(one, self.settings.note_characters) for one in said))

    def notes(self, wanted: NotesWanted) -> Notes:
        """The notes of one evaluator for the next generation."""
        chances = Chances(self.settings, self.source, self.clock)
        wanted = wanted._replace(policy_model=same_model(wanted.policy_model))
        return choose_notes(self.store.results, self.clone_id, wanted, chances)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


def _own_words(issue: str, key: str, now: EvaluatorCall) -> str:
    """An issue without what it repeats of results, or of a stranger; a keyed one is in the words of our rules."""
    if key:
        return without_words(issue, now.written)
    return without_words(without_quotes(issue, now.results), now.written | now.asked)
