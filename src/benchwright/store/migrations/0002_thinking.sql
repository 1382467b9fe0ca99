-- Reasoning tokens, which providers count into the completion and bill with it.

ALTER TABLE calls ADD COLUMN thinking INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spending ADD COLUMN thinking INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER calls_settled;
CREATE TRIGGER calls_settled AFTER UPDATE OF state ON calls WHEN NEW.state = 'done' AND OLD.state <> 'done' BEGIN
  INSERT INTO spending (model, step, calls, prompt, completion, cached, cost, unpriced, latency, thinking)
  VALUES (NEW.model, NEW.step, 1, NEW.prompt, NEW.completion, NEW.cached, coalesce(NEW.cost, 0), NEW.cost IS NULL,
    NEW.latency, NEW.thinking)
  ON CONFLICT DO UPDATE SET calls = calls + 1, prompt = prompt + excluded.prompt,
    completion = completion + excluded.completion, cached = cached + excluded.cached, cost = cost + excluded.cost,
    unpriced = unpriced + excluded.unpriced, latency = latency + excluded.latency,
    thinking = thinking + excluded.thinking;
END;
