"""The pytest plugin, as projects use it: in processes of its own, found by its entry point."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from oldhand import Oldhand, create_tool_use_agent
from oldhand.agent.tools import sql_tools
from oldhand.cli.whole import app

ROOT = Path(__file__).parents[2]
SEED_SPEC = ROOT / "tests" / "unit" / "regression" / "seed_002_spec.txt"
VIPS = "How many VIPs live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE tier = 'A1' AND city = 'Berlin'"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "tests" / "ai").mkdir(parents=True)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An assistant that does not know yet who the VIPs are."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, tier TEXT);
            INSERT INTO customers (name, city, tier) VALUES
                ('Ana', 'Berlin', 'A1'), ('Bo', 'Oslo', 'B2'), ('Cy', 'Berlin', 'B2');
            """
        )
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    return tmp_path / "home"


ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "oldhand.testing.pytest_plugin"}
"""Loading the plugins of others takes longer than anything here."""


def run(project: Path, *arguments: str, beside_others: bool = False, **environ: str) -> tuple[int, str]:  # fmt: skip
    """Run pytest as the project does."""
    environ |= {} if beside_others else ALONE
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OLDHAND", "PYTEST"))}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=project, env={**kept, "HOME": str(project), "PYTEST_DEBUG_TEMPROOT": str(project), "COLUMNS": "150", **environ}, check=False,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def oldhand(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run a command in the folder of the project; it has to succeed."""

    def command(*arguments: str) -> str:
        done = CommandLine().invoke(app, arguments, env={"COLUMNS": "150"})
        assert done.exit_code == 0, done.output
        return done.output

    monkeypatch.chdir(project)
    return command


def test_a_failure_becomes_a_test_that_fails_until_it_is_mended(project, home, oldhand):
    with Oldhand(home) as old:
        asked = old.ask(VIPS)
    oldhand("feedback", "last", "--bad", "--home", str(home))
    spec = ("spec", asked.episode_id[:8], "--home", str(home), "--pytest")
    oldhand(*spec)
    name = f"episode_{asked.episode_id[:8]}"
    file = project / "tests" / "ai" / f"{name}.yaml"
    code, told = run(project, "tests/ai/", "-v", "--oldhand-home", str(home))
    assert code == 1, told
    assert f"tests/ai/{name}.yaml::{name} FAILED" in told
    assert "expected" in told
    assert "abstained" in told
    with Oldhand(home) as old:
        old.feedback(asked.episode_id, correction=RIGHT)
    code, told = run(project, str(file.relative_to(project)), OLDHAND_HOME=str(home))
    assert code == 0, told
    assert "1 passed" in told
    told = oldhand(*spec, "--force")
    assert "the rows of shop" in told
    (command,) = re.findall(r"^Run it: (.+)$", told, re.MULTILINE)
    printed = subprocess.run(
        command, shell=True, cwd=project, check=False, capture_output=True, text=True, timeout=600
    )
    assert printed.returncode == 0, command + printed.stdout + printed.stderr
    assert "passed" in printed.stdout


def test_what_went_wrong_waits_until_somebody_keeps_it(project, home, oldhand):
    with Oldhand(home) as old:
        asked, other = old.ask(VIPS), old.ask("How many customers are there?")
        old.feedback(asked.episode_id, correction=RIGHT)
        old.feedback(other.episode_id, rating=-1)

    def spec(*arguments: str) -> str:
        return oldhand("spec", *arguments, "--home", str(home))

    listed = spec("list")
    assert f"{asked.episode_id[:8]}   waiting   incorrect_sql" in listed
    assert "oldhand spec keep EPISODE" in listed
    code, told = run(project, "tests/ai", "--oldhand-home", str(home))
    assert code == 5, told  # nothing is collected yet
    assert spec("drop", other.episode_id[:8]) == "Dropped: How many customers are there?\n"
    assert "Written: tests/ai/episode_" in spec("keep", asked.episode_id[:8])
    listed = spec("list")
    assert f"{asked.episode_id[:8]}   kept    incorrect_sql" in listed
    assert other.episode_id[:8] not in listed
    code, told = run(project, "tests/ai", "--oldhand-home", str(home))
    assert code == 0, told


