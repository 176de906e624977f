"""How experts do."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from oldhand.record.consultation import Consultation, ConsultationState
from oldhand.record.expert import ExpertStats
from oldhand.record.lesson import Tally
from oldhand.record.memory import ExamplePayload, MemoryType
from oldhand.store import Store


def votes_on_replies(
    store: Store, clone_id: str, found: Sequence[Consultation]
) -> Mapping[str, Tally]:
    """Votes on the answers that rest on what each expert replied in these consultations. Blocks."""
    asked = {one.episode_id or one.id for one in found if one.replies}
    learned = {
        memory.id: memory.payload.confirmed_by
        for memory in store.memories(clone_id, type=MemoryType.EXAMPLE, limit=None)
        if isinstance(memory.payload, ExamplePayload)
        and not asked.isdisjoint(memory.provenance.episode_ids)
    }
    fared: defaultdict[str, Tally] = defaultdict(Tally)
    for memory_id, tally in store.outcomes(clone_id, tuple(learned)).items():
        before = fared[learned[memory_id]]
        fared[learned[memory_id]] = Tally(before.ups + tally.ups, before.downs + tally.downs)
    return fared


def stats_of(expert: str, found: Sequence[Consultation], fared: Tally) -> ExpertStats:
    """How one expert does in these consultations."""
    parts = [part for one in found if (part := one.ask_of(expert)) is not None]
    replied = [it for it in parts if it.reply is not None]
    took = [(it.ended_at - it.asked_at).total_seconds() for it in replied if it.ended_at]
    return ExpertStats(
        expert=expert,
        asked=len(parts),
        answered=len(replied),
        late=sum(it.state is not ConsultationState.ANSWERED for it in replied),
        declined=sum(it.state is ConsultationState.DECLINED for it in parts),
        waiting=sum(not it.state.is_final for it in parts),
        median_seconds=median(took) if took else None,
        ups=fared.ups,
        downs=fared.downs,
    )
