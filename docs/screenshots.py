"""Take the pictures of pages that README and docs show, of the made-up company.

    python -m docs.screenshots

It makes a company in a folder of its own, serves it, and looks at it with Chromium.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.server import Server
from playwright.sync_api import Page, sync_playwright

from oldhand import Oldhand

PICTURES = Path(__file__).parent / "pictures"
WIDE, PHONE = {"width": 1180, "height": 900}, {"width": 390, "height": 760}
QUESTION = "What is the average lead time of suppliers per country?"


def main() -> None:
    """Take all pictures anew."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "demo"
        demo = [sys.executable, "-m", "oldhand", "demo", "--home", str(home)]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        with Oldhand(home) as old:
            old.people.name(owner="ana")
            key = old.access.issue_key("ana").token
        server = Server(home)
        try:
            take(server.url, key)
        finally:
            server.process.terminate()
            server.process.wait()


def take(url: str, key: str) -> None:
    """Take the pictures of a served home."""
    PICTURES.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for name, scheme, size in (("ask", "light", WIDE), ("ask-dark", "dark", WIDE), ("ask-phone", "light", PHONE)):  # fmt: skip
            page = browser.new_context(color_scheme=scheme, viewport=size).new_page()
            sign_in(page, url, key)
            page.get_by_label("Your question").fill(QUESTION)
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Chart").click()
            page.locator(".canvas .bars path").first.wait_for()
            page.wait_for_timeout(400)
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


def sign_in(page: Page, url: str, key: str) -> None:
    """Come to the page for asking."""
    page.goto(url)
    page.get_by_label("A link or key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/clones/**")


if __name__ == "__main__":
    main()
