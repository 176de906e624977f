"""Training data is checked before anything is loaded; where torch is installed, a tiny random model learns its answers."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from oldhand.errors import InvalidTrainingData, MissingExtra, OutputExists, UsageError
from oldhand.learning.training.conversations import LoraSettings, read_conversations
from oldhand.learning.training.lora import train_lora


def line(question: str, answer: str) -> str:
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    metadata = {"episode_id": "e1", "model": "builtin", "cost": 0.0}
    return json.dumps({"messages": messages, "metadata": metadata}) + "\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "training_data.jsonl"
    path.write_text(line("How many customers?", "There are four.") + line("2 + 2?", "4") * 3)
    return path


def test_an_export_is_read_whole(data):
    assert [one.messages[-1].content for one in read_conversations(data)] == [
        "There are four.",
        *"444",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no pairs"),
        ("{", "line 1"),
        (line("a", "b") + '{"messages": []}\n', "line 2: messages"),
        (line("a", "b") + '{"prompt": "a", "chosen": "b"}\n', "line 2"),
        ('{"messages": [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}]}', "last message"),
    ],
)  # fmt: skip
def test_what_is_no_training_data_is_named_with_its_line(tmp_path, text, message):
    path = tmp_path / "data.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidTrainingData, match=message):
        read_conversations(path)


def test_a_folder_that_holds_something_is_left_alone(data, tmp_path):
    with pytest.raises(OutputExists):
        train_lora("base", data, tmp_path)


def test_gguf_is_refused_with_the_way_there(data, tmp_path):
    with pytest.raises(UsageError, match="convert_lora_to_gguf"):
        train_lora("base", data, tmp_path / "kai-granite-v2.gguf")


@pytest.mark.skipif(find_spec("peft") is not None, reason="the extra is installed")
def test_without_the_extra_it_says_how_to_install_it(data, tmp_path):
    with pytest.raises(MissingExtra, match=r"pip install 'oldhand\[lora\]'"):
        train_lora("base", data, tmp_path / "adapter")
    assert not (tmp_path / "adapter").exists()


@pytest.fixture
def tiny_model(tmp_path: Path) -> Path:
    """A causal model with random weights and a tokenizer of single characters."""
    hint = "needs torch, transformers and peft: pip install 'oldhand[lora]'"
    torch = pytest.importorskip("torch", reason=hint)
    transformers = pytest.importorskip("transformers", reason=hint)
    tokenizers = pytest.importorskip("tokenizers", reason=hint)
    pytest.importorskip("peft", reason=hint)
    letters = ["<unk>", "<eos>", *map(chr, range(32, 127)), "\n"]
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex("."), "isolated")
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, unk_token="<unk>", eos_token="<eos>", pad_token="<eos>"
    )
    torch.manual_seed(7)
    shape = transformers.LlamaConfig(
        vocab_size=len(letters), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=128, initializer_range=0.2,
    )  # fmt: skip
    folder = tmp_path / "tiny"
    transformers.LlamaForCausalLM(shape).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def test_a_tiny_random_model_learns_its_answers(data, tiny_model, tmp_path):
    peft, transformers = pytest.importorskip("peft"), pytest.importorskip("transformers")
    output = tmp_path / "models" / "adapter"
    seen: list[int] = []
    settings = LoraSettings(epochs=30, learning_rate=2e-2, batch=2, max_tokens=64)
    trained = train_lora(
        str(tiny_model), data, output, settings, observe=lambda epoch, _: seen.append(epoch)
    )
    assert (trained.pairs, trained.steps, seen) == (4, 60, list(range(1, 31)))
    assert trained.last_loss < trained.first_loss / 2
    assert (output / "adapter_config.json").is_file()
    base = transformers.AutoModelForCausalLM.from_pretrained(tiny_model)
    loaded = peft.PeftModel.from_pretrained(base, output)
    changed = [
        value.abs().sum().item() for name, value in loaded.named_parameters() if "lora_B" in name
    ]
    assert changed
    assert all(changed)  # they begin as zeros


def test_the_same_seed_trains_the_same(data, tiny_model, tmp_path):
    losses = [
        train_lora(str(tiny_model), data, tmp_path / name, LoraSettings(epochs=2, seed=3)).last_loss
        for name in ("one", "two")
    ]
    assert losses[0] == losses[1]


def test_a_base_model_that_is_not_there_is_named(data, tiny_model, tmp_path):
    with pytest.raises(UsageError, match="cannot be loaded"):
        train_lora(str(tiny_model.parent / "none"), data, tmp_path / "adapter")
