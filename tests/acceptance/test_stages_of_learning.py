"""The stages of learning from votes, one after the other, each as somebody meets it who uses Oldhand: what is set, asked, voted and seen."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from tests.embedding_server import embedding_server, vectors
from tests.passage_queries import SEED_QUERIES

from oldhand import Answer, Oldhand
from oldhand.cli.whole import app
from oldhand.record.episode import Recalled
from oldhand.testing import ScriptedModel
from oldhand.testing.embedding import HashingEmbedder
from oldhand.testing.prompts import Prompt

KINDS = range(1, 15)
ASKED = "Within how many days can a bike of kind 3 be returned?"
HOW = "How do I return a bike of kind 3?"


@contextmanager
def opened(folder: Path, *settings: str, **changes: object) -> Iterator[Oldhand]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    lines = ["documents:", *(f"  {one}" for one in settings)]
    (home / "settings.yaml").write_text("\n".join(lines) + "\n")
    rules = (
        f"## Kind {n}\n\nA bike of kind {n} can be returned within {n + 10} days.\n" for n in KINDS
    )
    (folder / "rules.md").write_text("# Rules\n\n" + "\n".join(rules))
    with Oldhand(home, **changes) as old:
        old.documents.add(folder / "rules.md")
        yield old


def seen(old: Oldhand, answer: Answer) -> list[Recalled]:
    """The passages that an answer saw, in their order."""
    causes = old.episodes.why(answer.episode_id).causes
    found = (one.recalled for one in causes if one.kind == "chunk" and one.recalled)
    return sorted(found, key=lambda one: one.rank)


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(folder / "home" / "store.db")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def scores(folder: Path) -> dict[str, tuple[float, int]]:
    return {chunk: (round(score, 9), hits) for chunk, score, hits in rows(folder, SEED_QUERIES[0])}


def test_stage_1_every_passage_that_was_shown_has_its_share_of_the_first_vote(tmp_path: Path):
    with opened(tmp_path, "embedder: none", "rule: ema") as old:
        answer = old.ask(ASKED)
        before = seen(old, answer)
        shown = [one.item_id for one in before if one.shown]
        assert len(shown) == 5 > len(answer.citations) == 1
        old.feedback(answer, rating=1)
        assert scores(tmp_path) == dict.fromkeys(shown, (0.2, 1))
        old.feedback(answer, rating=-1)  # is noted, and changes no score
        assert scores(tmp_path) == dict.fromkeys(shown, (0.2, 1))
        told = "SELECT feedback_rating, feedback_source FROM messages WHERE role = 'assistant'"
        assert rows(tmp_path, told) == [(-1, "owner")]
        old.feedback(answer, rating=1, rater="guest")
        assert scores(tmp_path) == dict.fromkeys(shown, (0.28, 2))
        assert rows(tmp_path, told) == [(1, "external_user")]
        assert [tuple(one) for one in rows(tmp_path, SEED_QUERIES[2])] == [("positive", 5)]
        assert {one[0] for one in rows(tmp_path, SEED_QUERIES[1])} == set(shown)

        after = seen(old, old.ask(ASKED))
        assert [one.boost for one in after] == [pytest.approx(0.3 * 0.28)] * 5
        votes = old.documents.votes(shown[4])
        assert [(one.rating, one.rater, round(one.score_after, 9)) for one in votes] == [
            (1, "default", 0.2),
            (1, "guest", 0.28),
        ]


@pytest.mark.parametrize(
    ("setting", "comes"), [((), False), (("scores:", "  fetched: 14"), True)], ids=["10", "14"]
)
def test_stage_1_ten_passages_are_put_in_order_and_those_behind_them_stay(
    tmp_path: Path, setting: Sequence[str], comes: bool
):
    with opened(tmp_path, "embedder: none", "rule: ema", *setting) as old:
        before = old.ask(ASKED)
        last = old.documents.passages("Rules")[-1].chunk
        liked = old.ask("Within how many days can a bike of kind 14 be returned?")
        old.feedback(liked, rating=1, passage=last)
        for one in seen(old, before):
            old.feedback(before, rating=-1, passage=one.item_id)
        found = [one.item_id for one in seen(old, old.ask(ASKED))]
        assert len(found) == 5
        assert (last in found) is comes


def test_stage_2_a_score_counts_for_its_kind_of_question_alone(tmp_path: Path):
    settings = ("embedder: none", "rule: intents", "scores:", "  words_of_intents: few")
    with opened(tmp_path, *settings) as old:
        old.feedback(old.ask("Explain when a bike of kind 3 can be returned"), rating=1)
        old.feedback(old.ask("Tell me when a bike of kind 3 can be returned"), rating=1)
        assert {one[0] for one in rows(tmp_path, "SELECT DISTINCT intent FROM chunk_scores")} == {
            "informational"
        }
        boosts = {
            said: {one.boost for one in seen(old, old.ask(said))}
            for said in (
                "What are the days within which a bike of kind 3 can be returned?",
                "Steps to return a bike of kind 3?",
                "Cost when a bike of kind 3 is returned?",
            )
        }
        informational, procedural, transactional = boosts.values()
        assert max(informational) == pytest.approx(0.3 * 0.38)
        assert procedural == transactional == {0.0}


def test_stage_3_what_the_owner_rates_and_rewrites_shapes_the_prompts(tmp_path: Path):
    prompts: list[str] = []

    def reply(prompt: Prompt) -> dict[str, object]:
        prompts.append(prompt.text)
        is_listed = "use bullet points" in prompt.text
        said = "A bike of kind 3 can be returned", "Within 13 days"
        texts = [f"- {one}" for one in said] if is_listed else [" ".join(said) + "."]
        sentences = [{"text": text, "citations": [1]} for text in texts]
        return {"verdict": "answered", "sentences": sentences, "confidence": 1}

    def told(old: Oldhand) -> bool:
        prompts.clear()
        old.ask(ASKED)
        return any("use bullet points" in one for one in prompts)

    with opened(tmp_path, "embedder: none", model=ScriptedModel(reply)) as old:
        answers = [old.ask(ASKED), old.ask(HOW)]
        assert not told(old)
        listed = "The right answer is:\n- 13 days\n- for bikes of kind 3"
        old.feedback(answers[0], correction=listed)
        patterns = rows(
            tmp_path,
            "SELECT clone_id, pattern_type, pattern_key, preference_score FROM response_style_patterns",
        )
        assert set(patterns) == {
            ("default", "structure", "bullet_points", 0.1),
            ("default", "structure", "narrative", -0.1),
        }
        assert not told(old)  # one answer may be put so for itself
        old.feedback(answers[1], correction=listed)
        assert told(old)
        assert old.ask("When can a bike of kind 3 be returned?").text.splitlines() == [
            "- A bike of kind 3 can be returned [1]",
            "- Within 13 days [1]",
        ]


def test_stage_4_a_vote_counts_for_questions_that_mean_the_same(tmp_path: Path):
    made = HashingEmbedder()

    def answer(texts: Sequence[str]) -> tuple[int, object]:
        return 200, vectors(made.embed(texts).tolist())

    with embedding_server(answer) as (url, _):
        settings = ("embedder: openai:hashing", f"embedder_url: {url}", "rule: nearest")
        with opened(tmp_path, *settings) as old:
            given = old.ask(ASKED)
            cited = {one.chunk for one in given.citations}
            old.feedback(given, rating=1)
            (kept,) = rows(tmp_path, "SELECT model, length(vector) FROM credit_events")
            assert kept[0]
            assert kept[1] == 2 * made.embed([ASKED]).shape[1]
            like = seen(old, old.ask("Within how many days may a bike of kind 3 be returned?"))
            assert [one.boost for one in like if one.item_id in cited] == [pytest.approx(0.3)]
            assert {one.boost for one in seen(old, old.ask("Who signs contracts?"))} <= {0.0}


def test_stage_5_what_was_called_wrong_and_what_is_right_make_pairs(tmp_path: Path):
    with opened(tmp_path, "embedder: none") as old:
        answer = old.ask(ASKED)
        old.feedback(answer, correction="The right answer is 21 days, since May.")
    wanted = ["export", "preferences", "--output", str(tmp_path / "pairs.jsonl")]
    done = CommandLine().invoke(app, [*wanted, "--home", str(tmp_path / "home")])
    assert done.exit_code == 0, done.output
    (pair,) = map(json.loads, (tmp_path / "pairs.jsonl").read_text().splitlines())
    assert pair["chosen"] == "21 days, since May."
    assert "13 days" in pair["rejected"]
    assert ASKED in pair["prompt"]
