"""`oldhand ask`: one question, one answer."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from oldhand.cli import exits, options
from oldhand.cli.commands import tell_news
from oldhand.cli.opening import chosen_databases, names_addresses, open_home, run
from oldhand.cli.outputs import ENDINGS
from oldhand.cli.screen import MAX_ROWS, make_console, paged, print_json, program, short_id, typed
from oldhand.errors import OldhandError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from oldhand.face import AsyncOldhand
    from oldhand.record.answer import Answer
    from oldhand.record.memory import Memory

EXAMPLES = options.examples("""
oldhand ask "How many customers live in Berlin?"
oldhand ask "Which 5 products sold best?" --db shop --model openai:gpt-4o
oldhand ask "How many orders are there?" --db shop.db --json
oldhand ask "How many orders were placed per month?" --chart
oldhand ask "Which customers have no order?" --output customers.xlsx
oldhand ask "What is our revenue?" --reflect
oldhand ask "Which customers came back last year?" --model openai:gpt-4o --effort thorough --explain
echo "How many stores are there?" | oldhand ask -
""")

JSON_VERSION = 1
"""Raised when a field of `--json` goes or changes its meaning; new fields don't raise it."""


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
    effort: options.EffortOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print the answer only.")] = False,
    rows: Annotated[
        bool, Option("--rows", help="Show the rows of a proposal, too, before it is agreed to.")
    ] = False,
    explain: Annotated[
        bool,
        Option("--explain", help="Show how it was found, too: how it was read, the plan, the SQL."),
    ] = False,
    chart: Annotated[
        bool, Option("--chart", help="Draw the rows as bars, or as a line over time.")
    ] = False,
    as_csv: Annotated[bool, Option("--csv", help="Print the rows only, as CSV.")] = False,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write all rows, or a chart of them, to a file that ends with {ENDINGS}.",
        ),
    ] = None,
    reflect: options.ReflectOption = False,
) -> None:
    """Ask a question over the registered databases.

    Shows the answer and its rows; --explain, or `oldhand why last`, shows how it was found. The exit code is 3 when there
    is no answer. Where it is not certain how a question is meant, the likeliest reading is proposed: on a terminal you are asked whether
    that is right; a yes shows the rows and is remembered, a no brings the next reading. Every answer is looked back on in the background; --reflect waits for it and shows what was found.
    """
    from oldhand.cli.answering import Running, explained, reading
    from oldhand.cli.outputs import check_output, hand_out

    check_output(output)
    text = words_of(question)
    plain = as_json or as_csv or quiet
    console = make_console(stderr=as_csv)
    running = Running(console)
    asks_back = not plain and sys.stdin.isatty()
    opening = home, store, model, base_url

    async def work() -> "tuple[Answer, Memory | None]":
        async with open_home(*opening, create=names_addresses(databases)) as old:
            last = (
                await old.episodes.list(user=user, session_id=session, limit=1) if session else ()
            )
            said = reading(text, last[0].answer if last else None)
            names = chosen_databases(old.databases, databases)
            if agreed := await _agreed(old, text, user, session):
                return agreed, None
            with nullcontext() if plain else running.live:
                answer = await old.ask(
                    said,
                    databases=names,
                    user=user,
                    session_id=session,
                    effort=effort,
                    observe=running,
                )
            await tell_news(old, user)
            return answer, await _reflection(old, answer) if reflect else None

    answer, reflection = run(work())
    if as_json:
        print_json(as_object(answer, reflection))
    elif not as_csv or (answer.abstained and not rows):
        show(console, answer, brief=plain, unfolded=rows)
    if asks_back and answer.proposal is not None:
        answer = _settled(answer, opening, (user, databases))
    if explain and not plain:
        console.print(*explained(answer), sep="\n")
    if answer.columns and (rows or not answer.abstained):
        hand_out(answer, chart=chart and not plain, as_csv=as_csv, file=output)
    if answer.options and not (plain or asks_back):
        console.print(_how_to_reply(answer, _given(opening, user, databases)))
    if reflection is not None and not plain:
        from oldhand.cli.learned import reflection_lines

        console.print(*reflection_lines(reflection), sep="\n")
    raise Exit(exit_of(answer))


