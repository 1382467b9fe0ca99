-- Images that requests show, each stored once; and embeddings, each paid for once.

CREATE TABLE blobs (
  id        TEXT PRIMARY KEY,              -- SHA-256 of the bytes
  media     TEXT NOT NULL,                 -- such as image/png
  body      BLOB NOT NULL
) STRICT;

CREATE TABLE vectors (
  space     TEXT NOT NULL,                 -- the model and its provider: see domain/embed.py
  text      TEXT NOT NULL,                 -- the id of the text
  call      TEXT NOT NULL,                 -- the ledger entry that paid for it
  body      BLOB NOT NULL CHECK (length(body) > 0 AND length(body) % 4 = 0), -- 32-bit floats, unit length
  UNIQUE (space, text)
) STRICT;
