"""The campaign file: TOML in, a frozen `Campaign` out; the file that `init` writes; what changed between two."""

from benchwright.config.changes import differences, listed
from benchwright.config.edit import Change, changed
from benchwright.config.load import load, parse
from benchwright.config.template import template

__all__ = ["Change", "changed", "differences", "listed", "load", "parse", "template"]
