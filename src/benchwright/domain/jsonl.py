"""JSON Lines: one value a line, in UTF-8, the same bytes for the same value."""

import re

from benchwright.domain.ids import canonical

# Legal in JSON, but line ends to many a reader, or commands to a terminal.
ESCAPED = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no UTF-8 can hold it


def json_line(value: object) -> str:
    """A value as one line, with its line end."""
    return f"{portable(canonical(value))}\n"


def portable(text: str) -> str:
    """JSON that every reader takes: no character ends a line or is obeyed; half characters are U+FFFD; offsets stay."""
    return SURROGATE.sub("\ufffd", text).translate(ESCAPED)
