"""What votes have taught about passages follows from the feedback log, in every store."""

import threading

import pytest
import sqlalchemy as sa
from tests.passage_queries import SEED_QUERIES

from oldhand.learning.credit.safeguard import note_harm
from oldhand.loop.crediting import Crediting
from oldhand.record.document import Citation
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.feedback import Source
from oldhand.record.memory import MemoryType
from oldhand.record.retrieval import AskedPoint, PassageCandidate
from oldhand.settings import Settings
from oldhand.settings.documents import CreditSettings, RuleName
from oldhand.testing import FixedClock
from oldhand.testing.records import example_episode, example_feedback

BIKES, HELMETS = "How do I return a bike?", "Which helmets are approved?"


def candidates() -> list[PassageCandidate]:
    return [PassageCandidate(f"c{n}", 1.0 - n / 10, None) for n in range(8)]


def asked(store, name, question=BIKES, shown=5, **changes):
    """An answer for which eight passages were found, and five shown."""
    items = tuple(
        Recalled(
            kind="chunk",
            item_id=one.chunk,
            rank=n + 1,
            score=one.base,
            shown=n < shown,
            chance=1.0,
            boost=0.0,
            cosine=0.8 - n / 10,
        )
        for n, one in enumerate(candidates())
    )
    episode = example_episode(name, question=question, standalone=question, **changes)
    store.record_episode(episode, Recollection(episode_id=name, items=items))


def vote(store, credit, number, rating, *, episode="e1", rater="ana", **changes):
    said = {"source": Source.OWNER, "rater": rater, **changes}
    store.add_feedback(
        example_feedback(
            f"f{number}",
            rating,
            episode_id=episode,
            **{"text": None, "correction": None, "tags": (), **said},
        )
    )
    return credit.learn(episode)


def crediting(store, rule=RuleName.KERNEL, **settings) -> Crediting:
    return Crediting("default", store, CreditSettings(rule=rule, **settings), FixedClock())


def order(credit, question=BIKES) -> list[str]:
    return [one.chunk for one in credit.rank(AskedPoint(question, None), candidates())]


def state(store) -> object:
    rows = [one._replace(at=None) for one in store.credit.events("default")]
    return rows, store.credit.scores("default")


@pytest.fixture(params=[one for one in RuleName if one not in (RuleName.NONE, RuleName.AUTO)])
def rule(request) -> RuleName:
    return request.param


def test_votes_change_the_order_for_the_question_and_not_for_others(store, rule):
    credit = crediting(store, rule)
    usual = order(credit)
    assert usual == [f"c{n}" for n in range(8)]
    for n in range(6):
        asked(store, f"e{n}")
        vote(store, credit, n, 1, episode=f"e{n}", rater=f"r{n}", passage="c4")
        vote(store, credit, 50 + n, -1, episode=f"e{n}", rater=f"r{n}", passage="c0")
    assert order(credit).index("c4") < order(credit).index("c0")
    if rule in (RuleName.KERNEL, RuleName.NEAREST):
        assert order(credit, HELMETS) == usual


def test_what_is_learned_is_known_to_other_processes(store, open_store, rule):
    other = crediting(open_store(), rule)
    order(other)
    credit = crediting(store, rule)
    asked(store, "e1")
    assert vote(store, credit, 1, -1)
    assert order(credit) == order(other)
    assert list(other.rank(AskedPoint(BIKES, None), candidates())) == list(
        credit.rank(AskedPoint(BIKES, None), candidates())
    )


def test_a_vote_is_learned_once(store, rule):
    credit = crediting(store, rule)
    asked(store, "e1")
    assert vote(store, credit, 1, 1)
    before = state(store)
    assert not credit.learn("e1")
    assert state(store) == before


def test_a_changed_vote_takes_the_place_of_the_first_and_a_withdrawn_one_was_never_given(
    store, rule
):
    credit = crediting(store, rule)
    for n in range(4):
        asked(store, f"e{n}")
        vote(store, credit, n, 1 if n % 2 else -1, episode=f"e{n}", rater=f"r{n}")
    before = state(store)
    asked(store, "late")
    for n, rating in enumerate((1, -1, 0)):
        vote(store, credit, 10 + n, rating, episode="late")
    assert state(store) == before
    assert vote(store, credit, 20, 0, episode="e1", rater="r1")
    assert [one.feedback_id for one in store.credit.events("default")] == ["f0", "f2", "f3"]
    _same_when_rebuilt(store, credit)


def _same_when_rebuilt(store, credit) -> None:
    before = state(store)
    credit.rebuild()
    rows, scores = state(store)
    assert [one.feedback_id for one in rows] == [one.feedback_id for one in before[0]]
    assert scores == before[1]
    for one, other in zip(rows, before[0], strict=True):
        for chunk, numbers in one.credits.items():
            assert numbers["credit"] == pytest.approx(other.credits[chunk]["credit"], abs=1e-6)


@pytest.mark.parametrize(("first_only", "score"), [(True, 0.2), (False, -0.2)])
def test_the_first_vote_makes_the_scores_unless_the_settings_say_otherwise(
    store, first_only, score
):
    credit = crediting(store, RuleName.EMA, scores={"first_vote_only": first_only})
    asked(store, "e1")
    vote(store, credit, 1, 1)
    vote(store, credit, 2, -1)
    assert {one.score for one in store.credit.scores("default")} == {score}
    _same_when_rebuilt(store, credit)


def test_scores_are_those_of_the_moving_average(store):
    credit = crediting(store, RuleName.EMA)
    for n, (rating, source) in enumerate(((1, Source.OWNER), (-1, Source.EXTERNAL))):
        asked(store, f"e{n}")
        vote(store, credit, n, rating, episode=f"e{n}", rater=f"r{n}", source=source)
    found = store.credit.scores("default")
    assert {one.chunk_hash for one in found} == {f"c{n}" for n in range(5)}
    assert {(round(one.score, 9), one.hit_count) for one in found} == {(0.08, 2)}


