"""People who are asked."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from oldhand.errors import Closed, NotAllowed, ReplyRefused, UnknownExpert
from oldhand.face.given import several
from oldhand.face.opened import FaceGroup
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import (
    AnswerRule,
    Consultation,
    ConsultationEvent,
    ConsultationState,
    Priority,
    ReplyKind,
    WantedReply,
)
from oldhand.record.expert import (
    INBOX,
    ExpertProfile,
    ExpertSignal,
    ExpertStats,
    ExpertTransport,
    Reception,
    ReceptionKind,
    SignalKind,
)
from oldhand.record.lesson import Tally

if TYPE_CHECKING:
    from oldhand.loop.consultations.desk import ExpertDesk

_COUNTED = 10_000
"""Latest consultations that statistics are made of."""


class AsyncExperts(FaceGroup):
    """`old.experts`: people who are asked where neither databases nor documents hold an answer."""

    @property
    def _desk(self) -> "ExpertDesk":
        return self._opened.home.desk

    async def list(self) -> tuple[ExpertProfile, ...]:
        """Everybody who may be asked: the experts, and the owner at last."""
        return await asyncio.to_thread(self._desk.choice.profiles)

    async def attend(self, addresses: Mapping[str, str] | None = None) -> None:
        """Carry questions to people and take in what they say, until it is cancelled: over XMPP, where that is set up.

        `oldhand serve` and `oldhand experts serve` do so; for the inbox nobody has to.

        Args:
            addresses: of XMPP, for people of whom none is known yet.
        """
        desk = self._desk
        known = {one.expert: one for one in await self.list()}
        for expert, address in (addresses or {}).items():
            one = known.get(expert)
            if one is not None and "xmpp" not in one.addresses:
                new = one.model_copy(update={"addresses": {"xmpp": address, **one.addresses}})
                await asyncio.to_thread(desk.ledger.put_profile, desk.clone_id, expert, new)
        last = None
        with suppress(Closed):
            while (desk := self._desk) is not last:  # another one, once settings have changed
                await desk.attend()
                last = desk

    async def add_transport(self, transport: ExpertTransport) -> None:
        """Reach people by a way of your own, too; `close` ends it. `oldhand.testing.ExpertTransportSuite` tries it."""
        await self._desk.add_transport(transport)

    async def add(  # noqa: PLR0913 (each is one thing that is known)
        self,
        expert: str,
        *,
        skills: str | Sequence[str] = (),
        languages: str | Sequence[str] = (),
        hours: str = "",
        time_zone: str = "UTC",
        addresses: Mapping[str, str] | None = None,
        most_open: int = 5,
    ) -> ExpertProfile:
        """Name somebody an expert, whose words teach, and say when and for what they may be asked.

        Args:
            expert: their name.
            skills: words for what they know, such as `invoices`.
            languages: such as `en`.
            hours: such as `mon-fri 09:00-17:00`; always when empty.
            time_zone: of these hours, such as `Europe/Berlin`.
            addresses: where they are reached by transport, such as `{"xmpp": "bo@example.org"}`; the inbox always.
            most_open: questions that may wait for them at once.

        Raises:
            UsageError: hours or time zone can't be read.
        """
        profile = ExpertProfile(
            expert=checked_name(expert),
            skills=several("skills", skills),
            languages=several("languages", languages),
            hours=hours,
            time_zone=time_zone,
            addresses=dict(addresses or {}),
            most_open=most_open,
        )
        home = self._opened.home
        clone = await asyncio.to_thread(home.people.clone)
        if expert not in {clone.owner, *clone.experts}:
            named = (*clone.experts, expert)
            await asyncio.to_thread(home.people.name, owner=None, experts=named)
        await asyncio.to_thread(self._desk.ledger.put_profile, home.clone_id, expert, profile)
        return profile

    async def remove(self, expert: str) -> None:
        """Let somebody be an expert no more; what they have taught stays.

        Raises:
            UnknownExpert: they are none.
        """
        home = self._opened.home
        clone = await asyncio.to_thread(home.people.clone)
        if expert not in clone.experts:
            raise UnknownExpert
        left = tuple(one for one in clone.experts if one != expert)
        await asyncio.to_thread(home.people.name, owner=None, experts=left)
        await asyncio.to_thread(self._desk.ledger.put_profile, home.clone_id, expert, None)

    async def ask(  # noqa: PLR0913 (each is one thing that may be said)
        self,
        question: str,
        *,
        details: str = "",
        kind: ReplyKind = ReplyKind.TEXT,
        choices: Sequence[str] = (),
        database: str | None = None,
        rule: AnswerRule = AnswerRule.FIRST,
        needed: int = 1,
        priority: Priority = Priority.NORMAL,
        experts: str | Sequence[str] = (),
        seconds: float | None = None,
        user: str = DEFAULT_USER,
    ) -> Consultation:
        """Ask people; comes back at once, and the answer is there when they have replied.

        Args:
            question: in plain words.
            details: what helps to answer it.
            kind: what form the reply has to have: `text`, `choice`, `number` or `sql`.
            choices: what can be chosen.
            database: of SQL: for which database.
            rule: how many replies make an answer: `first`, `quorum` or `all`.
            needed: of a quorum: how many have to agree.
            priority: its place in the inbox.
            experts: whom; who fits best when nobody is named.
            seconds: how long it stays open; some days by default.
            user: on whose behalf.

        Raises:
            NoExpert: there is nobody to ask.
            UnknownExpert: somebody is named who is none.
        """
        from oldhand.loop.consultations.wish import ConsultationWish

        wish = ConsultationWish(
            question,
            checked_name(user),
            details,
            WantedReply(kind=ReplyKind(kind), choices=tuple(choices), database=database),
            AnswerRule(rule),
            needed,
            Priority(priority),
            several("experts", experts),
            seconds=seconds,
        )
        return await self._desk.ask(wish)

    async def get(self, consultation_id: str) -> Consultation:
        """One question to people, by its id or the first characters of it.

        Raises:
            UnknownConsultation: there is none.
        """
        desk = self._desk
        await desk.carry_on()
        return await asyncio.to_thread(desk.ledger.get, desk.clone_id, consultation_id)

    async def events(self, consultation_id: str) -> tuple[ConsultationEvent, ...]:
        """All that happened to one question to people, oldest first."""
        one, desk = await self.get(consultation_id), self._desk
        return await asyncio.to_thread(desk.ledger.events, desk.clone_id, one.id)

    async def questions(self, user: str | None = None, *, waiting: bool = False) -> tuple[Consultation, ...]:  # fmt: skip
        """The latest questions to people, newest first; of one user, or of all."""
        desk = self._desk
        await desk.carry_on()
        look = desk.ledger.list
        return await asyncio.to_thread(look, desk.clone_id, asked_by=user, waiting=waiting)

    async def wait(self, consultation_id: str, seconds: float | None = None) -> Consultation:
        """Wait until it has ended or an expert asks back; no longer than `seconds`, if they are given."""
        return await self._desk.wait((await self.get(consultation_id)).id, seconds)

    async def inbox(self, expert: str = DEFAULT_USER) -> tuple[Consultation, ...]:
        """The questions that wait for an expert, the most urgent first; they count as seen from now on."""
        desk = self._desk
        await desk.carry_on()
        look = desk.ledger.list
        found = await asyncio.to_thread(look, desk.clone_id, expert=expert, waiting=True)
        for one in found:
            part = one.ask_of(expert)
            if part is not None and ConsultationState.SEEN.follows(part.state):
                await self._signal(SignalKind.SEEN, one.id, "", expert)
        return tuple(sorted(found, key=lambda one: (one.priority.rank, one.deadline)))

    async def changes(self, user: str = DEFAULT_USER) -> AsyncGenerator[tuple[Consultation, ...]]:
        """What waits for somebody, now and whenever that, or what became of their own questions, has changed."""
        desk, shown = self._desk, ""
        look = desk.ledger.list
        async with desk.watch.waiting() as changed:
            while True:
                changed.clear()
                waiting = await asyncio.to_thread(look, desk.clone_id, expert=user, waiting=True)
                asked = await asyncio.to_thread(look, desk.clone_id, asked_by=user)
                now = repr([(one.id, one.remarks) for one in waiting] + [(one.id, one.state, one.remarks, one.replies) for one in asked])  # fmt: skip
                if now != shown:
                    shown = now
                    yield waiting
                await changed.wait()

    async def answer(self, consultation_id: str, text: str, *, expert: str = DEFAULT_USER) -> Reception:  # fmt: skip
        """Reply to a question; only who was asked can.

        Raises:
            NotAllowed: somebody else was asked, or nobody.
            ReplyRefused: the reply has not the form that was asked for; the message says which it is.
        """
        return await self._signal(SignalKind.REPLY, consultation_id, text, expert)

    async def decline(self, consultation_id: str, why: str = "", *, expert: str = DEFAULT_USER) -> Reception:  # fmt: skip
        """Say that you can't or won't answer; somebody else may be asked then."""
        return await self._signal(SignalKind.DECLINE, consultation_id, why, expert)

    async def ask_back(self, consultation_id: str, text: str, *, expert: str = DEFAULT_USER) -> Reception:  # fmt: skip
        """Ask whoever asked for what you need to know."""
        return await self._signal(SignalKind.ASK_BACK, consultation_id, text, expert)

    async def explain(self, consultation_id: str, text: str, *, user: str = DEFAULT_USER) -> Consultation:  # fmt: skip
        """Say more on a question that you asked, such as when an expert has asked back.

        Raises:
            NotAllowed: somebody else has asked it.
        """
        one = await self._own(consultation_id, user)
        return await self._desk.explain(one.id, user, text)

    async def withdraw(self, consultation_id: str, *, user: str = DEFAULT_USER) -> Consultation:
        """Take a question back that you asked.

        Raises:
            NotAllowed: somebody else has asked it.
        """
        one = await self._own(consultation_id, user)
        return await self._desk.change(one.id, lambda it: it.withdraw(user))

    async def news(self, user: str = DEFAULT_USER) -> tuple[Consultation, ...]:
        """What a user asked people that has ended since this was last called."""
        home = self._opened.home
        now, ledger = home.people.clock.now(), home.store.consultations
        if await asyncio.to_thread(ledger.due, home.clone_id, now):
            await self._desk.carry_on()
        return await asyncio.to_thread(ledger.news, home.clone_id, user, now)

    async def listen(
        self, tell: Callable[[Consultation], object], user: str = DEFAULT_USER
    ) -> None:
        """Call `tell` with what a user asked people as soon as it has ended, until it is cancelled."""
        async with self._desk.watch.waiting() as changed:
            while True:
                for one in await self.news(user):
                    _ = tell(one)
                await changed.wait()
                changed.clear()

    async def stats(self) -> tuple[ExpertStats, ...]:
        """How each expert does: what they answered, how quickly, and how later answers fared that rest on it."""
        from oldhand.loop.consultations.faring import stats_of, votes_on_replies

        desk, home = self._desk, self._opened.home
        found = await asyncio.to_thread(desk.ledger.list, desk.clone_id, limit=_COUNTED)
        names = [it.expert for it in await self.list()]
        fared = await asyncio.to_thread(votes_on_replies, home.store, desk.clone_id, found)
        return tuple(stats_of(name, found, fared.get(name, Tally())) for name in names)

    async def _own(self, consultation_id: str, user: str) -> Consultation:
        one = await self.get(consultation_id)
        if one.asked_by != user:
            raise NotAllowed("Only who has asked it can do that.")
        return one

    async def _signal(
        self, kind: SignalKind, consultation_id: str, text: str, expert: str
    ) -> Reception:
        signal = ExpertSignal(
            transport=INBOX,
            address=checked_name(expert),
            kind=kind,
            consultation_id=consultation_id,
            text=text,
        )
        reception = await self._desk.hear(signal)
        if reception.kind is ReceptionKind.NOT_YOURS:
            raise NotAllowed(reception.says)
        if reception.kind is ReceptionKind.INVALID:
            raise ReplyRefused(reception.says)
        return reception
