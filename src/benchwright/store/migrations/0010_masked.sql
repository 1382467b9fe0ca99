-- Sections that only some writers see: JSON list of section indices; NULL where nothing is masked.

ALTER TABLE documents ADD COLUMN masked TEXT;
