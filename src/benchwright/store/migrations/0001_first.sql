-- The first schema. Applied migrations are never edited: a change is a new file.
-- Checks say OR and not IN: a list of more than two values becomes a temporary table at every write.

CREATE TABLE campaign (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  name      TEXT NOT NULL,
  source    TEXT NOT NULL,                 -- the campaign file as it was, for the record
  recipe    TEXT NOT NULL,                 -- canonical JSON
  began     TEXT NOT NULL,                 -- UTC, ISO 8601
  tool      TEXT NOT NULL,                 -- the version that began it
  paused    INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  ended     TEXT                           -- how the last run ended, JSON; NULL while one runs
) STRICT;

CREATE TABLE changes (                     -- accepted changes of the recipe
  id        INTEGER PRIMARY KEY,
  at        TEXT NOT NULL,
  before    TEXT NOT NULL,
  after     TEXT NOT NULL
) STRICT;

CREATE TABLE documents (
  position  INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  id        TEXT UNIQUE,                   -- NULL for a refused file
  reason    TEXT,                          -- why it was refused
  body      TEXT,                          -- the document as canonical JSON
  sections  TEXT,                          -- the view: JSON list of section indices
  titles    TEXT,                          -- the outline: JSON list
  CHECK ((reason IS NULL) = (body IS NOT NULL)),
  CHECK ((body IS NULL) = (id IS NULL))
) STRICT;

CREATE TABLE items (
  seq       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  slot      INTEGER NOT NULL,
  attempt   INTEGER NOT NULL,
  document  TEXT NOT NULL,
  seed      TEXT NOT NULL,
  state     TEXT NOT NULL CHECK (state = 'open' OR state = 'waiting' OR state = 'kept' OR state = 'discarded'),
  cause     TEXT NOT NULL DEFAULT '',
  detail    TEXT NOT NULL DEFAULT '',
  body      TEXT,
  UNIQUE (slot, attempt),
  CHECK (state <> 'kept' OR body IS NOT NULL)
) STRICT;
CREATE INDEX items_unfinished ON items (seq) WHERE state IN ('open', 'waiting');
CREATE INDEX items_ended ON items (state, cause) WHERE state IN ('kept', 'discarded');
CREATE INDEX items_discarded ON items (slot, attempt) WHERE state = 'discarded';

CREATE TABLE answers (                     -- append-only
  seq       INTEGER PRIMARY KEY,
  item      INTEGER NOT NULL REFERENCES items (seq),
  step      TEXT NOT NULL,
  about     TEXT NOT NULL,
  who       TEXT NOT NULL,
  body      TEXT NOT NULL,
  call      TEXT,
  at        TEXT NOT NULL,
  UNIQUE (item, step, about, who)
) STRICT;
CREATE TRIGGER answers_never_change BEFORE UPDATE ON answers
  BEGIN SELECT RAISE(ABORT, 'an answer is never changed'); END;
CREATE TRIGGER answers_never_vanish BEFORE DELETE ON answers
  BEGIN SELECT RAISE(ABORT, 'an answer is never removed'); END;
CREATE INDEX answers_by_step ON answers (step, seq);

CREATE TABLE jobs (
  id        INTEGER PRIMARY KEY,
  item      INTEGER NOT NULL REFERENCES items (seq),
  key       TEXT NOT NULL,
  queue     TEXT NOT NULL,
  state     TEXT NOT NULL CHECK (state = 'ready' OR state = 'running' OR state = 'delayed' OR state = 'done'
            OR state = 'moot' OR state = 'failed'),
  attempt   INTEGER NOT NULL DEFAULT 0,    -- counted at the claim
  lease     REAL,                          -- until when a running job is its worker's, seconds since the epoch
  ready_at  REAL,                          -- when a delayed job is ready again
  error     TEXT NOT NULL DEFAULT '',
  UNIQUE (item, key),
  CHECK ((state = 'running') = (lease IS NOT NULL)),
  CHECK ((state = 'delayed') = (ready_at IS NOT NULL))
) STRICT;
CREATE INDEX jobs_ready ON jobs (queue, item, id) WHERE state = 'ready';
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_delayed ON jobs (ready_at) WHERE state = 'delayed';
CREATE INDEX jobs_failed ON jobs (id) WHERE state = 'failed';

