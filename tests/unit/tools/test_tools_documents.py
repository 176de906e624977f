"""An agent looks things up in documents, and sees what its user may read."""

from pathlib import Path

from oldhand import Oldhand
from oldhand.bootstrap import open_home
from oldhand.bootstrap.agent import home_tools


def looked_up(home: Path, user: str) -> str:
    opened = open_home(home)
    (tool,) = [one for one in home_tools(opened, user) if one.name == "search_documents"]
    return tool("When do goods go back?")


async def test_the_whole_analysis_of_an_agent_asks_documents_that_its_user_may_read(tmp_path: Path):
    (tmp_path / "returns.md").write_text("# Returns\n\nGoods go back within 30 days.\n")
    home = tmp_path / "home"
    with Oldhand(home) as old:
        old.documents.add(tmp_path / "returns.md", readers="ana")
    turn = open_home(home).turn
    answer = await turn.look_up("When must goods go back?", "ana")
    assert "30 days" in answer.text
    assert [one.document for one in answer.citations] == ["Returns"]
    assert "30 days" not in (await turn.look_up("When must goods go back?")).text


def test_passages_are_found_for_who_asks(tmp_path: Path):
    for name, text in (("all.md", "Goods go back in 30 days."), ("secret.md", "Goods of the board go back never.")):  # fmt: skip
        (tmp_path / name).write_text(f"# Returns\n\n{text}\n")
    home = tmp_path / "home"
    with Oldhand(home) as old:
        old.documents.add(tmp_path / "all.md")
        old.documents.add(tmp_path / "secret.md", readers="ana")
    assert "30 days" in looked_up(home, "default")
    assert "never" not in looked_up(home, "default")
    assert "never" in looked_up(home, "ana")


def test_without_documents_there_is_no_such_tool(tmp_path: Path):
    assert "search_documents" not in [one.name for one in home_tools(open_home(tmp_path / "home"))]
