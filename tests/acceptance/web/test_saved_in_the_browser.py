"""An answer is saved, asked anew, put on a schedule and a board, and shown to somebody outside by a link."""

import re

import pytest
from benchmarks._browsing import PHONE
from tests.acceptance.web.conftest import HOSTILE, Pages, Visit, sync_api

from oldhand import Oldhand

expect = sync_api.expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="install it with: make dev")  # fmt: skip


def test_an_answer_is_saved_pinned_and_asked_by_itself(visit: Visit) -> None:
    page = visit()
    page.get_by_label("Your question").fill("How many customers are there per city?")
    page.keyboard.press("Enter")
    page.locator(".answer").first.get_by_role("button", name="Save").click()
    saving = page.get_by_role("dialog", name="Save this question")
    saving.get_by_label("Name").fill(f"By city {HOSTILE.replace('/', '')}")
    saving.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("By city")
    expect(page.locator(".toast")).to_contain_text("Saved")
    page.get_by_role("button", name="Pin").click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()

    page.get_by_role("button", name="Schedule").click()
    asking = page.get_by_role("dialog", name="Ask it by itself")
    asking.get_by_label("When").fill("each full moon")
    asking.get_by_role("button", name="Save").click()
    expect(page.locator(".toast.bad")).to_contain_text("daily at 08:00")
    asking.get_by_label("When").fill("daily at 08:00")
    asking.get_by_role("button", name="Save").click()
    expect(page.locator("main dl.facts")).to_contain_text("daily at 08:00")
    assert not axe.Axe().run(page).response["violations"]


def test_people_outside_see_what_was_shared_until_the_link_ends(
    visit: Visit, pages: Pages, browser: "sync_api.Browser"
) -> None:
    with Oldhand(pages.home) as old:
        old.saved.add("Towns", old.ask("How many customers are there per city?"), user="ana")
    page = visit("/saved")
    page.get_by_role("link", name="Towns").click()
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make the link").click()
    secret = page.get_by_label("The secret")
    expect(secret).to_have_value(re.compile("/shared/"))
    link = secret.input_value()
    page.get_by_role("button", name="Done").click()
    context = browser.new_context(viewport=PHONE)
    outside = context.new_page()
    outside.goto(link)
    expect(outside.locator(".table")).to_contain_text("Berlin")
    expect(outside.get_by_role("button", name="Chart")).to_be_visible()
    assert not outside.locator("img").count()
    assert outside.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "SELECT" not in outside.content()
    assert not axe.Axe().run(outside).response["violations"]
    outside.goto(f"{pages.url}/saved")
    expect(outside.locator("main")).to_contain_text("no such page")

    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="End all links").click()
    expect(page.locator(".toast").last).to_contain_text("No link")
    outside.goto(link)
    expect(outside.locator("main")).to_contain_text("ask for another one")
    context.close()


def test_questions_stand_on_a_board(visit: Visit, pages: Pages) -> None:
    with Oldhand(pages.home) as old:
        old.saved.add("Cities", old.ask("How many customers are there per city?"), user="ana")
    page = visit("/saved")
    page.get_by_role("button", name="New board").click()
    making = page.get_by_role("dialog", name="New board")
    making.get_by_label("Name").fill("Towns & all")
    making.get_by_label("Cities").check()
    making.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_have_text("Towns & all")
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.method) if one.method != "GET" else None)
    page.get_by_role("button", name="Ask all anew").dblclick()
    assert not axe.Axe().run(page).response["violations"]  # while it is asked
    expect(page.locator(".toast").last).to_contain_text("Asked")
    expect(page.locator(".board article")).to_contain_text("Berlin")
    assert sent == ["POST"]  # pressed twice, sent once
    assert not axe.Axe().run(page).response["violations"]
