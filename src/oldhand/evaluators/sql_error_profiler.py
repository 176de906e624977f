"""Looks at a whole run: which mistakes came again, and what they have in common."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator
from rapidfuzz import fuzz, utils

from oldhand.errors import UsageError
from oldhand.evaluators.critic_prompts import found_text, question_text, run_text
from oldhand.evaluators.results import ResultContext
from oldhand.evaluators.sql_evaluator import SqlCall, SqlEvaluator, calls_of_run, saved_under
from oldhand.evaluators.sql_rules import review_sql
from oldhand.lexicon.entries import shipped
from oldhand.record.shortening import shortened
from oldhand.record.step import AgentState, Step
from oldhand.sources.databases.complaints import Trouble, read_complaint
from oldhand.sources.databases.sql_issues import SqlIssue

RECURRING = 2
"""How often something that no database rejects must happen in a run to be a pattern: rule errors and empty results."""
_SAME_TEXT = 85
"""Similarity (0 to 100) from which on two texts say the same."""
_MAX_NAMES = 5
_MAX_SAID = 160


# What kind of mistake an error is, whether a database, a tool or one of our rules told of it.
class ErrorKind(BaseModel):
    """A kind of mistake, and how it is told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    label: str
    """As the type of error in a record."""
    advice: str
    """What to do so that it does not come again."""
    troubles: tuple[str, ...] = ()
    """As which the message of a database was read."""
    messages: tuple[str, ...] = ()
    """Patterns of what is read here only."""
    rules: tuple[str, ...] = ()
    """Codes of the rules about SQL that find it."""


_WRITTEN = cast("dict[str, dict[str, object]]", shipped("oldhand.evaluators", "error_kinds.yaml"))

KINDS = {code: ErrorKind.model_validate({"code": code, **one}) for code, one in _WRITTEN.items()}
"""All kinds by their codes."""

EMPTY, OTHER, SYNTAX = KINDS["empty_result"], KINDS["other"], KINDS["syntax"]

_OF_TROUBLE = {Trouble[name.upper()]: kind for kind in KINDS.values() for name in kind.troubles}

_PATTERNS = tuple((kind, text) for kind in KINDS.values() for text in kind.messages)

_OF_RULE = {rule: kind for kind in KINDS.values() for rule in kind.rules}


def kind_of_message(message: str) -> tuple[ErrorKind, str]:
    """The kind of a database's or tool's error, and the name that it is about, in lower case; empty when it tells none.

    >>> kind_of_message("no such column: s.nmae")[1]
    'nmae'
    >>> kind_of_message('relation "orders" does not exist')[0].label
    'Unknown table errors'
    >>> kind_of_message("function sum(text) does not exist")[1]  # there is one, for other types
    'sum'
    >>> kind_of_message("Out of luck") == (OTHER, "")
    True
    """
    for line in message.splitlines():
        complaint = read_complaint(line)
        if complaint.trouble is not Trouble.OTHER:
            return _OF_TROUBLE[complaint.trouble], complaint.name.casefold()
    for kind, pattern in _PATTERNS:
        if match := re.search(pattern, message, re.IGNORECASE | re.DOTALL):
            return kind, next((text for text in match.groups() if text), "").casefold()
    return OTHER, ""


def kind_of_rule(code: str) -> ErrorKind:
    """The kind of what a rule found; everything that is not known by name is about syntax.

    >>> kind_of_rule("mixed_srids").label
    'CRS mismatch errors'
    """
    return _OF_RULE.get(code, SYNTAX)


_SAYS_ERROR = re.compile(
    r"\W*(?:traceback\b|(?:an? )?(?:\w+ )?(?:error|exception)\b\s*(?:[:(-]|occurred|while|executing)|"
    r"(?:\w+\.)*\w*(?:Error|Exception)\b\s*[:(]|\((?:\w+\.)+\w+\) \w|"
    r"(?:query|statement|execution|tool)\s+failed\b|failed to \w+|could not \w+)",
    re.IGNORECASE,
)


