"""The weights that a campaign names for its measures; and the scores that they gave, which are kept.

Weights are loaded when the first score is missing. A score depends on two texts and on weights, so it never changes: it
is kept in a file beside the campaign, which may be deleted.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchwright.domain.campaign import Model
from benchwright.domain.ids import canonical, content_id
from benchwright.errors import ConfigError
from benchwright.llm.providers import minilm_runtime
from benchwright.pipelines.crisis.metrics.bertscore import BERTSCORE, MatchScorer, Tokens
from benchwright.pipelines.crisis.metrics.bleurt import BLEURT, Checkpoint
from benchwright.pipelines.crisis.metrics.texts import Scorer


class MiniLmEncoder:
    """The embedded embedder as an encoder of tokens."""

    id = f"all-MiniLM-L6-v2, 8 bits, last layer|sha256:{minilm_runtime.SHA256}"

    def __init__(self, model: Model) -> None:
        """Loads the model; raises `ConfigError` where it is not installed."""
        self.runtime = minilm_runtime.Runtime(model)

    def encode(self, text: str) -> Tokens:
        """The states of the last layer; marks that the model adds by itself have no weight."""
        states, marks = self.runtime.token_states(text)
        return Tokens(states, tuple(float(not mark) for mark in marks))


@dataclass
class KeptScores:
    """A scorer that is loaded when a score is missing, and the scores that are known, in a file at `path`."""

    id: str
    load: Callable[[], Scorer]
    path: Path | None = None
    known: dict[str, float] = field(init=False)
    new: dict[str, float] = field(default_factory=dict)
    loaded: Scorer | None = None

    def __post_init__(self) -> None:
        self.known = dict(read_scores(self.path)) if self.path else {}

    def score(self, gold: str, text: str) -> float:
        """See `Scorer`."""
        pair = content_id("pair", [gold, text])
        if pair not in self.known:
            self.loaded = self.loaded or self.load()
            self.known[pair] = self.new[pair] = self.loaded.score(gold, text)
        return self.known[pair]

    def keep(self) -> None:
        """Add what is new to the file. Where it cannot be written, a later report only takes longer."""
        if self.path and self.new:
            lines = (f"{canonical({'pair': pair, 'score': score})}\n" for pair, score in self.new.items())
            with suppress(OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("a", encoding="utf-8") as file:
                    file.write("".join(lines))
        self.new.clear()


def read_scores(path: Path) -> Iterator[tuple[str, float]]:
    """The scores of a file; a line that was cut off by a crash is none."""
    with suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            with suppress(ValueError, TypeError, KeyError):
                found = json.loads(line)
                yield str(found["pair"]), float(found["score"])


@dataclass(frozen=True, slots=True)
class Weights:
    """What scores by weights; without it a measure is not taken, for the reason that stands under its name."""

    bertscore: Scorer | None = None
    bleurt: Scorer | None = None
    reasons: dict[str, str] = field(default_factory=dict)

    def keep(self) -> None:
        """Keep the scores that are new."""
        for one in (self.bertscore, self.bleurt):
            if isinstance(one, KeptScores):
                one.keep()


Opened = tuple[str, Callable[[], Scorer]]  # what scores depend on, and what loads the scorer


def open_weights(bertscore: str, bleurt: str, kept: Path | None) -> Weights:
    """The weights that settings name: a model for BERTScore, a folder beside the campaign file for BLEURT.

    `kept` is the folder for scores, which lies beside the campaign file too. What is missing is a reason, no error.
    """
    beside = kept.parent if kept else Path()
    openers: dict[str, Callable[[], Opened]] = {}
    if bertscore:
        openers[BERTSCORE] = partial(open_minilm, bertscore)
    if bleurt:
        openers[BLEURT] = partial(open_checkpoint, beside / bleurt)
    found, reasons = dict[str, Scorer](), dict[str, str]()
    for name, open_it in openers.items():
        try:
            weights, load = open_it()
        except ConfigError as error:
            reasons[name] = str(error)
        else:
            file = f"{name.lower()}-{content_id('scores', weights)}.jsonl"
            found[name] = KeptScores(weights, load, kept / file if kept else None)
    return Weights(found.get(BERTSCORE), found.get(BLEURT), reasons)


def open_minilm(name: str) -> Opened:
    """The embedded embedder; raises `ConfigError` where it is not installed."""
    model = Model(BERTSCORE, "local", name)
    minilm_runtime.weights(model)
    return MiniLmEncoder.id, lambda: MatchScorer(MiniLmEncoder(model))


def open_checkpoint(folder: Path) -> Opened:
    """A checkpoint of BLEURT; raises `ConfigError` where there is none, or no package that reads it."""
    found = Checkpoint(folder)
    return found.id, found.load
