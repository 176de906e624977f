"""What the Tab key offers."""

from pathlib import Path
from types import SimpleNamespace

from oldhand.cli import completing


def test_the_shell_is_offered_databases_answers_and_memories(oldhand, home: Path) -> None:
    asked = oldhand("ask", "How many customers live in Berlin?")
    episode = asked.stdout.splitlines()[-1][:8]
    oldhand("feedback", "last", "--good")
    behind = SimpleNamespace(params={"home": home})
    assert completing.databases(behind, "sh") == ["shop"]
    assert completing.databases(behind, "x") == []
    assert completing.answers(behind, "") == [
        ("last", "the latest answer"),
        (episode, "How many customers live in Berlin?"),
    ]
    assert completing.answers(behind, episode[:4])[0][0] == episode
    learned = completing.memories(behind, "example")
    assert [(len(memory), "customers" in said) for memory, said in learned] == [(16, True)]


def test_without_a_home_nothing_is_offered_and_nothing_fails(tmp_path: Path) -> None:
    behind = SimpleNamespace(params={"home": tmp_path / "none"})
    assert completing.databases(behind, "") == []
    assert completing.memories(behind, "") == []
    assert completing.answers(behind, "x") == []
