-- Who changed the recipe, and why; empty where a run took the change with --accept-changes.

ALTER TABLE changes ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN why TEXT NOT NULL DEFAULT '';
