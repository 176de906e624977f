"""An expert is asked from below an answer that is missing, answers in the browser, and is not asked twice."""

from benchmarks._browsing import PHONE
from tests.acceptance.web.conftest import Visit, sync_api

expect = sync_api.expect


def test_a_colleague_answers_what_no_database_holds(visit: Visit) -> None:
    asking = visit(user="mo")
    asking.get_by_label("Your question").fill("Which discount do resellers get?")
    asking.keyboard.press("Enter")
    card = asking.locator(".answer").first
    card.get_by_role("button", name="Ask a colleague").click()
    expect(asking.locator(".toast")).to_contain_text("Asked")

    answering = visit("/inbox", viewport=PHONE)
    question = answering.locator("article", has_text="Which discount do resellers get?")
    question.get_by_role("button", name="Ask back").click()
    answering.get_by_role("dialog").get_by_label("Your question").fill("Of which year?")
    answering.get_by_role("dialog").get_by_role("button", name="Ask back").click()
    expect(question).to_contain_text("Of which year?")
    question.get_by_label("Your answer").fill("Resellers get 12 percent.")
    question.get_by_role("button", name="Answer").click()
    expect(answering.locator(".toast").last).to_contain_text("learned")
    expect(question).to_have_count(0)

    asking.get_by_role("link", name="Ask", exact=True).click()
    news = asking.get_by_role("status").filter(has_text="answered your question")
    expect(news).to_contain_text("Resellers get 12 percent.")
    asking.get_by_role("link", name="Inbox").first.click()
    expect(asking.locator("main")).to_contain_text("Resellers get 12 percent.")
    asking.get_by_role("link", name="Ask", exact=True).click()
    asking.get_by_label("Your question").fill("Which discount do resellers get?")
    asking.keyboard.press("Enter")
    expect(asking.locator(".answer .said").first).to_contain_text("12 percent")
