-- add: one file of the corpus, admitted or refused; the same name again changes nothing
INSERT INTO documents (name, id, reason, body, sections, masked, titles, notes)
VALUES (:name, :id, :reason, :body, :sections, :masked, :titles, :notes) ON CONFLICT (name) DO NOTHING;
-- forget: the files that were refused
DELETE FROM documents WHERE id IS NULL;
-- same: the name under which these bytes were admitted
SELECT name FROM documents WHERE id = :id;
-- get: a document and its view
SELECT body, sections, masked FROM documents WHERE id = :id;
-- outlines: what pipelines plan with, in the order of the corpus
SELECT id, titles, sections, masked FROM documents WHERE id IS NOT NULL ORDER BY position;
-- listed: every file and what became of it
SELECT name, id, reason, notes FROM documents ORDER BY position;
