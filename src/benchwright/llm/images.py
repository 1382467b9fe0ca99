"""Images on their way out: requests know them by hash, providers get the bytes just before a call leaves."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Request
from benchwright.domain.campaign import Model
from benchwright.errors import ConfigError
from benchwright.llm.batch.api import Outcome, Progress, Service


class Album(Protocol):
    """Where images are kept."""

    async def image(self, name: str) -> bytes:
        """The bytes of an image by its hash; raises `NotFound`."""
        ...


def demand_sight(request: Request) -> None:
    """Raise `ConfigError` where a request shows images to a model that takes none: before anything is paid."""
    if not request.model.sees and any(message.images for message in request.messages):
        raise ConfigError(f"model {request.model.name!r} takes no images, and {request.step!r} shows it some: {BLIND}")


BLIND = "let a model with images serve that role (images = true in its [models] entry says that it takes them)"


async def attach_images(request: Request, album: Album) -> Request:
    """The request with the bytes of its images."""
    names = {image.hash for message in request.messages for image in message.images}
    if not names:
        return request
    return replace(request, images={name: await album.image(name) for name in sorted(names)})


class ImageService:
    """A batch API whose requests get their images when they are handed in, not while they gather."""

    def __init__(self, inner: Service, album: Album) -> None:
        self.inner = inner
        self.album = album

    async def ready(self) -> None:
        """Raises what would stop every batch."""
        await self.inner.ready()

    async def submit(self, name: str, rows: Mapping[str, Request]) -> Progress:
        """Hand in a batch."""
        return await self.inner.submit(name, {call: await attach_images(row, self.album) for call, row in rows.items()})

    async def find(self, batch: OpenBatch) -> Progress | None:
        """A batch that may have been handed in."""
        return await self.inner.find(batch)

    async def look(self, batch: OpenBatch) -> Progress:
        """How far a batch has got."""
        return await self.inner.look(batch)

    async def results(self, progress: Progress, rows: Mapping[str, Model]) -> Mapping[str, Outcome]:
        """What became of the calls of a batch."""
        return await self.inner.results(progress, rows)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.inner.aclose()
