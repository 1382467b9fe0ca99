"""BLEURT: a model's own estimate of how well a text says what a gold text says (Sellam et al. 2020).

The model is brought in with its weights. Its scores have no fixed range, and those of two checkpoints cannot be
compared, so the checkpoint is part of the signature. Without a model the measure is not taken, and says so.
"""

import hashlib
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchwright.domain.ids import content_id
from benchwright.errors import ConfigError
from benchwright.pipelines.crisis.metrics.texts import Case, Score, Scorer, mean_of_best

BLEURT = "BLEURT"
NO_WEIGHTS = "no checkpoint was named: bleurt in [crisis] names its folder, and the package bleurt reads it"
PACKAGE, HOME = "bleurt", "github.com/google-research/bleurt"
CONFIG = "bleurt_config.json"  # in every checkpoint of its makers


def bleurt(cases: Sequence[Case], scorer: Scorer | None, reason: str = "") -> Score:
    """The mean over cases, of several gold texts the greatest."""
    return mean_of_best(BLEURT, cases, scorer, reason or NO_WEIGHTS, "mean|{}".format)


class Checkpoint:
    """A checkpoint in a folder, read by the package of BLEURT's makers."""

    def __init__(self, folder: Path) -> None:
        """Raises `ConfigError` where the folder is no checkpoint, or nothing is installed that reads it."""
        if find_spec(PACKAGE) is None:
            raise ConfigError(f"{PACKAGE} is not installed: install it as its makers say, {HOME}")
        if not (folder / CONFIG).is_file():
            raise ConfigError(f"{folder} is no checkpoint of BLEURT, it has no file {CONFIG}: name the unpacked folder")
        self.folder = folder
        self.id = f"{folder.name}|{content_id('checkpoint', sorted(file_hashes(folder)))}"

    def load(self) -> Scorer:
        """The model itself."""
        return Loaded(self.id, import_module(f"{PACKAGE}.score").BleurtScorer(str(self.folder)))


class Loaded:
    """A model in memory."""

    def __init__(self, name: str, model: Any) -> None:
        self.id = name
        self.model = model

    def score(self, gold: str, text: str) -> float:
        """The score of one text."""
        (found,) = self.model.score(references=[gold], candidates=[text])
        return float(found)


def file_hashes(folder: Path) -> Iterator[tuple[str, str]]:
    """The files of a folder by their paths, each with the hash of its bytes."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                yield path.relative_to(folder).as_posix(), hashlib.file_digest(file, "sha256").hexdigest()
