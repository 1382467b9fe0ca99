"""A cap on a real campaign: never exceeded by what is paid, the part that is made is there, a higher cap goes on."""

import re
from collections import Counter
from pathlib import Path

from tests.e2e.machine import campaign, command, rows, sound
from tests.e2e.models import serving

from benchwright.drill.child import contents

PRICES = "price_in = 1000.0\nprice_out = 2000.0\nmax_tokens = 100\n"  # dear, so that a small campaign costs something


def priced(file: Path, cap: str) -> None:
    """Give every model a price, and the campaign a cap."""
    text = re.sub(r"\n\[budget\]\n.*", "", file.read_text("utf-8"))
    text = text if "price_in" in text else text.replace("width = 4\n", f"width = 4\n{PRICES}")
    file.write_text(f"{text}\n[budget]\n{cap}\n", "utf-8")


def spent(file: Path) -> float:
    return float(rows(file, "SELECT coalesce(sum(cost), 0) FROM spending")[0][0])


def asked_twice(traces: list[str]) -> list[str]:
    return [trace for trace, count in Counter(traces).items() if count > 1]


def test_a_run_pauses_before_its_cap_and_a_higher_one_goes_on_without_asking_anything_twice(tmp_path: Path) -> None:
    with serving(0.02) as served:
        free = campaign(tmp_path / "free", served.url, reports=3)
        priced(free, "tokens = 1000000000")
        assert command("run", free).code in {0, 5}
        whole = spent(free)
        before = len(served.traces)

        file = campaign(tmp_path / "capped", served.url, reports=3)
        priced(file, f"usd = {whole / 2:.2f}")
        paused = command("run", file)
        assert paused.code == 3, paused.err + paused.out
        told = " ".join(paused.out.split())
        assert f"of [budget] usd = {whole / 2:.2f}".rstrip("0") in told
        assert "raise it in the campaign file and run again" in told
        assert 0 < spent(file) <= round(whole / 2, 2)
        sound(file)
        assert '"cause":"budget"' in rows(file, "SELECT ended FROM campaign")[0][0]
        assert command("export", file).code == 0
        asked = len(served.traces)

        assert command("run", file).code == 3  # the same cap: nothing is asked, nothing is paid
        assert len(served.traces) == asked

        priced(file, f"usd = {whole * 100:.2f}")
        ended = command("run", file)
        assert ended.code in {0, 5}, ended.err
        assert asked_twice(served.traces[before:]) == []
        assert round(spent(file), 6) == round(whole, 6)
        for made in (free, file):
            assert command("export", made).code == 0
        assert contents(free.with_name("reports-set")) == contents(file.with_name("reports-set"))


def test_a_cap_in_tokens_pauses_too_and_needs_no_price(tmp_path: Path) -> None:
    with serving(0.0) as served:
        file = campaign(tmp_path / "a", served.url, reports=3)
        file.write_text(file.read_text("utf-8") + "\n[budget]\ntokens = 20000\n", "utf-8")
        paused = command("run", file, "--json")
        assert paused.code == 3, paused.err
        assert rows(file, "SELECT sum(prompt + completion) FROM spending")[0][0] <= 20000
        assert "[budget] tokens = 20000" in paused.out


def test_a_cap_in_money_without_a_price_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with serving(0.0) as served:
        file = campaign(tmp_path / "a", served.url, reports=1)
        file.write_text(file.read_text("utf-8") + "\n[budget]\nusd = 1.0\n", "utf-8")
        refused = command("run", file)
        assert refused.code == 2
        assert "'second': no price is known" in refused.err
        assert "price_in" in refused.err
        assert served.traces == []
        assert not file.with_suffix(".db").exists()
