"""The campaign file: TOML in, a frozen `Campaign` out; the file that `init` writes; what changed between two."""

from benchwright.config.changes import describe_changes, differences
from benchwright.config.edit import Change, edit_file
from benchwright.config.load import load, parse
from benchwright.config.overrides import describe_overrides
from benchwright.config.template import template

__all__ = ["Change", "describe_changes", "describe_overrides", "differences", "edit_file", "load", "parse", "template"]