def words_of(question: Sequence[str]) -> str:
    """The question out of the words of a command; what standard input says where it is only a dash."""
    words = " ".join(question)
    return sys.stdin.read().strip() if words == "-" else words


def show(console: "Console", answer: "Answer", *, brief: bool, unfolded: bool = False) -> None:
    """Print the answer and its table; on a terminal all rows, through a pager where they are more than fit."""
    from oldhand.cli.answering import answer_of

    shown = len(answer.rows) if console.is_terminal else MAX_ROWS
    paged(console, answer_of(answer, brief=brief, unfolded=unfolded, max_rows=shown))


def _given(
    opening: "tuple[Path | None, str | None, str | None, str | None]",
    user: str,
    databases: Sequence[str] | None,
) -> "list[tuple[str, Path | str | None]]":
    """The options of a command, to be written again."""
    named = zip(("--home", "--store", "--model", "--base-url"), opening, strict=True)
    chosen = [("--db", each) for each in databases or ()]
    return [*named, ("--user", user if user != "default" else None), *chosen]


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
            agreed, receipt = await offer.agree(old, line)
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


async def _agreed(
    old: "AsyncOldhand", text: str, user: str, session: str | None
) -> "Answer | None":
    """What somebody agrees to with a yes: what was asked last, be it a proposal or a correction of it; None where no reply is waited for."""
    from oldhand.agent.analyst.replies import bare_reply
    from oldhand.cli.proposing import NOT_MEANT, Offer, agree, waits_for_correction

    if (is_yes := bare_reply(text)) is None:
        return None
    last = await old.episodes.list(user=user, session_id=session, limit=1)
    if not last:
        return None
    answer = last[0].answer
    offer = Offer(answer, user)
    try:
        corrects = await waits_for_correction(old, answer, user)
    except UsageError:
        if is_yes:
            raise
        corrects = False
    if not (corrects or offer.is_open):
        return None
    if is_yes:
        return (await agree(old, answer, user, text))[0]
    if corrects:
        await old.feedback(answer.episode_id, text=text, rater=user)
    make_console().print(NOT_MEANT if corrects else await offer.refuse(old), markup=False)
    raise Exit(exit_of(answer))


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
        other = " (or the number of another reading)" if len(answer.options) > 1 else ""
        lines = [
            f"If it is right: {agree}{other}",
            f"Else: {program()} fix {short_id(answer.episode_id)}{said}",
        ]
        if unread := _word_to_explain(answer.question, answer.proposal.left_out):
            lines.append(f'Or say what it means: {program()} rule add "{unread} means …"{said}')
        return "\n".join(lines)
    same = _as_options(named)
    return f'Answer: {program()} ask "1"{same}\nOr talk: {program()} chat{same}'


def _word_to_explain(question: str, left_out: "Iterable[str]") -> str:
    """The first word that was left out and can be explained by itself: neither `the`, nor the half of `call-outs`."""
    from oldhand.lexicon.tokens import STOP_WORDS

    halves = {half for word in question.casefold().split() for half in word.strip("?.,!").split("-") if "-" in word}  # fmt: skip
    words = (word for word in left_out if word.isalpha())
    return next((w for w in words if w.casefold() not in STOP_WORDS | halves), "")


def _as_options(named: "Iterable[tuple[str, Path | str | None]]") -> str:
    return "".join(f" {name} {shlex.quote(str(value))}" for name, value in named if value)


def as_object(answer: "Answer", reflection: "Memory | None" = None) -> dict[str, object]:
    """The answer as `--json` prints it: the fields of `oldhand.Answer`, and which version of them it is."""
    fields = answer.model_dump(mode="json")
    found = {} if reflection is None else {"reflection": reflection.model_dump(mode="json")}
    return {"version": JSON_VERSION, **fields, "abstained": answer.abstained, **found}


def exit_of(answer: "Answer") -> exits.Exit:
    """The exit code that tells how a question ended."""
    from oldhand.record.answer import Outcome

    codes = {Outcome.ANSWERED: exits.Exit.OK, Outcome.FAILED: exits.Exit.DATABASE}
    return codes.get(answer.outcome, exits.Exit.NO_ANSWER)
