"""Saved questions, for their people."""

import asyncio
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from oldhand.errors import NotAllowed, UnknownSaved, UsageError
from oldhand.face.access import AsyncAccess
from oldhand.face.given import OfAnswer, episode_id_of, several, whole_number
from oldhand.face.opened import FaceGroup
from oldhand.record.access import CredentialKind, Issued, Role
from oldhand.record.answer import Outcome
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.document import EVERYONE
from oldhand.record.saved import (
    Delivery,
    SavedAnswer,
    SavedQuestion,
    Schedule,
    SharedAnswer,
)

if TYPE_CHECKING:
    from oldhand.loop.saved.appointments import Appointments, Fired
    from oldhand.store.saved.store import SavedStore

_NAME = re.compile(r"(?=.*\w)[^/\\\x00-\x1f\x7f\u2028\u2029]{1,120}")


class AsyncSaved(FaceGroup):
    """`old.saved`: questions under a name, asked again as they were read, also by themselves.

    Wherever a `name` is asked for, the id or the first characters of it will do. Who saved a question may change it, and so
    may experts and the owner: others get `NotAllowed`. `readers` may see it and ask it again.
    """

    @property
    def _kept(self) -> "SavedStore":
        return self._opened.home.store.saved

    @property
    def _appointments(self) -> "Appointments":
        return self._opened.home.appointments

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
            replace: puts it in place of the one of that name, which keeps its answers, readers, schedule, boards and links.
            user: who saves it.

        Raises:
            UnknownEpisode: there is no such answer.
            NameTaken: there is one of that name.
            UsageError: the answer is none that can be asked again.
        """
        home, asking, found = (
            self._opened.home,
            self._appointments.asking,
            episode_id_of(episode_id),
        )
        episode = await asyncio.to_thread(home.store.episode, home.clone_id, found)
        answer, now = episode.answer, home.people.clock.now()
        own = user if answer.citations else EVERYONE
        saved = SavedQuestion(
            id=asking.new_id(),
            name=named(name),
            question=" ".join((answer.standalone or answer.question).split()),
            user_id=checked_name(user),
            episode_id=episode.id,
            readers=_readers(own if readers is None else readers),
            reading=await asyncio.to_thread(asking.reading_of, episode),
            created_at=now,
        )
        if not replace:
            first = await asking.first(saved)
            await asyncio.to_thread(self._kept.add, home.clone_id, saved, first)
            return await self.get(saved.id, user=user)
        known = await self._own(name, user=user)
        put, fields = self._kept.change, ("question", "episode_id", "reading")
        await asyncio.to_thread(put, home.clone_id, saved.model_copy(update={"id": known.id}), *fields)  # fmt: skip
        return await self.run(known.id, user=user)

    async def list(self, *, user: str = DEFAULT_USER) -> tuple[SavedQuestion, ...]:
        """The saved questions that somebody may see, pinned ones first; their latest answers without rows."""
        found = await asyncio.to_thread(self._kept.list, self._clone_id)
        if await self._sees_all(user):
            return found
        return tuple(one for one in found if _reads(one, user))

    async def get(self, name: str, *, user: str = DEFAULT_USER) -> SavedQuestion:
        """One saved question with its latest answer.

        Raises:
            UnknownSaved: there is none that they may see.
        """
        found = await asyncio.to_thread(self._kept.get, self._clone_id, name)
        if not (_reads(found, user) or await self._sees_all(user)):
            raise UnknownSaved(f"Nothing is saved as {name!r}: `oldhand saved list` names all.")
        return found

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
        appointments = self._appointments
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
        from oldhand.loop.saved.letters import new_secret

        saved, appointments = await self._own(name, user=user), self._appointments
        given = dict.fromkeys(several("targets", targets) if when else ())
        to = [await asyncio.to_thread(appointments.sender.check, one) for one in given]
        plan = Schedule.of(when, zone) if when else None
        due = plan.after(appointments.clock.now()) if plan else None
        changed = saved.model_copy(update={"schedule": plan, "targets": tuple(to), "due_at": due})
        known = await asyncio.to_thread(self._kept.secret, self._clone_id, saved.id)
        fields = ("schedule", "targets", "due_at")
        put, secret = self._kept.change, None if known else new_secret()
        return await asyncio.to_thread(put, self._clone_id, changed, *fields, secret=secret)

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
        most = self._appointments.settings.kept
        found = await asyncio.to_thread(self._kept.answers, self._clone_id, saved.id, most)
        latest = next((one for one in found if one.outcome is Outcome.ANSWERED), None)
        if latest is None:
            raise UnknownSaved("This question has no answer just now: try it again later.")
        told = latest.model_dump(include={"at", "text", "columns", "rows", "truncated"})
        return SharedAnswer(name=saved.name, question=saved.question, **told)

    async def due_clones(self) -> tuple[str, ...]:
        """The assistants of the home that have something to ask or to send by now."""
        now = self._opened.home.people.clock.now()
        return await asyncio.to_thread(self._kept.due, now)

    async def due(self) -> "Fired":
        """Ask the questions that are due by now, and send what is to be sent; `oldhand serve` does so by itself."""
        return await self._appointments.fire()

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


def named(name: str) -> str:
    """A name, its blanks put right.

    Raises:
        UsageError: it is none.
    """
    found = " ".join(name.split(" "))
    if not _NAME.fullmatch(found):
        raise UsageError(f"{name[:40]!r} is no name: up to 120 letters and other signs, no slash.")
    return found


def _readers(readers: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(checked_name, several("readers", readers))))
