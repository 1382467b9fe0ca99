-- How each model was really asked: which parameters were sent, under which names, which were dropped. A list for each,
-- because a change of the campaign, or of a library, may change it.

ALTER TABLE campaign ADD COLUMN sent TEXT NOT NULL DEFAULT '{}';
