"""Agents that think, those who talk to them, and the people whom they ask, over a real server."""

import asyncio
import sys

from tests.integration.xmpp.people import person
from tests.patience import PATIENCE

from oldhand import create_tool_use_agent
from oldhand.human import (
    Agent,
    AgentMessage,
    ChatAgent,
    CyclicBehaviour,
    HumanInTheLoopTool,
    LLMAgent,
    Template,
)
from oldhand.models.language_model import ToolCall
from oldhand.testing import ScriptedModel


class Collects(CyclicBehaviour):
    """Keeps what it gets."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[str] = []
        self.some = asyncio.Event()

    async def run(self) -> None:
        message = await self.receive()
        self.got.append(message.body)
        self.some.set()


def chat(account, to: str) -> tuple[ChatAgent, list[str]]:
    shown: list[str] = []
    return ChatAgent(account, target_agent_jid=to, display_callback=lambda text, _: shown.append(text)), shown  # fmt: skip


async def test_the_built_in_mind_asks_an_expert_where_it_does_not_know(account, tmp_path):
    expert, shop = account("expert"), account("shop")
    tool = HumanInTheLoopTool(expert.jid, timeout=PATIENCE)
    mind = create_tool_use_agent(tools=[tool], home=tmp_path / "home")
    chatting, shown = chat(account("ana"), shop.jid)
    async with LLMAgent(shop, provider=mind), chatting, person(expert) as bo:
        await chatting.send_message_async("When does the fair begin?")
        question = await bo.reads()
        assert question.get_metadata("type") == "human_query"
        assert "When does the fair begin?" in question.body
        assert chatting.is_waiting_response()
        await bo.replies(question, "On 3 May.")
        assert await chatting.wait_for_response(PATIENCE)
    assert shown == ["On 3 May."]
    mind.close()


async def test_a_conversation_goes_on_while_another_waits_for_a_person(account, caplog):
    """A model asks for Ana; Cy is answered meanwhile, and neither gets what the other is told."""
    expert, shop = account("expert"), account("shop")
    call = ToolCall(id="a", name="ask_human_expert", arguments={"question": "Discount for Ana?"})
    model = ScriptedModel([[call], "It is noon.", "Ana gets 5 %."])
    agent = LLMAgent(shop, provider=model, tools=[HumanInTheLoopTool(expert.jid)])
    (ana, to_ana), (cy, to_cy) = chat(account("ana"), shop.jid), chat(account("cy"), shop.jid)
    async with agent, ana, cy, person(expert) as bo:
        await ana.send_message_async("May I have a discount?")
        question = await bo.reads()
        await cy.send_message_async("What time is it?")
        assert await cy.wait_for_response(PATIENCE)
        await bo.replies(question, "5 %")
        assert await ana.wait_for_response(PATIENCE)
    assert (to_ana, to_cy) == (["Ana gets 5 %."], ["It is noon."])
    assert caplog.text.count("what waits is lost when this process ends") == 1


async def test_templates_keep_messages_for_minds_and_answers_of_people_apart(account):
    async with Agent(account("agent")) as agent, person(account("bo")) as bo:
        minds, others = Collects(), Collects()
        agent.add_behaviour(others, ~Template(metadata={"message_type": "llm"}))
        agent.add_behaviour(minds, Template(metadata={"message_type": "llm"}))
        tool = HumanInTheLoopTool(bo.jid)
        tool.set_agent(agent)
        asking = asyncio.create_task(tool.call({"question": "Which one?"}))
        question = await bo.reads()
        llm = AgentMessage(agent.jid, body="think", metadata={"message_type": "llm"})
        llm.thread = question.thread
        await bo.link.send(llm)
        await asyncio.wait_for(minds.some.wait(), PATIENCE)
        assert not asking.done()
        await bo.replies(question, "this one")
        assert (await asking).text == "this one"
        await bo.writes(agent.jid, "hello")
        await asyncio.wait_for(others.some.wait(), PATIENCE)
        assert (minds.got, others.got) == (["think"], ["hello"])


async def test_what_a_behaviour_raises_ends_it_alone(account, caplog):
    class Fails(CyclicBehaviour):
        async def run(self) -> None:
            raise ValueError("no")

    async with Agent(account("agent")) as agent:
        fails, waits = Fails(), Collects()
        agent.add_behaviour(waits)
        agent.add_behaviour(fails)
        await fails.join(PATIENCE)
        assert isinstance(fails.exit_code, ValueError)
        assert agent.behaviours == [waits]
    assert waits.is_killed()
    assert "Fails ended: no" in caplog.text


ASKING = """
import asyncio
import sys
from oldhand import create_tool_use_agent
from oldhand.human import HumanInTheLoopTool, LLMAgent, XmppAccount

async def main():
    tool = HumanInTheLoopTool({bo!r}, timeout=600)
    with create_tool_use_agent([tool], home={home!r}) as mind:
        async with LLMAgent(XmppAccount({jid!r}, {password!r}, "127.0.0.1", {port}, {ca_file!r}), provider=mind):
            await mind.arun("When does the fair begin?")

asyncio.run(main())
"""


async def test_what_is_said_while_a_killed_agent_is_away_answers_its_run_when_it_is_back(
    account, tmp_path
):
    expert, shop, home = account("expert"), account("shop"), str(tmp_path / "home")
    given = {"bo": expert.jid, "home": home, "jid": shop.jid, "password": shop.password}
    program = ASKING.format(**given, port=shop.port, ca_file=str(shop.ca_file))
    async with person(expert) as bo:
        asking = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
        question = await asyncio.wait_for(bo.told.get(), PATIENCE)  # a program has to start
        asking.kill()
        await asking.wait()
        await bo.replies(question, "On 3 May.")
        mind = create_tool_use_agent(tools=[HumanInTheLoopTool(expert.jid, PATIENCE)], home=home)
        (left,) = await asyncio.to_thread(mind.unfinished)
        async with LLMAgent(shop, provider=mind):
            state = await mind.aresume(left.run_id)
        assert state.answer == "On 3 May."
        assert bo.told.empty() or "Thank you" in (await bo.reads()).body
    await mind.aclose()
