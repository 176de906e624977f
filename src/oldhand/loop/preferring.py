"""Preferences that users say in a conversation: heard, kept for each of them, and given to whoever words their answers."""

from dataclasses import dataclass
from hashlib import sha256

from oldhand.agent.analysis import Analysis
from oldhand.agent.analysis.mind import Answerability, Validation
from oldhand.learning.confirmation import PASSAGE
from oldhand.learning.corrections import sql_of
from oldhand.learning.credit.style_patterns import style_scores, style_told
from oldhand.learning.style import is_style
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import tokenise
from oldhand.loop.people import CloneRoles
from oldhand.record.answer import Outcome
from oldhand.record.memory import Memory, MemoryType, PreferencePayload, Provenance
from oldhand.record.ports import Clock
from oldhand.record.preferring import Key, Preference, Preferences
from oldhand.settings import BUILTIN, Settings
from oldhand.store import Store

WORDING = "wording"
"""Tag of a preference about how answers are put."""
_LONGEST = 16
"""Words of a sentence that is a preference."""
_MOST_ROWS = 1_000
_CUES = words("preferences.cues")
_FILLING = words("preferences.filling")
_ROWS = words("preferences.rows")


def within(settings: Settings, preferences: Preferences) -> Settings:
    """The settings by which no more rows are shown than a user wants."""
    most = preferences.most_rows
    if most is None or most >= settings.query.rows:
        return settings
    return settings.model_copy(update={"query": settings.query.model_copy(update={"rows": most})})


def preference_in(text: str) -> Preference | None:
    """The preference that a sentence states and that says nothing else; None for questions.

    >>> said = ("I prefer euros", "Always in French, please.", "round to thousands", "Show me only 5 rows")
    >>> [preference_in(one).value for one in said]
    ['EUR', 'French', 'thousands', '5']
    >>> preference_in("Show me only 5 customers"), preference_in("How many euros did we take in?")
    (None, None)
    """
    tokens = [token for token in tokenise(text) if token.is_word or token.number is not None]
    low = [token.lower for token in tokens]
    if not 1 < len(low) <= _LONGEST or _CUES.isdisjoint(low) or text.strip().endswith("?"):
        return None
    found: list[Preference] = []
    rest = list[str]()
    counts = not _ROWS.isdisjoint(low)
    for token in tokens:
        named = _named(token.lower)
        whole = token.number is not None and token.number == int(token.number)
        if named is not None:
            found.append(named)
        elif counts and whole and token.number and 0 < token.number <= _MOST_ROWS:
            found.append(Preference(key="rows", value=str(int(token.number))))
        elif token.lower not in _FILLING:
            rest.append(token.lower)
    return found[0] if len(found) == 1 and not rest else None


def _named(word: str) -> Preference | None:
    kinds: tuple[tuple[Key, dict[str, str]], ...] = (
        ("currency", dict(meanings("preferences.currencies"))),
        ("rounding", dict(meanings("preferences.roundings"))),
        ("language", dict(meanings("preferences.languages"))),
    )
    return next((Preference(key=key, value=m[word]) for key, m in kinds if word in m), None)


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
        wishes = {"currency", "rounding", "language", "rows"}
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

    def hear(self, preference: Preference, user: str, said: str, mind: str) -> Analysis:
        """Keep a preference, in place of what the user preferred in the same respect, and say so."""
        source = CloneRoles(self.clone_id, self.store, self.clock).role(user)
        name = sha256(f"{self.clone_id}\n{user}\n{preference.key}".encode()).hexdigest()[:24]
        memory = Memory(
            type=MemoryType.PREFERENCE,
            id=f"preference-{name}",
            clone_id=self.clone_id,
            user_id=user,
            created_at=self.clock.now(),
            tags=(WORDING,),
            summary=f"{user}: {preference.told}",
            provenance=Provenance(source=source, rater=user),
            payload=PreferencePayload(key=preference.key, value=preference.value, context=said),
        )
        self.store.save_memory(memory)
        return _noted(preference, mind)


def _noted(preference: Preference, mind: str) -> Analysis:
    """What is said to a user whose preference was heard."""
    text = f"Noted for your answers: {preference.told}."
    if mind == BUILTIN and preference.key == "language":
        text += " The built-in analyst writes English only; a language model will keep to it."
    validation = Validation(verdict=Answerability.DIRECT, text=text, confidence=1.0)
    return Analysis(outcome=Outcome.ANSWERED, text=text, confidence=1.0, validation=validation)
