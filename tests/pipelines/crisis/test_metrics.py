"""Automatic measures: SacreBLEU as it is, BERTScore and BLEURT by their formulas, none of them ever guessed."""

from collections.abc import Sequence
from math import sqrt

import pytest

from benchwright.errors import UsageError
from benchwright.pipelines.crisis.body import Answered, Asked, Facts, Reply, Scene
from benchwright.pipelines.crisis.measuring import Texts, Weights, measure_all
from benchwright.pipelines.crisis.metrics import bleu as measured
from benchwright.pipelines.crisis.metrics.bertscore import Vector, bertscore, cosine, match
from benchwright.pipelines.crisis.metrics.bleu import bleu, chrf
from benchwright.pipelines.crisis.metrics.bleurt import bleurt
from benchwright.pipelines.crisis.metrics.texts import Case, pair_up

CASES = [Case("the cat sat on the mat today", ("the cat sat on the mat today", "a dog")), Case("no", ("yes",))]


class Letters:
    """An encoder with a vector for each word: its first letter, and whether it is long."""

    id = "letters-1"

    def encode(self, text: str) -> Sequence[tuple[Vector, float]]:
        words = (((float(word[0] == "w"), float(word[0] == "f"), float(len(word) > 4)), 1.0) for word in text.split())
        return [((1.0, 1.0, 0.0), 0.0), *words]


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
    assert (bertscore([], Letters()).value, bleurt([], Length()).value) == (None, None)
    assert "needs one, and none comes with Benchwright" in bertscore(CASES, None).reason
    assert "needs one, and none comes with Benchwright" in bleurt(CASES, None).reason
    monkeypatch.setattr(measured, "find_spec", lambda _: None)
    assert (bleu(CASES).value, bleu(CASES).reason) == (None, measured.INSTALL)


def test_bertscore_is_greedy_matching_without_the_model_s_own_marks() -> None:
    text, gold = Letters().encode("water food"), Letters().encode("water")
    found = match(text, gold)
    assert found.recall == pytest.approx(1)
    food = max(cosine((0, 1, 0), (1, 1, 0)), cosine((0, 1, 0), (1, 0, 1)))  # the mark can be matched, and has no weight
    assert found.precision == pytest.approx((1 + food) / 2)
    assert food == pytest.approx(1 / sqrt(2))
    assert found.f == pytest.approx(2 * found.precision / (1 + found.precision))


def test_of_an_empty_or_strange_side_bertscore_is_nothing() -> None:
    assert match(Letters().encode(""), Letters().encode("water")).f == 0
    assert match([((0.0, 0.0), 1.0)], [((1.0, 0.0), 1.0)]).f == 0


def test_of_several_gold_texts_the_best_counts_and_weights_stand_in_the_signature() -> None:
    cases = [Case("water", ("food", "water")), Case("food", ("food",))]
    assert bertscore(cases, Letters()).value == pytest.approx(1)
    assert bertscore(cases, Letters()).signature == "F1|raw|no-idf|letters-1"
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
    found = list(measure_all(texts, Weights(Letters(), Length())))
    assert {one.source for one in found} == {"m"}
    chosen = {(one.time, one.part, one.score.name): one for one in found}
    best = chosen["immediate", "action", "chrF"]
    assert best.score.value == pytest.approx(100)
    assert best.score.n == 1
    assert best.ceiling.n == 2
    assert 0 < (best.ceiling.value or 0) < 100
    assert chosen["week", "both", "BLEU"].score.reason == "there is no answer to measure"
    assert {name for _, _, name in chosen} == {"BLEU", "chrF", "BERTScore", "BLEURT"}