def test_the_debugging_queries_run_as_they_stand(store):
    credit = crediting(store, RuleName.EMA)
    asked(store, "e1")
    vote(store, credit, 1, 1)
    with store.credit._transactions.reading() as connection:
        rows = [connection.execute(sa.text(one)).all() for one in SEED_QUERIES]
    assert rows[0][0][1:] == (0.2, 1)
    assert len(rows[1]) == 5
    assert [tuple(one) for one in rows[2]] == [("positive", 5)]


def test_machines_and_complaints_of_style_say_nothing_of_passages(store):
    credit = crediting(store)
    asked(store, "e1")
    assert not vote(store, credit, 1, -1, source=Source.EVALUATOR)
    assert not vote(store, credit, 2, -1, text="Right, but too verbose.")
    assert not vote(store, credit, 3, None, text="Interesting.")
    assert vote(store, credit, 4, None, correction="Thirty days.")


def test_where_an_answer_cites_only_that_is_credited(store):
    credit = crediting(store)
    cited = Citation(
        number=1, chunk="c2", document_id="d", document="Handbook", place="Returns", quote="30 days"
    )
    asked(store, "e1", citations=(cited,))
    vote(store, credit, 1, 1)
    (event,) = store.credit.events("default")
    assert list(event.credits) == ["c2"]
    assert {one.chunk_hash for one in store.credit.scores("default")} == {f"c{n}" for n in range(5)}
    assert event.vote["cites"] is True
    assert event.vote["top"] == 0.8  # the best cosine of all that was found


def test_a_vote_on_a_passage_does_not_judge_the_answer(store):
    credit = crediting(store)
    asked(store, "e1")
    vote(store, credit, 1, 1)
    before = store.episode("default", "e1")
    for n in range(40):
        vote(store, credit, 10 + n, -1, passage="c1", tags=("outdated",))
    assert store.episode("default", "e1") == before
    assert store.judged_questions("default") == {"e1": BIKES}
    assert [one.feedback_id for one in store.credit.events("default")] == ["f1", "f49"]
    assert order(credit).index("c1") > 1


def test_messages_name_the_latest_vote_on_the_answer(store):
    credit = crediting(store)
    asked(store, "e1")
    vote(store, credit, 1, 1, style_rating=-1)
    vote(store, credit, 2, -1, rater="bo", source=Source.EXTERNAL, text="It is 30 days.")
    vote(store, credit, 3, 1, passage="c1")
    vote(store, credit, 4, 1, rater="judge", source=Source.EVALUATOR)
    columns = "feedback_rating, style_rating, feedback_source, feedback_text"
    told = f"SELECT {columns} FROM messages WHERE role = 'assistant'"
    with store.credit._transactions.reading() as connection:
        assert [tuple(one) for one in connection.execute(sa.text(told))] == [
            (-1, -1, "external_user", "It is 30 days.")
        ]


def test_many_voters_at_once_lose_nothing_and_count_once(store, open_store, clock):
    asked(store, "e1")
    failed: list[BaseException] = []

    def press(number: int) -> None:
        try:
            own = open_store()
            credit = crediting(own)
            for n in range(5):
                vote(own, credit, 100 * number + n, 1 if n % 2 else -1)
                vote(own, credit, 100 * number + 50 + n, 1, rater=f"r{number}")
        except BaseException as error:  # noqa: BLE001 - it is raised below
            failed.append(error)

    pressing = [threading.Thread(target=press, args=(n,)) for n in range(1, 4)]
    for one in pressing:
        one.start()
    for one in pressing:
        one.join()
    assert failed == []
    assert sorted(one.vote["rater"] for one in store.credit.events("default")) == [
        "ana",
        "r1",
        "r2",
        "r3",
    ]
    _same_when_rebuilt(store, crediting(store))


def test_auto_follows_the_number_of_votes(store):
    credit = crediting(store, RuleName.AUTO, scores={"intents_from": 1, "nearest_from": 2})
    names = [credit.rule_name]
    for n in range(2):
        asked(store, f"e{n}")
        vote(store, credit, n, 1, episode=f"e{n}")
        names.append(credit.rule_name)
    assert names == [RuleName.EMA, RuleName.INTENTS, RuleName.NEAREST]


def test_the_rule_is_one_setting():
    assert Settings().documents.rule is RuleName.KERNEL
    assert Settings.model_validate({"documents": {"rule": "ema"}}).documents.rule is RuleName.EMA


def test_nothing_is_learned_where_no_passage_was_found(store):
    credit = crediting(store)
    store.record_episode(example_episode("e1"))
    assert not vote(store, credit, 1, 1)
    assert not store.credit.has_passages("default", "e1")
    assert store.memories("default", type=MemoryType.PREFERENCE) == ()


def test_a_harmless_rule_is_left_on_and_one_that_was_switched_off_rests(store):
    credit = crediting(store)
    asked(store, "e1")
    vote(store, credit, 1, 1)
    harm = credit.guard()
    assert harm is not None
    assert not harm.is_harmful
    assert credit.rule_name is RuleName.KERNEL
    bad = harm.model_copy(update={"questions": 40, "without": 0.9, "with_rule": 0.5})
    note_harm(store, "default", bad, FixedClock().now())
    assert credit.rule_name is RuleName.NONE
    assert order(credit) == [f"c{n}" for n in range(8)]
    assert crediting(store, safeguard=False).rule_name is RuleName.KERNEL
    credit.guard()
    assert credit.rule_name is RuleName.KERNEL
