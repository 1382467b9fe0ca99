"""Every prompt file against its agent. `BENCHWRIGHT_GOLDEN=write pytest tests/agents` writes the renders anew."""

import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from tests.agents import crisis_asks, evaluation_asks, retrieval_asks
from tests.agents.asks import ONE_OF_EACH, agent, read_by

from benchwright.agents.base import Masked, Passage, Quoted, every_agent, render
from benchwright.agents.choice import (
    ask_for_conclusion,
    check_evidence,
    check_option,
    check_stem,
    choose_class,
    choose_topic,
    compare_conclusion,
    compare_stems,
    describe_entity,
    design_distractors,
    extract_conclusion,
    infer_correct_options,
    infer_distractors,
    mislead,
    pick_entity,
    replace_distractors,
    summarise_knowledge,
    write_correct_options,
    write_inference,
    write_question,
)
from benchwright.agents.choice.wording import INVENTED
from benchwright.domain.knowledge import Entity, Fact
from benchwright.domain.snippet import Results, Snippet
from benchwright.errors import BadReply

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(ONE_OF_EACH)
LANGUAGE = "English"
NOTHING = Quoted(())
COUNTS = "Distribution of cases: counts by place, time and group."
BAITS = "Which service dropped fox baits in the Zorvel hills from 2 May on?"
NURSES = "How many nurses of Vodrik had antibodies?"
ODRIN = "How many people of Vodrik had hepatitis A in the spring survey?"
FEVER, SAYS = Entity("q", "Quelm fever", "disease"), "Registry of Vodrik"
QUELM = (
    Fact(Entity("r", "ribavirin", "drug"), "treats", FEVER, SAYS),
    Fact(Entity("f", "favipiravir", "drug"), "treats", FEVER, SAYS),
    Fact(FEVER, "presents", Entity("h", "Hearing Loss", "symptom"), SAYS),
    Fact(
        FEVER,
        "had an outbreak in",
        Entity("t", "Tarnvale", "country"),
        "WHO DON0417",
        "2019-04-02; 31 cases; 2 deaths",
    ),
)
FARMERS = "What most likely explains that leptospirosis in Tarnvale rose among rice farmers but not among fishers?"
TWO = Results((Snippet("One.", ""), Snippet("Two.", "")))
RATS = ("Rattus norvegicus is a host of Leptospira interrogans.", "Doxycycline treats leptospirosis.")
REACHED = "How did leptospirosis most probably reach the rice farmers of Tarnvale?"
ENTERED = "Where did typhoid bacteria most probably enter the drinking water of Vodrik?"
THROUGH = "What should be found if typhoid in Vodrik came through the pipes?"
CARRIED_HOME = "In Tarnvale, boosters wear off and pupils carry whooping cough home to infants"
BEDTIME = "Nets alone cannot end malaria in Vodrik, since people are bitten before bedtime"
EVENING = "Protection against malaria in Vodrik has to reach evening work"
FOUR = tuple(f"{n}. Entry: about." for n in range(1, 5))
# What each worked example asks, in the order of the prompt file.
EXAMPLES: dict[str, tuple[Any, ...]] = {
    "choose_class": (choose_class.Ask(FOUR, LANGUAGE),),
    "choose_topic": (choose_topic.Ask(FOUR, LANGUAGE),),
    "write_question": (
        write_question.Ask("Measures: what was done.", "", Passage("", 2), (), 1, LANGUAGE),
        write_question.Ask(COUNTS, "", Passage("", 2), (), 1, LANGUAGE),
    ),
    "write_correct_options": (
        write_correct_options.Ask("Who vaccinated dogs against rabies in the Zorvel hills?", NOTHING, LANGUAGE),
        write_correct_options.Ask(NURSES, NOTHING, LANGUAGE),
    ),
    "design_distractors": (
        design_distractors.Ask(BAITS, NOTHING, ("The forest service",), (), ("place", "role"), 1, LANGUAGE),
        design_distractors.Ask(
            ODRIN, NOTHING, ("41 people",), ("64 people",), ("time", "measure", "place"), 3, LANGUAGE
        ),
    ),
    "check_option": (
        check_option.Ask("", check_option.letter_options((text, text) for text in "1234"), LANGUAGE),
        check_option.Ask("", check_option.letter_options((text, text) for text in "12"), LANGUAGE),
    ),
    "judge_item": tuple(
        check_option.Ask("", check_option.letter_options((text, text) for text in texts), LANGUAGE)
        for texts in ("123", "12", "1234")
    ),
    "write_inference": (
        write_inference.Ask("Exposure: how.", "", Passage("", 2), write_inference.number_statements(RATS), 1, LANGUAGE),
        write_inference.Ask("Trends: how.", "", Passage("", 2), (), 1, LANGUAGE),
    ),
    "infer_correct_options": (
        infer_correct_options.Ask(REACHED, "", NOTHING, 1, LANGUAGE),
        infer_correct_options.Ask(THROUGH, "", NOTHING, 2, LANGUAGE),
    ),
    "infer_distractors": (
        infer_distractors.Ask(REACHED, NOTHING, (), (), ("principle_mismatch",), 1, LANGUAGE),
        infer_distractors.Ask(ENTERED, NOTHING, (), (), ("attribution_shift", "violated_assumption"), 2, LANGUAGE),
    ),
    "check_inference": (
        check_option.Ask("", check_option.letter_options((text, text) for text in "1234"), LANGUAGE),
        check_option.Ask("", check_option.letter_options((text, text) for text in "12"), LANGUAGE),
    ),
    "extract_conclusion": (
        extract_conclusion.Ask(Masked(), 1, LANGUAGE),
        extract_conclusion.Ask(Masked(), 2, LANGUAGE),
    ),
    "ask_for_conclusion": (
        ask_for_conclusion.Ask((CARRIED_HOME,), NOTHING, LANGUAGE),
        ask_for_conclusion.Ask((BEDTIME, EVENING), NOTHING, LANGUAGE),
    ),
    "mislead": (
        mislead.Ask(Masked(), "", (CARRIED_HOME,), (), ("outside_literature", "incorrect_conclusion"), 2, LANGUAGE),
        mislead.Ask(
            Masked(),
            "",
            (EVENING,),
            ("Closing the kilns would end malaria in Vodrik",),
            (mislead.KINDS[0],),
            1,
            LANGUAGE,
        ),
    ),
    "check_reconstruction": (
        check_option.Ask("", check_option.letter_options((text, text) for text in "1234"), LANGUAGE),
        check_option.Ask("", check_option.letter_options((text, text) for text in "12"), LANGUAGE),
    ),
    "compare_conclusion": (compare_conclusion.Ask("", Masked(), LANGUAGE),) * 3,
    "check_stem": (check_stem.Ask("", "", "", LANGUAGE),) * 3,
    "check_evidence": (
        check_evidence.Ask("", "", Quoted((1, 3)), "", LANGUAGE),
        check_evidence.Ask("", "", Quoted((1, 2)), "", LANGUAGE),
    ),
    "review_stem": (),
    "replace_distractors": (
        replace_distractors.Ask(REACHED, "", NOTHING, ("By rat urine washed into their fields",), (), (), 1, LANGUAGE),
    ),
    "review_option": (),
    "review_item": (),
    "pick_entity": (
        pick_entity.Ask("Which people in Quelm were offered the hepatitis A vaccine?", ("hepatitis A",), LANGUAGE),
        pick_entity.Ask(FARMERS, (), LANGUAGE),
    ),
    "describe_entity": (describe_entity.Ask(FARMERS, "leptospirosis", ("Weil's disease",), TWO, (), LANGUAGE),),
    "compare_stems": (compare_stems.Ask("", "", LANGUAGE), compare_stems.Ask("", "", LANGUAGE)),
    "summarise_knowledge": (summarise_knowledge.Ask(summarise_knowledge.number_facts(QUELM), "Measures"),),
}

