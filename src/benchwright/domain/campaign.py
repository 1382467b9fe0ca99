"""A campaign: one frozen plan of production. Its parts are values; `config/` builds them from a TOML file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from benchwright.domain.ids import content_id
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue `[models.NAME]`.

    Exactly one of three providers: `local` (the embedded model), `base_url` with `model` (an OpenAI-compatible
    endpoint) or `litellm` (a name that litellm routes). Prices are US dollars per million tokens, None is unknown.
    """

    name: str
    provider: str  # local | direct | litellm
    target: str  # what the provider calls the model
    base_url: str = ""
    api_key_env: str = ""  # the name of the environment variable, never the key
    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int = 1024
    context: int = 8192  # tokens of prompt and reply together
    reply: str = "json_schema"  # json_schema | json_object | tool | text: what the endpoint can enforce
    timeout: float = 120.0  # seconds for one call
    width: int = 4  # calls in flight at most
    adaptive: bool = True  # whether fewer are in flight while the endpoint asks for fewer
    rpm: int | None = None  # requests a minute
    tpm: int | None = None  # tokens a minute
    price_in: float | None = None
    price_out: float | None = None
    price_cached: float | None = None  # for prompt tokens from the provider's cache; None is price_in
    family: str = ""  # models of one family err alike
    substitute: str = ""  # who votes in its place while it is down
    images: bool | None = None  # whether it takes images; None is yes, but for the embedded model
    embeds: bool = False  # whether it embeds texts, in place of answering
    extra: Mapping[str, Any] = field(default_factory=dict)  # parameters that go out beside the usual ones
    omit: tuple[str, ...] = ()  # parameters that do not go out
    rename: Mapping[str, str] = field(default_factory=dict)  # what the endpoint calls a parameter
    headers: Mapping[str, str] = field(
        default_factory=dict
    )  # beside the usual ones; "$NAME" is an environment variable
    stream: bool = False  # whether the reply is asked for piece by piece

    @property
    def sees(self) -> bool:
        """Whether requests to it may show images."""
        return self.provider != "local" if self.images is None else self.images

    def recipe(self) -> dict[str, Any]:
        """What shapes the model's answers; limits, keys and prices do not."""
        kept = ("provider", "target", "base_url", "temperature", "top_p", "max_tokens", "context", "reply")
        stand_in = {"substitute": self.substitute} if self.substitute else {}
        return {key: getattr(self, key) for key in kept} | stand_in | self.manner

    @property
    def manner(self) -> dict[str, Any]:
        """What the campaign says of how the endpoint is spoken to, as JSON values; what it leaves open is not there."""
        said = {"extra": dict(self.extra), "omit": list(self.omit), "rename": dict(self.rename)}
        return {key: part for key, part in (said | {"headers": dict(self.headers)}).items() if part}


@dataclass(frozen=True, slots=True)
class Panel:
    """The models that serve a role, each asked `runs` times. Only checkers have more than one."""

    models: tuple[str, ...]
    runs: int = 1
    batch: bool = False  # asked through the provider's batch API: cheaper, and within a day


@dataclass(frozen=True, slots=True)
class Quota:
    """How many items: so many per document, or `target` kept ones in all; `tries` bounds the refills of each.

    `wait_for_people` says whether the items that wait for people hold the next phase back.
    """

    per_document: int = 1
    target: int | None = None
    tries: int = 1
    wait_for_people: bool = True

    def recipe(self) -> dict[str, Any]:
        """The quota as JSON values; that people are waited for is not mentioned, as before there were phases."""
        recipe = asdict(self)
        if self.wait_for_people:
            del recipe["wait_for_people"]
        return recipe


@dataclass(frozen=True, slots=True)
class Budget:
    """What the campaign may cost over all of its runs; None is no cap. `tokens` are of prompts and replies."""

    usd: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Documents:
    """How documents are read, and which are left out.

    `tables` and `figures` (labels and captions) are those of PDF, HTML and DOCX. `languages` are codes such as "en";
    none is all. Of two documents whose similarity is at least `near_duplicates` one is left out; None keeps both.
    """

    tables: bool = False
    figures: bool = False
    languages: tuple[str, ...] = ()
    near_duplicates: Fraction | None = None

    def recipe(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON values; nothing in campaigns of before there were any of these."""
        near = {} if self.near_duplicates is None else {"near_duplicates": str(self.near_duplicates)}
        kept = {key: True for key in ("tables", "figures") if getattr(self, key)}
        return kept | ({"languages": list(self.languages)} if self.languages else {}) | near


@dataclass(frozen=True, slots=True)
class Campaign:
    """The frozen plan: what is made of which documents by whom under which rule.

    `settings` are the pipeline's own; `long_documents` is `view` or `refuse`; `language` is `document` or a name.
    """

    name: str
    pipeline: str
    corpus: tuple[str, ...]
    models: Mapping[str, Model]
    roles: Mapping[str, Panel]
    rule: Rule
    quota: Quota = field(default_factory=Quota)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 42
    language: str = "document"
    long_documents: str = "view"
    budget: Budget = field(default_factory=Budget)  # how much, not what: no part of the recipe
    review: Policy = field(default_factory=Policy)
    documents: Documents = field(default_factory=Documents)

    def recipe(self) -> dict[str, Any]:
        """Everything that decides what the campaign makes, as plain JSON values."""
        return {
            "pipeline": self.pipeline,
            "corpus": list(self.corpus),
            "models": {name: self.models[name].recipe() for name in self.serving_models},
            "roles": {role: {"models": list(p.models), "runs": p.runs} for role, p in sorted(self.roles.items())},
            "rule": self.rule.recipe(),
            "quota": self.quota.recipe(),
            "settings": dict(self.settings),
            "seed": self.seed,
            "language": self.language,
            "long_documents": self.long_documents,
            "review": self.review.recipe(),
        } | ({"documents": documents} if (documents := self.documents.recipe()) else {})

    @property
    def id(self) -> str:
        """The hash of the recipe."""
        return content_id("campaign", self.recipe())

    @property
    def serving_models(self) -> tuple[str, ...]:
        """The models that serve some role, and their substitutes, by name."""
        serving = {name for panel in self.roles.values() for name in panel.models}
        return tuple(sorted(serving | {self.models[name].substitute for name in serving} - {""}))

    @property
    def batch_models(self) -> frozenset[str]:
        """Those of them that serve some role by batches."""
        return frozenset(name for panel in self.roles.values() if panel.batch for name in panel.models)
