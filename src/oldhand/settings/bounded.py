"""Files that people hand to us, read within bounds."""

import errno
import os
import stat
from pathlib import Path


def bounded_bytes(path: Path, most: int) -> bytes:
    """What a file holds.

    Raises:
        OSError: it cannot be read, is longer than `most` bytes, or is a pipe or a device, which may never end.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "a pipe or a device, not a file")
        data = b"" if status.st_size > most else file.read(most + 1)
        if status.st_size > most or len(data) > most:
            raise OSError(errno.EFBIG, f"larger than {most // 1_000_000:,} MB")
        return data
