-- add: keep a vector; one that is there stays
INSERT INTO vectors (space, text, call, body) VALUES (:space, :text, :call, :body) ON CONFLICT DO NOTHING;
-- get: the vector of a text
SELECT body FROM vectors WHERE space = :space AND text = :text;
-- size: the bytes of any vector of a space
SELECT length(body) FROM vectors WHERE space = :space LIMIT 1;
