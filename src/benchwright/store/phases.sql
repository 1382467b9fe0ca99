-- every: the phases that have begun, first to last
SELECT position, name, wanted, inputs, drawn, without FROM phases ORDER BY position;
-- begin: a phase begins
INSERT INTO phases (position, name, wanted, without) VALUES (:position, :name, :wanted, :without);
-- want: the number of items that a phase wants
UPDATE phases SET wanted = :wanted WHERE position = :position;
-- draw: what a phase draws on, fixed in the order of the set
INSERT INTO inputs (phase, place, item, body)
SELECT :position, row_number() OVER (ORDER BY slot, attempt) - 1, seq, body FROM items
WHERE phase = :before AND state = 'kept';
-- drawn: what a phase draws on, in order
SELECT items.id, inputs.body FROM inputs JOIN items ON seq = item WHERE inputs.phase = :position ORDER BY place;
-- count: how many items a phase draws on
SELECT coalesce(max(place) + 1, 0) FROM inputs WHERE phase = :position;
-- at: one of them
SELECT items.id, inputs.body FROM inputs JOIN items ON seq = item WHERE inputs.phase = :position AND place = :place;
-- body: an item as a later phase sees it: as it was when that began, else as it is now
SELECT coalesce(inputs.body, items.body) FROM items LEFT JOIN inputs ON item = seq WHERE items.id = :id;
-- fix: what a phase draws on, as a hash and a count
UPDATE phases SET inputs = :inputs, drawn = :drawn WHERE position = :position;
