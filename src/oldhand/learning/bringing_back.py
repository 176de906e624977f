"""What comes back when a roll-back is taken back, beyond what follows from feedback."""

from collections.abc import Iterable

from oldhand.learning.alias_evidence import evidence_of, resting_on
from oldhand.learning.aliases import Changed
from oldhand.record.evidence import Evidence
from oldhand.record.memory import Memory
from oldhand.store import Undone


def brought_back(changed: Iterable[Undone]) -> Changed:
    """What to write so that a roll-back has not happened.

    What nobody has touched since is as it was before. A word that was learned or stated anew meanwhile gets back what
    people had said of it directly; what they have said since then comes later, and counts.
    """
    saved: list[Memory] = []
    forgotten: list[str] = []
    for one in changed:
        if one.is_untouched and one.before is not None:
            saved.append(one.before)
        elif one.is_untouched and one.now is not None:
            forgotten.append(one.now.id)
        elif one.before is not None and one.now is not None and (lost := _lost(one)):
            saved.append(resting_on(one.now, (*lost, *evidence_of(one.now))))
    return Changed(tuple(saved), tuple(forgotten))


def _lost(one: Undone) -> tuple[Evidence, ...]:
    """What people had stated or denied before the roll-back, and had not after it."""
    before = evidence_of(one.before) if one.before else ()
    left = evidence_of(one.after) if one.after else ()
    return tuple(said for said in before if said.strength.is_direct and said not in left)
