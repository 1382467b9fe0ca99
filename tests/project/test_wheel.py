"""What is built is what is here: prompts, SQL and taxonomies too."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest


@pytest.fixture(scope="module")
def wheel(project: Path, tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return ZipFile(built)


def test_the_wheel_holds_every_file_of_the_package(project: Path, wheel: ZipFile) -> None:
    source = project / "src"
    files = {file.relative_to(source).as_posix() for file in source.rglob("*") if file.is_file()}
    expected = {name for name in files if "__pycache__" not in name}

    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == expected
    assert {"benchwright/py.typed", "benchwright/agents/document.md"} <= expected


def test_the_wheel_carries_the_licence_and_the_command(wheel: ZipFile) -> None:
    info = {name.partition(".dist-info/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}

    assert "Apache License" in wheel.read(info["licenses/LICENSE"]).decode()
    assert "benchwright = benchwright.__main__:main" in wheel.read(info["entry_points.txt"]).decode()
