"""Where the public data sets lie below the folder that `--data` names."""

from pathlib import Path


def text2sql(data: Path | None, part: str) -> Path | None:
    """The folder `part` of the text-to-SQL data, in `data` or in its folder `text2sql`; None when it is missing."""
    for folder in (data / "text2sql", data) if data else ():
        if (folder / part).is_dir():
            return folder / part
    return None
