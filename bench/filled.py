"""Campaign files of any size, filled in bulk: the real schema, its triggers on, so that every counter is right."""

from collections.abc import Sequence

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.ids import canonical
from benchwright.domain.item import Seed
from benchwright.store import campaigns
from benchwright.store.database import Connection

QUEUE = "model"
SEED = canonical({"topics": [f"a topic of some length, number {n}" for n in range(6)]})
BODY = canonical({"keep": True, "reason": "the passage says so in these very words", "sentences": [3, 4, 17]})
ITEM = "INSERT INTO items (id, slot, attempt, document, seed, state) VALUES (?, ?, ?, ?, ?, 'open')"
JOBS = """
WITH RECURSIVE place (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < :each)
INSERT INTO jobs (item, key, queue, state, attempt, ready_at)
SELECT seq, :state || '/' || n, :queue, :state, :state <> 'ready',
  CASE :state WHEN 'delayed' THEN :ready_at + seq % 1000 END FROM items CROSS JOIN place ORDER BY seq, n
"""
ANSWERS = """
INSERT INTO answers (item, step, about, who, body, at)
SELECT item, 'check_option', key, 'model#1', :body, :at FROM jobs WHERE state = 'done' ORDER BY id
"""
CALLS = """
INSERT INTO calls
  (id, step, model, request, state, reasoning, finish, prompt, completion, cached, cost, latency, at)
SELECT printf('%032x', id), 'check_option', :model, :request, 'intended', :why, 'stop', 4000, 90, 3000, 0.001, 2.5, :at
FROM jobs WHERE state = 'done'
"""
SETTLE = "UPDATE calls SET state = 'done', reply = :reply"
AT = "2026-01-01T00:00:00+00:00"


def seed(slot: int) -> Seed:
    """A seed as large as real ones."""
    return Seed(slot, 0, View("0123456789abcdef" * 2, tuple(range(12))), SEED)


def answer(about: str) -> Answer:
    """An answer as large as a checker's."""
    return Answer("check_option", about, "model#1", BODY)


def add_items(connection: Connection, count: int) -> None:
    """Begin so many items."""
    first = seed(0)
    before, after = canonical(first.as_json).split('"slot":0')
    rows = ((f"{n:032x}", n, 0, first.view.document, f'{before}"slot":{n}{after}') for n in range(count))
    connection.executemany(ITEM, rows)


def add_jobs(connection: Connection, states: Sequence[str], each: int, ready_at: float) -> None:
    """Give every item `each` tickets of each of these states; delayed ones are ready at `ready_at` or later."""
    for state in states:
        values = {"state": state, "each": each, "queue": QUEUE, "ready_at": ready_at}
        connection.execute(JOBS, values)


def add_answers(connection: Connection) -> None:
    """Give every ticket that is done its answer."""
    connection.execute(ANSWERS, {"body": BODY, "at": AT})


def campaign(connection: Connection, jobs: int) -> None:
    """A campaign in the middle: so many tickets, most of them done, with their calls, answers, items and documents."""
    quota = {"target": jobs // 4, "per_document": None, "tries": 1}
    campaigns.begin(connection, "bench", "", {"quota": quota}, AT, "bench")
    text = canonical({"notes": [], "text": "word " * 8_000})
    files = ((f"{n}.xml", f"{n:032x}", text, "[0]", "[]") for n in range(max(1, jobs // 200)))
    connection.executemany("INSERT INTO documents (name, id, body, sections, titles) VALUES (?, ?, ?, ?, ?)", files)
    add_items(connection, jobs // 8)
    add_jobs(connection, ("ready", "delayed"), 1, 2e9)
    add_jobs(connection, ("done",), 6, 0.0)
    add_answers(connection)
    asked = {"model": QUEUE, "request": canonical({"turns": "x" * 700}), "why": "because " * 200, "at": AT}
    connection.execute(CALLS, asked)
    connection.execute(SETTLE, {"reply": BODY})
    connection.execute("UPDATE items SET state = 'kept', body = :body WHERE seq % 2", {"body": text[:3_000]})
    connection.execute("UPDATE items SET state = 'discarded', cause = 'too few options' WHERE seq % 10 = 0")
