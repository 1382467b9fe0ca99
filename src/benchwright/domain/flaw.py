"""What is wrong with a set of files: each flaw with its file and line."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that a tool would stumble over; line 0 is the file as a whole."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        """In one line."""
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in a folder: how many of what there are, all flaws by number and the first of them, remarks.

    A remark is about what tools load, but do with it what one may not expect.
    """

    counts: dict[str, int]
    flaws: tuple[Flaw, ...]
    total: int
    remarks: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return asdict(self)
