"""What a mistake in a campaign file says: its place, what it is, and the way out."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import load
from benchwright.domain.keys import key_lines
from benchwright.errors import ConfigError
from benchwright.pipelines import PIPELINES

TOP = 'pipeline = "recall"\ncorpus = ["x"]\n'
MODEL = '[models.glm]\nlocal = "smollm2"\n'
ROLES = '[roles]\ndefault = "glm"\n'


def told(folder: Path, text: str | bytes) -> list[str]:
    path = folder / "c.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError) as caught:
        load(path)
    return [line.removeprefix(str(path)) for line in str(caught.value).split("\n")]


WHOLE: list[tuple[str | bytes, str]] = [
    (b"name = '\xff'", ":1: is not UTF-8 text: save the file as UTF-8"),
    (b"\n\x00\x01", ":2: is not TOML: Invalid statement, column 1"),
    (TOP + "seed =\n", ":3: is not TOML: Invalid value, column 7"),
    (
        "[a]\nb = false\n[a.b]\n",
        ":3: is not TOML: Cannot overwrite a value, column 5: it stands there already, on line 2",
    ),
    (
        "[roles]\n[a]\n[roles]\n",
        ":3: is not TOML: Cannot declare ('roles',) twice, column 7: it stands there already, on line 1; put",
    ),
    ("a = 1\nb = 1\na = 2\n", ":3: is not TOML: Cannot overwrite a value, column 6: it stands there already, "),
    (TOP + "name = 'x", ':3: is not TOML: Expected "\'", column end'),
    (TOP + "seed = " + "9" * 5000, ": holds a number that is too long: shorten it"),
    (TOP + "seed = 1e99999999999999999999", ": holds a number that is too long: shorten it"),
    ("a = " + "[" * 5000, ": is nested too deeply: a campaign has tables of keys"),
]

WHAT: list[tuple[str | bytes, str]] = [
    (TOP + "sed = 1\n" + MODEL + ROLES, ":3: sed: unknown key; did you mean seed?"),
    (
        TOP + MODEL + ROLES + "[inference]\n",
        ':7: inference: belongs to pipeline = "inference": here the table is [recall]',
    ),
    (TOP + MODEL + ROLES + "[itens]\n", ":7: itens: unknown key; did you mean items?"),
    (
        TOP + MODEL + ROLES + "[zzz]\n",
        ":7: zzz: unknown key; known are name, pipeline, preset, corpus, seed, language,",
    ),
    (TOP + MODEL + "temprature = 1\n" + ROLES, ":5: models.glm.temprature: unknown key; did you mean temperature?"),
    (TOP + MODEL + ROLES + "[recall]\ntopic = 1\n", ":8: recall.topic: unknown key; did you mean topics?"),
    (
        TOP + MODEL + ROLES + "[recall]\ntopics = 'all'\n",
        ":8: recall.topics: should be 'model' or 'balanced', not 'all'",
    ),
    (TOP + "seed = '1'\n" + MODEL + ROLES, ":3: seed: should be a valid integer, not '1'"),
    (TOP + "seed = true\n" + MODEL + ROLES, ":3: seed: should be a valid integer, not true"),
    (TOP + "seed = -5\n" + MODEL + ROLES, ":3: seed: should be greater than or equal to 0, not -5"),
    (TOP + "seed = 1979-05-27\n" + MODEL + ROLES, ":3: seed: should be a valid integer, not a date or time"),
    (TOP + "seed = [1]\n" + MODEL + ROLES, ":3: seed: should be a valid integer, not a list"),
    (TOP + "name = 'a/b'\n" + MODEL + ROLES, ':3: name: should be 1 to 100 visible characters, none of / \\ "'),
    (TOP + f"language = '{'x' * 1001}'\n" + MODEL + ROLES, ":3: language: should have at most 1000 characters, not"),
    (TOP + "items = 3\n" + MODEL + ROLES, ":3: items: should be a table, not 3"),
    ("pipeline = 'recall'\n" + MODEL + ROLES, ': corpus: is missing: what to read, such as corpus = ["documents"]'),
    ("corpus = ['x']\n" + MODEL + ROLES, ': pipeline: is missing: what is made, such as pipeline = "recall"'),
    ("pipeline = 3\ncorpus = ['x']\n" + MODEL + ROLES, ":1: pipeline: should be a valid string, not 3"),
    (
        "pipeline = 'recal'\ncorpus = ['x']\n" + MODEL + ROLES,
        ":1: pipeline: unknown pipeline 'recal'; did you mean recall?",
    ),
    ("pipeline = 'recall'\ncorpus = []\n" + MODEL + ROLES, ":2: corpus: is empty: what to read, such as"),
    ("pipeline = 'recall'\ncorpus = ['']\n" + MODEL + ROLES, ":2: corpus.0: is empty"),
    (TOP + "preset = 'epical-a'\n" + MODEL + ROLES, ":3: preset: unknown preset 'epical-a'; did you mean epiqal-a?"),
    (TOP + "preset = 1\n" + MODEL + ROLES, ":3: preset: should be a valid string, not 1"),
    (TOP + "long_documents = 'cut'\n" + MODEL + ROLES, ":3: long_documents: should be 'view' or 'refuse', not 'cut'"),
    (TOP + MODEL + ROLES + "[items]\ntarget = 0", ":8: items.target: should be greater than or equal to 1, not 0"),
    (
        TOP + MODEL + ROLES + "[items]\ntarget = 3\nper_document = 1",
        ":7: items: per_document and target exclude each other",
    ),
    (
        TOP + MODEL + ROLES + "[rule]\naccept = 1.2",
        ':8: rule.accept: should be between 0 and 1, such as 0.8 or "5/9", not 1.2',
    ),
    (TOP + MODEL + ROLES + "[rule]\nreject = -0.1", ":8: rule.reject: should be between 0 and 1"),
    (TOP + MODEL + ROLES + "[rule]\nreject = nan", ":8: rule.reject: should be between 0 and 1"),
    (TOP + MODEL + ROLES + "[rule]\nreject = true", ":8: rule.reject: should be between 0 and 1"),
    (TOP + MODEL + ROLES + "[rule]\nreject = '1/0'", ":8: rule.reject: should be between 0 and 1"),
    (TOP + MODEL + ROLES + "[rule]\nreject = 1e-999999999", ":8: rule.reject: has more than 400 digits"),
    (TOP + MODEL + ROLES + "[rule]\nreject = 1e999999999", ":8: rule.reject: has more than 400 digits"),
    (TOP + MODEL + ROLES + f"[rule]\nreject = '1/1{'0' * 400}'", ":8: rule.reject: has more than 400 digits"),
    (TOP + MODEL + ROLES + "[rule]\naccept = 0.5", ":7: rule: accept (1/2) is below reject (7/10)"),
    (
        TOP + MODEL + ROLES + "[rule]\nquorum = 2",
        ":8: rule.quorum: is 2, but check_option casts at most 1 (models: 1, runs: 1)",
    ),
    (TOP + MODEL + "images = true\n" + ROLES, ":3: models.glm: images = true: the embedded model takes no images"),
    (
        TOP + "[models.glm]\nlocal = 'minilm'\nembeds = true\n" + ROLES,
        ":7: roles.default: 'glm' embeds texts (embeds = true), it answers nothing",
    ),
    (
        TOP + MODEL + "[roles]\ndefault = { panel = ['glm'], batch = true }",
        ":6: roles.default: batch = true needs base_url with a batch API, litellm = ",
    ),
    (
        TOP + "[models.glm]\nlitellm = 'mistral/large'\n[roles]\ndefault = { panel = ['glm'], batch = true }",
        ":6: roles.default: batch = true needs",
    ),
    (TOP + ROLES, ": models: is missing: give [models.NAME] a provider"),
    (TOP + "models = 'glm'\n" + ROLES, ":3: models: should be a table, not 'glm'"),
    (TOP + "[models]\nglm = 'x'\n" + ROLES, ":4: models.glm: should be a table, not 'x'"),
    (TOP + MODEL + "[models.Human]\nlocal = 'x'\n" + ROLES, ":5: models.Human: is the name of people's queue"),
    (TOP + MODEL + "[models.search]\nlocal = 'x'\n" + ROLES, ":5: models.search: is the name of the queue of searches"),
    (TOP + MODEL + "[models.graphs]\nlocal = 'x'\n" + ROLES, ":5: models.graphs: is the name of the queue of graphs"),
    (TOP + MODEL + "[models.'a#2']\nlocal = 'x'\n" + ROLES, ':5: models."a#2": should be named in at most 64 letters'),
    (
        TOP + MODEL + "litellm = 'a/b'\n" + ROLES,
        ":3: models.glm: has several providers (local, litellm): give it one of",
    ),
    (TOP + "[models.glm]\nwidth = 3\n" + ROLES, ":3: models.glm: has no provider: give it one of local ="),
    (TOP + "[models.glm]\nbase_url = 'http://x'\n" + ROLES, ":3: models.glm: base_url and model belong together"),
    (TOP + MODEL + "model = 'x'\n" + ROLES, ":3: models.glm: base_url and model belong together"),
    (
        TOP + MODEL + "max_tokens = 9000\n" + ROLES,
        ":3: models.glm: max_tokens (9000) leaves no room for a prompt in context",
    ),
    (TOP + MODEL + "price_in = 1\n" + ROLES, ":3: models.glm: price_in and price_out belong together"),
    (TOP + MODEL + "price_in = -1\n" + ROLES, ":5: models.glm.price_in: should be greater than or equal to 0, not -1"),
    (TOP + MODEL + "timeout = inf\n" + ROLES, ":5: models.glm.timeout: should be a finite number, not inf"),
    (TOP + MODEL + "temperature = 'hot'\n" + ROLES, ":5: models.glm.temperature: should be a valid number, not 'hot'"),
    (TOP + MODEL + "rpm = 0\n" + ROLES, ":5: models.glm.rpm: should be greater than or equal to 1, not 0"),
    (
        TOP + MODEL + ROLES + "[models.b]\nbase_url = 'http://localhost:8000/v1/chat/completions'\nmodel = 'x'",
        ":8: models.b.base_url: is the address of one call: leave '/chat/completions' out, which is added to it",
    ),
    (
        TOP + MODEL + ROLES + "[models.b]\nbase_url = 'http://localhost:8000/v1/embeddings/'\nmodel = 'x'",
        ":8: models.b.base_url: is the address of one call: leave '/embeddings' out",
    ),
    (
        TOP + MODEL + ROLES + "[models.b]\nbase_url = 'localhost:8000'\nmodel = 'x'",
        ":8: models.b.base_url: should be an address",
    ),
    (
        TOP + MODEL + ROLES + "[models.b]\nbase_url = 'http://[x'\nmodel = 'x'",
        ":8: models.b.base_url: should be an address",
    ),
    (TOP + MODEL, ': roles: is missing: say who serves, default = "NAME" for every role'),
    (TOP + "roles = 'glm'\n" + MODEL, ":3: roles: should be a table, not 'glm'"),
    (
        TOP + MODEL + "[roles]\ncheck_option = 'glm'\n",
        ":5: roles: no model for choose_class, choose_topic, write_question,",
    ),
    (TOP + MODEL + ROLES + "chek_option = 'glm'\n", ":7: roles.chek_option: unknown role; did you mean check_option?"),
    (TOP + MODEL + ROLES + "review_option = 'glm'\n", ":7: roles.review_option: unknown role"),
    (
        TOP + MODEL + ROLES + "check_inference = {panel = ['glm'], runs = 2}\n",
        ":7: roles.check_inference: unknown role; did you mean check_option?",
    ),
    (TOP + MODEL + "[roles]\ndefault = 'gml'\n", ":6: roles.default: unknown model 'gml'; did you mean glm?"),
    (TOP + MODEL + "[roles]\ndefault = 5\n", ":6: roles.default: should be a table, not 5"),
    (
        TOP + MODEL + ROLES + "check_option = {panel = []}\n",
        ":7: roles.check_option.panel: is empty: the models' names",
    ),
    (TOP + MODEL + ROLES + "check_option = {panel = ['glm', 'glm']}\n", ":7: roles.check_option: names a model twice"),
    (
        TOP + MODEL + ROLES + "write_question = {panel = ['glm'], runs = 2}\n",
        ":7: roles.write_question: takes one model",
    ),
    (
        TOP + "preset = 'epiqal-a'\n" + MODEL + ROLES,
        ":4: models.glm: the preset wants temperature 1.0 of models that vote",
    ),
]


@pytest.mark.parametrize(("text", "message"), WHOLE + WHAT)
def test_a_mistake_is_told_in_one_line_with_its_place_and_the_way_out(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    lines = told(tmp_path, text)
    assert len(lines) == 1
    assert lines[0].startswith(message)


INFERENCE = TOP.replace("recall", "inference") + MODEL + ROLES
GRAPH = "[[inference.knowledge.graphs]]\n"
NESTED: list[tuple[str, list[str]]] = [
    ("[inference.refine]\nalpa = 1\n", [":8: inference.refine.alpa: unknown key; did you mean alpha?"]),
    (
        "[inference.refine]\nzzz = 1\nrounds = 11\n",
        [
            ":8: inference.refine.zzz: unknown key; known are alpha, threshold, margin, measures, quorum, rounds,",
            ":9: inference.refine.rounds: should be less than or equal to 10, not 11",
        ],
    ),
    (
        "[inference]\nrefine = { threshold = -0.1 }\n",
        [":8: inference.refine.threshold: should be greater than or equal to 0, not -0.1"],
    ),
    ("[inference]\nrefine = true\n", [":8: inference.refine: should be a table or false, not true"]),
    ("[inference]\nknowledge = 'ekg'\n", [":8: inference.knowledge: should be a table, not 'ekg'"]),
    (
        "[inference]\nwaves = 'often'\n",
        [":8: inference.waves: should be a valid integer or 'runs', 'eager', 'frugal' or 'calls', not 'often'"],
    ),
    ("[inference.knowledge]\ngraps = []\n", [":8: inference.knowledge.graps: unknown key; did you mean graphs?"]),
    ("[inference.knowledge]\ngraphs = 'ekg'\n", [":8: inference.knowledge.graphs: should be a list, not 'ekg'"]),
    ("[inference.knowledge]\nfinder = 'glinner:x'\n", [':8: inference.knowledge.finder: should be "dictionary", or a']),
    (
        f"{GRAPH}form = 'ekg'\npath = 'a'\n{GRAPH}form = 'ekk'\npat = 'b'\n",
        [
            ":10: inference.knowledge.graphs.1.path: is missing",
            ":11: inference.knowledge.graphs.1.form: should be 'ekg', 'hetionet', 'ibkh', 'outbreaks' or 'triples'",
            ":12: inference.knowledge.graphs.1.pat: unknown key; did you mean path?",
        ],
    ),
    (
        "[inference.knowledge]\ngraphs = [{ form = 'ekg', path = 'a' }, { form = 'ekg', path = 'b' }]\n",
        [":7: inference.knowledge: several graphs are called 'ekg': give each a label of its own"],
    ),
    (
        "[inference.refine]\nquorum = 3\nmeasures = 2\n",
        [":8: inference.refine.quorum: is 3, but judge_item gives at most 2 answers (models: 1, runs: 1, measures: 2)"],
    ),
    (
        "[inference.search]\nregion = 'USA'\n",
        [":8: inference.search.region: should match pattern '^[a-z]{2}-[a-z]{2}$', not 'USA'"],
    ),
    (
        "[inference.search]\nuse = ['google']\n",
        [":8: inference.search.use.0: should be 'glossary', 'duckduckgo' or 'searxng', not 'google'"],
    ),
    (
        "[inference.search]\nuse = ['searxng']\n",
        [":7: inference.search: use names searxng, but not where it is: give searxng ="],
    ),
    (
        "[inference]\nseveral_correct = 0.7\nnone_correct = 0.4\n",
        [":7: inference: several_correct and none_correct are more than 1 together: lower one of them"],
    ),
]


@pytest.mark.parametrize(("text", "messages"), NESTED)
def test_a_mistake_in_a_table_within_a_table_is_told_under_its_full_name(
    tmp_path: Path, text: str, messages: list[str]
) -> None:
    lines = told(tmp_path, INFERENCE + text)
    assert len(lines) == len(messages)
    assert [line for line, message in zip(lines, messages, strict=True) if not line.startswith(message)] == []


def test_only_roles_that_vote_compare_or_judge_take_panels(tmp_path: Path) -> None:
    many = "{ panel = ['glm'], runs = 2 }"
    sound = "".join(f"{role} = {many}\n" for role in ("check_inference", "compare_stems", "judge_item"))
    (line,) = told(tmp_path, f"{INFERENCE}{sound}describe_entity = {many}\n")
    place, message = line.split(": takes one model, asked once; ")
    assert (place, message) == (
        ":10: roles.describe_entity",
        "only check_stem, check_inference, check_evidence, judge_item, compare_stems take a panel",
    )


def test_several_mistakes_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """sed = 1
pipeline = 'recall'
recall = { refills = -1 }
rule = { accept = 2 }
models = { a = { local = 'x', rpm = 0 } }
roles = { default = 'b' }
"""
    assert [line.partition(": ")[2].partition(":")[0] for line in told(tmp_path, text)] == [
        "sed",
        "recall.refills",
        "rule.accept",
        "models.a.rpm",
        "roles.default",
        "corpus",
    ]


@pytest.mark.parametrize(
    "text",
    [
        MODEL + "api_key = 'sk-topsecret'\n" + ROLES,
        MODEL + "apikey = 'topsecret'\n" + ROLES,
        MODEL + "token = 'topsecret'\n" + ROLES,
        MODEL + "auth_token = 'topsecret'\n" + ROLES,
        MODEL + "password = 'topsecret'\n" + ROLES,
        MODEL + "kee = 'sk-topsecret'\n" + ROLES,
        MODEL + "[models.glm.headers]\nAuthorization = 'Bearer topsecret'\n" + ROLES,
        MODEL + "api_key_env = 'sk-topsecret'\n" + ROLES,
        MODEL + "api_key_env = 'topsecret'\n" + ROLES,
        MODEL + "temperature = 'sk-topsecret'\n" + ROLES,
        "[models.glm]\nmodel = 'x'\nbase_url = 'https://me:topsecret@host/v1'\n" + ROLES,
        "[models.glm]\nmodel = 'x'\nbase_url = 'https://host/v1?key=topsecret'\n" + ROLES,
        "api_key = 'sk-topsecret'\n" + MODEL + ROLES,
        MODEL + "[roles]\ndefault = 'sk-topsecret'\n",
    ],
)
def test_a_secret_is_refused_and_never_repeated(tmp_path: Path, text: str) -> None:
    lines = told(tmp_path, TOP + text)
    assert len(lines) == 1
    assert "topsecret" not in lines[0]


def test_a_key_in_the_file_is_answered_with_the_way_to_give_it(tmp_path: Path) -> None:
    assert 'api_key_env = "' in told(tmp_path, TOP + MODEL + "api_key = 'sk-1'\n" + ROLES)[0]


def test_the_preset_of_another_pipeline_is_refused(tmp_path: Path) -> None:
    lines = told(tmp_path, "pipeline = 'other'\npreset = 'epiqal-a'\ncorpus = ['x']\n" + MODEL + ROLES)
    assert [line.partition(": ")[2] for line in lines] == [
        f"pipeline: unknown pipeline 'other'; known are {', '.join(PIPELINES)}",
        'preset: belongs to pipeline = "recall": use that one, or no preset',
    ]


def test_a_file_that_is_not_there_a_folder_and_an_unreadable_one_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no such file: `benchwright init` writes"):
        load(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="is a folder: name the campaign file in it"):
        load(tmp_path)
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    with pytest.raises(ConfigError, match="cannot be read: "):
        load(tmp_path / "loop.toml")


def test_a_file_whose_own_name_cannot_serve_asks_for_a_name(tmp_path: Path) -> None:
    path = tmp_path / (os.fsdecode(b"\xff") + ".toml")
    path.write_text(TOP + MODEL + ROLES, "utf-8")
    with pytest.raises(ConfigError, match="name: should be 1 to 100 visible characters"):
        load(path)


def test_keys_are_found_under_dotted_quoted_and_nested_names() -> None:
    text = 'a.b = 1\n[models."x y"]\n  \'k\' = {c = 1}\n# d = 2\n[[list]]\ne = 1\ns = """\nnot [a table]\n"""\n'
    assert key_lines(text) == {
        ("a",): 1,
        ("a", "b"): 1,
        ("models", "x y"): 2,
        ("models", "x y", "k"): 3,
        ("list",): 5,
        ("list", 0): 5,
        ("list", 0, "e"): 6,
        ("list", 0, "s"): 7,
    }


def test_each_table_of_a_list_has_lines_of_its_own_and_so_have_the_tables_within() -> None:
    text = "[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n[a.b.d]\ne = 3\n[[a.b.f]]\ng = 4\n"
    assert key_lines(text) == {
        ("a", "b"): 1,
        ("a", "b", 0): 1,
        ("a", "b", 0, "c"): 2,
        ("a", "b", 1): 3,
        ("a", "b", 1, "c"): 4,
        ("a", "b", 1, "d"): 5,
        ("a", "b", 1, "d", "e"): 6,
        ("a", "b", 1, "f"): 7,
        ("a", "b", 1, "f", 0): 7,
        ("a", "b", 1, "f", 0, "g"): 8,
    }


KEYS = st.sampled_from(
    ["name", "pipeline", "corpus", "items", "rule", "models", "roles", "recall", "preset", "api_key", "x"]
)
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(alphabet="ab\n", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


SETTINGS = st.sampled_from(
    ["refine", "search", "knowledge", "graphs", "form", "path", "use", "waves", "alpha", "rounds", "labels", "x"]
)
SETTING = st.recursive(
    st.booleans() | st.integers(-1, 12) | st.sampled_from(["ekg", "runs", "glossary", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SETTINGS, inner, max_size=3),
    max_leaves=12,
)


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\n", "\\n") + '"'
    return str(value).lower()


@given(st.dictionaries(KEYS, VALUES))
def test_whatever_stands_in_a_file_is_told_and_never_crashes(
    tmp_path_factory: pytest.TempPathFactory, tables: dict[str, object]
) -> None:
    text = "".join(f"{key} = {toml(value)}\n" for key, value in tables.items())
    assert all(told(tmp_path_factory.mktemp("c"), text))


@given(st.dictionaries(SETTINGS, SETTING, max_size=4))
def test_whatever_stands_in_the_tables_of_a_pipeline_is_told_once_and_by_the_names_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("c") / "c.toml"
    path.write_text(f"inference = {toml(table)}\n{INFERENCE}", "utf-8")
    try:
        load(path)
    except ConfigError as error:
        places = [line.removeprefix(f"{path}:1: ").partition(": ")[0] for line in str(error).split("\n")]
        assert len(set(places)) == len(places)
        assert [place for place in places if not re.fullmatch(r"inference(\.[a-z0-9_]+)*", place)] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".".join(["a"] * 1000) + " = 1\n", "nested too deeply"),
        ("a = " + "[" * 60 + "]" * 60, "nested too deeply"),
        ("a = " + "{a = " * 100 + "1" + "}" * 100, "nested too deeply"),
        ("# \n" * 400_000, "more than 1 MB"),
    ],
)
def test_a_file_that_no_campaign_is_like_is_refused_at_once(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=said):
        load(path)


def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("".join(f"unknown{n} = 1\n" for n in range(50_000)), "utf-8")
    with pytest.raises(ConfigError) as told:
        load(path)
    assert str(told.value).count("\n") < 200
    assert "more mistakes" in str(told.value)


def test_numbers_that_nobody_means_are_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('[roles]\ncheck_option = { panel = ["a"], runs = 1000000 }\n[models.a]\nwidth = 1000000\n', "utf-8")
    with pytest.raises(ConfigError) as told:
        load(path)
    assert "runs: should be less than or equal to 100" in str(told.value)
    assert "width: should be less than or equal to 10000" in str(told.value)


def test_a_campaign_file_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="no regular file"):
        load(path)