def test_without_a_home_specs_are_skipped_and_say_what_to_do(project):
    (project / "tests" / "ai" / "a.yaml").write_text(SEED_SPEC.read_text())
    code, told = run(project, "tests/ai/", "-rs")
    assert code == 0
    assert "1 skipped" in told
    assert "--oldhand-home" in told
    code, told = run(project, "tests/ai/", "--oldhand-home", "nowhere")
    assert code == 1
    assert "There is no home at" in told


def test_a_project_can_put_its_own_router_to_the_test(project):
    (project / "tests" / "ai" / "a.yaml").write_text(SEED_SPEC.read_text())
    conftest = project / "conftest.py"
    conftest.write_text(
        "from oldhand.record.route import RouteResponse\n"
        "class Own:\n"
        "    def route(self, messages, context=None):\n"
        "        model, cost = ('granite-local', 0.0)\n"
        "        return RouteResponse(text='4', model_used=model, cost=cost)\n"
        "def pytest_oldhand_router(config):\n"
        "    return Own()\n"
    )
    (project / "tests" / "test_routing_simple_math.py").write_text(
        "def test_simple_math_uses_local_model(orchestrator):\n"
        "    response = orchestrator.route(\n"
        "        messages=[{'role': 'user', 'content': 'What is 2 + 2?'}],\n"
        "        context={'intent': 'calculation'}\n"
        "    )\n"
        "    assert response.model_used == 'granite-local'\n"
        "    assert response.cost == 0.0\n"
        "    assert 'code_executor' not in response.tools_used\n"
    )
    code, told = run(project, "-q")
    assert code == 0, told
    assert "2 passed" in told
    text = conftest.read_text().replace("'granite-local', 0.0", "'claude-opus', 0.03")
    conftest.write_text(text)
    code, told = run(project, "tests/ai", "-q")
    assert code == 1
    assert "model_used            granite-local                         claude-opus" in told
    assert "cost                  at most 0.0                           0.03" in told
    assert "Used expensive cloud model for trivial arithmetic" in told


def test_a_spec_that_does_not_hold_is_an_error_with_its_line(project):
    broken = SEED_SPEC.read_text().replace("expected:", "expects:")
    (project / "tests" / "ai" / "a.yaml").write_text(broken)
    code, told = run(project, "tests/ai")
    assert code == 2
    assert "a.yaml, line 11: the key 'expects' is not known" in told


def test_projects_that_do_not_use_it_notice_nothing(project):
    (project / "tests" / "test_own.py").write_text(
        "import sys\n"
        "def test_own():\n"
        "    loaded = {name for name in sys.modules if name.startswith('oldhand')}\n"
        "    assert loaded <= {'oldhand', 'oldhand.testing', 'oldhand.testing.pytest_plugin',\n"
        "                      'oldhand.record', 'oldhand.record.spec_marks'}\n"
        "    assert not {'sqlalchemy', 'sqlglot', 'pydantic', 'numpy', 'yaml'} & set(sys.modules)\n"
        "def test_own_fixture_of_that_name(orchestrator):\n"
        "    assert orchestrator == 'mine'\n"
    )
    (project / "tests" / "conftest.py").write_text(
        "import pytest\n@pytest.fixture\ndef orchestrator():\n    return 'mine'\n"
    )
    (project / "tests" / "ai" / "deployment.yaml").write_text("kind: Pod\nexpected: 1\ninput: 2\n")
    (project / "tests" / "ai" / "broken.yaml").write_text("{{ not yaml")
    (project / "tests" / "data.yaml").write_text("episode_id: e1\nexpected: {}\n")
    code, told = run(project, "-q", "-p", "no:hypothesispytest", "-W", "ignore", beside_others=True)
    assert code == 0, told
    assert "2 passed" in told


def test_the_spec_of_an_agent_brings_its_databases_into_any_home(project, home, oldhand, tmp_path):
    tools = sql_tools(f"sqlite:///{tmp_path / 'shop.db'}")
    own = tmp_path / "agent-home"
    with create_tool_use_agent(tools=tools, home=own) as agent:
        asked = agent.run(query="How many customers live in Berlin?")
        assert asked.outcome == "answered"
    counted = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'"
    oldhand("feedback", "last", "--correction", counted, "--home", str(own))
    oldhand("spec", "last", "--home", str(own), "--pytest")
    with Oldhand(tmp_path / "empty"):
        pass
    for other in (tmp_path / "empty", home):
        code, said = run(project, "tests/ai", "--oldhand-home", str(other))
        assert (code, "2 passed" in said) == (0, True), said
