"""The example, and the command that runs a server: as people start them."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from tests.integration.xmpp.people import person
from tests.patience import PATIENCE

from oldhand import AsyncOldhand
from oldhand.errors import ProsodyFailed
from oldhand.human import ProsodyServer
from oldhand.human.prosody import free_port

ROOT = Path(__file__).parents[3]


async def test_the_example_runs(prosody):
    program = ROOT / "examples" / "human_in_the_loop_example.py"
    run = await asyncio.create_subprocess_exec(
        sys.executable, program, "--scripted", stdout=asyncio.subprocess.PIPE
    )
    said = (await run.communicate())[0].decode()
    assert run.returncode == 0
    assert "For the expert:\n[Query " in said
    assert said.endswith("shop@localhost replies: Yes, 5 percent since March.\n")


async def test_the_command_serves_the_directory_and_says_what_is_wrong(prosody, tmp_path):
    home, port = tmp_path / "home", free_port()
    environ = {**os.environ, "OLDHAND_HOME": str(home)}

    async def start(*words: str) -> asyncio.subprocess.Process:
        both = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.STDOUT}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "oldhand", *words, env=environ, **both
        )

    async with AsyncOldhand(home) as old:
        await old.people.name(experts=["bo"])
    serving = await start("experts", "serve", "--port", str(port))
    assert f"127.0.0.1:{port}" in (await serving.stdout.readline()).decode()
    with pytest.raises(ProsodyFailed, match="runs already"):
        await ProsodyServer(home / "xmpp").start()
    async with person(ProsodyServer(home / "xmpp").account("bo")) as bo:
        await bo.writes("oldhand@localhost", "I am here.")
    serving.kill()  # Prosody is left behind
    await serving.wait()
    serving = await start("experts", "serve")
    assert f"127.0.0.1:{port}" in (await serving.stdout.readline()).decode()
    serving.send_signal(signal.SIGTERM)
    said = (await asyncio.wait_for(serving.communicate(), PATIENCE))[0].decode()
    assert "bo: bo@localhost" in said
    assert serving.returncode == 0
    assert not (home / "xmpp" / "prosody.pid").exists()
