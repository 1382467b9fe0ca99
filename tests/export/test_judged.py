"""What a set says of the judgements that it rests on, and under which names."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from tests.contracts.export import CAMPAIGN, InMemory, kept
from tests.export.test_folder import MADE

from benchwright.domain.agreement import Agreement
from benchwright.domain.grade import Grade
from benchwright.domain.opinion import Policy
from benchwright.domain.quality import Probe, Share, qualities
from benchwright.domain.vote import Vote
from benchwright.export.folder import write
from benchwright.export.judged import NOT_PLANTED, WHY_NOT, Change, Judged, People, decided_share
from benchwright.export.manifest import Made, count, manifest
from benchwright.export.pseudonyms import Pseudonyms, number_people
from benchwright.pipelines.choice.kind import CHOICE

VOTES = [Vote(f"o{n}", f"{who}#1", n % 2 == 0 or who == "glm", "") for n in range(6) for who in ("glm", "oss")]
MISSED = "1 of 3 (33.3 %; 95 % interval 6.1 to 79.2 %)"
ALARMED = "1 of 1 (100.0 %; 95 % interval 20.7 to 100.0 %)"
PLANTED = [Probe("glm", right=right, called_right=True) for right in (True, True, False)] + [
    Probe("glm", right=True, called_right=False)
]
PEOPLE = People(reviewers=2, cards=9, pairs=4, alike=3, changed=1, alpha=Agreement(0.61, units=4))
CHANGED = Change("reviewer-2", "people kept 9 of 10 at 3/4", ("rule.accept: 4/5 -> 3/4",))
JUDGED = Judged("option", qualities(VOTES, PLANTED, "option"), 3, PEOPLE, Share(5, 20), (CHANGED,))


def card_of(folder: Path, judged: Judged) -> str:
    made = replace(MADE, judged=judged)
    *_, card, _ = write(folder, InMemory(lambda: [kept()]), CHOICE.formats["jsonl"], CHOICE.report(CAMPAIGN), made)
    return " ".join(card.read_text("utf-8").split())


def test_the_card_tells_agreement_error_rates_the_share_of_people_and_changes(tmp_path: Path) -> None:
    text = card_of(tmp_path / "set", JUDGED)
    for line in (
        f"| glm | 6 | 0 of 6 (0.0 %) | {MISSED} | {ALARMED} |",
        f"| oss | 6 | 0 of 6 (0.0 %) | {NOT_PLANTED} | {NOT_PLANTED} |",
        "People decided 5 of 20 (25.0 %) of the options that were put to a vote in kept items.",
        "9 cards decided, by 2 reviewers.",
        WHY_NOT,
        "agreed on 3 of them at first, before they knew what others said: Krippendorff's alpha 0.61.",
        "Opinions that were changed afterwards: 1.",
        "| reviewer-2 | people kept 9 of 10 at 3/4 | rule.accept: 4/5 -\\> 3/4 |",
    ):
        assert line in text, line


def test_what_nobody_did_is_not_told_as_a_number(tmp_path: Path) -> None:
    nobody = replace(PEOPLE, reviewers=0, cards=0, pairs=0, alike=0, changed=0, alpha=Agreement(None, "no pairs"))
    grades = qualities([Grade("pair", "glm#1", 2), Grade("other", "oss#1", 3)], (), "pair")
    text = card_of(tmp_path / "set", Judged("pair", grades, 1, nobody, Share(0, 0)))
    assert "were put to a vote" not in text
    assert "several opinions" not in text
    assert "## Changes" not in text
    assert "The checkers (grades)" in text
    assert "alpha of the checkers' first words: undefined (" in text


def test_the_manifest_holds_the_same_as_numbers() -> None:
    report = CHOICE.report(CAMPAIGN)
    told = manifest(replace(MADE, judged=JUDGED), count(InMemory(lambda: [kept()]), report), {})["judgements"]
    assert told["options_decided_by_people"] == {"n": 5, "of": 20}
    assert told["people"]["alpha"] == {"value": 0.61, "reason": "", "units": 4}
    assert told["changes_of_the_campaign"] == [
        {"who": "reviewer-2", "why": CHANGED.why, "changes": ["rule.accept: 4/5 -> 3/4"]}
    ]
    glm = next(one for one in told["panels"][0]["checkers"] if one["model"] == "glm")
    missed, alarms = glm["known_right_called_wrong"], glm["known_wrong_called_right"]
    assert (missed["n"], missed["of"], alarms["n"], alarms["of"]) == (1, 3, 1, 1)
    assert (round(missed["low"], 3), round(missed["high"], 3)) == (0.061, 0.792)
    assert "judgements" not in manifest(MADE, count(InMemory(list), report), {})


def test_a_share_counts_what_people_decided_of_all() -> None:
    assert decided_share(["keep", "", "reject", ""]) == Share(2, 4)


# ------------------------------------------------------------------------------------------------------ pseudonyms


def test_people_are_numbered_in_the_order_in_which_they_first_decided_however_they_are_typed() -> None:
    people = number_people(["Zo\u00eb", "ada", "ZO\u00cb", "", "Bob"])
    assert [people.of(name) for name in ("zo\u00eb", "Ada", "bob", "nobody")] == [
        "reviewer-1", "reviewer-2", "reviewer-3", "nobody",
    ]  # fmt: skip


def test_only_signatures_of_people_are_hidden_never_words_of_a_text() -> None:
    people = number_people(["ada"])
    body = {"decisions": [{"by": "human:Ada#2", "reason": "ada said human:ada"}], "votes": [{"by": "ada#1"}], "n": 1}
    assert people.hide(body) == {
        "decisions": [{"by": "human:reviewer-1#2", "reason": "ada said human:ada"}], "votes": [{"by": "ada#1"}], "n": 1,
    }  # fmt: skip
    assert people.sign("human:bob") == "human:bob"
    assert Pseudonyms().hide(("human:ada",)) == ["human:ada"]


def test_the_published_recipe_does_not_name_the_adjudicator_and_says_what_the_id_needs() -> None:
    settled = replace(CAMPAIGN, review=Policy(opinions=2, adjudicator="Ada", audit=Fraction(0)))
    report = CHOICE.report(settled)

    def told(people: Pseudonyms) -> Made:
        return replace(MADE, campaign=settled, people=people)

    hidden, shown = (
        manifest(told(people), count(InMemory(list), report), {}) for people in (number_people(["ada"]), Pseudonyms())
    )
    assert hidden["campaign"]["recipe"]["review"]["adjudicator"] == "reviewer-1"
    assert "Ada" not in str(hidden)
    assert any("needs the name that stands here as reviewer-1" in line for line in hidden["how_to_make_it_again"])
    assert shown["campaign"]["recipe"]["review"]["adjudicator"] == "Ada"
    assert hidden["campaign"]["id"] == shown["campaign"]["id"] == settled.id
    assert Pseudonyms().recipe({}) == {}
