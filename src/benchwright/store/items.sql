-- add: a new item; an item that is there already is left alone
INSERT INTO items (id, slot, attempt, document, seed, state)
VALUES (:id, :slot, :attempt, :document, :seed, 'open') ON CONFLICT DO NOTHING;
-- find: the items whose id begins so
SELECT seq, id, seed, state, cause, detail, body FROM items WHERE id >= :low AND id < :high ORDER BY id LIMIT 3;
-- get: one item
SELECT seq, id, seed, state, cause, detail, body FROM items WHERE seq = :seq;
-- seed: how an item began
SELECT seed FROM items WHERE seq = :seq;
-- move: the item's new standing
UPDATE items SET state = ?, cause = ?, detail = ?, body = ? WHERE seq = ?;
-- begun: how many slots have begun
SELECT coalesce(max(slot) + 1, 0) FROM items;
-- discarded: tries that were discarded and have no next one yet
SELECT slot, attempt FROM items AS ended WHERE state = 'discarded' AND attempt + 1 < :tries
AND NOT EXISTS (SELECT 1 FROM items AS next WHERE next.slot = ended.slot AND next.attempt = ended.attempt + 1)
ORDER BY slot LIMIT :most;
-- unfinished: how many items are open (people's turn not counted)
SELECT coalesce(sum(n), 0) FROM counts WHERE kind = 'item' AND name = '' AND state = 'open';
-- slots: every slot that has begun, its last try, and how that stands
SELECT slot, max(attempt), state FROM items GROUP BY slot ORDER BY slot;
-- making: how many answers there are about items in the making
SELECT count(*) FROM answers WHERE item IN (SELECT seq FROM items WHERE state IN ('open', 'waiting') AND state = 'open');
-- orphans: unfinished items without a live ticket
SELECT seq FROM items WHERE state IN ('open', 'waiting') AND NOT EXISTS
(SELECT 1 FROM jobs WHERE jobs.item = items.seq AND jobs.state IN ('ready', 'running', 'delayed'));
-- unfinished_seqs: every open or waiting item
SELECT seq FROM items WHERE state IN ('open', 'waiting') ORDER BY seq;
-- every_seq: every item
SELECT seq FROM items ORDER BY seq;
-- latest: the last try of each slot
SELECT seq FROM items AS last WHERE NOT EXISTS
(SELECT 1 FROM items AS next WHERE next.slot = last.slot AND next.attempt > last.attempt) ORDER BY slot;
-- page: items in the order of the set, from one place on
SELECT seq, id, seed, state, cause, detail, body FROM items
WHERE (slot, attempt) > (:slot, :attempt) AND (:state = '' OR state = :state) ORDER BY slot, attempt LIMIT :most;
-- causes: how often items ended for which cause
SELECT state, cause, count(*) FROM items WHERE state IN ('kept', 'discarded') GROUP BY state, cause ORDER BY state, 3 DESC, cause;
-- shortfalls: slots whose last try was discarded, by cause
SELECT cause, count(*) FROM items AS ended WHERE state = 'discarded' AND NOT EXISTS
(SELECT 1 FROM items AS next WHERE next.slot = ended.slot AND next.attempt > ended.attempt) GROUP BY cause ORDER BY 2 DESC, cause;
-- answers: what was said about an item after a place, in any order (an ORDER BY would begin a sorter each time)
SELECT seq, step, about, who, body, call FROM answers WHERE item = ? AND +seq > ?;
-- failed: answers of one step that failed for a cause, about items that have not ended
SELECT item, about, who FROM answers JOIN items ON items.seq = answers.item WHERE answers.step = :step
AND json_extract(answers.body, '$.failure') = :cause AND (state = 'open' OR state = 'waiting') ORDER BY answers.seq;
-- say: append an answer; the same one again changes nothing
INSERT INTO answers (item, step, about, who, body, call, at)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;
-- said: the answers of one step over all items
SELECT items.seq, items.id, slot, attempt, answers.body FROM answers JOIN items ON items.seq = answers.item
WHERE answers.step = :step ORDER BY answers.seq;
