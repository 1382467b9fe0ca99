-- document: the admitted documents with what their digests are of
SELECT name, digest, name, id, body, sections, masked, titles, notes FROM documents
WHERE id IS NOT NULL AND digest IS NOT NULL;
-- item: the items of the set, with what their digests are of
SELECT id, digest, seq, state, cause, detail, body FROM items WHERE state = 'kept' AND digest IS NOT NULL;
-- answer: what was said about them, with what its digest is of
SELECT items.id, answers.digest, answers.item, step, about, who, answers.body, call, at
FROM items JOIN answers ON answers.item = items.seq WHERE state = 'kept' AND answers.digest IS NOT NULL;
