"""What people say about the passages of an answer: which one is meant, and which one would have been right."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from oldhand.agent.reading.asked import asked_words, stems_of
from oldhand.errors import UsageError
from oldhand.learning.confirmation import PASSAGE
from oldhand.loop.ground import LoopPart
from oldhand.loop.shelf import PassageShelf
from oldhand.record.answer import Answer
from oldhand.record.document import Passage, place_in
from oldhand.record.episode import Episode
from oldhand.record.feedback import Said

_RIGHT = re.compile(
    r"^(?:no,? )?the (?:right|correct) (?:passage|source|citation) (?:is|was|would (?:be|have been)):?\s*(?P<which>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ANSWER = re.compile(
    r"^(?:no,? )?the (?:right|correct) answer (?:is|was|would (?:be|have been)):?\s*(?P<words>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"\[?(?:number |no\. ?|passage )?(\d{1,3})\]?[.!]?$", re.IGNORECASE)


def is_written(answer: Answer) -> bool:
    """Whether an answer is out of documents alone, or was looked for there in vain."""
    return not answer.steps


def passage_named(correction: str | None) -> str | None:
    """The hash of the passage that a correction calls right; None for other corrections."""
    is_passage = correction is not None and correction.startswith(PASSAGE)
    return correction.removeprefix(PASSAGE) if correction is not None and is_passage else None


@dataclass(frozen=True)
class CitedPassages(LoopPart):
    """The passages that the answers of a clone saw. Methods block."""

    shelf: Callable[[str], PassageShelf | None]
    """The documents at hand for a user."""

    def numbered(self, episode: Episode) -> tuple[str, ...]:
        """The passages of an answer, by their hashes: those that it cites as it numbers them, then the others that it saw."""
        cited = [one.chunk for one in sorted(episode.answer.citations, key=lambda one: one.number)]
        recollection = self.store.recollection(self.clone_id, episode.id)
        items = () if recollection is None else recollection.items
        seen = (one.item_id for one in items if one.kind == "chunk")
        return tuple(dict.fromkeys((*cited, *seen)))

    def called(self, episode: Episode, which: str, rater: str) -> str:
        """The hash of the passage that somebody means: by its number, its hash, or by words of it.

        Raises:
            UsageError: there is none.
        """
        known = self.numbered(episode)
        if which in known:
            return which
        if found := _NUMBER.match(which.strip()):
            number = int(found[1])
            if not 0 < number <= len(known):
                raise UsageError(
                    f"This answer saw {len(known)} passages, and none has number {number}: "
                    f"`oldhand why {episode.id[:8]}` lists them."
                )
            return known[number - 1]
        return self._in_words(known, which, rater)

    def _in_words(self, known: Sequence[str], which: str, rater: str) -> str:
        """The passage that holds the most of some words: of those that were seen, else of all that the rater may read."""
        stems = frozenset(one.stem for one in asked_words(which).words) or stems_of(which)
        there = self.store.documents.passages_called(self.clone_id, list(known))
        best = max(there, key=lambda one: _share(stems, one), default=None)
        shelf = self.shelf(rater)
        for one in shelf.find(which) if shelf is not None else ():
            if best is None or _share(stems, one.passage) > _share(stems, best):
                best = one.passage
        if best is None or not _share(stems, best):
            raise UsageError(f"No passage holds these words: {which!r}. Give its number instead.")
        return best.chunk

    def understood(self, episode: Episode, said: Said) -> tuple[Said, str]:
        """What is said of a document's answer, with the passage that is meant; and how it was understood."""
        if said.passage is not None:
            return replace(said, passage=self.called(episode, said.passage, said.rater)), ""
        told = said.correction or (said.text if said.rating in (None, -1) else None)
        if told is None or not is_written(episode.answer):
            return said, ""
        if found := _RIGHT.match(told.strip()):
            chunk = self.called(episode, found["which"], said.rater)
            return replace(said, correction=f"{PASSAGE}{chunk}", text=told), self._told(chunk)
        if found := _ANSWER.match(told.strip()):
            return replace(said, correction=found["words"].strip()), ""
        return said, ""

    def _told(self, chunk: str) -> str:
        (passage, *_) = self.store.documents.passages_called(self.clone_id, [chunk])
        name = self.store.documents.get(self.clone_id, passage.document_id).name
        where = place_in(name, passage.anchor.says)
        return f"The right passage is {where}."


def _share(stems: frozenset[str], passage: Passage) -> float:
    there = stems_of(" ".join((passage.text, *passage.anchor.heading)))
    return len(stems & there) / max(1, len(stems))
