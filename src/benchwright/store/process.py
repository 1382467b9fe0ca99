"""Processes of this machine: whether one lives, and whether it is still the same one."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
DEAD = "ZX"  # states of a process that has ended, and whose parent has not yet asked how


def birth(pid: int) -> str:
    """When a process began, as text to compare; empty where there is none, or where that cannot be found out."""
    if BOOT.exists():
        with suppress(OSError):
            state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            return "" if state in DEAD else f"{BOOT.read_text('ascii').strip()}/{fields[18]}"
        return ""
    asked = ["ps", "-o", "lstart=", "-p", str(pid)]  # a system without /proc, such as macOS
    with suppress(OSError):
        return subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip()  # noqa: S603 - words of ours
    return ""


def lives(pid: int, born: str) -> bool:
    """Whether the process that began then still lives; another user's that is hidden from us is believed to."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return birth(pid) in {born, ""}
    return birth(pid) == born
