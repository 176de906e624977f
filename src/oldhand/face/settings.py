"""The settings of an assistant, for its people."""

import asyncio
from collections.abc import Mapping

from pydantic import JsonValue

from oldhand.face.opened import FaceGroup
from oldhand.settings import SETTINGS_FILE, Settings, changed_text, load_settings


class AsyncSettings(FaceGroup):
    """`old.settings`: how the assistant is set."""

    async def get(self) -> Settings:
        """All settings as they hold now; secrets are hidden."""
        from oldhand.store import shown_address

        found = self._opened.home.settings
        store = None if found.store is None else shown_address(found.store)
        return found.model_copy(update={"store": store})

    async def change(self, changes: Mapping[str, JsonValue]) -> Settings:
        """Set these names, such as `recall.examples`, to these values in `settings.yaml`; they hold from the next question on.

        Other processes that work in the home follow with their next question. Names that lead to other machines or
        files, such as `store`, are changed in the file only.

        Raises:
            InvalidSetting: a name or a value does not hold; nothing was changed.
            UsageError: it is for the operator to change.
        """
        await asyncio.to_thread(self._write, changes)
        await self._opened.renew()
        return await self.get()

    def _write(self, changes: Mapping[str, JsonValue]) -> None:
        from oldhand.sources.databases.files import locked, write_atomically

        path = self._opened.path / SETTINGS_FILE
        with locked(path.with_name(".settings.lock")):
            # An assistant beside the first one has followed that one's file so far.
            inherited = self._opened.home.root / SETTINGS_FILE
            source = path if path.exists() else inherited
            text = source.read_text("utf-8") if source.exists() else ""
            changed = changed_text(text, changes)
            load_settings(self._opened.path, text=changed)
            write_atomically(path, changed)
