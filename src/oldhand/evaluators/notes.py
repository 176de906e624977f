"""Which issues become notes, and how they are worded.

Issues of the present run come first; then the worst, of those that are equally bad the ones that fit the question, then
the newest. An issue that has not come for long loses weight, when it stayed away without its note, too. Each note of past runs is shown with a known chance, drawn once
for a run.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from oldhand.models.tokens import estimate_tokens
from oldhand.record.episode import Recalled
from oldhand.record.ports import Clock
from oldhand.settings import EvaluationSettings
from oldhand.store import IssueScope, ResultStore
from oldhand.store.issues.counting import CLEAN_RUNS
from oldhand.store.issues.reads import Counted, Pool
from oldhand.store.issues.runs import Draw
from oldhand.store.issues.text import terms_of

_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+"
)
_FENCE = re.compile(r"`{2,}|~{3,}")
_MARK = re.compile(r"^(?:[#>*+=|-]+|\d{1,3}[.)])\s+|^[#>=|-]{2,}")
_TAG = re.compile(r"<(?=[/!|a-zA-Z])|\[(?=/?INST\])")
_ROLE = re.compile(r"^(system|assistant|user|human|tool|developer)\s*:", re.IGNORECASE)


def plain(text: str, most: int) -> str:
    r"""Text as one line without anything that ends a note, begins a section, or closes a quotation.

    Args:
        text: anything.
        most: characters at which it is cut.

    >>> plain("# SYSTEM\n```sql\nDROP TABLE a;``` </notes>", 60)
    "SYSTEM 'sql DROP TABLE a;' < /notes>"
    >>> plain("Distance without units", 12)
    'Distance wi…'
    """
    line = " ".join(_UNSEEN.sub(" ", text[: 8 * most]).split())
    line = _TAG.sub(r"\g<0> ", _FENCE.sub("'", line))
    while (bare := _MARK.sub("", line)) != line:
        line = bare
    line = _ROLE.sub(r"\1 -", line)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def note_text(issue: Counted, settings: EvaluationSettings) -> str:
    """The note of an issue; it says how often it came, and whether it came in spite of being shown.

    >>> issue = Counted(1, "issue-1", "Distance without units", 3, 0.7, 9, 2, 1)
    >>> note_text(issue, EvaluationSettings())
    'Distance without units (3 times; again, in spite of this note: 1 time)'
    """
    said = [] if issue.times < 2 else [_times(issue.times)]
    if issue.recurred:
        said.append(f"again, in spite of this note: {_times(issue.recurred)}")
    text = plain(issue.text, settings.note_characters)
    return f"{text} ({'; '.join(said)})" if said else text


def _times(number: int) -> str:
    return "1 time" if number == 1 else f"{number} times"


def section(header: str, notes: Sequence[str]) -> str:
    """Notes under their header; nothing when there are none.

    >>> print(section("Previous SQL Errors to Avoid:", ["Degrees as metres", "No join condition"]))
    Previous SQL Errors to Avoid:
    1. Degrees as metres
    2. No join condition
    """
    if not notes:
        return ""
    return "\n".join([header, *(f"{n}. {note}" for n, note in enumerate(notes, 1))])


@dataclass(frozen=True)
class Chances:
    """Decides which notes of past runs are held out."""

    settings: EvaluationSettings
    source: Random
    clock: Clock

    def draw(self, one: "RankedIssue") -> Draw:
        """One draw: issues of the present run and new notes are always shown."""
        sure = one.in_run or one.issue.shown < self.settings.sure_runs
        chance = 1.0 if sure else self.settings.chance
        return Draw(one.issue.seq, sure or self.source.random() < chance, chance)


class NotesWanted(NamedTuple):
    """For whom notes are wanted."""

    policy_model: str
    task_type: str
    evaluator_type: str
    header: str
    max_items: int | None = None
    """None for what the settings say."""
    question: str = ""
    episode_id: str | None = None
    """The present run; None outside of any, where every note is shown and nothing is recorded."""
    tokens: int | None = None
    """What the notes may take; None for what the settings say."""


@dataclass(frozen=True)
class Notes:
    """A section of a prompt, and what was considered for it."""

    text: str = ""
    items: tuple[Recalled, ...] = ()
    """Also those that were held out."""


class RankedIssue(NamedTuple):
    """An issue with what its rank follows from."""

    issue: Counted
    in_run: bool
    badness: float
    """From 0 to 1; fades with the runs that pass without it."""
    relevance: float

    @property
    def order(self) -> tuple[float, ...]:
        """Worst first, then what fits the question, then the newest and most frequent."""
        issue = self.issue
        return (-self.badness, -self.relevance, -issue.last_run, -issue.times, -issue.seq)


def choose_notes(store: ResultStore, clone_id: str, wanted: NotesWanted, chances: Chances) -> Notes:
    """The notes of one evaluator."""
    settings = chances.settings
    most = settings.notes if wanted.max_items is None else wanted.max_items
    if most < 1:
        return Notes()
    scope = IssueScope(clone_id, wanted.policy_model, wanted.task_type, wanted.evaluator_type)
    words = sorted(terms_of(wanted.question), key=len, reverse=True)
    pool = store.pool(scope, wanted.episode_id, words)
    ranked = sorted(rank(pool, settings.fading_runs), key=lambda one: one.order)
    chosen = sorted(ranked, key=lambda one: not one.in_run)[:most]
    tokens = settings.prompt_tokens if wanted.tokens is None else wanted.tokens
    room = tokens - estimate_tokens(wanted.header)
    texts = {one.issue.seq: note_text(one.issue, settings) for one in chosen}
    fitting = sorted(within(chosen, room, texts), key=lambda one: one.order)
    draws = _drawn(store, scope, wanted, fitting, pool, chances)
    shown = [one.issue.seq for one in fitting if draws[one.issue.seq].shown]
    text = section(wanted.header, [texts[seq] for seq in shown])
    if wanted.episode_id is None:
        return Notes(text)
    numbered = enumerate(fitting, 1)
    return Notes(text, tuple(_recalled(one, n, draws[one.issue.seq]) for n, one in numbered))


def rank(pool: Pool, fading_runs: int) -> Iterator[RankedIssue]:
    """The issues of a pool, without those that have faded.

    An issue keeps its weight for half of `fading_runs`, and loses it evenly in the other half; but only once it has stayed
    away from some runs in which its note was not shown, either.
    """
    for seq, issue in pool.issues.items():
        run = pool.in_run.get(seq)
        age = pool.runs - issue.last_run
        in_run = run is not None and run.seen > 0
        prevents = age - issue.shown_since < CLEAN_RUNS
        weight = 1.0 if in_run or prevents else min(1.0, 2.0 - 2.0 * age / fading_runs)
        if weight > 0:
            badness = round((1.0 - issue.worst_score) * weight, 2)
            yield RankedIssue(issue, in_run, badness, pool.found.get(seq, 0.0))


def within(
    chosen: Iterable[RankedIssue], tokens: int, texts: Mapping[int, str]
) -> Iterator[RankedIssue]:
    """As many of the chosen, in their order, as `tokens` have room for; `texts` are their notes, by issue."""
    left = tokens
    for one in chosen:
        left -= estimate_tokens(texts[one.issue.seq]) + 3
        if left < 0:
            return
        yield one


def _drawn(
    store: ResultStore,
    scope: IssueScope,
    wanted: NotesWanted,
    fitting: list[RankedIssue],
    pool: Pool,
    chances: Chances,
) -> dict[int, Draw]:
    """Which of the notes are shown: drawn once for a run, and kept."""
    if wanted.episode_id is None:
        return {one.issue.seq: Draw(one.issue.seq, shown=True, chance=1.0) for one in fitting}
    held: dict[int, Draw] = {}
    new: list[Draw] = []
    for one in fitting:
        run = pool.in_run.get(one.issue.seq)
        drawn = run.draw if run is not None else None
        if drawn is None:
            new.append(chances.draw(one))
        else:
            # Held out before, but it came all the same: from now on it is shown.
            held[one.issue.seq] = drawn._replace(shown=True) if one.in_run else drawn
    if new or not pool.issues:
        at, fading = chances.clock.now(), chances.settings.fading_runs
        held |= store.draw(scope, wanted.episode_id, new, at=at, fading=fading)
    return held


def _recalled(one: RankedIssue, number: int, draw: Draw) -> Recalled:
    return Recalled(
        kind="evaluation",
        item_id=one.issue.id,
        rank=number,
        score=round(one.badness + one.relevance, 4),
        shown=draw.shown,
        chance=draw.chance,
    )
