"""`oldhand rule` and `/rule`: stated, read back, in force on a yes."""

import json
from pathlib import Path

RULE = "local = city is Berlin"


def test_a_rule_is_stated_listed_shown_and_removed(oldhand, home: Path) -> None:
    done = oldhand("rule", "add", RULE, "--yes")
    assert done.exit_code == 0, done.output
    assert "In shop: 'local' means customers with city = 'Berlin'" in done.stdout
    assert (home / "knowledge" / "semantics" / "shop.yaml").is_file()
    (one,) = json.loads(oldhand("rule", "list", "--json").stdout)
    assert (one["kind"], one["name"], one["rule"]["by"]) == ("condition", "local", "default")
    assert f'Stated as "{RULE}".' in oldhand("rule", "show", "local").stdout
    answer = json.loads(oldhand("ask", "How many local customers are there?", "--json").stdout)
    assert answer["rows"] == [[2]]
    assert "No longer: 'local' means customers" in oldhand("rule", "remove", "local").stdout
    assert "No rules were stated yet" in oldhand("rule", "list").stdout


def test_without_a_yes_nothing_is_in_force(oldhand, home: Path) -> None:
    oldhand("ask", "How many local customers are there?")
    done = oldhand("rule", "add", RULE, input="n\n")
    assert done.exit_code != 0
    assert "Of 1 recent questions, 1 would be answered otherwise" in done.stderr
    assert "then: number of customers" in done.stderr
    assert json.loads(oldhand("rule", "list", "--json").stdout) == []


def test_where_nobody_can_say_yes_it_is_said_how_to_agree(oldhand, home: Path) -> None:
    done = oldhand("rule", "add", RULE, input="")
    assert done.exit_code == 2
    assert "add --yes" in done.stderr
    assert json.loads(oldhand("rule", "list", "--json").stdout) == []


def test_what_is_not_understood_is_said(oldhand, home: Path) -> None:
    done = oldhand("rule", "add", "profit = price - cost", "--yes")
    assert done.exit_code == 2
    assert "No column is called 'price'" in done.stderr
    assert "Understood would be, for example: Only count customers with name" in done.stderr
    assert "No rule goes by 'x'" in oldhand("rule", "remove", "x").stderr


def test_a_chat_asks_before_a_rule_is_in_force(oldhand, home: Path) -> None:
    lines = (f"/rule add {RULE}", "/rule yes", "How many local customers are there?", "/rule")
    told = oldhand("chat", input="\n".join(lines) + "\n").stdout
    assert "/rule yes puts it in force." in told
    assert "In force: 'local' means customers with city = 'Berlin'." in told
    assert "There are 2 customers" in told or "2" in told
    assert "condition" in told
