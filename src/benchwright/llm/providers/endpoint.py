"""What makes two entries of the catalogue one endpoint, and the limits that they then share."""

from collections.abc import Iterable
from dataclasses import replace

from benchwright.domain.campaign import Model
from benchwright.domain.ids import canonical

Endpoint = tuple[str, ...]


def endpoint(model: Model) -> Endpoint:
    """Where a model's calls go: entries that differ only in temperature and the like go to the same."""
    own = (canonical(dict(model.headers)),) if model.headers else ()
    return model.provider, model.base_url, model.target, model.api_key_env, *own


def endpoints(models: Iterable[Model]) -> dict[Endpoint, Model]:
    """Each endpoint with the tightest limits and the longest context among its entries."""
    found: dict[Endpoint, Model] = {}
    for model in models:
        key = endpoint(model)
        found[key] = merge_entries(found[key], model) if key in found else model
    return found


def merge_entries(one: Model, other: Model) -> Model:
    """One entry that serves both."""
    return replace(
        one,
        width=min(one.width, other.width),
        adaptive=one.adaptive or other.adaptive,
        rpm=tighter(one.rpm, other.rpm),
        tpm=tighter(one.tpm, other.tpm),
        context=max(one.context, other.context),
        timeout=max(one.timeout, other.timeout),
    )


def tighter(one: int | None, other: int | None) -> int | None:
    """The smaller limit; None is none."""
    return min((limit for limit in (one, other) if limit is not None), default=None)
