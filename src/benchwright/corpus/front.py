"""Front matter of Markdown: YAML between `---` or TOML between `+++`, of which single texts are read."""

import re
import tomllib

_BLOCK = re.compile(r"\A(---|\+\+\+)[^\S\n]*\n(.*?)(?<=\n)(?:\1|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([\w-]+)[^\S\n]*:(?:[^\S\n]+(.*)|)\Z")
_FOLDED = re.compile(r"[|>][-+\d]*(?:\s+#.*)?")
_QUOTED = re.compile(r"(?s)(['\"])(.*?)\1\s*(?:#.*)?")
_COMMENT = re.compile(r"\s#.*")


def read_front(text: str) -> tuple[dict[str, str], str]:
    """The fields that are texts, by their names in small letters, and what follows the front matter.

    A file without front matter has no fields. Lists and tables are passed over.
    """
    block = _BLOCK.match(text)
    if not block:
        return {}, text
    return (_toml if block[1] == "+++" else _yaml)(block[2]), text[block.end() :]


def _toml(block: str) -> dict[str, str]:
    try:
        found = tomllib.loads(block)
    except tomllib.TOMLDecodeError:
        return {}
    return {key.lower(): " ".join(value.split()) for key, value in found.items() if isinstance(value, str)}


def _yaml(block: str) -> dict[str, str]:
    """Fields at the margin; their lines below, set in, belong to them."""
    fields: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in block.splitlines():
        if field := _FIELD.match(line):
            lines = fields.setdefault(field[1].lower(), [])
            lines[:] = [(field[2] or "").strip()]
        elif lines and (line[:1].isspace() or not line):
            lines.append(line.strip())
        else:
            lines = []
    return {key: value for key, lines in fields.items() if (value := _scalar(lines))}


def _scalar(lines: list[str]) -> str:
    """One text of lines that may be folded, literal, quoted or plain; nothing for a list or a table."""
    first, *rest = lines
    if _FOLDED.fullmatch(first):
        paragraphs = "\n".join(rest).strip().split("\n\n")
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    whole = " ".join([first, *rest]).strip()
    if quoted := _QUOTED.fullmatch(whole):
        return quoted[2].replace("''", "'").replace('\\"', '"').strip()
    if not first and (_FIELD.match(rest[0] if rest else "") or whole.startswith("- ")):
        return ""
    return "" if whole.startswith(("[", "{", "- ")) else _COMMENT.sub("", " ".join(whole.split()))
