"""Take the pictures of pages that README and docs show, of the made-up company.

    python -m docs.screenshots

It makes a company in a folder of its own, serves it, and looks at it with Chromium.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._browsing import PHONE, opened_browser, sign_in
from benchmarks.server import Server
from playwright.sync_api import ViewportSize

from oldhand import Oldhand

PICTURES = Path(__file__).parent / "pictures"
WIDE: ViewportSize = {"width": 1180, "height": 900}
QUESTION = "What is the average lead time of suppliers per country?"
BOARD = {
    "Orders by month": "How many orders were placed per month in 2026?",
    "Orders by city": "How many orders were placed per city?",
}


def main() -> None:
    """Take all pictures anew."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "demo"
        demo = [sys.executable, "-m", "oldhand", "demo", "--home", str(home)]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        with Oldhand(home) as old:
            old.people.name(owner="ana")
            key = old.access.issue_key("ana").token
            for name, question in BOARD.items():
                old.saved.add(name, old.ask(question), user="ana")
            old.boards.put("Sales", tuple(BOARD), user="ana")
        server = Server(home)
        try:
            take(server.url, key)
        finally:
            server.process.terminate()
            server.process.wait()


def take(url: str, key: str) -> None:
    """Take the pictures of a served home."""
    PICTURES.mkdir(exist_ok=True)
    with opened_browser() as browser:
        for name, dark, size in (("ask", False, WIDE), ("ask-dark", True, WIDE), ("ask-phone", False, PHONE)):  # fmt: skip
            scheme = "dark" if dark else "light"
            page = browser.new_context(color_scheme=scheme, viewport=size).new_page()
            sign_in(page, url, key)
            page.get_by_label("Your question").fill(QUESTION)
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Chart").click()
            page.locator(".canvas .bars path").first.wait_for()
            page.wait_for_timeout(400)
            page.screenshot(path=PICTURES / f"{name}.png")
        page = browser.new_context(viewport={"width": 1180, "height": 480}).new_page()
        sign_in(page, url, key)
        page.goto(f"{url}/clones/default/boards/Sales")
        page.locator(".board .main-svg").nth(1).wait_for()
        page.wait_for_timeout(600)
        page.screenshot(path=PICTURES / "board.png")


if __name__ == "__main__":
    main()
