"""Who is asked: by what they know, whether they are there, how quickly they reply, and how much waits for them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from oldhand.record.expert import ExpertProfile, Presence
from oldhand.record.phrases import occurs, singular_words

_THERE = {
    Presence.AVAILABLE: 1.0,
    Presence.UNKNOWN: 0.5,
    Presence.AWAY: 0.25,
    Presence.OFFLINE: 0.0,
}
_SKILL, _AT_WORK, _LOAD = 4.0, 2.0, 1.0
"""What a skill that is named weighs against being at work, and against having nothing else to do."""


@dataclass(frozen=True)
class AskingSituation:
    """What is known when somebody is looked for."""

    text: str
    """The question with its context."""
    now: datetime
    load: Mapping[str, int]
    presence: Mapping[str, Presence]
    language: str | None = None


def ranked(
    profiles: Collection[ExpertProfile], found: AskingSituation
) -> tuple[ExpertProfile, ...]:
    """Those who may be asked, the best first; whoever has enough waiting comes last, whoever lacks the language only where nobody has it.

    >>> from datetime import UTC
    >>> two = [ExpertProfile(expert="ann", skills=("stock",)), ExpertProfile(expert="bo", skills=("invoice",))]
    >>> now = datetime(2026, 3, 2, tzinfo=UTC)
    >>> [one.expert for one in ranked(two, AskingSituation("Which invoices are overdue?", now, {}, {}))]
    ['bo', 'ann']
    """
    words = singular_words(found.text)
    speak = [
        one
        for one in profiles
        if found.language is None or not one.languages or found.language in one.languages
    ] or profiles

    def key(one: ExpertProfile) -> tuple[bool, float, str]:
        open_now = found.load.get(one.expert, 0)
        skills = sum(occurs(skill, words) for skill in one.skills)
        there = _THERE[found.presence.get(one.expert, Presence.UNKNOWN)]
        free = 1 - min(open_now / one.most_open, 1)
        score = _SKILL * skills + _AT_WORK * one.is_at_work(found.now) + there + _LOAD * free
        return open_now >= one.most_open, -score, one.expert

    return tuple(sorted(speak, key=key))
