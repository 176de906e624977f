"""How memories and reflections, and what feedback has taught, are shown."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.text import Text

from oldhand.cli.screen import Listing, one_line, program, some
from oldhand.errors import UsageError
from oldhand.learning.alias_evidence import evidence_of
from oldhand.learning.learner import said
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.learning.notes import DOUBTED, NOT_YET, WAITS, change_of
from oldhand.lexicon.wording import counted
from oldhand.record.feedback import TRUSTED
from oldhand.record.memory import ExamplePayload, Memory, ReflectionPayload, SemanticPayload
from oldhand.record.shortening import SHOWN_ID
from oldhand.record.stage import INTERNAL, PINNED, State, state_of

if TYPE_CHECKING:
    from oldhand.learning.evidence import LessonEvidence
    from oldhand.loop.memories import Remembered
    from oldhand.record.base import Row
    from oldhand.record.receipt import Consequences, Otherwise, Receipt
    from oldhand.store import Store

_SHOWN_SUMMARY = 90
_SHOWN_WHY = 160
_SHOWN_QUESTIONS = 3
_WOULD = {
    "Learned": "Would be learned",
    DOUBTED: "Would be doubted",
    NOT_YET: "Would be noted, and not used yet",
    WAITS: "Would not be in force",
}
_VERDICTS = {1: "called right", -1: "called wrong"}


def receipt_lines(receipt: "Receipt", *, planned: bool = False) -> Iterator[str]:
    """What feedback has taught, or would teach, and why it does not."""
    for memory in receipt.learned:
        change = change_of(memory, receipt)
        yield _told(_WOULD[change] if planned else change, memory)
    for gone in receipt.withdrawn:
        yield one_line(f"{'Would be withdrawn' if planned else 'Withdrawn'}: {gone}")
    if receipt.note:
        counts = planned or receipt.learned or receipt.withdrawn or receipt.passage is not None
        yield one_line(receipt.note if counts else f"Kept, but nothing was learned: {receipt.note}")
    yield from consequence_lines(receipt.consequences, planned=planned)


def _told(change: str, memory: Memory) -> str:
    """What became of a memory, and for one that waits why, and what would put it in force."""
    waits = ""
    if why := reason_of(memory) if state_of(memory) is State.WAITING else "":
        waits = f" {why} In force all the same: {program()} memory approve {memory.id[:SHOWN_ID]}"
    return one_line(f"{change}: {said(memory)}{waits}")


def preview_lines(receipt: "Receipt") -> Iterator[str]:
    """What feedback would teach and change, or why it would not."""
    yield from receipt_lines(receipt, planned=True)
    yield "Nothing was recorded: leave out --preview to say it."


def consequence_lines(found: "Consequences", *, planned: bool = False) -> Iterator[str]:
    """Which earlier questions are answered otherwise by what was learned, or would be.

    >>> from oldhand.record.receipt import Consequences, Otherwise
    >>> some = (Otherwise(question="How many?", after="SELECT 1"), Otherwise(question="Who?", before="a", after="b"))
    >>> for line in consequence_lines(Consequences(otherwise=some, looked_at=7, of=9)):
    ...     print(line)
    2 earlier questions are now answered otherwise: 'How many?' (no answer before), 'Who?'.
    There was time to look at 7 of the 9 earlier questions that it may matter to.
    """
    be = "would be" if planned else "are now"
    broken = [one for one in found.otherwise if one.confirmed]
    if broken:
        like = counted(len(broken), "confirmed question")
        yield one_line(
            f"Questions like {like} {be} answered otherwise, and wrongly: {_listed(broken)}."
        )
    others = [one for one in found.otherwise if not one.confirmed]
    if others:
        be = be if len(others) > 1 or planned else "is now"
        number = counted(len(others), "earlier question")
        yield one_line(f"{number} {be} answered otherwise: {_listed(others)}.")
    if found.looked_at < found.of:
        yield f"There was time to look at {found.looked_at} of the {found.of} earlier questions that it may matter to."
    elif planned and not found.otherwise:
        yield "No earlier question would be answered otherwise."


def _listed(some: "Sequence[Otherwise]") -> str:
    """The first of some questions, each with what it has lost or gained."""
    told = [f"{one.question!r}{_gained(one)}" for one in some[:_SHOWN_QUESTIONS]]
    more = len(some) - len(told)
    return ", ".join(told) + (f" and {more} more (--json names all)" if more else "")


def _gained(one: "Otherwise") -> str:
    if one.before is None:
        return " (no answer before)"
    return " (no answer any more)" if one.after is None else ""


def memory_table(
    found: "Sequence[Remembered]",
    trials: "Mapping[str, LessonEvidence]" = MappingProxyType({}),
    nothing: str = "",
) -> Listing:
    """Memories, one on each line, with what the trials of lessons have shown."""
    columns = ("id", "state", "type", "summary", "why", "confidence", "by", "used", "ups", "downs")
    taught = f"Nothing was learned yet: {program()} feedback last --good teaches."
    rows = [_row(one, trials.get(one.memory.id)) for one in found]
    return Listing(columns, rows, nothing or taught)


def state_counts(memories: Sequence[Memory]) -> str:
    """How many there are in each state.

    >>> from oldhand.testing.records import example_memory
    >>> state_counts([example_memory(), example_memory()])
    '2 memories: 2 in force.'
    """
    states = Counter(map(state_of, memories))
    told = ", ".join(f"{states[one]:,} {one.value}" for one in State if states[one])
    return f"{some(len(memories), 'memory', 'memories')}: {told}."


def memory_lines(
    found: "Remembered", evidence: Sequence[str], trial: "LessonEvidence | None" = None
) -> Iterator[Text]:
    """All that is known of a memory: what it says, its state and why, its trial, how it fared, what it was before."""
    memory = found.memory
    yield Text(one_line(memory.id), "bold")
    for name, value in _facts(found, evidence, trial):
        yield Text.assemble((f"{name:<12}", "dim"), one_line(value))
    for version in found.versions:
        state = State.ERASED if version.forgotten_at else state_of(version.memory)
        what = f"{state.value}: {one_line(said(version.memory))}"
        yield Text(f"  version {version.version}, {shown_moment(version.saved_at)}, {what}", "dim")


def reflection_lines(memory: Memory) -> Iterator[Text]:
    """A reflection for people.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> for line in reflection_lines(example_memory(kind=MemoryType.REFLECTION)):
    ...     print(line)
    Reflection: The city was matched by name; customers who moved were counted twice.
      Rule: Count customers by id, not by address
    """
    payload = memory.payload
    assert isinstance(payload, ReflectionPayload), "only reflections are shown so"
    yield Text.assemble(("Reflection: ", "bold"), one_line(payload.reflection))
    learnings = payload.learnings
    for label, texts in (
        ("Went well", learnings.what_went_well),
        ("Could be better", learnings.improvements),
        ("Why", (payload.root_cause,) if payload.root_cause else ()),
        ("Rule", learnings.rules),
        ("For the prompt", learnings.prompt_suggestions),
        ("To test", tuple(one.test for one in payload.proposals if one.test)),
    ):
        for text in texts:
            yield Text(f"  {label}: {one_line(text)}", "dim")


def shown_moment(at: datetime) -> str:
    """A moment to the second, as `memory undo --to` takes it."""
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}"


def _row(found: "Remembered", trial: "LessonEvidence | None") -> "Row":
    memory = found.memory
    by = memory.provenance.rater or memory.provenance.source.value
    summary = one_line(said(memory), _SHOWN_SUMMARY)
    # Why the word of a person is in force is told by their name; `memory show` says it in full.
    told = found.state is State.IN_FORCE and memory.provenance.source in TRUSTED
    why = " ".join(filter(None, (trial and trial_of(trial), "" if told else found.why)))
    return (
        memory.id[:SHOWN_ID], found.state.value, memory.type.value, summary, one_line(why, _SHOWN_WHY),
        round(memory.confidence, 2), by, found.uses, found.ups, found.downs,
    )  # fmt: skip


def trial_of(trial: "LessonEvidence") -> str:
    """What the trial of a lesson has shown so far, in few words."""
    exam, shadows = trial.exam, trial.shadows
    told: list[str] = []
    if exam is not None:
        told.append(
            f"exam of {exam.asked:,}: {len(exam.mended):,} mended, {len(exam.broken):,} broken"
        )
    if shadows.same or shadows.differing:
        told.append(
            f"shadows: {shadows.same:,} the same, {shadows.differing:,} otherwise, {shadows.judged:,} judged"
        )
    if trial.shown or trial.held_out:
        judged = trial.judged_shown + trial.judged_held_out
        told.append(
            f"draws: {trial.shown:,} with it, {trial.held_out:,} without, {judged:,} judged"
        )
    return "; ".join(told)


def _facts(
    found: "Remembered", evidence: Sequence[str], trial: "LessonEvidence | None"
) -> Iterator[tuple[str, str]]:
    memory = found.memory
    source = memory.provenance
    yield "state", f"{found.state.value}{', pinned' if PINNED in memory.tags else ''}"
    if found.why:
        yield "why", found.why
    if trial is not None:
        yield "trial", trial_of(trial) or "no answer has tried it yet"
    elif found.state is State.ON_TRIAL:
        yield "trial", "no answer has tried it yet"
    yield "type", memory.type.value
    yield "says", said(memory)
    yield "confidence", f"{memory.confidence:.2f}"
    yield "by", source.said_by
    yield "since", shown_moment(memory.created_at)
    yield "evidence", "; ".join(evidence) or "none"
    yield "answers", ", ".join(source.episode_ids) or "none"
    yield (
        "used",
        f"{some(found.uses, 'time')}, {some(found.ups, 'up')}, {some(found.downs, 'down')}",
    )
    if tags := [tag for tag in memory.tags if tag not in INTERNAL]:
        yield "tags", ", ".join(tags)


def said_for(memory: Memory, store: "Store") -> list[str]:
    """What speaks for a memory: what people said, or what was found in answers; one line for each."""
    told: list[str] = []
    if file := store.lessons.file_of(memory.clone_id, memory.id):
        told.append(f"imported from {file}")
    if isinstance(memory.payload, ExamplePayload):
        told += [_vote(memory.clone_id, one, store) for one in memory.payload.evidence]
    if isinstance(memory.payload, SemanticPayload):
        told += memory.payload.evidence
    for one in evidence_of(memory):
        where = f" on {one.question!r}" if one.question else ""
        told.append(f"{one.strength.value} by {one.rater} ({one.source.value}){where}")
    return told


def _vote(clone_id: str, feedback_id: str, store: "Store") -> str:
    """Who said what of which answer; the bare id when that is not in this store, as after an import."""
    try:
        given = store.feedback(clone_id, feedback_id)
        question = store.episode(clone_id, given.episode_id).answer.question
    except UsageError:
        return f"feedback {feedback_id}"
    verdict = "corrected" if given.correction else _VERDICTS.get(given.rating or 0, "judged")
    when = shown_moment(given.created_at)
    return f"{verdict} by {given.rater} ({given.source.value}) on {question!r}, {when} (feedback {feedback_id[:8]})"
