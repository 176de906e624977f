"""Code as it is written for SPADE runs as it stands: only its imports are others."""

from tests.integration.xmpp.people import person
from tests.patience import PATIENCE

from oldhand.human import (
    Agent,
    HumanInteractionBehaviour,
    HumanInTheLoopTool,
    Message,
    OneShotBehaviour,
    Template,
)


class LLMTool(HumanInTheLoopTool):
    """A tool as its author wrote it, behaviour by behaviour."""

    async def _ask_human(self, question: str, context: str | None = None) -> str:
        interaction = HumanInteractionBehaviour(
            human_jid=self.human_jid, question=question, context=context, timeout=self.timeout
        )
        self._agent.add_behaviour(interaction)
        try:
            await interaction.join(timeout=self.timeout)
            return interaction.response or "No response received"
        except TimeoutError:
            self._agent.remove_behaviour(interaction)
            return "Timeout: Human expert did not respond..."


class SendBehaviour(OneShotBehaviour):
    async def run(self) -> None:
        msg = Message(to=self.get("target"))
        msg.body = "How many?"
        msg.thread = "t1"
        msg.set_metadata("message_type", "llm")
        await self.send(msg)
        self.reply = await self.receive(timeout=PATIENCE)


async def test_a_dynamic_behaviour_asks_a_person_and_templates_keep_answers_apart(account):
    shop, other = Agent(account("shop")), Agent(account("other"))
    template = Template()
    template.set_metadata("message_type", "llm")
    sends = SendBehaviour()
    other.set("target", shop.jid)
    other.add_behaviour(sends, template)
    tool = LLMTool(human_expert_jid="bo@localhost", timeout=300.0)
    assert (tool.name, tool.timeout) == ("ask_human_expert", 300.0)
    assert tool.parameters["required"] == ["question"]
    tool.set_agent(shop)

    class Replies(OneShotBehaviour):
        async def run(self) -> None:
            asked = await self.receive(timeout=PATIENCE)
            answer = await tool._ask_human(asked.body, context="Bikes, into the van.")
            reply = Message(to=str(asked.sender))
            reply.body = answer
            reply.set_metadata("message_type", "llm")
            await self.send(reply)

    shop.add_behaviour(Replies(), template)
    async with person(account("bo")) as bo, shop, other:
        tool.human_jid = bo.jid
        question = await bo.reads()
        assert "Context: Bikes, into the van." in question.body
        assert question.metadata == {"type": "human_query", "query_id": question.thread[:8]}
        await bo.replies(question, "Twelve.")
        await sends.join(timeout=PATIENCE)
        assert sends.reply.body == "Twelve."
        tool.timeout = 0.2
        assert (await tool._ask_human("Still?")).startswith(("Timeout", "No response"))
