"""Agent roles: a typed question, a prompt in the file beside it, a typed answer."""
