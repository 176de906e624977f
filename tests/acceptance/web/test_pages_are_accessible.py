"""Every page, light and dark, before an accessibility engine: labels, landmarks, contrast."""

import pytest
from tests.acceptance.web.conftest import Visit

axe_core = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="install it with: pip install axe-playwright-python",
)

from oldhand.server.web.routes import PAGES  # noqa: E402

WHOLE = sorted(page.path for page in PAGES if page.group is not None)


def test_no_page_has_a_fault(visit: Visit) -> None:
    page = visit()
    page.get_by_label("Your question").fill("How many customers are there per city?")
    page.keyboard.press("Enter")
    page.locator(".answer").wait_for()
    page.get_by_role("button", name="What would be right?").click()
    page.locator(".parts").wait_for()
    faults = [f"an answer: {one}" for one in checked(page)]
    base = page.url.partition("/clones/")[0]
    for path in WHOLE:
        page.goto(f"{base}/clones/default{path}")
        page.wait_for_load_state("networkidle")
        faults += [f"{path}: {one}" for one in checked(page)]
    assert not faults, "\n".join(faults)


def checked(page) -> list[str]:
    """What is wrong with it, and in the dark with its colours."""
    page.emulate_media(color_scheme="light")
    results = [axe_core.Axe().run(page)]
    page.emulate_media(color_scheme="dark")
    results.append(axe_core.Axe().run(page, options={"runOnly": ["color-contrast"]}))
    return [
        f"{one['id']}: {one['help']} at {one['nodes'][0]['html'][:200]}"
        for result in results
        for one in result.response["violations"]
    ]
