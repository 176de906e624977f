"""Answers on their way out: to addresses of the web, and by e-mail."""

import re
import smtplib
import ssl
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from oldhand.errors import DeliveryFailed, DocumentError, FetchFailed, UsageError
from oldhand.loop.saved.letters import mail_message, webhook_message
from oldhand.settings import MailSettings, SavedSettings
from oldhand.settings.saved import PASSWORD_VARIABLE
from oldhand.sources.documents.fetching import Fetching, is_url
from oldhand.store.saved.store import ClaimedDelivery

_MAIL = re.compile(r"[^@\s,;:<>()\"\\]{1,64}@[^@\s,;:<>()\"\\/]{1,255}")
_NO_SERVER = (
    "No mail server is named: `saved: mail: host` in settings.yaml, and its password in {}."
)


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
        delivery, saved, answer, secret = claimed
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
            raise DeliveryFailed(f"The mail server: {_said(error)}.") from error


def _mailed(message: EmailMessage, mail: MailSettings) -> None:
    context = ssl.create_default_context(cafile=mail.ca_file)
    host, port = mail.host or "", mail.port
    if mail.security == "tls":
        server = smtplib.SMTP_SSL(host, port, timeout=mail.seconds, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=mail.seconds)
    with server:
        if mail.security == "starttls":
            server.starttls(context=context)
        if mail.user is not None and (password := mail.password()) is not None:
            server.login(mail.user, password)
        server.send_message(message)


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return f"{code} {said.decode('utf-8', 'replace')}"
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return f"{error.smtp_code} {said if isinstance(said, str) else said.decode('utf-8', 'replace')}"  # fmt: skip
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
