-- begin_file: a file of records
INSERT INTO files (name) VALUES (:name);
-- end_file: a file that was read to its end
UPDATE files SET ended = 1 WHERE id = :file;
-- ended_files: the names of the files that were read to their ends
SELECT name FROM files WHERE ended = 1;
-- drop_records: the records of files that were not read to their ends
DELETE FROM records WHERE file IN (SELECT id FROM files WHERE ended = 0);
-- drop_refused: the refused lines of such files
DELETE FROM refused_lines WHERE file IN (SELECT id FROM files WHERE ended = 0);
-- drop_files: such files
DELETE FROM files WHERE ended = 0;
-- forget_refused: all refused lines
DELETE FROM refused_lines;
-- forget_files: all files
DELETE FROM files;
-- add: a record; the same fields under a second name are not added
INSERT INTO records (id, file, line, body, notes) VALUES (:id, :file, :line, :body, :notes) ON CONFLICT DO NOTHING;
-- refuse: a line that is no record
INSERT INTO refused_lines (file, line, reason) VALUES (:file, :line, :reason);
-- name: the file and the line of a record
SELECT name, line FROM records JOIN files ON files.id = file WHERE records.id = :id;
-- get: a record with its file and its line
SELECT name, line, body, notes FROM records JOIN files ON files.id = file WHERE records.id = :id;
-- at: the record at a place
SELECT id, body FROM records WHERE place = :place;
-- count: how many records there are
SELECT coalesce(max(place), 0) FROM records;
-- count_refused: how many lines were refused
SELECT count(*) FROM refused_lines;
-- refused: the first refused lines
SELECT name, line, reason FROM refused_lines JOIN files ON id = file ORDER BY file, line LIMIT :most;
