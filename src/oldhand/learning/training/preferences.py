"""Preference pairs: for a question, what people preferred and what they rejected."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from oldhand.learning.confirmation import Solution, solution_of, spelled_alike
from oldhand.learning.corrections import Corrections
from oldhand.learning.training.pairs import heard, people_of
from oldhand.record.clone import Clone
from oldhand.record.episode import Episode
from oldhand.record.feedback import Feedback, standing
from oldhand.record.phrases import question_key
from oldhand.store import Store
from oldhand.store.column_types import dump_json


class Side(NamedTuple):
    """One way to answer, as far as it is known."""

    sql: str | None
    text: str | None
    episode_id: str
    chunks: tuple[str, ...] = ()
    """The passages that it rests on."""


@dataclass(frozen=True)
class PreferencePairs:
    """Reads the judged answers of one clone, question by question. Methods block."""

    clone: Clone
    store: Store
    corrections: Corrections

    def lines(
        self, *, untrusted: bool = False, left_out: Counter[str] | None = None
    ) -> Iterator[str]:
        """One JSON object for each pair: `prompt`, `chosen`, `rejected` and `metadata`.

        `chosen` is the correction of an answer, or an answer to the same question that people liked; `rejected` one that
        they corrected or disliked. Where the SQL differs the pair is one of SQL, else one of texts; one of passages where people said only which
        of them is right.

        Args:
            untrusted: also listen to people who are neither owner nor expert, and take their questions.
            left_out: counts what is left out.
        """
        tally = Counter[str]() if left_out is None else left_out
        for ids in self._questions(untrusted=untrusted):
            episodes = self.store.episodes_called(self.clone.id, ids)
            log = self.store.feedback_log(self.clone.id, ids)
            asked = [episodes[one] for one in ids if one in episodes]
            yield from self._of_question(asked, heard(log, untrusted=untrusted), tally)

    def _questions(self, *, untrusted: bool) -> list[list[str]]:
        """Ids of the judged answers to each question; the only thing that grows with their number."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for turn in self.store.turns(self.clone.id):
            known = untrusted or turn.user_id in people_of(self.clone)
            if known and turn.standalone and heard(turn.feedback, untrusted=untrusted):
                found[question_key(turn.standalone)].append(turn.episode_id)
        return list(found.values())

    def _of_question(
        self, asked: Sequence[Episode], log: Sequence[Feedback], tally: Counter[str]
    ) -> Iterator[str]:
        chosen, rejected = self._sides(asked, log, tally)
        told: set[tuple[str, str]] = set()
        for good in chosen:
            for bad in rejected:
                pair = _pair(good, bad) or self._of_passages(good, bad)
                if pair is None or pair[1:] in told:
                    continue
                told.add(pair[1:])
                yield dump_json(_record(asked[0], pair, (good.episode_id, bad.episode_id))) + "\n"

    def _sides(
        self, asked: Sequence[Episode], log: Sequence[Feedback], tally: Counter[str]
    ) -> tuple[list[Side], list[Side]]:
        chosen: list[Side] = []
        rejected: list[Side] = []
        said: Mapping[str, list[Feedback]] = defaultdict(list)
        for one in log:
            said[one.episode_id].append(one)
        for episode in asked:
            given = _given(episode)
            for one in standing(said[episode.id]):
                if one.correction:
                    rejected.append(given)
                    chosen += self._corrected(episode, one, tally)
                elif one.rating:
                    (chosen if one.rating > 0 else rejected).append(given)
        disputed = set(chosen) & set(rejected)  # what one liked and another did not proves nothing
        return (
            [one for one in chosen if one not in disputed],
            [one for one in rejected if one not in disputed],
        )

    def _corrected(self, episode: Episode, one: Feedback, tally: Counter[str]) -> list[Side]:
        read = self.corrections.read(episode, one)
        if isinstance(read, Solution):
            return [Side(read.sql, read.words, episode.id, read.chunks)]
        tally["corrections that can't be used"] += 1
        return []

    def _of_passages(self, good: Side, bad: Side) -> tuple[str, str, str] | None:
        """The words of the passage that is right, and of those that an answer rested on instead; None without both."""
        if good.text is not None or good.sql is not None:
            return None
        wrong = [one for one in bad.chunks if one not in good.chunks]
        there = self.store.documents.passages_called(self.clone.id, [*good.chunks, *wrong])
        text = {one.chunk: one.text for one in there}
        sides = [
            "\n\n".join(text[one] for one in side if one in text) for side in (good.chunks, wrong)
        ]
        return ("passage", sides[0], sides[1]) if all(sides) else None


def _given(episode: Episode) -> Side:
    solution = solution_of(episode.answer)
    sql = None if solution is None else solution.sql
    chunks = tuple(one.chunk for one in episode.answer.citations)
    return Side(sql, episode.answer.text.strip() or None, episode.id, chunks)


def _pair(good: Side, bad: Side) -> tuple[str, str, str] | None:
    """The kind of pair, what is chosen and what is rejected; None when the two are no different."""
    if good.sql is not None and bad.sql is not None:
        if spelled_alike(good.sql) != spelled_alike(bad.sql):
            return "sql", good.sql, bad.sql
        if good.episode_id == bad.episode_id:
            return None
    if good.text is not None and bad.text is not None:
        return None if good.text == bad.text else ("text", good.text, bad.text)
    if good.sql is not None and bad.text is not None and bad.sql is None:
        return "sql", good.sql, bad.text
    return None


def _record(
    episode: Episode, pair: tuple[str, str, str], episode_ids: tuple[str, str]
) -> dict[str, object]:
    kind, chosen, rejected = pair
    return {
        "prompt": episode.answer.standalone,
        "chosen": chosen,
        "rejected": rejected,
        "metadata": {"kind": kind, "episode_ids": list(dict.fromkeys(episode_ids))},
    }
