"""The files of general words: every entry is used, and says each word once."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import oldhand
from oldhand.errors import UnknownWords
from oldhand.lexicon.entries import meanings, names, read, words, written
from oldhand.lexicon.tokens import word_stems

SOURCE = Path(oldhand.__file__).parent
FILES = sorted((SOURCE / "lexicon" / "words").glob("*.yaml"))
ENTRIES = names()
_ASKED = re.compile(r"\b(?:words|word_stems|meanings)\(\s*\"([a-z_.]+)\"")


def _asked_for() -> set[str]:
    """The names that the code asks for."""
    return {
        name for path in SOURCE.rglob("*.py") for name in _ASKED.findall(path.read_text("utf-8"))
    }


def _included() -> set[str]:
    """The names of entries that are part of others."""
    found: set[str] = set()
    for path in FILES:
        for entry in read(path.stem).values():
            if isinstance(entry, dict):
                found.update(entry.get("include", ()))
    return found


def test_there_are_many_entries():
    assert len(ENTRIES) > 80
    assert {name.partition(".")[0] for name in ENTRIES} == {p.stem for p in FILES} - {"synonyms"}


@pytest.mark.parametrize("name", sorted(_asked_for() | _included()))
def test_what_is_asked_for_exists(name):
    assert words(name)


def test_every_entry_is_used():
    used = {".".join(name.split(".")[:2]) for name in _asked_for() | _included()}
    assert sorted(set(ENTRIES) - used) == []


def test_no_word_stands_twice_in_an_entry():
    """Of entries that an entry includes, several may hold a word."""
    twice: dict[str, list[str]] = {}
    for name in ENTRIES:
        file, _, entry = name.partition(".")
        held = read(file)[entry]
        included = held.get("include", ()) if isinstance(held, dict) else ()
        elsewhere = [word for other in included for word in written(other)]
        own = Counter(written(name)[len(elsewhere) :])
        twice[name] = [word for word, times in own.items() if times > 1 or word in elsewhere]
    assert {name: found for name, found in twice.items() if found} == {}


def test_no_two_entries_hold_the_same_words():
    same: dict[frozenset[str], list[str]] = {}
    for name in ENTRIES:
        same.setdefault(words(name), []).append(name)
    assert [found for found in same.values() if len(found) > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_entry_says_what_its_words_mean(path):
    lines = path.read_text("utf-8").splitlines()
    entries = [n for n, line in enumerate(lines) if re.match(r"[a-z_]+:", line)]
    assert entries
    if path.stem != "synonyms":
        assert [lines[n] for n in entries if not lines[n - 1].startswith("# ")] == []


def test_words_that_yaml_takes_for_truth_values_are_words():
    assert "no" in words("negation.nobody")
    assert "on" in words("places.prepositions")
    assert meanings("numbers.cardinal")["seven"] == "7"


def test_an_entry_holds_the_words_of_those_that_it_includes():
    assert words("verbs.do") < words("verbs.auxiliary") < words("verbs.of_shares")


def test_the_words_of_one_meaning():
    assert words("grouping.aggregates.sum") == {"total", "sum"}
    assert word_stems("people.persons") >= {"custom", "employe"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.nobody", "nowhere.yaml"),
        ("negation.nonsense", "nobody"),
        ("negation", "negation.yaml"),
        ("time.parts.decade", "time.parts means 'decade'"),
    ],
)
def test_an_unknown_name_is_named(name, said):
    with pytest.raises(UnknownWords, match=re.escape(said)):
        words(name)


def test_words_without_meanings_have_none():
    with pytest.raises(UnknownWords, match="without meanings"):
        meanings("negation.nobody")


def test_importing_oldhand_reads_no_words():
    code = "import sys, oldhand; print(any(n.startswith('oldhand.lexicon') for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
