"""OpenID Connect: what is asked of a provider of identities, and when its word is believed.

Nothing is kept in the process but what the provider publishes: what a sign-in has to remember lies in a cookie of the browser.
"""

import asyncio
import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.errors import (
    ExpiredTokenError,
    InvalidClaimError,
    JoseError,
    MissingClaimError,
)
from joserfc.jwk import KeySet
from pydantic import BaseModel, ConfigDict, HttpUrl, JsonValue, TypeAdapter, ValidationError

from oldhand.errors import IdentityRefused, ProviderUnreachable
from oldhand.settings import IdentityProvider

if TYPE_CHECKING:
    import httpx2

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]  # fmt: skip
"""Only those with a key of the provider's alone."""
_LEEWAY = 60
"""Seconds that clocks may differ by."""
_KNOWN_SECONDS = 3600.0
_AGAIN_SECONDS = 30.0
"""Between two looks at the keys: made-up tokens must not make us ask all the time."""
_JSON: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


class ProviderMetadata(BaseModel):
    """What a provider publishes of itself."""

    model_config = ConfigDict(frozen=True)

    issuer: str
    authorization_endpoint: HttpUrl
    token_endpoint: HttpUrl
    jwks_uri: HttpUrl
    userinfo_endpoint: HttpUrl | None = None
    end_session_endpoint: HttpUrl | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


@dataclass(frozen=True)
class Identity:
    """Who somebody is, as the provider says."""

    issuer: str
    subject: str
    email: str | None
    """Only when the provider has verified it."""


