"""The store: one SQLite file. The only package that speaks SQL; one noun, one `.py` and one `.sql`."""
