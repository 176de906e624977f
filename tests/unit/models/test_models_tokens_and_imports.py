"""Counting tokens offline, and what is loaded when."""

import subprocess
import sys

import pytest

from oldhand.errors import MissingExtra
from oldhand.models.tokens import count_tokens, estimate_tokens

TEXTS = {
    "English": "Most of our customers live in Berlin, but the largest orders come from Hamburg and Munich. " * 5,
    "German": "Die meisten Kundinnen und Kunden wohnen in Berlin; die größten Bestellungen kommen aus Hamburg. " * 5,
    "SQL": "SELECT c.name, COUNT(*) AS orders FROM customers AS c JOIN orders AS o ON o.customer_id = c.id GROUP BY c.name;\n" * 5,
    "schema": "- customer_id (VARCHAR(50), NOT NULL): Unique customer identifier\n- name (VARCHAR(255)): Full name\n" * 5,
    "JSON": '{"id": 17, "name": "Ana Lopez", "city": "Berlin", "amount": 1249.5}\n' * 5,
}  # fmt: skip


@pytest.mark.parametrize("kind", TEXTS)
def test_the_estimate_is_near_the_count(kind: str) -> None:
    counted = count_tokens(TEXTS[kind])
    assert estimate_tokens(TEXTS[kind]) == pytest.approx(counted, rel=0.25)


def test_counts_are_those_of_the_vocabulary() -> None:
    assert count_tokens("") == estimate_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("hello world", "cl100k_base") == 2


def test_without_the_tokenizer_the_message_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "splintr", None)  # as if it were not installed
    with pytest.raises(MissingExtra, match=r"oldhand\[tokens\]"):
        count_tokens("hello", "p50k_base")


@pytest.mark.parametrize("module", ["oldhand.models", "oldhand.models.tokens", "oldhand"])
def test_providers_are_not_loaded_before_a_model_is_made(module: str) -> None:
    heavy = "{'pydantic_ai', 'openai', 'anthropic', 'httpx2', 'splintr', 'numpy'}"
    code = f"import sys, {module}; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_one_provider_does_not_load_the_other() -> None:
    code = (
        "import sys; from oldhand.models import get_lm; get_lm('ollama:llama3.2', environ={}); "
        "print('openai' in sys.modules, 'anthropic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True False"
