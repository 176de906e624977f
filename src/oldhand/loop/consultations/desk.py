"""The desk: every question to people passes it, and everything that they say.

Invariant: what becomes of a consultation is decided on what is stored, in the transaction that writes it (`ConsultationCourse`); messages
are sent after it. What a process that died has left to do is due, and whoever comes next does it.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from oldhand.errors import DeliveryFailed, NoExpert, UnknownConsultation, UnknownExpert
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.loop.consultations.reception import Receiving
from oldhand.loop.consultations.teaching import ConsultationTeaching
from oldhand.loop.consultations.watch import ConsultationWatch
from oldhand.loop.consultations.wish import ConsultationWish, opened, part_of
from oldhand.loop.people import CloneRoles
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import Consultation, ConsultationState, ExpertAsk
from oldhand.record.expert import INBOX, ExpertProfile, Presence
from oldhand.record.expert_transport import (
    ExpertMessage,
    ExpertSignal,
    ExpertTransport,
    MessagePurpose,
    Reception,
)
from oldhand.record.ports import Clock, NewId
from oldhand.settings.experts import ExpertSettings
from oldhand.sources.experts.course import ConsultationCourse
from oldhand.sources.experts.letters import letter
from oldhand.sources.experts.replies import CheckSql
from oldhand.sources.experts.routing import AskingSituation, ranked
from oldhand.store import Store
from oldhand.store.consultations.ledger import ConsultationChange

_LOOKS_FOR_WAYS = 10.0
"""Seconds after which it is looked for ways to people again, while there is none."""


class ExpertDesk:
    """Asks people for one clone, and takes what they say."""

    def __init__(  # noqa: PLR0913, PLR0917 (each is a part of a home)
        self,
        clone_id: str,
        store: Store,
        people: CloneRoles,
        settings: ExpertSettings,
        clock: Clock,
        new_id: NewId,
        mishaps: Mishaps,
        teaching: ConsultationTeaching,
        check_sql: CheckSql,
        ways: Callable[[], Sequence[ExpertTransport]],
    ) -> None:
        self.clone_id = clone_id
        self.settings = settings
        self.ledger = store.consultations
        self._people = people
        self._clock = clock
        self._new_id = new_id
        self._mishaps = mishaps
        self._teaching = teaching
        self._ways = ways
        self.transports: dict[str, ExpertTransport] = {}
        self.watch = ConsultationWatch(
            clone_id, self.ledger, self._carry_on, settings.watch_seconds
        )
        self._receiving = Receiving(
            self.profiles, self.ledger, clone_id, settings.most_characters, check_sql
        )

    def profiles(self) -> tuple[ExpertProfile, ...]:
        """Everybody who may be asked: the experts, and the owner at last. Blocks."""
        clone, known = self._people.clone(), self.ledger.profiles(self.clone_id)
        names = [*clone.experts, *([clone.owner] if clone.owner != DEFAULT_USER else [])]
        return tuple(known.get(name) or ExpertProfile(expert=name) for name in dict.fromkeys(names))

    async def add_transport(self, transport: ExpertTransport) -> None:
        """Reach people by another way, too; what waits for it is delivered."""
        self.transports[transport.name] = transport
        await transport.start(self.hear)
        waiting = await asyncio.to_thread(self.ledger.list, self.clone_id, waiting=True, limit=10_000)  # fmt: skip
        for one in waiting:
            await self._deliver_new(one)

    async def attend(self) -> None:
        """Carry questions to people by every way that is set up, and do what is due, until it is cancelled."""
        async with self.watch.waiting():
            while True:
                if (
                    not self.transports
                ):  # it may be set up later, or whoever did it so far has ended
                    for transport in await asyncio.to_thread(self._ways):
                        await self.add_transport(transport)
                await asyncio.sleep(_LOOKS_FOR_WAYS)

    async def ask(self, wish: ConsultationWish) -> Consultation:
        """Ask people; who asks the same again while it waits joins it, and what they add is told.

        Raises:
            NoExpert: there is nobody to ask.
            UnknownExpert: somebody is named who is none.
        """
        known = await asyncio.to_thread(self._known, wish)
        if known is not None:
            told = {"", known.context, *(it.text for it in known.remarks)}
            return known if wish.context in told else await self.explain(known.id, wish.asked_by, wish.context)  # fmt: skip
        now = self._clock.now()
        one = opened(wish, self.clone_id, self._new_id(), now, self.settings)
        chosen = (
            (wish.person,)
            if wish.person
            else await self._chosen(one, wish.experts, wish.several, ())
        )
        if not chosen:
            raise NoExpert
        course = ConsultationCourse(one, now)
        course.ask(await self._parts(chosen, one))
        assert course.change is not None, "somebody was asked"
        await asyncio.to_thread(self.ledger.open, course.change)
        return await self._deliver_new(course.now)

    async def consult(self, wish: ConsultationWish, seconds: float) -> Consultation:
        """Ask people, and wait for the answer, but no longer than this; it may be there already.

        Raises:
            NoExpert: there is nobody to ask.
        """
        await self.carry_on()
        return await self.wait((await self.ask(wish)).id, seconds)

    def _known(self, wish: ConsultationWish) -> Consultation | None:
        now, found = self._clock.now(), self.ledger.list(self.clone_id, asked_by=wish.asked_by)
        return next((one for one in found if wish.is_met_by(one, now)), None)

    async def _chosen(
        self, one: Consultation, named: Sequence[str], several: int, without: Sequence[str]
    ) -> tuple[ExpertProfile, ...]:
        profiles = {it.expert: it for it in await asyncio.to_thread(self.profiles)}
        if named:
            for name in named:
                if name not in profiles:
                    raise UnknownExpert(f"Nobody called {name!r} is asked here: `oldhand experts list` shows who is.")  # fmt: skip
            return tuple(profiles[name] for name in dict.fromkeys(named))
        # Nobody is asked what they want to know themselves.
        free = [it for name, it in profiles.items() if name not in {*without, one.asked_by}]
        presence = {it.expert: await self._presence(it) for it in free}
        load = await asyncio.to_thread(self.ledger.load, self.clone_id)
        text = f"{one.question} {one.context}"
        found = ranked(free, AskingSituation(text, self._clock.now(), load, presence))
        owner = (await asyncio.to_thread(self._people.clone)).owner
        # The owner comes after all experts.
        return tuple(sorted(found, key=lambda it: it.expert == owner))[:several]

    async def _presence(self, profile: ExpertProfile) -> Presence:
        way = self._way(profile)
        if way is None:
            return Presence.UNKNOWN
        return await self.transports[way].presence(profile.addresses[way])

    def _way(self, profile: ExpertProfile) -> str | None:
        return next((name for name in profile.addresses if name in self.transports), None)

    async def _parts(
        self, chosen: Sequence[ExpertProfile], one: Consultation
    ) -> tuple[ExpertAsk, ...]:
        now, remind = self._clock.now(), self.settings.remind_after
        return tuple(
            # What no transport of this process reaches is delivered by one that does.
            part_of(it, one, self._way(it) or next(iter(it.addresses), None), now, remind)
            for it in chosen
        )

    async def change(self, consultation_id: str, step: Callable[[ConsultationCourse], None], message_id: str = "") -> Consultation:  # fmt: skip
        """Change one, tell those whom it concerns, and learn what there is to learn."""
        seen: list[tuple[Consultation, bool]] = []

        def decide(before: Consultation) -> ConsultationChange | None:
            course = ConsultationCourse(before, self._clock.now(), message_id)
            step(course)
            seen[:] = [(before, course.claim())]
            return course.change

        after = await asyncio.to_thread(self.ledger.change, self.clone_id, consultation_id, decide)
        before, learns = seen[0]
        if after.state.is_final and not before.state.is_final:
            await self._tell_closed(before, after)
        if learns:
            after = await self._learn(after)
        self.watch.wake(after.id)
        return after

    async def _learn(self, one: Consultation) -> Consultation:
        """Learn from one reply; the change that notes it goes on with the next."""
        part = one.unlearned[0]
        done = await self._mishaps.spared_while("consultation", self._teaching.learn(one, part))
        failed = f"not learned: {done.error}" if isinstance(done, Mishap) else ""
        return await self.change(one.id, lambda it: it.learned(part.expert, failed))

    async def _tell_closed(self, before: Consultation, after: Consultation) -> None:
        for part in before.asks:
            now = after.ask_of(part.expert)
            if not part.state.is_final and now is not None and now.reply is None:
                await self._send(after, part, MessagePurpose.CLOSED)

    async def _deliver_new(self, one: Consultation) -> Consultation:
        for part in one.asks:
            if part.state is not ConsultationState.ASKED:
                continue
            sent = await self._send(one, part, MessagePurpose.QUESTION)
            if sent is None:
                continue
            state, expert = sent, part.expert
            if isinstance(state, str):
                one = await self.change(one.id, lambda it, e=expert, w=state: it.fail(e, w))
            elif state:
                one = await self.change(
                    one.id, lambda it, e=expert: it.progress(e, ConsultationState.DELIVERED)
                )
        self.watch.wake(one.id)
        return one

    async def _send(
        self, one: Consultation, part: ExpertAsk, purpose: MessagePurpose
    ) -> bool | str | None:
        """Whether it has arrived; why it can't; or None where this process does not reach them."""
        if part.transport == INBOX:
            return True  # it lies where they look
        transport = self.transports.get(part.transport)
        if transport is None:
            return None
        message = ExpertMessage(
            consultation=one,
            expert=part.expert,
            address=part.address,
            purpose=purpose,
            text=letter(one, purpose),
        )
        try:
            return await transport.deliver(message)
        except DeliveryFailed as error:
            return str(error)

    async def hear(self, signal: ExpertSignal) -> Reception:
        """Take what was heard; it is in the store when this returns."""
        return await self._receiving.take(signal, self.change)

    async def explain(self, consultation_id: str, by: str, text: str) -> Consultation:
        """Say more to those who were asked."""
        one = await self.change(consultation_id, lambda it: it.remark(by, text, "explained"))
        for part in one.asks:
            if not part.state.is_final:
                await self._send(one, part, MessagePurpose.EXPLANATION)
        return one

    async def wait(self, consultation_id: str, seconds: float | None = None) -> Consultation:
        """Wait until it has ended or somebody asks back, but no longer than this; other work goes on."""
        async with self.watch.waiting(consultation_id) as changed:
            one = await asyncio.to_thread(self.ledger.get, self.clone_id, consultation_id)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while not one.state.is_final and one.asked_back is None:
                        await changed.wait()
                        changed.clear()
                        one = await asyncio.to_thread(self.ledger.get, self.clone_id, one.id)
        return one

    async def carry_on(self) -> None:
        """Do what is due: deadlines, reminders, escalations, replies that were not learned from."""
        await self._carry_on(())

    async def _carry_on(self, changed: Iterable[str]) -> None:
        for one_id in changed:
            if self.transports:
                await self._deliver_new(await asyncio.to_thread(self.ledger.get, self.clone_id, one_id))  # fmt: skip
        now = self._clock.now()
        for one_id in await asyncio.to_thread(self.ledger.due, self.clone_id, now):
            try:
                one = await self.change(one_id, lambda it: it.time_out())
            except UnknownConsultation:
                continue  # it was erased meanwhile
            if one.escalate_at is not None and one.escalate_at <= now:
                asked = [it.expert for it in one.asks]
                parts = await self._parts(await self._chosen(one, (), 1, asked), one)
                one = await self.change(one_id, lambda it, p=parts: it.escalate(p))
                one = await self._deliver_new(one)
            for part in one.asks:
                if not part.state.is_final and part.remind_at is not None and part.remind_at <= now:
                    await self.change(one_id, lambda it, e=part.expert: it.reminded(e))
                    await self._send(one, part, MessagePurpose.REMINDER)

    async def close(self) -> None:
        """Look and listen no more; what waits goes on waiting in the store."""
        for transport in self.transports.values():
            await transport.close()
