"""The forms in which graphs are published, by name, and a stamp that tells when a loaded one is out of date."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchwright.domain.ids import content_id
from benchwright.domain.knowledge import Record
from benchwright.errors import UsageError
from benchwright.kg import ekg, hetionet, ibkh, outbreaks, triples, vocabulary


def read_hetionet(folder: Path) -> Iterator[Record]:
    """The folder's one table of nodes and its one of edges."""
    tables = [sorted(file for file in folder.glob(f"*{part}*") if edges_or_nodes(file)) for part in ("nodes", "edges")]
    if any(len(found) != 1 for found in tables):
        raise UsageError(f"{folder}: needs one table of nodes (*nodes*.tsv) and one of edges (*edges*.sif.gz or .tsv)")
    return hetionet.read(tables[0][0], tables[1][0])


def edges_or_nodes(file: Path) -> bool:
    """Whether it is a table of Hetionet's data and not of its schema ("metaedges.tsv")."""
    return "meta" not in file.name and not {".tsv", ".sif"}.isdisjoint(file.suffixes)


FORMS: dict[str, Callable[[Path], Iterator[Record]]] = {
    "ekg": ekg.read,
    "hetionet": read_hetionet,
    "ibkh": ibkh.read,
    "outbreaks": outbreaks.read,
    "triples": triples.read,
}
FOLDERS = ("hetionet", "ibkh")  # the forms that are several files
VOCABULARIES = tuple(vocabulary.PACKAGES)


def read(form: str, path: Path) -> Iterator[Record]:
    """The records of a graph in one of the `FORMS`; a missing file or folder is told at once."""
    if form not in FORMS:
        raise UsageError(f"a graph cannot have the form {form!r}: choose one of {', '.join(FORMS)}")
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder for the graph ({form})")
    if path.is_dir() != (form in FOLDERS):
        wanted = "the folder of its files" if form in FOLDERS else "one file"
        raise UsageError(f"{path}: a graph of the form {form} is {wanted}: name that as its path")
    return FORMS[form](path)


def stamp(form: str, path: Path) -> str:
    """The same as long as no file below the path changes its name, size or time."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    states = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return content_id("graph", [form, str(path.resolve()), states])
