"""The same face for ordinary code: it runs the async one on an event loop in a thread of its own."""

from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from oldhand.bootstrap import LanguageModel
from oldhand.face.async_face import AsyncOldhand
from oldhand.face.opened import closed
from oldhand.face.own_loop import OwnLoop
from oldhand.sources.databases import Catalog

P = ParamSpec("P")
T = TypeVar("T")


class Oldhand:
    """An assistant in a home folder, for ordinary code; see `AsyncOldhand` for the arguments.

    >>> import sqlite3, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> shop = sqlite3.connect(f"{folder}/shop.db")
    >>> _ = shop.executescript('''
    ...     CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    ...     INSERT INTO customers (name, city) VALUES ('Ana', 'Berlin'), ('Bo', 'Oslo'), ('Cy', 'Berlin');
    ... ''')
    >>> shop.close()
    >>> with Oldhand(f"{folder}/home") as old:
    ...     _ = old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
    ...     answer = old.ask("How many customers live in Berlin?", databases=["shop"])
    ...     receipt = old.feedback(answer.episode_id, rating=+1)
    >>> answer.rows, answer.steps[0].database, answer.steps[0].attempts
    (((2,),), 'shop', 1)
    >>> receipt.source.value, receipt.learned[0].payload.question
    ('owner', 'How many customers live in Berlin?')
    """

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        store: str | None = None,
        model: str | LanguageModel | None = None,
        base_url: str | None = None,
    ) -> None:
        self._async = AsyncOldhand(home, store=store, model=model, base_url=base_url)
        self._loop: OwnLoop | None = OwnLoop()
        self.databases: Catalog = self._async.databases

    def __repr__(self) -> str:
        return f"Oldhand({str(self.path)!r})"

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._async.path

    @staticmethod
    def _blocking(
        method: Callable[Concatenate[AsyncOldhand, P], Coroutine[object, object, T]],
    ) -> "Callable[Concatenate[Oldhand, P], T]":
        """The same method for ordinary code: run to its end, with the same arguments and documentation."""

        @wraps(method)
        def run(self: "Oldhand", /, *args: P.args, **kwargs: P.kwargs) -> T:
            if self._loop is None:
                raise closed("Oldhand(…)")
            return self._loop.run(lambda: method(self._async, *args, **kwargs))

        return run

    ask = _blocking(AsyncOldhand.ask)
    reflect = _blocking(AsyncOldhand.reflect)
    route = _blocking(AsyncOldhand.route)
    rehearse = _blocking(AsyncOldhand.rehearse)
    fixing = _blocking(AsyncOldhand.fixing)
    fix = _blocking(AsyncOldhand.fix)
    feedback = _blocking(AsyncOldhand.feedback)
    preview = _blocking(AsyncOldhand.preview)
    memories = _blocking(AsyncOldhand.memories)
    memory = _blocking(AsyncOldhand.memory)
    forget = _blocking(AsyncOldhand.forget)
    learn = _blocking(AsyncOldhand.learn)
    waiting = _blocking(AsyncOldhand.waiting)
    approve = _blocking(AsyncOldhand.approve)
    retire = _blocking(AsyncOldhand.retire)
    edit = _blocking(AsyncOldhand.edit)
    undo = _blocking(AsyncOldhand.undo)
    prune = _blocking(AsyncOldhand.prune)
    export_memories = _blocking(AsyncOldhand.export_memories)
    define = _blocking(AsyncOldhand.define)
    rules = _blocking(AsyncOldhand.rules)
    preview_rule = _blocking(AsyncOldhand.preview_rule)
    state_rule = _blocking(AsyncOldhand.state_rule)
    import_rules = _blocking(AsyncOldhand.import_rules)
    remove_rule = _blocking(AsyncOldhand.remove_rule)
    roll_back = _blocking(AsyncOldhand.roll_back)
    rebuild = _blocking(AsyncOldhand.rebuild)
    evidence = _blocking(AsyncOldhand.evidence)
    episode = _blocking(AsyncOldhand.episode)
    episodes = _blocking(AsyncOldhand.episodes)
    erase_user = _blocking(AsyncOldhand.erase_user)
    routes = _blocking(AsyncOldhand.routes)
    why = _blocking(AsyncOldhand.why)
    people = _blocking(AsyncOldhand.people)

    def close(self) -> None:
        """Close databases, store and event loop; safe to call twice."""
        loop, self._loop = self._loop, None
        if loop is not None and loop.is_here:
            try:
                loop.run(self._async.close)
            finally:
                loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
