"""Which columns hold what is nobody else's business: birth dates, addresses, telephone numbers and secrets."""

import re
from itertools import pairwise

from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name

_SECRET = re.compile(
    r"(password|passwd|passwort|passphrase|passcode|pwd|secret|token|credential|api_?key|private_?key|access_?key)s?"
    r"(_?hash|_?salt)?$|^(password|passwd|secret|token)_"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EMAIL = re.compile(r"\s*[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}\s*")
_IN_TEXT = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_PHONE = re.compile(r"\s*(?:\+|00|\(?0)[\d\s()./-]{6,20}|\s*\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\s*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|0?\d[./-]\d{1,2}[./-]\d{2,4}")


def looks_secret(column: str) -> bool:
    """Whether a column may hold what must not be copied into a schema file.

    >>> [looks_secret(name) for name in ("password_hash", "apiKey", "userToken", "secretary", "tokenizer")]
    [True, True, True, False, False]
    """
    written = _CAMEL.sub("_", column).casefold().replace(" ", "_").replace("-", "_")
    return _SECRET.search(written) is not None


def looks_private(column: str) -> bool:
    """Whether a column is called after what is private.

    >>> [looks_private(name) for name in ("BirthDate", "e_mail", "mobile_no", "password", "ssn")]
    [True, True, True, True, True]
    >>> [looks_private(name) for name in ("birth_place", "email_status", "phone_model", "cell", "created")]
    [False, False, False, True, False]
    """
    parts = [part for part in split_name(column) if not part.isdigit()]
    secrets = words("privacy.secrets")
    numbered = parts[-1:] == ["id"] and not secrets.isdisjoint(parts)
    if looks_secret(column) or "".join(parts) in secrets or numbered:
        return True
    if not parts or parts[-1] in words("privacy.about"):
        return False
    said = set(parts) | {"".join(pair) for pair in pairwise(parts)}
    pairs = {"_".join(pair) for pair in pairwise(parts)}
    named = words("privacy.emails") | words("privacy.phones") | secrets
    return tells_birth(column) or bool(said & named or pairs & words("privacy.pairs"))


def tells_birth(column: str) -> bool:
    """Whether a column is called after the time at which somebody was born.

    >>> [tells_birth(name) for name in ("born_on", "dateOfBirth", "dob", "birth_place", "created_on")]
    [True, True, True, False, False]
    """
    parts = [part for part in split_name(column) if not part.isdigit()]
    said = set(parts) | {"".join(pair) for pair in pairwise(parts)}
    timed = said & words("privacy.days") or len(parts) == 1
    born = said & words("privacy.births") if timed else set[str]()
    return bool(born or said & words("privacy.birthdays"))


def without_addresses(text: str, mark: str) -> str:
    """A text without the e-mail addresses in it.

    >>> without_addresses("Ask ada@x.org.", "…")
    'Ask ….'
    """
    return _IN_TEXT.sub(mark, text)


def is_address(text: str) -> bool:
    """Whether a text is an e-mail address or a telephone number and nothing else.

    >>> [is_address(text) for text in ("ada@x.org", "+49 30 123456", "(030) 90 12 34", "2024-01-05", "0800", "12.5")]
    [True, True, True, False, False, False]
    """
    if _EMAIL.fullmatch(text):
        return True
    return _PHONE.fullmatch(text) is not None and _DAY.fullmatch(text.strip()) is None