def is_error(text: str) -> bool:
    """Whether a tool says by its text, and not by an exception, that it has failed.

    >>> [is_error(one) for one in ("Error: (sqlite3.OperationalError) no such column: nmae", "ProgrammingError: syntax")]
    [True, True]
    >>> [is_error(one) for one in ("[('Error 404', 3)]", "3 rows", "error_code | 7", "errors")]
    [False, False, False, False]
    """
    return _SAYS_ERROR.match(text) is not None


@dataclass
class Pattern:
    """Mistakes of one kind in a run."""

    kind: ErrorKind
    steps: list[int] = field(default_factory=list[int])
    """The number of each step in which it happened; as often as it did."""
    names: list[str] = field(default_factory=list[str])
    """What the mistakes were about."""
    said: str = ""
    """What was said the first time."""
    failed: int = 0
    """How many of them made a query fail."""

    @property
    def issue(self) -> str:
        """The pattern in a sentence or two."""
        times = f"{len(self.steps)} times" if len(self.steps) > 1 else "once"
        steps = ", ".join(map(str, dict.fromkeys(self.steps)))
        names = list(dict.fromkeys(filter(None, self.names)))
        about = f" ({', '.join(names[:_MAX_NAMES])})" if names else ""
        said = f", such as {self.said!r}" if self.said and not names else ""
        return f"{self.kind.label}{about}, {times}, in step{'s' if ',' in steps else ''} {steps}{said}: {self.kind.advice}."

    @property
    def key(self) -> str:
        """The kind and what it is about, whatever the steps."""
        return ":".join([self.kind.code, *sorted({*filter(None, self.names)})[:_MAX_NAMES]])


class Profile(BaseModel):
    """A model's view of a run."""

    model_config = ConfigDict(extra="forbid")

    error_type: str = Field(default="", max_length=80)
    issues: list[str] = Field(default_factory=list[str], max_length=5)

    @field_validator("issues")
    @classmethod
    def _no_empty_ones(cls, issues: list[str]) -> list[str]:
        if any(not 0 < len(issue.strip()) <= 600 for issue in issues):
            raise ValueError("each issue is a sentence of at most 600 characters")
        return issues


