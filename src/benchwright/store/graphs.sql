-- lay_about: what the file is
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- lay_entities: what is known by name
CREATE TABLE IF NOT EXISTS entities (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, synonyms TEXT NOT NULL
) STRICT;
-- lay_names: every name's normal form; n is 0 for an entity's own name
CREATE TABLE IF NOT EXISTS names (form TEXT NOT NULL, n INTEGER NOT NULL, entity INTEGER NOT NULL, name TEXT NOT NULL,
PRIMARY KEY (form, n, entity)) STRICT, WITHOUT ROWID;
-- lay_relations: what holds between two entities
CREATE TABLE IF NOT EXISTS relations (seq INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
-- lay_sources: who says so
CREATE TABLE IF NOT EXISTS sources (seq INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
-- lay_links: the edges as they are read, until they are laid down as sides
CREATE TEMP TABLE IF NOT EXISTS links (subject INTEGER NOT NULL, relation INTEGER NOT NULL, object INTEGER NOT NULL,
source INTEGER NOT NULL, details TEXT NOT NULL) STRICT;
-- lay_sides: each edge under both its ends, once; role is 0 where the entity is the subject; the latest first
CREATE TABLE IF NOT EXISTS sides (entity INTEGER NOT NULL, relation INTEGER NOT NULL, details TEXT NOT NULL,
role INTEGER NOT NULL, other INTEGER NOT NULL, source INTEGER NOT NULL,
PRIMARY KEY (entity, relation, details DESC, role, other, source)) STRICT, WITHOUT ROWID;
-- index_ids: ids are unique
CREATE UNIQUE INDEX IF NOT EXISTS entities_id ON entities (id);
-- index_kinds: names of some kinds
CREATE INDEX IF NOT EXISTS entities_kind ON entities (kind);
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
-- add_relation: one relation
INSERT INTO relations (seq, name) VALUES (:seq, :name);
-- add_source: one source
INSERT INTO sources (seq, name) VALUES (:seq, :name);
-- add_link: one edge
INSERT INTO links (subject, relation, object, source, details) VALUES (:subject, :relation, :object, :source, :details);
-- lay_down: all edges as sides, in the order in which they are kept
INSERT OR IGNORE INTO sides (entity, relation, details, role, other, source)
SELECT subject AS entity, relation, details, 0 AS role, object AS other, source FROM links UNION ALL
SELECT object, relation, details, 1, subject, source FROM links WHERE subject <> object
ORDER BY entity, relation, details DESC, role, other, source;
-- count: the edges, each once
SELECT count(*) FROM sides WHERE role = 0;
-- named: who has a name of this form
SELECT names.name, names.n, id, entities.name, kind, synonyms FROM names JOIN entities ON entities.seq = names.entity
WHERE form = :form ORDER BY n > 0, entities.seq;
-- spoken: who has a name of one of these forms
SELECT names.name, names.n, entities.id, entities.name, kind, synonyms
FROM json_each(:forms) AS said CROSS JOIN names ON form = said.value JOIN entities ON entities.seq = names.entity;
-- of_kind: the entities of a kind
SELECT id, name, kind, synonyms FROM entities WHERE kind = :kind ORDER BY seq;
-- kinds: of which there are entities
SELECT DISTINCT kind FROM entities ORDER BY kind;
-- place: where an entity is
SELECT seq, id, name, kind, synonyms FROM entities WHERE id = :id;
-- relations: those in which an entity stands
WITH RECURSIVE found (relation) AS (SELECT min(relation) FROM sides WHERE entity = :entity UNION ALL
SELECT (SELECT min(relation) FROM sides WHERE entity = :entity AND sides.relation > found.relation)
FROM found WHERE relation IS NOT NULL)
SELECT relation FROM found WHERE relation IS NOT NULL;
-- facts: everything that an entity is an end of
SELECT entities.id, entities.name, kind, synonyms, role, relations.name, sources.name, details
FROM sides CROSS JOIN relations ON relations.seq = relation CROSS JOIN sources ON sources.seq = source
CROSS JOIN entities ON entities.seq = other WHERE entity = :entity
ORDER BY relation, details DESC, role, other, source;
-- latest: the first facts by one relation
SELECT entities.id, entities.name, kind, synonyms, role, relations.name, sources.name, details
FROM sides CROSS JOIN relations ON relations.seq = relation CROSS JOIN sources ON sources.seq = source
CROSS JOIN entities ON entities.seq = other WHERE entity = :entity AND relation = :relation
ORDER BY details DESC, role, other, source LIMIT :each;
-- between: the facts with some entities
SELECT entities.id, entities.name, kind, synonyms, role, relations.name, sources.name, details
FROM sides CROSS JOIN relations ON relations.seq = relation CROSS JOIN sources ON sources.seq = source
CROSS JOIN entities ON entities.seq = other WHERE entity = :entity
AND other IN (SELECT entities.seq FROM json_each(:ends) JOIN entities ON entities.id = value)
ORDER BY relation, details DESC, role, other, source;
