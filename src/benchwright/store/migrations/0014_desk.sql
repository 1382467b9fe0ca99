-- The review desk over a restart: its key, its links, who is let in, and what people have typed but not yet decided.

CREATE TABLE desk (                        -- one row
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  secret    TEXT NOT NULL,                 -- signs cookies; lets nobody in by itself
  address   TEXT NOT NULL                  -- where the desk was served last
) STRICT;

CREATE TABLE desk_links (                     -- each lets one person in, once
  digest    TEXT PRIMARY KEY,              -- SHA-256 of its word, which nobody keeps
  name      TEXT NOT NULL,                 -- whose it is; empty until somebody has used it
  used      INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE desk_sessions (                    -- browsers that are let in
  digest    TEXT PRIMARY KEY,              -- SHA-256 of what the browser keeps
  who       TEXT NOT NULL,
  until     REAL NOT NULL                  -- in seconds since the epoch
) STRICT, WITHOUT ROWID;

CREATE TABLE desk_drafts (                      -- what somebody has typed on a card
  who       TEXT NOT NULL,
  card      TEXT NOT NULL,                 -- its name, as forms bear it
  given     TEXT NOT NULL,                 -- JSON: texts by the names of inputs
  PRIMARY KEY (who, card)
) STRICT, WITHOUT ROWID;
