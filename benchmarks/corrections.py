"""Whether people who write no SQL can put a wrong answer right: in words, by picking, or by the value that they know."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from benchmarks._corrections.invented import write
from benchmarks._corrections.roads import Right, picks, said, value_of
from oldhand import Oldhand
from oldhand.record.answer import Answer

RULE = """Questions over invented databases, each with a correction as people word it, and the right query, by whose rows all is
judged, in these databases and in the same with other rows;
null where no query can meet it. Each is corrected in a home of its own, once in words and once by the value; who picks with
`oldhand fix` knows what is right, and picks up to three times. Taken unasked: right, but other readings were as likely."""
_FOLDER = Path(__file__).parent / "_corrections"
SETS = ("developed", "kept", "later", "latest")
OUTCOMES = ("right", "proposed rightly", "refused rightly", "refused wrongly", "proposed wrongly", "taken unasked", "wrong")  # fmt: skip


def run(_: Path | None, only: tuple[str, ...] = SETS) -> None:
    """Print the tables, and what was not understood rightly of the set that rules were developed on."""
    print(RULE + "\n")
    print(
        "| set | cases | "
        + " | ".join(OUTCOMES)
        + " | by fix | by value | a value proposed wrongly | a value wrong | by any |"
    )
    print("|---" * (len(OUTCOMES) + 7) + "|")
    for name in only:
        tried = _Tried()
        databases = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text("utf-8"))
        with TemporaryDirectory() as folder:
            for database, holds in databases.items():
                files = [
                    write(
                        Path(folder) / f"{database}_{seed}.db",
                        holds["tables"],
                        keys=holds["keys"],
                        seed=seed,
                    )
                    for seed in (7, 8)
                ]
                for case in holds["cases"].splitlines():
                    tried.one(Path(folder), *files, case.split(" | "))
        print(tried.row(name), flush=True)
        if name == SETS[0]:
            print("\n" + "\n".join(tried.missed))


class _Tried:
    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self.roads: Counter[str] = Counter()
        self.missed: list[str] = []

    def one(self, folder: Path, file: Path, other: Path, case: list[str]) -> None:
        """Try the three ways on one case; one whose answer is right already, by chance, is left out."""
        question, words, *queries = case
        right = Right(file, other, tuple(one for one in queries if one and one != "null"))
        number, ways = self.words.total() + self.words["skipped"], set[str]()
        with Oldhand(folder / f"{file.stem}-{number}-words") as old:
            answer = asked(old, file, str(question))
            if answer.steps and right.holds(answer.steps[-1].sql):
                self.words["skipped"] += 1
                self.missed.append(f"- skipped: {question} {words}")
                return
            picked = picks(old, answer, right) if right.queries else None
            outcome, note = said(old, answer, str(words), right)
        if value := value_of(right):
            with Oldhand(folder / f"{file.stem}-{number}-value") as old:
                by_value, told = said(old, asked(old, file, str(question)), value, right)
                if by_value in OUTCOMES[:2]:
                    ways.add("value")
                elif by_value in OUTCOMES[4:]:
                    self.roads[by_value] += 1
                    self.missed.append(f"- {by_value}: {question} | {value} | {told}")
        ways |= {"fix"} if picked else set()
        ways |= {"words"} if outcome in (*OUTCOMES[:2], "taken unasked") else set()
        self.words[outcome] += 1
        self.roads.update(ways)
        self.roads["any"] += bool(ways)
        self.roads["of"] += bool(right.queries)
        self.roads["sayable"] += value is not None
        if outcome not in OUTCOMES[:3] or (right.queries and not picked):
            self.missed.append(f"- {outcome}, fix {picked}: {question} | {words} | {note}")

    def row(self, name: str) -> str:
        """A row of the table."""
        found, of = self.roads, self.roads["of"]
        cells = [
            name,
            sum(self.words[one] for one in OUTCOMES),
            *(self.words[one] for one in OUTCOMES),
        ]
        cells += [f"{found['fix']} of {of}", f"{found['value']} of {found['sayable']}"]
        cells += [found["proposed wrongly"], found["wrong"], f"{found['any']} of {of}"]
        return f"| {' | '.join(map(str, cells))} |"


def asked(old: Oldhand, file: Path, question: str) -> Answer:
    """The answer to a question over one database."""
    old.databases.add(f"sqlite:///{file}", name=file.stem)
    return old.ask(question)


if __name__ == "__main__":
    import sys

    run(None, tuple(sys.argv[1:]) or SETS)
