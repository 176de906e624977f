"""General words by what they mean, read from the files in `words/`.

A file holds entries, each under a comment that says what its words mean. An entry is one of three:

    nobody: nobody none no              words
    outside: {include: [file.entry], words: except without}     the words of other entries, and more
    parts: {meanings: {year: year years yearly}}    words by what they stand for
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias, cast

import yaml

from oldhand.errors import UnknownWords

Entry: TypeAlias = "str | dict[str, str | list[str] | dict[str, str]]"

_PACKAGE = "oldhand.lexicon"
_FOLDER = files(_PACKAGE).joinpath("words")
_LOADER: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every word as text, `no` and `on` too."""


@cache
def words(name: str) -> frozenset[str]:
    """The words of an entry, which is named by its file and its own name; a third name is one of its meanings.

    >>> "nobody" in words("negation.nobody"), sorted(words("grouping.aggregates.avg"))
    (True, ['average', 'avg', 'mean'])
    """
    return frozenset(written(name))


@cache
def meanings(name: str) -> Mapping[str, str]:
    """What each word of an entry stands for.

    >>> meanings("time.parts")["yearly"]
    'year'
    """
    entry = _entry(name)
    if isinstance(entry, str) or "meanings" not in entry:
        raise UnknownWords(f"{name} holds words without meanings: ask for its words")
    return dict(_meant(entry))


def written(name: str) -> tuple[str, ...]:
    """The words of an entry as they are written, those of the entries that it includes first."""
    entry = _entry(name)
    if isinstance(entry, str):
        return tuple(entry.split())
    included = (word for other in entry.get("include", ()) for word in written(other))
    own = cast("str", entry.get("words", "")).split()
    return (*included, *own, *(word for word, _ in _meant(entry)))


def names() -> tuple[str, ...]:
    """The names of all entries."""
    found = (path.name.removesuffix(".yaml") for path in _FOLDER.iterdir())
    return tuple(
        f"{file}.{entry}"
        for file in sorted(found)
        if file != "synonyms"
        for entry in _entries(file)
    )


@cache
def read(file: str) -> object:
    """The content of a file in `words/`, its scalars as text."""
    path = _FOLDER.joinpath(f"{file}.yaml")
    if not path.is_file():
        raise UnknownWords(f"there is no file of words {file}.yaml")
    return shipped(_PACKAGE, f"words/{file}.yaml")


def shipped(package: str, file: str) -> object:
    """The content of a YAML file that comes with a package, its scalars as text."""
    text = files(package).joinpath(file).read_text("utf-8")
    return yaml.load(text, _LOADER)  # noqa: S506  # it makes nothing but text


def _entries(file: str) -> dict[str, Entry]:
    return cast("dict[str, Entry]", read(file))


def _entry(name: str) -> Entry:
    file, _, own = name.partition(".")
    own, _, meaning = own.partition(".")
    entries = _entries(file)
    if own not in entries:
        raise UnknownWords(f"{file}.yaml has no words {own!r}, only {', '.join(entries)}")
    if not meaning:
        return entries[own]
    said = [word for word, meant in meanings(f"{file}.{own}").items() if meant == meaning]
    if not said:
        raise UnknownWords(f"no word of {file}.{own} means {meaning!r}")
    return " ".join(said)


def _meant(entry: dict[str, str | list[str] | dict[str, str]]) -> Iterator[tuple[str, str]]:
    for meaning, said in cast("dict[str, str]", entry.get("meanings", {})).items():
        for word in said.split():
            yield word, meaning
