"""The desk: every question to people passes it, and everything that they say.

Invariant: what becomes of a consultation is decided on what is stored, in the transaction that writes it (`ConsultationCourse`); messages
are sent after it. What a process that died has left to do is due, and whoever comes next does it.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial

from oldhand.errors import DeliveryFailed, StoreError, UnknownConsultation
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.loop.consultations.choosing import ExpertChoice
from oldhand.loop.consultations.reception import Receiving
from oldhand.loop.consultations.teaching import ConsultationTeaching
from oldhand.loop.consultations.watch import ConsultationWatch
from oldhand.loop.consultations.wish import ConsultationWish, opened
from oldhand.loop.people import CloneRoles
from oldhand.record.consultation import Consultation, ConsultationState, ExpertAsk
from oldhand.record.expert import (
    INBOX,
    ExpertMessage,
    ExpertSignal,
    ExpertTransport,
    Hear,
    MessagePurpose,
    Reception,
)
from oldhand.record.ports import Clock, NewId
from oldhand.settings.experts import ExpertSettings
from oldhand.sources.experts.course import ConsultationCourse
from oldhand.sources.experts.letters import letter
from oldhand.sources.experts.replies import CheckSql
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
        self._clock = clock
        self._new_id = new_id
        self._mishaps = mishaps
        self._teaching = teaching
        self._ways = ways
        self.transports: dict[str, ExpertTransport] = {}
        self._lines: dict[str, _Line] = {}
        """Of the transports that a program has added."""
        self._new_ways: set[str] = set()
        """Something may wait for them: nothing was delivered by them here yet."""
        self._closed = asyncio.Event()
        self._going_on: set[asyncio.Task[Consultation]] = set()
        self.watch = ConsultationWatch(
            clone_id, self.ledger, self._carry_on, settings.watch_seconds
        )
        self.choice = ExpertChoice(clone_id, self.ledger, people, settings, clock, self.transports)
        self._receiving = Receiving(
            self.choice.profiles, self.ledger, clone_id, settings.most_characters, check_sql
        )

    async def add_transport(self, transport: ExpertTransport) -> None:
        """Reach people by another way, too, also when a desk with other settings takes over; what waits for it is delivered."""
        self._lines[transport.name] = line = _Line(self)
        await self._begin(transport, line.hear)

    async def _begin(self, transport: ExpertTransport, hear: Hear) -> None:
        await transport.start(hear)
        self.transports[transport.name] = transport
        self._new_ways.add(transport.name)
        with suppress(StoreError):  # it is busy: the next look carries it on
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Deliver what waits for a way that is new here; whoever comes meanwhile leaves that to the first."""
        ways, self._new_ways = self._new_ways, set()
        if not ways:
            return
        try:
            waiting = await asyncio.to_thread(self.ledger.list, self.clone_id, waiting=True, limit=10_000)  # fmt: skip
            for one in waiting:
                with suppress(UnknownConsultation):  # it was erased meanwhile
                    await self._deliver_new(one, ways)
        except StoreError:
            self._new_ways |= ways
            raise

    def take_over(self, before: "ExpertDesk") -> None:
        """Go on with the ways that were added to another desk."""
        for name in before._lines.keys() & before.transports.keys():
            self._lines[name], self.transports[name] = before._lines[name], before.transports.pop(name)  # fmt: skip
            self._lines[name].desk = self
            self._new_ways |= {name} & before._new_ways

    async def attend(self) -> None:
        """Carry questions to people by every way that is set up, and do what is due, until it is cancelled or closed."""
        async with self.watch.waiting():
            while not self._closed.is_set():
                if self.transports.keys() <= self._lines.keys():
                    # XMPP may be set up later, or whoever did it so far has ended.
                    for transport in await asyncio.to_thread(self._ways):
                        await self._begin(transport, self.hear)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closed.wait(), _LOOKS_FOR_WAYS)
        await self.close()  # what was set up meanwhile

    async def ask(self, wish: ConsultationWish) -> Consultation:
        """Ask people; who asks the same again while it waits joins it, and what they add is told.

        Raises:
            NoExpert: there is nobody to ask.
            UnknownExpert: somebody is named who is none.
        """
        known = await asyncio.to_thread(self._known, wish)
        if known is not None:
            return await self._joined(known, wish)
        now = self._clock.now()
        one = opened(wish, self.clone_id, self._new_id(), now, self.settings)
        course = ConsultationCourse(one, now)
        course.ask(await self.choice.parts(wish, one))
        assert course.change is not None, "somebody was asked"
        meets = partial(wish.is_met_by, now=now)
        known = await asyncio.to_thread(self.ledger.open, course.change, meets)
        if known is not None:
            return await self._joined(known, wish)
        if not wish.by_itself:
            return await self._deliver_new(course.now)
        self._go_on(self._deliver_new(course.now))  # an answer waits for nobody
        return course.now

    async def _joined(self, known: Consultation, wish: ConsultationWish) -> Consultation:
        told = {"", known.context, *(it.text for it in known.remarks)}
        if wish.context in told:
            return known
        return await self.explain(known.id, wish.asked_by, wish.context)

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
        if learns:  # also when nobody waits for it any longer
            after = await asyncio.shield(self._go_on(self._learn(after)))
        self.watch.wake(after.id)
        return after

    def _go_on(self, work: Coroutine[None, None, Consultation]) -> asyncio.Task[Consultation]:
        """Do something until it is done, whoever waits for it."""
        task = asyncio.create_task(work)
        self._going_on.add(task)
        task.add_done_callback(self._going_on.discard)
        return task

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

    async def _deliver_new(self, one: Consultation, ways: Collection[str] = ()) -> Consultation:
        """Deliver to those who have nothing yet; by these ways only, where some are named."""
        for part in one.asks:
            if part.state is not ConsultationState.ASKED or (ways and part.transport not in ways):
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

        async def sent() -> bool | str:
            try:
                return await transport.deliver(message)
            except DeliveryFailed as error:
                return str(error)

        # Whatever else goes wrong in a way of somebody's own, other questions go on.
        found = await self._mishaps.spared_while("delivery", sent())
        return found.error if isinstance(found, Mishap) else found

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
        """Wait until it has ended and is learned, or somebody asks back, but no longer than this; other work goes on."""
        async with self.watch.waiting(consultation_id) as changed:
            one = await asyncio.to_thread(self.ledger.get, self.clone_id, consultation_id)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while one.unlearned or not (one.state.is_final or one.asked_back):
                        await changed.wait()
                        changed.clear()
                        one = await asyncio.to_thread(self.ledger.get, self.clone_id, one.id)
        return one

    async def carry_on(self) -> None:
        """Do what is due: deadlines, reminders, escalations, replies that were not learned from."""
        await self._carry_on(())

    async def _carry_on(self, changed: Iterable[str]) -> None:
        await self._catch_up()
        for one_id in changed if self.transports else ():
            with suppress(UnknownConsultation):  # it was erased meanwhile
                await self._deliver_new(await asyncio.to_thread(self.ledger.get, self.clone_id, one_id))  # fmt: skip
        now = self._clock.now()
        for one_id in await asyncio.to_thread(self.ledger.due, self.clone_id, now):
            try:
                one = await self.change(one_id, lambda it: it.time_out())
            except UnknownConsultation:
                continue  # it was erased meanwhile
            if one.escalate_at is not None and one.escalate_at <= now:
                asked = [it.expert for it in one.asks]
                parts = await self.choice.further(one, asked)
                one = await self.change(one_id, lambda it, p=parts: it.escalate(p))
                one = await self._deliver_new(one)
            for part in one.asks:
                if not part.state.is_final and part.remind_at is not None and part.remind_at <= now:
                    await self.change(one_id, lambda it, e=part.expert: it.reminded(e))
                    await self._send(one, part, MessagePurpose.REMINDER)

    async def close(self) -> None:
        """Look and listen no more; what waits goes on waiting in the store, what is being learned is."""
        self._closed.set()
        here = asyncio.get_running_loop()
        left = [one for one in self._going_on if one.get_loop() is here]
        await asyncio.gather(*left, return_exceptions=True)
        while self.transports:  # whoever still waits here reaches nobody any more
            await self.transports.popitem()[1].close()


class _Line:
    """Brings what a way of a program has heard to the desk that is at work."""

    def __init__(self, desk: ExpertDesk) -> None:
        self.desk = desk

    async def hear(self, signal: ExpertSignal) -> Reception:
        return await self.desk.hear(signal)
