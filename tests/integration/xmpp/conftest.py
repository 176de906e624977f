"""One Prosody for the whole run of tests; each test has addresses of its own."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import count

import pytest

pytest.importorskip("slixmpp", reason="needs slixmpp: pip install 'oldhand[xmpp]'")

from oldhand.human import ProsodyServer, XmppAccount
from oldhand.human.prosody import prosody_program

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def prosody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProsodyServer]:
    """A server that runs."""
    if not prosody_program():
        pytest.skip("needs Prosody: apt install prosody")
    server = ProsodyServer(tmp_path_factory.mktemp("prosody"), port=0)
    asyncio.run(server.start(members=["known-agent", "known-expert"]))
    yield server
    asyncio.run(server.stop())


@pytest.fixture
def account(prosody: ProsodyServer) -> Callable[[str], XmppAccount]:
    """Makes accounts that no other test uses."""

    def made(name: str) -> XmppAccount:
        return prosody.account(f"{name}-{next(_NUMBERS)}")

    return made
