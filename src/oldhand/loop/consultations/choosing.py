"""Whom a question to people goes to, and by which way."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from oldhand.errors import NoExpert, UnknownExpert
from oldhand.lexicon.entries import meanings, words
from oldhand.loop.consultations.wish import ConsultationWish, part_of
from oldhand.loop.people import CloneRoles
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import Consultation, ExpertAsk
from oldhand.record.expert import ExpertProfile, ExpertTransport, Presence
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.ports import Clock
from oldhand.settings.experts import ExpertSettings
from oldhand.store.consultations.ledger import ConsultationLedger

_TIRED = "Everybody who could be asked had enough questions today: experts.questions_per_day in settings.yaml allows more."
_THERE = {
    Presence.AVAILABLE: 1.0,
    Presence.UNKNOWN: 0.5,
    Presence.AWAY: 0.25,
    Presence.OFFLINE: 0.0,
}
_SKILL, _AT_WORK, _LOAD = 4.0, 2.0, 1.0
"""What a skill that is named weighs against being at work, and against having nothing else to do."""
_SURE = 2
"""Small words of a language from which it counts as that one."""


@dataclass(frozen=True)
class ExpertChoice:
    """Chooses the people who are asked in one clone."""

    clone_id: str
    ledger: ConsultationLedger
    people: CloneRoles
    settings: ExpertSettings
    clock: Clock
    transports: Mapping[str, ExpertTransport]
    """The ways of this process."""

    def profiles(self) -> tuple[ExpertProfile, ...]:
        """Everybody who may be asked: the experts, and the owner at last. Blocks."""
        clone, known = self.people.clone(), self.ledger.profiles(self.clone_id)
        names = [*clone.experts, *([clone.owner] if clone.owner != DEFAULT_USER else [])]
        return tuple(known.get(name) or ExpertProfile(expert=name) for name in dict.fromkeys(names))

    async def parts(self, wish: ConsultationWish, one: Consultation) -> tuple[ExpertAsk, ...]:
        """What each of those is asked whom a wish names, or who fit best.

        Raises:
            NoExpert: there is nobody, or nobody who has time.
            UnknownExpert: somebody is named who is none.
        """
        if wish.person is not None:
            return self._parts((wish.person,), one)
        if wish.experts:
            known = {it.expert: it for it in await asyncio.to_thread(self.profiles)}
            for name in wish.experts:
                if name not in known:
                    raise UnknownExpert(f"Nobody called {name!r} is asked here: `oldhand experts list` shows who is.")  # fmt: skip
            return self._parts([known[name] for name in dict.fromkeys(wish.experts)], one)
        tired = await asyncio.to_thread(self._tired) if wish.by_itself else ()
        found = await self.further(one, tired, wish.several)
        if not found:
            raise NoExpert(_TIRED) if tired else NoExpert
        return found

    async def further(self, one: Consultation, without: Collection[str], several: int = 1) -> tuple[ExpertAsk, ...]:  # fmt: skip
        """What those are asked who fit best of all others."""
        # Nobody is asked what they want to know themselves.
        profiles = await asyncio.to_thread(self.profiles)
        free = [it for it in profiles if it.expert not in {*without, one.asked_by}]
        presence = {it.expert: await self._presence(it) for it in free}
        load = await asyncio.to_thread(self.ledger.load, self.clone_id)
        text, language = f"{one.question} {one.context}", language_of(one.question)
        found = ranked(free, AskingSituation(text, self.clock.now(), load, presence, language))
        owner = (await asyncio.to_thread(self.people.clone)).owner
        # The owner comes after all experts.
        return self._parts(sorted(found, key=lambda it: it.expert == owner)[:several], one)

    def _tired(self) -> tuple[str, ...]:
        """Those who got as many questions today as they may."""
        since, most = self.clock.now() - timedelta(days=1), self.settings.questions_per_day
        asked = self.ledger.asked_since(self.clone_id, since)
        return tuple(it.expert for it in self.profiles() if asked.get(it.expert, 0) >= most)

    async def _presence(self, profile: ExpertProfile) -> Presence:
        way = self._way(profile)
        if way is None:
            return Presence.UNKNOWN
        return await self.transports[way].presence(profile.addresses[way])

    def _way(self, profile: ExpertProfile) -> str | None:
        return next((name for name in profile.addresses if name in self.transports), None)

    def _parts(self, chosen: Sequence[ExpertProfile], one: Consultation) -> tuple[ExpertAsk, ...]:
        now, remind = self.clock.now(), self.settings.remind_after
        return tuple(
            # What no transport of this process reaches is delivered by one that does.
            part_of(it, one, self._way(it) or next(iter(it.addresses), None), now, remind)
            for it in chosen
        )


# Who is asked: by what they know, whether they are there, how quickly they reply, and how much waits for them.
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


def language_of(question: str) -> str | None:
    """The language of a question, such as `en`, by its small words; None where they don't tell.

    >>> language_of("Wer hat die Schlüssel?"), language_of("Who has the keys?"), language_of("EBITDA 2024?")
    ('de', 'en', None)
    """
    said = singular_words(question)
    found = Counter(_small_words().get(word) for word in said)
    found["en"] = sum(word in words("function_words.english") for word in said)
    del found[None]
    ranked = found.most_common(2)
    is_clear = len(ranked) < 2 or ranked[0][1] > ranked[1][1]
    return ranked[0][0] if ranked and ranked[0][1] >= _SURE and is_clear else None


@cache
def _small_words() -> dict[str, str]:
    return {" ".join(singular_words(word)): code for word, code in meanings("function_words.languages").items()}  # fmt: skip
