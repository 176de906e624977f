"""An XMPP server of one's own: Prosody, set up in a folder and run on this machine."""

import asyncio
import fcntl
import json
import os
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from string import Template as Layout

from pydantic import BaseModel, ValidationError

from oldhand.errors import ProsodyFailed, ProsodyMissing
from oldhand.human.addresses import XmppAccount, checked_address
from oldhand.sources.databases.files import write_atomically

DOMAIN = "localhost"
"""The part of addresses after the @."""
ACCOUNTS = "accounts.json"
LOOPBACK = "127.0.0.1"
_STARTS_WITHIN = 60.0
_STOPS_WITHIN = 10.0
_CONFIGURATION = Path(__file__).with_name("prosody.cfg.lua")


class _Kept(BaseModel):
    """What the folder remembers of its server."""

    domain: str = DOMAIN
    port: int = 5222
    passwords: dict[str, str] = {}


class ProsodyServer:
    """Prosody on this machine, for agents and experts of one home.

    Args:
        folder: where its configuration, certificate, accounts and archive lie; made if missing, and readable by nobody else.
        domain: the part of addresses after the @; as before when None.
        port: where it listens, on loopback only; as before when None, 0 for any that is free.
        program: Prosody itself.
    """

    def __init__(
        self,
        folder: Path,
        *,
        domain: str | None = None,
        port: int | None = None,
        program: str = "prosody",
    ) -> None:
        self._program = program
        self.folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._kept = self._read()
        self._kept.domain = domain or self._kept.domain
        self._kept.port = free_port() if port == 0 else port or self._kept.port
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    @property
    def domain(self) -> str:
        """The part of its addresses after the @."""
        return self._kept.domain

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._kept.port

    @property
    def pid(self) -> int:
        """Of its process; 0 when it does not run."""
        return 0 if self._process is None else self._process.pid

    @property
    def certificate(self) -> Path:
        """What it proves with who it is; clients are told to trust it."""
        return self.folder / "certificate.pem"

    @property
    def accounts(self) -> Path:
        """Who has an account, with their passwords; for nobody else's eyes."""
        return self.folder / ACCOUNTS

    @property
    def log(self) -> Path:
        """What it says."""
        return self.folder / "prosody.log"

    def addresses(self) -> tuple[str, ...]:
        """The addresses of all accounts."""
        return tuple(f"{name}@{self.domain}" for name in self._kept.passwords)

    def account(self, name: str, password: str | None = None) -> XmppAccount:
        """How somebody signs in; the account is made if it is missing, also while the server runs.

        Args:
            name: the part of the address before the @, or an address of this server.
            password: a random one, or that from before, when None.
        """
        user = str(checked_address(name if "@" in name else f"{name}@{self.domain}").user)
        self._kept.passwords |= self._read().passwords  # others may have added some
        kept = self._kept.passwords.get(user)
        wanted = password or kept or secrets.token_urlsafe(18)
        if wanted != kept:
            self._kept.passwords[user] = wanted
            self._write_account(user, wanted)
            self._write()
        return XmppAccount(
            f"{user}@{self.domain}", wanted, LOOPBACK, self.port, ca_file=self.certificate
        )

    # --- running

    async def start(self, members: Iterable[str] = ()) -> None:
        """Write its configuration and run it; returns once it answers.

        Args:
            members: names of those who shall see each other, besides all who have an account.

        Raises:
            ProsodyMissing: it is not installed.
            ProsodyFailed: it did not start, for example because the port is taken.
        """
        for name in members:
            self.account(name)
        program = prosody_program(self._program)
        if program is None:
            raise ProsodyMissing(
                "Prosody, the XMPP server, is not installed: `apt install prosody` on Debian and Ubuntu; "
                "https://prosody.im/download for others."
            )
        self._hold()
        try:
            await self._run(program)
        except BaseException:
            await self.stop()
            raise

    async def _run(self, program: str) -> None:
        if await _listens(self.port):
            raise ProsodyFailed(
                f"Port {self.port} is taken, maybe by another XMPP server: name another one with --port."
            )
        await asyncio.to_thread(self._write_all)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220, S603 - returns at once; our own program
                [program, "--config", str(self.folder / "prosody.cfg.lua"), "-F"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        (self.folder / "running.pid").write_text(str(self._process.pid), "utf-8")
        await self._answers(self._process)

    def _hold(self) -> None:
        """One server for a folder; what a program that was killed has left running is ended."""
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise ProsodyFailed(f"The server of {self.folder} runs already: use it.") from error
        self._lock = lock
        left = self.folder / "running.pid"
        if left.is_file() and (pid := left.read_text("utf-8").strip()).isdecimal():
            command = Path(f"/proc/{pid}/cmdline")
            if command.exists() and str(self.folder).encode() in command.read_bytes():
                watch = os.pidfd_open(int(pid))
                os.kill(int(pid), signal.SIGKILL)
                _ = select.select([watch], [], [], _STOPS_WITHIN)
                os.close(watch)

    async def _answers(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until it listens, or has given up."""
        try:
            async with asyncio.timeout(_STARTS_WITHIN):
                while process.poll() is None and not await _listens(self.port):  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise ProsodyFailed(f"Prosody does not answer. {self.said()}") from error
        if process.poll() is not None:
            raise ProsodyFailed(f"Prosody did not start. {self.said()}")

    def said(self) -> str:
        """The end of its log, for a person to read."""
        lines = self.log.read_text("utf-8", "replace").splitlines()[-12:]
        return "\n".join((f"The end of {self.log}:", *lines))

    async def stop(self) -> None:
        """End it; safe to call twice."""
        await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End it at once, as a crash would."""
        await self._end(signal.SIGKILL)

    async def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        lock, self._lock = self._lock, None
        try:
            if process is not None:
                process.send_signal(how)
                _ = await asyncio.to_thread(process.wait, _STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            if process is not None:
                process.kill()
                _ = await asyncio.to_thread(process.wait)
        finally:
            if lock is not None:
                os.close(lock)

    async def ended(self) -> None:
        """Wait until it has ended, whoever ended it."""
        if self._process is not None:
            _ = await asyncio.to_thread(self._process.wait)

    # --- files

    def _write_all(self) -> None:
        values = {
            "folder": _lua(str(self.folder)),
            "domain": _lua(self.domain),
            "port": str(self.port),
            "as_root": "true" if os.geteuid() == 0 else "false",
        }
        text = Layout(_CONFIGURATION.read_text("utf-8")).substitute(values)
        (self.folder / "prosody.cfg.lua").write_text(text, "utf-8")
        members = "".join(
            f"{address}={address.partition('@')[0]}\n" for address in self.addresses()
        )
        (self.folder / "members.txt").write_text(f"[Oldhand]\n{members}", "utf-8")
        (self.folder / "data").mkdir(exist_ok=True, mode=0o700)
        if not self.certificate.exists():
            self._make_certificate()
        self._write()

    def _make_certificate(self) -> None:
        """One that signs itself; only for this machine."""
        key = self.folder / "key.pem"
        command = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "3650", "-subj", f"/CN={self.domain}", "-addext", f"subjectAltName=DNS:{self.domain}",
            "-keyout", str(key), "-out", str(self.certificate),
        ]  # fmt: skip
        try:
            _ = subprocess.run(command, check=True, capture_output=True, timeout=60)  # noqa: S603 - our own words
        except (OSError, subprocess.SubprocessError) as error:
            raise ProsodyFailed(
                f"openssl could not make a certificate ({error}): `apt install openssl`."
            ) from error
        key.chmod(0o600)

    def _write_account(self, user: str, password: str) -> None:
        """As Prosody keeps accounts; it replaces the password by its hash at the first sign-in."""
        folder = self.folder / "data" / _file_name(self.domain) / "accounts"
        folder.mkdir(parents=True, exist_ok=True)
        text = f'return {{ ["password"] = "{_lua(password)}"; }};\n'
        write_atomically(folder / f"{_file_name(user)}.dat", text, private=True)

    def _read(self) -> _Kept:
        path = self.accounts
        try:
            return _Kept.model_validate_json(path.read_bytes()) if path.exists() else _Kept()
        except ValidationError as error:
            raise ProsodyFailed(
                f"{path} is damaged: delete it, and every account gets a new password."
            ) from error

    def _write(self) -> None:
        kept = json.dumps(self._kept.model_dump(), indent=1)
        write_atomically(self.accounts, kept, private=True)


def prosody_program(name: str = "prosody") -> str | None:
    """Where Prosody is installed; None where it is not."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/bin:/usr/sbin")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


async def _listens(port: int) -> bool:
    try:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        return False
    writer.write(b"<stream:stream/>")  # it answers once it has started as a whole
    with suppress(TimeoutError, OSError):
        _ = await asyncio.wait_for(reader.read(1), 2.0)
    writer.close()
    return True


def _file_name(text: str) -> str:
    """As Prosody writes names of files: `%2e` for a dot."""
    return re.sub(rb"[^A-Za-z0-9]", lambda found: b"%%%02x" % found[0][0], text.encode()).decode()


def _lua(text: str) -> str:
    """The inside of a Lua string."""
    return re.sub(r'[\\"\x00-\x1f\x7f]', lambda found: f"\\{ord(found[0]):03d}", text)
