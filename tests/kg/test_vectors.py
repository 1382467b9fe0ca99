from collections.abc import Sequence
from pathlib import Path

import pytest

from benchwright.domain.knowledge import Entity, Named
from benchwright.kg.vectors import Nearest, SapBert

pytest.importorskip("numpy", reason="linking by vectors needs numpy, which comes with the extra 'gliner'")

ANGLES = {"north": (0, 3), "nearly north": (0.2, 1), "north-east": (1, 1), "south": (0, -1), "void": (0, 0)}


class Compass:
    """An embedder that knows a few texts."""

    about = "a compass"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.batches.append(len(texts))
        return [ANGLES[text] for text in texts]


def known(*names: str) -> list[Named]:
    return [Named(name, Entity(name.split()[-1], name, "way"), False) for name in names]


def test_names_are_found_by_the_angle_alone_the_nearest_first() -> None:
    nearest = Nearest(Compass(), known("north-east", "north", "south", "void"))
    (found,) = nearest.close(["nearly north"], 0.8)
    assert [(close.named.name, round(close.cosine, 3)) for close in found] == [("north", 0.981), ("north-east", 0.832)]


def test_what_is_farther_than_the_limit_or_has_no_direction_is_not_near() -> None:
    nearest = Nearest(Compass(), known("north", "void"))
    assert nearest.close(["north-east", "void", "south"]) == [[], [], []]


def test_an_entity_is_near_once_and_no_more_than_the_top_are_told() -> None:
    nearest = Nearest(Compass(), known("north", "nearly north", "north-east"))
    assert [close.named.name for close in nearest.close(["north"], -1.0)[0]] == ["north", "north-east"]
    assert len(nearest.close(["north"], -1.0, top=1)[0]) == 1


def test_nothing_known_or_nothing_asked_gives_nothing() -> None:
    assert Nearest(Compass(), []).close(["north"]) == [[]]
    assert Nearest(Compass(), known("north")).close([]) == []


def test_names_are_embedded_in_batches_once() -> None:
    compass = Compass()
    nearest = Nearest(compass, known(*["north"] * 130))
    assert compass.batches == [64, 64, 2]
    nearest.close(["south"])
    assert compass.batches == [64, 64, 2, 1]
    assert nearest.about == "a compass, 130 names"


def test_sapbert_takes_the_vector_of_the_first_token(tmp_path: Path) -> None:
    """A real BERT with random weights, made here."""
    pytest.importorskip("torch", reason="SapBERT needs the extra 'gliner'")
    transformers = pytest.importorskip("transformers", reason="SapBERT needs the extra 'gliner'")
    words = transformers.AutoTokenizer.from_pretrained(Path(__file__).parent / "tiny_gliner")
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    words.save_pretrained(tmp_path)
    sapbert = SapBert(str(tmp_path))
    alone, *together = [*sapbert.embed(["malaria"]), *sapbert.embed(["malaria", "chronic myeloid leukemia " * 90])]
    assert [len(vector) for vector in (alone, *together)] == [8, 8, 8]
    assert list(alone) == pytest.approx(list(together[0]), abs=1e-5)
