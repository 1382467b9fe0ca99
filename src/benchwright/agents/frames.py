"""What stands around the question of an agent: a system text, and the sources that it is asked about."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

from benchwright.domain.call import Image, Part
from benchwright.domain.document import Reading, View
from benchwright.domain.image import images_in
from benchwright.domain.source import value_text

# What an item is about, as models see it: sentences read out (of a document or a passage), the fields of a record or of
# another item, an image, several of these, or nothing.
Source = Reading | Mapping[str, Any] | Image | tuple["Source", ...] | None
TAGS = ("document", "passage", "record")
NO_READING = Reading(View("", ()), "", (), "")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of agents. `NAME.md` in `package` is the system text; `lay` gives the parts before the rules.

    `tags` are the names of the tags that enclose text from sources: no such text can open or close one. `images` says
    that sources may hold images, which not every model takes.
    """

    name: str
    lay: Callable[[Source], tuple[Part, ...]]
    tags: tuple[str, ...] = TAGS
    images: bool = False
    package: str = __package__

    @property
    def system(self) -> str:
        """The system text of every request."""
        return system_text(self.package, self.name)

    def parts(self, source: Source) -> tuple[Part, ...]:
        """What comes first in a request, the same for all agents of this frame."""
        return self.lay(source)


@cache
def system_text(package: str, name: str) -> str:
    """The text of a frame's Markdown file."""
    return files(package).joinpath(f"{name}.md").read_text("utf-8").strip()


@cache
def pattern(tags: tuple[str, ...]) -> re.Pattern[str]:
    """The beginning of any tag of these names, opening or closing."""
    return re.compile(rf"<(?=[\s/]*(?:{'|'.join(map(re.escape, tags))})\b)", re.IGNORECASE)


def escape_tags(text: str, tags: tuple[str, ...]) -> str:
    """The text of a source or a model, in which nothing opens or closes the tags that tell it from instructions."""
    return pattern(tags).sub("\u2039", text)


def lay_out(source: Source, tag: str, tags: tuple[str, ...]) -> tuple[Part, ...]:
    """One part for each source: a reading in the tag of this name, the fields of a record, an image as it is."""
    match source:
        case None:
            return ()
        case Image():
            return (source,)
        case Reading():
            return (f"<{tag}>\n{escape_tags(source.text, tags)}\n</{tag}>",)
        case tuple():
            return tuple(part for one in source for part in lay_out(one, tag, tags))
    return (f"<record>\n{escape_tags(fields_text(source), (*tags, 'record'))}\n</record>",)


def lay_out_images(source: Source) -> tuple[Part, ...]:
    """The same, and before the fields of a record the images that they name."""
    if isinstance(source, tuple):
        return tuple(part for one in source for part in lay_out_images(one))
    images = () if isinstance(source, Image) else images_in(source)
    return (*images, *lay_out(source, "passage", TAGS))


def fields_text(record: Mapping[str, Any]) -> str:
    """The fields of a record, one a line; further lines of a value are indented, so that none looks like a field."""
    lines = [f"{' '.join(str(name).split())}: {value_text(value)}" for name, value in record.items()]
    return "\n".join("\n  ".join(line.splitlines()) for line in lines)


def first_reading(source: Source) -> Reading:
    """The reading whose sentences are quoted and cited: of several sources the first; one without sentences if none."""
    if isinstance(source, Reading):
        return source
    inner = map(first_reading, source) if isinstance(source, tuple) else ()
    return next((reading for reading in inner if reading is not NO_READING), NO_READING)


# The document's frame is older than the other tags; it escapes its own alone, so that recorded calls stay the same.
DOCUMENT = Frame("document", partial(lay_out, tag="document", tags=("document",)), ("document",))
PASSAGE = Frame("passage", partial(lay_out, tag="passage", tags=TAGS))
RECORD = Frame("record", partial(lay_out, tag="document", tags=TAGS))
SEVERAL = Frame("several", partial(lay_out, tag="passage", tags=TAGS))
IMAGES = Frame("images", lay_out_images, images=True)
NOTHING = Frame("nothing", lambda _: ())
