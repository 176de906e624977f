"""Answers on their way out: to addresses of the web, and by e-mail."""

import base64
import csv
import hashlib
import hmac
import json
import re
import secrets
import smtplib
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from html import escape
from io import StringIO
from typing import NamedTuple

from oldhand.errors import DeliveryFailed, DocumentError, FetchFailed, UsageError
from oldhand.lexicon.wording import value_text
from oldhand.record.answer import Outcome, rows_as_html
from oldhand.record.base import Row
from oldhand.record.charting import is_numeric
from oldhand.record.saved import Delivery, SavedAnswer, SavedQuestion
from oldhand.settings import MailSettings, SavedSettings
from oldhand.settings.saved import PASSWORD_VARIABLE
from oldhand.sources.documents.fetching import Fetching, is_url
from oldhand.store.saved.rows import ClaimedDelivery

_MAIL = re.compile(r"[^@\s,;:<>()\"\\]{1,64}@[^@\s,;:<>()\"\\/]{1,255}")
_NO_SERVER = (
    "No mail server is named: `saved: mail: host` in settings.yaml, and its password in {}."
)
_REFUSED = "It refuses `saved: mail: user` with the password in {}."
_UNKNOWN = "Its certificate is refused: `saved: mail: host` has to stand in it, and `ca_file` names who else may vouch for it."
_MISFIT = "Do `port` and `security` under `saved: mail` in settings.yaml fit it? They are {port} and {security}."
ANSWERED, FAILED = "saved_question.answered", "saved_question.failed"
SHOWN_ROWS = 50
"""Rows that stand in an e-mail; the attached file holds all."""
_PREFIX = "whsec_"


@dataclass(frozen=True)
class AnswerSender:
    """Sends the answers of saved questions. Methods block."""

    settings: SavedSettings

    @property
    def _web(self) -> Fetching:
        limits = self.settings
        return Fetching(1.0, limits.post_seconds, limits.inside, setting="saved.inside")

    def check(self, target: str) -> str:
        """The target, if answers may be sent there.

        Raises:
            UsageError: it is no address, or none that answers may be sent to.
        """
        mail = self.settings.mail
        if is_url(target):
            try:
                self._web.check(target)
            except FetchFailed:
                pass  # its name server may be away just now
            except DocumentError as error:
                raise UsageError(str(error)) from error
        elif not _MAIL.fullmatch(target):
            raise UsageError(
                f"{target!r} is no target: https://… for a program, bo@example.org for e-mail."
            )
        elif mail.host is None:
            raise UsageError(_NO_SERVER.format(PASSWORD_VARIABLE))
        elif mail.domains and not target.lower().endswith(tuple(f"@{one.lower()}" for one in mail.domains)):  # fmt: skip
            raise UsageError(f"E-mail goes to {', '.join(mail.domains)} only, not to {target}.")
        return target

    def send(self, claimed: ClaimedDelivery, now: datetime) -> None:
        """Send an answer.

        Raises:
            DeliveryFailed: it was not taken.
        """
        delivery, saved, answer, secret, _ = claimed
        try:
            self.check(delivery.target)
            if is_url(delivery.target):
                message = webhook_message(saved, answer, delivery, secret, now)
                self._web.post(delivery.target, message.body, message.headers)
            else:
                mail = self.settings.mail
                sender = mail.sender or mail.user or f"oldhand@{mail.host}"
                _mailed(mail_message(saved, answer, delivery, sender), mail)
        except (DocumentError, UsageError) as error:
            raise DeliveryFailed(str(error)) from error
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryFailed(_refused(error, self.settings.mail)) from error


def _mailed(message: EmailMessage, mail: MailSettings) -> None:
    if mail.user is not None and not mail.password():
        raise UsageError(
            f"`saved: mail: user` needs its password, and there is none in {PASSWORD_VARIABLE}."
        )
    context = ssl.create_default_context(cafile=mail.ca_file)
    host, port = mail.host or "", mail.port
    if mail.security == "tls":
        server = smtplib.SMTP_SSL(host, port, timeout=mail.seconds, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=mail.seconds)
    with server:
        if mail.security == "starttls":
            server.starttls(context=context)
        if mail.user is not None:
            server.login(mail.user, mail.password() or "")
        server.send_message(message)


def _refused(error: Exception, mail: MailSettings) -> str:
    """What went wrong with the mail server, and where that is set right."""
    said, hint = " ".join(str(error).split()), ""
    match error:
        case smtplib.SMTPRecipientsRefused():
            said = _spoken(*next(iter(error.recipients.values())))
        case smtplib.SMTPResponseException():
            said = _spoken(error.smtp_code, error.smtp_error)
            if isinstance(error, smtplib.SMTPAuthenticationError):
                hint = _REFUSED.format(PASSWORD_VARIABLE)
        case ssl.SSLCertVerificationError():
            said, hint = error.verify_message, _UNKNOWN
        case ssl.SSLError() | smtplib.SMTPServerDisconnected() | smtplib.SMTPNotSupportedError():
            hint = _MISFIT.format(port=mail.port, security=mail.security)
        case FileNotFoundError():
            hint = "`saved: mail: ca_file` is not there."
        case _:
            pass
    said = said.rstrip(".") or type(error).__name__
    return f"The mail server: {said}. {hint}".rstrip()


