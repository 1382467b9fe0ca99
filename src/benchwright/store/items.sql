-- add: a new item; an item that is there already is left alone
INSERT INTO items (id, phase, slot, attempt, document, seed, state)
VALUES (:id, :phase, :slot, :attempt, :document, :seed, 'open') ON CONFLICT DO NOTHING;
-- find: the items whose id begins so
SELECT seq, id, seed, state, cause, detail, body FROM items WHERE id >= :low AND id < :high ORDER BY id LIMIT 3;
-- get: one item
SELECT seq, id, seed, state, cause, detail, body FROM items WHERE seq = :seq;
-- seed: how an item began
SELECT seed FROM items WHERE seq = :seq;
-- move: the item's new standing
UPDATE items SET state = ?, cause = ?, detail = ?, body = ?, digest = ? WHERE seq = ?;
-- any_begun: an item, if there is one
SELECT 1 FROM items LIMIT 1;
-- begun: how many slots of a phase have begun
SELECT coalesce(max(slot) + 1, 0) FROM items WHERE phase = :phase;
-- discarded: tries of a phase that were discarded and have no next one yet
SELECT slot, attempt FROM items WHERE phase = :phase AND state = 'discarded' AND last = 1 AND attempt + 1 < :tries
ORDER BY slot LIMIT :most;
-- unfinished: how many items are open (people's turn not counted)
SELECT coalesce(sum(n), 0) FROM counts WHERE kind = 'item' AND state = 'open';
-- slots: every slot that has begun, its last try, and how that stands
SELECT slot, attempt, state FROM items WHERE last = 1 ORDER BY phase, slot;
-- phases: every phase that has items, each by one step through the index, and where its first one is
WITH RECURSIVE found (phase) AS (SELECT min(phase) FROM items UNION ALL
  SELECT (SELECT min(phase) FROM items WHERE items.phase > found.phase) FROM found WHERE found.phase IS NOT NULL)
SELECT phase, (SELECT seq FROM items WHERE items.phase = found.phase ORDER BY slot, attempt LIMIT 1) FROM found
WHERE phase IS NOT NULL ORDER BY 2;
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
SELECT seq FROM items WHERE last = 1 ORDER BY phase, slot;
-- page: items of a phase in the order of the set, from one place on
SELECT seq, id, seed, state, cause, detail, body FROM items
WHERE phase = :phase AND (slot, attempt) > (:slot, :attempt) AND (:state = '' OR state = :state) ORDER BY slot, attempt LIMIT :most;
-- causes: how often items ended for which cause
SELECT state, cause, count(*) FROM items WHERE state IN ('kept', 'discarded') GROUP BY state, cause ORDER BY state, 3 DESC, cause;
-- shortfalls: slots whose last try was discarded, by cause
SELECT cause, count(*) FROM items WHERE state = 'discarded' AND last = 1 GROUP BY cause ORDER BY 2 DESC, cause;
-- shortfalls_by_phase: how many slots of each phase have a last try that was discarded
SELECT phase, count(*) FROM items WHERE state = 'discarded' AND last = 1 GROUP BY phase;
-- answers: what counts of what was said about an item after a place, in any order (an ORDER BY would begin a sorter)
SELECT seq, step, about, who, body, call FROM answers WHERE item = ? AND +seq > ?
AND NOT EXISTS (SELECT 1 FROM withdrawn WHERE answer = seq);
-- count_later: how many answers there are about an item after a place (an index for it costs each answer more)
SELECT count(*) FROM answers WHERE item = ? AND +seq > ?;
-- say: append an answer; the same one again changes nothing
INSERT INTO answers (item, step, about, who, body, call, at, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;
-- withdrawn: whether what somebody said in a place no longer counts
SELECT 1 FROM answers JOIN withdrawn ON answer = seq WHERE item = ? AND step = ? AND about = ? AND who = ?;
-- said: the answers of one step over all items
SELECT items.seq, items.id, slot, attempt, answers.body FROM answers JOIN items ON items.seq = answers.item
WHERE answers.step = :step ORDER BY answers.seq;
