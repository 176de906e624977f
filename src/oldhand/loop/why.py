"""From an answer back to its lessons, and from those to what they were learned from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from oldhand.errors import UnknownMemory, UsageError
from oldhand.learning.evidence import LessonEvidence, Weighing
from oldhand.learning.learner import said
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.loop.ground import LoopPart
from oldhand.record.document import place_in
from oldhand.record.episode import Recalled
from oldhand.record.evidence import Evidence
from oldhand.record.feedback import TRUSTED, Feedback, standing
from oldhand.record.memory import (
    RECORDS,
    THUMB,
    ExamplePayload,
    IssuePayload,
    Memory,
    MemoryType,
    PreferencePayload,
    PromptPayload,
    ReflectionPayload,
    SemanticPayload,
)
from oldhand.record.shortening import shortened
from oldhand.record.stage import is_found_out, state_of
from oldhand.record.why import Cause, CauseKind, Why
from oldhand.store import Store, TallyFilter

_MOST = 12
"""Sources of one lesson that are followed; of the others, it is said how many there are."""
_QUOTED = 160
"""Characters of a passage that are shown."""
_FROM_OUTSIDE = "Taken over from {file}; what it was learned from is not in this store."
_KINDS: dict[MemoryType, CauseKind] = {
    MemoryType.PROMPT: "prompt",
    MemoryType.REFLECTION: "reflection",
    MemoryType.EPISODIC: "episode",
}
_JUDGED: dict[int | None, str] = {1: "Called right", -1: "Called wrong", 0: "Taken back"}


@dataclass(frozen=True)
class Explaining(LoopPart):
    """Tells why the answers of one clone are as they are."""

    trials: Weighing

    def why(self, episode_id: str) -> Why:
        """The chain behind one answer, by the id of its episode or the first characters of it; blocks."""
        with self.store.snapshot():
            episode = self.store.episode(self.clone_id, episode_id)
            recollection = self.store.recollection(self.clone_id, episode.id)
            items = () if recollection is None else recollection.items
            tracing = _Tracing(self.clone_id, self.store, self._weighed(items))
            causes = tuple(map(tracing.recalled, items))
        said = {name: value for name, value in episode.answer if name in Why.model_fields}
        return Why(
            **said,
            at=episode.created_at,
            user_id=episode.user_id,
            causes=causes,
            is_recorded=recollection is not None,
        )

    def why_memory(self, memory_id: str) -> Cause:
        """Where something that was learned comes from, by its id; blocks."""
        with self.store.snapshot():
            tracing = _Tracing(self.clone_id, self.store, {})
            return tracing.memory(memory_id)

    def _weighed(self, items: Iterable[Recalled]) -> dict[str, LessonEvidence]:
        """What is known of those lessons that are, or were, on trial."""
        found: dict[str, LessonEvidence] = {}
        for item in items:
            if item.kind == "memory":
                known = self.store.known_memories(self.clone_id, [item.item_id])
                if any(map(is_found_out, known.get(item.item_id, ()))):
                    evidence = self.trials.evidence(item.item_id)
                    found |= {one.lesson_id: one for one in evidence}
        return found


@dataclass(frozen=True)
class _Tracing:
    """Follows one thing to the next."""

    clone_id: str
    store: Store
    evidence: dict[str, LessonEvidence]

    def recalled(self, item: Recalled) -> Cause:
        """What was recalled for the answer, with all that it came from."""
        cause = self._noted(item.item_id) if item.kind == "evaluation" else self._kept(item)
        return cause.model_copy(update={"recalled": item})

    def _kept(self, item: Recalled) -> Cause:
        if item.kind == "chunk":
            return self._passage(item)
        if item.kind == "model":
            expected = f"expected to be right in {item.score:.0%} of such questions"
            return Cause(kind="model", id=item.item_id, text=item.item_id, facts=(expected,))
        return self.memory(item.item_id)

    def _passage(self, item: Recalled) -> Cause:
        """A passage, with what was learned of it."""
        documents = self.store.documents
        found = documents.passages_called(self.clone_id, [item.item_id])
        if not found:
            return Cause(kind="chunk", id=item.item_id, text="It is no longer in any document.")
        name = documents.get(self.clone_id, found[0].document_id).name
        where = place_in(name, found[0].anchor.says)
        place = f", in place {item.place}" if item.place else ""
        fits = f"fits {item.score:.2f} by itself{place}"
        boost = f"{item.boost:+.2f} by what people said" if item.boost else "nothing learned"
        return Cause(
            kind="chunk",
            id=item.item_id,
            text=f"{where}: {shortened(_line(found[0].text), _QUOTED)}",
            facts=(fits, boost),
            because=tuple(self._votes_on_passage(item.item_id)),
        )

    def _votes_on_passage(self, chunk: str) -> Iterator[Cause]:
        """What people said of a passage, and of the answers that saw it, the latest last; these may be for others' eyes."""
        given = self.store.feedback_on_chunk(self.clone_id, chunk)
        for one in given[-_MOST:]:
            yield self._feedback(one, with_episode=False)
        yield from _rest(len(given))

    def _noted(self, note_id: str) -> Cause:
        """A note of evaluators: an issue that was found before."""
        found = self.store.results.tallies(self.clone_id, TallyFilter(id=note_id))
        if not found:
            return Cause(kind="note", id=note_id, text="It is no longer kept.")
        (tally,) = found
        times = f"found {tally.count} times by {tally.evaluator_type}"
        return Cause(
            kind="note", id=note_id, text=_line(tally.text), at=tally.first_seen, facts=(times,)
        )

    def memory(self, memory_id: str, above: frozenset[str] = frozenset()) -> Cause:
        """A memory with all that it came from, but for what stands `above` it."""
        versions = self._versions(memory_id)
        if not versions:
            return _elsewhere("It is no longer in this store.", memory_id)
        memory = versions[-1]
        return Cause(
            kind=_KINDS.get(memory.type, "lesson"),
            id=memory.id,
            text=_line(said(memory) or memory.summary),
            at=memory.created_at,
            by=_by(memory),
            facts=tuple(self._facts(memory)),
            because=() if memory.id in above else self._sources(memory, above | {memory.id}),
        )

    def _facts(self, memory: Memory) -> Iterator[str]:
        is_record = memory.type in RECORDS
        state = () if is_record else (state_of(memory).value,)
        yield ", ".join((memory.type.value, *state, f"confidence {memory.confidence:.2f}"))
        if isinstance(memory.payload, PromptPayload):
            yield f"version {memory.payload.version}"
        if memory.effect is not None:
            yield f"effect: {memory.effect.kind}"
        if file := self.store.lessons.file_of(self.clone_id, memory.id):
            yield f"imported from {_line(file)}"
        if reason := reason_of(memory):
            yield f"why: {_line(reason)}"
        if (known := self.evidence.get(memory.id)) is not None:
            yield _weight(known)
        try:
            self.store.memory(self.clone_id, memory.id)
        except UnknownMemory:
            yield "forgotten since"

    def _sources(self, memory: Memory, above: frozenset[str]) -> tuple[Cause, ...]:
        """What a memory came from, each once; when it names nothing that is here, where it came from at least."""
        found = {(one.kind, one.id): one for one in self._named(memory, above)}
        if found:
            return tuple(found.values())
        source = memory.provenance
        kind, text = "said", "Stated directly."
        if source.source not in TRUSTED:
            file = self.store.lessons.file_of(self.clone_id, memory.id)
            kind, text = "elsewhere", _FROM_OUTSIDE.format(file=_line(file or "a file"))
        return (Cause(kind=kind, id=source.rater or "", text=text, by=_by(memory)),)

    def _named(self, memory: Memory, above: frozenset[str]) -> Iterator[Cause]:
        """What a memory names as what it came from."""
        payload = memory.payload
        episodes = dict.fromkeys(memory.provenance.episode_ids)
        if isinstance(payload, ExamplePayload) and payload.evidence:
            yield from self._votes(payload.evidence)
            episodes.clear()
        elif isinstance(payload, PreferencePayload) and payload.evidence:
            yield from map(self._evidence, payload.evidence[:_MOST])
            yield from _rest(len(payload.evidence))
            episodes.clear()
        elif isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB:
            for one in islice(episodes, _MOST):
                yield from self._said_of(one)
            yield from _rest(len(episodes))
            episodes.clear()
        elif isinstance(payload, ReflectionPayload):
            episodes = {payload.episode_id: None}
            yield from self._said_of(payload.episode_id)
        elif isinstance(payload, SemanticPayload):
            episodes |= dict.fromkeys(one.split(": ", 1)[0] for one in payload.evidence)
        within = above | {memory.id}
        reflects = isinstance(payload, ReflectionPayload)
        for one in islice(episodes, _MOST):
            yield from (self._episode(one),) if reflects else self._learned(one, within)
        yield from _rest(len(episodes))
        older = payload.supersedes if isinstance(payload, SemanticPayload | PromptPayload) else None
        if older and older not in within:
            yield self.memory(older, within)

    def _learned(self, evidence_id: str, above: frozenset[str]) -> Iterator[Cause]:
        """What stands between a lesson and an episode: the reflections on it, else what was said of it."""
        versions = self._versions(evidence_id)
        if versions and versions[-1].type is not MemoryType.EPISODIC:
            yield self.memory(evidence_id, above)
            return
        kind = MemoryType.REFLECTION
        near = self.store.memories(self.clone_id, type=kind, text=evidence_id, limit=_MOST)
        reflections = [
            self.memory(one.id, above)
            for one in near
            if isinstance(one.payload, ReflectionPayload) and one.payload.episode_id == evidence_id
        ]
        yield from reflections or (self._with_votes(evidence_id),)

    def _versions(self, memory_id: str) -> tuple[Memory, ...]:
        return self.store.known_memories(self.clone_id, [memory_id]).get(memory_id, ())

    def _votes(self, feedback_ids: Sequence[str]) -> Iterator[Cause]:
        """What people said, with the answers that they said it of."""
        for one in feedback_ids[:_MOST]:
            try:
                given = self.store.feedback(self.clone_id, one)
            except UsageError:
                yield _elsewhere("Feedback that is not in this store.", one)
            else:
                yield self._feedback(given)
        yield from _rest(len(feedback_ids))

    def _said_of(self, episode_id: str, *, with_episode: bool = True) -> Iterator[Cause]:
        """What people said of an answer: those who have a say, where one of them spoke."""
        said = [*standing(self.store.feedback_on(self.clone_id, episode_id))]
        for one in [it for it in said if it.source in TRUSTED] or said:
            yield self._feedback(one, with_episode=with_episode)

    def _feedback(self, given: Feedback, *, with_episode: bool = True) -> Cause:
        judged = "Right is" if given.correction else _JUDGED.get(given.rating, "")
        words = [judged, given.correction, given.text]
        return Cause(
            kind="feedback",
            id=given.id,
            text=_line(": ".join(filter(None, words))),
            at=given.created_at,
            by=f"{given.rater} ({given.source.value})",
            because=(self._episode(given.episode_id),) if with_episode else (),
        )

    def _evidence(self, evidence: Evidence) -> Cause:
        """A vote on the meaning of a word, as the word remembers it."""
        by = f"{evidence.rater} ({evidence.source.value})"
        strength = evidence.strength.value
        if evidence.episode_id is None:
            return Cause(kind="said", id=evidence.rater, text=strength.capitalize(), by=by)
        return self._with_votes(evidence.episode_id, by=by, facts=(strength,))

    def _with_votes(self, episode_id: str, **known: object) -> Cause:
        """An answer with what people said of it."""
        because = tuple(self._said_of(episode_id, with_episode=False))
        return self._episode(episode_id).model_copy(update={**known, "because": because})

    def _episode(self, episode_id: str) -> Cause:
        found = self.store.episodes_called(self.clone_id, [episode_id]).get(episode_id)
        if found is None:
            return _elsewhere("An answer that is not in this store.", episode_id)
        return Cause(
            kind="episode",
            id=found.id,
            text=_line(f"{found.answer.question} → {found.answer.text}"),
            at=found.created_at,
            by=found.user_id,
        )


def _by(memory: Memory) -> str:
    source = memory.provenance
    return f"{source.rater} ({source.source.value})" if source.rater else source.source.value


def _weight(known: LessonEvidence) -> str:
    answers = "1 answer" if known.shown == 1 else f"{known.shown} answers"
    drawn = f"shown in {answers}, left out of {known.held_out} at random"
    if known.effect is None:
        return f"{drawn}; too little to tell an effect"
    low, high = 100 * known.effect.low, 100 * known.effect.high
    return f"{drawn}; right answers {low:+.0f} to {high:+.0f} points with it"


def _rest(found: int) -> Iterator[Cause]:
    """How many there are that are not followed."""
    if found > _MOST:
        yield _elsewhere(f"And {found - _MOST} more.")


def _elsewhere(text: str, name: str = "") -> Cause:
    return Cause(kind="elsewhere", id=name, text=text)


def _line(text: str) -> str:
    return " ".join(text.split())
