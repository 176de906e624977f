"""A server that is there but no longer answers: neither a query nor a login waits for it for ever."""

import asyncio
import selectors
import socket
import threading
from contextlib import closing

import pytest
import sqlalchemy as sa

from oldhand.errors import DatabaseUnreachable, QueryTimedOut
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.opening import open_database


class Relay:
    """Passes bytes between a driver and its server until it is frozen; then it only accepts."""

    def __init__(self, connect):
        self._connect = connect
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._frozen = threading.Event()
        self._open = [self._listening]
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self):
        self._frozen.set()

    def close(self):
        self.freeze()
        for one in self._open:
            one.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(near)
            if not self._frozen.is_set():
                far = self._connect()
                self._open.append(far)
                threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()

    def _pass_on(self, near, far):
        with selectors.DefaultSelector() as selector:
            selector.register(near, selectors.EVENT_READ, far)
            selector.register(far, selectors.EVENT_READ, near)
            while not self._frozen.is_set():
                for key, _ in selector.select(timeout=0.05):
                    data = key.fileobj.recv(65_536)
                    if not data:
                        key.data.close()
                        return
                    key.data.sendall(data)


@pytest.fixture(params=["postgres", "mysql"])
def hung(request):
    """The URL of a server behind a relay, and the relay."""
    if request.param == "mysql":
        port = request.getfixturevalue("mariadb_server")
        relay = Relay(lambda: socket.create_connection(("127.0.0.1", port)))
        url = f"mysql://root@127.0.0.1:{relay.port}/mysql"
    else:
        served = sa.make_url(request.getfixturevalue("postgres_url"))

        def connect():
            line = socket.socket(socket.AF_UNIX)
            line.connect(f"{served.query['host']}/.s.PGSQL.5432")
            return line

        relay = Relay(connect)
        url = f"postgresql://postgres@127.0.0.1:{relay.port}/{served.database}"
    with closing(relay):
        yield url, relay


async def test_the_time_limit_holds_although_the_server_hangs(hung):
    url, relay = hung
    url = f"{url}?connect_timeout=5"
    with open_database(DatabaseEntry(name="shop", url=url)) as database:
        assert (await database.execute("SELECT 1", rows=1, seconds=60)).rows == ((1,),)
        relay.freeze()
        with pytest.raises(QueryTimedOut):
            async with asyncio.timeout(120):
                await database.execute("SELECT 2", rows=1, seconds=0.2)


def test_a_server_that_does_not_greet_is_unreachable(hung):
    url, relay = hung
    relay.freeze()
    with pytest.raises(DatabaseUnreachable):
        open_database(DatabaseEntry(name="shop", url=f"{url}?connect_timeout=1"))