-- Counts are kept in the transaction that changes them, so that a status never counts rows.
CREATE TABLE counts (
  kind      TEXT NOT NULL,                 -- item | job | answer
  name      TEXT NOT NULL,                 -- '' | the queue | the step
  state     TEXT NOT NULL,
  n         INTEGER NOT NULL,
  PRIMARY KEY (kind, name, state)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER items_born AFTER INSERT ON items BEGIN
  INSERT INTO counts VALUES ('item', '', NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER items_moved AFTER UPDATE OF state ON items WHEN NEW.state <> OLD.state BEGIN
  UPDATE counts SET n = n - 1 WHERE kind = 'item' AND name = '' AND state = OLD.state;
  INSERT INTO counts VALUES ('item', '', NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER jobs_born AFTER INSERT ON jobs BEGIN
  INSERT INTO counts VALUES ('job', NEW.queue, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER jobs_moved AFTER UPDATE OF state ON jobs WHEN NEW.state <> OLD.state BEGIN
  UPDATE counts SET n = n - 1 WHERE kind = 'job' AND name = OLD.queue AND state = OLD.state;
  INSERT INTO counts VALUES ('job', NEW.queue, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER answers_born AFTER INSERT ON answers BEGIN
  INSERT INTO counts VALUES ('answer', NEW.step, CASE WHEN json_extract(NEW.body, '$.failure') IS NULL
    THEN 'given' ELSE 'failed' END, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TABLE texts (                       -- parts of prompts, each stored once
  id        TEXT PRIMARY KEY,
  body      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (                       -- the ledger; the key names no campaign and no host
  id        TEXT PRIMARY KEY,
  step      TEXT NOT NULL,
  model     TEXT NOT NULL,
  request   TEXT NOT NULL,                 -- JSON: turns as text ids, schema, parameters
  state     TEXT NOT NULL CHECK (state = 'intended' OR state = 'done' OR state = 'failed'),
  reply     TEXT,
  reasoning TEXT,
  finish    TEXT,
  prompt    INTEGER,                       -- tokens
  completion INTEGER,
  cached    INTEGER,
  cost      REAL,                          -- US dollars; NULL is unknown, never zero
  latency   REAL,                          -- seconds
  error     TEXT,
  sent      INTEGER NOT NULL DEFAULT 1,    -- how often it left: more than 1 may have been paid more than once
  at        TEXT NOT NULL,
  CHECK ((state = 'done') = (reply IS NOT NULL))
) STRICT;
CREATE INDEX calls_intended ON calls (id) WHERE state = 'intended';

CREATE TABLE spending (                    -- sums over done calls, kept by the trigger below
  model     TEXT NOT NULL,
  step      TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  prompt    INTEGER NOT NULL,
  completion INTEGER NOT NULL,
  cached    INTEGER NOT NULL,
  cost      REAL NOT NULL,
  unpriced  INTEGER NOT NULL,              -- calls whose cost is unknown
  latency   REAL NOT NULL,
  PRIMARY KEY (model, step)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER calls_settled AFTER UPDATE OF state ON calls WHEN NEW.state = 'done' AND OLD.state <> 'done' BEGIN
  INSERT INTO spending VALUES (NEW.model, NEW.step, 1, NEW.prompt, NEW.completion, NEW.cached,
    coalesce(NEW.cost, 0), NEW.cost IS NULL, NEW.latency)
  ON CONFLICT DO UPDATE SET calls = calls + 1, prompt = prompt + excluded.prompt,
    completion = completion + excluded.completion, cached = cached + excluded.cached, cost = cost + excluded.cost,
    unpriced = unpriced + excluded.unpriced, latency = latency + excluded.latency;
END;
