"""What votes teach about passages: learned when somebody votes, used when somebody asks, derived from the log alone.

Invariant: events and scores in the store follow from the feedback log. Whoever learns holds the learning lock of the
clone and settles the answer that was voted on with all that is said of it, so that a vote that was given while another
process learned is never lost, and never counts twice.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from oldhand.learning.credit.events import CreditEvent, CreditRule, Credits, NoRule
from oldhand.learning.credit.judged import counted, event_of
from oldhand.learning.credit.keeping import halved, kept_event, read_event, restored, scores_of
from oldhand.learning.credit.kernel import KernelRule
from oldhand.learning.credit.safeguard import Harm, harm_of, note_harm, switched_off
from oldhand.learning.credit.scores import (
    IntentScores,
    NearestVotes,
    PassageScores,
    boosted,
)
from oldhand.learning.retractions import known_retractions
from oldhand.loop.preferring import learn_style
from oldhand.record.ports import Clock
from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage
from oldhand.settings.documents import CreditSettings, RuleName, ScoreSettings
from oldhand.store import Store
from oldhand.store.credit.credit_store import ScoreRow

_LOG = logging.getLogger(__name__)
_GUARDED = 2_000
"""The latest votes that the safeguard looks at."""
_SCORED = (RuleName.EMA, RuleName.INTENTS)


@dataclass
class _State:
    """What is in memory, as the store had it after its last change."""

    last: int
    kernel: KernelRule
    """What every vote said is kept by this rule, whichever is in force: the others follow from the votes at once."""
    name: RuleName = RuleName.KERNEL
    rule: CreditRule = field(default_factory=NoRule)
    book: PassageScores | None = None
    """The scores that are kept, once they were worked out: a vote more is then learned alone."""


def in_words(question: str) -> AskedPoint:
    """A question where there is no embedder."""
    return AskedPoint(question, None)


class Crediting:
    """The passage ranker of one clone, and what it learns from. Methods block."""

    def __init__(
        self,
        clone_id: str,
        store: Store,
        settings: CreditSettings,
        clock: Clock,
        asked: Callable[[str], AskedPoint] = in_words,
    ) -> None:
        self.clone_id = clone_id
        self.store = store
        self.settings = settings
        self.clock = clock
        self._asked = asked
        self._state: _State | None = None
        self._lock = Lock()

    @property
    def rule_name(self) -> RuleName:
        """The rule in force: that of the settings, unless the safeguard has switched it off."""
        chosen = self._chosen
        off = switched_off(self.store, self.clone_id) if self.settings.safeguard else None
        return RuleName.NONE if off == chosen.value else chosen

    @property
    def _chosen(self) -> RuleName:
        """The rule of the settings."""
        if self.settings.rule is RuleName.AUTO:
            return by_amount(self.store.credit.count(self.clone_id), self.settings.scores)
        return self.settings.rule

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        """As in `PassageRanker`."""
        name = self.rule_name
        if name is not RuleName.KERNEL:
            return ()
        with self._lock:
            return self._known(name).rule.evident(asked)

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """As in `PassageRanker`; of scores, only those of the candidates are looked up."""
        name = self.rule_name
        if name in _SCORED:
            ranked = self._by_scores(asked, candidates, name)
        else:
            with self._lock:
                ranked = self._known(name).rule.rank(asked, candidates)
        return ranked

    def learn(self, episode_id: str) -> bool:
        """Let what is kept follow from all that was said of an answer; whether anything has changed."""
        with self.store.learning(self.clone_id), self._lock:
            return self._settle([episode_id])

    def bring_in_line(self) -> bool:
        """As `learn`, for all answers, after something was taken back; to be called inside `Store.learning`."""
        with self._lock:
            return self._settle(None)

    def rebuild(self) -> int:
        """Derive everything anew from the log; gives how many votes count."""
        kept, clone_id = self.store.credit, self.clone_id
        learn_style(clone_id, self.store)
        with self.store.learning(clone_id), self._lock:
            gone = [one.feedback_id for one in kept.events(clone_id)]
            none: dict[str, Sequence[ScoreRow]] = {
                one.chunk_hash: () for one in kept.scores(clone_id)
            }
            kept.replace(clone_id, gone, (), none, self.clock.now())
            kept.note_votes(clone_id)
            self._state = None
            self._settle(None)
            return len(self._known(RuleName.KERNEL).kernel.learned())

    def guard(self) -> Harm | None:
        """Switch the rule off when the log says that it harms questions nobody rated, and on when it no longer does.

        What was found is kept; None where there is nothing to find.
        """
        name = self._chosen
        if not self.settings.safeguard or name is RuleName.NONE:
            return None
        events = [event for event, _ in self.events()][-_GUARDED:]
        harm = harm_of(name.value, lambda: self.made(name), events, self.candidates)
        note_harm(self.store, self.clone_id, harm, self.clock.now())
        if harm.is_harmful:
            _LOG.warning("%s", harm.says)
        return harm

    def events(self) -> Sequence[tuple[CreditEvent, Credits]]:
        """All votes that count, in their order, with what each of them said by the rule in force; by `kernel` where none is."""
        name = self.rule_name
        with self._lock:
            state = self._known(name)
            return (state.kernel if name is RuleName.NONE else state.rule).learned()

    def voted_on(self) -> frozenset[str]:
        """The passages that votes say something of."""
        return frozenset(chunk for _, told in self.events() for chunk in told)

    def book(self) -> PassageScores:
        """Empty scores as they are kept for people to look at."""
        return self._book(self.rule_name)

    def made(self, name: RuleName) -> CreditRule:
        """A rule of that name that knows nothing."""
        match name:
            case RuleName.EMA:
                return PassageScores(self.settings.scores)
            case RuleName.INTENTS:
                return IntentScores(self.settings.scores)
            case RuleName.NEAREST:
                return NearestVotes(self.settings.scores)
            case RuleName.KERNEL:
                return KernelRule(self.settings.kernel)
            case RuleName.NONE | RuleName.AUTO:
                return NoRule()

    def candidates(self, event: CreditEvent) -> Sequence[PassageCandidate]:
        """The passages that were considered for an answer that was voted on, as the search had put them."""
        seen = self.store.credit.seen(self.clone_id, [event.episode_id]).get(event.episode_id)
        items = () if seen is None else sorted(seen.items, key=lambda one: (-one.score, one.rank))
        return [PassageCandidate(one.item_id, one.score, None) for one in items]

    def _by_scores(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate], name: RuleName
    ) -> Sequence[RankedPassage]:
        limits = self.settings.scores
        chunks = [one.chunk for one in candidates[: limits.fetched]]
        intent = self._book(name).intent(asked.text)
        found = self.store.credit.scores(self.clone_id, chunks, intent)
        return boosted(candidates, {one.chunk_hash: one.score for one in found}, limits)

    def _book(self, name: RuleName) -> PassageScores:
        """The scores that are kept for people to look at, and that two of the rules go by."""
        limits = self.settings.scores
        return IntentScores(limits) if name is RuleName.INTENTS else PassageScores(limits)

    def _known(self, name: RuleName) -> _State:
        """What is known, as the store has it now."""
        last = self.store.credit.last(self.clone_id)
        state = self._state
        if state is None or state.last != last:
            kernel = self._read(state)
            state = self._state = _State(last, kernel, rule=kernel)
        if state.name != name:
            state.rule = state.kernel if name is RuleName.KERNEL else self.made(name)
            state.name = name
            if state.rule is not state.kernel:
                state.rule.learn_all(event for event, _ in state.kernel.learned())
        return state

    def _read(self, before: _State | None) -> KernelRule:
        """What the store holds; where nothing of what is known was taken out of it, only what is new is read."""
        kept, clone_id = self.store.credit, self.clone_id
        if before is None or kept.count(clone_id, before.last) != len(before.kernel.learned()):
            before = None
        kernel = KernelRule(self.settings.kernel) if before is None else before.kernel
        rows = kept.events(clone_id, 0 if before is None else before.last)
        kernel.resume(read_event(one) for one in rows)
        return kernel

    def _settle(self, episode_ids: Sequence[str] | None) -> bool:
        """Bring what was learned of these answers, or of all, to what the log says."""
        name, kept = self.rule_name, self.store.credit
        state = self._known(RuleName.KERNEL)
        kernel, before = state.kernel, state.kernel.learned()
        wanted = {one.id: one for one in self._wanted(episode_ids)}
        concerned = None if episode_ids is None else frozenset(episode_ids)
        for event, _ in before:
            of_these = concerned is None or event.episode_id in concerned
            if of_these and wanted.pop(event.id, None) is None:
                kernel.forget(event.id)
        for event in wanted.values():
            kernel.learn(event)
        after = kernel.learned()
        same = 0
        while same < min(len(before), len(after)) and before[same][1] is after[same][1]:
            same += 1
        if same == len(before) == len(after):
            return False
        book = self._book(name)
        if state.book is not None and state.book.name == book.name and same == len(before):
            book = state.book
        book.learn_all(event for event, _ in after[len(book.learned()) :])
        touched = {
            chunk
            for event, told in (*before[same:], *after[same:])
            for chunk in (*told, *event.beside)
        }
        rows = [kept_event(event, told, self.clock) for event, told in after[same:]]
        gone = [event.id for event, _ in before[same:]]
        kept.replace(self.clone_id, gone, rows, scores_of(book, touched), self.clock.now())
        _LOG.info('"score_updated": %d', len(touched))
        self._state = _State(kept.last(self.clone_id), kernel, rule=kernel, book=book)
        return True

    def _wanted(self, episode_ids: Sequence[str] | None) -> Sequence[CreditEvent]:
        kept, clone_id, limits = self.store.credit, self.clone_id, self.settings.scores
        votes = counted(kept.votes(clone_id, episode_ids))
        given = [one.vote.feedback for one in votes]
        seen = kept.seen(clone_id, sorted({one.episode_id for one in given}))
        asked = {at: _halved(self._asked(one.question)) for at, one in seen.items()}
        retracted = known_retractions(self.store, clone_id, given)
        found = (
            event_of(one, seen[at], asked[at], limits, retracted)
            for one in votes
            if (at := one.vote.feedback.episode_id) in seen
        )
        return [one for one in found if one is not None]


def by_amount(votes: int, limits: ScoreSettings) -> RuleName:
    """The rule that this many votes are enough for."""
    if votes >= limits.nearest_from:
        return RuleName.NEAREST
    return RuleName.INTENTS if votes >= limits.intents_from else RuleName.EMA


def _halved(asked: AskedPoint) -> AskedPoint:
    """With the vector as it is kept: what is learned now is the same as what is learned after a restart."""
    return asked._replace(vector=restored(halved(asked.vector)))
