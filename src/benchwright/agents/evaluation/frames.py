"""What stands around a question of a test: of a row of a set its context alone, or nothing.

A row of a set holds the key as well, so nothing else of it is ever laid out.
"""

from collections.abc import Mapping

from benchwright.agents.frames import Frame, Source, escape_tags
from benchwright.domain.call import Part

TAGS = ("document", "question")
CONTEXT = "context"  # the field of a row that test takers see


def show_context(source: Source) -> tuple[Part, ...]:
    """The context of a row between tags; nothing of an item that is about nothing, as in a closed book."""
    text = source.get(CONTEXT) if isinstance(source, Mapping) else None
    return (f"<document>\n{escape_tags(str(text), TAGS)}\n</document>",) if text else ()


TEST = Frame("test", show_context, TAGS, package=__name__.rpartition(".")[0])