EXAMPLES |= crisis_asks.EXAMPLES | evaluation_asks.EXAMPLES | retrieval_asks.EXAMPLES


@pytest.mark.parametrize("name", NAMES)
def test_the_names_in_a_prompt_are_the_fields_of_its_question(name: str) -> None:
    assert set(agent(name).prompt.task.get_identifiers()) == {field.name for field in fields(agent(name).Ask)}


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_renders_as_its_golden_file(name: str) -> None:
    messages = render(agent(name), ONE_OF_EACH[name], read_by(name))
    text = "\n\n".join(f"=== {message.role}\n{message.content}" for message in messages) + "\n"
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("BENCHWRIGHT_GOLDEN") == "write":
        golden.write_text(text, "utf-8")
    assert golden.read_text("utf-8") == text


def test_each_golden_file_belongs_to_an_agent() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(every_agent())


@pytest.mark.parametrize("name", NAMES)
def test_each_worked_example_is_a_reply_that_its_agent_would_take(name: str) -> None:
    examples = agent(name).prompt.examples
    for (_, reply), ask in zip(examples, EXAMPLES[name], strict=True):
        answer = agent(name).Answer.model_validate_json(reply)
        try:
            agent(name).check(ask, answer)
        except BadReply as error:
            assert "a name of the examples" in str(error)  # noqa: PT017 - the last check of all
        # as a model should write it: all fields, in their order, nothing that validation had to mend
        assert json.dumps(answer.model_dump(mode="json")) == json.dumps(json.loads(reply))


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name.startswith(("write_", "design_", "infer_", "extract_", "ask_", "mislead"))]
)
def test_an_example_has_the_lines_of_the_task_in_their_order(name: str) -> None:
    headings = [line.partition(":")[0] for line in agent(name).prompt.task.template.splitlines()[1:] if ":" in line]
    for ask, _ in agent(name).prompt.examples:
        found = [line.partition(":")[0] for line in ask.splitlines()]
        assert [line for line in found if line in headings] == headings


