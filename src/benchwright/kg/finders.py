"""Finders by the name that a campaign gives them, and what each needs before a run begins."""

import importlib.util
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchwright.domain.extra import library
from benchwright.domain.knowledge import Named, names_of
from benchwright.errors import ConfigError
from benchwright.kg import vocabulary
from benchwright.kg.dictionary import Dictionary
from benchwright.kg.gliner import FIXED, FastGliner, TorchGliner, gliner
from benchwright.kg.mentions import Finder

DICTIONARY = "dictionary"


class Way(NamedTuple):
    """A way to GLiNER: how a model is opened, and the packages any of which it needs."""

    opened: Callable[[str], Finder]
    packages: tuple[str, ...]
    extra: str


WAYS = {
    "gliner": Way(gliner, ("fast_gliner", "gliner"), "ner"),
    "fast-gliner": Way(FastGliner, ("fast_gliner",), "ner"),
    "torch-gliner": Way(TorchGliner, ("gliner",), "gliner"),
}


def finder(name: str, folder: Path, known: Iterable[Named]) -> Finder:
    """The finder of this name; a model's folder may be relative to `folder`, `known` are a dictionary's names."""
    way, _, model = name.partition(":")
    return WAYS[way].opened(local(model, folder)) if model else Dictionary(known)


def local(model: str, folder: Path) -> str:
    """The path of a model that is a folder; else its name, by which the hub knows it."""
    return str(folder / model) if (folder / model).is_dir() else model


def of_vocabularies(kinds: Iterable[str]) -> Iterator[Named]:
    """Every name that the vocabularies of these kinds have."""
    for kind in kinds:
        for entity in vocabulary.read(kind):
            yield from (named for _, named in names_of(entity))


def ready(name: str, threshold: float, folder: Path, vocabularies: Iterable[str]) -> str:
    """What the finder is, in words; raises `ConfigError` for what it lacks. Loads no model and asks no network."""
    way, _, model = name.partition(":")
    if not model:
        library("ahocorasick", "the dictionary of names", "kg")
        for kind in vocabularies:
            vocabulary.data_file(kind)
        return "a dictionary of the graphs' names finds what is mentioned: no GLiNER model is named"
    found = [package for package in WAYS[way].packages if importlib.util.find_spec(package)]
    if not found:
        message = f"the finder {name} needs the extra {WAYS[way].extra!r}: pip install 'benchwright[{WAYS[way].extra}]'"
        raise ConfigError(message)
    if found[0] == "fast_gliner" and threshold < FIXED:
        raise ConfigError(f"fast-gliner drops all below {FIXED}: raise threshold, or name torch-gliner:{model}")
    if model.startswith(("/", ".", "~")) and not (folder / model).is_dir():
        raise ConfigError(f"there is no folder {folder / model} for the finder {name}")
    where = "in its folder" if (folder / model).is_dir() else "from the hub, which is not asked before the run"
    return f"GLiNER {model} by {found[0]}, {where}"
