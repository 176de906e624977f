"""Results as lines that belong to people: export all that is known, import what a file holds."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TextIO

from pydantic import ValidationError

from oldhand.errors import InvalidEvaluation, JournalError, UsageError
from oldhand.evaluators.verdicts import checked_verdict
from oldhand.models import same_model
from oldhand.record.evaluation import TIMESTAMP, Evaluation
from oldhand.store import EvaluationFilter, ResultStore
from oldhand.store.journal.record_files import told_records

_PAGE = 500
_NAMED = re.compile(r"resultdicttojsonl_([a-z0-9-]+)_(.+)\.jsonl(\.\d+)?")
_BEYOND = (
    "id", "policy_model", "task_type", "episode_id", "granularity", "question", "step_number", "keys", "advice",
)  # fmt: skip
"""What an export holds beside the record, so that an import restores everything."""


class Imported(NamedTuple):
    """What an import did."""

    new: int
    unchanged: int
    """Lines that were known already."""
    bad: tuple[str, ...]
    """`file:line: why` for each line that could not be read; the others were imported."""
    removed: int = 0
    """Evaluations that are no longer in the file; only of a home's own file, and only when all of it could be read."""


def export_results(
    store: ResultStore, clone_id: str, target: TextIO, wanted: EvaluationFilter
) -> int:
    """Write evaluations as JSON Lines, oldest first: the record of the results file, and after it what only the store knows.

    Returns:
        how many there were.
    """
    found = store.found(clone_id, wanted)
    for one in found:
        beyond = one.model_dump(mode="json", include=set(_BEYOND))
        line = {**one.as_saved(), **{name: beyond[name] for name in _BEYOND}}
        line["created_at"] = one.created_at.isoformat()
        target.write(f"{_line(line)}\n")
    return len(found)


def _line(record: Mapping[str, object]) -> str:
    """One line that any reader can take, lone surrogates included."""
    return json.dumps(record, ensure_ascii=True)


def import_results(
    store: ResultStore,
    clone_id: str,
    source: Path,
    policy_model: str | None = None,
    task_type: str | None = None,
) -> Imported:
    """Read a file of results; each line that cannot be read is named, and the others are kept.

    A line that is in the store already changes nothing, so that a file can be imported again after it was edited. What was
    taken out of the home's own file of results, or changed there, is deleted.

    Args:
        store: where to.
        clone_id: whose they become.
        source: a results file or an export.
        policy_model: whose results they are, where neither the lines nor the file's name say it.
        task_type: of which kind of task.

    Raises:
        JournalError: the file cannot be read.
        UsageError: nothing says whose results they are.
    """
    named = _NAMED.fullmatch(source.name)
    if named is not None and "--" not in named[1] + named[2]:
        policy_model, task_type = policy_model or named[1], task_type or named[2]
    bad: list[str] = []
    found: list[Evaluation] = []
    for number, record in told_records(source):
        try:
            if isinstance(record, str):
                raise JournalError(record)
            found.append(_evaluation(record, policy_model, task_type))
        except (InvalidEvaluation, JournalError) as error:
            bad.append(f"{source}:{number}: {error}")
    new, gone = _changes(store, clone_id, source, found, (policy_model, task_type))
    if gone and not bad:
        store.remove(clone_id, gone)
    kept = 0
    for start in range(0, len(new), _PAGE):
        kept += len(store.add(clone_id, new[start : start + _PAGE], source=source))
    return Imported(kept, len(found) - kept, tuple(bad), 0 if bad else len(gone))


