"""`oldhand ask`: one question, one answer."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from oldhand.cli import exits, options
from oldhand.cli.opening import asked_databases, open_home, run
from oldhand.cli.screen import make_console, print_json, program, short_id, typed
from oldhand.errors import OldhandError

if TYPE_CHECKING:
    from oldhand.face import AsyncOldhand
    from oldhand.record.answer import Answer
    from oldhand.record.memory import Memory

EXAMPLES = options.examples("""
oldhand ask "How many customers live in Berlin?"
oldhand ask "Which 5 products sold best?" --db shop --model openai:gpt-4o
oldhand ask "How many orders are there?" --db sqlite:///shop.db --json
oldhand ask "What is our revenue?" --reflect
echo "How many stores are there?" | oldhand ask -
""")


def ask(
    question: Annotated[
        list[str], Argument(help="In plain words; - reads it from standard input.")
    ],
    *,
    home: options.HomeOption = None,
    databases: options.DatabasesOption = None,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    user: options.UserOption = "default",
    session: options.SessionOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print the answer only.")] = False,
    rows: Annotated[
        bool, Option("--rows", help="Show the rows of a proposal, too, before it is agreed to.")
    ] = False,
    reflect: options.ReflectOption = False,
) -> None:
    """Ask a question over the registered databases.

    Shows the plan, each step's SQL, what failed and how it was repaired, and the rows. The exit code is 3 when there
    is no answer. Where it is not certain how a question is meant, the likeliest reading is proposed: on a terminal you are asked whether
    that is right; a yes shows the rows and is remembered, a no brings the next reading. Every answer is looked back on in the background; --reflect waits for it and shows what was found.
    """
    from oldhand.cli.answering import Transcript, answer_of, reading, running
    from oldhand.cli.learned import reflection_lines

    words = " ".join(question)
    text = sys.stdin.read().strip() if words == "-" else words
    console = make_console()
    transcript = None if as_json or quiet else Transcript(console)
    asks_back = transcript is not None and sys.stdin.isatty()

    async def work() -> "tuple[Answer, Memory | None]":
        async with open_home(home, store=store, model=model, base_url=base_url) as old:
            last = (
                await old.episodes.list(user=user, session_id=session, limit=1) if session else ()
            )
            said = reading(text, last[0].answer if last else None)
            names = asked_databases(old.databases, databases, said)
            with running(transcript):
                answer = await old.ask(
                    said, databases=names, user=user, session_id=session, observe=transcript
                )
            return answer, await _reflection(old, answer) if reflect else None

    answer, reflection = run(work())
    if as_json:
        found = {} if reflection is None else {"reflection": reflection.model_dump(mode="json")}
        print_json({**as_object(answer), **found})
    else:
        seen = transcript.notes if transcript else ()
        if transcript:
            console.print()
        console.print(*answer_of(answer, seen=seen, brief=quiet, unfolded=rows), sep="\n")
        if asks_back and answer.proposal is not None:
            answer = _settled(answer, (home, store, model, base_url), (user, databases))
        if answer.options and not (quiet or asks_back):
            given = {"--home": home, "--store": store, "--model": model, "--base-url": base_url}
            given["--user"] = user if user != "default" else None
            chosen = [("--db", each) for each in databases or ()]
            console.print(_how_to_reply(answer, [*given.items(), *chosen]))
        if reflection is not None:
            console.print(*reflection_lines(reflection), sep="\n")
    raise Exit(exit_of(answer))


def _settled(
    answer: "Answer",
    opening: "tuple[Path | None, str | None, str | None, str | None]",
    asked: "tuple[str, Sequence[str] | None]",
) -> "Answer":
    """The answer that a yes on the terminal makes of a proposal; the proposal itself when nobody says yes."""
    from oldhand.cli.answering import answer_of
    from oldhand.cli.proposing import Offer, agreed_lines

    home, store, model, base_url = opening
    user, databases = asked
    offer, console = Offer(answer, user, databases), make_console()

    async def take(line: str) -> "Answer | None":
        async with open_home(home, store=store, model=model, base_url=base_url) as old:
            if not offer.agrees(line):
                console.print(await offer.refuse(old), markup=False)
                return None
            agreed, receipt = await offer.agree(old)
        console.print(*answer_of(agreed, brief=True), sep="\n")
        console.print(*agreed_lines(receipt), sep="\n", markup=False)
        return agreed

    while offer.is_open:
        reply = typed("yes, no, or Enter to leave it: ")
        if not (offer.agrees(reply) or offer.refuses(reply)):
            break
        if agreed := run(take(reply)):
            return agreed
    return answer


async def _reflection(old: "AsyncOldhand", answer: "Answer") -> "Memory | None":
    """What looking back finds; an answer is shown even when that fails."""
    try:
        return await old.episodes.reflect(answer.episode_id)
    except OldhandError as error:
        exits.report(error)
        return None


def _how_to_reply(answer: "Answer", given: Sequence[tuple[str, Path | str | None]]) -> str:
    """The command that chooses the first reading, or agrees to it, in the same conversation and with the same options."""
    named = [("--session", answer.session_id), *given]
    if answer.proposal is not None:
        kept = {"--home": dict(given)["--home"], "--store": dict(given)["--store"]}
        said = _as_options(kept.items())
        agree = f"{program()} feedback {short_id(answer.episode_id)} yes{said}"
        return f"If it is right: {agree}\nElse: {program()} fix {short_id(answer.episode_id)}{said}"
    same = _as_options(named)
    return f'Answer: {program()} ask "1"{same}\nOr talk: {program()} chat{same}'


def _as_options(named: "Iterable[tuple[str, Path | str | None]]") -> str:
    return "".join(f" {name} {shlex.quote(str(value))}" for name, value in named if value)


def as_object(answer: "Answer") -> dict[str, object]:
    """The answer as `--json` prints it: the fields of `oldhand.Answer`."""
    return {**answer.model_dump(mode="json"), "abstained": answer.abstained}


def exit_of(answer: "Answer") -> exits.Exit:
    """The exit code that tells how a question ended."""
    from oldhand.record.answer import Outcome

    codes = {Outcome.ANSWERED: exits.Exit.OK, Outcome.FAILED: exits.Exit.DATABASE}
    return codes.get(answer.outcome, exits.Exit.NO_ANSWER)
