"""The exported set in the library that researchers load it with: `datasets`, where that is installed."""

from pathlib import Path

import pytest
from tests.cli.campaign import typed
from tests.crisis.campaign import RECORDS, campaign
from tests.crisis.models import agree
from tests.stub import Stub, in_thread

from benchwright.show.code import Code


@pytest.mark.filterwarnings("ignore")
def test_every_table_of_a_set_loads_with_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: pip install datasets")
    with in_thread(Stub(agree)) as models:
        file = campaign(tmp_path, models.url, settings="compared = 0.0", records=RECORDS[:1])
        assert typed("run", file).code == Code.DONE
    folder = tmp_path / "set"
    assert typed("export", file, "--folder", folder).code == Code.DONE
    sizes = {"questions": 6, "scenes": 1, "answers": 12, "judgements": 18}
    for name, size in sizes.items():
        found = datasets.load_dataset(str(folder), name, split="test", cache_dir=str(tmp_path / "cache"))
        assert len(found) == size
    assert set(datasets.load_dataset(str(folder), split="test", cache_dir=str(tmp_path / "cache"))["time_frame"]) == {
        "immediate",
        "week",
        "month",
    }
