"""What asks people, wired to what it needs; imported when somebody is asked."""

import fcntl
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from oldhand.bootstrap.ground import Ground
from oldhand.errors import MissingExtra
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.teaching import ConsultationTeaching
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.people import CloneRoles
from oldhand.sources.databases import check_sql

if TYPE_CHECKING:
    from typing import TextIO

    from oldhand.record.expert_transport import ExpertTransport


_HELD: "list[TextIO]" = []
"""Locks of this process."""


def desk_of(
    ground: Ground, people: CloneRoles, critique: Callable[[], FeedbackIntake]
) -> ExpertDesk:
    """What asks people for a home."""

    def check(sql: str, database: str | None) -> None:
        names = [database] if database else [entry.name for entry in ground.catalog.list()]
        schemas = ground.catalog.schemas(names[:1]) if names else ()
        check_sql(sql, schemas[0].dialect if schemas else "sqlite")

    return ExpertDesk(
        ground.clone_id,
        ground.store,
        people,
        ground.settings.experts,
        ground.clock,
        ground.new_id,
        ground.mishaps,
        ConsultationTeaching(ground.clone_id, ground.store, critique),
        check,
        lambda: _ways(ground),
    )


def _ways(ground: Ground) -> "Sequence[ExpertTransport]":
    """The ways to people that are set up, unless another process serves them: one account is spoken for by one process.

    Raises:
        MissingExtra: XMPP is set up, and its package is not installed.
        InvalidSetting: the password is not there.
    """
    settings, folder = ground.settings.xmpp, ground.path / "xmpp"
    if settings.jid is None and not folder.is_dir():
        return ()
    try:
        from oldhand.human.own_server import xmpp_transport
    except ImportError as error:
        raise MissingExtra(error.name or "slixmpp", "xmpp") from error
    transport = xmpp_transport(ground.path, settings)
    if transport is None:
        return ()
    held = (folder / "speaks.lock").open("w")  # until this process ends, however it ends
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        return ()
    _HELD.append(held)
    return (transport,)
