"""From a model's name to where and how it is reached; and to a name that files may carry."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from rapidfuzz.distance import OSA

from oldhand.errors import InvalidSetting, ModelRefused, UnknownModel
from oldhand.record.file_names import file_name


@dataclass(frozen=True)
class Provider:
    """Who serves a model, and the variables that say where and with which key."""

    name: str
    key_variable: str
    url_variable: str
    url: str
    needs_key: bool


_PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider("openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1", True),
        Provider(
            "anthropic",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "https://api.anthropic.com",
            True,
        ),
        Provider("ollama", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "http://localhost:11434/v1", False),
    )
}

_FAMILIES = (
    (re.compile(r"(chatgpt|gpt(?!-oss))-.+|o[1-9]\d*(-.+)?|ft:(gpt|o\d).+"), "openai"),
    (re.compile(r"claude-.+"), "anthropic"),
)

NO_KEY = "no-key-needed"
"""Sent where a server wants none: the client libraries insist on one."""


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached."""

    provider: str
    """`openai` (also any compatible server), `anthropic` or `ollama`."""
    model: str
    """The name as the server knows it."""
    base_url: str
    own: bool
    """True when it is the provider's own address, not another server that speaks its protocol."""
    api_key: str
    key_variable: str
    """Where the key is usually set, for advice."""

    @property
    def place(self) -> str:
        """Host and port, for messages; never with a password."""
        parts = urlsplit(self.base_url)
        return parts.netloc.rpartition("@")[2]

    @property
    def local(self) -> bool:
        """True when it is plain HTTP to this machine: no proxy is asked, no certificate needed."""
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        return parts.scheme == "http" and (host in {"localhost", "::1"} or host.startswith("127."))

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be seen in any message."""
        password = urlsplit(self.base_url).password
        return tuple(s for s in (self.api_key, password) if s and s != NO_KEY)


def find_endpoint(
    name: str, *, base_url: str | None, api_key: str | None, environ: Mapping[str, str]
) -> Endpoint:
    """Work out where the model called `name` is reached; asks nobody.

    >>> find_endpoint("gpt-4", base_url=None, api_key="sk-1", environ={}).base_url
    'https://api.openai.com/v1'
    >>> end = find_endpoint("ollama:llama3.2:3b", base_url=None, api_key=None, environ={})
    >>> end.model, end.base_url
    ('llama3.2:3b', 'http://localhost:11434/v1')

    Raises:
        UnknownModel: the name says neither a provider nor a known family.
        ModelRefused: the provider needs a key and there is none.
        InvalidSetting: the address is no http(s) URL.
    """
    provider, model = _split(name, bool(base_url), environ)
    address = base_url or environ.get(provider.url_variable, "").strip() or provider.url
    key = (api_key or environ.get(provider.key_variable) or "").strip()
    own = address == provider.url
    if not key and provider.needs_key and own:
        raise ModelRefused(
            f"{name}: there is no API key: set {provider.key_variable}, "
            f"or {provider.url_variable} to a server that needs none."
        )
    if not (key.isascii() and key.isprintable()):
        raise ModelRefused(f"{name}: the API key holds characters that cannot be sent.")
    return Endpoint(
        provider=provider.name,
        model=model,
        base_url=_checked(address, provider.name),
        own=own,
        api_key=key or NO_KEY,
        key_variable=provider.key_variable,
    )


def _split(name: str, has_address: bool, environ: Mapping[str, str]) -> tuple[Provider, str]:
    """The provider and the name that it knows the model by."""
    prefix, colon, rest = name.strip().partition(":")
    if colon and prefix.strip().lower() in _PROVIDERS:
        if not rest.strip():
            raise UnknownModel(f"{name!r} names a provider but no model: write {prefix}:MODEL.")
        return _PROVIDERS[prefix.strip().lower()], rest.strip()
    bare = name.strip()
    meant = [one for one in _PROVIDERS if OSA.distance(one, prefix.strip().lower()) == 1]
    if colon and meant:
        raise UnknownModel(
            f"There is no provider {prefix!r}: write {' or '.join(f'{one}:{rest}' for one in meant)}; "
            f"for a model of that name on a server that speaks like OpenAI, openai:{bare}."
        )
    if not bare or "://" in bare:
        raise UnknownModel(
            f"{name!r} is no model's name: write openai:MODEL and set OPENAI_BASE_URL to the server."
        )
    if has_address:
        return _PROVIDERS["openai"], bare
    for pattern, provider in _FAMILIES:
        if pattern.fullmatch(bare.lower()):
            return _PROVIDERS[provider], bare
    for provider in ("openai", "ollama"):
        if environ.get(_PROVIDERS[provider].url_variable):
            return _PROVIDERS[provider], bare
    raise UnknownModel(
        f"No provider is known for {name!r}: write openai:{bare}, anthropic:{bare} or ollama:{bare}; "
        "for another server, set OPENAI_BASE_URL to its address."
    )


def _checked(address: str, provider: str) -> str:
    """The address in the form that the provider's client expects."""
    try:
        parts = urlsplit(address)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
        parts = urlsplit("")
    if not valid:
        shown = address.rpartition("@")[2]
        raise InvalidSetting(f"The model's address {shown!r} is no http:// or https:// URL.")
    address = address.rstrip("/")
    if provider == "anthropic":
        return address.removesuffix("/v1")
    if provider == "ollama" and not parts.path.strip("/"):
        return f"{address}/v1"
    return address


def same_model(name: str) -> str:
    """The one name of a model that goes by several: its provider's is left out where the name tells it already.

    >>> [same_model(one) for one in ("openai:gpt-4", "Anthropic: claude-3-opus", "openai:llama3", "ollama:gpt-4")]
    ['gpt-4', 'claude-3-opus', 'openai:llama3', 'ollama:gpt-4']
    """
    prefix, _, rest = name.strip().partition(":")
    provider, bare = prefix.strip().lower(), rest.strip()
    told = next((one for pattern, one in _FAMILIES if pattern.fullmatch(bare.lower())), None)
    return bare if told == provider else name


def get_clean_model_name(name: str) -> str:
    """A name for files: small letters, digits and dashes; two models never share one.

    A name that is plain already stays as it is; any other is made plain and gets the beginning of its SHA-256. A model that
    goes by several names has one: `gpt-4` and `openai:gpt-4`.

    >>> get_clean_model_name("gpt-4"), get_clean_model_name("openai:gpt-4")
    ('gpt-4', 'gpt-4')
    >>> get_clean_model_name("Qwen/Qwen2.5-7B")
    'qwen-qwen2-5-7b--401a4b448e74f6cb'
    >>> get_clean_model_name("meta/Llama-3.5-7B")
    'meta-llama-3-5-7b--03be35d946a092fc'
    """
    return file_name(same_model(name), empty="model")
