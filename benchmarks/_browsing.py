"""A headless Chromium over a served home: for the benchmark of pages, their pictures and their tests."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
PHONE: ViewportSize = {"width": 390, "height": 844}


@contextmanager
def opened_browser() -> Generator[Browser]:
    """A browser that keeps nothing."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            yield browser
        finally:
            browser.close()


def sign_in(page: Page, url: str, token: str) -> None:
    """Come to the page for asking."""
    page.goto(url)
    page.get_by_label("A link or key").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/clones/**")
