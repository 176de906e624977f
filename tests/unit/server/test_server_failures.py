"""What a server does when something breaks that nobody foresaw."""

import logging
from pathlib import Path

import httpx2 as http
import pytest

from oldhand.server.app import create_app
from oldhand.server.site import Site


@pytest.mark.asyncio
async def test_what_breaks_is_a_problem_for_the_caller_and_a_traceback_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Site(tmp_path / "home") as site:
        app = create_app(site)

        async def breaks() -> None:
            raise RuntimeError("the pipe burst")

        app.add_api_route("/api/breaks", breaks)
        transport = http.ASGITransport(app=app, raise_app_exceptions=False)
        async with http.AsyncClient(transport=transport, base_url="http://here") as client:
            with caplog.at_level(logging.ERROR, logger="oldhand"):
                response = await client.get("/api/breaks")
    assert response.status_code == 500
    assert response.json()["type"] == "InternalError"
    assert "burst" not in response.text
    assert "the pipe burst" in caplog.text