class SQLErrorProfiler(SqlEvaluator):
    """Names the patterns of a run's mistakes: errors that queries ended in, and what the rules found again and again.

    >>> from oldhand.record.step import Action, Observation
    >>> def step(number: int, sql: str, error: str) -> Step:
    ...     action = Action(id=str(number), tool="sql_db_query", arguments={"query": sql})
    ...     seen = Observation(action_id=action.id, text=error, is_error=True)
    ...     return Step(number=number, actions=(action,), observations=(seen,))
    >>> steps = [step(1, "SELECT nmae FROM shop", "no such column: nmae"), step(2, "SELECT town FROM shop", "no such column: town")]
    >>> profiler = SQLErrorProfiler(home=getfixture("tmp_path"))
    >>> print(profiler.evaluate(steps, query_idx=11, policy_model_name="gpt-4", task_type="shop_qa"))
    Unknown column errors (nmae, town), 2 times, in steps 1, 2: look up the columns of a table before naming them, and qualify them.
    >>> [record["error_type"] for record in profiler.load_results("gpt-4", "shop_qa")]
    ['Unknown column errors']
    >>> profiler.close()
    """

    granularity = "trajectory"
    notes_header: ClassVar[str] = "Previous SQL Error Patterns:"

    def evaluate(self, step: object, **kwargs: object) -> str | None:
        """Find the patterns of a run, and save them.

        Args:
            step: An `AgentState`, or its steps.
            kwargs: `query_idx`, `policy_model_name` and `task_type`, under which they are saved; `query`, the question.

        Returns:
            The patterns, one in each line, the most frequent first; None when there are none.

        Raises:
            UsageError: it is no run.
            StoreError: what was found cannot be saved.
        """
        calls = list(calls_of_run(_steps(step), self.sql_tool_names))
        patterns = self.patterns(calls)
        question = kwargs.get("query") or (step.query if isinstance(step, AgentState) else "")
        profile = self._profile(calls, patterns, str(question))
        issues = [pattern.issue for pattern in patterns]
        added = [one for one in profile.issues if not _is_said(one, issues)]
        if not issues and not added:
            return None
        error_type = patterns[0].kind.label if patterns else profile.error_type or OTHER.label
        result: dict[str, object] = {"error_type": error_type, "issues": [*issues, *added]}
        keys = [*(pattern.key for pattern in patterns), *[""] * len(added)]
        self._save_eval(result, *saved_under(kwargs), ResultContext(keys=keys))
        return "\n".join([*issues, *added])

    def patterns(self, calls: Iterable[SqlCall]) -> list[Pattern]:
        """What the calls have in common, the most frequent first."""
        several = list(calls)
        if len(several) < RECURRING and not any(map(_failed, several)):
            return []
        found: dict[ErrorKind, Pattern] = {}
        for call in several:
            for kind, name, said in self._mistakes(call):
                pattern = found.setdefault(kind, Pattern(kind, said=said))
                pattern.steps.append(call.step_number or 0)
                pattern.names.append(name)
                pattern.failed += _failed(call)
        kept = [one for one in found.values() if one.failed or len(one.steps) >= RECURRING]
        return sorted(kept, key=lambda one: (-one.failed, -len(one.steps)))

    def _mistakes(self, call: SqlCall) -> list[tuple[ErrorKind, str, str]]:
        """Of one call: kind, what it is about, and what was said. What a database said comes before what the rules say."""
        seen = call.observation
        if seen is not None and _failed(call):
            said = seen.text.partition("\nNext:")[0]
            kind, name = kind_of_message(said)
            if kind is not OTHER:
                return [(kind, name, _short(said))]
        errors = self._errors(call)
        if errors:
            return list({kind_of_rule(one.code): _found(one) for one in reversed(errors)}.values())
        if seen is not None and _failed(call):
            return [(OTHER, "", _short(seen.text))]
        is_empty = seen is not None and seen.result is not None and not seen.result.row_count
        return [(EMPTY, "", "")] if is_empty else []

    def _errors(self, call: SqlCall) -> Sequence[SqlIssue]:
        return review_sql(call.sql, self._dialect, self.schemas_for(call.database)).errors

    def _profile(self, calls: list[SqlCall], patterns: list[Pattern], question: str) -> Profile:
        """The model's view; an empty one without a model, without SQL, or when it gives none."""
        if self.critic is None or not calls:
            return Profile()
        values = {
            "question": question_text(question),
            "run": run_text(calls),
            "found_by_rules": found_text([pattern.issue for pattern in patterns]),
        }
        return self.critic.ask("profile_errors", values, Profile) or Profile()


def _steps(run: object) -> Sequence[Step]:
    if isinstance(run, AgentState):
        return run.steps
    steps = list(cast("Iterable[object]", run)) if isinstance(run, list | tuple) else [run]
    for one in steps:
        if not isinstance(one, Step):
            raise UsageError(
                f"SQLErrorProfiler looks at an AgentState or its steps, not at {type(one).__name__}."
            )
    return cast("Sequence[Step]", steps)


def _found(issue: SqlIssue) -> tuple[ErrorKind, str, str]:
    is_name = issue.fragment.replace(".", "").isidentifier()
    name = issue.fragment.rpartition(".")[2].casefold() if is_name else issue.about
    return kind_of_rule(issue.code), name, _short(issue.message)


def _failed(call: SqlCall) -> bool:
    """Whether a tool failed; many say so in a text and raise nothing."""
    seen = call.observation
    return seen is not None and (seen.is_error or (seen.result is None and is_error(seen.text)))


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _MAX_SAID)


def _is_said(text: str, issues: Iterable[str]) -> bool:
    """Whether the issues say the same already."""
    return any(
        fuzz.token_set_ratio(text, one, processor=utils.default_process) >= _SAME_TEXT
        for one in issues
    )
