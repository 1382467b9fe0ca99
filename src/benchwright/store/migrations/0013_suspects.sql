-- Which tickets had left this process: asked of a provider or of code, not only claimed and waiting in line. When a
-- process dies, those share the blame for one death; a ticket with much blame is asked alone among its like.
-- Deaths that were counted before say nothing: they counted tickets that waited, too.

ALTER TABLE jobs ADD COLUMN departed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN blame REAL NOT NULL DEFAULT 0;
ALTER TABLE jobs DROP COLUMN deaths;
CREATE INDEX jobs_suspect ON jobs (blame, item, id) WHERE state = 'ready' AND blame >= 3;
