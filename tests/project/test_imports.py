"""The command line starts at once: heavy libraries wait until they are used."""

import subprocess
import sys
from pathlib import Path

HEAVY = ("boto3", "litellm", "lxml", "numpy", "openai", "torch", "xllamacpp")


def test_importing_the_command_line_loads_no_heavy_library(project: Path) -> None:
    code = f"import sys, benchwright.cli; print(*[name for name in {HEAVY} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    result = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(project / "src")}
    )

    assert result.stdout.split() == []
