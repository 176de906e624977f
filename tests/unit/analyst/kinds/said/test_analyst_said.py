"""What people say of answers, and rules that they state, over companies of their own: in the language in which they ask."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from pydantic import RootModel
from tests.unit.analyst.worlds import are_right

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation.followup import is_follow_up
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.by_rule import as_stated, by_rule
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.agent.analyst.correcting.defining import key_supplied
from oldhand.agent.analyst.correcting.in_passing import puts_right
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.query.compiling.compile import spelled

_Said = RootModel[dict[str, dict[str, dict[str, str]]]]


def _corrections(file: str = "corrections.yaml") -> Iterator[object]:
    text = Path(__file__).with_name(file).read_text("utf-8")
    for world, questions in _Said.model_validate(yaml.safe_load(text)).root.items():
        for question, corrections in questions.items():
            for words, sql in corrections.items():
                yield pytest.param(world, question, words, sql, id=f"{world}: {question} {words}")


CORRECTIONS = tuple(_corrections())


def test_there_are_corrections_of_many_kinds():
    assert len(CORRECTIONS) >= 60


@pytest.mark.parametrize(("world", "question", "words", "sql"), CORRECTIONS)
def test_a_correction_asks_for_these_rows_or_is_not_understood(worlds, world, question, words, sql):
    asked = worlds[world]
    query = asked.understand(question).candidates[0].query
    found = corrected(words, Scene(query, question, asked.schemas, asked.values, asked.today))
    if not sql:
        assert found == ()
        return
    (query,) = found
    assert are_right(asked.rows(sql), asked.rows(query), ordered=False), spelled(query)


@pytest.mark.parametrize(
    ("world", "question", "words", "sql"), tuple(_corrections("short_names.yaml"))
)
def test_keys_codes_and_dates_of_short_names_are_understood_as_they_are_written(
    worlds, world, question, words, sql
):
    asked = worlds[world]
    query = asked.understand(question).candidates[0].query
    scene = Scene(query, question, asked.schemas, asked.values, asked.today)
    ruled = by_rule(words, scene)
    found = (ruled,) if ruled is not None else corrected(words, scene) or as_stated(words, scene)
    if not sql:
        assert found == ()
        return
    (query,) = found
    assert are_right(asked.rows(sql), asked.rows(query), ordered=False), spelled(query)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("trips belong to the crew who helps (hlp_crw_id)", "trp belong to crw by trp.hlp_crw_id = crw.crw_id"),
        ("use hlp_crw_id for crew of trips", "trp belong to crw by trp.hlp_crw_id = crw.crw_id"),
        ("chkr_id is a crew", "chk belong to crw by chk.chkr_id = crw.crw_id"),
        ("chkr_id points to crew", "chk belong to crw by chk.chkr_id = crw.crw_id"),
        ("chk.chkr_id = crw.crw_id", "chk belong to crw by chk.chkr_id = crw.crw_id"),
        ("join checks to crew on chkr_id", "chk belong to crw by chk.chkr_id = crw.crw_id"),
        ("vessels with st X don't count", "vsl with st = 'X' are left out from every question"),
        ("st X doesn't count", "vsl with st = 'X' are left out from every question"),
        ("only count trips where st = D", "trp with st = 'D' alone count in every question"),
        ("done means st = D", "'done' means trp with st = 'D'"),
        ("own vessels are vessels with chr 0", "'own vessels' means vsl with chr = 0"),
        ("trips are dated by the payment date", 'times of trp, such as "in March", are those of dt_pd'),
    ],
)  # fmt: skip
def test_rules_name_keys_and_codes_as_they_are_written(worlds, sentence, told):
    asked = worlds["ferry"]
    assert read_rule(sentence, asked.schemas, asked.values).rule.told == told


@pytest.mark.parametrize(
    "said", ["chkr_id is the crew", "join on chkr_id", "by the one who checked (chkr_id)"]
)
def test_a_key_that_nobody_declared_is_supplied_by_words_for_a_question_that_lacks_it(worlds, said):
    asked = worlds["ferry"]
    rule, query = key_supplied(said, "How many checks are there per crew?", asked.schemas, asked.values, asked.today) or (None, None)  # fmt: skip
    assert rule is not None
    assert rule.rule.told == "chk belong to crw by chk.chkr_id = crw.crw_id"
    right = "SELECT c.nm, count(*) FROM ferry.chk k JOIN ferry.crw c ON c.crw_id = k.chkr_id GROUP BY c.crw_id"
    assert are_right(asked.rows(right), asked.rows(query), ordered=False)


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("leave out the cancelled ones (st C)", "SELECT count(*) FROM ferry.trp WHERE st <> 'C' AND dt_bk LIKE '2024%'"),
        ("count them by the day they were paid", "SELECT count(*) FROM ferry.trp WHERE dt_pd LIKE '2024%'"),
        ("it should go by dt_pd", "SELECT count(*) FROM ferry.trp WHERE dt_pd LIKE '2024%'"),
        ("How many vessels are there?", "SELECT count(*) FROM ferry.vsl"),
    ],
)  # fmt: skip
def test_a_sentence_behind_an_answer_that_only_says_what_should_be_different_puts_it_right(
    worlds, said, sql
):
    asked = worlds["ferry"]
    before = [EarlierTurn(question="How many trips were there in 2024?", text="")]
    reading = QuestionReader(asked.schemas, asked.values, asked.today, puts_right=puts_right).read(said, before)  # fmt: skip
    assert reading.answers
    assert are_right(asked.rows(sql), asked.rows(reading.queries[0]), ordered=False)


def test_a_value_that_is_to_come_first_stands_before_the_others_which_keep_their_order(worlds):
    asked = worlds["workshop"]
    question = "How many repairs are there per status?"
    query = asked.understand(question).candidates[0].query
    scene = Scene(query, question, asked.schemas, asked.values, asked.today)
    (found,) = corrected("invoiced should be at the top", scene)
    before, after = ([row[0] for row in asked.rows(one)] for one in (query, found))
    assert before[0] != "invoiced"
    assert after == ["invoiced", *(one for one in before if one != "invoiced")]


def _rules() -> Iterator[object]:
    text = Path(__file__).with_name("rules.yaml").read_text("utf-8")
    for world, rules in _Said.model_validate(yaml.safe_load(text)).root.items():
        for sentence, questions in rules.items():
            for question, sql in questions.items():
                yield pytest.param(world, sentence, question, sql, id=f"{sentence}: {question}")


@pytest.mark.parametrize(("world", "sentence", "question", "sql"), tuple(_rules()))
def test_a_word_that_a_rule_defines_works_in_questions(worlds, world, sentence, question, sql):
    asked = worlds[world]
    rule = read_rule(sentence, asked.schemas, asked.values).rule
    (schema,) = asked.schemas
    having = schema.model_copy(update={"semantics": schema.semantics.having(rule)})
    told = replace(asked, schemas=(having,))
    reading = told.read(question)
    assert reading.answers, (rule.told, reading.decision)
    assert are_right(told.rows(sql), told.rows(reading.queries[0]), ordered=False), spelled(reading.queries[0])  # fmt: skip


def _conversations() -> Iterator[object]:
    text = Path(__file__).with_name("follow_ups.yaml").read_text("utf-8")
    for world, conversations in _Said.model_validate(yaml.safe_load(text)).root.items():
        for question, follow_ups in conversations.items():
            yield pytest.param(world, question, follow_ups, id=f"{world}: {question}")


@pytest.mark.parametrize(("world", "question", "follow_ups"), tuple(_conversations()))
def test_a_condition_alone_goes_on_from_the_question_before(worlds, world, question, follow_ups):
    asked, before = worlds[world], [EarlierTurn(question=question, text="")]
    for follow_up, sql in follow_ups.items():
        reading = QuestionReader(asked.schemas, asked.values, asked.today).read(follow_up, before)
        assert reading.answers, follow_up
        assert are_right(asked.rows(sql), asked.rows(reading.queries[0]), ordered=False), follow_up
        before.append(EarlierTurn(question=follow_up, text=""))


@pytest.mark.parametrize("question", ["For each city, how many stores are there?", "by revenue, which store is first?", "In which city do we sell most?"])  # fmt: skip
def test_a_whole_question_that_opens_like_a_condition_is_no_follow_up(question):
    assert not is_follow_up(question, ())
