"""No package may bring code that runs at every start of Python."""

import subprocess
import sys
from pathlib import Path


def check_pth(project: Path, *folders: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(project / "scripts" / "check-pth"), *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_environment_of_these_tests_is_clean(project: Path) -> None:
    result = check_pth(project)

    assert (result.returncode, result.stderr) == (0, "")


def test_the_files_of_our_own_tools_and_of_the_editable_install_pass(project: Path, tmp_path: Path) -> None:
    (tmp_path / "a1_coverage.pth").write_text("import sys", "utf-8")
    (tmp_path / "distutils-precedence.pth").write_text("import os", "utf-8")
    (tmp_path / "_benchwright.pth").write_text(f"{project / 'src'}\n", "utf-8")

    assert check_pth(project, tmp_path).returncode == 0


def test_an_unknown_file_is_refused_by_name_with_what_to_do(project: Path, tmp_path: Path) -> None:
    (tmp_path / "litellm_init.pth").write_text("import os", "utf-8")
    result = check_pth(project, tmp_path)

    assert result.returncode == 1
    assert f"check-pth: {tmp_path / 'litellm_init.pth'}: unknown\n" in result.stderr
    assert "delete it" in result.stderr


def test_code_behind_the_name_of_the_editable_install_is_refused(project: Path, tmp_path: Path) -> None:
    (tmp_path / "_benchwright.pth").write_text(f"{project / 'src'}\nimport os\n", "utf-8")
    result = check_pth(project, tmp_path)

    assert result.returncode == 1
    assert "should hold one line" in result.stderr


def test_an_editable_install_of_another_folder_is_refused(project: Path, tmp_path: Path) -> None:
    (tmp_path / "_benchwright.pth").write_text(f"{tmp_path}\n", "utf-8")

    assert check_pth(project, tmp_path).returncode == 1


def test_a_missing_folder_is_a_usage_error(project: Path, tmp_path: Path) -> None:
    result = check_pth(project, tmp_path / "site-packages")

    assert result.returncode == 2
    assert "no such folder" in result.stderr
