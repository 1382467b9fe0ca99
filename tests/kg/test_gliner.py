"""The real libraries on the tiny model that scripts/tiny-gliner makes; whichever of the two is installed."""

import importlib.util
import json
from pathlib import Path

import pytest
from tests.kg.text import document

from benchwright.errors import ConfigError
from benchwright.kg.gliner import FastGliner, TorchGliner, gliner, hits_in_characters, starts, window
from benchwright.kg.mentions import Finder, find

TINY = str(Path(__file__).parent / "tiny_gliner")
LABELS = ("drug", "gene", "disease")
TEXT = "Warfarin inhibits TP53 in chronic myeloid leukemia ."


@pytest.fixture(params=["fast_gliner", "gliner"])
def tiny(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Finder:
    extra = "ner" if request.param == "fast_gliner" else "gliner"
    pytest.importorskip(request.param, reason=f"this library comes with the extra {extra!r}")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return FastGliner(TINY) if request.param == "fast_gliner" else TorchGliner(TINY)


@pytest.mark.filterwarnings("default")
def test_mentions_are_found_with_their_labels(tiny: Finder) -> None:
    hits = tiny.find([TEXT, "Aspirin treats gout ."], LABELS, 0.5)
    assert [(TEXT[hit.start : hit.end], hit.label) for hit in hits[0]] == [
        ("Warfarin", "drug"),
        ("TP53", "gene"),
        ("chronic myeloid leukemia", "disease"),
    ]
    assert len(hits[1]) == 2
    assert tiny.find([], LABELS, 0.5) == []


@pytest.mark.filterwarnings("default")
def test_offsets_count_characters_whatever_stands_before(tiny: Finder) -> None:
    text = "Zoë \U0001f600 — 登革熱 : patients with dengue fever received quinine ."
    found = {text[hit.start : hit.end] for hit in tiny.find([text], LABELS, 0.5)[0]}
    assert {"dengue fever", "quinine"} <= found


@pytest.mark.filterwarnings("default")
def test_the_threshold_is_honoured(tiny: Finder) -> None:
    texts = [TEXT, "gout malaria BRCA1 inhibits asthma in , treats the"]
    scores = {hit.score for hits in tiny.find(texts, LABELS, 0.5) for hit in hits}
    for threshold in sorted(scores):
        assert all(hit.score >= threshold for hits in tiny.find(texts, LABELS, threshold) for hit in hits)
    assert tiny.find(texts, LABELS, 1.1) == [[], []]


@pytest.mark.filterwarnings("error")
def test_a_long_document_is_read_to_its_end_and_no_warning_tells_of_cuts(tiny: Finder) -> None:
    made = document(["Patients with malaria received quinine ." for _ in range(150)])
    found = find(made, tiny, LABELS, 0.5)
    assert tiny.words == 128
    assert [mention.text for mention in found] == ["malaria", "quinine"] * 150
    assert all(made.text[mention.start : mention.end] == mention.text for mention in found)


def test_fast_gliner_refuses_a_threshold_that_it_cannot_honour() -> None:
    pytest.importorskip("fast_gliner", reason="this library comes with the extra 'ner'")
    with pytest.raises(ConfigError, match=r"drops all below 0\.5"):
        FastGliner(TINY).find([TEXT], LABELS, 0.4)


def test_fast_gliner_refuses_a_folder_without_an_onnx_file(tmp_path: Path) -> None:
    pytest.importorskip("fast_gliner", reason="this library comes with the extra 'ner'")
    with pytest.raises(ConfigError, match=r"the ONNX file of the GLiNER model .* cannot be opened"):
        FastGliner(str(tmp_path))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("installed", "about"),
    [
        ((), ""),
        (("fast_gliner",), "(fast-gliner)"),
        (("fast_gliner", "gliner"), "(fast-gliner)"),
        (("gliner",), "(gliner)"),
    ],
)
def test_the_leaner_library_is_taken(installed: tuple[str, ...], about: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in installed:
        pytest.importorskip(name, reason="both libraries are wanted here")
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: name in installed if name in {"fast_gliner", "gliner"} else real(name, *rest),
    )
    if installed:
        assert gliner(TINY).about.endswith(about)
    else:
        with pytest.raises(ConfigError, match="needs the extra 'ner'"):
            gliner(TINY)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"max_len": 128}, 128),
        ({"max_len": 512, "encoder_config": {"max_position_embeddings": 512}}, 170),
        ({"max_len": None, "encoder_config": None}, 384),
        (None, 384),
    ],
)
def test_a_window_holds_what_the_model_bears(config: dict[str, object] | None, words: int, tmp_path: Path) -> None:
    if config is not None:
        (tmp_path / "gliner_config.json").write_text(json.dumps(config), "utf-8")
    assert window(str(tmp_path)) == words


def test_bytes_become_characters() -> None:
    hit = {"start": 5, "end": 10, "label": "disease", "score": 0.9}
    assert starts("é界x") == [0, 2, 5, 6]
    assert hits_in_characters("éé gout!", [hit | {"start": 5, "end": 9}], 0.5)[0][:2] == (3, 7)
    assert hits_in_characters("an gout!!!", [hit], 0.5)[0][:2] == (5, 10)
    assert hits_in_characters("an gout!!!", [hit], 0.91) == []
