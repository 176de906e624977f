"""What people say about an answer: feedback, with a role that is looked up, never claimed; then what it teaches.

Feedback is on the disk before anything is learned from it. Learning that fails, or is interrupted, loses nothing: it
is derived from the log, by the next feedback on the same question at the latest.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from oldhand.agent.analyst.replies import bare_reply
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.errors import NotAllowed, UsageError
from oldhand.errors.mishaps import Mishap
from oldhand.learning.corrections import sql_of
from oldhand.learning.learner import Learner
from oldhand.learning.notes import Learned, is_taken_back
from oldhand.learning.sql_like import looks_like_sql
from oldhand.learning.style import is_about_style, is_style
from oldhand.loop.cited import CitedPassages, is_written, passage_named
from oldhand.loop.foreseeing import Foreseeing
from oldhand.loop.ground import LoopPart
from oldhand.loop.heard import Agrees, NotUnderstood, UnderstoodCorrection
from oldhand.loop.preferring import learn_style
from oldhand.loop.sayings import Sayings
from oldhand.record.answer import Outcome
from oldhand.record.base import checked_name
from oldhand.record.episode import Episode
from oldhand.record.feedback import (
    CONFIRMS,
    CONTRADICTS,
    OF_STYLE,
    TRUSTED,
    UNDERSTOOD,
    Feedback,
    Said,
    Source,
)
from oldhand.record.memory import Memory
from oldhand.record.receipt import Consequences, Receipt
from oldhand.record.semantics import Rule

Foresee = Callable[[Learned, str], Consequences]
"""Tells what something learned of a question changes for others."""
Distil = Callable[[Feedback], Sequence[Memory]]
"""Makes lessons of what is found in the answer that something was said of; gives those that are new or different."""


MOST_SAID = 100
"""Signals of one person on one answer: all of them are read when another one comes."""
_OF_PASSAGE = "It counts for this passage; the answer as a whole is not judged by it."


@dataclass(frozen=True)
class FeedbackIntake(LoopPart):
    """Takes feedback, makes it durable, and learns from it."""

    learner: Learner
    foreseeing: Foreseeing
    distil: Distil
    would_distil: Distil
    """The same, with nothing saved."""
    sayings: Sayings
    cited: CitedPassages
    state: Callable[[str, Sequence[Rule], str], None]
    """Puts rules of a database in force that somebody has stated."""
    stays: Callable[[ReadRule], str]
    """Says which confirmed answers do not go by a rule that is in force, and stay as they are."""
    credit: Callable[[str], object] = bool
    """Credits the passages that an answer was made of."""
    keeps_words: bool = False
    """True where a language model reads corrections in words that the analyst did not understand."""

    async def give(self, episode_id: str, said: Said, *, foresees: bool = True) -> Receipt:
        """Record one signal on one episode, and learn from it; the signal is on disk when this returns.

        What it changes elsewhere is looked at only where somebody `foresees`.
        """
        return await asyncio.to_thread(self.give_now, episode_id, said, foresees=foresees)

    async def preview(self, episode_id: str, said: Said) -> Receipt:
        """What that signal would teach, and what that would change; nothing is recorded."""
        return await asyncio.to_thread(self.preview_now, episode_id, said)

    def preview_now(self, episode_id: str, said: Said) -> Receipt:
        """As `preview`; blocks."""
        _check(said)
        episode = self.store.episode(self.clone_id, episode_id)
        said, heard, _ = self._in_words(episode, said)
        feedback = self._feedback(episode, said)
        learned = self.learner.planned(feedback)
        rules = self._rules(feedback, self.would_distil)
        learned = learned.model_copy(update={"saved": (*learned.saved, *rules)})
        return self._receipt(feedback, learned, heard, self.foreseeing.planned)

    def _receipt(
        self, feedback: Feedback, learned: Learned, heard: str, foresee: Foresee
    ) -> Receipt:
        """What was learned, or would be, with what it changes."""
        answer = self.store.episode(self.clone_id, feedback.episode_id).answer
        question = answer.standalone or answer.question
        told = self.mishaps.spared("foreseeing", lambda: foresee(learned, question))
        opposed = self.mishaps.spared(
            "opposing", lambda: self.foreseeing.opposed(feedback, learned)
        )
        against = "" if isinstance(opposed, Mishap) else opposed
        notes = (heard, learned.note if feedback.judges else "", against)
        return Receipt(
            **dict(feedback),
            learned=tuple(one for one in learned.saved if not is_taken_back(one)),
            withdrawn=learned.withdrawn,
            note=" ".join(filter(None, notes)) or learned.note,
            consequences=Consequences() if isinstance(told, Mishap) else told,
        )

    def give_now(self, episode_id: str, said: Said, *, foresees: bool = True) -> Receipt:
        """As `give`; blocks."""
        _check(said)
        episode = self.store.episode(self.clone_id, episode_id)
        if said.style_rating is not None and self.people.role(said.rater) is not Source.OWNER:
            raise NotAllowed("Only the owner can say whether an answer sounds like the owner.")
        if (
            said.rating != 0
            and self.store.said_of(self.clone_id, episode_id, said.rater) >= MOST_SAID
        ):
            raise UsageError(f"{said.rater} has said {MOST_SAID} things of this answer: ask the question anew, and judge the new answer.")  # fmt: skip
        said, heard, stated = self._in_words(episode, said)
        feedback = self._feedback(episode, said)
        self.store.add_feedback(feedback)
        edits = feedback.correction is not None and is_written(episode.answer)
        if edits or feedback.style_rating is not None:
            self.mishaps.spared("style", lambda: learn_style(self.clone_id, self.store))
        if (right := passage_named(feedback.correction)) is not None:
            self.store.add_feedback(self._feedback(episode, Said(said.rater, 1, passage=right)))
        if stated is not None:
            self.state(
                stated.database,
                stated.rules,
                feedback.rater,
            )
        credited = self.mishaps.spared("credit", lambda: self.credit(episode.id))
        if feedback.passage is not None:
            failed = isinstance(credited, Mishap)
            note = f"It is kept, but learning failed: {credited.error}" if failed else _OF_PASSAGE
            return Receipt(**dict(feedback), note=note)
        learned = self.mishaps.spared("learning", lambda: self.learner.learn(feedback))
        if isinstance(learned, Mishap):
            note = f"The feedback is kept, but learning from it failed: {learned.error}"
            return Receipt(**dict(feedback), note=note)
        rules = self._rules(feedback, self.distil)
        learned = learned.model_copy(update={"saved": (*learned.saved, *rules)})
        if stated is not None:
            stays = self.mishaps.spared("standing", lambda: self.stays(stated))
            heard = heard if isinstance(stays, Mishap) else f"{heard} {stays}".rstrip()
        return self._receipt(
            feedback, learned, heard, self.foreseeing.done if foresees else _nothing
        )

    def _in_words(self, episode: Episode, said: Said) -> tuple[Said, str, ReadRule | None]:
        """What somebody with a say says in words, as the SQL that it asks for; how it was understood, and what it states.

        Words that are not understood are a comment: they say nothing of the answer, and take nothing back.
        """
        said, named = self.cited.understood(episode, said)
        if named or said.passage is not None or (_is_without_rows(episode) and (episode.answer.citations or not _filled(said.correction))):  # fmt: skip
            return said, named, None
        said = self._agreed(episode, said)
        correction, text = _filled(said.correction), _filled(said.text)
        told = correction or (text if said.rating in (None, -1) else None)
        is_sql = correction is not None and (sql_of(correction) or looks_like_sql(correction))
        if told is None or is_sql or self.people.role(said.rater) not in TRUSTED:
            return said, "", None
        kept = "\n".join(dict.fromkeys(one for one in (text, told) if one))
        comment = replace(said, correction=None, text=kept)
        return (comment, "", None) if is_style(told) else self._heard(episode, said, told, comment)

    def _agreed(self, episode: Episode, said: Said) -> Said:
        """A yes of who was just asked if a correction was meant, as that correction; else as it is."""
        is_yes = said.rating == 1 and bare_reply(said.text or "") is True
        if not is_yes or _filled(said.correction):
            return said
        last = self._last(episode, said.rater)
        if _doubted(last):
            return replace(said, rating=None, text=None, correction=said.text)
        if last is not None and last.corrects:
            raise UsageError(
                "You have corrected this answer, and nothing waits for a yes. If it is right as it stood before:"
                f" `oldhand feedback {episode.id[:8]} --good`."
            )
        if last is not None and last.text and not last.judges and UNDERSTOOD not in last.tags and not is_about_style(last):  # fmt: skip
            raise UsageError(
                f"Before this yes you said {last.text!r} of the answer, from which nothing was learned, so it is not clear what the yes is"
                f" for. If the answer is right as it stands: `oldhand feedback {episode.id[:8]} --good`. If not, say what should be different"
                " in other words."
            )
        return said

    def _heard(
        self, episode: Episode, said: Said, told: str, comment: Said
    ) -> tuple[Said, str, ReadRule | None]:
        """What the words of a correction or of a comment ask for."""
        if len(told) > _MOST_CHARS:
            return comment, _TOO_LONG.format(len(told), _MOST_CHARS), None
        correction = _filled(said.correction)
        before = _doubted(self._last(episode, said.rater))
        insists = before is not None and (
            bare_reply(told) is True or _plain(told) == _plain(before)
        )
        meant = before if insists and before else told
        if _is_without_rows(episode):
            heard = self.sayings.hear_of_none(episode, meant)
            if heard is None:
                return said, "", None  # it is the text of the answer
        elif before is None and bare_reply(told) is True:
            heard = NotUnderstood(_NOTHING_TO_AGREE.format(episode.id[:8]))
        else:
            heard = self.sayings.hear(episode, meant, outright=correction is not None)
        if isinstance(heard, UnderstoodCorrection) and heard.is_doubted and not insists:
            return replace(comment, tags=(*said.tags, CONTRADICTS)), heard.asks_back, None
        if isinstance(heard, UnderstoodCorrection):
            tags = (*said.tags, UNDERSTOOD)
            comment = replace(comment, correction=heard.correction, tags=tags)
            return comment, heard.said, heard.states
        if isinstance(heard, Agrees) and said.rating is None:
            comment = replace(comment, rating=1)
        elif correction is not None and (self.keeps_words or said.rating == -1):
            return said, "" if self.keeps_words else heard.said, None  # called wrong outright
        return comment, heard.said, None

    def _last(self, episode: Episode, rater: str) -> Feedback | None:
        """What somebody last said of an answer."""
        found = self.store.feedback_on(self.clone_id, episode.id)
        return next((one for one in reversed(found) if one.rater == rater), None)

    def _rules(self, feedback: Feedback, distil: Distil) -> tuple[Memory, ...]:
        """The lessons that follow from the words of somebody with a say, in force at once."""
        if feedback.source not in TRUSTED or not feedback.judges:
            return ()
        found = self.mishaps.spared("distillation", lambda: distil(feedback))
        if isinstance(found, Mishap):
            return ()
        return tuple(one for one in found if one.provenance.source in TRUSTED and one.effect)

    def _feedback(self, episode: Episode, said: Said) -> Feedback:
        tags = [one for one in said.tags if _filled(one) and one not in {CONFIRMS, OF_STYLE}]
        if self.learner.cases.corrections.repeated(episode, said.correction or "") is not None:
            tags.append(CONFIRMS)
        given = Feedback(
            id=self.new_id(),
            clone_id=self.clone_id,
            episode_id=episode.id,
            rater=said.rater,
            source=self.people.role(said.rater),
            created_at=self.clock.now(),
            rating=said.rating,
            text=_filled(said.text),
            correction=_filled(said.correction),
            passage=said.passage,
            style_rating=said.style_rating,
            tags=tuple(tags),
        )
        own = (OF_STYLE,) if given.rating == -1 and is_about_style(given) else ()
        return given.model_copy(update={"tags": (*tags, *own)})


_MOST_CHARS = 1_000
"""Characters of words that are read as a correction: all ways to read them are tried, which takes the longer the more there are."""
_TOO_LONG = (
    "It has {:,} characters, and is kept as a comment: say what should be different in up to {:,}."
)


_NOTHING_TO_AGREE = (
    "Nothing was proposed that a yes could agree to. If the answer is right as it stands: `oldhand feedback {0} --good`."
    " If not, say what should be different, or pick it: `oldhand fix {0}`."
)


def _nothing(learned: Learned, question: str) -> Consequences:  # noqa: ARG001 - as `Foresee`
    return Consequences()


def _check(said: Said) -> None:
    if said.rating not in (None, -1, 0, 1):
        raise UsageError(f"A rating is +1, 0 or -1, not {said.rating!r}.")
    if said.style_rating not in (None, -1, 0, 1):
        raise UsageError(f"A rating of style is +1, 0 or -1, not {said.style_rating!r}.")
    if (
        said.rating is None
        and said.style_rating is None
        and not (_filled(said.text) or _filled(said.correction) or any(map(_filled, said.tags)))
    ):
        raise UsageError("Feedback says something: a rating, a text, a correction or tags.")
    if said.passage is not None and (said.rating is None or _filled(said.correction)):
        raise UsageError("Of a passage it is said whether it is good: a rating of +1, 0 or -1.")
    checked_name(said.rater)


def _doubted(last: Feedback | None) -> str | None:
    """The words that somebody last said of an answer, where these went against the question."""
    doubted = last is not None and CONTRADICTS in last.tags and last.text
    return doubted.splitlines()[-1] if doubted else None


def _is_without_rows(episode: Episode) -> bool:
    """Whether no database answered, and nothing was asked back: what people say is then the text of the answer."""
    return is_written(episode.answer) and episode.answer.outcome is not Outcome.CLARIFY


def _plain(said: str) -> str:
    return said.strip(" .!").casefold()


def _filled(text: str | None) -> str | None:
    """The text, unless nothing stands in it that can be seen."""
    return text if text and any(one.isprintable() and one != " " for one in text) else None
