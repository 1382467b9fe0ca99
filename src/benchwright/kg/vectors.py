"""Names near in meaning: any embedder behind one protocol, and SapBERT as one of them (extra `gliner`)."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from benchwright.domain.extra import library
from benchwright.domain.knowledge import Named
from benchwright.errors import ConfigError
from benchwright.kg.extra import opening
from benchwright.kg.graph import Graph

COSINE, TOP = 0.9, 5  # the paper's
BATCH = 64
TOKENS = 100  # of a name; the rest is cut


class Embedder(Protocol):
    """Anything that turns texts into vectors of one length."""

    @property
    def about(self) -> str:
        """What it is, for the run's record."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text."""
        ...


class Close(NamedTuple):
    """A known name and the cosine of the angle to the one asked about."""

    named: Named
    cosine: float


class Nearest:
    """Known names by their vectors, made once."""

    def __init__(self, embedder: Embedder, known: Sequence[Named]) -> None:
        self._numpy: Any = library("numpy", "linking by vectors", "gliner")
        self._embedder, self._known = embedder, known
        self.about = f"{embedder.about}, {len(known):,} names"
        self._matrix = self._vectors([named.name for named in known]) if known else None

    def _vectors(self, texts: Sequence[str]) -> Any:
        found: list[Sequence[float]] = []
        for first in range(0, len(texts), BATCH):
            found.extend(self._embedder.embed(texts[first : first + BATCH]))
        matrix = self._numpy.asarray(found, dtype="float32").reshape(len(texts), -1)
        lengths = self._numpy.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix / self._numpy.where(lengths > 0, lengths, 1)

    def close(self, texts: Sequence[str], cosine: float = COSINE, top: int = TOP) -> list[list[Close]]:
        """For each text the names at least so near, the nearest first, one an entity and `top` at most."""
        if not texts or self._matrix is None:
            return [[] for _ in texts]
        return [self._best(row, cosine, top) for row in self._vectors(texts) @ self._matrix.T]

    def _best(self, row: Any, cosine: float, top: int) -> list[Close]:
        found: dict[str, Close] = {}
        near = self._numpy.flatnonzero(row >= cosine)
        for place in near[self._numpy.argsort(-row[near], kind="stable")]:
            named = self._known[place]
            found.setdefault(named.entity.id, Close(named, float(row[place])))
        return list(found.values())[:top]


def ready(model: str) -> str:
    """What will be done with an embedding model; raises `ConfigError` for what it lacks, and loads nothing."""
    if lacking := [name for name in ("numpy", "torch", "transformers") if find_spec(name) is None]:
        message = f"the embedding model {model!r} needs the extra 'gliner': pip install 'benchwright[gliner]'"
        raise ConfigError(f"{message} ({', '.join(lacking)} is missing)")
    return f"{model} is loaded when the run begins, and embeds every name of the graphs"


class SapBert:
    """SapBERT, or any BERT whose first token stands for the text; a local folder or a name on the hub, on the CPU."""

    def __init__(self, model: str) -> None:
        self._torch: Any = library("torch", f"the embedding model {model!r}", "gliner")
        transformers: Any = library("transformers", f"the embedding model {model!r}", "gliner")
        with opening(model, "the embedding model"):
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(model)
            self._model = transformers.AutoModel.from_pretrained(model).eval()
        self.about = f"SapBERT {model}"

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """See `Embedder`."""
        asked = self._tokenizer(list(texts), padding=True, truncation=True, max_length=TOKENS, return_tensors="pt")
        with self._torch.inference_mode():
            found: list[list[float]] = self._model(**asked).last_hidden_state[:, 0].tolist()
        return found


def by_meaning(model: str, graphs: Sequence[Graph], kinds: Sequence[str]) -> dict[str, Nearest]:
    """The names of these kinds by their vectors, for each graph under its label."""
    embedder = SapBert(model)
    return {graph.label: Nearest(embedder, list(graph.names(kinds))) for graph in graphs}
