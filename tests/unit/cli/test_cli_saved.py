"""`oldhand saved due`: for cron, where no server runs."""

from datetime import UTC, datetime
from pathlib import Path

from oldhand import Oldhand


def _falls_due(old: Oldhand, clone: str) -> None:
    store = old._async._opened.home.store.saved
    saved = store.get(clone, "People").model_copy(update={"due_at": datetime(2026, 1, 1, tzinfo=UTC)})  # fmt: skip
    store.change(clone, saved, "due_at")


def test_what_is_due_is_asked_of_all_assistants(oldhand, home: Path, shop: Path) -> None:
    for clone in ("default", "acme", "broken"):
        with Oldhand(home, clone=clone) as old:
            if clone != "default":
                old.access.add_clone(clone, "ana")
                old.databases.add(f"sqlite:///{shop}", name="shop")
            old.saved.add("People", old.ask("How many customers are there?"))
            old.saved.schedule("People", "daily at 08:00")
            _falls_due(old, clone)
    (home / "clones" / "broken" / "settings.yaml").write_text("saved: {kept: many}\n", "utf-8")
    done = oldhand("saved", "due")
    assert done.exit_code == 2
    assert done.stdout.startswith("2 asked (0 failed), 0 sent (0 not taken).\nbroken: ")
    with Oldhand(home, clone="acme") as acme:
        assert len(acme.saved.answers("People")) == 2
