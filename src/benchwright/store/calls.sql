-- done: a completed call; one with an error brought a reply that is no answer
SELECT reply, reasoning, finish, prompt, completion, cached, thinking, cost, latency FROM calls
WHERE id = :id AND state = 'done' AND error IS NULL;
-- intend: a request is about to leave
INSERT INTO calls (id, step, model, request, state, at, origin)
VALUES (:id, :step, :model, :request, 'intended', :at, nullif(:origin, :id))
ON CONFLICT (id) DO UPDATE SET state = 'intended', sent = sent + 1, reply = NULL,
error = CASE WHEN state = 'done' THEN NULL ELSE error END,
lost = lost + (state = 'intended' AND NOT EXISTS (SELECT 1 FROM with_provider WHERE call = calls.id)) WHERE state <> 'done' OR error IS NOT NULL;
-- settle: the reply is here
UPDATE calls SET state = 'done', reply = :reply, reasoning = :reasoning, finish = :finish, prompt = :prompt,
completion = :completion, cached = :cached, thinking = :thinking, cost = :cost, latency = :latency, error = NULL
WHERE id = :id AND state <> 'done';
-- fail: the provider said no
UPDATE calls SET state = 'failed', error = :error WHERE id = :id AND state <> 'done';
-- disown: a reply that is no answer; its cost stays in the sums
UPDATE calls SET error = :error WHERE id = :id AND state = 'done';
-- proven: whether a reply of a model has become an answer
SELECT 1 FROM answers JOIN calls ON calls.id = call WHERE model = :model LIMIT 1;
-- text: store a part of a prompt once
INSERT INTO texts (id, body) VALUES (:id, :body) ON CONFLICT DO NOTHING;
-- get: a call whole
SELECT id, step, model, request, state, reply, reasoning, finish, prompt, completion, cached, thinking, cost, latency, error, sent, at, origin
FROM calls WHERE id = :id;
-- ids: every call
SELECT id FROM calls ORDER BY id;
-- text_of: a part of a prompt
SELECT body FROM texts WHERE id = :id;
-- spending: calls, tokens and money by model and step
SELECT model, step, calls, prompt, completion, cached, thinking, cost, unpriced, latency FROM spending ORDER BY model, step;
-- asked: a call is made for an item
INSERT INTO asked (item, call) VALUES (:item, :id) ON CONFLICT DO NOTHING;
-- known: whether a call is on record
SELECT 1 FROM calls WHERE id = :id;
-- of_item: every call that an item took, each with the question that it asks or repairs, in the order in which they left
WITH own (call) AS (SELECT call FROM answers WHERE item = :item AND call IS NOT NULL
  UNION SELECT call FROM asked WHERE item = :item),
questions (name) AS (SELECT DISTINCT coalesce(origin, id) FROM own JOIN calls ON id = own.call)
SELECT name, id, at, 0 AS mends FROM questions JOIN calls ON id = name
UNION ALL SELECT name, id, at, 1 FROM questions JOIN calls ON origin = name ORDER BY at, mends, id;
-- shares: what each slot was paid, by role and model, repairs included; what served several answers counts once
WITH questions (name, item) AS (SELECT coalesce(origin, id), min(item) FROM answers JOIN calls ON id = call GROUP BY 1),
paid (item, id) AS (SELECT item, id FROM questions JOIN calls ON id = name WHERE state = 'done'
  UNION ALL SELECT item, id FROM questions JOIN calls ON origin = name WHERE state = 'done')
SELECT slot, calls.step, model, count(*), sum(prompt), sum(completion), sum(cached), sum(thinking),
CASE WHEN count(cost) = count(*) THEN sum(cost) END, sum(latency)
FROM paid JOIN items ON items.seq = item JOIN calls ON calls.id = paid.id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- uncertain: how often requests left without a reply on record: perhaps paid
SELECT (SELECT count(*) FROM calls WHERE state = 'intended'
AND NOT EXISTS (SELECT 1 FROM with_provider WHERE call = calls.id))
+ (SELECT coalesce(sum(lost), 0) FROM calls WHERE lost > 0);
-- perhaps: calls that may have been paid without a reply on record, how often, and whether a provider works on it now
SELECT id, lost + 1 - held, held FROM (SELECT id, lost, EXISTS (SELECT 1 FROM with_provider WHERE call = calls.id) AS held
FROM calls WHERE state = 'intended')
UNION ALL SELECT id, lost, 0 FROM calls WHERE lost > 0 AND state <> 'intended';
