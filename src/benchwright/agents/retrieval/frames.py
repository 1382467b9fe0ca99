"""What stands around the questions of this kind: what a query is written from, and texts that stand in the question."""

from collections.abc import Mapping

from benchwright.agents.frames import Frame, Source, escape_tags
from benchwright.domain.document import Reading

TAGS = ("passage", "query")


def lay_origin(source: Source) -> tuple[str, ...]:
    """A passage, or the summary of a document, which is all that is shown of its item."""
    if isinstance(source, Reading):
        text = "\n".join(filter(None, (source.title, " ".join(one.text for one in source.sentences))))
    else:
        text = str(source["summary"]) if isinstance(source, Mapping) else ""
    return (f"<passage>\n{escape_tags(text, TAGS)}\n</passage>",)


def lay_nothing(source: Source) -> tuple[str, ...]:
    """Nothing: the question quotes all that is to be seen, behind what many questions share."""
    return ()


ORIGIN = Frame("origin", lay_origin, TAGS, package=__package__)
QUOTED = Frame("quoted", lay_nothing, TAGS, package=__package__)
