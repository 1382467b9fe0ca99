-- A digest of what was recorded beside what was recorded: an export finds out what another program has changed since.
-- NULL in rows of earlier versions.

ALTER TABLE documents ADD COLUMN digest TEXT;
ALTER TABLE items ADD COLUMN digest TEXT;    -- of how the item stands
ALTER TABLE answers ADD COLUMN digest TEXT;
