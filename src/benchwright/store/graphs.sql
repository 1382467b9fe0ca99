-- lay_about: what the file is
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- lay_entities: what is known by name
CREATE TABLE IF NOT EXISTS entities (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, synonyms TEXT NOT NULL
) STRICT;
-- lay_names: every name's normal form; n is 0 for an entity's own name
CREATE TABLE IF NOT EXISTS names (form TEXT NOT NULL, n INTEGER NOT NULL, entity INTEGER NOT NULL, name TEXT NOT NULL,
PRIMARY KEY (form, n, entity)) STRICT, WITHOUT ROWID;
-- lay_claims: relations with who claims them
CREATE TABLE IF NOT EXISTS claims (seq INTEGER PRIMARY KEY, relation TEXT NOT NULL, source TEXT NOT NULL) STRICT;
-- lay_links: the edges
CREATE TABLE IF NOT EXISTS links (seq INTEGER PRIMARY KEY, subject INTEGER NOT NULL, claim INTEGER NOT NULL,
object INTEGER NOT NULL, details TEXT NOT NULL) STRICT;
-- index_ids: ids are unique
CREATE UNIQUE INDEX IF NOT EXISTS entities_id ON entities (id);
-- index_kinds: names of some kinds
CREATE INDEX IF NOT EXISTS entities_kind ON entities (kind);
-- index_subjects: edges from
CREATE INDEX IF NOT EXISTS links_subject ON links (subject);
-- index_objects: edges to
CREATE INDEX IF NOT EXISTS links_object ON links (object);
-- note: a fact about the file
INSERT INTO about (key, value) VALUES (:key, :value);
-- noted: the facts about the file
SELECT key, value FROM about ORDER BY key;
-- add_entity: one entity
INSERT INTO entities (seq, id, name, kind, synonyms) VALUES (:seq, :id, :name, :kind, :synonyms);
-- get: one entity by its place
SELECT id, name, kind, synonyms FROM entities WHERE seq = :seq;
-- change: other names of a known entity were found
UPDATE entities SET synonyms = :synonyms WHERE seq = :seq;
-- every: all entities
SELECT seq, id, name, kind, synonyms FROM entities ORDER BY seq;
-- add_name: one name
INSERT INTO names (form, n, entity, name) VALUES (:form, :n, :entity, :name);
-- add_claim: one relation of one source
INSERT INTO claims (seq, relation, source) VALUES (:seq, :relation, :source);
-- add_link: one edge
INSERT INTO links (subject, claim, object, details) VALUES (:subject, :claim, :object, :details);
-- named: who has a name of this form
SELECT names.name, names.n, id, entities.name, kind, synonyms FROM names JOIN entities ON entities.seq = names.entity
WHERE form = :form ORDER BY n > 0, entities.seq;
-- of_kind: the entities of a kind
SELECT id, name, kind, synonyms FROM entities WHERE kind = :kind ORDER BY seq;
-- facts: everything that an entity is an end of
SELECT s.id, s.name, s.kind, s.synonyms, relation, o.id, o.name, o.kind, o.synonyms, source, details
FROM links CROSS JOIN claims ON claims.seq = claim
CROSS JOIN entities AS s ON s.seq = subject CROSS JOIN entities AS o ON o.seq = object
WHERE links.seq IN (SELECT seq FROM links WHERE subject = (SELECT seq FROM entities WHERE id = :id)
UNION SELECT seq FROM links WHERE object = (SELECT seq FROM entities WHERE id = :id)) ORDER BY links.seq;
