"""What stands around the questions of this kind: scenes are told in words, or shown as images beside them.

All text of scenes, models and people comes in fields of the question, between tags that no such text can close.
"""

from benchwright.agents.frames import Frame, Source
from benchwright.domain.call import Image
from benchwright.domain.image import images_in

TAGS = ("scene", "question", "answer", "example")
PACKAGE = __name__.rpartition(".")[0]


def show_images(source: Source) -> tuple[Image, ...]:
    """The images of what an item is about, each once."""
    return images_in(source)


WORDS = Frame("words", lambda _: (), TAGS, package=PACKAGE)
SIGHT = Frame("sight", show_images, TAGS, images=True, package=PACKAGE)