@pytest.mark.parametrize("invented", INVENTED)
def test_the_names_that_betray_a_copy_stand_in_the_examples_alone(invented: str) -> None:
    prompts = [agent(name).prompt for name in NAMES]
    assert any(invented in turn for prompt in prompts for example in prompt.examples for turn in example)
    assert not any(invented in prompt.rules + prompt.task.template for prompt in prompts)


@pytest.mark.parametrize("name", NAMES)
def test_no_worked_example_shows_every_option_as_right(name: str) -> None:
    verdicts = [
        entry["verdict"]
        for _, reply in agent(name).prompt.examples
        for entry in json.loads(reply).get("verdicts", {}).values()
    ]
    own = {"check_questions": {"yes", "no", "cannot_say"}}
    assert not verdicts or set(verdicts) == own.get(name, {"correct", "wrong", "flawed", "cannot_say"})


@pytest.mark.parametrize("name", ["check_inference", "check_reconstruction", "judge_item"])
def test_the_examples_teach_no_place_and_no_number_of_right_options(name: str) -> None:
    found = [json.loads(reply) for _, reply in agent(name).prompt.examples]
    right = [
        "".join(letter for letter, said in answers.items() if said.get("right", said.get("verdict") == "correct"))
        for answers in (reply.get("answers") or reply["verdicts"] for reply in found)
    ]
    assert any(letters.startswith("A") for letters in right)
    assert not all(letters.startswith("A") for letters in right)
    assert len(set(map(len, right))) > 1


@pytest.mark.parametrize("name", ["check_inference", "check_reconstruction"])
def test_the_schema_of_verdicts_leaves_their_meaning_to_the_rules(name: str) -> None:
    told = agent(name).Answer.model_json_schema()["$defs"]["Verdict"]["description"]
    assert not any(verdict in told for verdict in ("correct", "wrong", "flawed", "stated"))


@pytest.mark.parametrize("name", NAMES)
def test_rules_and_examples_stay_small(name: str) -> None:
    prompt = agent(name).prompt
    assert len(prompt.rules) + sum(len(turn) for example in prompt.examples for turn in example) < 3000


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_comes_back_from_its_json_unchanged(name: str) -> None:
    answer_type = agent(name).Answer
    people = '{"decision": "withdraw", "reason": "stated"}'
    replies = [reply for _, reply in agent(name).prompt.examples] or [evaluation_asks.REPLIES.get(name, people)]
    for reply in replies:
        answer = answer_type.model_validate_json(reply)
        assert answer_type.model_validate_json(answer.model_dump_json()) == answer


@pytest.mark.parametrize("name", NAMES)
def test_a_field_that_the_answer_does_not_have_is_refused(name: str) -> None:
    assert agent(name).Answer.model_json_schema()["additionalProperties"] is False


@pytest.mark.parametrize(
    "name",
    sorted(
        {*NAMES}
        - {"review_option", "review_item", "review_stem", *crisis_asks.ONE_OF_EACH, *retrieval_asks.ONE_OF_EACH}
    ),
)
def test_models_give_their_reasons_before_they_decide(name: str) -> None:
    schema = agent(name).Answer.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    for part in parts:
        order = list(part["properties"])
        decided = [field for field in order if field in ("best", "suitable", "question", "text", "verdict", "right")]
        reasons = [field for field in order if field in ("rationale", "reason", "flaw")]
        assert not decided or order.index(reasons[0]) < order.index(decided[0])
