-- People at work: the card before each, what they passed over, how long they took. None of it is a fact about an item.

CREATE TABLE leases (                      -- one card before each person
  who       TEXT PRIMARY KEY,
  item      INTEGER NOT NULL REFERENCES items (seq),
  about     TEXT NOT NULL,                 -- the option
  began     REAL NOT NULL,                 -- when it was laid before them, in seconds since the epoch
  until     REAL NOT NULL                  -- when it is free again
) STRICT, WITHOUT ROWID;

CREATE TABLE skips (                       -- cards that someone wants to see last
  who       TEXT NOT NULL,
  item      INTEGER NOT NULL REFERENCES items (seq),
  about     TEXT NOT NULL,
  PRIMARY KEY (who, item, about)
) STRICT, WITHOUT ROWID;

CREATE TABLE times (                       -- how long a card lay before someone until the answer of that name
  item      INTEGER NOT NULL REFERENCES items (seq),
  about     TEXT NOT NULL,
  who       TEXT NOT NULL,
  seconds   REAL NOT NULL,
  PRIMARY KEY (item, about, who)
) STRICT, WITHOUT ROWID;
