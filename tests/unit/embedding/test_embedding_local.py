"""Models of meaning on this machine."""

from pathlib import Path

import pytest

from oldhand.errors import InvalidSetting, MissingExtra, UnknownModel
from oldhand.models.embedding.choosing import choose_embedder, local_folder, named_embedder
from oldhand.settings import DocumentSettings, Settings

SENTENCES = ["A man is eating food.", "A man is eating a piece of bread.", "A man rides a horse."]


def settings(embedder: str) -> Settings:
    return Settings(documents=DocumentSettings(embedder=embedder))


def test_no_model_is_a_choice():
    assert choose_embedder(settings("none")) is None


def test_a_folder_without_a_model_says_what_it_lacks(tmp_path: Path):
    with pytest.raises(InvalidSetting, match=r"holds no model\.onnx"):
        choose_embedder(settings(str(tmp_path)))


def test_a_file_that_is_no_model_is_named(tmp_path: Path):
    pytest.importorskip("onnxruntime")
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("no model")
    chosen = choose_embedder(settings(str(tmp_path)))
    assert chosen is not None
    with pytest.raises(InvalidSetting, match="cannot be loaded"):
        chosen.embed(["text"])


def test_a_name_without_a_provider_says_how_to_write_it():
    with pytest.raises(UnknownModel, match="openai:fancy"):
        named_embedder("fancy", settings("none"), {})
    with pytest.raises(InvalidSetting, match="makes no vectors"):
        named_embedder("anthropic:claude-3", settings("none"), {"ANTHROPIC_API_KEY": "x"})


@pytest.mark.skipif(local_folder() is not None, reason="it is installed")
def test_a_model_that_is_not_installed_is_named_and_none_is_the_default():
    assert choose_embedder(settings("auto")) is None
    with pytest.raises(MissingExtra):
        choose_embedder(settings("local"))


@pytest.mark.skipif(local_folder() is None, reason="its package is not installed")
def test_the_small_model_knows_what_sentences_have_in_common(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    chosen = choose_embedder(settings("auto"))
    assert chosen is not None
    rows = chosen.embed([*SENTENCES, "", "word " * 2_000])
    assert rows.shape == (5, chosen.dimensions) == (5, 384)
    assert float(rows[0] @ rows[1]) == pytest.approx(0.755, abs=0.03)
    assert float(rows[0] @ rows[2]) < 0.4
    assert (tmp_path / "oldhand" / chosen.name / "model.onnx").stat().st_size < 30_000_000
