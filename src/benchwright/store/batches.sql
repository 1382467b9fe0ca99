-- prepare: a batch is about to leave
INSERT INTO batches (name, model, total, at, expires) VALUES (:name, :model, :total, :at, :expires);
-- put: a call goes with it
INSERT INTO batched (call, batch) VALUES (:call, :batch) ON CONFLICT (call) DO UPDATE SET batch = excluded.batch;
-- submit: the provider has it
UPDATE batches SET state = 'submitted', remote = :remote, expires = :expires WHERE name = :name AND state = 'preparing';
-- progress: how far it has got
UPDATE batches SET done = :done WHERE name = :name;
-- collect: its results are in the ledger
UPDATE batches SET state = 'collected', done = total WHERE name = :name AND state = 'submitted';
-- lose: nothing more comes of it
UPDATE batches SET state = 'lost', reason = :reason WHERE name = :name AND (state = 'preparing' OR state = 'submitted');
-- lose_calls: nor of the calls that went with it
UPDATE calls SET state = 'failed', error = :reason
WHERE state = 'intended' AND id IN (SELECT call FROM batched WHERE batch = :name);
-- open: batches that their providers hold, or may hold
SELECT name, model, at, expires, coalesce(remote, '') FROM batches WHERE state = 'preparing' OR state = 'submitted'
ORDER BY at;
-- calls: the calls of a batch, each with its model
SELECT call, model FROM batched JOIN calls ON id = call WHERE batch = :batch ORDER BY call;
-- gone: how far the open ones have got
SELECT name, model, state = 'submitted', done, total, at FROM batches WHERE state = 'preparing' OR state = 'submitted'
ORDER BY at;
