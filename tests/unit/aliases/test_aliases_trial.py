"""A trial: companies of chance whose people are corrected, and which words that teaches."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from oldhand.agent.analyst.aliases.gate import explains, may_be_learned
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.learning.alias_evidence import confidence_of
from oldhand.record.effect import Alias
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import Source
from oldhand.record.memory import LEAST_CONFIDENCE
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex

from .conftest import SHOP, column

THINGS = ("parcel", "vessel", "garden", "patient", "lecture", "engine", "concert", "policy", "turbine", "orchard")  # fmt: skip
OWNERS = ("tenant", "breeder", "curator", "broker", "surgeon", "trainer", "florist", "notary")
NICKNAMES = ("zibber", "plonk", "quill", "wembly", "drover", "snark", "tuffet", "gromet")
SINGLE = "aeiou"
UNITS = ("days", "weeks", "months", "hours", "minutes")


@dataclass(frozen=True)
class Corrected:
    """A question that was corrected, and the one word that it could teach, if any."""

    question: str
    sql: str
    teaches: str = ""


def company(drawn: random.Random) -> tuple[DatabaseSchema, ValueIndex, tuple[Corrected, ...]]:
    """Two tables, their values, and questions that their SQL explains in full, in part, or by what no word says."""
    thing, owner = drawn.choice(THINGS), drawn.choice(OWNERS)
    nick, mark = drawn.sample(NICKNAMES, 2)
    key = ForeignKey(
        columns=(f"{owner}_id",), database="co", schema_name="main", table=owner, target_columns=("id",)
    )  # fmt: skip
    number = column("id", Kind.INTEGER, key=True)
    tables = (
        Table(
            name=owner,
            schema_name="main",
            columns=(number, column("name"), column("grade"), column("town")),
        ),
        Table(
            name=thing,
            schema_name="main",
            columns=(
                number,
                column(f"{owner}_id", Kind.INTEGER),
                column("status"),
                column("fee", Kind.NUMBER),
                Column(name="listed_on", type="DATE", kind=Kind.DATE),
            ),
            foreign_keys=(key,),
        ),
    )
    values = ValueIndex.in_memory(
        "co",
        [
            ("main", owner, "grade", ["K1", "K2"]),
            ("main", owner, "town", ["Ghent", "Turin"]),
            ("main", thing, "status", ["void", "live"]),
        ],
    )
    schema = DatabaseSchema(name="co", dialect="sqlite", tables=tables)
    return schema, values, tuple(_asked(drawn, thing, owner, nick, mark))


def _asked(
    drawn: random.Random, thing: str, owner: str, nick: str, mark: str
) -> Iterator[Corrected]:
    unit, span = drawn.choice(UNITS), drawn.randint(2, 30)
    count, tied = f"SELECT COUNT(*) FROM {thing}", f"o.id = t.{owner}_id"
    since = f"{count} WHERE listed_on >= '2024-05-01'"
    yield Corrected(f"How many {nick}s are there?", f"SELECT COUNT(*) FROM {owner}", nick)
    yield Corrected(
        f"How many {mark} {owner}s are there?", f"SELECT COUNT(*) FROM {owner} WHERE grade = 'K1'", mark
    )  # fmt: skip
    yield Corrected(f"How many {thing}s were listed within {span} {unit}?", since)
    yield Corrected(f"Which {thing}s were listed more than {span} {unit} ago?", f"SELECT id FROM {thing} WHERE listed_on < '2024-05-01'")  # fmt: skip
    yield Corrected(f"How many {thing}s are there lately?", since)
    yield Corrected(f"Turnover of {thing}s", f"SELECT SUM(fee) FROM {thing}")
    yield Corrected(f"How many {drawn.choice(SINGLE)}-{thing}s are there?", f"{count} WHERE status = 'live'")  # fmt: skip
    yield Corrected(
        f"Which {owner}s are dormant?",
        f"SELECT o.name FROM {owner} o LEFT JOIN {thing} t ON {tied} WHERE t.id IS NULL",
    )
    yield Corrected(
        f"How many lapsed {owner}s are there?",
        f"SELECT COUNT(*) FROM {owner} WHERE id NOT IN (SELECT {owner}_id FROM {thing})",
        "lapsed",
    )
    yield Corrected(f"How many proper {thing}s are there?", f"{count} WHERE status <> 'void'", "proper")  # fmt: skip
    yield Corrected(f"Number of {thing}s apart from Turin", f"SELECT COUNT(*) FROM {thing} t JOIN {owner} o ON {tied} WHERE o.town <> 'Turin'")  # fmt: skip
    yield Corrected(f"Best {thing}s by twice the fee", f"SELECT id FROM {thing} ORDER BY fee DESC")


def learned_at_once(asked: Corrected, schema: DatabaseSchema, values: ValueIndex) -> list[Alias]:
    """The words that one correction teaches so well that they are used from then on."""
    schemas, pair = (schema,), Pair(question=asked.question, sql=asked.sql, database="co")
    found = proposed_aliases(asked.question, asked.sql, schemas, values, database="co")

    def sure(alias: Alias) -> float:
        whole = explains(alias, pair, schemas, values)
        strength = Strength.CORRECTED if whole else Strength.CONFIRMED
        return confidence_of(
            [Evidence(strength=strength, rater="ana", source=Source.OWNER, question=asked.question)]
        )

    return [alias for alias in found if sure(alias) >= LEAST_CONFIDENCE]


def test_corrections_in_companies_of_chance_teach_hardly_a_wrong_word() -> None:
    taught, wrong, chances = 0, list[tuple[str, str]](), 0
    for seed in range(12):
        schema, values, asked = company(random.Random(seed))
        for one in asked:
            words = learned_at_once(one, schema, values)
            chances += bool(one.teaches)
            taught += any(word.phrase == one.teaches for word in words)
            wrong += [(word.phrase, one.question) for word in words if word.phrase != one.teaches]
    assert taught >= 0.9 * chances, f"{taught} of {chances}"
    assert wrong == []


@pytest.mark.parametrize(
    "phrase",
    ["ago", "within", "e", "two weeks", "recently", "never", "without", "twice", "third", "more than", "turnover", "march", "hours", "except"],
)  # fmt: skip
def test_what_means_the_same_everywhere_is_never_learned(phrase: str) -> None:
    alias = Alias(phrase=phrase, database="shop", table="patron")
    assert not may_be_learned(alias, vocabulary((SHOP,)))


@pytest.mark.parametrize("phrase", ["cardholder", "night shift crew", "vips", "key account"])
def test_words_with_content_may_be_learned(phrase: str) -> None:
    allowed = may_be_learned(
        Alias(phrase=phrase, database="shop", table="patron"), vocabulary((SHOP,))
    )
    assert allowed is ("night" not in phrase)
