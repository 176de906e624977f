"""The commands on a real home: what they print, what they leave behind, and how they end."""

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from oldhand.cli.exits import Exit
from oldhand.demo.marks import UNFINISHED
from oldhand.testing.fake_replies import Fault, Reply, Request
from oldhand.testing.model_server import FakeServer

BERLIN = "How many customers live in Berlin?"
FIELDS = (
    "version episode_id question outcome text columns rows truncated ranking confidence options proposal notes standalone "
    "query lessons steps citations choice asked usage model seconds session_id abstained"
)


# --- db, init, schema ---------------------------------------------------------------------------------------------


def test_a_database_is_registered_shown_and_forgotten(oldhand, shop: Path) -> None:
    added = oldhand("db", "add", f"sqlite:///{shop}", "--name", "mine", "--json")
    assert json.loads(added.stdout) == {
        "name": "mine",
        "dialect": "sqlite",
        "tables": ["customers"],
        "keys": {"declared": 0, "inferred": []},
    }
    assert [entry["name"] for entry in json.loads(oldhand("db", "list", "--json").stdout)] == [
        "mine"
    ]
    assert "mine" in oldhand("db", "list").stdout
    assert oldhand("db", "remove", "mine").exit_code == Exit.OK
    assert "No database is registered yet" in oldhand("db", "list").stdout


def test_a_url_is_registered_once_unless_it_is_given_another_name(oldhand, shop: Path) -> None:
    url = f"sqlite:///{shop}"
    assert oldhand("db", "add", url).stdout.startswith("Registered shop ")
    again = oldhand("db", "add", url)
    assert again.exit_code == Exit.OK
    assert again.stdout.startswith("Already registered as shop ")
    assert json.loads(oldhand("db", "add", url, "--json").stdout)["name"] == "shop"
    assert oldhand("db", "add", url, "--name", "twin").stdout.startswith("Registered twin ")
    names = [entry["name"] for entry in json.loads(oldhand("db", "list", "--json").stdout)]
    assert names == ["shop", "twin"]


def test_a_database_is_named_after_a_file_in_any_script(oldhand, shop: Path) -> None:
    for file, name in (
        ("Käse & Co.db", "kase_co"),
        ("日本.db", "database"),
        ("ß" * 90, "database_2"),
    ):
        there = shop.with_name(file)
        there.write_bytes(shop.read_bytes())
        assert oldhand("db", "add", f"sqlite:///{there}").stdout.startswith(f"Registered {name} ")


def test_of_many_tables_some_are_named_and_of_none_it_is_said(oldhand, tmp_path: Path) -> None:
    many, none = tmp_path / "many.db", tmp_path / "none.db"
    with closing(sqlite3.connect(many)) as connection:
        connection.executescript("".join(f"CREATE TABLE t{n} (a);" for n in range(60)))
    none.touch()
    told = oldhand("db", "add", f"sqlite:///{many}").stdout.partition("\n")[0]
    assert "with 60 tables: t0, t1, " in told
    assert told.endswith(" and 48 more")
    assert oldhand("db", "add", f"sqlite:///{none}").stdout.endswith(" without any table\n")


def test_what_was_indexed_of_a_database_goes_with_it(oldhand, home: Path) -> None:
    oldhand("ask", BERLIN)
    assert list((home / "index").glob("shop.sqlite*"))
    assert oldhand("db", "remove", "shop").exit_code == Exit.OK
    assert not list((home / "index").glob("shop.sqlite*"))


def test_a_home_that_is_not_there_is_not_made_by_asking(oldhand, tmp_path: Path) -> None:
    typo = tmp_path / "typo"
    for command in (
        ["ask", BERLIN],
        ["chat"],
        ["history"],
        ["feedback", "last", "--good"],
        ["db", "list"],
        ["db", "remove", "shop"],
        ["schema", "check"],
        ["schema", "list"],
        ["memory", "export"],
    ):
        refused = oldhand(*command, "--home", str(typo))
        assert refused.exit_code == Exit.USAGE, command
        assert f"There is no home at {typo}: " in refused.stderr
        assert f"init --home {typo}" in refused.stderr
    assert not typo.exists()


