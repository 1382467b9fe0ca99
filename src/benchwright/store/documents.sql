-- add: one file of the corpus, admitted or refused; the same name again changes nothing
INSERT INTO documents (name, id, reason, body, sections, masked, titles, notes, digest, place)
VALUES (:name, :id, :reason, :body, :sections, :masked, :titles, :notes, :digest, CASE WHEN :id IS NOT NULL THEN
  (SELECT coalesce(max(place) + 1, 0) FROM documents WHERE place IS NOT NULL) END) ON CONFLICT (name) DO NOTHING;
-- forget: the files that were refused
DELETE FROM documents WHERE id IS NULL;
-- same: the name under which these bytes were admitted
SELECT name FROM documents WHERE id = :id;
-- get: a document and its view
SELECT body, sections, masked FROM documents WHERE id = :id;
-- outline: what pipelines plan with
SELECT id, titles, sections, masked FROM documents WHERE place = :place;
-- count: how many documents were admitted
SELECT count(id) FROM documents;
-- count_refused: how many files were refused
SELECT count(*) FROM documents WHERE id IS NULL;
-- refused: the first refused files and why
SELECT name, reason FROM documents WHERE id IS NULL ORDER BY position LIMIT :most;
-- noted: the first files of which the reader had something to say
SELECT name, notes FROM documents WHERE notes <> '[]' ORDER BY position LIMIT :most;
-- count_noted: how many there are
SELECT count(*) FROM documents WHERE notes <> '[]';
-- names: the names of all files
SELECT name FROM documents;
-- listed: every file and what became of it
SELECT name, id, reason, notes FROM documents ORDER BY position;
-- sizes: the admitted documents with the lengths of their texts
SELECT id, length(json_extract(body, '$.text')) FROM documents WHERE id IS NOT NULL;
-- text: the text of a document
SELECT json_extract(body, '$.text') FROM documents WHERE id = :id;
-- leave_out: an admitted document becomes a refused file
UPDATE documents SET id = NULL, body = NULL, sections = NULL, masked = NULL, titles = NULL, notes = NULL, place = NULL,
  digest = NULL,  reason = :reason WHERE id = :id;
-- clear_places: before they are given anew
UPDATE documents SET place = NULL WHERE place IS NOT NULL;
-- set_places: without a gap, in the order of the corpus
UPDATE documents SET place = n FROM
  (SELECT position AS at, row_number() OVER (ORDER BY position) - 1 AS n FROM documents WHERE id IS NOT NULL)
WHERE position = at;
-- forget_alike: the files that were refused with such a reason
DELETE FROM documents WHERE id IS NULL AND substr(reason, 1, length(:reason)) = :reason;
