"""Every page, light and dark, before an accessibility engine: labels, landmarks, contrast."""

import pytest
from tests.acceptance.web.conftest import Visit

axe_core = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="install it with: pip install axe-playwright-python",
)

from oldhand.server.web.table import PAGES  # noqa: E402

WHOLE = sorted(page.path for page in PAGES if page.group is not None)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme)
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
    results = axe_core.Axe().run(page)
    return [
        f"{one['id']}: {one['help']} at {one['nodes'][0]['html'][:200]}"
        for one in results.response["violations"]
    ]
