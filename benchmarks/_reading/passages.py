"""Passages in memory, for measurements that need no store."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from oldhand.lexicon.tokens import STOP_WORDS, stem, tokenise
from oldhand.record.document import EVERYONE, Anchor, FoundPassage, Passage, reader_names
from oldhand.testing.records import passage_of

_HEADING = re.compile(r"(#+)\s+(.*)")
_K1 = 1.2
_B = 0.75


class MemoryPassages:
    r"""Finds passages by BM25 over stems, in documents that are given as texts.

    >>> held = MemoryPassages()
    >>> held.add("handbook", "# Dogs\n\nDogs are chipped.\n\n# Cats\n\nWe take no cats.")
    >>> [(one.document, one.passage.text) for one in held.find("Are cats welcome?", "ana", member=True)]
    [('handbook', 'We take no cats.')]
    """

    def __init__(self) -> None:
        self._held: list[tuple[Passage, Sequence[str], Counter[str]]] = []
        self._holders: defaultdict[str, int] = defaultdict(int)

    @property
    def is_empty(self) -> bool:
        """Whether there is no passage."""
        return not self._held

    def add(self, name: str, text: str, readers: Sequence[str] = (EVERYONE,)) -> None:
        """Add a document, one passage for each of its sections."""
        for place, (anchor, section) in enumerate(_sections(text)):
            self.put(passage_of(name, place, section, anchor), readers)

    def put(self, passage: Passage, readers: Sequence[str] = (EVERYONE,)) -> None:
        """Add one passage."""
        told = " ".join((passage.text, *passage.anchor.heading, passage.document_id))
        counts = Counter(stem(token.lower) for token in tokenise(told) if token.is_word)
        self._held.append((passage, readers, counts))
        for one in counts:
            self._holders[one] += 1

    def find(
        self, question: str, user: str, member: bool, limit: int = 5
    ) -> tuple[FoundPassage, ...]:
        """The passages that fit best and that the user may read."""
        groups = frozenset(reader_names(user, member))
        stems = frozenset(
            stem(token.lower)
            for token in tokenise(question)
            if token.is_word and token.lower not in STOP_WORDS
        )
        scored = [
            (self._score(stems, counts), passage)
            for passage, readers, counts in self._held
            if not groups.isdisjoint(readers)
        ]
        best = sorted((one for one in scored if one[0] > 0), key=lambda one: -one[0])[:limit]
        top = best[0][0] if best else 1.0
        return tuple(
            FoundPassage(
                passage=passage,
                document=passage.document_id,
                rank=rank,
                base=score / top,
                score=score / top,
            )
            for rank, (score, passage) in enumerate(best, 1)
        )

    def _score(self, stems: frozenset[str], counts: Counter[str]) -> float:
        total = len(self._held)
        mean = sum(one.total() for _, _, one in self._held) / total if total < 200 else 150
        slowness = _K1 * (1 - _B + _B * counts.total() / mean)
        return sum(
            math.log(1 + (total - self._holders[one] + 0.5) / (self._holders[one] + 0.5))
            * counts[one]
            * (_K1 + 1)
            / (counts[one] + slowness)
            for one in sorted(stems)
            if one in counts
        )


def _sections(text: str) -> Iterator[tuple[Anchor, str]]:
    """What stands under each heading of a Markdown text, paragraphs on a line each."""
    above: list[tuple[int, str]] = []
    begun, lines = 1, list[str]()
    for number, line in enumerate([*text.splitlines(), "# end"], 1):
        found = _HEADING.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        paragraphs = "\n".join(lines).strip().split("\n\n")
        items = (one.replace("\n- ", "\0- ") for one in paragraphs if one.strip())
        plain = (" ".join(one.split()).replace("\0", "\n") for one in items)
        if said := "\n\n".join(plain):
            yield Anchor(heading=tuple(name for _, name in above), line=begun), said
        level = len(found[1])
        above = [one for one in above if one[0] < level] + [(level, found[2])]
        begun, lines = number + 1, []
