"""`/mem` in a chat: what was learned is looked at and looked after without leaving it."""

import json
from pathlib import Path

QUESTION = "How many customers live in Berlin?"


def chat(oldhand, *lines: str, code: int = 0):
    done = oldhand("chat", input="\n".join(lines) + "\n")
    assert done.exit_code == code, done.output
    return done


def test_what_was_learned_is_listed_searched_shown_and_forgotten(oldhand, home: Path) -> None:
    chat(oldhand, QUESTION, "/good clear")
    (pair,) = json.loads(oldhand("memory", "list", "--json").stdout)
    told = chat(oldhand, "/mem", "/mem search Berlin", "/mem search giraffes", f"/mem show {pair['id'][:12]}").stdout  # fmt: skip
    assert told.count(QUESTION[:20]) >= 3
    assert "Nothing that was learned has all of these words." in told
    assert f"Forgotten: {pair['id']}" in chat(oldhand, f"/mem forget {pair['id']}").stdout
    assert json.loads(oldhand("memory", "list", "--type", "example", "--json").stdout) == []


def test_words_behind_good_and_bad_are_kept(oldhand, home: Path) -> None:
    told = chat(oldhand, QUESTION, "/good clear", "/bad #too-verbose").stdout
    assert "Noted: good, a comment." in told
    assert "Noted: bad, #too-verbose." in told
    assert "Withdrawn" not in told


def test_memories_are_exported_and_pruned(oldhand, home: Path, tmp_path: Path) -> None:
    chat(oldhand, QUESTION, "/good")
    file = tmp_path / "out.jsonl"
    told = chat(
        oldhand, f"/mem export {file}", "/mem prune --dry-run", "/mem list --waiting"
    ).stdout
    kinds = [json.loads(line)["type"] for line in file.read_text().splitlines()]
    assert {"episodic", "example"} <= set(kinds)
    assert "0 memories would be erased" in told
    assert "No lesson waits for you." in told


def test_what_is_not_understood_is_said(oldhand, home: Path) -> None:
    told = chat(oldhand, "/mem sing", "/mem show", "/mem show nothing-like-it", "/mem retire")
    assert "There is no /mem sing: use list, show, search" in told.stderr
    assert "behind /mem show" in told.stderr
    assert "nothing-like-it" in told.stderr
    assert "behind /mem retire" in told.stderr
