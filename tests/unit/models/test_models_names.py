"""Which model a name means, where it is reached, and what its files are called."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidSetting, ModelRefused, UnknownModel
from oldhand.models.names import NO_KEY, Endpoint, find_endpoint, get_clean_model_name, same_model

LOCAL = "http://localhost:8000/v1"


def find(
    name: str, base_url: str | None = None, key: str | None = None, **environ: str
) -> Endpoint:
    return find_endpoint(name, base_url=base_url, api_key=key, environ=environ)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("opnai:gpt-4o", "openai:gpt-4o"), ("antropic:x", "anthropic:x"), ("Olama:llama3:8b", "ollama:llama3:8b")],
)  # fmt: skip
@pytest.mark.parametrize("where", [{}, {"OPENAI_BASE_URL": LOCAL}])
def test_a_provider_with_a_letter_wrong_is_never_sent_to_another_server(
    name: str, meant: str, where: dict[str, str]
) -> None:
    with pytest.raises(UnknownModel, match=f"write {meant}"):
        find(name, **where)


def test_a_model_whose_name_holds_a_colon_is_one_of_the_server() -> None:
    for name in ("llama3.2:3b", "qwen2.5:7b", "mistral:7b"):
        assert find(name, OPENAI_BASE_URL=LOCAL).model == name


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("gpt-4", "openai", "gpt-4"),
        ("gpt-4.1-mini", "openai", "gpt-4.1-mini"),
        ("GPT-4o", "openai", "GPT-4o"),
        ("chatgpt-4o-latest", "openai", "chatgpt-4o-latest"),
        ("o1", "openai", "o1"),
        ("o3-mini", "openai", "o3-mini"),
        ("o4-mini", "openai", "o4-mini"),
        ("ft:gpt-4o-mini:acme::7", "openai", "ft:gpt-4o-mini:acme::7"),
        ("claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
        ("openai:gpt-4o", "openai", "gpt-4o"),
        (" OpenAI : my-model ", "openai", "my-model"),
        ("openai:Qwen/Qwen2.5-7B", "openai", "Qwen/Qwen2.5-7B"),
        ("anthropic:claude-3-opus", "anthropic", "claude-3-opus"),
        ("ollama:llama3.2:3b", "ollama", "llama3.2:3b"),
        ("ollama:hf.co/org/model:Q4_K_M", "ollama", "hf.co/org/model:Q4_K_M"),
    ],
)
def test_a_name_says_provider_and_model(name: str, provider: str, model: str) -> None:
    found = find(name, key="sk-1")
    assert (found.provider, found.model) == (provider, model)


@pytest.mark.parametrize(
    "name",
    ["", "  ", "openai:", "builtin", "llama3.2", "gpt-oss-20b", "http://localhost:8000/v1", "gpt4"],
)
def test_a_name_without_a_known_provider_is_refused(name: str) -> None:
    with pytest.raises(UnknownModel):
        find(name, key="sk-1")


def test_any_name_goes_to_a_server_that_is_set() -> None:
    assert find("Qwen/Qwen2.5-7B", base_url=LOCAL).model == "Qwen/Qwen2.5-7B"
    assert find("mistral:7b", OPENAI_BASE_URL=LOCAL).model == "mistral:7b"
    assert find("llama3.2", OLLAMA_BASE_URL="http://gpu:11434").provider == "ollama"
    assert find("claude-on-a-proxy", base_url=LOCAL).provider == "openai"


@pytest.mark.parametrize(
    ("name", "variable"),
    [("gpt-4", "OPENAI_API_KEY"), ("anthropic:claude-3-opus", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_names_its_variable(name: str, variable: str) -> None:
    with pytest.raises(ModelRefused, match=variable):
        find(name)
    assert find(name, **{variable: " sk-1\n"}).api_key == "sk-1"


def test_another_server_needs_no_key() -> None:
    assert find("openai:my-model", base_url=LOCAL).api_key == NO_KEY
    assert find("anthropic:my-model", ANTHROPIC_BASE_URL="http://[::1]:9").api_key == NO_KEY
    assert find("ollama:llama3.2").api_key == NO_KEY


def test_the_setting_wins_over_the_environment() -> None:
    found = find(
        "openai:m", base_url=LOCAL, key="mine", OPENAI_BASE_URL="http://b", OPENAI_API_KEY="c"
    )
    assert (found.base_url, found.api_key) == (LOCAL, "mine")


@pytest.mark.parametrize(
    ("name", "given_url", "used"),
    [
        ("openai:m", "http://h:1/v1/", "http://h:1/v1"),
        ("ollama:m", "http://h:11434", "http://h:11434/v1"),
        ("ollama:m", "http://h:11434/", "http://h:11434/v1"),
        ("ollama:m", "https://h/ollama/v1", "https://h/ollama/v1"),
        ("anthropic:m", "http://h:1/v1", "http://h:1"),
        ("anthropic:m", "https://h/anthropic/", "https://h/anthropic"),
    ],
)
def test_an_address_is_brought_into_the_form_of_its_protocol(
    name: str, given_url: str, used: str
) -> None:
    assert find(name, base_url=given_url).base_url == used


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://h/v1", "http://", "http://[::1", "/v1"]
)
def test_an_address_that_is_no_url_is_refused(address: str) -> None:
    with pytest.raises(InvalidSetting):
        find("openai:m", base_url=address)


def test_a_key_that_cannot_be_sent_is_refused_unseen() -> None:
    with pytest.raises(ModelRefused) as caught:
        find("gpt-4", key="sk-sécret\nkey")
    assert "cret" not in str(caught.value)


def test_a_password_in_the_address_is_a_secret() -> None:
    found = find("openai:m", base_url="https://ana:hush@h:8443/v1", key="sk-1")
    assert found.place == "h:8443"
    assert set(found.secrets) == {"sk-1", "hush"}


NAMES = st.one_of(
    st.text(max_size=100),
    st.text(string.ascii_letters + string.digits + "-_./:", max_size=30),
)


@given(NAMES, NAMES)
def test_two_models_never_share_a_clean_name(one: str, other: str) -> None:
    same = get_clean_model_name(one).casefold() == get_clean_model_name(other).casefold()
    assert same == (same_model(one) == same_model(other))


@given(NAMES)
def test_a_clean_name_is_safe_for_a_file(name: str) -> None:
    clean = get_clean_model_name(name)
    assert set(clean) <= set(string.ascii_lowercase + string.digits + "-")
    assert 1 <= len(clean) <= 90
    assert clean[0] != "-"


@given(NAMES)
def test_the_clean_name_of_one_model_is_not_another_models_name(name: str) -> None:
    clean = get_clean_model_name(name)
    assert clean == same_model(name) or get_clean_model_name(clean) != clean


def test_names_that_the_original_confused_stay_apart() -> None:
    names = [
        "Qwen/Qwen2.5-7B",
        "meta/Llama-3.5-7B",
        "5-7B",
        "gpt-4",
        "GPT-4",
        "openai:llama3",
        "ollama:gpt-4",
        "gpt-4.1",
        "gpt-4-1",
        "gpt_4",
        "con",
        "llama3.2:3b",
        "llama3.2-3b",
        "a" * 64,
        "a" * 65,
        "é",
        "e\u0301",
        "",
    ]
    assert len({get_clean_model_name(name) for name in names}) == len(names)
    assert get_clean_model_name("gpt-4") == get_clean_model_name("openai:gpt-4") == "gpt-4"
