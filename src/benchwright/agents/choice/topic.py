"""A topic of a taxonomy as one line of a prompt, and its name out of that line."""

import json


def topic_line(name: str, about: str) -> str:
    """The line "Name: about"; a name that would be cut short at its own colon stands in quotes."""
    shown = json.dumps(name, ensure_ascii=False) if ":" in name or name.startswith('"') else name
    return f"{shown}: {about}" if about else shown


def topic_name(line: str) -> str:
    """The name of the topic in such a line."""
    if line.startswith('"'):
        name, _ = json.JSONDecoder().raw_decode(line)
        return str(name)
    return line.partition(":")[0]
