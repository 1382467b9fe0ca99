"""Files read in processes of their own: bounds on time and memory, crashes, and one process after another."""

import base64
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.corpus.pdfs import At, file_of, lines, pdf, stream
from tests.corpus.test_pdf import OTHER, PROSE, prose, text_of

from benchwright.corpus import apart
from benchwright.corpus.apart import Apart
from benchwright.corpus.read import read
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

GOOD = pdf([lines(prose())])


def bomb(depth: int = 9) -> bytes:
    """A page that draws a form ten times, which draws another ten times, and so on: 10^depth words."""
    shown = b"/MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /N 5 0 R >> >>"
    kids = b"<< /Type /Page /Parent 2 0 R %b >>" % shown
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        kids,
        stream(b"/N Do"),
    ]
    form = "/Type /XObject /Subtype /Form /BBox [0 0 595 842]"
    for level in range(depth):
        inner = f"/Resources << /XObject << /N {6 + level} 0 R >> >>"
        objects.append(stream(b"/N Do " * 10, f"{form} {inner}"))
    font = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    objects.append(stream(b"BT /F1 10 Tf 50 500 Td (words) Tj ET", f"{form} {font}"))
    return file_of(objects)


def state(processes: Apart, data: bytes, name: str = "a.pdf") -> tuple[str, str]:
    with pytest.raises(Unreadable) as refusal:
        processes.read(data, name, Path(name).suffix, Documents())
    return refusal.value.state, str(refusal.value)


def test_a_file_that_hangs_is_timed_out_and_the_next_is_read() -> None:
    with Apart(1, seconds=1) as processes:
        began = time.monotonic()
        assert state(processes, bomb()) == (
            "timed out",
            "a.pdf: takes more than 1 s to read; split it, or save it anew",
        )
        assert time.monotonic() - began < 10
        assert text_of(processes.read(GOOD, "b.pdf", ".pdf", Documents())) == PROSE.strip()


def test_a_file_that_needs_too_much_memory_ends_only_its_own_reading() -> None:
    with Apart(1, megabytes=400) as processes:
        found, message = state(processes, pdf([[At(60, 60, "x" * 40)]]) + b" " * (150 << 20), "big.pdf")
        assert found in {"too large", "crashed"}
        assert "400 MB" in message
        assert text_of(processes.read(GOOD, "b.pdf", ".pdf", Documents())) == PROSE.strip()


def test_a_process_that_dies_takes_one_file_with_it() -> None:
    with Apart(1) as processes, ThreadPoolExecutor(1) as threads:
        doomed = threads.submit(state, processes, bomb())
        kill_reader(processes)
        found, message = doomed.result()
        assert found == "crashed"
        assert "exit code -9" in message
        assert text_of(processes.read(GOOD, "b.pdf", ".pdf", Documents())) == PROSE.strip()


def kill_reader(processes: Apart) -> None:
    while not processes._running:  # noqa: SLF001 - which process reads is nobody else's business
        time.sleep(0.01)
    [worker] = processes._running  # noqa: SLF001
    time.sleep(0.3)
    worker.process.kill()


def test_processes_end_with_their_context_even_in_the_midst_of_a_file() -> None:
    with ThreadPoolExecutor(2) as threads:
        with Apart(1) as processes:
            reading = threads.submit(state, processes, bomb())
            waiting = threads.submit(state, processes, GOOD)
            while not processes._running:  # noqa: SLF001
                time.sleep(0.01)
        assert {reading.result()[0], waiting.result()[0]} <= {"crashed", "stopped"}


def test_a_process_ends_when_its_parent_does() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "benchwright.corpus.apart", "1024"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    out, _ = child.communicate(b"")
    assert (child.returncode, out) == (0, b"")


def test_an_orphan_that_hangs_is_ended_by_the_system() -> None:
    asked = b'{"data": "%b", "name": "a.pdf", "suffix": ".pdf", "seconds": -1.5, "keep": {}}\n'
    child = subprocess.Popen(
        [sys.executable, "-m", "benchwright.corpus.apart", "1024"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    child.communicate(asked % base64.b64encode(bomb()))
    assert child.returncode == -signal.SIGXCPU


def test_one_process_reads_many_files_and_is_replaced_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "FILES", 3)
    begun: list[Any] = []
    real = subprocess.Popen

    def popen(*given: Any, **more: Any) -> Any:
        begun.append(given)
        return real(*given, **more)

    monkeypatch.setattr(subprocess, "Popen", popen)
    with Apart(1) as processes:
        for _ in range(7):
            processes.read(GOOD, "a.pdf", ".pdf", Documents())
    assert len(begun) == 3


def test_files_are_read_side_by_side_with_the_same_result() -> None:
    with Apart(2) as processes, ThreadPoolExecutor(8) as threads:
        files = [pdf([lines(prose(PROSE if n % 2 else OTHER))]) for n in range(16)]
        texts = threads.map(lambda data: text_of(processes.read(data, "a.pdf", ".pdf", Documents())), files)
        assert list(texts) == [(PROSE if n % 2 else OTHER).strip() for n in range(16)]


def test_four_hundred_pages_are_read_with_their_heads_left_out(tmp_path: Path) -> None:
    pages = [
        [At(60, 40, f"Yearbook of the committee {n}"), *lines(prose(f"{PROSE}Page text {n} ends here.", 80), y=150)]
        for n in range(400)
    ]
    (tmp_path / "long.pdf").write_bytes(pdf(pages))
    document = read(tmp_path / "long.pdf", "long.pdf")
    assert "Yearbook" not in document.text
    assert all(f"Page text {n} ends here." in document.text for n in range(400))
    assert "400 lines of page heads and feet left out" in document.notes


def test_html_is_read_by_the_same_door(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>It rained.</p>")
    assert read(tmp_path / "a.html", "a.html").text == "It rained."
