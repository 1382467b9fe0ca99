-- Which calls were made for which item, and which of them repair a question: `explain` shows all that an item took,
-- also where it came to no answer.

ALTER TABLE calls ADD COLUMN origin TEXT;  -- the call that it repairs; NULL where it is the question itself
CREATE INDEX calls_repairing ON calls (origin) WHERE origin IS NOT NULL;
CREATE TABLE asked (
  item      INTEGER NOT NULL REFERENCES items (seq),
  call      TEXT NOT NULL REFERENCES calls (id),
  PRIMARY KEY (item, call)
) STRICT, WITHOUT ROWID;

-- A status names the files of which their reader had something to say, without a look into every body.
CREATE INDEX documents_noted ON documents (position) WHERE notes <> '[]';
