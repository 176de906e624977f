"""Names that files may carry, made from names that may hold anything; and what of their paths anybody may read."""

import hashlib
import re

_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)\d")
_LONGEST = 64
_FOLDERS = re.compile(r"""(?:(?<=:///)|(?<![\w:/.~]))/(?:[^\s/'"`:;,]+/)+""")


def file_name(name: str, *, marks: str = "-", empty: str = "name") -> str:
    """A name for files: small letters, digits and `marks`; two names never share one.

    A name that is plain already stays as it is. Any other is made plain and gets the beginning of its SHA-256
    after `--`, which no plain name contains; so it also holds where letter case does not tell files apart.

    Args:
        name: any text.
        marks: signs that may stand between letters.
        empty: what stands for a name without any letter or digit.

    >>> file_name("spatial_qa", marks="_-")
    'spatial_qa'
    >>> file_name("../../etc/passwd")
    'etc-passwd--3754d6cb3a38e118'
    """
    plain = re.compile(rf"[a-z0-9]+([{re.escape(marks)}][a-z0-9]+)*")
    if plain.fullmatch(name) and len(name) <= _LONGEST and not _RESERVED.fullmatch(name):
        return name
    made = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST].rstrip("-") or empty
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{made}--{digest[:16]}"


def without_folders(text: str) -> str:
    """A message without the folders of this machine, which are nobody's business who is not at it.

    >>> without_folders("/srv/kaya/settings.yaml, line 3; write sqlite:////srv/kaya/shop.db, or ask https://example.org/a/b")
    'settings.yaml, line 3; write sqlite:///shop.db, or ask https://example.org/a/b'
    """
    return _FOLDERS.sub("", text)
