"""Language models by name, behind one gateway.

    model = get_lm("ollama:llama3.2")
    ledger = Ledger()
    answer = await model.complete([Message(role="user", content="Hello")], stage="chat", ledger=ledger)
    print(answer.text, ledger.total)

The providers' packages are loaded when `get_lm` makes a model, not before.
"""

import asyncio
import os
from collections.abc import Mapping
from importlib import import_module
from random import Random, SystemRandom

from oldhand.models.language_model import (
    AssistantMessage,
    Completion,
    LanguageModel,
    ModelTool,
    ToolCall,
    ToolResult,
)
from oldhand.models.ledger import Ledger
from oldhand.models.names import find_endpoint, get_clean_model_name, same_model
from oldhand.models.retries import Retries, Sleep
from oldhand.record.episode import Message
from oldhand.settings import ModelSettings

__all__ = [
    "AssistantMessage",
    "Completion",
    "LanguageModel",
    "Ledger",
    "Message",
    "ModelTool",
    "ToolCall",
    "ToolResult",
    "get_clean_model_name",
    "get_lm",
    "same_model",
]

_DEFAULTS = ModelSettings()
_RANDOM = SystemRandom()


def get_lm(
    name: str,
    *,
    settings: ModelSettings = _DEFAULTS,
    api_key: str | None = None,
    environ: Mapping[str, str] | None = None,
    random: Random = _RANDOM,
    sleep: Sleep = asyncio.sleep,
) -> LanguageModel:
    """The language model called `name`; nothing is sent yet.

    Args:
        name: `openai:MODEL`, `anthropic:MODEL`, `ollama:MODEL`, or the bare name of a well-known family such as
            `gpt-4`, `o3` or `claude-sonnet-4-5`.
        settings: time-outs, retries, and the server's address, which wins over the environment's.
        api_key: wins over `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `OLLAMA_API_KEY`.
        environ: where keys and `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `OLLAMA_BASE_URL` are looked up; the
            process's own when None. A server at another address than OpenAI's needs no key.
        random: draws the jitter between attempts.
        sleep: waits between attempts.

    Raises:
        UnknownModel: the name says neither a provider nor a known family.
        ModelRefused: there is no API key; the message names the variable.
        MissingExtra: the provider's package is not installed; the message says how to.
        InvalidSetting: the server's address is no http(s) URL.
    """
    endpoint = find_endpoint(
        name,
        base_url=settings.base_url,
        api_key=api_key,
        environ=os.environ if environ is None else environ,
    )
    model: LanguageModel = import_module("oldhand.models.gateway").Gateway(
        name, endpoint, settings, Retries(settings, random, sleep)
    )
    return model
