"""What the commands of all files share: the campaign they are about, and how they print."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from benchwright.show.screen import Screen

Campaign = Annotated[Path, Parameter(help="The campaign's .toml file; once it has begun, its .db file serves as well.")]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Common:
    """What every command takes."""

    json: Annotated[bool, Parameter(help="Print one JSON document on stdout; progress goes to stderr.")] = False
    debug: Annotated[bool, Parameter(help="Print the whole traceback of an unexpected error.")] = False

    @property
    def screen(self) -> "Screen":
        """Where the command prints."""
        from benchwright.show.screen import Screen

        return Screen(json=self.json)


COMMON = Common()
