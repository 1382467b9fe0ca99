"""The lines that `benchwright init` writes for each pipeline of questions with options."""

from benchwright.pipelines.template import Starter, read_parts

PACKAGE = __name__.rpartition(".")[0]


def starter(pipeline: str) -> Starter:
    """The pipeline's own lines."""
    return Starter(**read_parts(PACKAGE, pipeline, read_parts(PACKAGE, "refined", {"pipeline": pipeline})))
