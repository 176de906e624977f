"""A store in a Postgres without pgvector: vectors are compared in memory, and nobody notices."""

import logging
from pathlib import Path

import psycopg
import pytest
from tests.embedding_server import embedding_server, vectors

from oldhand import Oldhand
from oldhand.testing.embedding import HashingEmbedder


def test_where_the_extension_is_not_there_vectors_are_compared_in_memory(
    tmp_path: Path, postgres_store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(postgres_store_url, autocommit=True) as server:
        if server.info.server_version < 180_000:
            pytest.skip("Only Postgres 18 can be told where its extensions are.")
        server.execute(
            f"ALTER DATABASE \"{server.info.dbname}\" SET extension_control_path = '/nowhere'"
        )
    (tmp_path / "handbook.md").write_text(
        "# Rules\n\n## Goods\n\nReturned goods are approved by the manager.\n\n## Days\n\nWe meet.\n"
    )
    embedder = HashingEmbedder()
    with embedding_server(lambda texts: (200, vectors(embedder.embed(texts).tolist()))) as (url, asked):  # fmt: skip
        (tmp_path / "home").mkdir()
        settings = f"documents: {{embedder: 'openai:hashing', embedder_url: '{url}'}}\n"
        (tmp_path / "home" / "settings.yaml").write_text(settings)
        with (
            caplog.at_level(logging.INFO, "oldhand.store.passage_vectors"),
            Oldhand(tmp_path / "home", store=postgres_store_url) as old,
        ):
            old.documents.add(tmp_path / "handbook.md")
            answer = old.ask("Who approves returned goods?")
    assert '"vector" is not available' in caplog.text
    assert asked[-1] == ["Who approves returned goods?"]
    assert "approved by the manager" in answer.text
