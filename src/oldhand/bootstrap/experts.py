"""What asks people, wired to what it needs; imported when somebody is asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.errors import MissingExtra, UsageError
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.teaching import ConsultationTeaching
from oldhand.settings import XmppSettings
from oldhand.sources.databases import check_sql, find_errors

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from oldhand.bootstrap.home import Home
    from oldhand.human.expert_chat import ExpertChat
    from oldhand.record.expert import ExpertTransport


def desk_of(home: "Home") -> ExpertDesk:
    """What asks people for a home."""

    def check(sql: str, database: str | None) -> None:
        names = [database] if database else [entry.name for entry in home.catalog.list()]
        wrong: list[str] = []
        for schema in home.catalog.schemas(names) if names else ():
            check_sql(sql, schema.dialect)
            if not (found := find_errors(sql, schema)):
                return
            wrong += found
        if wrong:
            raise UsageError(wrong[0])
        check_sql(sql, "sqlite")

    return ExpertDesk(
        home.clone_id,
        home.store,
        home.people,
        home.settings.experts,
        home.clock,
        home.new_id,
        home.mishaps,
        ConsultationTeaching(home.clone_id, home.store, lambda: home.critique),
        check,
        lambda: _ways(home),
    )


def _ways(home: "Home") -> "Sequence[ExpertTransport]":
    """The ways to people that are set up, unless another process or home serves them already.

    Raises:
        MissingExtra: XMPP is set up, and its package is not installed.
        InvalidSetting: the password is not there.
    """
    if home.settings.xmpp.jid is None and not (home.path / "xmpp").is_dir():
        return ()
    try:
        from oldhand.human.own_server import xmpp_transport
    except ImportError as error:
        raise MissingExtra(error.name or "slixmpp", "xmpp") from error
    transport = xmpp_transport(home.path, home.settings.xmpp)
    return () if transport is None else (transport,)


def expert_chat_of(
    home: Path, settings: XmppSettings, expert: str
) -> "AbstractAsyncContextManager[ExpertChat] | None":
    """The XMPP of an expert for a page; None for those without an account of the home's own server. Blocks."""
    try:
        from oldhand.human.expert_chat import expert_chat
        from oldhand.human.own_server import expert_account
    except ImportError:
        return None
    account = expert_account(home, settings, expert)
    return None if account is None else expert_chat(account)
