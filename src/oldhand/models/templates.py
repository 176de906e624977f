"""Prompts as YAML files with `${name}` placeholders; a file in the user's folder wins over ours of the same name.

Filling is a single pass: what is filled in is never looked at again, so data that itself holds `${…}` stays as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import cast

import yaml

from oldhand.errors import PromptError
from oldhand.record.episode import Message
from oldhand.record.shortening import shortened

PROMPTS_FOLDER = Path("knowledge", "prompts")
"""Where a home keeps its own prompts."""

_PLACEHOLDER = re.compile(r"^\$\{([a-z_]+)\}(\n+)|\$\{(?:([a-z_]+)\})?", re.MULTILINE)
"""A placeholder with a line of its own and the line ends behind it; or one within a line; or what begins as one."""


@dataclass(frozen=True)
class PromptTemplate:
    """A prompt in two halves: who the model is and what it knows, and what it is asked.

    >>> template = PromptTemplate("greet", "You are polite.", "Greet ${name}.")
    >>> [message.content for message in template.fill({"name": "${name}"})]
    ['You are polite.', 'Greet ${name}.']
    >>> template.fill({})
    Traceback (most recent call last):
    ...
    oldhand.errors.PromptError: Prompt greet: nothing is known that fills '${name}.'.
    """

    name: str
    system_prompt: str
    user_prompt: str

    def fill(self, values: Mapping[str, str], instructions: str = "") -> tuple[Message, Message]:
        """Put `values` in place of the placeholders; values without a place are left out.

        A placeholder that has a line of its own leaves no gap when its value is empty.

        Args:
            values: by placeholder.
            instructions: what stands below the system prompt, as it is: `${…}` in it is no placeholder.

        Raises:
            PromptError: a placeholder has no value.
        """
        return (
            Message(
                role="system",
                content=instructed(self._filled(self.system_prompt, values), instructions),
            ),
            Message(role="user", content=self._filled(self.user_prompt, values)),
        )

    def _filled(self, text: str, values: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            name, ends = match[1] or match[3], match[2] or ""
            if name not in values:
                rest = shortened(text[match.start() :].partition("\n")[0], 40)
                raise PromptError(f"Prompt {self.name}: nothing is known that fills {rest!r}.")
            return values[name] + ends if values[name] else ""

        return _PLACEHOLDER.sub(value, text)


def instructed(system_prompt: str, instructions: str) -> str:
    r"""A system prompt with what versions of prompts add to it.

    >>> instructed("You write SQL.", "Be concise.")
    'You write SQL.\n\nFurther instructions:\nBe concise.'
    """
    added = instructions.strip()
    return f"{system_prompt.rstrip()}\n\nFurther instructions:\n{added}" if added else system_prompt


OUR_PROMPTS = "oldhand.agent.analysis"
"""The package in whose folder `prompts` the templates of the analysis lie."""


class Prompts:
    """The templates by name: those of the user's folder first, else our own."""

    def __init__(self, folder: Path | None = None, package: str = OUR_PROMPTS) -> None:
        self._folder = folder
        self._package = package

    def __getitem__(self, name: str) -> PromptTemplate:
        """The template of that name, read anew when it is the user's, so that an edit counts at once.

        Raises:
            PromptError: there is no such template, or its file is broken.
        """
        own = None if self._folder is None else self._folder / f"{name}.yaml"
        if own is None or not own.is_file():
            return _shipped(name, self._package)
        try:
            text = own.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PromptError(f"{own} can't be read: {error}") from error
        return _parsed(name, text, str(own))


def shipped_names(package: str = OUR_PROMPTS) -> tuple[str, ...]:
    """Names of the templates that we ship in a package.

    >>> "create_plan" in shipped_names()
    True
    """
    names = (entry.name for entry in files(package).joinpath("prompts").iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@cache
def _shipped(name: str, package: str) -> PromptTemplate:
    if name not in (known := shipped_names(package)):
        raise PromptError(f"There is no prompt {name!r}; there are {', '.join(known)}.")
    path = files(package).joinpath("prompts", f"{name}.yaml")
    return _parsed(name, path.read_text("utf-8"), f"{name}.yaml")


def _parsed(name: str, text: str, where: str) -> PromptTemplate:
    try:
        found: object = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise PromptError(f"{where} does not parse: {error}") from error
    if not isinstance(found, dict):
        raise PromptError(f"{where}: expected system_prompt and user_prompt.")
    fields = cast("dict[object, object]", found)
    halves = (fields.get("system_prompt"), fields.get("user_prompt"))
    if unknown := set(fields) - {"system_prompt", "user_prompt", "description"}:
        raise PromptError(f"{where}: unknown key {min(map(str, unknown))!r}.")
    match halves:
        case (str(system), str(user)) if user.strip():
            return PromptTemplate(name, system.strip(), user.strip())
        case _:
            raise PromptError(f"{where}: system_prompt and user_prompt must be texts.")
