"""Saved questions, for their people."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from oldhand.errors import NotAllowed, UnknownSaved, UsageError
from oldhand.face.access import AsyncAccess
from oldhand.face.given import OfAnswer, episode_id_of, named, several, whole_number
from oldhand.face.opened import FaceGroup
from oldhand.record.access import CredentialKind, Issued, Role
from oldhand.record.answer import Outcome
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.document import EVERYONE
from oldhand.record.saved import Delivery, SavedAnswer, SavedQuestion, Schedule, SharedAnswer

if TYPE_CHECKING:
    from oldhand.loop.saved.appointments import Appointments, Fired
    from oldhand.store.saved.store import SavedStore


class AsyncSaved(FaceGroup):
    """`old.saved`: questions under a name, asked again as they were read, also by themselves.

    Wherever a `name` is asked for, the id or the first characters of it will do. Who saved a question may change it, and so
    may experts and the owner: others get `NotAllowed`. `readers` may see it and ask it again.
    """

    @property
    def _kept(self) -> "SavedStore":
        return self._opened.home.store.saved

    async def _at_work(self) -> "Appointments":
        """What asks and sends, with the settings as they are by now."""
        return (await self._opened.current()).appointments

    async def add(
        self,
        name: str,
        episode_id: OfAnswer,
        *,
        readers: str | Sequence[str] | None = None,
        replace: bool = False,
        user: str = DEFAULT_USER,
    ) -> SavedQuestion:
        """Save an answered question under a name, with the reading that its answer rests on; a correction since then counts.

        Args:
            name: such as `Orders last month`; no other saved question goes by it.
            episode_id: the answer.
            readers: who may see it: names, or `everyone` who may ask here. By default that is everyone for an answer from
                databases, and nobody else for one from documents.
            replace: puts it in place of the one of that name, which keeps its answers, readers, schedule, boards and links;
                but where it was one from databases and is one from documents now, who may see it is said anew, and links end.
            user: who saves it.

        Raises:
            UnknownEpisode: there is no such answer.
            NameTaken: there is one of that name.
            UsageError: the answer is none that can be asked again.
        """
        known = await self._own(name, user=user) if replace else None
        asking, find = (await self._at_work()).asking, self._opened.home.store.episode
        episode = await asyncio.to_thread(find, self._clone_id, episode_id_of(episode_id))
        answer = episode.answer
        own, said = (user if answer.citations else EVERYONE), answer.standalone or answer.question
        if answer.citations:  # which may answer one half of a question, and databases the other
            said = max(said, answer.question, key=len)
        saved = SavedQuestion(
            id=asking.new_id(),
            name=named(name),
            question=" ".join(said.split()),
            user_id=checked_name(user),
            episode_id=episode.id,
            readers=_readers(own if readers is None else readers),
            reading=await asyncio.to_thread(asking.reading_of, episode),
            created_at=asking.clock.now(),
        )
        if known is not None:
            return await self._replace(known, saved, keeps_readers=readers is None)
        first = await asking.first(saved)
        await asyncio.to_thread(self._kept.add, self._clone_id, saved, first)
        return await self.get(saved.id, user=user)

    async def _replace(self, known: SavedQuestion, by: SavedQuestion, *, keeps_readers: bool) -> SavedQuestion:  # fmt: skip
        """Put a question in the place of another, once it is shown that it can be asked."""
        fields = ("question", "episode_id", "reading")
        # Documents are not for all who may ask.
        is_narrower = bool(known.reading.databases) and not by.reading.databases
        if is_narrower or not keeps_readers:
            fields = (*fields, "readers")
        put = known.model_copy(update={name: getattr(by, name) for name in fields})
        appointments, kept = await self._at_work(), self._kept
        first = await appointments.asking.first(put)
        if is_narrower:
            await self._end_links(known)
        await asyncio.to_thread(kept.change, self._clone_id, put, *fields)
        most = appointments.settings.kept
        first = await asyncio.to_thread(kept.add_answer, self._clone_id, put.id, first, kept=most)
        return put.model_copy(update={"latest": first})

    async def list(self, *, user: str = DEFAULT_USER) -> tuple[SavedQuestion, ...]:
        """The saved questions that somebody may see, pinned ones first; their latest answers without rows."""
        found = await asyncio.to_thread(self._kept.list, self._clone_id)
        if await self._sees_all(user):
            return found
        return tuple(_seen_by(user, one) for one in found if _reads(one, user))

    async def get(self, name: str, *, user: str = DEFAULT_USER) -> SavedQuestion:
        """One saved question with its latest answer.

        Raises:
            UnknownSaved: there is none that they may see.
        """
        found = await asyncio.to_thread(self._kept.get, self._clone_id, name)
        if found.user_id == user or await self._sees_all(user):
            return found
        if not _reads(found, user):
            raise UnknownSaved(f"Nothing is saved as {name!r}: `oldhand saved list` names all.")
        return _seen_by(user, found)

    async def answers(
        self, name: str, *, limit: int = 20, user: str = DEFAULT_USER
    ) -> tuple[SavedAnswer, ...]:
        """What a saved question was answered, newest first, each with what had changed."""
        most = whole_number("limit", limit, least=1) or 1
        found = await self.get(name, user=user)
        return await asyncio.to_thread(self._kept.answers, self._clone_id, found.id, most)

    async def run(self, name: str, *, send: bool = False, user: str = DEFAULT_USER) -> SavedQuestion:  # fmt: skip
        """Ask a saved question on the rows of today, as it was read; days such as `last month` are counted from today.

        Args:
            name: which one.
            send: also sends the answer to its targets, as its schedule would; for who may change it.
            user: who asks.

        Returns:
            the question; `latest` is the answer, and `latest.change` what is otherwise than before. Where it failed,
            `latest.outcome` is `failed` and `latest.text` says what to do.
        """
        saved = await (self._own if send else self.get)(name, user=user)
        appointments = await self._at_work()
        answer = await appointments.asking.ask(saved)
        latest = await asyncio.to_thread(
            self._kept.add_answer,
            self._clone_id,
            saved.id,
            answer,
            kept=appointments.settings.kept,
            targets=saved.targets if send else (),
        )
        if send:
            await appointments.fire()
        return saved.model_copy(update={"latest": latest})

    async def change(
        self,
        name: str,
        *,
        new_name: str | None = None,
        pinned: bool | None = None,
        readers: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
    ) -> SavedQuestion:
        """Rename or pin a saved question, or say who may see it; what is None stays.

        Raises:
            NameTaken: there is another one of that name.
        """
        given: dict[str, object] = {
            "name": None if new_name is None else named(new_name),
            "pinned": pinned,
            "readers": None if readers is None else _readers(readers),
        }
        changes = {field: value for field, value in given.items() if value is not None}
        saved = await self._own(name, user=user)
        if not changes:
            return saved
        changed = saved.model_copy(update=changes)
        return await asyncio.to_thread(self._kept.change, self._clone_id, changed, *changes)

    async def remove(self, name: str, *, user: str = DEFAULT_USER) -> None:
        """Remove a saved question with all its answers; links to it end, and boards show it no more."""
        saved = await self._own(name, user=user)
        await asyncio.to_thread(self._kept.remove, self._clone_id, saved.id)
        await self._end_links(saved)

    async def schedule(
        self,
        name: str,
        when: str | None,
        *,
        zone: str = "UTC",
        targets: str | Sequence[str] = (),
        user: str = DEFAULT_USER,
    ) -> SavedQuestion:
        """Have a saved question asked by itself, and each answer sent.

        Args:
            name: which one.
            when: `daily at 08:00` or `weekly on monday at 08:00`; None ends the schedule.
            zone: where clocks show that time, such as `Europe/Berlin`.
            targets: where answers are sent: addresses of the web, and for e-mail. They are kept without any, too.
            user: who wants it.

        Raises:
            UsageError: the time, the zone or a target does not hold.
        """
        from oldhand.loop.saved.sending import new_secret

        saved, appointments = await self._own(name, user=user), await self._at_work()
        given = dict.fromkeys(several("targets", targets) if when else ())
        to = [await asyncio.to_thread(appointments.sender.check, one) for one in given]
        plan = Schedule.of(when, zone) if when else None
        due = plan.after(appointments.clock.now()) if plan else None
        known = await asyncio.to_thread(self._kept.secret, self._clone_id, saved.id)
        secret = None if known else new_secret()
        put = partial(self._kept.plan, due_at=due, targets=to, secret=secret)
        return await asyncio.to_thread(put, self._clone_id, saved, plan)

    async def secret(self, name: str, *, user: str = DEFAULT_USER) -> str:
        """What the messages to addresses of the web are signed with, so that programs can tell that they are ours.

        Raises:
            UsageError: it has no schedule yet.
        """
        saved = await self._own(name, user=user)
        found = await asyncio.to_thread(self._kept.secret, self._clone_id, saved.id)
        if not found:
            raise UsageError("There is no secret before there is a schedule.")
        return found

    async def deliveries(
        self, name: str, *, limit: int = 20, user: str = DEFAULT_USER
    ) -> tuple[Delivery, ...]:
        """The latest answers that were sent, or are to be, newest first; `error` says what went wrong."""
        most = whole_number("limit", limit, least=1) or 1
        saved = await self._own(name, user=user)
        return await asyncio.to_thread(self._kept.deliveries, self._clone_id, saved.id, most)

    async def share(
        self, name: str, *, lasts: timedelta | None = None, user: str = DEFAULT_USER
    ) -> Issued:
        """A link by which anybody sees the latest answer of a saved question, and nothing else: `/shared/TOKEN`.

        Args:
            name: which one.
            lasts: how long it is good; until it is revoked when None.
            user: who shares it.
        """
        saved = await self.get(name, user=user)
        make, kind = self._opened.home.store.access.issue, CredentialKind.VIEW
        return await asyncio.to_thread(
            make, kind, checked_name(user), clone_id=self._clone_id, label=saved.id, lasts=lasts
        )

    async def unshare(self, name: str, *, user: str = DEFAULT_USER) -> None:
        """End all links to a saved question."""
        await self._end_links(await self.get(name, user=user))

    async def shared(self, saved_id: str) -> SharedAnswer:
        """What those see who have a link: the latest answer that did not fail."""
        saved = await asyncio.to_thread(self._kept.get, self._clone_id, saved_id)
        look, good = self._kept.answers, Outcome.ANSWERED
        found = await asyncio.to_thread(look, self._clone_id, saved.id, 1, good)
        if not found:
            raise UnknownSaved("This question has no answer just now: try it again later.")
        told = found[0].model_dump(include={"at", "text", "columns", "rows", "truncated"})
        return SharedAnswer(name=saved.name, question=saved.question, **told)

    async def due_clones(self) -> tuple[str, ...]:
        """The assistants of the home that have something to ask or to send by now."""
        return await asyncio.to_thread(self._kept.due, self._opened.home.people.clock.now())

    async def due(self) -> "Fired":
        """Ask the questions that are due by now, and send what is to be sent; `oldhand serve` does so by itself."""
        return await (await self._at_work()).fire()

    async def _own(self, name: str, *, user: str) -> SavedQuestion:
        found = await self.get(name, user=user)
        await self.check_may(found.user_id, user)
        return found

    async def check_may(self, owner: str, user: str) -> None:
        """Refuse what is for who has made something, experts and the owner."""
        if owner != user and not await self._sees_all(user):
            raise NotAllowed(f"{owner} has made this: only they, experts and the owner change it.")

    async def _sees_all(self, user: str) -> bool:
        role = await AsyncAccess(self._opened).role_of(user)
        return role is not None and role.may(Role.EXPERT)

    async def _end_links(self, saved: SavedQuestion) -> None:
        access = self._opened.home.store.access
        known = await asyncio.to_thread(access.credentials, clone_id=self._clone_id)
        for one in known:
            if one.kind is CredentialKind.VIEW and one.label == saved.id:
                await asyncio.to_thread(access.revoke, one.id)


def _reads(saved: SavedQuestion, user: str) -> bool:
    return user == saved.user_id or EVERYONE in saved.readers or user in saved.readers


def _seen_by(user: str, saved: SavedQuestion) -> SavedQuestion:
    """A question as its readers see it: where an address of a program leads may be a secret."""
    if saved.user_id == user:
        return saved
    hosts = [(urlsplit(one), one) for one in saved.targets]
    told = [f"{it.scheme}://{it.hostname}/…" if it.hostname else one for it, one in hosts]
    return saved.model_copy(update={"targets": tuple(told)})


def _readers(readers: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(checked_name, several("readers", readers))))
