"""An agent that is killed while it pays: run as a program by the test of killed processes.

python interrupted_program.py STORE_URL LOG begin|resume
"""

import asyncio
import sys
from pathlib import Path

from oldhand.agent.acting import LMPolicy, LoopDependencies, ReActChat, Transition
from oldhand.agent.tools import as_tool
from oldhand.models.clock import SystemClock
from oldhand.models.language_model import ToolCall
from oldhand.store import Store
from oldhand.testing import CountingIds, ScriptedModel

LOOK = ToolCall(id="a", name="look", arguments={"at": "bill"})
PAY = ToolCall(id="b", name="pay", arguments={"whom": "Ana"})
WATCH = ToolCall(id="c", name="watch", arguments={})


def main(store_url: str, log: Path, task: str) -> None:
    def note(line: str) -> str:
        with log.open("a") as file:
            file.write(f"{line}\n")
        return line

    def look(at: str) -> str:
        """Look; does no harm."""
        return note(f"looked at {at}")

    async def pay(whom: str) -> str:
        """Pay; once is enough."""
        note(f"paid {whom}")
        return await never_ends()

    async def watch() -> str:
        """Watch; does no harm."""
        note("watched")
        return "all is well" if task == "resume" else await never_ends()

    def tell_when_all_are_under_way() -> None:
        if len(log.read_text().splitlines()) == 3:
            print("under way", flush=True)

    async def never_ends() -> str:
        tell_when_all_are_under_way()
        await asyncio.Event().wait()
        return "never"

    tools = (as_tool(look, idempotent=True), as_tool(pay), as_tool(watch, idempotent=True))
    script = (
        [[LOOK], [PAY, WATCH]] if task == "begin" else ["It is not known whether Ana was paid."]
    )
    with Store.open(store_url, clock=SystemClock()) as store:
        kept = store.checkpoints("default")
        dependencies = LoopDependencies(checkpoints=kept, new_id=CountingIds("run"))
        agent = ReActChat(
            LMPolicy(ScriptedModel(script), tools), Transition(tools), dependencies=dependencies
        )
        state = agent.run("Pay the bill") if task == "begin" else agent.resume("run-1")
        print(state.model_dump_json(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
