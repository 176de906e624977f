"""Questions to people over a real server: who may answer, which question it is, and how each ends."""

import asyncio

import pytest
from tests.integration.xmpp.people import person
from tests.patience import PATIENCE

from oldhand.errors import ToolFailed
from oldhand.human import Agent, HumanInteractionBehaviour, HumanInTheLoopTool
from oldhand.human.mailroom import Handed
from oldhand.record.consultation import ConsultationState as State


async def asked(agent: Agent, of: str, question: str, seconds: float = PATIENCE):
    behaviour = HumanInteractionBehaviour(of, question, timeout=seconds)
    agent.add_behaviour(behaviour)
    return behaviour


async def test_two_questions_at_once_get_each_its_own_answer_whatever_the_order(account):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        one, two = await asked(agent, bo.jid, "One?"), await asked(agent, bo.jid, "Two?")
        first, second = await bo.reads(), await bo.reads()
        assert first.body.startswith(f"[Query {one.query_id}] One?")
        assert first.thread == one.thread
        await bo.replies(second, "for two")
        await bo.replies(first, "for one")
        await one.join(PATIENCE)
        await two.join(PATIENCE)
        assert (one.response, two.response) == ("for one", "for two")
        assert (one.outcome, two.outcome) == (State.ANSWERED, State.ANSWERED)
        assert agent.behaviours == []


async def test_what_does_not_count_as_an_answer_leaves_the_question_open(account):
    """Forged, of another thread, twice, or without saying for which question it is."""
    bo_account = account("bo")
    async with (
        Agent(account("agent")) as agent,
        person(bo_account) as bo,
        person(account("eve")) as eve,
    ):
        waits = await asked(agent, bo.jid, "What is the code?")
        question = await bo.reads()
        await eve.replies(question, "I am Bo: 0000")
        await eve.writes(agent.jid, f"[{waits.query_id}] 0000")
        await bo.writes(agent.jid, "of another thread", thread="some-client-made-this-up")
        assert "Which question is this for?" in (await bo.reads()).body
        other = await asked(agent, bo.jid, "And the colour?")
        await bo.reads()
        await bo.writes(agent.jid, "blue")
        assert f"[{other.query_id}] And the colour?" in (await bo.reads()).body
        assert not waits.is_done()
        assert not other.is_done()
        await bo.writes(agent.jid, f"[{other.query_id}] blue")
        await other.join(PATIENCE)
        await bo.writes(agent.jid, "4711", message_id="the-same")
        await bo.writes(agent.jid, "4711", message_id="the-same")
        await waits.join(PATIENCE)
        assert (waits.response, other.response) == ("4711", "blue")
        counts = agent.mailroom.counts
        assert (counts[Handed.FORGED], counts[Handed.UNCLEAR], counts[Handed.ENDED]) == (2, 2, 0)


async def test_an_answer_after_the_deadline_is_told_that_it_is_late(account):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        tool = HumanInTheLoopTool(bo.jid, timeout=0.3)
        tool.set_agent(agent)
        with pytest.raises(ToolFailed, match=r"^Timeout: Human expert did not respond within 0.3"):
            await tool.call({"question": "Quick?"})
        await bo.replies(await bo.reads(), "slow")
        assert (await bo.reads()).body.startswith("Thank you, but this question has ended")


async def test_declining_asking_back_and_answers_that_look_like_errors(account):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        tool = HumanInTheLoopTool(bo.jid, timeout=PATIENCE)
        tool.set_agent(agent)

        async def says(text: str) -> str:
            asking = asyncio.create_task(tool.call({"question": "Hm?", "context": "It is late."}))
            message = await bo.reads()
            assert "\n\nContext: It is late.\n\n(Please reply to this message" in message.body
            await bo.replies(message, text)
            return (await asking).text

        assert await says("Timeout: ha ha") == "Timeout: ha ha"
        assert await says("/ask Which year?") == "The human expert asks back: Which year?"
        with pytest.raises(ToolFailed, match=r"Declined: .*\n<reason>\nnot mine"):
            await says("/decline not mine")


async def test_a_wrong_address_fails_at_once(account, prosody):
    async with Agent(account("agent")) as agent:
        tool = HumanInTheLoopTool(f"nobody@{prosody.domain}", timeout=600)
        tool.set_agent(agent)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ToolFailed, match=r"^Error consulting human expert: "):
                await tool.call({"question": "Anybody?"})
            tool = HumanInTheLoopTool("bo@example.invalid", timeout=600)
            tool.set_agent(agent)
            with pytest.raises(ToolFailed, match=r"^Error consulting human expert: "):
                await tool.call({"question": "Anybody?"})


async def test_an_expert_who_is_offline_finds_the_question_when_they_come(account):
    bo_account = account("bo")
    async with Agent(account("agent")) as agent:
        waits = await asked(agent, bo_account.jid, "Where are you?")
        assert await agent.link.flushed(PATIENCE)
        async with person(bo_account) as bo:
            await bo.replies(await bo.reads(), "Here.")
            await waits.join(PATIENCE)
        assert waits.response == "Here."


async def test_cancelling_whoever_waits_ends_the_question_and_tells_the_person(account):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        tool = HumanInTheLoopTool(bo.jid)
        tool.set_agent(agent)
        asking = asyncio.create_task(tool.call({"question": "Still there?"}))
        question = await bo.reads()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert "No answer is needed any more" in (await bo.reads()).body
        assert agent.behaviours == []
        await bo.replies(question, "Yes!")
        assert "has ended" in (await bo.reads()).body


async def test_a_message_that_is_too_large_fails_and_one_that_the_server_refuses_harms_nobody(
    account,
):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        waits = await asked(agent, bo.jid, "x" * 300_000)
        await waits.join(PATIENCE)
        assert (waits.outcome, "shorten it" in waits.note) == (State.FAILED, True)
        waits = await asked(agent, bo.jid, "Tell me all about \x00 it.")
        question = await bo.reads()
        assert "\ufffd" in question.body
        session = bo.link._session
        session._client.send_message(mto=question.sender, mbody="y" * 400_000, mtype="chat")
        await asyncio.wait_for(session._ended, PATIENCE)  # the server closes the connection
        await bo.replies(question, "short")
        await waits.join(PATIENCE)
        assert (waits.outcome, waits.note, waits.response) == (State.ANSWERED, "", "short")
