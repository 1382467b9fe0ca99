"""The tables of a campaign file, as pydantic models: types, ranges, and what must go together within one table."""

import json
import re
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, Self
from unicodedata import normalize

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, model_validator

from benchwright.config.faults import short_value
from benchwright.domain.campaign import Model
from benchwright.domain.opinion import NAME_MOST as PERSON_MOST
from benchwright.domain.opinion import is_name
from benchwright.pipelines.sources import split_web_address

NAME_MOST = 100  # characters
CALLS = re.compile(r"(?:/chat)?/completions/?\Z|/(?:embeddings|batches|responses|models|files|messages|generate)/?\Z")
DIGITS_MOST = 400  # of a share: more than any float has, few enough to compute with
SEED_MOST = 2**32 - 1  # what every provider takes
DEFAULTS: dict[str, Any] = {entry.name: entry.default for entry in fields(Model)}
PROVIDERS = ("local", "base_url", "litellm")
TAKEN = {
    "model": "is the key model of this table",
    "messages": "is written by Benchwright",
    "n": "cannot be set: each sample is a call of its own (runs)",
    "stream": "is a key of this table: stream = true",
    **dict.fromkeys(
        ("max_tokens", "max_completion_tokens"),
        'is set by max_tokens, which the budget counts on; rename = { max_tokens = "NAME" } gives it another name',
    ),
}
CHOICES = 'local = "smollm2", base_url = "..." with model = "...", litellm = "provider/model"'


def campaign_name(name: str) -> str:
    """The name of a campaign, which its files bear too."""
    if not name.isprintable() or name != name.strip() or not 0 < len(name) <= NAME_MOST or set(name) & set('/\\"'):
        raise ValueError(f'should be 1 to {NAME_MOST} visible characters, none of / \\ "')
    return name


def share(value: object) -> Fraction:
    """An exact fraction between 0 and 1, of 0.8 as of "5/9"."""
    text = str(value) if isinstance(value, str | int | Decimal) and not isinstance(value, bool) else ""
    found = re.fullmatch(r"\d+/0*[1-9]\d*|\d+(\.\d+)?(E[+-]?\d+)?", text, re.IGNORECASE)
    wrong = ValueError(f'should be between 0 and 1, such as 0.8 or "5/9", not {text[:40] or short_value(value)}')
    if not found:
        raise wrong
    if len(text) > DIGITS_MOST or ("/" not in text and abs(Decimal(text).adjusted()) > DIGITS_MOST):
        raise ValueError(f"has more than {DIGITS_MOST} digits")
    if not 0 <= Fraction(text) <= 1:
        raise wrong
    return Fraction(text)


def variable(name: str) -> str:
    """The name of an environment variable, which a key itself hardly ever looks like."""
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,99}", name) or name.startswith("AKIA"):
        raise ValueError("should be the name of an environment variable in capitals, such as MY_API_KEY, not a key")
    return name


def endpoint(url: str) -> str:
    """An http address without credentials, as it goes into the recipe; the closing slash does not matter."""
    parts = split_web_address(url)
    if parts is None:
        raise ValueError("should be an address such as http://localhost:8000/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "carries more than an address: leave out user, ? and #, and name a key's variable, api_key_env"
        )
    if called := CALLS.search(parts.path):
        raise ValueError(f"is the address of one call: leave {called[0].rstrip('/')!r} out, which is added to it")
    return url.rstrip("/")


def parameters(extra: dict[str, Any]) -> dict[str, Any]:
    """Parameters beside the usual ones: values of JSON, and none that has a key of its own here."""
    if taken := [name for name in extra if name in TAKEN]:
        raise ValueError(f"{taken[0]} {TAKEN[taken[0]]}")
    try:
        json.dumps(extra)
    except (TypeError, ValueError):
        raise ValueError("should hold texts, numbers, true or false, lists and tables only: no dates") from None
    return extra


def own_headers(headers: dict[str, str]) -> dict[str, str]:
    """Headers beside the usual ones; what holds a secret is the name of an environment variable."""
    for name, value in headers.items():
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or not value.isprintable() or not value.isascii():
            raise ValueError(f"{name[:40]!r} should be a header's name, and its value one line of plain characters")
        if re.search(r"auth|key|token|secret|cookie", name, re.IGNORECASE) and not re.fullmatch(r"\$[A-Z_0-9]+", value):
            raise ValueError(f'{name} looks like a secret: write "$NAME", the environment variable that holds it')
    return headers


def provider_default(value: object) -> object:
    """A number, or "default": nothing is sent and the provider's own holds."""
    return None if value == "default" else value


Text = Annotated[str, Field(min_length=1, max_length=1000)]
Count = Annotated[int, Field(ge=1, le=10**9)]
Runs = Annotated[int, Field(ge=1, le=100)]  # each is a call to each checker about each item
Width = Annotated[int, Field(ge=1, le=10_000)]  # calls in flight, each with its connection
Tries = Annotated[int, Field(ge=1, le=10_000)]
Price = Annotated[float, Field(ge=0, le=10**6)]  # US dollars per million tokens
Share = Annotated[Fraction, PlainValidator(share)]