def _evaluation(
    record: Mapping[str, object], policy_model: str | None, task_type: str | None
) -> Evaluation:
    """The evaluation that a record holds.

    Raises:
        JournalError: the record lacks something.
        InvalidEvaluation: it is one, but does not hold a result.
        UsageError: nothing says whose result it is.
    """
    model = same_model(_text(record, "policy_model") or policy_model or "")
    task = _text(record, "task_type") or task_type
    if not model or not task:
        raise UsageError("Say whose results these are: --model and --task.")
    said = {name: value for name, value in record.items() if name not in (*_BEYOND, "created_at")}
    verdict = checked_verdict(said)
    fields = {name: record[name] for name in _BEYOND if record.get(name) is not None}
    given: dict[str, object] = {
        "id": _id(record, model, task),
        "granularity": "step" if verdict.sql_query else "trajectory",
        "query_idx": record.get("query_idx"),
        "evaluator_type": record.get("evaluator_type"),
        **fields,
        "policy_model": model,
        "task_type": task,
        "created_at": _moment(record),
        **verdict._asdict(),
    }
    try:
        return Evaluation.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        raise JournalError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _text(record: Mapping[str, object], name: str) -> str | None:
    value = record.get(name)
    return value if isinstance(value, str) else None


def _moment(record: Mapping[str, object]) -> datetime:
    exact, shown = _text(record, "created_at"), _text(record, "timestamp")
    try:
        if exact:
            return datetime.fromisoformat(exact)
        return datetime.strptime(shown or "", TIMESTAMP).replace(tzinfo=UTC)
    except ValueError as error:
        raise JournalError(
            f"timestamp: {shown!r} is not of the form 2025-12-05 17:30:27"
        ) from error


def _id(record: Mapping[str, object], model: str, task: str) -> str:
    """The id of a line that has none follows from what it says."""
    text = json.dumps([model, task, record], sort_keys=True).encode()
    return _text(record, "id") or f"imported-{blake2b(text, digest_size=16).hexdigest()}"


def _changes(
    store: ResultStore,
    clone_id: str,
    source: Path,
    found: Sequence[Evaluation],
    named: tuple[str | None, str | None],
) -> tuple[list[Evaluation], list[Evaluation]]:
    """What a file adds to the store, and what it takes out of it."""
    new: list[Evaluation] = []
    gone: list[Evaluation] = []
    groups: dict[tuple[str, str], list[Evaluation]] = {}
    if named[0] and named[1]:
        groups[same_model(named[0]), named[1]] = []
    for one in found:
        groups.setdefault((one.policy_model, one.task_type), []).append(one)
    for (model, task), theirs in groups.items():
        known = store.found(clone_id, EvaluationFilter(model, task))
        compared = _compared(known, theirs)
        new += compared.new
        ours = _answered_for(store.file_of(clone_id, model, task), source, known)
        missing = {one.id for one in compared.missing}
        gone += [one for one in ours if one.id in missing]
    return new, gone


class _Compared(NamedTuple):
    """A file beside what the store holds of the same models and tasks."""

    new: Sequence[Evaluation]
    missing: Sequence[Evaluation]
    """Known, and not in the file."""


def _compared(known: Sequence[Evaluation], found: Sequence[Evaluation]) -> _Compared:
    """Told by their records: the results file has no ids."""
    missing = Counter(_line(one.as_saved()) for one in known)
    new: list[Evaluation] = []
    for one in found:
        line = _line(one.as_saved())
        if missing[line]:
            missing[line] -= 1
        else:
            new.append(one)
    left: list[Evaluation] = []
    for one in reversed(known):
        line = _line(one.as_saved())
        if missing[line]:
            missing[line] -= 1
            left.append(one)
    return _Compared(new, left)


def _answered_for(
    own: Path | None, source: Path, known: Sequence[Evaluation]
) -> Sequence[Evaluation]:
    """Of what is known, what a file answers for: the home's own results since the file before it was put aside; else nothing."""
    if own is None or own.resolve() != source.resolve():
        return ()
    before = own.with_name(f"{own.name}.1")
    if not before.is_file():
        return known
    records = [record for _, record in told_records(before) if not isinstance(record, str)]
    last = _line(records[-1]) if records else ""
    places = [place for place, one in enumerate(known) if _line(one.as_saved()) == last]
    return known[places[-1] + 1 :] if places else ()
