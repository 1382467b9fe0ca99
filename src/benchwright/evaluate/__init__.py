"""Reports as files: a page, JSON, CSV."""
