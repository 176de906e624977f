"""Who may come in over the network, as it is kept: accounts, members, credentials and the audit log."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from oldhand.errors import UsageError
from oldhand.record.access import Account, AuditEntry, Credential, CredentialKind, Issued, Role
from oldhand.record.base import checked_name
from oldhand.record.ports import Clock
from oldhand.store.engine import Access
from oldhand.store.tables import clones
from oldhand.store.transactions import Transactions, record_of
from oldhand.store.work_tables import accounts, audit_log, credentials, identities, members

_PREFIX = "oldhand"
_SECRET_BYTES = 32
_SITE = "_site"
"""Locks what belongs to no clone; no clone can be called so."""


class AccessStore:
    """Accounts and credentials. Methods block, and may raise the errors of the store."""

    def __init__(self, transactions: Transactions, clock: Clock) -> None:
        self._transactions = transactions
        self._clock = clock

    def add_account(self, user_id: str, *, is_admin: bool = False) -> Account:
        """Make an account, or open a closed one again."""
        account = Account(
            user_id=checked_name(user_id), is_admin=is_admin, created_at=self._clock.now()
        )
        with self._transactions.writing(_SITE) as connection:
            connection.execute(sa.delete(accounts).where(accounts.c.user_id == user_id))
            connection.execute(sa.insert(accounts), account.model_dump())
        return account

    def close_account(self, user_id: str) -> None:
        """Let a person in no more, with whatever credential."""
        with self._transactions.writing(_SITE) as connection:
            now = self._clock.now()
            of = accounts.c.user_id == user_id
            if not connection.execute(sa.update(accounts).where(of).values(closed_at=now)).rowcount:
                raise UsageError(f"There is no account of {user_id!r}.")

    def account(self, user_id: str) -> Account | None:
        """The account of a person; None when there is none."""
        with self._transactions.reading() as connection:
            query = sa.select(accounts).where(accounts.c.user_id == user_id)
            row = connection.execute(query).mappings().one_or_none()
        return record_of(Account, row) if row else None

    def accounts(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        with self._transactions.reading() as connection:
            query = sa.select(accounts).order_by(accounts.c.user_id)
            return tuple(record_of(Account, row) for row in connection.execute(query).mappings())

    def identified(self, issuer: str, subject: str) -> str | None:
        """The user whom a provider of identities knows by this subject; None when it is nobody's yet."""
        this = sa.and_(identities.c.issuer == issuer, identities.c.subject == subject)
        with self._transactions.reading() as connection:
            return connection.scalar(sa.select(identities.c.user_id).where(this))

    def link(self, issuer: str, subject: str, user_id: str) -> bool:
        """Let a subject of a provider be a user; False when another subject of that provider is this user already."""
        taken = sa.select(identities.c.subject).where(
            identities.c.issuer == issuer, identities.c.user_id == user_id
        )
        row = {"issuer": issuer, "subject": subject, "user_id": checked_name(user_id), "linked_at": self._clock.now()}  # fmt: skip
        with self._transactions.writing(_SITE, Access.WRITE_DURABLY) as connection:
            if (known := connection.scalar(taken)) is None:
                connection.execute(sa.insert(identities), row)
        return known in {None, subject}

    def let_in(self, clone_id: str, user_id: str, role: Role | None) -> None:
        """Make somebody a member of a clone, or with None no more; owner and experts are named with the clone itself."""
        if role not in {Role.MEMBER, Role.EXTERNAL, None}:
            raise UsageError("Owner and experts are named with the clone: `oldhand people`.")
        of = sa.and_(members.c.clone_id == clone_id, members.c.user_id == user_id)
        with self._transactions.writing(clone_id) as connection:
            connection.execute(sa.delete(members).where(of))
            if role is not None:
                given = {"clone_id": clone_id, "user_id": checked_name(user_id), "role": role}
                connection.execute(sa.insert(members), given)

    def members(self, clone_id: str) -> dict[str, Role]:
        """Who may use a clone, owner and experts aside."""
        query = sa.select(members).where(members.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(members.c.user_id)).mappings().all()
        return {row["user_id"]: Role(row["role"]) for row in rows}

    def clone_ids(self) -> tuple[str, ...]:
        """All clones that were saved."""
        with self._transactions.reading() as connection:
            return tuple(connection.scalars(sa.select(clones.c.id).order_by(clones.c.id)))

    def issue(
        self,
        kind: CredentialKind,
        user_id: str,
        *,
        clone_id: str | None = None,
        label: str = "",
        lasts: timedelta | None = None,
    ) -> Issued:
        """Make a credential; only a hash of its secret is kept."""
        now, secret = self._clock.now(), secrets.token_urlsafe(_SECRET_BYTES)
        credential = Credential(
            id=secrets.token_hex(6),
            kind=kind,
            user_id=checked_name(user_id),
            clone_id=clone_id,
            label=label,
            created_at=now,
            expires_at=None if lasts is None else now + lasts,
        )
        row = {**credential.model_dump(), "secret_hash": _digest(secret)}
        with self._transactions.writing(_SITE, Access.WRITE_DURABLY) as connection:
            connection.execute(sa.insert(credentials), row)
        token = f"{_PREFIX}_{kind.value}_{credential.id}_{secret}"
        return Issued(credential=credential, token=token)

    def redeemed(self, token: str, kinds: Sequence[CredentialKind]) -> Credential | None:
        """The credential of a token that is good now; None for any other text. An invite is good once."""
        known = self._known(token)
        now = self._clock.now()
        if known is None or known.kind not in kinds or not _is_good(known, now):
            return None
        if known.kind is CredentialKind.INVITE and not self._use_up(known.id, now):
            return None
        account = self.account(known.user_id)
        closed = account is not None and account.closed_at is not None
        return None if closed else known

    def _known(self, token: str) -> Credential | None:
        prefix, _, rest = token.partition("_")
        kind, _, rest = rest.partition("_")
        public, _, secret = rest.partition("_")
        if prefix != _PREFIX or not secret or not token.isascii():
            return None
        query = sa.select(credentials).where(credentials.c.id == public, credentials.c.kind == kind)
        with self._transactions.reading() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None or not hmac.compare_digest(row["secret_hash"], _digest(secret)):
            return None
        return record_of(Credential, row)

    def _use_up(self, credential_id: str, now: datetime) -> bool:
        """Whether it was not used before; of two at once, one is the first."""
        unused = sa.and_(credentials.c.id == credential_id, credentials.c.used_at.is_(None))
        with self._transactions.writing(_SITE, Access.WRITE_DURABLY) as connection:
            return bool(
                connection.execute(
                    sa.update(credentials).where(unused).values(used_at=now)
                ).rowcount
            )

    def credentials(
        self, *, user_id: str | None = None, clone_id: str | None = None
    ) -> tuple[Credential, ...]:
        """Credentials that were not revoked, oldest first."""
        query = sa.select(credentials).where(credentials.c.revoked_at.is_(None))
        for column, wanted in (
            (credentials.c.user_id, user_id),
            (credentials.c.clone_id, clone_id),
        ):
            if wanted is not None:
                query = query.where(column == wanted)
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(credentials.c.created_at)).mappings()
            return tuple(record_of(Credential, row) for row in rows)

    def revoke(self, credential_id: str) -> None:
        """Let a credential be good no more.

        Raises:
            UsageError: there is none of that id.
        """
        this = credentials.c.id == credential_id
        change = sa.update(credentials).where(this).values(revoked_at=self._clock.now())
        with self._transactions.writing(_SITE, Access.WRITE_DURABLY) as connection:
            if not connection.execute(change).rowcount:
                raise UsageError(f"There is no credential {credential_id!r}.")

    def note(
        self,
        actor: str,
        action: str,
        *,
        subject: str = "",
        clone_id: str | None = None,
        allowed: bool = True,
    ) -> None:
        """Write into the audit log what somebody did, or was refused."""
        entry = AuditEntry(
            at=self._clock.now(),
            actor=actor,
            action=action,
            subject=subject,
            clone_id=clone_id,
            allowed=allowed,
        )
        with self._transactions.writing(_SITE, journalled=False) as connection:
            connection.execute(sa.insert(audit_log), entry.model_dump())

    def audit(self, clone_id: str | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries of the audit log, newest first; of one clone, or of all."""
        query = sa.select(audit_log).order_by(audit_log.c.seq.desc()).limit(limit)
        if clone_id is not None:
            query = query.where(audit_log.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            return tuple(record_of(AuditEntry, row) for row in connection.execute(query).mappings())


def _digest(secret: str) -> str:
    """Of 32 random bytes, so that a slow hash would add nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _is_good(one: Credential, now: datetime) -> bool:
    expired = one.expires_at is not None and one.expires_at <= now
    used_up = one.kind is CredentialKind.INVITE and one.used_at is not None
    return one.revoked_at is None and not expired and not used_up
