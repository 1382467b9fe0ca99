-- Items of any source, in phases; records beside documents. The table of items is built anew, because SQLite cannot
-- change what is unique in one; migrate.py keeps the references to it.

CREATE TABLE items_new (
  seq       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  phase     TEXT NOT NULL DEFAULT '',      -- '' in pipelines that have one only
  slot      INTEGER NOT NULL,
  attempt   INTEGER NOT NULL,
  document  TEXT NOT NULL DEFAULT '',      -- the one that it is about, if it is about one
  seed      TEXT NOT NULL,
  state     TEXT NOT NULL CHECK (state = 'open' OR state = 'waiting' OR state = 'kept' OR state = 'discarded'),
  cause     TEXT NOT NULL DEFAULT '',
  detail    TEXT NOT NULL DEFAULT '',
  body      TEXT,
  last      INTEGER NOT NULL DEFAULT 1,    -- whether it is the last try of its slot so far
  UNIQUE (phase, slot, attempt),
  CHECK (state <> 'kept' OR body IS NOT NULL)
) STRICT;
INSERT INTO items_new (seq, id, slot, attempt, document, seed, state, cause, detail, body, last)
SELECT seq, id, slot, attempt, document, seed, state, cause, detail, body, NOT EXISTS
  (SELECT 1 FROM items AS later WHERE later.slot = items.slot AND later.attempt = items.attempt + 1) FROM items;
DROP TABLE items;
ALTER TABLE items_new RENAME TO items;
CREATE INDEX items_unfinished ON items (seq) WHERE state IN ('open', 'waiting');
CREATE INDEX items_ended ON items (state, cause) WHERE state IN ('kept', 'discarded');
CREATE INDEX items_unfilled ON items (phase, slot, attempt) WHERE state = 'discarded' AND last = 1;
CREATE TRIGGER items_followed AFTER INSERT ON items WHEN NEW.attempt > 0 BEGIN
  UPDATE items SET last = 0 WHERE phase = NEW.phase AND slot = NEW.slot AND attempt = NEW.attempt - 1;
END;
CREATE TRIGGER items_born AFTER INSERT ON items BEGIN
  INSERT INTO counts VALUES ('item', NEW.phase, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER items_moved AFTER UPDATE OF state ON items WHEN NEW.state <> OLD.state BEGIN
  UPDATE counts SET n = n - 1 WHERE kind = 'item' AND name = NEW.phase AND state = OLD.state;
  INSERT INTO counts VALUES ('item', NEW.phase, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

ALTER TABLE documents ADD COLUMN place INTEGER;  -- its place among the admitted ones, from 0 on
UPDATE documents SET place = n FROM
  (SELECT position AS at, row_number() OVER (ORDER BY position) - 1 AS n FROM documents WHERE id IS NOT NULL)
WHERE position = at;
CREATE UNIQUE INDEX documents_placed ON documents (place) WHERE place IS NOT NULL;

CREATE TABLE files (                       -- of records; one that has not ended is read again from its beginning
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  ended     INTEGER NOT NULL DEFAULT 0 CHECK (ended = 0 OR ended = 1)
) STRICT;

CREATE TABLE records (
  place     INTEGER PRIMARY KEY,           -- from 1 on, without a gap
  id        TEXT NOT NULL UNIQUE,
  file      INTEGER NOT NULL REFERENCES files (id),
  line      INTEGER NOT NULL,              -- where it begins
  body      TEXT NOT NULL,                 -- its fields, canonical JSON
  notes     TEXT                           -- what the reader had to mend, a JSON list; NULL is nothing
) STRICT;
CREATE INDEX records_of ON records (file);

CREATE TABLE refused_lines (
  file      INTEGER NOT NULL REFERENCES files (id),
  line      INTEGER NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (file, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE phases (                      -- those that have begun
  position  INTEGER PRIMARY KEY,           -- 0 is the first
  name      TEXT NOT NULL UNIQUE,
  wanted    INTEGER NOT NULL,              -- items
  inputs    TEXT,                          -- hash of what it draws on; NULL in the first, which draws on the corpus
  drawn     INTEGER NOT NULL DEFAULT 0,    -- so many items of the phase before
  without   INTEGER NOT NULL DEFAULT 0     -- items of that phase that waited for people then, and are no part of it
) STRICT;

CREATE TABLE inputs (                      -- what a phase draws on, as it was when the phase began
  phase     INTEGER NOT NULL REFERENCES phases (position),
  place     INTEGER NOT NULL,              -- from 0 on
  item      INTEGER NOT NULL UNIQUE REFERENCES items (seq),
  body      TEXT NOT NULL,
  UNIQUE (phase, place)
) STRICT;
