-- of_step: the failed answers of one step that count, with their items, first to last
SELECT answers.seq, item, items.id, step, about, who, json_extract(answers.body, '$.failure'),
json_extract(answers.body, '$.detail'), call, items.state, last AND NOT EXISTS
  (SELECT 1 FROM phases AS own JOIN phases AS next ON next.position > own.position WHERE own.name = items.phase)
FROM answers JOIN items ON items.seq = item
WHERE step = :step AND json_extract(answers.body, '$.failure') IS NOT NULL
AND NOT EXISTS (SELECT 1 FROM withdrawn WHERE answer = answers.seq) ORDER BY answers.seq;
-- withdraw: a failed answer no longer counts
INSERT INTO withdrawn (answer, at) VALUES (:answer, :at) ON CONFLICT DO NOTHING;
-- reopen: the ticket of a failed answer, which is written anew if its question is owed again
UPDATE jobs SET state = 'moot' WHERE item = :item AND key = :key AND state = 'done';
-- disown: replies in which a model, or a filter, declined, so that the question is put again
UPDATE calls SET error = :error WHERE (id = :call OR origin = :call) AND state = 'done' AND error IS NULL
AND (finish = 'refused' OR finish = 'filtered');
-- every_withdrawn: the answers that no longer count
SELECT seq, item, step, about, who FROM withdrawn CROSS JOIN answers ON seq = answer ORDER BY seq;
-- there: whether somebody has spoken in a place
SELECT 1 FROM answers WHERE item = :item AND step = :step AND about = :about AND who = :who;
-- restore: a failed answer counts again
DELETE FROM withdrawn WHERE answer = :answer;
-- pending: questions whose last call brought nothing usable, and whose tickets wait for their next try
SELECT items.id, items.seq, calls.step, calls.model, coalesce(origin, calls.id), max(calls.error), jobs.error
FROM jobs JOIN items ON items.seq = jobs.item JOIN asked ON asked.item = jobs.item JOIN calls ON calls.id = asked.call
WHERE jobs.state IN ('ready', 'running', 'delayed', 'failed') AND calls.state <> 'intended' AND calls.error IS NOT NULL
AND calls.model = queue AND calls.step = substr(key, 1, instr(key, '/') - 1)
AND NOT EXISTS (SELECT 1 FROM answers WHERE answers.item = items.seq AND answers.call = coalesce(origin, calls.id)
  AND NOT EXISTS (SELECT 1 FROM withdrawn WHERE answer = answers.seq))
GROUP BY coalesce(origin, calls.id), items.seq ORDER BY items.seq, calls.at, coalesce(origin, calls.id);
-- aside: tickets that are set aside until the next run
SELECT items.id, items.seq, substr(key, 1, instr(key, '/') - 1), queue, jobs.error
FROM jobs JOIN items ON items.seq = jobs.item WHERE jobs.state = 'failed' ORDER BY items.seq, jobs.id;
-- paid: what the calls of a question cost, whether all prices are known, and the last reply
SELECT sum(cost), count(cost) = count(*), (SELECT reply FROM calls WHERE (id = :call OR origin = :call)
  AND reply IS NOT NULL ORDER BY origin IS NULL, at DESC LIMIT 1)
FROM calls WHERE (id = :call OR origin = :call) AND state = 'done';
