"""What a feedback has taught, and what people are told about it."""

from collections.abc import Iterator

from oldhand.learning.alias_evidence import evidence_of, speaks_for
from oldhand.learning.cases import QuestionCase
from oldhand.learning.confirmation import Vote, solution_of
from oldhand.learning.spanning import is_one_figure, tables_in
from oldhand.learning.style import is_about_style
from oldhand.lexicon.wording import listed
from oldhand.record.base import Record
from oldhand.record.evidence import Strength
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import LEAST_CONFIDENCE, ExamplePayload, IssuePayload, Memory
from oldhand.record.phrases import question_key
from oldhand.record.stage import State, state_of

DOUBTED = "Doubted"
NOT_YET = "Noted, not used yet"
WAITS = "Not in force"
_UNUSABLE = "The correction cannot be used, and so only says that the answer was wrong"
_STILL_HOLDS = "The correction that was given before still holds."
_STYLE = "It is about how the answer was put: its SQL is not held to be wrong, and the night may change the prompt."
_CONFIRMS = "That is the query of the answer itself, and so confirms it."
_CITED = "The answer rests on that passage, and so it is confirmed."


class Learned(Record):
    """What changed."""

    saved: tuple[Memory, ...] = ()
    """Memories that are new or different."""
    withdrawn: tuple[str, ...] = ()
    """Ids of memories that nothing speaks for any more."""
    note: str = ""
    """Why nothing was learned, or what else is to be known; a sentence or a few."""


def note_on(feedback: Feedback, case: QuestionCase, learned: Learned) -> str:
    """What is to be known of a feedback beside what it has changed; empty when that says all."""
    if feedback.source not in TRUSTED:
        return f"{feedback.rater} is no longer an owner or expert: what they say only takes back."
    found = list(_remarks(feedback, case, learned))
    if not found and not learned.saved and not learned.withdrawn:
        found = [_nothing(feedback, case)]
    return " ".join(dict.fromkeys(found))


def _remarks(feedback: Feedback, case: QuestionCase, learned: Learned) -> Iterator[str]:
    answer = case.episodes[feedback.episode_id].answer
    if reason := case.unchecked.get(feedback.id):
        yield reason
    if reason := case.unusable.get(feedback.id):
        judged = solution_of(answer) is not None and feedback.rating != 1
        yield f"{_UNUSABLE}: {reason}" if judged else reason
    if _is_overtaken(feedback, case):
        yield _STILL_HOLDS
    elif reason := _says_nothing(feedback, case):
        yield reason
    elif (learned.saved or learned.withdrawn) and (others := _overruling(feedback, case)):
        yield f"The word of {others} counts first."
    if feedback.correction and _confirms(feedback, case):
        yield _CONFIRMS if answer.steps else _CITED
    yield from _unlike(feedback, case) if learned.saved else ()
    if learned.saved and question_key(answer.standalone or "") != question_key(answer.question):
        yield f"Learned for: {answer.standalone!r}"
    for memory in learned.saved:
        if memory.word is not None and is_taken_back(memory):
            yield f"{memory.word.phrase!r} was taken back, and is not used again until somebody states it."


def _confirms(feedback: Feedback, case: QuestionCase) -> bool:
    """Whether it votes for the answer itself."""
    given = solution_of(case.episodes[feedback.episode_id].answer)
    return any(
        vote.good and vote.feedback.id == feedback.id and vote.solution == given
        for vote in case.votes
    )


