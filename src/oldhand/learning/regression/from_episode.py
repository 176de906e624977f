"""From an answer that went wrong to the spec that keeps it from going wrong again."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.learning.cases import Cases
from oldhand.learning.confirmation import Solution, spelled_alike
from oldhand.learning.corrections import sql_of
from oldhand.learning.regression.spec import Actual, BehaviourSpec, Expected, Fix, Input
from oldhand.learning.style import is_about_style
from oldhand.record.answer import Answer, Outcome
from oldhand.record.episode import Episode, Message, messages_of
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import TRUSTED, Feedback, standing
from oldhand.record.memory import MemoryType
from oldhand.record.phrases import question_key

_LOOKED_THROUGH = 500
"""Answers that are looked through for what went wrong, the newest."""
_EARLIER = 6
"""Earlier questions of a conversation that are asked again when the question leans on them."""
_MOST_WORDS = 6
_TALK = re.compile(
    r"\b(not|no|but|should|must|instead|because|wrong|without|don't|please)\b|[?!;:]"
)


@dataclass(frozen=True)
class FoundSpec:
    """A spec, and what is to be known about it."""

    spec: BehaviourSpec
    note: str = ""
    """Why less is expected than could be; a sentence."""


@dataclass(frozen=True)
class Failures:
    """Answers of one clone that went wrong. Methods block."""

    cases: Cases

    def spec(self, episode_id: str, given: Mapping[str, object] | None = None) -> FoundSpec:
        """The spec of one answer.

        Args:
            episode_id: its id, or the beginning of it.
            given: fields of `Expected` that the caller knows better.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: nobody who is trusted, no evaluator and no error says that it was wrong, and nothing is given.
        """
        store, clone_id = self.cases.store, self.cases.clone_id
        episode = store.episode(clone_id, episode_id)
        said = store.feedback_on(clone_id, episode.id)
        heard = standing(one for one in said if one.source in TRUSTED and not is_about_style(one))
        bad = tuple(one for one in heard if one.rating == -1 or one.correction)
        judged = tuple(
            one for one in store.evaluations(clone_id, episode.id) if one.is_valid is False
        )
        if not (bad or judged or given or episode.answer.outcome is Outcome.FAILED):
            raise UsageError(_why_not(episode.id[:8], said))
        failure, wanted, note = self._wanted(episode, bad)
        if given:
            right = wanted if "sql" in wanted else {}  # the right rows are expected all the same
            failure, wanted, note = _given_type(given, failure), {**right, **given}, ""
        spec = BehaviourSpec(
            episode_id=episode.id,
            created_at=episode.created_at.replace(microsecond=0),
            failure_type=failure,
            databases=dict(episode.addresses),
            input=Input(messages=self._messages(episode)),
            expected=Expected.model_validate(wanted),
            actual=_actual(episode, bad, judged),
            fix=self._fix(episode.answer),
        )
        return FoundSpec(spec, note)

    def waiting(self, settled: Collection[str]) -> Iterator[FoundSpec]:
        """The specs of what went wrong lately, newest first, one for each question; nothing is written, and they guard nothing yet.

        They follow from what is on record: a vote that is taken back takes its spec with it.

        Args:
            settled: episodes whose specs were kept or dropped.
        """
        store, clone_id = self.cases.store, self.cases.clone_id
        seen = set[str]()
        for episode in store.episodes(clone_id, limit=_LOOKED_THROUGH):
            key = question_key(episode.answer.standalone or episode.answer.question)
            if key in seen:
                continue
            try:
                found = self.spec(episode.id)
            except UsageError:
                continue  # nothing went wrong
            seen.add(key)
            if episode.id not in settled:
                yield found

    def _wanted(
        self, episode: Episode, bad: Sequence[Feedback]
    ) -> tuple[str, dict[str, object], str]:
        """The kind of failure, what is expected instead, and a note."""
        note = ""
        for one in sorted(bad, key=lambda it: it.source != "owner"):
            if not one.correction:
                continue
            if right := _right_elsewhere(episode, one.correction):
                return "incorrect_sql", {"outcome": Outcome.ANSWERED, **right}, ""
            read = self.cases.corrections.read(_standing_alone(episode), one)
            if isinstance(read, Solution):
                if read.sql is not None and read.database is not None:
                    right = {"database": read.database, "sql": read.sql}
                    return "incorrect_sql", {"outcome": Outcome.ANSWERED, **right}, ""
                if read.words and _is_value(read.words):
                    return "incorrect_answer", {"response_contains": (read.words,)}, ""
                note = "The correction is a sentence: only that the old answer does not come again is expected."
            else:
                note = f"The correction can't be tested: {read.reason}"
        failure, wanted = _not_again(episode, bad)
        return failure, wanted, note

    def _messages(self, episode: Episode) -> tuple[Message, ...]:
        """The question in words that need no conversation; else with the conversation."""
        answer = episode.answer
        own = Message(role="user", content=answer.standalone or answer.question)
        if answer.standalone is not None:
            return (own,)
        found = self.cases.store.episodes(
            self.cases.clone_id, episode.user_id, answer.session_id, limit=None
        )
        before = [one for one in reversed(found) if one.created_at < episode.created_at]
        return (*(turn for one in before[-_EARLIER:] for turn in messages_of(one.answer)), own)

    def _fix(self, answer: Answer) -> Fix | None:
        """What was learned for the question."""
        known = self.cases.memories(answer.standalone) if answer.standalone else ()
        taught = next((one for one in known if one.type is MemoryType.EXAMPLE), None)
        if taught is None:
            return None
        return Fix(rule_added=taught.summary, confidence=taught.confidence)


def _right_elsewhere(episode: Episode, correction: str) -> dict[str, object]:
    """What would have been right on a database that the home does not know; the test is the first to run it."""
    named, sql = sql_of(correction) or (None, "")
    asked = [step.database for step in episode.answer.steps if step.database in episode.addresses]
    database = named or next(iter((*asked, *episode.addresses)), "")
    return {"database": database, "sql": sql} if sql and database in episode.addresses else {}


def _why_not(name: str, said: Sequence[Feedback]) -> str:
    """Why an answer is no failure, and what would make it one."""
    done = f"say so with `oldhand feedback {name} --bad`, or give a --correction."
    if any(is_about_style(one) for one in said if one.source in TRUSTED):
        return f"The answer {name} was only called too long or too short. If it was wrong, {done}"
    wrong = {one.rater: None for one in said if one.rating == -1 or one.correction}
    if wrong:
        people = " and ".join(wrong)
        return f"Only {people} called the answer {name} wrong, which no owner or expert did: as one of them, {done}"
    return f"Nothing says that the answer {name} was wrong: {done}"


def _given_type(given: Mapping[str, object], otherwise: str) -> str:
    """The kind of failure that somebody means who expects this.

    >>> _given_type({"model_used": "granite-local", "cost": 0.0}, "incorrect_sql")
    'incorrect_model_routing'
    """
    if "model_used" in given or "cost" in given:
        return "incorrect_model_routing"
    if "tools_used" in given or "tools_not_used" in given:
        return "unnecessary_tool"
    return otherwise


def _not_again(episode: Episode, bad: Sequence[Feedback]) -> tuple[str, dict[str, object]]:
    """What can be expected when nobody said what would have been right."""
    answer = episode.answer
    said = " ".join(
        filter(None, (text for one in bad for text in (one.text, *one.tags)))
    ).casefold()
    if named := tuple(tool for tool in episode.tools_used if tool.casefold() in said):
        return "unnecessary_tool", {"tools_not_used": named}
    if answer.outcome is Outcome.FAILED:
        return "execution_error", {"outcome": Outcome.ANSWERED}
    if answer.outcome is not Outcome.ANSWERED:
        return "unanswered", {"outcome": Outcome.ANSWERED}
    ran = [step.sql for step in answer.steps if step.succeeded]
    if len(ran) == 1:
        return "incorrect_sql", {"sql_not_equals": (spelled_alike(ran[0]),)}
    if answer.text.strip():
        return "incorrect_answer", {"response_not_contains": (answer.text.strip(),)}
    return "incorrect_answer", {"outcome": Outcome.ANSWERED}


def _standing_alone(episode: Episode) -> Episode:
    """The correction of a question that leans on others is for this very conversation, which the spec repeats."""
    if episode.answer.standalone is not None:
        return episode
    answer = episode.answer.model_copy(update={"standalone": episode.answer.question})
    return episode.model_copy(update={"answer": answer})


def _is_value(words: str) -> bool:
    """Whether a correction in words is the value itself, so that it can be looked for in the answer.

    >>> [_is_value(words) for words in ("42", "Ana Ruiz", "42, not 17", "It should count paid orders only")]
    [True, True, False, False]
    """
    return len(words.split()) <= _MOST_WORDS and not _TALK.search(words.casefold())


def _actual(episode: Episode, bad: Sequence[Feedback], judged: Sequence[Evaluation]) -> Actual:
    answer = episode.answer
    said = [one.text for one in bad if one.text]
    found = [issue for one in judged for issue in one.issues]
    last = answer.steps[-1].failures if answer.outcome is Outcome.FAILED and answer.steps else ()
    reasons = [*said, *found, *(one.error for one in last[-1:])]
    return Actual(
        model_used=answer.model,
        cost=answer.usage.cost,
        tools_used=episode.tools_used,
        response=answer.text or None,
        sql=tuple(step.sql for step in answer.steps),
        failure_reason="; ".join(dict.fromkeys(reasons)) or _plain_reason(answer, bad),
    )


def _plain_reason(answer: Answer, bad: Sequence[Feedback]) -> str:
    if any(one.correction for one in bad):
        return "It was corrected."
    if bad:
        return "It was called wrong."
    return "It failed." if answer.outcome is Outcome.FAILED else "Something else was expected."
