"""An agent asks a human expert while it works, over an XMPP server that this program starts itself.

    python examples/human_in_the_loop_example.py            you are the expert, in this terminal
    python examples/human_in_the_loop_example.py --scripted a program plays the expert
    python examples/human_in_the_loop_example.py --model openai:gpt-4o

Needs Prosody (`apt install prosody`) and `pip install 'oldhand[xmpp]'`. You can answer from any XMPP client as well: sign in with the
address and password that it prints.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from oldhand import create_tool_use_agent
from oldhand.human import (
    Agent,
    AgentMessage,
    ChatAgent,
    CyclicBehaviour,
    HumanInTheLoopTool,
    LLMAgent,
    ProsodyServer,
    Template,
)

QUESTION = "Do we give Kaya Brothers a discount on helmets?"
SCRIPTED = "Yes, 5 percent since March."


class ExpertInTerminal(CyclicBehaviour):
    """Shows questions, and sends back what is typed, or what the script says."""

    def __init__(self, scripted: str | None) -> None:
        super().__init__()
        self.scripted = scripted

    async def run(self) -> None:
        """One question."""
        question = await self.receive()
        if question is None:
            return
        print(f"\nFor the expert:\n{question.body}")
        answer = self.scripted or await asyncio.to_thread(input, "Your answer> ")
        print(f"The expert answers: {answer}")
        await self.send(AgentMessage(question.sender, body=answer, thread=question.thread))


async def main(model: str, scripted: str | None, folder: Path) -> None:
    """A server, an agent that thinks, somebody who asks it, and an expert."""
    server = ProsodyServer(folder / "xmpp", port=0)
    expert, shop, user = (server.account(name) for name in ("expert", "shop", "user"))
    await server.start()
    print(
        f"XMPP answers at 127.0.0.1:{server.port}; the expert is {expert.jid}, password {expert.password}"
    )

    tool = HumanInTheLoopTool(human_expert_jid=expert.jid, timeout=300.0)
    mind = create_tool_use_agent(tools=[tool], model_name=model, home=folder / "home")
    asking = ChatAgent(
        user,
        target_agent_jid=shop.jid,
        display_callback=lambda text, sender: print(
            f"\n{sender.partition('/')[0]} replies: {text}"
        ),
    )
    at_the_desk = Agent(expert)
    at_the_desk.add_behaviour(
        ExpertInTerminal(scripted), Template(metadata={"type": "human_query"})
    )
    try:
        async with LLMAgent(shop, provider=mind), at_the_desk, asking:
            print(f"\n{user.jid} asks: {QUESTION}")
            await asking.send_message_async(QUESTION)
            if not await asking.wait_for_response(timeout=310.0):
                print("Nobody replied in time.")
    finally:
        await mind.aclose()
        await server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--model", default="builtin", help="who thinks; the built-in mind by default"
    )
    parser.add_argument("--scripted", action="store_true", help="a program plays the expert")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(given.model, SCRIPTED if given.scripted else None, Path(made)))
