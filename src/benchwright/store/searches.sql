-- find: what an answered query found
SELECT found FROM searches WHERE id = :id;
-- save: what a search found; the first answer stays
INSERT INTO searches (id, search, query, found, at) VALUES (:id, :search, :query, :found, :at) ON CONFLICT DO NOTHING;