def test_without_a_database_the_command_that_adds_one_is_named(oldhand) -> None:
    oldhand("init")
    refused = oldhand("ask", BERLIN)
    assert refused.exit_code == Exit.USAGE
    assert " db add URL --name NAME" in refused.stderr
    talked = oldhand("chat", input=f"{BERLIN}\nWhat is 3 plus 4?\n")
    assert " db add URL --name NAME" in talked.stderr
    assert "3 plus 4 = 7" in talked.stdout


@pytest.mark.parametrize(("question", "said"), [("2+2", "2+2 = 4"), ("What's 15 % of 80?", "= 12")])
def test_arithmetic_needs_no_database(oldhand, question: str, said: str) -> None:
    oldhand("init")
    answered = oldhand("ask", question)
    assert answered.exit_code == Exit.OK
    assert said in answered.stdout


def test_an_unfinished_demo_is_not_asked(oldhand, home: Path) -> None:
    (home / UNFINISHED).touch()
    for command in (["ask", BERLIN], ["db", "list"], ["demo", "--keep", "--home", str(home)]):
        refused = oldhand(*command)
        assert refused.exit_code == Exit.USAGE
        assert "is unfinished: run oldhand demo" in refused.stderr


def test_passwords_are_never_shown(oldhand, home: Path) -> None:
    known = yaml.safe_load((home / "databases.yaml").read_text())
    known["databases"][0]["url"] = "postgresql://ana:hunter2@db/shop"
    (home / "databases.yaml").write_text(yaml.safe_dump(known))
    for command in (["db", "list"], ["db", "list", "--json"], ["doctor"]):
        assert "hunter2" not in oldhand(*command).output


def test_init_makes_a_home_and_says_what_comes_next(oldhand, shop: Path, tmp_path: Path) -> None:
    made = oldhand("init", f"sqlite:///{shop}")
    assert made.exit_code == Exit.OK
    assert f"The home is {tmp_path / 'home'}" in made.stdout
    assert "oldhand ask" in made.stdout
    assert oldhand("ask", BERLIN, "-q").stdout == "There are 2 customers in Berlin.\n"


