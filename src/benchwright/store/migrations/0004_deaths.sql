-- How often a process died with a ticket in work, apart from its provider's failures, which `attempt` counts.

ALTER TABLE jobs ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
