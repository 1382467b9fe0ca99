-- Failed answers that no longer count, so that what failed is asked anew. An answer itself never changes: who reads what
-- was said about an item leaves out what stands here, and the next answer in the same place is signed "glm#2~1".

CREATE TABLE withdrawn (
  answer    INTEGER PRIMARY KEY REFERENCES answers (seq),
  at        TEXT NOT NULL                  -- UTC, ISO 8601
) STRICT;
CREATE TRIGGER failures_withdrawn AFTER INSERT ON withdrawn BEGIN
  UPDATE counts SET n = n - 1 WHERE kind = 'answer' AND state = 'failed'
  AND name = (SELECT step FROM answers WHERE seq = NEW.answer);
END;
CREATE TRIGGER failures_restored AFTER DELETE ON withdrawn BEGIN
  UPDATE counts SET n = n + 1 WHERE kind = 'answer' AND state = 'failed'
  AND name = (SELECT step FROM answers WHERE seq = OLD.answer);
END;

-- Earlier versions said of a checker that was down, by an answer of code, that its failure no longer counts.
INSERT INTO withdrawn SELECT failed.seq, told.at FROM answers AS told JOIN answers AS failed ON failed.item = told.item
AND told.about = failed.about || '/' || failed.who AND json_extract(failed.body, '$.failure') = 'unavailable'
WHERE told.step = 'ask_again' GROUP BY failed.seq;
