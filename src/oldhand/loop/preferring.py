"""Preferences that users say in a conversation: heard, kept for each of them, and given to whoever words their answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import get_args

from oldhand.agent.analysis import Analysis
from oldhand.agent.analysis.mind import Answerability, Validation
from oldhand.learning.confirmation import PASSAGE
from oldhand.learning.corrections import sql_of
from oldhand.learning.credit.style_patterns import style_scores, style_told
from oldhand.learning.style import is_style
from oldhand.loop.people import CloneRoles
from oldhand.record.answer import Outcome
from oldhand.record.memory import Memory, MemoryType, PreferencePayload, Provenance
from oldhand.record.ports import Clock
from oldhand.record.preferring import Key, Preference, Preferences
from oldhand.settings import BUILTIN, Settings
from oldhand.store import Store

WORDING = "wording"
"""Tag of a preference about how answers are put."""
_BUILTIN: dict[Key, str] = {
    "language": "The built-in analyst writes English only; a language model will keep to it.",
    "length": "The built-in analyst always answers in a sentence or two; a language model will keep to it.",
    "ids": "The built-in analyst shows ids where rows have no name, or where a question or a confirmed answer has them; a language model will keep to it.",
}
"""What the built-in analyst can't do of a wish."""


def within(settings: Settings, preferences: Preferences) -> Settings:
    """The settings by which no more rows are shown than a user wants."""
    most = preferences.most_rows
    if most is None or most >= settings.query.rows:
        return settings
    return settings.model_copy(update={"query": settings.query.model_copy(update={"rows": most})})


def learn_style(clone_id: str, store: Store) -> int:
    """Let the preferred style follow from all that the owner has said of it; gives how many words of the owner count."""
    with store.learning(clone_id):
        said = [
            one if one.edited and _is_answer(one.edited) else one._replace(edited=None)
            for one in store.credit.styles(clone_id)
        ]
        store.credit.keep_patterns(clone_id, style_scores(said))
    return len(said)


def _is_answer(correction: str) -> bool:
    """Whether a correction is an answer in words: neither SQL, nor a passage, nor a wish."""
    is_named = correction.startswith(PASSAGE) or sql_of(correction) is not None
    return not is_named and not is_style(correction)


@dataclass(frozen=True)
class Preferring:
    """Keeps the preferences of one clone's users. Methods block."""

    clone_id: str
    store: Store
    clock: Clock
    learns_style: bool = True
    """Whether what the owner says of the style of answers shapes others."""

    def of(self, user: str) -> Preferences:
        """What a user prefers."""
        kept = self.store.memories(self.clone_id, user, MemoryType.PREFERENCE, limit=None)
        wishes: tuple[str, ...] = get_args(Key)
        scores = self.store.credit.patterns(self.clone_id) if self.learns_style else {}
        return Preferences(
            style=style_told(scores),
            all=tuple(
                Preference.model_validate({"key": one.payload.key, "value": one.payload.value})
                for one in kept
                if WORDING in one.tags
                and one.user_id == user
                and isinstance(one.payload, PreferencePayload)
                and one.payload.key in wishes
            ),
        )

    def hear(self, preferences: Sequence[Preference], user: str, said: str, mind: str) -> Analysis:
        """Keep preferences, each in place of what the user preferred in the same respect, and say so."""
        source = CloneRoles(self.clone_id, self.store, self.clock).role(user)
        for one in preferences:
            name = sha256(f"{self.clone_id}\n{user}\n{one.key}".encode()).hexdigest()[:24]
            memory = Memory(
                type=MemoryType.PREFERENCE,
                id=f"preference-{name}",
                clone_id=self.clone_id,
                user_id=user,
                created_at=self.clock.now(),
                tags=(WORDING,),
                summary=f"{user}: {one.told}",
                provenance=Provenance(source=source, rater=user),
                payload=PreferencePayload(key=one.key, value=one.value, context=said),
            )
            self.store.save_memory(memory)
        return _noted(preferences, mind)


def _noted(preferences: Sequence[Preference], mind: str) -> Analysis:
    """What is said to a user whose preferences were heard, and what of it the mind can't do."""
    text = f"Noted for your answers: {'; '.join(one.told for one in preferences)}."
    if mind == BUILTIN:
        wished = (_BUILTIN[one.key] for one in preferences if one.key in _BUILTIN and one.value != "English")  # fmt: skip
        text = " ".join((text, *wished))
    validation = Validation(verdict=Answerability.DIRECT, text=text, confidence=1.0)
    return Analysis(outcome=Outcome.ANSWERED, text=text, confidence=1.0, validation=validation)
