"""`oldhand people`: the operator says whose words teach."""

import json
from pathlib import Path

import pytest


def _people(oldhand) -> dict[str, object]:
    return json.loads(oldhand("people", "list", "--json").stdout)


def test_an_owner_and_experts_are_named_and_listed(oldhand, home: Path) -> None:
    assert _people(oldhand) == {"owner": "default", "experts": []}
    oldhand("people", "owner", "ana")
    named = oldhand("people", "add", "bo", "cy", "bo")
    assert named.exit_code == 0, named.output
    assert [line.split() for line in named.stdout.splitlines()[2:5]] == [
        ["ana", "owner"],
        ["bo", "expert"],
        ["cy", "expert"],
    ]
    oldhand("people", "remove", "cy")
    assert _people(oldhand) == {"owner": "ana", "experts": ["bo"]}


def test_who_is_no_expert_any_more_teaches_nothing(oldhand, home: Path) -> None:
    oldhand("people", "add", "bo")
    assert oldhand("alias", "add", "punters", "shop.customers", "--rater", "bo").exit_code == 0
    oldhand("people", "remove", "bo")
    assert oldhand("alias", "add", "patrons", "shop.customers", "--rater", "bo").exit_code == 2
    assert "punters" in oldhand("alias", "list").output


def test_naming_an_owner_tells_that_commands_without_a_name_teach_no_more(oldhand, home) -> None:
    named = oldhand("people", "owner", "ana")
    assert "--rater ana" in " ".join(named.stdout.split())
    oldhand("ask", "How many customers are there?", "--quiet")
    assert "nothing was learned" in oldhand("feedback", "last", "--good").stdout


def test_an_expert_who_becomes_the_owner_is_that_only(oldhand, home: Path) -> None:
    oldhand("people", "add", "ana", "bo")
    oldhand("people", "owner", "ana")
    oldhand("people", "add", "ana")
    assert _people(oldhand) == {"owner": "ana", "experts": ["bo"]}


@pytest.mark.parametrize(
    "arguments", [("owner", "../evil"), ("add", "bo ba"), ("remove", "nobody"), ("add",)]
)
def test_a_name_that_is_none_changes_nothing(oldhand, home: Path, arguments) -> None:
    oldhand("people", "add", "bo")
    assert oldhand("people", *arguments).exit_code == 2
    assert _people(oldhand) == {"owner": "default", "experts": ["bo"]}


def test_the_next_command_of_a_user_tells_what_people_answered(oldhand, home: Path) -> None:
    assert oldhand("experts", "add", "bo").exit_code == 0
    one = json.loads(
        oldhand("experts", "ask", "Who waters the plants?", "--user", "ana", "--json").stdout
    )
    assert oldhand("experts", "answer", one["id"], "Cleo does.", "--as", "bo").stderr == ""
    told = "bo answered your question 'Who waters the plants?': Cleo does.\n"
    question = "How many customers are there?"
    assert [oldhand("ask", question, "--user", "ana").stderr for _ in range(2)] == [told, ""]


def test_what_people_answered_is_told_to_who_asked_and_to_no_cron(oldhand, home) -> None:
    oldhand("people", "add", "bo")
    asked = oldhand(
        "experts", "ask", "Which discount do resellers get?", "--expert", "bo", "--json"
    )
    one = json.loads(asked.stdout)["id"]
    for command in (("experts", "answer", one, "12 percent", "--as", "bo"), ("saved", "due")):
        assert "bo answered" not in oldhand(*command).output
    assert "bo answered" in oldhand("saved", "list").output
