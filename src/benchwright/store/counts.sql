-- of: all counts of a kind
SELECT name, state, n FROM counts WHERE kind = :kind AND n > 0 ORDER BY name, state;
