"""The campaign file: TOML in, a frozen `Campaign` out; the file that `init` writes; what changed between two."""

from benchwright.config.changes import differences, listed
from benchwright.config.edit import Change, edit_file
from benchwright.config.load import load, parse
from benchwright.config.template import template

__all__ = ["Change", "differences", "edit_file", "listed", "load", "parse", "template"]
