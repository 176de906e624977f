"""How quick the pages in the browser are, and how heavy: a headless Chromium over a served home."""

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.server import Server
from oldhand import Oldhand

ROWS = 10_000
RUNS = 5
PATIENCE = 300_000
"""Milliseconds that an answer may take: a busy machine is told, and is no failure."""
WATCH = """() => { window.longest = 0; new PerformanceObserver((seen) => {
  for (const one of seen.getEntries()) window.longest = Math.max(window.longest, one.duration);
}).observe({ entryTypes: ["longtask"] }); }"""


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print a table, or say what is missing."""
    try:
        browsing = import_module("benchmarks._browsing")
    except ImportError:
        browsing = None
    if browsing is None or browsing.CHROMIUM is None:
        print("It needs Chromium and Playwright: apt-get install chromium; pip install playwright")
        return
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (url, key), browsing.opened_browser() as browser:  # fmt: skip
        print("| what | value | aim |\n|---|---:|---:|")
        for name, value, aim in measured(browser, browsing.sign_in, url, key):
            print(f"| {name} | {value} | {aim} |")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, str]]:
    """A server of a home with a table of many rows; its address and a key."""
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, total REAL)")
        rows = ((f"City {number % 97}", number / 7) for number in range(ROWS))
        connection.executemany("INSERT INTO orders (city, total) VALUES (?, ?)", rows)
        connection.commit()
    (folder / "home").mkdir()
    (folder / "home" / "settings.yaml").write_text(f"query:\n  rows: {ROWS}\n")
    with Oldhand(folder / "home") as old:
        old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
        old.access.add_account("root", admin=True)
        key = old.access.issue_key("root").token
    server = Server(folder / "home")
    try:
        yield server.url, key
    finally:
        server.process.terminate()
        server.process.wait()


def measured(browser: Any, sign_in: Any, url: str, key: str) -> Iterator[tuple[str, str, str]]:
    """What was measured, its value, and what it should be."""
    first = [fresh(browser, sign_in, url, key) for _ in range(RUNS)]
    yield "first page after signing in, nothing kept by the browser", _ms([one[1] for one in first]), "1,000 ms"  # fmt: skip
    page = first[-1][0]
    again = [_loaded(page, page.url) for _ in range(RUNS)]
    yield "the same page again", _ms([seconds for seconds, _ in again]), "300 ms"
    yield "its weight, as sent, without charts", f"{first[-1][2] / 1000:,.0f} kB", "300 kB"
    page.get_by_label("Your question").fill("Show the id, city and total of all orders")
    page.evaluate(WATCH)
    began = time.perf_counter()
    page.keyboard.press("Enter")
    page.locator(".answer .table").wait_for(timeout=PATIENCE)
    yield f"an answer of {ROWS:,} rows, from key to table", _ms([time.perf_counter() - began]), ""
    table = page.locator(".answer .table").first
    table.get_by_role("button", name="total").click()
    table.locator("th[aria-sort]").wait_for()
    table.get_by_role("searchbox").fill("City 42")
    page.wait_for_timeout(500)
    longest = page.evaluate("() => window.longest")
    yield "longest time in which it answers to nothing, sorting and filtering these", f"{longest:,.0f} ms" if longest else "under 50 ms", "100 ms"  # fmt: skip


def fresh(browser: Any, sign_in: Any, url: str, key: str) -> tuple[Any, float, int]:
    """A page after signing in with nothing kept, how long it took to come, and the bytes that came."""
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, url, key)
    address, cookies = page.url, context.cookies()
    context.close()
    context = browser.new_context()
    context.add_cookies(cookies)
    page = context.new_page()
    seconds, sent = _loaded(page, address)
    return page, seconds, sent


def _loaded(page: Any, address: str) -> tuple[float, int]:
    began = time.perf_counter()
    page.goto(address, wait_until="load")
    seconds = time.perf_counter() - began
    sizes = "() => performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"
    return seconds, page.evaluate(sizes)


def _ms(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:,.0f} ms"
