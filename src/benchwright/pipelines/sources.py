"""Where a pipeline's code looks things up: the tables `knowledge` (graphs) and `search` in its own table.

Both are part of the recipe. Paths are relative to the campaign file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from benchwright.domain.ids import content_id
from benchwright.kg.finders import DICTIONARY, WAYS
from benchwright.kg.gather import LABELS, THRESHOLD
from benchwright.kg.gliner import FIXED
from benchwright.kg.select import EACH, MOST

WORDS = "definition characteristics epidemiology"  # what EpiQAL asks about an entity (its released code)
SMALL = 2**20  # bytes of a file that is read to tell whether it has changed

Text = Annotated[str, Field(min_length=1, max_length=1000)]


def sound_finder(name: str) -> str:
    """`dictionary`, or a library and its model; raises `ValueError` for anything else."""
    way, _, model = name.partition(":")
    if name != DICTIONARY and (way not in WAYS or not model.strip()):
        message = (
            f'should be "{DICTIONARY}", or a GLiNER model by its folder or its name on the hub, "WAY:NAME" with one of '
            f"{', '.join(WAYS)}: the first takes whichever library is installed"
        )
        raise ValueError(message)
    return name


def split_web_address(url: str) -> SplitResult | None:
    """The parts of an http address at which something could be reached; None where it is none."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1)
    except ValueError:
        return None
    return parts if sound and url.isprintable() and " " not in url else None


def address(url: str) -> str:
    """The http address of a SearXNG, without credentials, since it goes into the recipe; "" for none."""
    if url and (not split_web_address(url) or set("@?#") & set(url)):
        raise ValueError("should be an address such as http://localhost:8888, without user, ? and #")
    return url.rstrip("/")


class Table(BaseModel):
    """No unknown keys; what was read stays as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GraphSource(Table):
    """One graph: in which form, where, and what the run calls it."""

    form: Literal["ekg", "hetionet", "ibkh", "outbreaks", "triples"]
    path: Text
    label: Annotated[str, Field(max_length=60, pattern=r"^(\w[\w .-]*)?$")] = ""

    @property
    def display_name(self) -> str:
        """Its label; where none is given, its form, which most graphs are known by."""
        return self.label or self.form


class KnowledgeSettings(Table):
    """The table `[PIPELINE.knowledge]`: graphs, how a document's entities are found in them, how many facts are given.

    `vocabularies` are those whose names a dictionary knows besides the graphs'; `vectors` names a SapBERT for names
    that no graph has as they are written.
    """

    graphs: tuple[GraphSource, ...] = ()
    finder: Annotated[str, AfterValidator(sound_finder)] = DICTIONARY
    labels: Annotated[tuple[Text, ...], Field(min_length=1)] = LABELS
    threshold: float = Field(default=THRESHOLD, ge=0, le=1)
    vocabularies: tuple[Literal["disease", "drug"], ...] = ("disease", "drug")
    vectors: str = ""
    most: int = Field(default=MOST, ge=1, le=200)  # facts given to a writer
    each: int = Field(default=EACH, ge=1, le=50)  # of them, those about one entity by one relation

    @model_validator(mode="after")
    def check_labels(self) -> Self:
        """Graphs are told apart by their labels, and the library named can honour the threshold."""
        twice = [
            name for name, count in Counter(graph.display_name.casefold() for graph in self.graphs).items() if count > 1
        ]
        if twice:
            raise ValueError(f'several graphs are called {twice[0]!r}: give each a label of its own, label = "..."')
        if self.finder.startswith("fast-gliner:") and self.threshold < FIXED:
            raise ValueError(f"fast-gliner drops all below {FIXED}: raise threshold, or use torch-gliner")
        return self

    @property
    def dictionaries(self) -> tuple[str, ...]:
        """The vocabularies that hold what is looked for, where a dictionary looks."""
        return tuple(kind for kind in self.vocabularies if kind in self.labels and self.finder == DICTIONARY)


class SearchSettings(Table):
    """The table `[PIPELINE.search]`: who is asked about an entity, the most trusted first.

    `glossary` stands for the file of that name and then the campaign's graphs: neither leaves the house. The others
    are asked over the network, about the entity with `words` behind it, and only where they are named in `use`.
    """

    use: Annotated[tuple[Literal["glossary", "duckduckgo", "searxng"], ...], Field(min_length=1)] = ("glossary",)
    glossary: str = ""
    searxng: Annotated[str, AfterValidator(address)] = ""
    region: Annotated[str, Field(pattern=r"^[a-z]{2}-[a-z]{2}$")] = "us-en"
    timeout: int = Field(default=10, ge=1, le=120)  # seconds for an answer over the network
    words: Annotated[str, Field(max_length=100)] = WORDS

    @model_validator(mode="after")
    def complete(self) -> Self:
        """What is asked is known, and what is given is asked."""
        if len(set(self.use)) < len(self.use):
            raise ValueError("use names a search twice: each is asked once")
        if "searxng" in self.use and not self.searxng:
            raise ValueError('use names searxng, but not where it is: give searxng = "http://localhost:8888"')
        for name, given in (("searxng", self.searxng), ("glossary", self.glossary)):
            if given and name not in self.use:
                raise ValueError(f'{name} is given, but not asked: add "{name}" to use')
        return self


def source_hashes(
    knowledge: KnowledgeSettings | None, search: SearchSettings | None, folder: Path
) -> Mapping[str, str]:
    """What stands for the files that these settings name, for `Pipeline.sources`."""
    named = {f"graph {graph.display_name}": folder / graph.path for graph in (knowledge.graphs if knowledge else ())}
    if search and search.glossary:
        named["glossary"] = folder / search.glossary
    return {name: content_id("files", list(looks(path))) for name, path in named.items()}


def looks(path: Path) -> Iterator[Sequence[Any]]:
    """What tells the files at a path apart from others: name, size in bytes, and what a small one holds.

    Whole graphs have gigabytes; another release of one has other sizes. Nothing for what is not there.
    """
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in filter(Path.is_file, files):
        size = file.stat().st_size
        told = sha256(file.read_bytes()).hexdigest() if size <= SMALL else ""
        yield [file.relative_to(path).as_posix(), size, told]
