"""What learned words are worth: questions in words that the rules don't know, on databases of Spider's training part.

For each question, aliases are learned from the confirmed pairs of its database in the synonym wording, those with the
same SQL left out, with the confidence that the evidence of all of them gives. The same aliases are then tried on the
original wording, where they should change nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from benchmarks._data import text2sql
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from oldhand.agent.analyst import understand
from oldhand.agent.analyst.aliases.gate import gain
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.learning.alias_evidence import confidence_of
from oldhand.query.compiling.compile import compile_query
from oldhand.record.effect import Alias
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import Source
from oldhand.record.memory import LEAST_CONFIDENCE
from oldhand.record.phrases import occurs, singular_words

TODAY = date(2024, 6, 1)
EVERY_DATABASE = 6
EVERY_QUESTION = 2


@dataclass
class Count:
    """What came of the questions of one wording."""

    questions: int = 0
    plain: int = 0
    """Right without aliases."""
    learned: int = 0
    """Right with them."""
    gained: int = 0
    lost: int = 0
    spoken: int = 0
    """Questions that hold a learned word."""

    def add(self, plain: bool, learned: bool, spoken: bool) -> None:
        """Count one question."""
        self.questions += 1
        self.plain += plain
        self.learned += learned
        self.gained += learned and not plain
        self.lost += plain and not learned
        self.spoken += spoken


@dataclass
class Learned:
    """The aliases of one database, each with what every pair says of it."""

    evidence: dict[Alias, list[tuple[str, Evidence]]] = field(
        default_factory=dict[Alias, list[tuple[str, Evidence]]]
    )
    """With each piece of evidence, the SQL that it follows from."""

    def without(self, sql: str) -> list[Alias]:
        """The aliases that are active when pairs with this SQL were never seen, the surest first."""
        sure: dict[Alias, float] = {}
        for alias, told in self.evidence.items():
            left = [evidence for gold, evidence in told if gold != sql]
            sure[alias] = confidence_of(left) if left else 0.0
        return sorted((a for a in sure if sure[a] >= LEAST_CONFIDENCE), key=lambda a: -sure[a])


def run(data: Path | None) -> None:
    """Print the table; nothing without the public data."""
    folder = text2sql(data, "spider_train")
    if folder is None:
        print("Needs `--data DIR` with `spider_train/` in it.")
        return
    questions, databases = load(folder)
    names = sorted(databases)[::EVERY_DATABASE]
    synonyms, original = Count(), Count()
    found = 0
    for name in names:
        mine = [q for q in questions if q.database == name]
        learned = learn(mine, databases[name])
        found += len(learned.evidence)
        for question in mine[::EVERY_QUESTION]:
            aliases = learned.without(_plain(question.gold))
            if question.synonyms not in ("", question.text):
                _try(question, question.synonyms, databases[name], aliases, synonyms)
            _try(question, question.text, databases[name], aliases, original)
    print(f"{len(names)} databases of Spider's training part, one question in {EVERY_QUESTION}.")
    print(f"{found} words were proposed from their pairs.\n")
    print(
        "| wording | questions | with a learned word | right without | right with | gained | lost |"
    )
    print("|---|---|---|---|---|---|---|")
    for wording, count in (("synonyms", synonyms), ("original", original)):
        shares = [f"{100 * right / max(count.questions, 1):.1f} %" for right in (count.plain, count.learned)]  # fmt: skip
        cells = (count.questions, count.spoken, *shares, count.gained, count.lost)
        print(f"| {wording} | {' | '.join(map(str, cells))} |")


def learn(questions: Sequence[Question], database: SpiderDatabase) -> Learned:
    """What all pairs of a database say about the words that any of them proposes."""
    schemas, values = (database.schema,), database.values
    pairs = [
        Pair(question=q.synonyms or q.text, sql=q.gold, database=q.database) for q in questions
    ]
    proposed: dict[Alias, set[int]] = {}
    for number, pair in enumerate(pairs):
        for alias in proposed_aliases(
            pair.question, pair.sql, schemas, values, database=pair.database
        ):
            proposed.setdefault(alias, set()).add(number)
    learned = Learned()
    words = [singular_words(pair.question) for pair in pairs]
    for alias, numbers in proposed.items():
        told = learned.evidence.setdefault(alias, [])
        for number, pair in enumerate(pairs):
            if number in numbers:
                told.append((_plain(pair.sql), _evidence(Strength.CORRECTED, pair)))
            elif occurs(alias.phrase, words[number]) and gain(alias, pair, schemas, values) < 0:
                told.append((_plain(pair.sql), _evidence(Strength.CONTRADICTED, pair)))
    return learned


def _evidence(strength: Strength, pair: Pair) -> Evidence:
    return Evidence(strength=strength, rater="owner", source=Source.OWNER, question=pair.question)


def _try(
    question: Question, text: str, database: SpiderDatabase, aliases: list[Alias], count: Count
) -> None:
    words = singular_words(text)
    spoken = tuple(alias for alias in aliases if occurs(alias.phrase, words))
    plain = _is_right(question, text, database, ())
    learned = _is_right(question, text, database, spoken) if spoken else plain
    count.add(plain, learned, bool(spoken))


def _is_right(
    question: Question, text: str, database: SpiderDatabase, aliases: tuple[Alias, ...]
) -> bool:
    found = understand(text, (database.schema,), database.values, today=TODAY, aliases=aliases)
    if not found.candidates:
        return False
    rows = database.rows(compile_query(found.candidates[0].query, (database.schema,), "sqlite"))
    return same_answer(question.gold, database.rows(question.gold) or [], rows)


def _plain(sql: str) -> str:
    return " ".join(sql.casefold().split())
