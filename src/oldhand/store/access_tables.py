"""The tables of who may come in over the network: accounts, members of clones, credentials, and what was done."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, Moment
from oldhand.store.tables import key, log_table, metadata, optional, required

accounts = sa.Table(
    "accounts",
    metadata,
    *key(AnyText, "user_id"),
    *required(sa.Boolean, "is_admin"),
    *required(Moment, "created_at"),
    *optional(Moment, "closed_at"),
)

# Whom a provider of identities signs in.
identities = sa.Table(
    "identities",
    metadata,
    *key(AnyText, "issuer", "subject"),
    *required(AnyText, "user_id"),
    *required(Moment, "linked_at"),
)

# Who may use a clone, owner and experts aside: those stand in `clones`.
members = sa.Table(
    "members",
    metadata,
    *key(AnyText, "clone_id", "user_id"),
    *required(AnyText, "role"),
)

credentials = sa.Table(
    "credentials",
    metadata,
    # Public; the secret that goes with it is known by its hash alone.
    *key(AnyText, "id"),
    *required(AnyText, "kind", "user_id", "secret_hash", "label"),
    # None: all clones that the user may use.
    *optional(AnyText, "clone_id"),
    *required(Moment, "created_at"),
    *optional(Moment, "expires_at", "used_at", "revoked_at"),
    sa.Index(None, "user_id"),
)

audit_log = log_table(
    "audit_log",
    *required(Moment, "at"),
    *required(AnyText, "actor", "action", "subject"),
    *optional(AnyText, "clone_id"),
    *required(sa.Boolean, "allowed"),
    sa.Index(None, "clone_id", "seq"),
)
