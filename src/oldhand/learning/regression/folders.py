"""Which folders hold the specs that nothing learned may break."""

from dataclasses import dataclass
from pathlib import Path

from oldhand.learning.regression.spec import BehaviourSpec
from oldhand.learning.regression.spec_files import SPECS_FOLDER, specs_in
from oldhand.sources.databases.files import locked, write_atomically

_LIST = "spec_folders.txt"


@dataclass(frozen=True)
class SpecFolders:
    """The folders of a home: its own `tests/ai`, and those into which its specs were written.

    >>> home = getfixture("tmp_path")
    >>> SpecFolders(home).note(home / "project" / "tests" / "ai")
    >>> [one.relative_to(home).as_posix() for one in SpecFolders(home).folders()]
    ['tests/ai', 'project/tests/ai']
    """

    home: Path

    def folders(self) -> tuple[Path, ...]:
        """All of them, whether they are still there or not."""
        listed = self.home / _LIST
        lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
        named = (Path(line.strip()) for line in lines if line.strip() and line[0] != "#")
        return tuple(dict.fromkeys((self.home / SPECS_FOLDER, *named)))

    def note(self, folder: Path) -> None:
        """Remember one more folder.

        Raises:
            StoreError: the list in the home cannot be written.
        """
        with locked(self.home / f".{_LIST}.lock"):
            folder = folder.absolute()
            if folder not in (known := self.folders()):
                lines = [_HEADER, *map(str, (*known[1:], folder))]
                write_atomically(self.home / _LIST, "\n".join(lines) + "\n")

    def specs(self) -> tuple[BehaviourSpec, ...]:
        """All specs, each episode's once; read anew each time, because people edit them.

        Raises:
            InvalidSpec: one of them does not hold.
        """
        found = (spec for folder in self.folders() for spec in specs_in(folder))
        return tuple({spec.model_dump_json(): spec for spec in found}.values())


_HEADER = "# Folders of behaviour specs: no lesson that breaks one of them is promoted. One path on each line."
