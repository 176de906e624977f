"""Looking after an assistant in the browser: what it has learned, what it reads, who may do what."""

import re
from pathlib import Path

import pytest
from benchmarks._browsing import PHONE
from tests.acceptance.web.conftest import HOSTILE, Pages, Visit, sync_api

from oldhand import Oldhand
from oldhand.models.clock import SystemClock
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import MemoryType
from oldhand.server.web.routes import PAGES
from oldhand.settings import load_settings
from oldhand.store import home_store
from oldhand.testing.records import example_episode, example_memory

expect = sync_api.expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="install it with: make dev")  # fmt: skip
SEEN = {one.path for one in PAGES if one.group is not None}
"""The engine looks at these in another test."""


@pytest.fixture(scope="session")
def cared(pages: Pages, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Something hostile wherever people can write; what the names in braces of paths stand for."""
    paper = tmp_path_factory.mktemp("papers") / "Handbook <b>bold<b>.md"
    paper.write_text(f"# Handbook {HOSTILE}\n\n## Leave\n\nLeave is requested in June. {HOSTILE}\n")
    with Oldhand(pages.home) as old:
        (added,) = old.documents.add(paper, user="ana")
        word = old.memories.define("buyers", "shop.customers", rater="ana")
        old.rules.add("gross = total * 2", rater="ana")
        old.databases.describe("shop", HOSTILE, table="orders")
        old.databases.describe("shop", HOSTILE, table="orders", column="total")
        answer = old.ask("How many orders are there?", user="xi")
        old.feedback(answer, rating=-1, text=f"Always say {HOSTILE}", rater="xi")
        # The server may be looking back on the answer at this very moment: then the next night has its lesson.
        assert any(old.learn() and old.memories.waiting() for _ in range(20))
    return {"document_id": added.document.id, "memory_id": word.id, "name": "shop"}


@pytest.fixture(scope="session")
def tried(pages: Pages, cared: dict[str, str]) -> dict[str, str]:
    """A lesson and a version of a prompt that are on trial, over answers that a model was paid for; their pages."""
    assert cared
    says = {"rule": f"Count cancelled orders {HOSTILE}"}
    rule = example_memory("rule-bad", MemoryType.SEMANTIC, summary=says["rule"], payload=says, provenance={"source": "execution"})  # fmt: skip
    with home_store(pages.home, load_settings(pages.home), clock=SystemClock()) as store:
        store.save_memory(rule)
        for number, state in ((1, "active"), (2, "candidate")):
            lines = "\n".join(["- Be kind.", f"- Be concise. {HOSTILE}"][:number])
            payload = {"version": f"v{number}", "text": lines, "supersedes": "orchestrator_v1" if number > 1 else None}  # fmt: skip
            store.save_memory(example_memory(f"orchestrator_v{number}", MemoryType.PROMPT, user_id="default", payload=payload, tags=("orchestrator", state), confidence=0.9))  # fmt: skip
        for number in range(12):
            drawn = {"rule-bad": "memory", "orchestrator_v1": "prompt", "orchestrator_v2": "prompt"}
            items = tuple(
                Recalled(kind=kind, item_id=name, rank=1, score=1, chance=0.5, shown=(number % 2 == 0) == (name != "orchestrator_v1"))
                for name, kind in drawn.items()
            )  # fmt: skip
            name = f"tried-{number}"
            store.record_episode(example_episode(name, session_id=name), Recollection(episode_id=name, items=items))  # fmt: skip
    return {"/learning/rule-bad": "left out of 6", "/prompts": "is tried against", "/prompts/orchestrator_v2": "Be concise", "/usage": "openai:gpt-4o"}  # fmt: skip


def addresses(cared: dict[str, str]) -> list[str]:
    """Every page of this part, but for those of which there is nothing to show."""
    left_out = ("/answers", "/prompts/{", "/learning/{", "/rules/preview")
    own = [one.path for one in PAGES if one.path != "/" and not one.path.startswith(left_out)]
    return [path.format(**cared) for path in own if set(re.findall(r"{(\w+)}", path)) <= {*cared}]


def test_every_page_can_be_read_by_everybody_and_runs_nothing_hostile(
    visit: Visit, cared: dict[str, str]
) -> None:
    page = visit("/learning")
    found = addresses(cared)
    assert len(found) >= 14
    for path in found:
        page.goto(f"{page.url.partition('/clones')[0]}/clones/default{path}")
        expect(page.locator("h1")).to_be_visible()
        for theme in ("light", "dark") if path not in SEEN else ():
            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
            wrong = axe.Axe().run(page).response["violations"]
            assert not wrong, (path, theme, [(it["id"], it["nodes"][0]["html"]) for it in wrong])
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        page.set_viewport_size({"width": 1280, "height": 900})
        assert page.title() != "HACKED", path


def test_a_rule_is_looked_at_put_in_force_and_taken_out(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit("/rules")
    page.get_by_label("State a rule").fill("net = total / 2")
    page.keyboard.press("Enter")
    expect(page.locator("[data-part]").first).to_contain_text("of each row of orders")
    page.get_by_role("button", name="Put it in force").click()
    mine = page.locator(".list li", has_text="'net'")
    expect(mine).to_contain_text("ana")
    mine.get_by_role("button", name="Take out").click()
    page.locator("#sure").get_by_role("button", name="Take out").click()
    expect(mine).to_have_count(0)
    page.get_by_text("Or fill in how a measure is computed").click()
    page.get_by_label("Name").fill("turnover")
    page.locator("select[name=how]").select_option("the sum of")
    page.get_by_label("Column", exact=True).fill("orders.total")
    page.keyboard.press("Enter")
    expect(page.locator("[data-part]").last).to_contain_text("'turnover'")
    page.get_by_label("State a rule").fill("net = nothing / 2")
    page.keyboard.press("Enter")
    expect(page.locator(".toast.bad")).to_contain_text("nothing")


def test_what_waits_is_approved_edited_retired_and_taken_back(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit("/review")
    waiting = page.locator("article", has_text="Always say")
    waiting.get_by_role("link").click()
    page.get_by_role("button", name="Approve").click()
    state = page.locator("main .badge").first
    expect(state).to_have_text("in force")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("What it says").fill("Always say which currency it is")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("which currency")
    page.get_by_role("button", name="Retire").click()
    expect(state).to_have_text("retired")
    page.get_by_role("button", name="Undo the last change").click()
    expect(state).to_have_text("in force")
    expect(page.locator("svg.schema")).to_contain_text("answer")
    page.get_by_text("As a list").click()
    expect(page.locator(".tree").first).to_contain_text("How many orders are there?")


def test_a_database_is_described_in_place_and_kept_from_models(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit("/databases/shop?table=customers")
    page.get_by_label("What city holds", exact=True).fill("where they live")
    page.keyboard.press("Tab")
    expect(page.locator(".toast")).to_contain_text("Noted.")
    page.get_by_label("What language models get of city").select_option("nothing")
    expect(page.locator("details pre")).not_to_contain_text("city")
    page.reload()
    expect(page.get_by_label("What city holds", exact=True)).to_have_value("where they live")
    page.get_by_label("What language models get of city").select_option("as the whole")
    expect(page.locator("svg.schema .line")).to_have_count(1)


def test_a_document_is_uploaded_and_read(visit: Visit, cared: dict[str, str], tmp_path: Path) -> None:  # fmt: skip
    assert cared
    paper = tmp_path / "Returns.md"
    paper.write_text("# Returns\n\nGoods come back within 30 days.\n")
    page = visit("/documents")
    page.get_by_role("button", name="Add documents").first.click()
    page.get_by_label("Files").set_input_files([paper])
    page.get_by_role("button", name="Upload").click()
    row = page.locator("tr", has_text="Returns")
    expect(row).to_contain_text("ready")
    row.get_by_role("link").click()
    expect(page.locator(".passage")).to_contain_text("within 30 days")


def test_a_citation_opens_the_whole_passage_where_it_stands(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit()
    page.get_by_label("Your question").fill("In which month is leave requested?")
    page.keyboard.press("Enter")
    card = page.locator(".answer").first
    card.get_by_role("link", name="Passage 1").first.click()
    expect(card.locator("mark").first).to_contain_text("requested in June")
    card.get_by_text("What it rests on").click()
    expect(card.get_by_role("region", name="Passages that were found")).to_contain_text("cited")
    card.get_by_role("link", name="Open the document here").click()
    expect(page.locator(".passage:target")).to_contain_text("requested in June")


def test_who_has_nothing_to_ask_looks_at_a_made_up_company(visit: Visit, pages: Pages) -> None:
    with Oldhand(pages.home, clone="empty") as old:
        token = old.access.issue_key("ana").token
    page = visit(token=token)
    page.get_by_role("button", name="Have a look at it").click()
    page.get_by_label("Your question").wait_for()
    page.get_by_role("button", name="How many customers are there?").click()
    expect(page.locator(".answer .said")).to_contain_text("customers")


def test_what_is_on_trial_and_what_models_cost_is_told(visit: Visit, tried: dict[str, str]) -> None:  # fmt: skip
    page = visit("/learning")
    for path, told in tried.items():
        page.goto(f"{page.url.partition('/clones')[0]}/clones/default{path}")
        expect(page.locator("main")).to_contain_text(told)
        assert not axe.Axe().run(page).response["violations"], path
        assert page.title() != "HACKED", path
    page.goto(page.url.replace("/usage", "/prompts/orchestrator_v2"))
    expect(page.locator(".diff .added")).to_contain_text("Be concise")


def test_people_get_keys_and_roles(visit: Visit, cared: dict[str, str]) -> None:
    assert cared
    page = visit("/people")
    page.keyboard.press("n")
    page.get_by_label("Name").last.fill("bo")
    page.get_by_role("button", name="Let in").click()
    expect(page.locator(".list li", has_text="bo").first).to_contain_text("member")
    page.get_by_role("button", name="New share link").click()
    page.get_by_role("button", name="Make it").last.click()
    expect(page.get_by_label("The secret")).to_have_value(re.compile("/#sign-in="))


def test_a_setting_is_changed_and_one_that_does_not_hold_is_refused(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit("/settings")
    field = page.get_by_label("Max attempts")
    expect(page.locator("main")).to_contain_text("Statements tried for one step")
    for value, told in (("4", "Saved."), ("99", "max_attempts")):
        field.fill(value)
        page.keyboard.press("Enter")
        expect(page.locator(".toast").last).to_contain_text(told)
    page.reload()
    expect(field).to_have_value("4")
    page.locator("summary", has_text="Recall").click()
    expect(page.get_by_label("Examples")).to_be_visible()


def test_people_are_offered_what_they_may_do_and_no_more(visit: Visit, cared: dict[str, str]) -> None:  # fmt: skip
    assert cared
    page = visit("/databases/shop", "mo")
    names = page.locator("#side a.item").all_text_contents()
    assert {"Rules", "Databases"} <= {*names}
    assert {"Memory", "People", "Settings", "Learning"}.isdisjoint(names)
    expect(page.locator("main [data-api]")).to_have_count(0)
    page.goto(page.url.replace("/databases/shop", "/people").partition("?")[0])
    expect(page.locator("main, body").first).to_contain_text("owner and above")
