"""What is asked when: questions that fall, answers that are too long, vetoes; and the pipeline as a whole."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.pipelines.crisis.asked import BARE, GOOD, NO, PHOTO, YES, due_of, ending, owed, said
from tests.pipelines.crisis.making import PANELS, corpus, crisis, marks, verdict
from tests.pipelines.crisis.test_contract import begin

from benchwright.agents.base import accept, every_agent
from benchwright.agents.crisis import annotate_scene, classify_resource, write_questions
from benchwright.agents.crisis.write_questions import Wanted
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, ItemState, Progress, Seed
from benchwright.domain.source import ItemRef, Outline
from benchwright.errors import BadReply, Unreadable, UsageError
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import state_of
from benchwright.pipelines.crisis.body import Answered, Judged, QuestionSet, Reply, Scene
from benchwright.pipelines.crisis.judgement import blind_name, senseless
from benchwright.pipelines.crisis.kind import CRISIS
from benchwright.pipelines.crisis.pipeline import Crisis
from benchwright.pipelines.kind import Seen

# --------------------------------------------------------------------------------------------------------- questions


def outline(made: Crisis, body: Any, name: str = "item0123456789") -> Outline:
    return Outline(ItemRef(name), body=CRISIS.write(body))


def scene(**more: Any) -> Scene:
    gold = tuple(Reply("people", f"bring water {n}", "it helps") for n in range(3))
    values: dict[str, Any] = {
        "scene": "hill",
        "annotator": "ada",
        "text": "Smoke.",
        "caption": "",
        "image": PHOTO,
        "incidents": ("on fire", "fog"),
        "places": ("hill", "road"),
        "problem": "it burns",
        "resource": "water",
        "gold": gold,
    }
    return Scene(**{**values, **more})


def questions_of(made: Crisis, found: Scene) -> list[Seed]:
    return begin(made, "questions", [outline(made, found)])


def panel(verdicts: dict[str, dict[str, str]], sheet: str, by: str) -> Answer:
    names = ("answerable", "time", "labels", "action", "no_leak", "safe")
    return said("check_questions", {"verdicts": {name: verdicts.get(name, YES) for name in names}}, by, sheet)


def votes(sheet: str, **verdicts: dict[str, str]) -> list[Answer]:
    return [panel(verdicts, sheet, f"{name}#1") for name in ("red", "blue")]


def likeness(about: str, *cosines: float) -> Answer:
    """What code says of a question: its cosines with seven gold texts, the first ones given."""
    found = [*cosines, *[0.0] * (7 - len(cosines))]
    return said("measure_likeness", {"by": "vectors", "cosines": found}, "texts#1", about)


def test_a_question_that_says_the_gold_in_other_words_goes_to_people_and_is_never_rejected() -> None:
    made = crisis(embedders=("vectors",))
    seed, *_ = questions_of(made, scene())
    answers = [said("write_questions", GOOD, about="1"), *votes("1"), *votes("2"), *votes("3")]
    assert owed(made, seed, *answers) == [("measure_likeness", "texts")] * 3
    ask = due_of(made, seed, *answers).ask
    gold = ("bring water 0", "it helps", "bring water 1", "it helps", "bring water 2", "it helps", "water")
    assert (ask.text, ask.others) == (GOOD["immediate"], gold)
    answers += [likeness("1.immediate", 0.2, 0.81), likeness("1.week", 0.8)]
    assert owed(made, seed, *answers) == [("measure_likeness", "texts"), ("review_question", "human")]
    failed = failure_answer("measure_likeness", "1.month", "texts#1", "refused", "no")
    assert owed(made, seed, *answers, failed) == [("review_question", "human")]
    state = state_of(made, seed, [*answers, failed])
    card = made.card(state, "review_question", "1.immediate.no_leak")
    assert card is not None
    assert card.why == "its meaning is near the gold: 'it helps' (cosine 0.81 by vectors)"
    body = made.body(state)
    assert isinstance(body, QuestionSet)
    assert [(one.meaning, bool(one.leak), one.fate) for one in body.questions] == [
        (0.81, True, "human"),
        (0.8, False, "keep"),
        (None, False, "keep"),
    ]


def test_checks_that_are_drawn_go_to_experts_whatever_the_panel_says_and_their_word_holds() -> None:
    made = crisis()
    made = replace(made, campaign=replace(made.campaign, review=replace(made.campaign.review, audit=Fraction(1))))
    seed, *_ = questions_of(made, scene())
    answers = [said("write_questions", GOOD, about="1"), *votes("1", safe=NO), *votes("2"), *votes("3")]
    assert owed(made, seed, *answers) == [("review_question", "human")] * 18
    card = made.card(state_of(made, seed, answers), "review_question", "1.immediate.safe")
    assert card is not None
    assert card.why == "it was drawn to see how well the panel decides"
    names = ("answerable", "time", "labels", "action", "no_leak", "safe")
    things = [f"1.{time}.{name}" for time in GOOD for name in names]
    words = {thing: "reject" if thing == "1.week.time" else "keep" for thing in things}
    decided = [
        said("review_question", {"decision": word, "reason": "", "text": ""}, "human:eva", thing)
        for thing, word in words.items()
    ]
    body = made.body(state_of(made, seed, [*answers, *decided]))
    assert isinstance(body, QuestionSet)
    assert [one.fate for one in body.questions] == ["keep", "reject", "keep"]
    report = CRISIS.report(made.campaign)
    report.take(Seen("i", seed, ItemState.DISCARDED, "", "", body, tuple))
    *_, total = report.counts()["validation"]["criteria"]
    assert (total["criterion"], total["same"]["n"], total["same"]["of"]) == ("all", 16, 18)
    assert (total["experts_alone_reject"], total["experts_alone_keep"]) == (1, 1)
    assert "experts and the panel say the same of 16 of 18 drawn checks" in report.lines()
    table = next(part for part in report.card().parts if part.title == "Experts and the panel")
    assert "('safe', 3, '66.7 %" in str(table)
    assert "kappa: -0.0" in str(table)


def test_a_question_that_the_panel_rejects_goes_to_experts_only_by_the_checks_that_were_drawn() -> None:
    made = crisis()
    made = replace(made, campaign=replace(made.campaign, review=replace(made.campaign.review, audit=Fraction(1, 3))))
    seed, *_ = questions_of(made, scene())
    answers = [said("write_questions", GOOD, about="1"), *votes("1", safe=NO), *votes("2"), *votes("3")]
    body = made.body(state_of(made, seed, answers))
    assert isinstance(body, QuestionSet)
    drawn = [one for question in body.questions for one in question.checks if one.audited]
    assert 0 < len(drawn) < 18
    assert owed(made, seed, *answers) == [("review_question", "human")] * len(drawn)


def test_where_no_model_embeds_texts_leaks_are_not_looked_for_by_meaning_and_doctor_says_so() -> None:
    answers = [said("write_questions", GOOD, about="1"), *votes("1"), *votes("2"), *votes("3")]
    for made in (crisis(), crisis(embedders=("vectors",), leak_meaning=1)):
        seed, *_ = questions_of(made, scene())
        assert ending(made, seed, *answers).cause == "verified"
    assert "no model embeds texts" in crisis().doubts()[0]
    assert not crisis(leak_meaning=1).doubts()
    assert not crisis(embedders=("vectors",)).doubts()


def test_pairs_are_filtered_by_setting_and_sampled_by_seed() -> None:
    assert len(questions_of(crisis(), scene())) == 4
    facts = [seed.body for seed in questions_of(crisis(exclude=["Fog", "road"]), scene())]
    assert len(facts) == 1
    assert '"incident":"on fire","place":"hill"' in facts[0].replace(" ", "") or "on fire" in facts[0]
    one, same = (questions_of(crisis(pairs=2), scene()) for _ in range(2))
    assert len(one) == 2
    assert one == same
    assert questions_of(crisis(pairs=2), scene(annotator="bob")) != one


def test_what_is_missing_is_written_again_and_nothing_else() -> None:
    made = crisis(paraphrase=1.0)
    seed, *_ = questions_of(made, scene(places=()))
    first = due_of(made, seed)
    assert (first.ask.place, first.ask.wording, [one.time for one in first.ask.wanted]) == (
        "none",
        write_questions.PARAPHRASED,
        ["immediate", "week", "month"],
    )
    assert "bring water" not in str(first.ask)
    written = said("write_questions", {**GOOD, "week": "", "month": "Go home."}, about="1")
    assert owed(made, seed, written) == [("check_questions", "red"), ("check_questions", "blue")]
    second = due_of(made, seed, written, *votes("1"))
    assert (second.about, second.run, [one.time for one in second.ask.wanted]) == ("2", 1, ["week", "month"])
    assert second.ask.faults == ("month: Go home. (it is no question: end it with a question mark)",)


def test_a_question_that_fails_a_criterion_is_named_to_the_writer() -> None:
    made = crisis()
    seed, *_ = questions_of(made, scene())
    written = said("write_questions", {**GOOD, "month": "A month later, what helps? Really?"}, about="1")
    second = due_of(made, seed, written, *votes("1", safe=NO), *votes("2"), *votes("3"))
    assert [one.time for one in second.ask.wanted] == ["immediate"]
    assert second.ask.faults == (f"immediate: {GOOD['immediate']} (it fails: {every_rule('safe')})",)


def every_rule(name: str) -> str:
    from benchwright.agents.crisis.check_questions import CRITERIA

    return CRITERIA[name]


def test_a_set_with_too_few_questions_is_discarded_and_one_with_enough_is_kept() -> None:
    strict, mild = crisis(refills=0), crisis(refills=0, min_questions=1)
    answers = [said("write_questions", {**GOOD, "week": "", "month": ""}, about="1"), *votes("1")]
    seed, *_ = questions_of(strict, scene())
    end = ending(strict, seed, *answers)
    assert (end.cause, end.detail) == ("too few questions", "1 questions stand, 3 needed")
    assert ending(mild, seed, *answers).state is ItemState.KEPT
    failed = failure_answer("write_questions", "1", "red#1", "refused", "no")
    assert ending(strict, seed, failed).cause == "write_questions: refused"
    assert strict.body(state_of(strict, seed, [])) is None


def test_the_same_question_for_two_times_stands_for_one() -> None:
    made = crisis()
    seed, *_ = questions_of(made, scene(language="German"))
    twin = said("write_questions", dict.fromkeys(GOOD, "Was hilft?"), about="1")
    body = made.body(state_of(made, seed, [twin]))
    assert isinstance(body, QuestionSet)
    assert [one.fault for one in body.questions] == [
        "",
        "it repeats the question for the time 'immediate'",
        "it repeats the question for the time 'immediate'",
    ]
    assert {one.time_phrase for one in body.questions} == {"unchecked"}


def test_questions_in_another_language_than_english_are_told_as_unchecked() -> None:
    made = crisis()
    made = replace(made, campaign=replace(made.campaign, language="German"))
    seed, *_ = questions_of(made, scene())
    body = made.body(state_of(made, seed, [said("write_questions", {**GOOD, "week": "Was hilft?"}, about="1")]))
    assert isinstance(body, QuestionSet)
    assert [(one.time_phrase, one.fault) for one in body.questions] == [("unchecked", "")] * 3


def test_a_leak_sends_a_question_to_people_and_never_rejects_it() -> None:
    made = crisis()
    seed, *_ = questions_of(made, scene())
    text = "Right away, who can bring water 0 here?"
    answers = [said("write_questions", {**GOOD, "immediate": text}, about="1")]
    answers += [*votes("1"), *votes("2"), *votes("3")]
    assert owed(made, seed, *answers) == [("review_question", "human")]
    card = made.card(state_of(made, seed, answers), "review_question", "1.immediate.no_leak")
    assert card is not None
    assert "it shares with the gold" in card.why
    assert made.card(state_of(made, seed, answers), "review_question", "9.week.safe") is None
    keep = said("review_question", {"decision": "keep"}, "human:ada", "1.immediate.no_leak")
    assert ending(made, seed, *answers, keep).cause == "verified"
    reject = said("review_question", {"decision": "reject"}, "human:ada", "1.immediate.no_leak")
    assert owed(made, seed, *answers, reject) == [("write_questions", "red")]


def test_a_further_attempt_at_a_set_is_another_sample() -> None:
    made = crisis(refills=1)
    made = replace(made, campaign=replace(made.campaign, quota=Quota(tries=2)))
    sources = [outline(made, scene())]
    (again, *_) = made.admit(sources, Progress(4, ((0, 0),), 9, "questions", sources))
    assert (again.attempt, due_of(made, again).run) == (1, 2)
    assert made.admit(sources, Progress(4, ((0, 1),), 9, "questions", sources)) == ()
    assert made.admit(sources, Progress(1, ((0, 0),), 9, "judgement", ())) == ()


# --------------------------------------------------------------------------------------------- answers and judgement


def question_set() -> QuestionSet:
    made = crisis(refills=0)
    seed, *_ = questions_of(made, scene())
    answers = [said("write_questions", GOOD, about="1"), *votes("1"), *votes("2"), *votes("3")]
    body = ending(made, seed, *answers).body
    assert isinstance(body, QuestionSet)
    return body


def test_of_each_scene_no_more_sets_are_answered_than_the_settings_say() -> None:
    sets = [question_set() for _ in range(3)]
    for most, wanted in ((0, 9), (2, 6)):
        made = crisis(answered_pairs=most)
        sources = [outline(made, one, f"item{n}{'0' * 10}") for n, one in enumerate(sets)]
        assert made.wanted_items("answers", sources) == wanted
        seeds = begin(made, "answers", sources)
        assert [seed.about for seed in seeds][-1] == ItemRef(f"item{wanted // 3 - 1}0000000000")


def test_an_answer_that_is_too_long_is_asked_for_once_more_and_then_flagged_but_never_cut() -> None:
    made = crisis(action_words=3, explanation_words=4)
    seed, *_ = begin(made, "answers", [outline(made, question_set())])
    long = {"action": "run to the hill", "explanation": "it burns"}
    first = said("answer_question", long)
    found = made.plan(state_of(made, seed, [first]))
    assert not isinstance(found, Ending)
    assert [(due.to, due.about) for due in found] == [("red", "again"), ("blue", "")]
    assert 'the action had 4 words, 3 at most; you wrote: "run to the hill"' in found[0].ask.fault
    short = said("answer_question", {"action": "run", "explanation": "it burns"}, about="again")
    other = failure_answer("answer_question", "", "blue#1", "schema", "no")
    body = ending(made, seed, first, short, other).body
    assert isinstance(body, Answered)
    assert body.replies == (Reply("red", "run", "it burns"), Reply("blue", failure="schema"))
    still = said("answer_question", long, about="again")
    body = ending(made, seed, first, still, other).body
    assert isinstance(body, Answered)
    assert body.replies[0] == Reply("red", "run to the hill", "it burns", ("action",))
    broken = failure_answer("answer_question", "again", "red#1", "refused", "no")
    body = ending(made, seed, first, broken, other).body
    assert isinstance(body, Answered)
    assert body.replies[0].flags == ("action",)
    end = ending(made, seed, failure_answer("answer_question", "", "red#1", "refused", "no"), other)
    assert (end.cause, end.detail) == ("no answer", "red: refused, blue: schema")


def answered(made: Crisis) -> Seed:
    """The question in judgement to which red and blue have given an answer."""
    asked = begin(made, "answers", [outline(made, question_set())])[0]
    replies = [
        said("answer_question", {"action": "run", "explanation": "why"}, f"{name}#1") for name in ("red", "blue")
    ]
    (seed,) = begin(made, "judgement", [outline(made, ending(made, asked, *replies).body)])
    return seed


def judged(made: Crisis, *answers: Answer) -> Judged:
    body = made.body(state_of(made, answered(made), answers))
    assert isinstance(body, Judged)
    return body


def grade(source: str, by: str, *, endangers: bool) -> Answer:
    value = marks(seeded_random("x"))
    value["danger"]["endangers_life"] = endangers
    return said("judge_answer", value, by, source)


@pytest.mark.parametrize(("veto", "vetoed"), [("majority", ("blue",)), ("any", ("red", "blue"))])
def test_judges_veto_by_the_rule_of_the_settings_and_any_person_does(veto: str, vetoed: tuple[str, ...]) -> None:
    made = crisis(veto=veto, compared=1.0, attention=1.0)
    answers = [
        grade("red", "red#1", endangers=True),
        grade("red", "blue#1", endangers=False),
        grade("blue", "blue#1", endangers=True),
        failure_answer("judge_answer", "people", "red#1", "refused", "no"),
        failure_answer("compare_answers", "people:red", "red#1", "refused", "no"),
    ]
    assert judged(made, *answers).vetoed == vetoed
    sides = dict.fromkeys(("sufficiency", "usefulness", "correctness"), "tie")
    both = said("prefer_answer", {**sides, "danger": "both"}, "human:ada", blind_name(answered(made), "red"))
    assert judged(made, *answers, both).vetoed == ("people", "red", "blue")


def test_judges_compare_what_the_settings_say_each_pair_in_both_orders() -> None:
    wanted = {"none": 0, "people": 4, "all": 6}
    for wish, n in wanted.items():
        made = crisis(pairwise=wish)
        asked = begin(made, "answers", [outline(made, question_set())])[0]
        names = ("red", "blue")
        replies = [said("answer_question", {"action": "run", "explanation": "why"}, f"{name}#1") for name in names]
        (seed,) = begin(made, "judgement", [outline(made, ending(made, asked, *replies).body)])
        found = made.plan(state_of(made, seed, []))
        assert not isinstance(found, Ending)
        pairs = {due.about for due in found if due.agent.name == "compare_answers"}
        assert len(pairs) == n
        assert {":".join(reversed(pair.split(":"))) for pair in pairs} == pairs
        assert not any("red" in str(due.ask) or "people" in str(due.ask) for due in found)


def test_people_see_two_answers_without_their_sources_in_a_drawn_order() -> None:
    made = crisis(compared=1.0, attention=1.0)
    seed = answered(made)
    state = state_of(made, seed, [])
    for source in ("red", "blue", "attention"):
        about = blind_name(seed, source)
        assert source not in about
        card = made.card(state, "prefer_answer", about)
        assert card is not None
        assert [one.name for one in card.shown] == ["question", "image", "scene", "first", "second"]
        assert not any(name in str(one.content) for one in card.shown for name in ("people", "red", "blue"))
    assert made.card(state, "prefer_answer", "grey") is None


def test_an_answer_without_sense_has_the_words_of_the_gold_in_another_order() -> None:
    made = crisis()
    (seed, *_) = questions_of(made, scene())
    for action in ("run to the hill", "run now", "run"):
        found = senseless(Reply("people", action, "why"), seed)
        assert sorted(found.action.split()) == sorted(action.split())
        assert found.action != action or len(action.split()) == 1


# -------------------------------------------------------------------------------------------------------- the whole


def test_a_campaign_with_a_target_takes_so_many_scenes_by_its_seed() -> None:
    made = crisis(quota=Quota(target=2))
    sources = corpus()
    assert made.wanted_items("scenes", sources) == 2
    places = [str(seed.about) for seed in begin(made, "scenes", sources)]
    assert len(set(places)) == 2
    assert made.wanted_items("scenes", ()) == 0


def test_an_estimate_needs_no_scene_to_be_known() -> None:
    unknown = (Outline(ItemRef("")),) * 3
    assert crisis().wanted_items("questions", unknown) == 6
    assert crisis(pairs=1).wanted_items("questions", unknown) == 3
    assert crisis().wanted_items("answers", unknown) == 9
    wishes: tuple[dict[str, Any], ...] = ({}, {"images": "models", "pairwise": "all", "experts": 0.5, "drafts": False})
    for settings in wishes:
        found = crisis(**settings).expect()
        assert all(0 <= one.calls[0] <= one.calls[1] for one in found)
        assert ("caption_scene" in {one.role for one in found}) == (settings.get("images") == "models")


def test_settings_that_do_not_fit_are_told(tmp_path: Path) -> None:
    made = PIPELINES["crisis"]
    panels = {"answer_question": Panel(("people", "red"))}
    names = [message for _, message in made.find_faults(made.Settings(attention=0.5), panels)]
    assert "a model that answers is called 'people'" in names[0]
    assert "set compared above 0" in names[1]
    assert not made.find_faults(made.Settings(), {"answer_question": Panel(("red",))})
    roles = {name: Panel(("red",)) for name in PANELS}
    settings = {"labels": "labels.json"}
    campaign = Campaign("x", "crisis", (), {"red": Model("red", "direct", "red")}, roles, crisis().campaign.rule)
    with pytest.raises(UsageError, match=r"labels\.json: the file of labels cannot be read"):
        made.of(replace(campaign, settings=settings), tmp_path)
    (tmp_path / "labels.json").write_text('{"incidents": ["fire"], "places": ["hill"]}', "utf-8")
    found = made.of(replace(campaign, settings={**settings, "outside": "drop"}), tmp_path)
    assert set(found.sources()) == {"labels"}
    assert crisis().sources() == {}
    (seed,) = found.admit(corpus({**BARE, "incidents": ["Fire", "fog"]}), Progress(0, (), 9, "scenes"))
    body = found.body(state_of(found, seed, []))
    assert isinstance(body, Scene)
    assert body.incidents == ("fire",)


def test_documents_are_no_scenes() -> None:
    with pytest.raises(Unreadable, match="scenes are records"):
        crisis().shows(Document("d", "a.md", "", "", ()))


def test_agents_refuse_what_does_not_fit_their_question() -> None:
    long = {"solution": "go " * 4, "explanation": "so"}
    draft = canonical({"problem": "p", "missing_resource": "r", **dict.fromkeys(GOOD, long)})
    with pytest.raises(BadReply, match="at most 3 words; too long: immediate, week, month"):
        accept(annotate_scene.agent, annotate_scene.Ask("s", (), (), 3, "English"), None, draft)
    numbered = classify_resource.Ask("p", "r", ("1. a: b",), "English")
    with pytest.raises(BadReply, match="best must be a number from 1 to 1"):
        accept(classify_resource.agent, numbered, None, '{"reason": "so", "best": 2}')
    check = every_agent()["check_questions"]
    ask = check.Ask("s", "q", "i", "p", "t", "r", (), "English")
    with pytest.raises(BadReply, match="verdicts must have exactly the keys"):
        accept(check, ask, None, canonical({"verdicts": {"safe": verdict(seeded_random("x"))}}))
    wanted = (Wanted("week"),)
    write = write_questions.Ask("i", "p", "x", "r", wanted, "", (), "English")
    found = accept(write_questions.agent, write, None, canonical(GOOD))
    assert found == canonical({**dict.fromkeys(GOOD, ""), "week": GOOD["week"]})
