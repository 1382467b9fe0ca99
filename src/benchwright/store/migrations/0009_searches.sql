-- What searches found, so that no query leaves twice and every description can be traced to its sources.

CREATE TABLE searches (
  id        TEXT PRIMARY KEY,              -- hash of the search's name, the query, and how many snippets were wanted
  search    TEXT NOT NULL,
  query     TEXT NOT NULL,
  found     TEXT NOT NULL,                 -- JSON: text, url and title of each snippet
  at        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