def _spoken(code: int, said: bytes | str) -> str:
    return f"{code} {said if isinstance(said, str) else said.decode('utf-8', 'replace')}"


# An answer on its way: as a signed message to a program, and as an e-mail.
class WebhookMessage(NamedTuple):
    """What is sent to an address of the web."""

    body: bytes
    headers: dict[str, str]


def new_secret() -> str:
    """What the messages of one question are signed with."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def webhook_message(
    saved: SavedQuestion, answer: SavedAnswer, delivery: Delivery, secret: str, now: datetime
) -> WebhookMessage:
    """An answer as JSON, signed as Standard Webhooks say (www.standardwebhooks.com): whoever knows the secret can tell that it is ours."""
    told = answer.model_dump(mode="json", exclude={"id", "seconds"})
    asked = saved.model_dump(mode="json", include={"id", "name", "question"})
    kind = ANSWERED if answer.outcome is Outcome.ANSWERED else FAILED
    what = {"type": kind, "timestamp": answer.at.isoformat()}
    body = json.dumps({**what, "data": {"saved": asked, "answer": told}}, ensure_ascii=False)
    name, moment = f"{saved.id}-{answer.id}-{delivery.id}", str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": signature(secret, name, moment, body.encode()),
    }
    return WebhookMessage(body.encode(), headers)


def signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    """What stands under `webhook-signature`.

    >>> signature("whsec_c2VjcmV0", "m-1", "1767225600", b"{}")
    'v1,Yr8EVgOBxuZXIl18fOWa+fitn/kBnWIToG7nhbaOQgg='
    """
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = b".".join((message_id.encode(), timestamp.encode(), body))
    made = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


def mail_message(
    saved: SavedQuestion, answer: SavedAnswer, delivery: Delivery, sender: str
) -> EmailMessage:
    """An answer as an e-mail: its table as text and as HTML, and all rows as a file for spreadsheets."""
    message = EmailMessage()
    failed = answer.outcome is not Outcome.ANSWERED
    message["Subject"] = " ".join(f"{saved.name}{': failed' if failed else ''}".split())
    message["From"], message["To"] = sender, delivery.target
    message["Date"] = format_datetime(answer.at)
    domain = parseaddr(sender)[1].partition("@")[2] or "oldhand"
    # The same whenever it is sent again, so that it is shown once.
    name = f"{saved.id}-{answer.id}-{delivery.id}"
    message["Message-ID"] = f"<{name}@{domain}>" if domain.isascii() else make_msgid()
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_as_text(saved, answer))
    message.add_alternative(_as_html(saved, answer), subtype="html")
    if answer.columns:
        data = ("\ufeff" + as_csv(answer.columns, answer.rows)).encode()
        file = "".join(c if c.isalnum() or c in "-_ " else "_" for c in saved.name).strip()
        message.add_attachment(data, maintype="text", subtype="csv", filename=f"{file or 'answer'}.csv")  # fmt: skip
    return message


def as_csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as CSV; texts that a spreadsheet would take for formulas are quoted for it.

    >>> print(as_csv(("name", "n"), (("=1+1", -2),)), end="")
    name,n
    '=1+1,-2
    """
    lines = StringIO()
    plain = [[f"'{it}" if isinstance(it, str) and it[:1] in ("=", "+", "-", "@", "\t", "\r") else it for it in row] for row in rows]  # fmt: skip
    csv.writer(lines, lineterminator="\n").writerows([columns, *plain])
    return lines.getvalue()


def _told(saved: SavedQuestion, answer: SavedAnswer) -> list[str]:
    """What is said above the table."""
    change = f"Since the last time: {answer.change}." if answer.change else ""
    cut = "Only the first rows could be read." if answer.truncated else ""
    asked = f"{saved.question} ({answer.at:%Y-%m-%d %H:%M} UTC)"
    return [one for one in (answer.text, change, cut, asked) if one]


def _as_text(saved: SavedQuestion, answer: SavedAnswer) -> str:
    return "\n\n".join((*_told(saved, answer), _table(answer), _rest(answer))).rstrip() + "\n"


def _as_html(saved: SavedQuestion, answer: SavedAnswer) -> str:
    first, *others = (f"<p>{escape(one)}</p>" for one in _told(saved, answer))
    table = rows_as_html(answer.columns, answer.rows[:SHOWN_ROWS]) if answer.rows else ""
    return "".join((first, table, f"<p>{escape(_rest(answer))}</p>", *others))


def _rest(answer: SavedAnswer) -> str:
    left = len(answer.rows) - SHOWN_ROWS
    return f"… and {left:,} more rows: the attached file holds all." if left > 0 else ""


def _table(answer: SavedAnswer) -> str:
    """The first rows in columns of letters of one width."""
    if not answer.rows:
        return ""
    rows = answer.rows[:SHOWN_ROWS]
    right = [is_numeric(column) for column in zip(*rows, strict=True)]
    cells = [[value_text(it, name) for name, it in zip(answer.columns, row, strict=True)] for row in rows]  # fmt: skip
    lines = [[" ".join(name.split()) for name in answer.columns], *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    made = [
        "  ".join(it.rjust(w) if r else it.ljust(w) for it, w, r in zip(line, widths, right, strict=True)).rstrip()
        for line in lines
    ]  # fmt: skip
    return "\n".join((made[0], "  ".join("-" * w for w in widths), *made[1:]))
