-- done: a completed call; one with an error brought a reply that is no answer
SELECT reply, reasoning, finish, prompt, completion, cached, thinking, cost, latency FROM calls
WHERE id = :id AND state = 'done' AND error IS NULL;
-- intend: a request is about to leave
INSERT INTO calls (id, step, model, request, state, at) VALUES (:id, :step, :model, :request, 'intended', :at)
ON CONFLICT (id) DO UPDATE SET state = 'intended', sent = sent + 1, reply = NULL, error = NULL,
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
SELECT id, step, model, request, state, reply, reasoning, finish, prompt, completion, cached, thinking, cost, latency, error, sent, at
FROM calls WHERE id = :id;
-- ids: every call
SELECT id FROM calls ORDER BY id;
-- text_of: a part of a prompt
SELECT body FROM texts WHERE id = :id;
-- spending: calls, tokens and money by model and step
SELECT model, step, calls, prompt, completion, cached, thinking, cost, unpriced, latency FROM spending ORDER BY model, step;
-- shares: what each slot was paid, by role and model; a call that served several answers counts once
SELECT slot, calls.step, model, count(*), sum(prompt), sum(completion), sum(cached), sum(thinking),
CASE WHEN count(cost) = count(*) THEN sum(cost) END, sum(latency)
FROM (SELECT call, item, min(seq) FROM answers WHERE call IS NOT NULL GROUP BY call) AS first
JOIN items ON items.seq = item JOIN calls ON calls.id = call GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- uncertain: how often requests left without a reply on record: perhaps paid
SELECT (SELECT count(*) FROM calls WHERE state = 'intended'
AND NOT EXISTS (SELECT 1 FROM with_provider WHERE call = calls.id))
+ (SELECT coalesce(sum(lost), 0) FROM calls WHERE lost > 0);
-- perhaps: calls that may have been paid without a reply on record, how often, and whether a provider works on it now
SELECT id, lost + 1 - held, held FROM (SELECT id, lost, EXISTS (SELECT 1 FROM with_provider WHERE call = calls.id) AS held
FROM calls WHERE state = 'intended')
UNION ALL SELECT id, lost, 0 FROM calls WHERE lost > 0 AND state <> 'intended';
