-- lay: lay a card before someone, in the place of the one before
INSERT INTO leases (who, item, about, began, until) VALUES (:who, :item, :about, :began, :until)
ON CONFLICT (who) DO UPDATE SET item = :item, about = :about, began = :began, until = :until;
-- laid: the cards that lie before people; there are as many as people
SELECT who, item, about, began, until FROM leases;
-- free: take someone's card away
DELETE FROM leases WHERE who = :who;
-- skip: someone wants to see a card last
INSERT INTO skips (who, item, about) VALUES (:who, :item, :about) ON CONFLICT DO NOTHING;
-- skipped: the cards that someone wants to see last
SELECT item, about FROM skips WHERE who = :who;
-- time: how long someone took
INSERT INTO times (item, about, who, seconds) VALUES (:item, :about, :who, :seconds) ON CONFLICT DO NOTHING;
-- times: how long everyone took
SELECT item, about, who, seconds FROM times;
-- words: all that was said in a step, first to last
SELECT seq, item, about, who, body, at FROM answers WHERE step = :step ORDER BY seq;
-- followed: whether the next try has begun in the place of an item
SELECT 1 FROM items AS this JOIN items AS next ON next.slot = this.slot AND next.attempt = this.attempt + 1
WHERE this.seq = :item;