def test_init_remembers_the_store(oldhand, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    assert oldhand("init", "--store", store).exit_code == Exit.OK
    assert oldhand("init", "--store", store).exit_code == Exit.OK
    assert yaml.safe_load((tmp_path / "home" / "settings.yaml").read_text()) == {"store": store}
    assert oldhand("init", "--store", "sqlite:////tmp/third.db").exit_code == Exit.USAGE


def test_a_schema_is_written_from_a_live_database_without_a_home(
    oldhand, shop: Path, tmp_path: Path
) -> None:
    printed = oldhand("schema", "introspect", f"sqlite:///{shop}")
    schema = yaml.safe_load(printed.stdout)
    assert schema["database"] == "shop"
    assert [column["name"] for column in schema["tables"][0]["columns"]] == [
        "customer_id",
        "name",
        "city",
    ]
    out = tmp_path / "out.yaml"
    assert oldhand("schema", "introspect", f"sqlite:///{shop}", "--out", str(out)).exit_code == 0
    assert yaml.safe_load(out.read_text()) == schema
    assert not (tmp_path / "home").exists()


def test_schema_check_finds_what_changed_and_introspect_mends_it(
    oldhand, home: Path, shop: Path
) -> None:
    assert oldhand("schema", "check").stdout == "shop: fits\n"
    with sqlite3.connect(shop) as connection:
        connection.execute("ALTER TABLE customers ADD COLUMN email TEXT")
    connection.close()
    checked = oldhand("schema", "check", "shop")
    assert checked.exit_code == Exit.DATABASE
    assert "customers.email: column new" in checked.stdout
    assert oldhand("schema", "introspect", "shop").exit_code == Exit.OK
    assert oldhand("schema", "check", "shop", "--json").stdout == '{"shop": []}\n'


def test_schemas_are_listed_and_shown(oldhand, home: Path) -> None:
    (listed,) = json.loads(oldhand("schema", "list", "--json").stdout)
    assert listed["name"] == "shop"
    assert Path(listed["file"]).is_file()
    shown = oldhand("schema", "show", "shop").stdout
    assert "customers  4 rows" in shown
    assert "customer_id" in shown
    assert json.loads(oldhand("schema", "show", "shop", "--json").stdout)["dialect"] == "sqlite"


def test_a_bad_schema_file_does_not_hide_the_good_ones(oldhand, home: Path, shop: Path) -> None:
    oldhand("db", "add", f"sqlite:///{shop}", "--name", "twin")
    (home / "knowledge" / "data_schemas" / "shop.yaml").write_text("tables: 3\n")
    listed = oldhand("schema", "list")
    assert listed.exit_code == Exit.DATABASE
    assert "twin" in listed.stdout
    assert "shop.yaml" in listed.stderr


# --- ask ------------------------------------------------------------------------------------------------------------


def test_ask_shows_the_answer_first_and_how_it_was_found_on_request(oldhand, home: Path) -> None:
    asked = oldhand("ask", BERLIN)
    assert (asked.exit_code, asked.stdout.count("\n")) == (Exit.OK, 2)
    for told in (oldhand("ask", BERLIN, "--explain").stdout, oldhand("why", "last").stdout):
        assert "Read as: " in told
        assert "Step 1 [shop]" in told
        assert "COUNT(*)" in told
        assert "1 row" in told
    told = oldhand("ask", BERLIN, "--explain").output
    assert told.startswith("There are 2 customers")
    assert "\x1b" not in told


def test_ask_as_json_is_one_object_with_the_fields_of_an_answer(oldhand, home: Path) -> None:
    asked = oldhand("ask", BERLIN, "--json", "--session", "s-1")
    answer = json.loads(asked.stdout)
    assert list(answer) == FIELDS.split()
    assert answer["rows"] == [[2]]
    assert answer["abstained"] is False
    assert answer["session_id"] == "s-1"
    (step,) = answer["steps"]
    assert (step["database"], step["attempts"]) == ("shop", 1)
    assert "'Berlin'" in step["sql"]


def test_no_answer_has_an_exit_code_of_its_own(oldhand, home: Path) -> None:
    asked = oldhand("ask", "What is the speed of light in a vacuum?", "--json")
    assert asked.exit_code == Exit.NO_ANSWER
    assert json.loads(asked.stdout)["abstained"] is True


def test_the_words_of_a_question_need_no_quotes(oldhand, home: Path) -> None:
    asked = oldhand("ask", *BERLIN.split(), "-q")
    assert asked.stdout == "There are 2 customers in Berlin.\n"


def test_a_setting_that_is_misspelt_is_named_with_its_line(oldhand, home: Path) -> None:
    settings = home / "settings.yaml"
    for text, said in (
        ("modle: x\n", "line 1: the key 'modle' is not known (did you mean model?).\n"),
        ("query:\n  rows: 3\n  secnds: 1\n", "line 3: the key 'secnds' is not known (did you mean seconds?).\n"),
        ("model: x\nquery:\n  rows: 0\n", "line 3: query.rows: Input should be greater than or equal to 1.\n"),
        ("a: 1\nb: [\n", "line 3: "),
        ("- a\n", "line 1: expected `name: value` lines.\n"),
    ):  # fmt: skip
        settings.write_text(text)
        refused = oldhand("ask", BERLIN)
        assert refused.exit_code == Exit.USAGE
        assert f"oldhand: InvalidSetting: {settings}, {said}" in refused.stderr


def test_a_question_may_come_from_standard_input(oldhand, home: Path) -> None:
    asked = oldhand("ask", "-", "-q", input=f"{BERLIN}\n")
    assert asked.stdout == "There are 2 customers in Berlin.\n"


def test_a_url_asks_a_database_that_was_not_registered_before(oldhand, shop: Path) -> None:
    oldhand("init")
    for _ in range(2):
        assert oldhand("ask", BERLIN, "-q", "--db", f"sqlite:///{shop}").exit_code == Exit.OK
    assert [entry["name"] for entry in json.loads(oldhand("db", "list", "--json").stdout)] == [
        "shop"
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "code"),
    [
        (["ask", ""], "InvalidQuestion", Exit.USAGE),
        (["ask", "x" * 5000], "InvalidQuestion", Exit.USAGE),
        (["ask", BERLIN, "--db", "nope"], "UnknownDatabase", Exit.USAGE),
        (["ask", BERLIN, "--db", "sqlite:///nope.db"], "DatabaseUnreachable", Exit.DATABASE),
        (["ask", BERLIN, "--model", "nope"], "UnknownModel", Exit.MODEL),
        (["ask", BERLIN, "--store", "sqlite:////proc/nope/x.db"], "StoreUnreachable", Exit.STORE),
        (["ask", BERLIN, "--user", "../../evil"], "InvalidId", Exit.USAGE),
        (["feedback", "nope", "--good"], "UnknownEpisode", Exit.USAGE),
        (["feedback", "last"], "UnknownEpisode", Exit.USAGE),
        (["feedback", "last", "--good", "--bad"], "UsageError", Exit.USAGE),
        (["schema", "show", "nope"], "UnknownDatabase", Exit.USAGE),
        (["db", "remove", "nope"], "UnknownDatabase", Exit.USAGE),
        (["memory", "import", "nope.jsonl"], "JournalError", Exit.STORE),
        (["memory", "export", "--type", "nope"], "UsageError", Exit.USAGE),
    ],
)
def test_what_cannot_be_done_is_one_line_with_the_errors_name(
    oldhand, home: Path, arguments: list[str], error: str, code: Exit
) -> None:
    refused = oldhand(*arguments)
    assert refused.stderr.startswith(f"oldhand: {error}: "), refused.output
    assert refused.stderr.count("\n") == 1
    assert refused.exit_code == code