@dataclass(frozen=True)
class BegunSignIn:
    """What a sign-in remembers until the provider sends the browser back."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str


class OpenIDProvider:
    """One provider of identities."""

    def __init__(
        self,
        settings: IdentityProvider,
        http: "httpx2.AsyncClient",
        monotonic: Callable[[], float],
    ) -> None:
        self.settings = settings
        self._http = http
        self._monotonic = monotonic
        self._found: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, KeySet] | None = None
        self._asking = asyncio.Lock()

    async def metadata(self) -> ProviderMetadata:
        """What it publishes of itself.

        Raises:
            ProviderUnreachable: it does not answer, or is another one than the settings name.
        """
        if self._found is None or self._monotonic() - self._found[0] > _KNOWN_SECONDS:
            issuer = self.settings.issuer
            told = await self._json("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            try:
                found = ProviderMetadata.model_validate(told)
            except ValidationError as error:
                raise self._unreachable("it publishes no valid configuration") from error
            if found.issuer.rstrip("/") != issuer.rstrip("/"):
                raise self._unreachable(f"it calls itself {found.issuer}: set `issuer` to that")
            self._found = (self._monotonic(), found)
        return self._found[1]

    async def address(self, begun: BegunSignIn) -> str:
        """Where the browser goes to sign in."""
        digest = hashlib.sha256(begun.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": begun.redirect_uri,
            "scope": " ".join(self.settings.scopes),
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return _with_query(str((await self.metadata()).authorization_endpoint), asked)

    async def sign_out_address(self, back: str) -> str | None:
        """Where the browser goes to sign out of the provider as well; None where it offers that to nobody."""
        end = (await self.metadata()).end_session_endpoint
        asked = {"client_id": self.settings.client_id, "post_logout_redirect_uri": back}
        return None if end is None else _with_query(str(end), asked)

    async def identity(self, code: str, begun: BegunSignIn) -> Identity:
        """Who a code stands for; a code is good once.

        Raises:
            IdentityRefused: the provider does not take the code, or its word does not hold.
            ProviderUnreachable: it does not answer.
        """
        told = await self._redeemed(code, begun)
        claims = await self._checked(str(told.get("id_token") or ""), begun.nonce)
        subject = str(claims["sub"])
        if "email" not in claims:
            claims = {**await self._user_info(str(told.get("access_token") or ""), subject), **claims}  # fmt: skip
        verified = claims.get("email_verified") in {True, "true"} or self.settings.trusts_email
        email = str(claims["email"]).casefold() if verified and claims.get("email") else None
        return Identity(self.settings.issuer.rstrip("/"), subject, email)

    async def _redeemed(self, code: str, begun: BegunSignIn) -> Mapping[str, JsonValue]:
        known = await self.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": begun.redirect_uri,
            "code_verifier": begun.verifier,
            "client_id": self.settings.client_id,
        }
        secret, auth = self.settings.secret(), None
        if secret and "client_secret_basic" in known.token_endpoint_auth_methods_supported:
            auth = (self.settings.client_id, secret)
        elif secret:
            form["client_secret"] = secret
        return await self._json("POST", str(known.token_endpoint), form=form, auth=auth)

    async def _checked(self, token: str, nonce: str) -> dict[str, JsonValue]:
        """What a token says, if the provider has signed it, for us, for this sign-in, and just now."""
        must = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": (await self.metadata()).issuer},
            aud={"essential": True, "value": self.settings.client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            decoded = await self._decoded(token)
            must.validate(decoded.claims)
        except ExpiredTokenError as error:
            raise IdentityRefused("The sign-in took too long: begin again.") from error
        except (InvalidClaimError, MissingClaimError) as error:
            refused = (
                f"{self._name} signed somebody in for another purpose ({error.claim}): begin again."
            )
            raise IdentityRefused(refused) from error
        except (JoseError, ValueError) as error:
            raise IdentityRefused(f"What {self._name} says is not signed by it.") from error
        claims = cast("dict[str, JsonValue]", decoded.claims)
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if (
            claims.get("azp", None if several else self.settings.client_id)
            != self.settings.client_id
        ):
            raise IdentityRefused(f"{self._name} signed somebody in for another program.")
        return claims

    async def _decoded(self, token: str) -> jwt.Token:
        """The token with its signature checked; keys that were changed meanwhile are looked up once more."""
        try:
            return jwt.decode(token, await self._key_set(again=False), algorithms=_ALGORITHMS)
        except (JoseError, ValueError):
            return jwt.decode(token, await self._key_set(again=True), algorithms=_ALGORITHMS)

    async def _key_set(self, *, again: bool) -> KeySet:
        async with self._asking:
            age = _KNOWN_SECONDS if self._keys is None else self._monotonic() - self._keys[0]
            if self._keys is None or age >= (_AGAIN_SECONDS if again else _KNOWN_SECONDS):
                told = await self._json("GET", str((await self.metadata()).jwks_uri))
                try:
                    keys = KeySet.import_key_set(cast("dict[str, list[dict[str, str]]]", told))  # pyright: ignore[reportArgumentType]
                except (JoseError, ValueError, KeyError, TypeError) as error:
                    raise self._unreachable("it publishes no valid keys") from error
                self._keys = (self._monotonic(), keys)
            return self._keys[1]

    async def _user_info(self, token: str, subject: str) -> Mapping[str, JsonValue]:
        place = (await self.metadata()).userinfo_endpoint
        if place is None or not token:
            return {}
        told = await self._json("GET", str(place), bearer=token)
        return told if told.get("sub") == subject else {}

    @property
    def _name(self) -> str:
        return self.settings.title or self.settings.name

    def _unreachable(self, why: str) -> ProviderUnreachable:
        return ProviderUnreachable(f"{self._name} cannot sign anybody in just now: {why}.")

    async def _json(
        self,
        verb: str,
        url: str,
        *,
        form: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        bearer: str | None = None,
    ) -> dict[str, JsonValue]:
        import httpx2 as http  # noqa: PLC0415 - most servers have no provider

        headers = {"Accept": "application/json"}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        try:
            response = await self._http.request(verb, url, data=form, auth=auth, headers=headers)
            told = _JSON.validate_json(response.content)
        except http.HTTPError as error:
            raise self._unreachable("it does not answer") from error
        except ValidationError as error:
            raise self._unreachable("its answer cannot be read") from error
        if response.is_success:
            return told
        if form is not None and response.is_client_error:
            raise IdentityRefused(f"{self._name} does not take this sign-in ({str(told.get('error'))[:80]}): begin again.")  # fmt: skip
        raise self._unreachable(f"HTTP {response.status_code}")


def _with_query(address: str, asked: Mapping[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"
