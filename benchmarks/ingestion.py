"""How fast documents come in: a thousand generated handbooks, read, cut and made findable by their words, without an embedder."""

import random
import resource
import tempfile
import time
from pathlib import Path

from oldhand.bootstrap import open_home

DOCUMENTS = 1_000
_SECTIONS, _PARAGRAPHS, _SENTENCES = 5, 3, 5
_VOCABULARY = 4_000


def write_handbooks(folder: Path, number: int, seed: int = 1) -> None:
    """Handbooks of about a thousand words in five sections, out of words that nobody knows."""
    draw = random.Random(seed)
    words = [
        "".join(draw.choices("abcdefghilmnoprstuv", k=draw.randint(3, 9)))
        for _ in range(_VOCABULARY)
    ]

    def sentence() -> str:
        return " ".join(draw.choices(words, k=draw.randint(8, 20))).capitalize() + "."

    for one in range(number):
        lines = [f"# Handbook {one}"]
        for section in range(_SECTIONS):
            lines.append(f"## Part {section}")
            lines += [" ".join(sentence() for _ in range(_SENTENCES)) for _ in range(_PARAGRAPHS)]
        (folder / f"handbook-{one:05}.md").write_text("\n\n".join(lines), "utf-8")


def run(_: Path | None) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "handbooks")
        folder.mkdir()
        write_handbooks(folder, DOCUMENTS)
        home = open_home(Path(made, "home"), model="builtin")
        print("| what | documents | passages | s | documents per s | processor s |")
        print("|---|---|---|---|---|---|")
        for what in ("read", "looked at again, unchanged"):
            began, used = time.perf_counter(), time.process_time()
            home.documents.add([str(folder)], user="default")
            seconds, processor = time.perf_counter() - began, time.process_time() - used
            passages = sum(one.passages for one in home.store.documents.list(home.clone_id))
            print(
                f"| {what} | {DOCUMENTS:,} | {passages:,} | {seconds:.1f} | {DOCUMENTS / seconds:.0f} | {processor:.1f} |",
                flush=True,
            )
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
        print(f"\nMemory at most: {largest:.0f} MB. Workers that read are processes of their own.")
