"""What a provider refuses about one row of a batch: seven of eight documents are checked, the eighth is named."""

from pathlib import Path

import pytest
from tests.batch_stub import BatchStub
from tests.cli.campaign import answer, typed
from tests.e2e.test_quota import campaign, rows
from tests.e2e.test_refusals import REFUSALS, Mended, about_bad
from tests.stub import Raw, in_thread

from benchwright.engine import outcome
from benchwright.llm.batch import batch
from benchwright.show.code import Code


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)
    for name in ("QUIET", "FIRST", "LONGEST"):
        monkeypatch.setattr(batch, name, 0.1)


# The lines of a batch's results are JSON, so what firewalls say never stands there.
IN_ROWS = {name: found for name, found in REFUSALS.items() if str(found[0].text).startswith("{")}


@pytest.mark.parametrize(("refusal", "cause"), IN_ROWS.values(), ids=IN_ROWS.keys())
def test_of_eight_documents_in_a_batch_seven_are_made_and_the_refused_one_is_named(
    refusal: Raw, cause: str, tmp_path: Path
) -> None:
    endpoint = Mended(lambda body: refusal if about_bad(body) and "verdicts" in str(body) else answer(body))
    with in_thread(BatchStub(endpoint, looks=1)) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=8)
        file.write_text(file.read_text().replace('panel = ["writer"] }', 'panel = ["writer"], batch = true }'))
        ran = typed("run", file)
        assert ran.code == Code.WAITING, ran
        assert rows(file, "SELECT state, count(*) FROM items GROUP BY 1") == [("kept", 7), ("waiting", 1)]
        [call] = typed("calls", file, "--failed", "--json").json
        assert (call["cause"], call["source"], call["role"]) == (cause, "documents/003.md", "check_option")
        assert len(stub.sent) >= 8
        endpoint.sound = True
        assert typed("run", file, "--ask-again").code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(8,)]
