"""A thumb changes what is found next for the same and similar questions, and for no others; and it can be taken back."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.embedding_server import embedding_server, vectors

from oldhand import Oldhand
from oldhand.errors import UnknownEpisode, UsageError
from oldhand.loop.critique import MOST_SAID
from oldhand.record.answer import Answer
from oldhand.testing.embedding import HashingEmbedder

HANDBOOK = """# Handbook

## Returning bikes

A bike can be returned within 30 days of delivery.

## Returning bikes as a member

A bike of a member can be returned within 60 days of delivery.

## Returning helmets

A helmet can be returned unless it was worn.

## Expenses

Expenses above 80 euros are approved by the controller.

## Holidays

Holidays are approved by the store manager.
"""
ASKED, SIMILAR = (
    "Within how many days can a bike be returned?",
    "Within how many days may a bike be returned?",
)
OTHERS = ("Who approves expenses?", "Who approves holidays?", "Can a helmet be returned?")


@pytest.fixture(params=["words alone", "half words, half meaning"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Oldhand]:
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    with ExitStack() as opened:
        embedder, url = "none", ""
        if request.param != "words alone":
            made = HashingEmbedder()
            answer = lambda texts: (200, vectors(made.embed(texts).tolist()))  # noqa: E731
            url, _ = opened.enter_context(embedding_server(answer))
            embedder = "openai:hashing"
        home = tmp_path / "home"
        home.mkdir()
        lines = f"documents:\n  embedder: {embedder}\n" + (
            f"  embedder_url: {url}\n" if url else ""
        )
        (home / "settings.yaml").write_text(lines)
        old = opened.enter_context(Oldhand(home))
        old.documents.add(tmp_path / "handbook.md")
        found = old.documents.found_by()
        assert (found.embedder is None) == (embedder == "none")
        assert found.embedder is None or found.vectors == found.passages
        yield old


def found(old: Oldhand, answer: Answer) -> list[tuple[str, float]]:
    """The passages that an answer saw, each with what was learned about it."""
    causes = old.episodes.why(answer.episode_id).causes
    seen = [one.recalled for one in causes if one.kind == "chunk" and one.recalled]
    return [(one.item_id, one.boost or 0.0) for one in sorted(seen, key=lambda one: one.rank)]


def order(old: Oldhand, question: str) -> list[str]:
    return [chunk for chunk, _ in found(old, old.ask(question))]


def voted(old: Oldhand) -> str:
    """Votes on one question; gives the passage that was called wrong."""
    answer = old.ask(ASKED)
    first, second, *_ = order(old, ASKED)
    old.feedback(answer, rating=-1, passage=first)
    old.feedback(answer, rating=+1, passage=second)
    return first


def test_a_thumb_moves_passages_for_like_questions_and_for_no_others(old: Oldhand):
    before = {one: order(old, one) for one in (ASKED, SIMILAR, *OTHERS)}
    wrong = voted(old)
    for question in (ASKED, SIMILAR):
        now = found(old, old.ask(question))
        assert now[0][0] == before[question][1] != wrong
        assert dict(now)[wrong] < 0 < now[0][1]
    for question in OTHERS:
        now = found(old, old.ask(question))
        assert [chunk for chunk, _ in now] == before[question]
        assert all(boost == 0 for _, boost in now)


def test_what_votes_taught_is_counted_taken_back_and_brought_back(old: Oldhand):
    before = order(old, ASKED)
    wrong = voted(old)
    moved = order(old, ASKED)
    assert moved != before
    for say in (1, -1):
        old.feedback(old.ask(OTHERS[0]), rating=say)
    unanswered = old.ask("What colour is the moon on Sundays?")
    assert unanswered.abstained

    stats = old.documents.stats()
    assert stats.spans[0].answers == stats.spans[-1].answers > stats.spans[0].rated == 2
    assert stats.spans[0].positive_ratio == 0.5
    assert stats.misleading[0].chunk == wrong
    assert (stats.misleading[0].ups, stats.misleading[0].downs) == (0, 1)
    assert sum(stats.scores.values()) >= 2
    open_ones = {one.question: one.rated_down for one in stats.open_questions}
    assert open_ones == {"What colour is the moon on Sundays?": False, OTHERS[0]: True}
    (vote,) = old.documents.votes(wrong[:10])
    assert (vote.rating, vote.rater, vote.question) == (-1, "default", ASKED)
    assert vote.credit == vote.credit_after < 0 > vote.score_after
    standing = {one.chunk: one for one in old.documents.standing("Handbook")}
    assert standing[wrong].credit == vote.credit

    with pytest.raises(UsageError, match="Only the owner"):
        old.documents.reset(everything=True, rater="eve")
    note = old.documents.reset(chunk=wrong)
    assert old.documents.votes(wrong) == ()
    assert dict(found(old, old.ask(ASKED)))[wrong] == 0
    old.memories.rebuild(drop=True)
    assert old.documents.votes(wrong) == ()
    old.memories.undo(note)
    assert order(old, ASKED) == moved
    old.documents.reset("Handbook")
    assert order(old, ASKED) == before
    old.feedback(old.ask(ASKED), rating=-1, passage=wrong)
    assert order(old, ASKED)[0] != wrong


def test_one_person_says_a_hundred_things_of_an_answer_and_no_more(tmp_path: Path):
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    with Oldhand(tmp_path / "home") as old:
        old.documents.add(tmp_path / "handbook.md")
        answer = old.ask(ASKED)
        passage = answer.citations[0].chunk
        for number in range(MOST_SAID):
            old.feedback(answer, rating=1 if number % 2 else -1, passage=passage, rater="eve")
        with pytest.raises(UsageError, match="ask the question anew"):
            old.feedback(answer, rating=-1, passage=passage, rater="eve")
        (vote,) = old.documents.votes(passage)
        assert (vote.rating, vote.rater) == (1, "eve")
        old.feedback(answer, rating=-1, passage=passage)  # others are heard
        assert len(old.documents.votes(passage)) == 2


def test_however_often_one_person_asks_and_votes_the_passage_is_put_last_and_no_further(
    tmp_path: Path,
):
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    with Oldhand(tmp_path / "home") as old:
        old.documents.add(tmp_path / "handbook.md")
        usual = {one: order(old, one) for one in OTHERS}
        wrong = order(old, ASKED)[0]
        boosts: list[float] = []
        for _ in range(25):
            answer = old.ask(ASKED)
            old.feedback(answer, rating=-1, passage=wrong, rater="eve")
            boosts.append(dict(found(old, answer)).get(wrong, 0.0))
        assert boosts[-1] == pytest.approx(boosts[-5], abs=0.01)  # what votes say is bounded
        assert {one: order(old, one) for one in OTHERS} == usual


def test_votes_on_what_is_not_there_are_refused_by_name(tmp_path: Path):
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    with Oldhand(tmp_path / "home") as old:
        old.documents.add(tmp_path / "handbook.md")
        answer = old.ask(ASKED)
        with pytest.raises(UnknownEpisode):
            old.feedback("0" * 32, rating=1)
        for passage in ("99", "zebras and xylophones"):
            with pytest.raises(UsageError, match="passage"):
                old.feedback(answer, rating=1, passage=passage)
        with (
            Oldhand(tmp_path / "home", clone="other") as other,
            pytest.raises(UnknownEpisode),
        ):
            other.feedback(answer.episode_id, rating=1)
        assert old.documents.stats().spans[-1].rated == 0
