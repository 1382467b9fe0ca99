"""What a campaign file becomes."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import load
from benchwright.config.shapes import share
from benchwright.domain.campaign import Budget, Campaign, Model, Panel, Quota
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.errors import ConfigError
from benchwright.pipelines.choice.refining import RefineSettings

ROLES = (
    "choose_class",
    "choose_topic",
    "write_question",
    "check_stem",
    "write_correct_options",
    "design_distractors",
    "check_option",
    "check_evidence",
)
LEAST = """
pipeline = "recall"
corpus = ["reports"]
[models.glm]
base_url = "http://localhost:8000/v1/"
model = "glm-4"
[roles]
default = "glm"
"""


def campaign(folder: Path, text: str) -> Campaign:
    path = folder / "outbreaks.toml"
    path.write_text(text, "utf-8")
    return load(path)


def test_the_shortest_campaign_takes_its_name_from_the_file_and_every_default(tmp_path: Path) -> None:
    assert campaign(tmp_path, LEAST) == Campaign(
        name="outbreaks",
        pipeline="recall",
        corpus=("reports",),
        models={"glm": Model("glm", "direct", "glm-4", base_url="http://localhost:8000/v1")},
        roles={role: Panel(("glm",)) for role in ROLES},
        rule=Rule(Fraction(4, 5), Fraction(7, 10)),
        settings={
            "options": [4, 6],
            "distractors": None,
            "min_options": 3,
            "no_correct": "discard",
            "several_correct": 0.25,
            "none_correct": 0.1,
            "most_correct": 3,
            "every_correct": False,
            "taxonomy": "epidemiology",
            "topics": "model",
            "refills": 2,
            "waves": "runs",
            "check_stems": True,
            "check_evidence": True,
            "family_veto": True,
            "planted": 0.0,
        },
    )


def test_every_key_reaches_the_campaign(tmp_path: Path) -> None:
    made = campaign(
        tmp_path,
        """
        name = "Ausbrüche 2026"
        pipeline = "recall"
        corpus = ["reports", "more/*.xml"]
        seed = 7
        language = "German"
        long_documents = "refuse"
        items = { target = 30 }
        [recall]
        distractors = 5
        no_correct = "discard"
        [rule]
        accept = "5/9"
        reject = 0.25
        quorum = 5
        [models.a]
        litellm = "openai/gpt-5"
        api_key_env = "OPENAI_API_KEY"
        temperature = "default"
        top_p = 0.9
        max_tokens = 2000
        context = 100000
        reply = "text"
        timeout = 30
        width = 2
        rpm = 60
        tpm = 90000
        price_in = 1
        price_out = 2.5
        price_cached = 0.1
        adaptive = false
        [models."b.gguf"]
        local = "weights/b.gguf"
        temperature = 1
        [roles]
        default = "a"
        write_question = "b.gguf"
        design_distractors = { panel = ["a"], batch = true }
        check_option = { panel = ["a", "b.gguf"], runs = 3 }
        [budget]
        usd = 20
        tokens = 1000000
        """,
    )
    assert made.models["a"] == Model(
        "a",
        "litellm",
        "openai/gpt-5",
        "",
        "OPENAI_API_KEY",
        None,
        0.9,
        2000,
        100_000,
        "text",
        30,
        2,
        False,
        60,
        90_000,
        1,
        2.5,
        0.1,
    )
    assert made.models["b.gguf"] == Model("b.gguf", "local", "weights/b.gguf", temperature=1.0, price_in=0, price_out=0)
    assert made.roles == {role: Panel(("a",)) for role in ROLES} | {
        "write_question": Panel(("b.gguf",)),
        "design_distractors": Panel(("a",), batch=True),
        **dict.fromkeys(("check_option", "check_stem", "check_evidence"), Panel(("a", "b.gguf"), 3)),
    }
    assert made.batch_models == {"a"}
    assert made.rule == Rule(Fraction(5, 9), Fraction(1, 4), 5)
    assert made.quota == Quota(target=30, tries=3)
    assert made.budget == Budget(20, 1_000_000)
    assert (made.name, made.seed, made.language, made.long_documents) == ("Ausbrüche 2026", 7, "German", "refuse")
    assert made.settings["distractors"] == 5
    assert made.settings["no_correct"] == "discard"


def test_items_per_document_come_with_the_tries_given(tmp_path: Path) -> None:
    assert campaign(tmp_path, LEAST + "[items]\nper_document = 2\ntries = 4\n").quota == Quota(2, None, 4)


def test_a_model_that_no_role_uses_is_allowed(tmp_path: Path) -> None:
    assert "spare" in campaign(tmp_path, LEAST + '[models.spare]\nlocal = "smollm2"\n').models


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "outbreaks.toml"
    path.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert load(path) == campaign(tmp_path, LEAST)


def test_the_preset_gives_the_papers_values(tmp_path: Path) -> None:
    text = 'preset = "epiqal-a"\ncorpus = ["x"]\n' + "".join(f'[models.{n}]\nlocal = "smollm2"\n' for n in "abc")
    made = campaign(tmp_path, text + '[roles]\ndefault = "a"\ncheck_option = { panel = ["b", "c"] }\n')
    assert made.pipeline == "recall"
    assert made.rule == Rule(Fraction(4, 5), Fraction(7, 10))
    assert made.quota == Quota(per_document=1)
    assert made.roles["check_option"] == Panel(("b", "c"), 3)
    assert made.roles["write_question"] == Panel(("a",), 1)
    assert {name: model.temperature for name, model in made.models.items()} == {"a": 0.0, "b": 1.0, "c": 1.0}
    assert (made.settings["topics"], made.settings["no_correct"]) == ("model", "keep")


MODELS = "".join(f'[models.{name}]\nlocal = "smollm2"\n' for name in "abc")
PANEL = '[roles]\ndefault = "a"\ncheck_{} = {{ panel = ["b", "c"] }}\n'
PRESET_OF = {"epiqal-b": "inference", "epiqal-c": "reconstruction"}


def under(preset: str, folder: Path, table: str = "") -> Campaign:
    """A campaign that says no more than its preset, but for this table."""
    models = MODELS + PANEL.format(PRESET_OF[preset])
    return campaign(folder, f'preset = "{preset}"\ncorpus = ["x"]\n{models}{table}')


@pytest.mark.parametrize("preset", PRESET_OF)
def test_the_presets_of_inference_and_reconstruction_give_the_papers_values(preset: str, tmp_path: Path) -> None:
    made = under(preset, tmp_path)
    assert (made.pipeline, made.rule) == (PRESET_OF[preset], Rule(Fraction(4, 5), Fraction(7, 10)))
    assert made.settings["refine"] == {
        "alpha": 0.7,
        "threshold": 0.9,
        "margin": 0.0,
        "measures": 1,
        "quorum": 1,
        "rounds": 3,
        "snippets": 6,
        "replace": 0,
        "tries": 2,
        "keep": "hardest",
    }
    wanted = {"distractors": 4, "several_correct": 0.0, "none_correct": 0.0, "no_correct": "keep"}
    assert {key: made.settings[key] for key in wanted} == wanted
    assert made.settings.get("topics", "model") == "model"
    assert made.roles[f"check_{made.pipeline}"] == Panel(("b", "c"), 3)
    assert made.roles["judge_item"] == made.roles["compare_stems"] == Panel(("a",), 1)
    assert [made.models[name].temperature for name in "abc"] == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("preset", PRESET_OF)
def test_a_key_within_a_table_of_the_preset_leaves_its_other_keys_as_they_are(preset: str, tmp_path: Path) -> None:
    plain = under(preset, tmp_path).settings
    made = under(preset, tmp_path, f"[{PRESET_OF[preset]}.refine]\nrounds = 1\n").settings
    assert made == dict(plain) | {"refine": plain["refine"] | {"rounds": 1}}
    assert under(preset, tmp_path, f"[{PRESET_OF[preset]}]\nrefine = false\n").settings["refine"] is False


def test_the_measure_of_difficulty_is_as_exact_as_the_file(tmp_path: Path) -> None:
    made = campaign(
        tmp_path,
        LEAST.replace("recall", "inference") + "[inference.refine]\nalpha = 0.7\nthreshold = 0.1\nmargin = 0.001\n",
    )
    measure = RefineSettings.model_validate(made.settings["refine"]).rule(3).measure
    assert (measure.alpha, measure.threshold, measure.margin) == (Fraction(7, 10), Fraction(1, 10), Fraction(1, 1000))


def test_stems_may_stay_as_they_are_written_and_no_graph_need_be_asked(tmp_path: Path) -> None:
    made = campaign(tmp_path, LEAST.replace("recall", "inference") + "[inference]\nrefine = false\n")
    assert (made.settings["refine"], made.settings["knowledge"]) == (False, None)


def test_tables_within_tables_reach_the_campaign(tmp_path: Path) -> None:
    made = campaign(
        tmp_path,
        LEAST.replace("recall", "inference")
        + """
        [inference.search]
        use = ["glossary", "searxng"]
        glossary = "words.csv"
        searxng = "http://localhost:8888/"
        [inference.knowledge]
        most = 12
        [[inference.knowledge.graphs]]
        form = "ekg"
        path = "ekg"
        [[inference.knowledge.graphs]]
        form = "triples"
        path = "facts.csv"
        label = "facts"
        """,
    )
    search, knowledge = made.settings["search"], made.settings["knowledge"]
    assert (search["use"], search["glossary"], search["searxng"]) == (
        ["glossary", "searxng"], "words.csv", "http://localhost:8888"
    )  # fmt: skip
    assert knowledge["most"] == 12
    assert [(graph["form"], graph["path"], graph["label"]) for graph in knowledge["graphs"]] == [
        ("ekg", "ekg", ""),
        ("triples", "facts.csv", "facts"),
    ]


def test_a_key_of_the_file_wins_over_the_preset(tmp_path: Path) -> None:
    made = campaign(
        tmp_path,
        """
        pipeline = "recall"
        preset = "epiqal-a"
        corpus = ["x"]
        [items]
        target = 10
        [rule]
        reject = 0.5
        [recall]
        topics = "balanced"
        [models.a]
        local = "smollm2"
        temperature = 0.3
        [roles]
        default = "a"
        check_option = { panel = ["a"], runs = 2 }
        """,
    )
    assert made.rule == Rule(Fraction(4, 5), Fraction(1, 2))
    assert made.models["a"].temperature == 0.3
    assert made.roles["check_option"].runs == 2
    assert made.settings["topics"] == "balanced"
    assert made.quota.target == 10


def test_thresholds_are_exact_where_floats_are_not(tmp_path: Path) -> None:
    rule = campaign(tmp_path, LEAST + "[rule]\naccept = 0.7\nreject = 0.1\n").rule
    assert (rule.accept, rule.reject) == (Fraction(7, 10), Fraction(1, 10))


@given(st.floats(0, 1))
def test_any_share_written_as_a_float_keeps_its_exact_value(number: float) -> None:
    assert share(repr(number)) == Fraction(repr(number))


@given(st.integers(0, 10**30), st.integers(1, 10**30))
def test_any_share_written_as_a_fraction_keeps_its_exact_value(a: int, b: int) -> None:
    low, high = sorted((a, b)) if a else (0, b)
    assert share(f"{low}/{high}") == Fraction(low, high)


@given(st.decimals(0, 1, allow_nan=False, places=12))
def test_a_decimal_goes_through_a_whole_file_unharmed(tmp_path_factory: pytest.TempPathFactory, number: object) -> None:
    rule = campaign(tmp_path_factory.mktemp("c"), f"{LEAST}[rule]\naccept = 1\nreject = {number:f}\n").rule
    assert rule.reject == Fraction(str(number))


def test_the_table_of_review_becomes_the_policy(tmp_path: Path) -> None:
    table = '[review]\nopinions = 2\nblind = false\naudit = 0.05\nadjudicator = "Zoe\u0308"\nreviewers = ["Ada"]\n'
    made = campaign(tmp_path, f"{LEAST}{table}")
    assert made.review == Policy(2, blind=False, audit=Fraction(1, 20), adjudicator="Zoë", reviewers=("Ada",))
    assert made.recipe()["review"] == {"opinions": 2, "blind": False, "audit": "1/20", "adjudicator": "Zoë"}


@pytest.mark.parametrize("line", ["opinions = 0", "audit = 1.1", 'adjudicator = "a/b"', "blind = 1", "names = 3"])
def test_a_policy_out_of_bounds_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"review\.{line.split(maxsplit=1)[0]}"):
        campaign(tmp_path, f"{LEAST}[review]\n{line}\n")
