"""Asking in the browser: from the first question to a better answer."""

import re

import pytest
from benchmarks._browsing import PHONE
from tests.acceptance.web.conftest import HOSTILE, ROWS, Visit, sync_api

expect = sync_api.expect


def ask(page: "sync_api.Page", question: str) -> "sync_api.Locator":
    """The card of the answer."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    card = page.locator(".answer").filter(has=page.locator(".asked", has_text=question)).first
    expect(card).to_be_visible()
    return card


def test_an_owner_puts_an_answer_right_by_picking_and_gets_the_better_one(visit: Visit) -> None:
    page = visit()
    card = ask(page, "How many customers do we have?")
    expect(card.locator(".said")).to_have_text("There are 4 customers.")
    card.get_by_role("button", name="Wrong").click()
    further = card.locator("select", has=page.locator("option", has_text="status 'active'")).last
    option = further.locator("option", has_text="status 'active'").first
    further.select_option(label=option.text_content())
    expect(card.locator(".sides td").last).to_have_text("3")
    card.get_by_role("button", name="That is right").click()
    expect(card.locator(".told")).to_contain_text("Learned")
    card.get_by_role("button", name="Ask it again").click()
    better = page.locator(".answer").first
    expect(better.locator(".said")).to_contain_text("3")
    expect(page.locator(".answer")).to_have_count(2)


def test_what_a_correction_would_change_is_shown_before(visit: Visit) -> None:
    card = ask(visit(), "How many customers live in Rome?")
    card.get_by_role("button", name="What would be right?").click()
    card.get_by_label("Or say it in words").fill(
        "SELECT COUNT(*) FROM customers WHERE city = 'Oslo'"
    )
    card.get_by_role("button", name="What would change?").click()
    expect(card.locator(".told")).to_contain_text("It would learn")


def test_a_table_of_many_rows_is_sorted_filtered_and_turned_over(visit: Visit) -> None:
    page = visit()
    card = ask(page, "Show the id and total of all orders")
    table = card.locator(".table").first
    expect(table.locator("tbody tr")).to_have_count(50)
    table.get_by_role("button", name=re.compile("total", re.IGNORECASE)).click()
    expect(table.locator("th[aria-sort=descending]")).to_have_count(1)
    table.get_by_role("searchbox").fill("14")
    expect(table.locator("[data-count]")).to_contain_text("of")
    assert ROWS > 1_000


def test_a_chart_is_drawn_when_it_is_wanted(visit: Visit) -> None:
    page = visit()
    card = ask(page, "How many customers are there per city?")
    assert not page.evaluate("() => 'Plotly' in window")
    card.get_by_role("button", name="Chart").click()
    expect(card.locator(".canvas .bars path").first).to_be_visible()
    card.get_by_label("Kind of chart").select_option("pie")
    expect(card.locator(".canvas .pielayer path").first).to_be_visible()
    with page.expect_download() as download:
        card.get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename.endswith(".svg")


def test_a_proposal_is_agreed_to_by_a_click(visit: Visit) -> None:
    page = visit()
    card = ask(page, "Which customers have a golden ticket?")
    card.get_by_role("button", name="Yes, that is right").click()
    expect(page.locator(".answer")).to_have_count(2)


def test_a_link_leads_to_the_answer_and_its_conversation(visit: Visit) -> None:
    page = visit()
    ask(page, "How many customers live in Berlin?")
    ask(page, "and in Rome?")
    expect(page.locator(".answer").first.locator(".said")).to_contain_text("1")
    page.reload()
    expect(page.locator("h1, .asked").first).to_contain_text("and in Rome?")
    page.get_by_text("1 earlier question").click()
    expect(page.get_by_role("link", name="How many customers live in Berlin?")).to_be_visible()


def test_nobody_but_experts_sees_what_others_asked(visit: Visit) -> None:
    owner = visit()
    ask(owner, "How many orders are there?")
    address = owner.url
    other = visit(user="xi")
    other.goto(address)
    expect(other.get_by_role("heading", level=2)).to_be_visible()
    assert "orders are there" not in other.content()


def test_a_guest_asks_and_rates_and_cannot_correct_by_picking(visit: Visit, pages) -> None:
    page = visit(token=pages.share)
    card = ask(page, "How many customers live in Berlin?")
    card.get_by_role("button", name="Wrong").click()
    expect(card.get_by_label("Say what would be right")).to_be_visible()
    assert not card.locator(".picking").count()
    expect(page.get_by_role("navigation")).not_to_contain_text("Settings")


@pytest.mark.parametrize(
    "question", [f"How many {HOSTILE} are there?", "Show the name of all customers"]
)
def test_what_people_and_databases_wrote_never_runs(visit: Visit, question: str) -> None:
    page = visit()
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".answer").first).to_be_visible()
    page.locator(".answer summary").first.click()
    page.wait_for_timeout(200)
    assert "HACKED" not in page.title()
    assert not page.locator("img").count()


def test_on_a_phone_the_pages_stand_behind_a_button(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    ask(page, "How many customers are there per city?")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_everything_is_done_by_the_keyboard(visit: Visit) -> None:
    page = visit("/answers")
    page.locator("main").press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text(
        "Write a question" if page.locator("#question").count() else "History"
    )
    page.keyboard.press("Escape")
    page.locator("main").press("g")
    page.keyboard.press("a")
    expect(page.get_by_label("Your question")).to_be_focused()
