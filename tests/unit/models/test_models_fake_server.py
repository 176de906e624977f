"""The fake server by itself: its answers file, its command, and clients that are not ours."""

import asyncio
import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from oldhand.errors import InvalidSetting
from oldhand.models import Ledger, Message, get_lm
from oldhand.settings import ModelSettings
from oldhand.testing.fake_replies import Rulebook
from oldhand.testing.fake_server import FakeServer, Fault, Reply, Request, main, read_rules

RULES = """
- when: {stage: plan, contains: "BERLIN"}
  reply: {steps: [{purpose: count}]}
- when: {regex: 'how (many|much)'}
  fault: rate_limit
  times: 1
- when: {regex: 'how (many|much)'}
  reply: Three.
- when: {schema: Repair}
  reply: {text: "an object all the same"}
  output_tokens: 5
"""


def request(text: str, stage: str = "", schema: str | None = None) -> Request:
    said = (("user", text),)
    return Request("/v1/chat/completions", {"x-oldhand-stage": stage}, {}, "m", said, False, schema)


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    path = tmp_path / "answers.yaml"
    path.write_text(RULES, "utf-8")
    return Rulebook(read_rules(path))


def test_the_first_rule_that_holds_answers(book: Rulebook) -> None:
    assert book(request("Customers in Berlin", "plan")).data == {"steps": [{"purpose": "count"}]}
    assert "no rule" in book(request("Customers in Berlin", "validate")).text
    assert book(request("?", schema="Repair")) == Reply(
        data={"text": "an object all the same"}, output_tokens=5
    )


def test_a_rule_can_be_used_up(book: Rulebook) -> None:
    assert book(request("how many?")).fault is Fault.RATE_LIMIT
    assert [book(request("how many?")).text for _ in range(2)] == ["Three.", "Three."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- when: {stagee: plan}", r"entry 0\.when\.stagee"),
        ("- reply: hi\n- fault: explode", r"entry 1\.fault"),
        ("- when: {regex: '('}", "regex"),
        ("reply: hi", "list"),
        ("- [", "cannot be read"),
    ],
)
def test_a_broken_answers_file_is_named_with_its_entry(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidSetting, match=said):
        read_rules(path)
    assert main(["--port", "0", "--answers", str(path)]) == 2
    assert "answers.yaml" in capsys.readouterr().err


def post(url: str, body: bytes) -> tuple[int, object]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_an_empty_queue_says_so() -> None:
    with FakeServer(["only one"]) as server:
        body = json.dumps({"model": "m", "messages": []}).encode()
        assert post(f"{server.openai_url}/chat/completions", body)[0] == 200
        status, said = post(f"{server.openai_url}/chat/completions", body)
    assert status == 500
    assert "no reply left after 1" in str(said)


def test_what_is_no_question_is_refused() -> None:
    with FakeServer(["unused"]) as server:
        assert post(f"{server.openai_url}/embeddings", b"{}")[0] == 404
        assert post(f"{server.openai_url}/chat/completions", b"{half")[0] == 400
        with urllib.request.urlopen(f"{server.openai_url}/models") as answer:
            assert json.load(answer)["data"][0]["id"] == "fake"


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer([]) as server:
        assert main(["--port", server.url.rpartition(":")[2]]) == 2
    assert "in use" in capsys.readouterr().err


def test_the_command_serves_a_newcomer_without_a_key(tmp_path: Path) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text(RULES, "utf-8")
    command = [sys.executable, "-W", "error", "-m", "oldhand.testing.fake_server", "--port", "0"]
    with subprocess.Popen(
        [*command, "--answers", str(path)], stdout=subprocess.PIPE, text=True
    ) as serving:
        try:
            assert serving.stdout is not None
            variable, _, url = serving.stdout.readline().strip().partition("=")
            settings = ModelSettings(backoff_seconds=0)
            model = get_lm("openai:fake", settings=settings, environ={variable: url})
            asked = [Message(role="user", content="how many?")]
            answer = asyncio.run(model.complete(asked, stage="chat", ledger=Ledger()))
        finally:
            serving.terminate()
    assert variable == "OPENAI_BASE_URL"
    assert answer.text == "Three."
    assert answer.usage.requests == 2
