"""Knowledge graphs: files in, mentions found and linked, facts chosen."""
