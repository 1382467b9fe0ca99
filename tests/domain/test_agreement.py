"""Agreement of raters: reference values, and what is undefined."""

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.domain.agreement import CONSTANT, NOTHING, Agreement, Scale, Weights, cohen, fleiss, krippendorff


@pytest.fixture(name="golden", scope="module")
def _golden() -> dict[str, Any]:
    """Cases with the values of scikit-learn, statsmodels and the package krippendorff."""
    found: dict[str, Any] = json.loads(shared_data("real/agreement/golden_agreement.json").read_text("utf-8"))
    return found


def equal(found: Agreement, expected: float | None) -> bool:
    """The reference value to the digits given; where there is none, no value but a reason."""
    if expected is None:
        return found.value is None and bool(found.reason)
    return found.value == pytest.approx(expected, abs=1e-9) and not found.reason


def test_cohens_kappa_equals_the_reference_unweighted_and_weighted(golden: dict[str, Any]) -> None:
    assert len(golden["cohen"]) == 9
    for case in golden["cohen"]:
        for weights in get_args(Weights):
            assert equal(cohen(case["a"], case["b"], case["labels"], weights), case[weights]), (case["name"], weights)


def test_fleiss_kappa_equals_the_reference_with_fixed_and_free_margins(golden: dict[str, Any]) -> None:
    assert len(golden["fleiss"]) == 4
    for case in golden["fleiss"]:
        assert equal(fleiss(case["table"]), case["fleiss"]), case["name"]
        assert equal(fleiss(case["table"], free=True), case["randolph_free_marginal"]), case["name"]


def test_krippendorffs_alpha_equals_the_reference_on_every_scale(golden: dict[str, Any]) -> None:
    cases = golden["krippendorff"]
    assert len(cases) == 4
    for case in cases:
        units = list(zip(*case["coders_by_units"], strict=True))
        for scale in get_args(Scale):
            if scale in case or "reference" in case:
                assert equal(krippendorff(units, scale), case.get(scale)), (case["name"], scale)


def test_what_is_undefined_says_why() -> None:
    assert cohen([1, 1], [1, 1]) == Agreement(None, CONSTANT, 2)
    assert cohen([], []) == Agreement(None, NOTHING)
    assert fleiss([[3, 0], [3, 0]]) == Agreement(None, CONSTANT, 2)
    assert fleiss([]) == fleiss([[1, 0]]) == Agreement(None, NOTHING)
    assert krippendorff([["a", "a"], ["a", None]]) == Agreement(None, CONSTANT, 1)
    assert krippendorff([["a", None], [None, "b"]]) == krippendorff([]) == Agreement(None, NOTHING)


# Four coders, twelve units: Krippendorff, Computing Krippendorff's alpha-reliability, 2011
UNITS = "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 .3.."
HOWTO = [[None if said == "." else float(said) for said in unit] for unit in UNITS.split()]


@pytest.mark.parametrize(
    ("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_has_the_published_values_of_its_authors_example(scale: Scale, published: float) -> None:
    assert krippendorff(HOWTO, scale).value == pytest.approx(published, abs=5e-4)


words = st.sampled_from(["correct", "wrong", "flawed"])
both = st.lists(st.tuples(words, words), min_size=1, max_size=12)


@pytest.mark.parametrize(
    "measure",
    [
        lambda pairs: cohen([a for a, _ in pairs], [b for _, b in pairs]),
        lambda pairs: fleiss([[pair.count(word) for word in ("correct", "wrong", "flawed")] for pair in pairs]),
        krippendorff,
    ],
    ids=["cohen", "fleiss", "krippendorff"],
)
@given(pairs=both)
def test_agreement_is_at_most_1_which_is_perfect_and_does_not_depend_on_who_is_first(
    measure: Callable[[list[tuple[str, str]]], Agreement], pairs: list[tuple[str, str]]
) -> None:
    found, turned = measure(pairs), measure([(b, a) for a, b in pairs])

    assert (found.value is None) == (len({word for pair in pairs for word in pair}) == 1)
    if found.value is not None:
        assert found.value == pytest.approx(turned.value)
        assert found.value <= 1
        assert (found.value == pytest.approx(1)) == all(a == b for a, b in pairs)
