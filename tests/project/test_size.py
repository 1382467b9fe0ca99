"""Code stays in the sizes a reader can hold; scripts/check-size measures them."""

import subprocess
import sys
from pathlib import Path


def check_size(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / "scripts" / "check-size"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def package(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return str(folder)


def function(lines: int, docstring: bool = False) -> str:
    head = 'def f() -> int:\n    """Say\n    how.\n    """\n' if docstring else "def f() -> int:\n"
    return head + "    x = 1\n" * (lines - 1) + "    return x\n"


def test_the_code_keeps_to_its_sizes(project: Path) -> None:
    result = check_size(project)

    assert (result.returncode, result.stderr) == (0, "")
    assert "median" in result.stdout


def test_a_function_of_forty_lines_passes_whatever_its_docstring(project: Path, tmp_path: Path) -> None:
    result = check_size(project, package(tmp_path, {"a.py": function(40), "b.py": function(40, docstring=True)}))

    assert result.stdout == "2 functions, median 40 lines, longest 40 (b.py:1 f)\n"
    assert result.returncode == 0


def test_a_function_of_forty_one_lines_is_named(project: Path, tmp_path: Path) -> None:
    result = check_size(project, package(tmp_path, {"a/b.py": "async " + function(41)}))

    assert result.stderr == "check-size: a/b.py:1 f: 41 lines, at most 40\n"
    assert result.returncode == 1


def test_a_file_of_more_than_four_hundred_lines_is_named(project: Path, tmp_path: Path) -> None:
    result = check_size(project, package(tmp_path, {"a.py": "x = 1\n" * 401, "b.py": "x = 1\n" * 400}))

    assert result.stderr == "check-size: a.py: 401 lines, at most 400\n"
    assert result.returncode == 1


def test_the_worker_may_catch_everything_once_and_nobody_else(project: Path, tmp_path: Path) -> None:
    catch = "try:\n    x = 1\nexcept {}:\n    x = 2\n"
    files = {
        "engine/worker.py": catch.format("Exception") * 2,
        "bare.py": catch.format("").replace(" :", ":"),
        "among.py": catch.format("(ValueError, BaseException)"),
        "suppress.py": "with contextlib.suppress(Exception):\n    x = 1\n",
        "narrow.py": catch.format("(ValueError, KeyError)"),
    }
    result = check_size(project, package(tmp_path, files))

    assert result.stderr.splitlines() == [
        f"check-size: {where}: catches everything"
        for where in ("among.py:3", "bare.py:3", "engine/worker.py:7", "suppress.py:1")
    ]