def test_what_typer_refuses_is_a_usage_error(oldhand) -> None:
    assert oldhand("ask").exit_code == Exit.USAGE
    assert oldhand("feedback", "x", "--rating", "7").exit_code == Exit.USAGE
    assert oldhand("nope").exit_code == Exit.USAGE


# --- a language model -------------------------------------------------------------------------------------------------

FORMS = {
    "validate": {"verdict": "answerable", "databases": ["shop"], "confidence": 0.9},
    "plan": {"steps": [{"number": 1, "purpose": "Count them", "database": "shop"}]},
    "generate_sql": {"sql": "SELECT COUNT(*) AS n FROM clients", "confidence": 0.9},
    "analyze_error": {"cause": "typo", "corrected_sql": "SELECT COUNT(*) AS n FROM customers"},
    "summarise": {"text": "There are 4 customers.", "confidence": 0.9},
}


def reply(request: Request) -> Reply:
    assert request.stage in FORMS
    return Reply(data=FORMS[request.stage])


def test_a_language_model_answers_and_its_repair_and_tokens_are_shown(
    oldhand, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with FakeServer(reply) as server:
        asked = oldhand(
            "ask", "How many customers?", "--model", "openai:fake", "--base-url", server.openai_url, "--explain"
        )  # fmt: skip
    assert asked.exit_code == Exit.OK, asked.output
    for expected in (
        "failed: ",
        "FROM customers",
        "There are 4 customers.",
        " tokens",
    ):
        assert expected in asked.stdout


def test_a_question_back_says_how_to_answer_it_and_takes_the_number(
    oldhand, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    asked_back = {
        "verdict": "clarify",
        "text": "Which?",
        "options": ["all of them", "those in Oslo"],
    }
    requests: list[Request] = []

    def ask_back_once(request: Request) -> Reply:
        requests.append(request)
        return Reply(data=asked_back if len(requests) == 1 else FORMS[request.stage])

    with FakeServer(ask_back_once) as server:
        model = ("--model", "openai:fake", "--base-url", server.openai_url)
        asked = oldhand("ask", "How many?", "--user", "ana", *model)
        assert asked.exit_code == Exit.NO_ANSWER
        (reply_line,) = [line for line in asked.stdout.splitlines() if line.startswith("Answer: ")]
        again = shlex.split(reply_line)
        again = again[again.index("ask") :]
        assert again[:2] == ["ask", "1"]
        refused = oldhand("ask", "7", *again[2:])
        answered = oldhand(*again)
    assert refused.exit_code == Exit.USAGE
    assert "Choose 1 or 2, or ask something else." in refused.stderr
    assert answered.exit_code == Exit.OK, answered.output
    (latest, _) = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()]
    assert latest["answer"]["question"] == "all of them"


def test_a_number_out_of_range_does_not_end_a_conversation(
    oldhand, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    asked_back = {"verdict": "clarify", "text": "Which?", "options": ["all", "some"]}
    with FakeServer(lambda _: Reply(data=asked_back)) as server:
        model = ("--model", "openai:fake", "--base-url", server.openai_url)
        talked = oldhand("chat", *model, input="How many?\n7\n0\n2\n")
    assert talked.exit_code == Exit.OK
    assert talked.stderr.count("Choose 1 or 2, or ask something else.") == 2
    asked = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()]
    assert [it["answer"]["question"] for it in asked] == ["some", "How many?"]


def test_a_model_that_fails_has_an_exit_code_of_its_own(
    oldhand, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with FakeServer(lambda _: Reply(fault=Fault.UNAUTHORIZED)) as server:
        model = ("--model", "openai:fake", "--base-url", server.openai_url)
        asked = oldhand("ask", "How many customers?", "--json", *model)
        checked = oldhand("doctor", "--json", *model)
    assert asked.exit_code == Exit.MODEL
    assert json.loads(asked.stdout)["error"]["type"] == "ModelRefused"
    assert checked.exit_code == Exit.UNEXPECTED
    (failed,) = [check for check in json.loads(checked.stdout) if check["state"] == "fail"]
    assert failed["subject"] == "model"


# --- feedback, history, memory, doctor --------------------------------------------------------------------------------


def test_feedback_reaches_the_last_answer_or_the_one_that_is_named(oldhand, home: Path) -> None:
    answer = json.loads(oldhand("ask", BERLIN, "--json").stdout)
    noted = oldhand(
        "feedback", "last", "--bad", "--text", "too few", "--correction", "37", "--json"
    )
    given = json.loads(noted.stdout)
    assert given["episode_id"] == answer["episode_id"]
    assert (given["rating"], given["text"], given["correction"]) == (-1, "too few", "37")
    assert given["source"] == "owner"
    named = oldhand("feedback", answer["episode_id"][:8], "--rating", "1", "--rater", "bo")
    assert named.exit_code == Exit.OK
    assert "good, by bo (external)" in named.stdout


def test_history_lists_the_latest_questions(oldhand, home: Path) -> None:
    assert oldhand("history").stdout == "Nothing was asked yet.\n"
    oldhand("ask", BERLIN, "--user", "ana")
    oldhand("ask", "How many customers are there?", "--user", "bo")
    lines = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()]
    assert [line["user_id"] for line in lines] == ["bo", "ana"]
    only = oldhand("history", "--user", "ana").stdout
    assert BERLIN in only
    assert "bo" not in only


def test_memories_go_out_and_come_back_without_loss(oldhand, home: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for one in (
        home,
        tmp_path / "other",
    ):  # a night leaves a memory, too: none comes at three o'clock
        (one / "settings.yaml").write_text("night: {enabled: false}\n", "utf-8")
    oldhand("ask", BERLIN)
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert oldhand("memory", "export", str(first)).exit_code == Exit.OK
    assert oldhand("memory", "export").stdout == first.read_text()
    other = ("--home", str(tmp_path / "other"))
    oldhand("init", *other)
    # The answer, and what was found when it was looked back on.
    assert oldhand("memory", "import", str(first), *other).stdout.startswith("2 new, ")
    assert oldhand("memory", "export", str(second), *other).exit_code == Exit.OK
    assert second.read_text() == first.read_text()
    again = json.loads(oldhand("memory", "import", str(first), "--json", *other).stdout)
    assert (again["new"], again["unchanged"]) == (0, 2)


def test_the_doctor_is_content_with_a_home_that_works(oldhand, home: Path) -> None:
    checked = oldhand("doctor", "--json")
    found = {check["subject"]: check["state"] for check in json.loads(checked.stdout)}
    assert checked.exit_code == Exit.OK
    for subject in ("python", "home", "disk", "settings", "store", "database shop", "model"):
        assert found[subject] == "ok"


def test_the_doctor_names_what_is_wrong_and_what_to_do(oldhand, home: Path, shop: Path) -> None:
    shop.unlink()
    checked = oldhand("doctor")
    assert checked.exit_code == Exit.UNEXPECTED
    assert "fail" in checked.stdout
    assert "database shop" in checked.stdout


def test_the_doctor_does_not_make_a_home(oldhand, tmp_path: Path) -> None:
    checked = oldhand("doctor")
    assert checked.exit_code == Exit.UNEXPECTED
    assert "oldhand init" in checked.stdout
    assert not (tmp_path / "home").exists()


# --- chat through a pipe ------------------------------------------------------------------------------------------------


def test_a_conversation_goes_on_rates_and_shows_its_sql(oldhand, home: Path) -> None:
    lines = f"{BERLIN}\n/sql\n/good\n/session\n\n/exit\nHow many customers are there?\n"
    talked = oldhand("chat", input=lines)
    assert talked.exit_code == Exit.OK
    assert f"> {BERLIN}" in talked.stdout
    assert talked.stdout.count("There are 2 customers in Berlin.") == 1
    assert "-- shop" in talked.stdout
    assert "Noted: good." in talked.stdout
    assert "How many customers are there?" not in talked.stdout
    (episode,) = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()]
    assert episode["session_id"] in talked.stdout


def test_a_word_is_explained_in_the_middle_of_a_conversation(oldhand, home: Path) -> None:
    talked = oldhand(
        "chat",
        input="How many punters are there?\n/alias punters\n/alias punters = shop.customers\n"
        "How many punters are there?\n/why\nexit\nHow many customers are there?\n",
    )
    assert talked.exit_code == Exit.OK
    assert "I find nothing about 'punters'" in talked.stdout
    assert "/alias clients = shop.customers" in talked.stderr
    assert "'punters' means the table customers (shop)." in talked.stdout
    assert "There are 4" in talked.stdout
    assert "fact alias-" in talked.stdout or "lesson alias-" in talked.stdout
    assert "How many customers are there?" not in talked.stdout


def test_an_error_does_not_end_a_conversation(oldhand, home: Path) -> None:
    talked = oldhand(
        "chat", input="/good\n/nope\n/help\n/databases\n/schema\n/new\n" + BERLIN + "\n"
    )
    assert talked.exit_code == Exit.OK
    assert talked.stderr.splitlines() == [
        "oldhand: UsageError: There is no answer yet: ask something first.",
        "oldhand: UsageError: There is no command /nope: /help lists them.",
    ]
    for expected in (
        "/bad [#tag] [text]",
        "A shop",
        "customer_id",
        "A new conversation.",
        "There are 2 customers",
    ):
        assert expected in talked.stdout


def test_both_questions_of_a_conversation_have_one_session(oldhand, home: Path) -> None:
    oldhand(
        "chat",
        input=f"{BERLIN}\nHow many customers are there?\n/new\nHow many customers are there?\n",
    )
    lines = [json.loads(line) for line in oldhand("history", "--json").stdout.splitlines()]
    sessions = [line["session_id"] for line in lines]
    assert sessions[1] == sessions[2] != sessions[0]


def test_a_schema_is_shown_as_models_get_to_see_it(oldhand, home):
    path = home / "knowledge" / "data_schemas" / "shop.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("- name: name\n", "- name: name\n    to_models: names\n"), "utf-8")
    sent = oldhand("schema", "show", "shop", "--as-sent").stdout
    assert sent.startswith("### Database: shop\n")
    assert "'Berlin'" in sent
    assert "Ana" not in sent
    oldhand("schema", "introspect", "shop")
    assert oldhand("schema", "show", "shop", "--as-sent").stdout == sent
    path.write_text(
        path.read_text("utf-8").replace("to_models: names", "to_models: nothing"), "utf-8"
    )
    assert "- name (" not in oldhand("schema", "show", "shop", "--as-sent").stdout
    path.write_text(
        path.read_text("utf-8").replace("to_models: nothing", "to_models: some"), "utf-8"
    )
    assert "to_models" in oldhand("schema", "show", "shop").stderr
