"""The ledger: every call to a model, what was asked, what came back and what it cost."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchwright.domain.call import Image, Message, Part, Reply, Request, Usage
from benchwright.domain.ids import canonical, text_id
from benchwright.store.queries import load

SQL = load("calls")


def find(connection: sqlite3.Connection, call: str) -> Reply | None:
    """The reply to a completed call."""
    row = connection.execute(SQL["done"], {"id": call}).fetchone()
    if row is None:
        return None
    text, reasoning, finish, prompt, completion, cached, thinking, cost, latency = row
    return Reply(text, reasoning, finish, Usage(prompt, completion, cached, thinking), cost, latency, call)


def intend(connection: sqlite3.Connection, request: Request, now: str) -> None:
    """Record that a request is about to leave, so that a crash leaves a trace of what may have been paid."""
    turns = [[message.role, [keep(connection, part) for part in message.parts]] for message in request.messages]
    body = {
        "turns": turns,
        "schema": request.schema,
        "model": request.model.recipe(),
        "run": request.run,
        "seed": request.seed,
    }
    values = {
        "id": request.id,
        "step": request.step,
        "model": request.model.name,
        "request": canonical(body),
        "at": now,
        "origin": request.origin or request.id,
    }
    connection.execute(SQL["intend"], values)
    if request.item:
        connection.execute(SQL["asked"], {"item": request.item, "id": request.id})


def keep(connection: sqlite3.Connection, part: Part) -> str | dict[str, str]:
    """Store a part of a prompt once; returns its id, or what an image is known by, whose bytes lie elsewhere."""
    if isinstance(part, Image):
        return {"image": part.hash, "media_type": part.media_type}
    name = text_id(part)
    connection.execute(SQL["text"], {"id": name, "body": part})
    return name


def settle(connection: sqlite3.Connection, request: Request, reply: Reply) -> None:
    """Record the reply."""
    land(connection, request.id, reply)


def land(connection: sqlite3.Connection, call: str, reply: Reply) -> None:
    """Record the reply to a call of which no more is known than its id."""
    values = {
        "id": call,
        "reply": reply.text,
        "reasoning": reply.reasoning,
        "finish": reply.finish,
        "cost": reply.cost,
        "latency": reply.latency,
        "prompt": reply.usage.prompt,
        "completion": reply.usage.completion,
        "cached": reply.usage.cached,
        "thinking": reply.usage.thinking,
    }
    connection.execute(SQL["settle"], values)


def fail(connection: sqlite3.Connection, request: Request, error: str) -> None:
    """Record that the provider gave no reply."""
    lose(connection, request.id, error)


def lose(connection: sqlite3.Connection, call: str, error: str) -> None:
    """Record that there is no reply to a call of which no more is known than its id."""
    connection.execute(SQL["fail"], {"id": call, "error": error[:2000]})


def disown(connection: sqlite3.Connection, names: Sequence[str], reason: str) -> None:
    """Record that these replies, which are paid for, are no answers: an identical request is asked anew."""
    connection.executemany(SQL["disown"], [{"id": name, "error": reason[:2000]} for name in names])


def is_proven(connection: sqlite3.Connection, model: str) -> bool:
    """Whether a reply of this model has ever become an answer."""
    return connection.execute(SQL["proven"], {"model": model}).fetchone() is not None


def get(connection: sqlite3.Connection, call: str) -> dict[str, Any] | None:
    """A call whole, its prompt put together again."""
    cursor = connection.execute(SQL["get"], {"id": call})
    row = cursor.fetchone()
    if row is None:
        return None
    found: dict[str, Any] = dict(zip((column[0] for column in cursor.description), row, strict=True))
    request = json.loads(found.pop("request"))
    turns = request.pop("turns")
    messages = [turn(role, parts(connection, names)) for role, names in turns]
    found.update(request | {"model": found["model"], "parameters": request["model"], "messages": messages})
    return found


def is_known(connection: sqlite3.Connection, call: str) -> bool:
    """Whether a call is on record, whatever came of it."""
    return connection.execute(SQL["known"], {"id": call}).fetchone() is not None


def of_item(connection: sqlite3.Connection, item: int) -> dict[str, list[dict[str, Any]]]:
    """Every call that an item took, in the order in which they left, by the id of the question asked or repaired."""
    found: dict[str, list[dict[str, Any]]] = {}
    for question, call, *_ in connection.execute(SQL["of_item"], {"item": item}).fetchall():
        found.setdefault(question, []).append(get(connection, call) or {})
    return found


def ids(connection: sqlite3.Connection) -> list[str]:
    """Every call there is."""
    return [name for (name,) in connection.execute(SQL["ids"])]


def parts(connection: sqlite3.Connection, names: Sequence[str | dict[str, str]]) -> list[Part]:
    """The stored parts of a prompt."""
    return [
        Image(name["image"], name["media_type"])
        if isinstance(name, dict)
        else connection.execute(SQL["text_of"], {"id": name}).fetchone()[0]
        for name in names
    ]


def turn(role: str, kept: Sequence[Part]) -> dict[str, Any]:
    """One turn of a call as people read it; its images, where it has some, by their hashes."""
    message = Message(role, tuple(kept))
    images = [{"hash": image.hash, "media_type": image.media_type} for image in message.images]
    return {"role": role, "content": message.content} | ({"images": images} if images else {})


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model was asked for one step. `cost` in US dollars covers the priced calls only."""

    model: str
    step: str
    calls: int
    prompt: int
    completion: int
    cached: int
    thinking: int
    cost: float
    unpriced: int
    latency: float

    def json(self) -> dict[str, Any]:
        """As JSON values: `cost` is null where a call has no known price; `known_cost` is that of the others."""
        return asdict(self) | {"cost": None if self.unpriced else self.cost, "known_cost": self.cost}


def spending_by_model(connection: sqlite3.Connection) -> tuple[Spent, ...]:
    """Calls, tokens and money by model and step."""
    return tuple(Spent(*row) for row in connection.execute(SQL["spending"]))


@dataclass(frozen=True, slots=True)
class Share:
    """What one slot took of a role and model. `cost` in US dollars is None where some call has no known price."""

    slot: int
    step: str
    model: str
    calls: float
    prompt: float
    completion: float
    cached: float
    thinking: float
    cost: float | None
    latency: float


def shares(connection: sqlite3.Connection) -> list[Share]:
    """The calls behind the answers, by slot, role and model; a call that served several counts for the first."""
    return [Share(*row) for row in connection.execute(SQL["shares"])]


def uncertain(connection: sqlite3.Connection) -> int:
    """How often requests left without a reply on record: perhaps paid."""
    count: int = connection.execute(SQL["uncertain"]).fetchone()[0]
    return count


def perhaps(connection: sqlite3.Connection) -> list[tuple[str, int, bool]]:
    """Calls that were perhaps paid without a reply on record: id, how often, and whether a provider works on it now."""
    return [(name, times, bool(held)) for name, times, held in connection.execute(SQL["perhaps"])]
