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
from oldhand.store.saved.claims import ClaimedDelivery

_MAIL = re.compile(r"[^@\s,;:<>()\"\\]{1,64}@[^@\s,;:<>()\"\\/]{1,255}")
_NO_SERVER = (
    "No mail server is named: `saved: mail: host` in settings.yaml, and its password in {}."
)
_REFUSED = "It refuses `saved: mail: user` with the password in {}."
_UNKNOWN = "Its certificate is refused: `saved: mail: host` has to stand in it, and `ca_file` names who else may vouch for it."
_MISFIT = "Do `port` and `security` under `saved: mail` in settings.yaml fit it? They are {port} and {security}."


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
