"""The bookkeeping of aliases: evidence in, memories out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from oldhand.errors import InvalidAlias, UnknownTarget
from oldhand.learning.alias_evidence import alias_id, evidence_of, strengthened
from oldhand.learning.aliases import Aliases, Changed
from oldhand.record.effect import Alias
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import Source
from oldhand.record.memory import LEAST_CONFIDENCE, Memory, MemoryType, PreferencePayload
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.testing.clock import FixedClock

CLIENTS = Alias(phrase="client", database="shop", schema_name="main", table="customers")
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            schema_name="main",
            columns=(
                Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
                Column(name="name", type="TEXT", kind=Kind.TEXT),
                Column(name="tier", type="TEXT", kind=Kind.TEXT),
                Column(name="score", type="INT", kind=Kind.INTEGER),
            ),
        ),
        Table(
            name="orders",
            schema_name="main",
            columns=(Column(name="total", type="REAL", kind=Kind.NUMBER),),
        ),
    ),
)
HOW_MANY = Pair(question="How many clients?", sql="SELECT count(*) FROM customers", database="shop")
NAMES = Pair(question="Names of our clients", sql="SELECT name FROM customers", database="shop")
REVENUE = Pair(question="Client revenue", sql="SELECT sum(total) FROM orders", database="shop")


@dataclass
class Desk:
    """Keeps memories in a dictionary; proposes and judges by fixed lists."""

    proposals: dict[str, Sequence[Alias]] = field(default_factory=dict[str, Sequence[Alias]])
    spoilt: set[str] = field(default_factory=set[str])
    """Questions that any alias makes worse."""
    kept: dict[str, Memory] = field(default_factory=dict[str, Memory])
    asked: list[Sequence[Pair]] = field(default_factory=list[Sequence[Pair]])
    clock: FixedClock = field(default_factory=FixedClock)

    @property
    def aliases(self) -> Aliases:
        return Aliases("default", self.memories, self.propose, self.helps, self.clock.now)

    def memories(self) -> tuple[Memory, ...]:
        return tuple(self.kept.values())

    def propose(self, pair: Pair, /) -> Sequence[Alias]:
        return self.proposals.get(pair.question, ())

    def helps(self, alias: Alias, pairs: Sequence[Pair], /) -> bool:
        self.asked.append(pairs)
        return not any(pair.question in self.spoilt for pair in pairs)

    def take(self, changed: Changed) -> Changed:
        self.kept |= {memory.id: memory for memory in changed.saved}
        for gone in changed.forgotten:
            del self.kept[gone]
        return changed

    @property
    def confidence(self) -> float:
        [memory] = self.kept.values()
        return memory.confidence


def said(
    strength: Strength = Strength.CORRECTED,
    episode: str = "e1",
    rater: str = "ana",
    source: Source = Source.OWNER,
) -> Evidence:
    return Evidence(strength=strength, rater=rater, source=source, episode_id=episode)


@pytest.fixture
def desk() -> Desk:
    return Desk({HOW_MANY.question: [CLIENTS], NAMES.question: [CLIENTS]})


def test_the_right_sql_of_an_owner_makes_an_alias_active_at_once(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [memory] = desk.kept.values()
    assert memory.confidence >= LEAST_CONFIDENCE
    assert (memory.type, memory.effect, memory.tags) == (MemoryType.PREFERENCE, CLIENTS, ("alias",))
    assert memory.id == alias_id("default", CLIENTS)
    assert memory.summary == "'client' means the table customers (shop)."
    assert memory.created_at == desk.clock.now()
    assert (memory.provenance.source, memory.provenance.rater) == (Source.OWNER, "ana")
    assert memory.provenance.episode_ids == ("e1",)
    assert isinstance(memory.payload, PreferencePayload)
    assert (memory.payload.key, memory.payload.value) == ("client", "shop.customers")
    assert memory.payload.context == "learned from the right SQL given by ana ('How many clients?')"


def test_a_thumb_alone_does_not_make_an_alias_active_but_two_on_different_questions_do(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said(Strength.CONFIRMED)))
    assert desk.confidence < LEAST_CONFIDENCE
    desk.take(desk.aliases.confirmed(NAMES, said(Strength.CONFIRMED, "e2")))
    assert desk.confidence >= LEAST_CONFIDENCE


def test_two_thumbs_on_the_same_question_are_one_piece_of_evidence(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said(Strength.CONFIRMED)))
    again = HOW_MANY.model_copy(update={"question": HOW_MANY.question})
    desk.take(desk.aliases.confirmed(again, said(Strength.CONFIRMED, "e2", "ben")))
    assert desk.confidence < LEAST_CONFIDENCE


@pytest.mark.parametrize("source", [Source.EXTERNAL, Source.EVALUATOR, Source.EXECUTION])
def test_nothing_is_learned_from_whoever_is_not_trusted(desk: Desk, source: Source):
    changed = desk.aliases.confirmed(HOW_MANY, said(rater="mallory", source=source))
    assert changed == Changed()


def test_whoever_is_not_trusted_cannot_lower_an_alias(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    mallory = said(Strength.CONTRADICTED, "e2", "mallory", Source.EXTERNAL)
    assert desk.aliases.rejected(desk.kept, mallory) == Changed()


def test_an_alias_that_spoils_its_own_question_is_not_learned(desk: Desk):
    desk.spoilt = {HOW_MANY.question}
    assert desk.aliases.confirmed(HOW_MANY, said()) == Changed()


def test_an_alias_that_spoils_another_confirmed_question_is_not_learned(desk: Desk):
    desk.spoilt = {NAMES.question}
    assert desk.aliases.confirmed(HOW_MANY, said(), [NAMES]) == Changed()


def test_only_questions_with_the_phrase_are_tried(desk: Desk):
    other = Pair(question="How many orders?", sql="SELECT count(*) FROM orders", database="shop")
    desk.aliases.confirmed(HOW_MANY, said(), [other, NAMES])
    assert desk.asked == [(HOW_MANY, NAMES)]


def test_a_confirmed_pair_in_which_the_phrase_means_something_else_lowers_the_alias(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    desk.spoilt = {REVENUE.question}
    desk.take(desk.aliases.confirmed(REVENUE, said(episode="e2")))
    assert desk.confidence < LEAST_CONFIDENCE
    [memory] = desk.kept.values()
    assert evidence_of(memory)[-1].strength is Strength.CONTRADICTED


def test_a_confirmed_pair_does_not_speak_against_a_word_that_was_stated(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [memory] = desk.kept.values()
    stated = Evidence(strength=Strength.STATED, rater="ana", source=Source.OWNER)
    desk.take(Changed((strengthened(memory, stated),)))
    desk.spoilt = {REVENUE.question}
    assert desk.aliases.confirmed(REVENUE, said(episode="e2")) == Changed()


def test_a_confirmed_pair_without_the_phrase_says_nothing_about_an_alias(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    other = Pair(question="Total of orders", sql="SELECT sum(total) FROM orders", database="shop")
    desk.spoilt = {other.question}
    assert desk.aliases.confirmed(other, said(episode="e2")) == Changed()


def test_rejected_answers_lower_a_corrected_word_and_never_take_it_away(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [known] = desk.kept
    before = desk.confidence
    for number in range(2, 9):
        against = said(Strength.DOUBTED, f"e{number}")
        desk.take(desk.aliases.rejected([known, "example-1"], against))
        assert LEAST_CONFIDENCE <= desk.confidence < before


def test_a_rejected_answer_ends_a_word_that_only_thumbs_have_taught(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said(Strength.CONFIRMED)))
    desk.take(desk.aliases.confirmed(NAMES, said(Strength.CONFIRMED, "e2")))
    [known] = desk.kept
    assert desk.confidence >= LEAST_CONFIDENCE
    desk.take(desk.aliases.rejected([known], said(Strength.DOUBTED, "e3")))
    assert desk.confidence < LEAST_CONFIDENCE


def explains_nothing(_alias: Alias, _pair: Pair, /) -> bool:
    return False


def test_a_correction_that_a_word_explains_only_in_part_needs_a_second_question(desk: Desk):
    partly = Aliases(
        "default", desk.memories, desk.propose, desk.helps, desk.clock.now, explains_nothing
    )
    desk.take(partly.confirmed(HOW_MANY, said()))
    assert desk.confidence < LEAST_CONFIDENCE
    desk.take(partly.confirmed(NAMES, said(episode="e2")))
    assert desk.confidence >= LEAST_CONFIDENCE


def test_a_changed_vote_leaves_no_trace_of_the_first(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    before = dict(desk.kept)
    [known] = desk.kept
    desk.take(desk.aliases.rejected([known], said(Strength.CONTRADICTED, "e2")))
    desk.take(desk.aliases.rejected([], said(Strength.CONFIRMED, "e2")))
    assert desk.kept == before


def test_an_alias_goes_when_its_evidence_is_withdrawn(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [known] = desk.kept
    assert desk.take(desk.aliases.withdrawn("e1")) == Changed(forgotten=(known,))
    assert desk.kept == {}


def test_an_alias_stays_while_other_evidence_speaks_for_it(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    after_one = dict(desk.kept)
    desk.take(desk.aliases.confirmed(NAMES, said(episode="e2")))
    assert desk.confidence > next(iter(after_one.values())).confidence
    desk.take(desk.aliases.withdrawn("e2"))
    assert desk.kept == after_one


def test_the_same_evidence_twice_changes_nothing(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    desk.clock.advance(3600)
    assert desk.aliases.confirmed(HOW_MANY, said()) == Changed()


def test_what_a_person_states_is_active_and_stays_so_whatever_votes_say(desk: Desk):
    memory = desk.aliases.defined(
        "Top  Tier", "shop.customers.tier = A1", (SHOP,), rater="eva", source=Source.EXPERT
    )
    assert memory.confidence == 1.0
    assert memory.effect == Alias(
        phrase="top tier", database="shop", schema_name="main", table="customers", column="tier", value="A1"
    )  # fmt: skip
    desk.kept[memory.id] = memory
    desk.take(desk.aliases.rejected([memory.id], said(Strength.CONTRADICTED)))
    assert desk.confidence == 1.0
    assert [one.strength for one in evidence_of(desk.kept[memory.id])] == [
        Strength.STATED,
        Strength.DOUBTED,
    ]


def test_what_a_person_states_replaces_what_the_phrase_meant(desk: Desk):
    first = desk.aliases.defined(
        "vips", "shop.customers", (SHOP,), rater="ana", source=Source.OWNER
    )
    desk.kept[first.id] = first
    second = desk.aliases.defined(
        "VIPs", "shop.customers.tier = A1", (SHOP,), rater="ana", source=Source.OWNER
    )
    desk.kept[second.id] = second
    desk.take(desk.aliases.replaced(second, rater="ana", source=Source.OWNER))
    assert [desk.kept[one.id].confidence for one in (first, second)] == [0.0, 1.0]


def test_what_a_person_takes_back_is_not_learned_again(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [known] = desk.kept
    desk.take(desk.aliases.denied(known, rater="eva", source=Source.EXPERT))
    desk.take(desk.aliases.confirmed(NAMES, said(episode="e2")))
    assert desk.confidence == 0.0


def test_an_untrusted_person_neither_states_nor_takes_back(desk: Desk):
    desk.take(desk.aliases.confirmed(HOW_MANY, said()))
    [known] = desk.kept
    assert desk.aliases.denied(known, rater="mallory", source=Source.EXTERNAL) == Changed()
    with pytest.raises(InvalidAlias, match="owner and experts"):
        desk.aliases.defined("x", "customers", (SHOP,), rater="mallory", source=Source.EXTERNAL)


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("customers", "shop.customers"),
        ("SHOP.Customers", "shop.customers"),
        ("shop.main.customers", "shop.customers"),
        ("customers.tier", "shop.customers.tier"),
        ("total", "shop.orders.total"),
        ('shop."customers"."tier" = "A 1"', "shop.customers.tier = 'A 1'"),
        ("customers.score = 7", "shop.customers.score = 7"),
        ("customers.score=7.5", "shop.customers.score = 7.5"),
        ("customers.tier = a = b", "shop.customers.tier = 'a = b'"),
        ("shop.orders.total > 100", "shop.orders.total > 100"),
        ("orders.total>=100.5", "shop.orders.total >= 100.5"),
        ("orders.total \u2264 7", "shop.orders.total <= 7"),
        ("total < -1", "shop.orders.total < -1"),
        ('shop."orders"."total" Between 5 AND 10', "shop.orders.total between 5 and 10"),
    ],
)
def test_a_target_is_read_against_the_schemas(desk: Desk, target: str, meant: str):
    memory = desk.aliases.defined("word", target, (SHOP,), rater="ana", source=Source.OWNER)
    assert memory.effect is not None
    assert memory.effect.target == meant


@pytest.mark.parametrize(
    ("target", "near"),
    [
        ("shop.custmers", "shop.customers"),
        ("shop.customers.teir", "shop.customers.tier"),
        ("ordrs.total", "shop.orders.total"),
    ],
)
def test_a_target_that_is_not_there_is_answered_with_near_names(desk: Desk, target: str, near: str):
    with pytest.raises(UnknownTarget, match=near) as raised:
        desk.aliases.defined("word", target, (SHOP,), rater="ana", source=Source.OWNER)
    assert near in raised.value.near


def test_a_target_that_may_be_several_things_is_asked_for_in_full(desk: Desk):
    other = SHOP.model_copy(update={"name": "old_shop"})
    with pytest.raises(UnknownTarget, match=r"shop\.customers, old_shop\.customers"):
        desk.aliases.defined("w", "customers", (SHOP, other), rater="ana", source=Source.OWNER)


@pytest.mark.parametrize(
    "target",
    [
        *["", "=", " . ", "= A1", "customers = A1", "customers.score = A1"],
        *["orders > 1", "orders.total >", "> 1", "orders.total > many", "customers.tier > 1"],
        *["orders.total != 1", "orders.total <> 1", "orders.total => 1", "orders.total >> 1"],
        *["orders.total between 1", "orders.total between 5 and 1", "orders.total between a and b"],
        *["orders.total is null", "orders.total in (1, 2)", "orders.total > 1 and total < 3"],
    ],
)
def test_a_target_of_no_known_form_is_refused(desk: Desk, target: str):
    with pytest.raises(InvalidAlias):
        desk.aliases.defined("word", target, (SHOP,), rater="ana", source=Source.OWNER)


@pytest.mark.parametrize("phrase", ["", "  ", "?!", '""', "42", "word " * 9, "x" * 101, "🙂"])
def test_a_phrase_that_no_question_can_hold_is_refused(desk: Desk, phrase: str):
    with pytest.raises(InvalidAlias):
        desk.aliases.defined(phrase, "customers", (SHOP,), rater="ana", source=Source.OWNER)


@pytest.mark.parametrize("phrase", ["Kundschaft", "VIP-Kunden", "größte Kunden", "клиенты", "顧客"])
def test_a_phrase_may_be_in_any_script(desk: Desk, phrase: str):
    memory = desk.aliases.defined(phrase, "customers", (SHOP,), rater="ana", source=Source.OWNER)
    assert memory.effect is not None
    assert memory.effect.phrase == phrase.lower()


def test_memories_that_are_no_aliases_are_left_alone(desk: Desk):
    plain = Memory(
        type=MemoryType.PREFERENCE,
        id="pref-1",
        created_at=desk.clock.now(),
        payload=PreferencePayload(key="currency", value="EUR"),
    )
    desk.kept[plain.id] = plain
    assert desk.aliases.withdrawn("e1") == Changed()
    assert desk.aliases.rejected(["pref-1"], said(Strength.CONTRADICTED)) == Changed()
