"""The lines that `benchwright init` writes for each pipeline of questions with options."""

from benchwright.pipelines.template import Draft, read_parts

PACKAGE = __name__.rpartition(".")[0]


def draft(pipeline: str) -> Draft:
    """The pipeline's own lines."""
    return Draft(**read_parts(PACKAGE, pipeline, read_parts(PACKAGE, "refined", {"pipeline": pipeline})))
