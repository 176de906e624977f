"""Files that come over the network are kept in a folder of the home."""

import os
import re
from pathlib import Path

from oldhand.errors import NameTaken, StoreError, UsageError

_UNSAFE = re.compile(r"[^\w.@ -]+")
_LONGEST = 150


def upload_place(folder: Path, file_name: str) -> Path:
    """Where a file of that name is kept; whatever the name says, it lies in the folder.

    >>> upload_place(Path("uploads"), "../../etc/Leave rules.md").as_posix()
    'uploads/Leave rules.md'

    Raises:
        UsageError: nothing is left of the name.
    """
    last = re.split(r"[/\\]", file_name)[-1]
    plain = _UNSAFE.sub("_", last).strip(". ")[-_LONGEST:].strip(". ")
    if not plain:
        raise UsageError("The file has no name: send one, such as handbook.pdf.")
    return folder / plain


def keep_upload(place: Path, data: bytes, *, replace: bool) -> None:
    """Write a file that came over the network, whole or not at all; only its owner may read it.

    Raises:
        NameTaken: there is one of that name, and it is not to be replaced.
        StoreError: the folder cannot be written.
    """
    waiting = place.with_name(f".{place.name}.{os.getpid()}.{id(data)}")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(waiting, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            waiting.replace(place)
        else:
            os.link(waiting, place)
    except FileExistsError as error:
        raise NameTaken(f"There is a file {place.name} already: remove it first.") from error
    except OSError as error:
        raise StoreError(f"{place} cannot be written: {error}") from error
    finally:
        waiting.unlink(missing_ok=True)