class Table(BaseModel):
    """What holds for every table: no unknown keys, no guessing of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Top(Table):
    """The keys above all tables."""

    name: Annotated[str, AfterValidator(campaign_name)]
    pipeline: Text = Field(description='what is made, such as pipeline = "recall"')
    preset: Text | None = None
    corpus: list[Text] = Field(min_length=1, description='what to read, such as corpus = ["documents"]')
    seed: int = Field(42, ge=0, le=SEED_MOST)
    language: Text = "document"
    long_documents: Literal["view", "refuse"] = "view"


class Items(Table):
    """`[items]`: how many, one way or the other."""

    per_document: Count | None = None
    target: Count | None = None
    tries: Tries | None = None
    wait_for_people: bool = True

    @model_validator(mode="after")
    def one_way(self) -> Self:
        """A number per document and a number in all contradict each other."""
        if self.per_document is not None and self.target is not None:
            raise ValueError("per_document and target exclude each other: keep one of them")
        return self


class RuleTable(Table):
    """`[rule]`: the thresholds of a vote."""

    accept: Share = Fraction(4, 5)
    reject: Share = Fraction(7, 10)
    quorum: Count = 1

    @model_validator(mode="after")
    def in_order(self) -> Self:
        """What is accepted cannot be rejected too."""
        if self.accept < self.reject:
            raise ValueError(f"accept ({self.accept}) is below reject ({self.reject}): raise accept or lower reject")
        return self


class RoleTable(Table):
    """One entry of `[roles]`."""

    panel: list[Text] = Field(min_length=1, description='the models\' names, panel = ["NAME"]')
    runs: Runs | None = None
    batch: bool = False


def person(name: str) -> str:
    """A reviewer's name, as answers bear it."""
    name = normalize("NFC", name)
    if name and not is_name(name):
        raise ValueError(f"should be a name of at most {PERSON_MOST} visible characters, none of / #")
    return name


class ReviewTable(Table):
    """`[review]`: how people review."""

    opinions: Annotated[int, Field(ge=1, le=9)] = 1
    blind: bool = True
    audit: Share = Fraction(0)
    adjudicator: Annotated[str, AfterValidator(person)] = ""
    reviewers: list[Annotated[str, AfterValidator(person)]] = []


def language(code: str) -> str:
    """The code of a language, in small letters."""
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise ValueError(f'should be a code of two or three letters such as "en", not {short_value(code)}')
    return code


class DocumentsTable(Table):
    """`[documents]`: how documents are read, and which are left out."""

    tables: bool = False
    figures: bool = False
    languages: list[Annotated[str, AfterValidator(language)]] = Field(default_factory=list)
    near_duplicates: Share | None = None

    @model_validator(mode="after")
    def above_nothing(self) -> Self:
        """Any two documents are similar by at least 0."""
        if self.near_duplicates == 0:
            raise ValueError("near_duplicates = 0 would leave one document: raise it, or leave it out to keep all")
        return self


class BudgetTable(Table):
    """`[budget]`: what the campaign may cost over all of its runs."""

    usd: Annotated[float, Field(gt=0, le=10**9)] | None = None
    tokens: Count | None = None


class ModelTable(Table):
    """`[models.NAME]`; what is not given takes the default of `domain.campaign.Model`."""

    local: Text | None = None
    base_url: Annotated[Text, AfterValidator(endpoint)] | None = None
    model: Text | None = None
    litellm: Text | None = None
    api_key_env: Annotated[str, AfterValidator(variable)] | None = None
    temperature: Annotated[Annotated[float, Field(ge=0, le=10)] | None, BeforeValidator(provider_default)] = None
    top_p: float | None = Field(None, gt=0, le=1)
    max_tokens: Count = DEFAULTS["max_tokens"]
    context: Count = DEFAULTS["context"]
    reply: Literal["json_schema", "json_object", "tool", "text"] = DEFAULTS["reply"]
    timeout: float = Field(DEFAULTS["timeout"], gt=0, le=86_400)
    width: Width = DEFAULTS["width"]
    adaptive: bool = DEFAULTS["adaptive"]
    rpm: Count | None = None
    tpm: Count | None = None
    price_in: Price | None = None
    price_out: Price | None = None
    price_cached: Price | None = None
    family: Text | None = None
    substitute: Text | None = None
    images: bool | None = None
    embeds: bool = DEFAULTS["embeds"]
    extra: Annotated[dict[str, Any], AfterValidator(parameters)] | None = None
    omit: list[Text] | None = None
    rename: dict[str, Text] | None = None
    headers: Annotated[dict[str, Text], AfterValidator(own_headers)] | None = None
    stream: bool = DEFAULTS["stream"]

    @model_validator(mode="after")
    def one_provider(self) -> Self:
        """Exactly one provider, and `model` with `base_url` only."""
        given = [key for key in PROVIDERS if getattr(self, key)]
        if len(given) != 1:
            trouble = f"has several providers ({', '.join(given)})" if given else "has no provider"
            raise ValueError(f"{trouble}: give it one of {CHOICES}")
        if bool(self.base_url) != bool(self.model):
            raise ValueError("base_url and model belong together: where the endpoint is, and what it calls the model")
        return self

    @model_validator(mode="after")
    def senses(self) -> Self:
        """The embedded models read text alone."""
        if self.local and (self.extra or self.omit or self.rename or self.headers or self.stream):
            raise ValueError("extra, omit, rename, headers and stream are for endpoints: leave them out for local")
        if self.litellm and (self.rename or self.stream):
            raise ValueError("rename and stream are for base_url: litellm knows the names, and streams by itself")
        if self.local and self.images:
            raise ValueError("images = true: the embedded model takes no images; use base_url or litellm")
        return self

    @model_validator(mode="after")
    def sums(self) -> Self:
        """The reply fits into the context; a price is known or not."""
        if self.max_tokens >= self.context:
            raise ValueError(f"max_tokens ({self.max_tokens}) leaves no room for a prompt in context ({self.context})")
        if (self.price_in is None) != (self.price_out is None):
            raise ValueError("price_in and price_out belong together: give both or neither")
        if self.price_cached is not None and self.price_in is None:
            raise ValueError("price_cached needs price_in and price_out: give all three, or leave it out")
        return self