def _unlike(feedback: Feedback, case: QuestionCase) -> Iterator[str]:
    """What in a correction is so far from the answer that it may belong to another question."""
    given = solution_of(case.episodes[feedback.episode_id].answer)
    own = (one for one in case.votes if one.good and one.feedback.id == feedback.id)
    right = next((one.solution for one in own), None)
    if right is None or right.sql is None or given is None or given.sql is None:
        return
    before, now = (
        {one.name.casefold() for one in tables_in(sql)} for sql in (given.sql, right.sql)
    )
    if before and now and before.isdisjoint(now):
        yield f"It reads {listed(sorted(now))}, and nothing of what the answer read ({listed(sorted(before))})."
    elif is_one_figure(given.sql) and not is_one_figure(right.sql):
        yield "The answer was one figure, and this gives rows."
    else:
        return
    name = feedback.episode_id[:8]
    yield f"If that is not what was meant, take it back: `oldhand feedback {name} --rating 0`, or `oldhand memory undo`."


def is_taken_back(memory: Memory) -> bool:
    """Whether a person has denied a word, and nobody has stated it since."""
    direct = [
        one.strength
        for one in evidence_of(memory)
        if one.strength in (Strength.STATED, Strength.DENIED)
    ]
    return bool(direct) and direct[-1] is Strength.DENIED


def _is_overtaken(feedback: Feedback, case: QuestionCase) -> bool:
    """Whether a person's earlier correction of the same answer counts, and not what they say now."""
    if feedback.rating == 0 or not feedback.judges:
        return False
    counts = [
        vote.feedback
        for vote in case.votes
        if (vote.feedback.rater, vote.feedback.episode_id) == (feedback.rater, feedback.episode_id)
    ]
    return any(one.corrects for one in counts) and all(one.id != feedback.id for one in counts)


def _says_nothing(feedback: Feedback, case: QuestionCase) -> str:
    if feedback.correction:
        return ""
    if is_about_style(feedback):
        return _STYLE
    if feedback.rating is None:
        return "A comment alone teaches nothing: give a rating or a correction."
    answer = case.episodes[feedback.episode_id].answer
    if feedback.rating and solution_of(answer) is None:
        return (
            "No database was asked, so there is nothing to agree or disagree with. Say what the question means in other words,"
            " or what a word of it means, such as 'big customers have more than 20 orders', as the correction."
        )
    return ""


def _nothing(feedback: Feedback, case: QuestionCase) -> str:
    """Why nothing has changed."""
    if feedback.rating == 0 and not feedback.correction:
        return "Nothing had been learned that could be taken back."
    if others := _overruling(feedback, case):
        return f"It changes nothing: the word of {others} counts first."
    if case.episodes[feedback.episode_id].answer.citations:
        return "No memory follows from it; it counts for the order of the passages that were cited."
    return "It was known already, or cannot be learned: no single statement stands for the answer."


def _overruling(feedback: Feedback, case: QuestionCase) -> str:
    """Who says otherwise of the same solution, or gives another one, and counts before; empty when nobody does."""
    own = [vote for vote in case.votes if vote.feedback.id == feedback.id]
    found = {
        vote.feedback.rater: None
        for one in own
        for vote in case.votes
        if vote.feedback.rater != feedback.rater and _counts_before(vote, one)
    }
    return " and ".join(sorted(found))


def _counts_before(other: Vote, one: Vote) -> bool:
    if other.weight <= one.weight:
        return False
    if other.solution.key == one.solution.key:
        return other.good is not one.good
    return other.good and one.good


def change_of(memory: Memory, feedback: Feedback) -> str:
    """What a feedback has made of one memory, in a word or a few for a receipt."""
    if memory.word is not None:
        return _change_of_word(memory)
    if state_of(memory) is State.WAITING:
        return WAITS
    payload, plain = memory.payload, not feedback.correction
    if isinstance(payload, ExamplePayload) and feedback.rating == -1 and plain:
        return "Learned" if feedback.id in payload.evidence else DOUBTED
    if isinstance(payload, IssuePayload) and feedback.rating == 1 and plain:
        return DOUBTED
    return "Learned"


def _change_of_word(memory: Memory) -> str:
    evidence = evidence_of(memory)
    if evidence and not speaks_for(evidence[-1]):
        return DOUBTED
    return "Learned" if memory.confidence >= LEAST_CONFIDENCE else NOT_YET
