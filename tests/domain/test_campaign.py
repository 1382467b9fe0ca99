"""Campaigns: what is frozen, and what may change without making another set."""

from dataclasses import replace
from fractions import Fraction

from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.ids import canonical
from benchwright.domain.vote import Rule

MODEL = Model("glm", "direct", "glm-4.5", "https://models.example/v1", context=8000)
CAMPAIGN = Campaign(
    name="spring",
    pipeline="recall",
    corpus=("reports/*.md",),
    models={"glm": MODEL, "idle": replace(MODEL, name="idle", context=100)},
    roles={"write_question": Panel(("glm",)), "check_option": Panel(("glm",), 3)},
    rule=Rule(Fraction(4, 5), Fraction(7, 10), 6),
)


def test_the_recipe_is_plain_json_and_writes_fractions_out() -> None:
    assert '"rule":{"accept":"4/5","quorum":6,"reject":"7/10"}' in canonical(CAMPAIGN.recipe())


def test_limits_keys_and_prices_do_not_make_another_campaign() -> None:
    faster = replace(MODEL, width=64, rpm=10, tpm=10, api_key_env="KEY", price_in=1.0, price_out=2.0, timeout=5.0)

    assert replace(CAMPAIGN, models=dict(CAMPAIGN.models, glm=faster)).id == CAMPAIGN.id
    assert replace(CAMPAIGN, name="autumn").id == CAMPAIGN.id


def test_whatever_shapes_the_items_makes_another_campaign() -> None:
    others = (
        replace(CAMPAIGN, models=dict(CAMPAIGN.models, glm=replace(MODEL, temperature=1.0))),
        replace(CAMPAIGN, models=dict(CAMPAIGN.models, glm=replace(MODEL, target="glm-5"))),
        replace(CAMPAIGN, roles=dict(CAMPAIGN.roles, check_option=Panel(("glm",), 2))),
        replace(CAMPAIGN, rule=Rule(Fraction(4, 5), Fraction(7, 10), 5)),
        replace(CAMPAIGN, quota=Quota(target=10)),
        replace(CAMPAIGN, settings={"distractors": 4}),
        replace(CAMPAIGN, corpus=("*.xml",)),
        replace(CAMPAIGN, pipeline="other"),
        replace(CAMPAIGN, seed=1),
        replace(CAMPAIGN, language="French"),
        replace(CAMPAIGN, long_documents="refuse"),
    )

    assert len({CAMPAIGN.id, *(other.id for other in others)}) == len(others) + 1


def test_all_but_the_embedded_model_take_images_unless_the_file_says_otherwise() -> None:
    local = replace(MODEL, provider="local")
    assert [MODEL.sees, local.sees] == [True, False]
    assert [replace(model, images=images).sees for model in (MODEL, local) for images in (True, False)] == [
        True,
        False,
    ] * 2
