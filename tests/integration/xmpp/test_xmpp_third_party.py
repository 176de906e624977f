"""An expert with a client of others' making: go-sendxmpp, which knows neither threads nor our metadata."""

import asyncio
import os
import shutil

import pytest
from tests.patience import PATIENCE

from oldhand.human import Agent, HumanInteractionBehaviour
from oldhand.record.consultation import ConsultationState

PROGRAM = shutil.which("go-sendxmpp")


@pytest.mark.skipif(PROGRAM is None, reason="needs go-sendxmpp: apt install go-sendxmpp")
async def test_an_expert_answers_with_go_sendxmpp(account, prosody):
    bo = account("bo")
    signs_in = ["-u", bo.jid, "-p", bo.password, "-j", f"localhost:{bo.port}"]
    environ = {**os.environ, "SSL_CERT_FILE": str(prosody.certificate)}
    pipe = asyncio.subprocess.PIPE
    async with Agent(account("agent")) as agent, asyncio.timeout(PATIENCE):
        listens = await asyncio.create_subprocess_exec(
            PROGRAM, *signs_in, "--listen", stdout=pipe, env=environ
        )
        asks = HumanInteractionBehaviour(bo.jid, "How many bikes fit into the van?")
        agent.add_behaviour(asks)
        line = (await listens.stdout.readline()).decode()
        assert f"[Query {asks.query_id}] How many bikes fit into the van?" in line
        says = await asyncio.create_subprocess_exec(
            PROGRAM, *signs_in, agent.jid, stdin=pipe, env=environ
        )
        await says.communicate(b"Twelve.\n")
        await asks.join(PATIENCE)
        assert (asks.outcome, asks.response) == (ConsultationState.ANSWERED, "Twelve.")
        listens.kill()
        await listens.wait()
