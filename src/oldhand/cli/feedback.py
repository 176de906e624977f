"""`oldhand feedback`: say how good an answer was."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_assistant
from oldhand.cli.screen import short_id
from oldhand.errors import UnknownEpisode, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.record.feedback import Feedback

LAST = "last"

EXAMPLES = options.examples("""
oldhand feedback last --good
oldhand feedback last yes
oldhand feedback last 2
oldhand feedback last "only paid ones"
oldhand feedback 3f9c2a --bad --text "It counted cancelled orders too."
oldhand feedback last --bad --tag too-verbose
oldhand feedback last down --passage 2
oldhand feedback last --correction "the right passage is 3"
oldhand feedback last --bad --correction "SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'"
oldhand feedback last --bad --correction "SELECT COUNT(*) FROM orders" --preview
""")


@with_assistant
async def feedback(
    old: "AsyncOldhand",
    episode: options.AnswerArgument,
    reply: Annotated[
        str | None,
        Argument(
            metavar="[yes|no|N|TEXT|SQL]",
            help="Whether the answer, or what was proposed, is right; else the number of another reading, or what should be different.",
        ),
    ] = None,
    *,
    good: Annotated[bool, Option("--good", help="The answer was right.")] = False,
    bad: Annotated[bool, Option("--bad", help="The answer was wrong.")] = False,
    rating: Annotated[
        int | None,
        Option(
            "--rating",
            metavar="N",
            min=-1,
            max=1,
            help="+1 good, -1 wrong, 0 takes back what you said.",
        ),
    ] = None,
    text: Annotated[
        str | None, Option("--text", "-t", metavar="TEXT", help="Anything about it, in words.")
    ] = None,
    correction: Annotated[
        str | None,
        Option(
            "--correction",
            "-c",
            metavar="TEXT|SQL",
            help="What should be different, in words or in SQL; or the right answer.",
        ),
    ] = None,
    tags: Annotated[
        list[str] | None,
        Option(
            "--tag", metavar="WORD", help="What it is about, such as too-verbose; can be repeated."
        ),
    ] = None,
    passage: Annotated[
        str | None,
        Option(
            "--passage",
            "-p",
            metavar="N",
            help="Judge this passage of the answer only, by its number.",
        ),
    ] = None,
    rater: Annotated[str, Option("--rater", "-r", metavar="NAME", help="Who says so.")] = "default",
    preview: Annotated[
        bool,
        Option("--preview", help="Only say what it would teach and change; record nothing."),
    ] = False,
) -> CommandResult:
    """Say how good an answer was.

    It is on disk when the command ends. The owner and the experts teach: what they confirm or correct is used from the next question on. Corrections in SQL
    are run first; where several databases could run one, write `shop: SELECT …`. --rating 0 takes back what the same
    person said before. `oldhand memory list` shows what was learned. Earlier questions that are answered otherwise by it are named.
    """
    from oldhand.cli.answering import answer_of
    from oldhand.cli.learned import preview_lines, receipt_lines
    from oldhand.cli.proposing import Offer, agreed_lines

    if (right := None if reply is None else _is_yes(reply)) is not None:
        good, bad = good or right, bad or not right
        # It may answer whether a correction was meant.
        text = reply if right and text is None else text
    elif reply is not None and correction is not None:
        raise UsageError(f"Say once what should be different: {reply!r} or {correction!r}.")
    chosen = one_rating(good=good, bad=bad, rating=rating)
    episode = await episode_of(old, episode)
    if right is None and reply is not None and reply.isdecimal() and not preview:
        offer = Offer((await old.episodes.get(episode)).answer, rater)
        if offer.is_open and offer.agrees(reply):
            agreed, receipt = await offer.agree(old)
            return CommandResult(receipt, [*answer_of(agreed, brief=True), *agreed_lines(receipt)])
    given = await old.feedback(
        episode,
        rating=chosen,
        text=text,
        correction=reply if right is None and reply is not None else correction,
        rater=rater,
        tags=tags or (),
        passage=passage,
        dry_run=preview,
    )
    if preview:
        return CommandResult(given, preview_lines(given))
    noted = (
        f"Noted for {short_id(given.episode_id)}: {said(given)}, by {given.rater} ({given.source})."
    )
    return CommandResult(given, [noted, *receipt_lines(given), *await _agreed(old, given)])


def _is_yes(reply: str) -> bool | None:
    """Whether it is a yes or a no; None where it says more."""
    from oldhand.agent.analyst.replies import bare_reply
    from oldhand.lexicon.entries import words

    said = reply.strip().casefold()
    if said in words("replies.thumb_up") | words("replies.thumb_down"):
        return said in words("replies.thumb_up")
    return bare_reply(reply)


async def _agreed(old: "AsyncOldhand", given: "Feedback") -> "list[RenderableType]":
    """The answer that was only proposed before it was called right."""
    from oldhand.cli.answering import answer_of

    answer = (await old.episodes.get(given.episode_id)).answer
    if given.rating != 1 or given.correction or answer.proposal is None:
        return []
    return [*answer_of(answer.agreed, brief=True)]


def one_rating(*, good: bool, bad: bool, rating: int | None) -> int | None:
    """The rating out of the three ways to give one.

    >>> one_rating(good=False, bad=True, rating=None)
    -1
    """
    given = [
        value
        for value, is_given in ((1, good), (-1, bad), (rating, rating is not None))
        if is_given
    ]
    if len(given) > 1:
        raise UsageError("Give one of --good, --bad and --rating.")
    return given[0] if given else None


async def episode_of(old: "AsyncOldhand", episode: str) -> str:
    """The id that is meant; `last` is the latest answer of anybody."""
    if episode != LAST:
        return episode
    latest = await old.episodes.list(limit=1)
    if not latest:
        raise UnknownEpisode("Nothing was asked yet: there is no last answer.")
    return latest[0].id


def said(given: "Feedback") -> str:
    """Feedback in a few words."""
    from oldhand.record.feedback import OUR_TAGS

    ratings = {1: "good", 0: "neither good nor bad", -1: "bad"}
    words = [ratings[given.rating]] if given.rating is not None else []
    words = [f"one passage {words[0]}"] if words and given.passage else words
    words += ["a comment"] if given.text else []
    words += ["a correction"] if given.correction else []
    words += [f"#{tag}" for tag in given.tags if tag not in OUR_TAGS]
    return ", ".join(words)
