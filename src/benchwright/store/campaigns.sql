-- begin: record the campaign that this file belongs to
INSERT INTO campaign (id, name, source, recipe, began, tool) VALUES (1, :name, :source, :recipe, :began, :tool);
-- get: the campaign
SELECT name, source, recipe, began, tool, paused, ended FROM campaign WHERE id = 1;
-- accept: take a changed recipe
UPDATE campaign SET recipe = :recipe, source = :source WHERE id = 1;
-- note_change: keep what the recipe was
INSERT INTO changes (at, before, after, who, why) SELECT :at, recipe, :recipe, :who, :why FROM campaign WHERE id = 1;
-- changes: every accepted change, first to last
SELECT at, before, after, who, why FROM changes ORDER BY id;
-- pause: ask the runner to stop, or let it go on
UPDATE campaign SET paused = :paused WHERE id = 1;
-- end: say how the run ended, or that one has begun
UPDATE campaign SET ended = :ended WHERE id = 1;
-- sent: how its models were asked
SELECT sent FROM campaign WHERE id = 1;
-- record_sent: the same, with what is new
UPDATE campaign SET sent = :sent WHERE id = 1;
-- refresh: the campaign file with the same recipe
UPDATE campaign SET source = :source WHERE id = 1;
