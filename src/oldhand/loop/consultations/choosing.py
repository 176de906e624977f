"""Whom a question to people goes to, and by which way."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from oldhand.errors import NoExpert, UnknownExpert
from oldhand.lexicon.asked_in import language_of
from oldhand.loop.consultations.wish import ConsultationWish, part_of
from oldhand.loop.people import CloneRoles
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import Consultation, ExpertAsk
from oldhand.record.expert import ExpertProfile, Presence
from oldhand.record.expert_transport import ExpertTransport
from oldhand.record.ports import Clock
from oldhand.settings.experts import ExpertSettings
from oldhand.sources.experts.routing import AskingSituation, ranked
from oldhand.store.consultations.ledger import ConsultationLedger

_TIRED = "Everybody who could be asked had enough questions today: experts.questions_per_day in settings.yaml allows more."


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
