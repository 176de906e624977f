"""Files of lines that appear whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from oldhand.errors import OutputExists
from oldhand.sources.databases.files import replacing


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> int:
    """Write lines as they come; readable by their owner only, since they hold what people asked.

    Returns:
        how many there were.

    Raises:
        OutputExists: there is such a file already.
        StoreError: it cannot be written; a file that was there is as it was.
    """
    if not force and (path.exists() or path.is_symlink()):
        raise OutputExists(f"{path} is there already: --force overwrites it.")
    number = 0
    with replacing(path) as file:
        for line in lines:
            file.write(line)
            number += 1
    return number
