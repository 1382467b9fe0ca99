-- Who runs the campaign: told by the database itself, for the lock beside it can be removed. One row while it runs.

CREATE TABLE owner (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  token     TEXT NOT NULL,                 -- of this run alone; each of its commits demands it
  file      TEXT NOT NULL,                 -- device and number of the database: a copy of it is not owned
  host      TEXT NOT NULL,
  pid       INTEGER NOT NULL,
  born      TEXT NOT NULL,                 -- when the process began: its number may be another's later
  since     TEXT NOT NULL
) STRICT;
