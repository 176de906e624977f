"""A model of meaning behind an address: what it answers is checked, what goes wrong has a name."""

import numpy as np
import pytest
from tests.embedding_server import embedding_server, vectors

from oldhand.errors import MalformedAnswer, ModelRefused, ModelServerError, ModelUnreachable
from oldhand.models.embedding.choosing import choose_embedder
from oldhand.record.retrieval import Embedder
from oldhand.settings import DocumentSettings, ModelSettings, Settings


def embedder(url: str) -> Embedder:
    chosen = choose_embedder(
        Settings(
            documents=DocumentSettings(embedder="openai:small", embedder_url=url),
            models=ModelSettings(backoff_seconds=0.0),
        ),
        {},
    )
    assert chosen is not None
    return chosen


def test_vectors_come_in_the_order_of_their_texts_and_have_length_1():
    with embedding_server(
        lambda texts: (200, vectors([[3.0, float(n)] for n in range(len(texts))]))
    ) as (
        url,
        asked,
    ):
        rows = embedder(url).embed([f"text {n}" for n in range(200)])
    assert [len(batch) for batch in asked] == [128, 72]
    assert rows.shape == (200, 2)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)
    assert rows[4][1] == pytest.approx(0.8)


def test_a_server_that_is_busy_is_asked_again():
    states = iter([503, 429, 200])
    with embedding_server(lambda _: (next(states), vectors([[1.0, 0.0]]))) as (url, asked):
        assert embedder(url).embed(["text"]).tolist() == [[1.0, 0.0]]
    assert len(asked) == 3


def test_a_question_waits_for_one_answer_only():
    with (
        embedding_server(lambda _: (503, {"error": "busy"})) as (url, asked),
        pytest.raises(ModelServerError),
    ):
        embedder(url).embed_question("text")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0, float("nan")]], "no number"),
        ([[0.0, 0.0]], "no length"),
        ([[1.0, 0.0], [1.0, 0.0]], "2 vectors for 1 texts"),
        ([], "0 vectors for 1 texts"),
        ([[1.0, "x"]], "small"),
    ],
)
def test_what_is_no_vector_is_refused_by_name(rows: list[list[float]], said: str):
    with (
        embedding_server(lambda _: (200, vectors(rows))) as (url, _),
        pytest.raises(MalformedAnswer, match=said),
    ):
        embedder(url).embed(["text"])


def test_another_size_than_before_is_refused():
    sizes = iter([2, 3])
    with embedding_server(lambda _: (200, vectors([[1.0] * next(sizes)]))) as (url, _):
        chosen = embedder(url)
        chosen.embed(["text"])
        with pytest.raises(MalformedAnswer, match="vectors of 3 numbers, and those before have 2"):
            chosen.embed(["text"])


def test_a_server_that_refuses_or_is_not_there_is_named():
    with (
        embedding_server(lambda _: (401, {"error": {"message": "no"}})) as (url, _),
        pytest.raises(ModelRefused, match="no"),
    ):
        embedder(url).embed(["text"])
    with pytest.raises(ModelUnreachable):
        embedder("http://127.0.0.1:9/v1").embed_question("text")
