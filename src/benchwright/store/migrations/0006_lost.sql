-- How often a call left again although nobody knew what had become of it: each time may have been paid for in vain.

ALTER TABLE calls ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
CREATE INDEX calls_lost ON calls (id, lost) WHERE lost > 0;
CREATE VIEW with_provider AS              -- calls of batches that a provider still works on: neither lost nor uncertain
SELECT call FROM batched JOIN batches ON name = batch WHERE state = 'preparing' OR state = 'submitted';
