"""What every evaluator has: a name, a place for its results, and notes made of them."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue

from oldhand.errors import UsageError
from oldhand.evaluators.notes import NotesWanted
from oldhand.evaluators.results import ResultContext, Results
from oldhand.evaluators.running import EvaluatorCall, JudgedRun, under_way
from oldhand.evaluators.workplace import at_work
from oldhand.models import LanguageModel
from oldhand.record.evaluation import Granularity

logger = logging.getLogger(__name__)


class VerbalEvaluator(ABC):
    """Judges a step, or a whole run, in words; what it saves becomes notes for later generations.

    Write `evaluate` and call `_save_eval` in it. An agent hands its own place for results on with `bind`; an evaluator
    that stands alone saves into the home's store.

    >>> class NoStar(VerbalEvaluator):
    ...     def evaluate(self, step, **kwargs):
    ...         if "*" in step:
    ...             self._save_eval({"issues": ["Name the columns instead of *"], "score": 0.8}, kwargs["query_idx"],
    ...                             kwargs["policy_model_name"], kwargs["task_type"])
    >>> evaluator = NoStar(home=getfixture("tmp_path"))
    >>> for sql in ("SELECT * FROM a", "SELECT * FROM b", "SELECT c FROM a"):
    ...     evaluator.evaluate(sql, query_idx=7, policy_model_name="gpt-4", task_type="spatial_qa")
    >>> [record["query_idx"] for record in evaluator.load_results("gpt-4", "spatial_qa")]
    [7, 7]
    >>> print(evaluator.load_eval_as_prompt("gpt-4", "spatial_qa"))
    Previous Issues from NoStar:
    1. Name the columns instead of * (2 times)
    >>> evaluator.close()
    """

    granularity: ClassVar[Granularity] = "step"
    """What `evaluate` is given: each step, or the whole run (`AgentState`) at its end."""
    notes_header: ClassVar[str] = ""
    """The line above its notes in a prompt; made of the class's name when empty."""

    base_model: LanguageModel | None = None
    failures: int = 0
    """How often `evaluate` or `load_eval_as_prompt` crashed, hung or returned nonsense in an agent's run."""
    # Defaults of the class, so that a subclass need not call our __init__.
    _results: Results | None = None
    _home: str | Path | None = None
    _is_own: bool = False
    _is_given: bool = False

    def __init__(
        self,
        base_model: LanguageModel | None = None,
        *,
        results: Results | None = None,
        home: str | Path | None = None,
    ) -> None:
        """Nothing is opened yet.

        Args:
            base_model: for evaluators that ask a language model.
            results: where to save.
            home: the home whose store is opened when `results` is missing: the argument, else `OLDHAND_HOME`,
                else `~/.oldhand`.

        Raises:
            UsageError: the model is only named.
        """
        if isinstance(base_model, str):
            raise UsageError(f"base_model={base_model!r} is a name: write get_lm({base_model!r}).")
        self.base_model = base_model
        self._results = results
        self._home = home
        self._is_given = results is not None

    @property
    def evaluator_type(self) -> str:
        """The name under which it saves."""
        return type(self).__name__.lower()

    @property
    def results(self) -> Results:
        """Where it saves: at the agent that it judges, else where it was bound last; opened when first used.

        Raises:
            StoreError: the home's store cannot be opened.
        """
        if not self._is_given and (place := at_work()) is not None:
            return place.results
        if self._results is None:
            self._results, self._is_own = Results.of_home(self._home), True
        return self._results

    def bind(self, results: Results, home: Path | None = None) -> None:
        """Save here where no agent is judged, from now on, unless a place was given when it was made.

        Args:
            results: of whoever uses it now.
            home: the folder that these belong to, for whatever else it keeps.
        """
        if self._is_given:
            return
        self.close()
        self._results = results
        self._home = self._home or home

    def close(self) -> None:
        """Let go of a store that it has opened by itself."""
        if self._is_own and self._results is not None:
            self._results.close()
            self._results, self._is_own = None, False

    @abstractmethod
    def evaluate(self, step: object, **kwargs: object) -> object:
        """Judge, save with `_save_eval` what is wrong, and return it.

        Args:
            step: a `Step`, or the `AgentState` for evaluators of whole runs.
            kwargs: `query_idx`, `policy_model_name`, `task_type`, and `query` where it is accepted.
        """

    def _save_eval(
        self,
        result: Mapping[str, object],
        query_idx: int | None,
        policy_model_name: str | None,
        task_type: str | None,
        about: ResultContext | None = None,
    ) -> str | None:
        """Keep a result.

        Args:
            result: `{"issues": [...]}`, and if known `is_valid`, `score` (0 is worst, 1 is best), `sql_query`,
                `error_type`; other fields are kept as they are.
            query_idx: number of the question.
            policy_model_name: the model that is judged. Without it, or a task, nothing is saved.
            task_type: the kind of task.
            about: what else is known.

        Returns:
            the id of the evaluation; None when nothing was saved.

        Raises:
            InvalidEvaluation: `result` has not the form of a result.
            StoreError: it cannot be saved.
        """
        if not policy_model_name or not task_type:
            logger.warning(
                "evaluation_unsaved: %s was called without policy_model_name or task_type",
                self.evaluator_type,
            )
            return None
        now = under_way()
        if now is not None and now.left:
            logger.warning("evaluation_late: %s answered after its time", self.evaluator_type)
            return None
        if now is None:
            run = JudgedRun(policy_model_name, task_type, query_idx=query_idx)
            now = EvaluatorCall(run, granularity=self.granularity)
        saved = self.results.save(self.evaluator_type, result, about or ResultContext(), now)
        now.saved.append(saved)
        return saved.id

    def load_results(
        self, policy_model_name: str, task_type: str, evaluator_type: str | None = None
    ) -> list[dict[str, JsonValue]]:
        """All records of a model on one kind of task, oldest first.

        Args:
            policy_model_name: the model that was judged.
            task_type: the kind of task.
            evaluator_type: only of this evaluator, such as `sqlvalidator`; None for all.
        """
        return self.results.records(policy_model_name, task_type, evaluator_type)

    def load_eval_as_prompt(
        self,
        policy_model_name: str,
        task_type: str,
        max_items: int | None = None,
        question: str | None = None,
        **kwargs: object,  # noqa: ARG002
    ) -> str:
        """Its issues as a section of a prompt, the worst first; empty when there are none.

        Args:
            policy_model_name: the model that is to read them.
            task_type: the kind of task.
            max_items: issues at most; None for what the settings say, which is 5.
            question: of issues that are equally bad, those that fit it come first.
            kwargs: passed over.
        """
        now = under_way()
        notes = self.results.notes(
            NotesWanted(
                policy_model_name,
                task_type,
                self.evaluator_type,
                header=self.notes_header or f"Previous Issues from {type(self).__name__}:",
                max_items=max_items,
                question=question or (now.run.query if now else ""),
                episode_id=now.run.episode_id if now else None,
                tokens=now.tokens if now else None,
            )
        )
        if now is not None:
            now.shown.extend(notes.items)
        return notes.text
