-- put: store an image once
INSERT INTO blobs (id, media, body) VALUES (:id, :media, :body) ON CONFLICT DO NOTHING;
-- get: its bytes
SELECT body FROM blobs WHERE id = :id;
-- count: how many images there are
SELECT count(*) FROM blobs;
