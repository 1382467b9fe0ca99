-- oldest: the oldest ready tickets of a queue, of items after one, as they will be when claimed
SELECT jobs.id, item, key, queue, jobs.attempt + 1, blame, error, items.id, seed
FROM jobs JOIN items ON seq = item
WHERE queue = ? AND jobs.state = 'ready' AND item > ? AND blame < 3 ORDER BY item, jobs.id LIMIT ?;
-- suspect: the ready suspect with the least blame in some queues, as it will be when claimed
SELECT jobs.id, item, key, queue, jobs.attempt + 1, blame, error, items.id, seed
FROM jobs JOIN items ON seq = item
WHERE jobs.state = 'ready' AND blame >= 3 AND queue IN (SELECT value FROM json_each(:queues))
ORDER BY blame, item, jobs.id LIMIT 1;
-- of_steps: the oldest ready tickets of some steps in a queue, as they will be when claimed
SELECT jobs.id, item, key, queue, jobs.attempt + 1, blame, error, items.id, seed
FROM jobs JOIN items ON seq = item
WHERE queue = :queue AND jobs.state = 'ready'
AND substr(key, 1, instr(key, '/') - 1) IN (SELECT value FROM json_each(:steps)) ORDER BY item, jobs.id LIMIT :most;
-- take: claim a ready ticket, found in the same transaction
UPDATE jobs SET state = 'running', attempt = attempt + 1, lease = ?, departed = 0 WHERE id = ? AND state = 'ready';
-- wake: delayed tickets whose time has come
UPDATE jobs SET state = 'ready', ready_at = NULL WHERE state = 'delayed' AND ready_at <= :now;
-- next_wake: when the next delayed ticket is ready
SELECT min(ready_at) FROM jobs WHERE state = 'delayed';
-- depart: a claimed ticket is asked of its provider, or of code
UPDATE jobs SET departed = 1 WHERE id = ? AND state = 'running';
-- finish: close a ticket, if it is still this worker's
UPDATE jobs SET state = 'done', lease = NULL WHERE id = ? AND state = 'running' AND attempt = ?;
-- drop: a claimed ticket that is no longer owed
UPDATE jobs SET state = 'moot', lease = NULL WHERE id = :id AND state = 'running' AND attempt = :attempt;
-- answered: close the ticket that an answer from elsewhere has served
UPDATE jobs SET state = 'done', lease = NULL, ready_at = NULL WHERE item = :item AND key = :key;
-- delay: a ticket again later
UPDATE jobs SET state = 'delayed', lease = NULL, ready_at = :ready_at, attempt = attempt - :uncounted
WHERE id = :id AND state = 'running' AND attempt = :attempt;
-- set_aside: a ticket that is not to be claimed again in this run
UPDATE jobs SET state = 'failed', lease = NULL, error = :error WHERE id = :id AND state = 'running' AND attempt = :attempt;
-- give_back: a ticket again at once, untried
UPDATE jobs SET state = 'ready', lease = NULL, attempt = attempt - 1 WHERE id = :id AND state = 'running' AND attempt = :attempt;
-- hand_back: tickets of this process that were not worked off, untried
UPDATE jobs SET state = 'ready', lease = NULL, attempt = attempt - 1 WHERE state = 'running';
-- dead: tickets that a process died with, asked by then, and how much blame each has
SELECT id, blame FROM jobs WHERE state = 'running' AND departed ORDER BY id;
-- blame: a ticket has a share in a death
UPDATE jobs SET blame = blame + ? WHERE id = ?;
-- rescue: tickets whose worker died with its process
UPDATE jobs SET state = 'ready', lease = NULL WHERE state = 'running';
-- suspects: tickets with so much blame that they are asked one at a time
SELECT count(*) FROM jobs WHERE state = 'ready' AND blame >= 3;
-- hasten: tickets that wait for a time; a new run begins at once
UPDATE jobs SET state = 'ready', ready_at = NULL WHERE state = 'delayed';
-- retry: tickets that an earlier run set aside
UPDATE jobs SET state = 'ready' WHERE state = 'failed';
-- revive: tickets of some steps in a queue that this run has set aside
UPDATE jobs SET state = 'ready'
WHERE state = 'failed' AND queue = :queue AND substr(key, 1, instr(key, '/') - 1) IN (SELECT value FROM json_each(:steps));
-- forgive: a new run counts the provider's failures anew
UPDATE jobs SET attempt = 0 WHERE state = 'ready' AND attempt > 0;
-- owed: a ticket for one owed thing; a moot one revives, one that is done or set aside stays so
INSERT INTO jobs (item, key, queue, state) VALUES (?, ?, ?, 'ready')
ON CONFLICT (item, key) DO UPDATE SET state = 'ready', queue = excluded.queue, attempt = 0, blame = 0
WHERE state = 'moot';
-- of_item: where an item stands, with each ticket that is not done
SELECT items.state, key, jobs.state
FROM items LEFT JOIN jobs ON item = seq AND jobs.state <> 'done' WHERE seq = ?;
-- moot: a ticket that is no longer owed, and waits or is set aside
UPDATE jobs SET state = 'moot', ready_at = NULL
WHERE item = :item AND key = :key AND state IN ('ready', 'delayed', 'failed');
-- unfinished: how many tickets wait, run or are set aside, by queue and state; each state has its partial index
SELECT queue, 'ready', count(*) FROM jobs WHERE state = 'ready' GROUP BY queue
UNION ALL SELECT queue, 'running', count(*) FROM jobs WHERE state = 'running' GROUP BY queue
UNION ALL SELECT queue, 'delayed', count(*) FROM jobs WHERE state = 'delayed' GROUP BY queue
UNION ALL SELECT queue, 'failed', count(*) FROM jobs WHERE state = 'failed' GROUP BY queue ORDER BY 1, 2;
-- by_slot: how many tickets of a queue each slot has had
SELECT slot, count(*) FROM jobs JOIN items ON items.seq = jobs.item
WHERE queue = :queue AND jobs.state <> 'moot' GROUP BY slot ORDER BY slot;
-- waiting_for_people: the tickets of a queue that no worker serves
SELECT jobs.item, key FROM jobs WHERE queue = :queue AND state = 'ready' ORDER BY item, id;
