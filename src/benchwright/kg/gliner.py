"""GLiNER behind `Finder`: `fast-gliner` (ONNX, no torch; extra `ner`) or the torch package (extra `gliner`).

Weights are a local folder, or a name on the hub, which the library then downloads. Both run on the processor. Both
libraries cut or refuse a text that is too long for the model, so texts are windows that measure at most `words`.
"""

import importlib.util
import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchwright.domain.extra import library
from benchwright.errors import ConfigError
from benchwright.kg.extra import opening
from benchwright.kg.mentions import Finder, Hit

WORDS = 384  # where the model's folder does not tell: what the published ones were trained with
TOKENS_A_WORD = 3  # at most, on average over a window, labels included
FIXED = 0.5  # the threshold that fast-gliner applies itself


def gliner(model: str) -> Finder:
    """The model by the leanest library that is installed; raises `ConfigError` where there is none."""
    if importlib.util.find_spec("fast_gliner"):
        return FastGliner(model)
    if importlib.util.find_spec("gliner"):
        return TorchGliner(model)
    message = f"the GLiNER model {model!r} needs the extra 'ner' (light) or 'gliner': pip install 'benchwright[ner]'"
    raise ConfigError(message)


def window(model: str) -> int:
    """How many words a window may hold: what the model was made for, and where it counts positions, what those bear."""
    path = Path(model) / "gliner_config.json"
    if not path.exists():
        return WORDS
    config = json.loads(path.read_text("utf-8"))
    positions = (config.get("encoder_config") or {}).get("max_position_embeddings")
    return min(config.get("max_len") or WORDS, (positions or WORDS * TOKENS_A_WORD) // TOKENS_A_WORD)


class FastGliner:
    """GLiNER by `fast-gliner`."""

    def __init__(self, model: str) -> None:
        fast: Any = library("fast_gliner", f"the GLiNER model {model!r}", "ner")
        with opening(model, "the ONNX file of the GLiNER model"):
            self._model = fast.FastGLiNER.from_pretrained(model)
            self.words = window(model)
        self.about = f"GLiNER {model} (fast-gliner)"

    def find(self, texts: Sequence[str], labels: Sequence[str], threshold: float) -> list[list[Hit]]:
        """See `Finder`; a threshold below 0.5 cannot be had from this library and is refused."""
        if threshold < FIXED:
            message = f"fast-gliner drops all below {FIXED}: set a threshold of {FIXED} or more, or use 'gliner'"
            raise ConfigError(message)
        found = self._model.predict_entities(list(texts), list(labels)) if texts else []
        return [hits_in_characters(text, hits, threshold) for text, hits in zip(texts, found, strict=True)]


def hits_in_characters(text: str, hits: Sequence[dict[str, Any]], threshold: float) -> list[Hit]:
    """The library's hits with characters in the place of bytes, which are what it counts."""
    at = {} if text.isascii() else {byte: place for place, byte in enumerate(starts(text))}
    return [
        Hit(at.get(hit["start"], hit["start"]), at.get(hit["end"], hit["end"]), hit["label"], hit["score"])
        for hit in hits
        if hit["score"] >= threshold
    ]


def starts(text: str) -> list[int]:
    """The byte at which each character begins in UTF-8, and the one past the end."""
    return list(accumulate((len(char.encode()) for char in text), initial=0))


class TorchGliner:
    """GLiNER by the torch package."""

    def __init__(self, model: str) -> None:
        torch_gliner: Any = library("gliner", f"the GLiNER model {model!r}", "gliner")
        here = Path(model).is_dir()
        with opening(model, "the GLiNER model"):
            self._model = torch_gliner.GLiNER.from_pretrained(model, local_files_only=here, map_location="cpu")
            self.words = window(model)
        self.about = f"GLiNER {model} (gliner)"

    def find(self, texts: Sequence[str], labels: Sequence[str], threshold: float) -> list[list[Hit]]:
        """See `Finder`."""
        found = self._model.inference(list(texts), list(labels), threshold=threshold) if texts else []
        return [[Hit(hit["start"], hit["end"], hit["label"], hit["score"]) for hit in hits] for hits in found]
