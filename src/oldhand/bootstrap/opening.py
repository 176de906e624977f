"""Open a home folder."""

from pathlib import Path

from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.home import Home
from oldhand.bootstrap.minds import named_model, routed_models, thinking_of
from oldhand.errors.mishaps import Mishaps
from oldhand.models import LanguageModel
from oldhand.models.clock import SystemClock
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.ports import Clock, NewId, random_id
from oldhand.settings import SETTINGS_FILE, home_folder, load_settings
from oldhand.sources.databases import Catalog
from oldhand.store import home_store, made_folder

CLONES = "clones"
"""The folder of a home in which all assistants but the first have theirs."""


def open_home(  # noqa: PLR0913 (the one place where all of it is named)
    home: str | Path | None = None,
    *,
    store: str | None = None,
    model: str | LanguageModel | None = None,
    base_url: str | None = None,
    clock: Clock | None = None,
    new_id: NewId = random_id,
    clone: str = DEFAULT_CLONE,
    catalog: Catalog | None = None,
) -> Home:
    """Open a home folder, making it if needed.

    Args:
        home: the folder, as `home_folder` finds it.
        store: the address of another store than the settings name.
        model: the mind, in place of that of the settings.
        base_url: where the model is reached.
        clock: where the time comes from.
        new_id: where ids come from.
        clone: the assistant. Each but the first has its databases, files and settings in a folder of its own below the
            home; all of them share the store and the journal.
        catalog: the databases of the home, where they are open already.
    """
    root = made_folder(home_folder(home))
    path = root if clone == DEFAULT_CLONE else made_folder(root / CLONES / checked_name(clone))
    shared = load_settings(root)
    settings = load_settings(path) if (path / SETTINGS_FILE).exists() else shared
    clock = clock or SystemClock()
    if catalog is None:
        catalog = Catalog(path, settings.query.functions)
        catalog.start_ahead()
    chosen = model or settings.model
    lm = chosen
    if isinstance(chosen, str):
        lm = named_model(chosen, settings, base_url)
    assert not isinstance(lm, str), "a name was looked up"
    indexes = Indexes(catalog, path / "index")
    return Home(
        clone_id=clone,
        path=path,
        settings=settings,
        catalog=catalog,
        store=home_store(root, shared, clock=clock, new_id=new_id, store=store),
        thinking=thinking_of(lm, indexes, path, settings),
        models=routed_models(settings, indexes, path) if model is None else {},
        indexes=indexes,
        clock=clock,
        new_id=new_id,
        mishaps=Mishaps(),
        root=root,
        lm=lm if isinstance(chosen, str) else None,
    )
