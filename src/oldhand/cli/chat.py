"""`oldhand chat`: a conversation in the terminal, or line by line through a pipe."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.cli import options
from oldhand.cli.commands import tell_news
from oldhand.cli.exits import report
from oldhand.cli.opening import chosen_databases, names_addresses, open_home
from oldhand.cli.screen import make_console, one_line
from oldhand.errors import OldhandError

if TYPE_CHECKING:
    from asyncio import Runner

    from prompt_toolkit import PromptSession

    from oldhand.cli.conversation import Conversation
    from oldhand.record.consultation import Consultation

HISTORY_FILE = "chat_history"

EXAMPLES = options.examples("""
oldhand chat
oldhand chat --db shop --session 3f9c2a
oldhand chat --reflect
printf 'How many orders are there?\\n/good\\n' | oldhand chat
""")


def chat(
    *,
    home: options.HomeOption = None,
    databases: options.DatabasesOption = None,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    user: options.UserOption = "default",
    session: options.SessionOption = None,
    store: options.StoreOption = None,
    reflect: options.ReflectOption = False,
) -> None:
    """Have a conversation, in which follow-up questions are understood.

    /help lists the commands. /good and /bad say how the last answer was, and /correct what it should have been. --reflect shows after each answer,
    and after each of these, what looking back on it finds.
    """
    import asyncio

    from oldhand.cli.conversation import Conversation

    old = open_home(home, store, model, base_url, create=names_addresses(databases))
    with asyncio.Runner() as runner:
        try:
            conversation = Conversation(
                old,
                make_console(),
                user=user,
                databases=chosen_databases(old.databases, databases),
                session_id=session,
                reflects=reflect,
            )
            _converse(runner, conversation, old.path)
        finally:
            runner.run(old.close())


def _converse(runner: "Runner", conversation: "Conversation", home: Path) -> None:
    """Take lines until there are no more; an error or Ctrl-C ends a question, not the conversation."""
    lines = _typed_lines(runner, conversation, home) if sys.stdin.isatty() else _piped_lines()
    for line in lines:
        try:
            runner.run(conversation.say(line))
            runner.run(tell_news(conversation.old, conversation.user))
        except OldhandError as error:
            report(error)
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            print("Interrupted.", file=sys.stderr)
        if conversation.over:
            return


def _piped_lines() -> Iterator[str]:

    for line in sys.stdin:
        if line.strip():
            print(f"> {one_line(line)}")
            yield line


def _typed_lines(runner: "Runner", conversation: "Conversation", home: Path) -> Iterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory

    print("Ask a question, or /help. Ctrl-D leaves.")
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(home / HISTORY_FILE)),
        completer=WordCompleter(sorted(conversation.commands), sentence=True),
        complete_while_typing=False,
    )
    while True:
        try:
            yield runner.run(_typed(session, conversation))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


async def _typed(session: "PromptSession[str]", conversation: "Conversation") -> str:
    """The next line; what people answer meanwhile stands above it."""
    import asyncio

    from prompt_toolkit.patch_stdout import patch_stdout

    def tell(one: "Consultation") -> None:
        print(one_line(one.told))

    listening = asyncio.create_task(conversation.old.experts.listen(tell, conversation.user))
    try:
        with patch_stdout():
            return await session.prompt_async("> ")
    finally:
        listening.cancel()
