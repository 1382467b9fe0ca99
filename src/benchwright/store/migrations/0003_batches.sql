-- Requests that went to a provider together. A batch is written down before it leaves: whoever comes after a crash finds
-- it and asks the provider for it instead of paying again.

CREATE TABLE batches (
  name      TEXT PRIMARY KEY,              -- ours; the provider is told it, where it takes such a thing
  model     TEXT NOT NULL,
  state     TEXT NOT NULL DEFAULT 'preparing' CHECK (state = 'preparing' OR state = 'submitted'
            OR state = 'collected' OR state = 'lost'),
  remote    TEXT,                          -- the provider's id
  total     INTEGER NOT NULL,              -- requests
  done      INTEGER NOT NULL DEFAULT 0,    -- of them, as the provider last said
  at        REAL NOT NULL,                 -- seconds since the epoch, as is the next
  expires   REAL NOT NULL,                 -- when the provider gives up what it has not done
  reason    TEXT NOT NULL DEFAULT '',      -- why it was lost
  CHECK (remote IS NOT NULL OR state = 'preparing' OR state = 'lost')
) STRICT, WITHOUT ROWID;
CREATE INDEX batches_open ON batches (at) WHERE state = 'preparing' OR state = 'submitted';

CREATE TABLE batched (                     -- the batch that a call was last in
  call      TEXT PRIMARY KEY REFERENCES calls (id),
  batch     TEXT NOT NULL REFERENCES batches (name)
) STRICT, WITHOUT ROWID;
CREATE INDEX batched_in ON batched (batch);
