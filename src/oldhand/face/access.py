"""Who may come in over the network."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from oldhand.errors import NameTaken, UsageError
from oldhand.face.given import several
from oldhand.face.opened import FaceGroup
from oldhand.record.access import Account, AuditEntry, Credential, CredentialKind, Issued, Role
from oldhand.record.clone import DEFAULT_CLONE, Clone

if TYPE_CHECKING:
    from oldhand.store import AccessStore, ErasedCounts

INVITE_LASTS = timedelta(days=7)


class AsyncAccess(FaceGroup):
    """`old.access`: accounts, roles and credentials of those who come over the network."""

    @property
    def _kept(self) -> "AccessStore":
        return self._opened.home.store.access

    async def clones(self) -> tuple[str, ...]:
        """The names of all assistants of the home."""
        known = await asyncio.to_thread(self._kept.clone_ids)
        return tuple(dict.fromkeys((DEFAULT_CLONE, *known)))

    async def add_clone(self, clone_id: str, owner: str) -> Clone:
        """Make another assistant in the same home.

        Raises:
            NameTaken: there is one of that name.
        """
        if clone_id in await self.clones():
            raise NameTaken(f"There is an assistant {clone_id!r} already.")
        home = self._opened.home
        clone = Clone(id=clone_id, owner=owner, created_at=home.people.clock.now())
        await asyncio.to_thread(home.store.save_clone, clone)
        return clone

    async def accounts(self) -> tuple[Account, ...]:
        """Everybody who may sign in, by name."""
        return await asyncio.to_thread(self._kept.accounts)

    async def add_account(self, user: str, *, admin: bool = False) -> Account:
        """Let a person sign in; what they may do in which assistant is said by roles."""
        return await asyncio.to_thread(self._kept.add_account, user, is_admin=admin)

    async def close_account(self, user: str) -> None:
        """Let a person in no more; what they asked and said stays.

        Raises:
            UsageError: there is no such account.
        """
        await asyncio.to_thread(self._kept.close_account, user)

    async def members(self) -> dict[str, Role]:
        """Everybody with a role in this assistant."""
        clone = await asyncio.to_thread(self._opened.home.people.clone)
        roles = await asyncio.to_thread(self._kept.members, self._clone_id)
        roles |= dict.fromkeys(clone.experts, Role.EXPERT)
        return roles | {clone.owner: Role.OWNER}

    async def let_in(self, user: str, role: Role = Role.MEMBER) -> None:
        """Let a person use this assistant.

        Raises:
            UsageError: owner and experts are named by `old.people.name`.
        """
        await asyncio.to_thread(self._kept.let_in, self._clone_id, user, role)

    async def shut_out(self, user: str) -> None:
        """Let a member use this assistant no more; what they had sent on time is sent no longer."""
        await asyncio.to_thread(self._kept.let_in, self._clone_id, user, None)
        kept, clone_id = self._opened.home.store.saved, self._clone_id
        for saved in await asyncio.to_thread(kept.list, clone_id):
            if saved.user_id == user and saved.schedule is not None:
                await asyncio.to_thread(kept.plan, clone_id, saved)

    async def role_of(self, user: str) -> Role | None:
        """What a person may do in this assistant; None when they may not use it."""
        account = await asyncio.to_thread(self._kept.account, user)
        if account is not None and account.is_admin:
            return Role.ADMIN
        return (await self.members()).get(user)

    async def invite(self, user: str) -> Issued:
        """A token that signs a person in once; it is good for a week."""
        make = self._kept.issue
        return await asyncio.to_thread(make, CredentialKind.INVITE, user, lasts=INVITE_LASTS)

    async def issue_key(
        self, user: str, *, label: str = "", lasts: timedelta | None = None
    ) -> Issued:
        """A key by which a program acts as a person in this assistant, until it is revoked."""
        return await self._issued(CredentialKind.KEY, user, label, lasts)

    async def share(self, user: str, *, label: str = "", lasts: timedelta | None = None) -> Issued:  # fmt: skip
        """A token by which anybody may ask this assistant as an external person."""
        return await self._issued(CredentialKind.SHARE, user, label, lasts)

    async def _issued(
        self, kind: CredentialKind, user: str, label: str, lasts: timedelta | None
    ) -> Issued:
        """A credential for this assistant alone."""
        make, clone_id = self._kept.issue, self._clone_id
        return await asyncio.to_thread(
            make, kind, user, clone_id=clone_id, label=label, lasts=lasts
        )

    async def sign_in(self, user: str, lasts: timedelta, *, clone_id: str | None = None) -> Issued:
        """A session of a browser; of a guest, for the one assistant that was shared."""
        make, kind = self._kept.issue, CredentialKind.SESSION
        return await asyncio.to_thread(make, kind, user, clone_id=clone_id, lasts=lasts)

    async def identified(self, issuer: str, subject: str) -> str | None:
        """The user whom a provider of identities knows by this subject; None when it is nobody's yet."""
        return await asyncio.to_thread(self._kept.identified, issuer, subject)

    async def link(self, issuer: str, subject: str, user: str) -> bool:
        """Let a subject of a provider be a user; False when another one of that provider is this user already."""
        return await asyncio.to_thread(self._kept.link, issuer, subject, user)

    async def account(self, user: str) -> Account | None:
        """The account of a person; None when there is none."""
        return await asyncio.to_thread(self._kept.account, user)

    async def redeemed(self, token: str, kinds: Sequence[CredentialKind]) -> Credential | None:
        """What a token is good for now; None for one that is good for nothing."""
        return await asyncio.to_thread(self._kept.redeemed, token, kinds)

    async def keys(self) -> tuple[Credential, ...]:
        """The keys and share links of this assistant, without their secrets."""
        return await asyncio.to_thread(self._kept.credentials, clone_id=self._clone_id)

    async def revoke(self, credential_id: str) -> None:
        """Let a credential of this assistant be good no more.

        Raises:
            UsageError: there is none of that id.
        """
        if credential_id not in {one.id for one in await self.keys()}:
            raise UsageError(
                f"There is no key {credential_id!r}: `oldhand people keys` lists them."
            )
        await asyncio.to_thread(self._kept.revoke, credential_id)

    async def end(self, credential: Credential) -> None:
        """Sign a session out."""
        await asyncio.to_thread(self._kept.revoke, credential.id)

    async def note(self, actor: str, action: str, *, subject: str = "", allowed: bool = True) -> None:  # fmt: skip
        """Write into the audit log what somebody did here, or was refused."""
        clone_id = self._clone_id
        await asyncio.to_thread(
            self._kept.note, actor, action, subject=subject, clone_id=clone_id, allowed=allowed
        )

    async def audit(self, *, limit: int = 100) -> tuple[AuditEntry, ...]:
        """What was done here and refused, newest first."""
        return await asyncio.to_thread(self._kept.audit, self._clone_id, limit)


class AsyncPeople(FaceGroup):
    """`old.people`: who owns the assistant, who its experts are, and whom it shall forget."""

    async def get(self) -> Clone:
        """Who owns this assistant, and who its experts are."""
        return await asyncio.to_thread(self._opened.home.people.clone)

    async def name(
        self, *, owner: str | None = None, experts: str | Sequence[str] | None = None
    ) -> Clone:
        """Name another owner, or who the experts are; what is left out stays."""
        named = None if experts is None else several("experts", experts)
        return await asyncio.to_thread(self._opened.home.people.name, owner=owner, experts=named)

    async def erase(self, user: str, *, dry_run: bool = False) -> "ErasedCounts":
        """Erase all that a user asked and said, and all that was learned from it; it can't be undone.

        What rests on the words of others, too, is learned again from these. Only that somebody was erased is noted.

        Args:
            user: whom; not the owner.
            dry_run: only say how much it would be.

        Raises:
            UsageError: the user owns the assistant.
            ErasureIncomplete: something is left, and where.
        """
        if dry_run:
            return await self._opened.home.erasing.plan(user)
        return await self._opened.home.erasing.erase(user)
