"""Answers, and failures, which are answers too."""

from benchwright.domain.answer import Answer, failure_answer


def test_a_real_answer_has_a_value_and_no_failure() -> None:
    answer = Answer("write_question", "", "glm#1", '{"question":"Who?"}', "call1")

    assert answer.value == {"question": "Who?"}
    assert answer.failure is None


def test_a_failure_is_recorded_with_its_cause_and_no_more_detail_than_a_line_can_show() -> None:
    answer = failure_answer("check_option", "1", "glm#2", "refused", "x" * 900)

    assert answer.failure == "refused"
    assert answer.value["detail"] == "x" * 500
    assert (answer.step, answer.about, answer.by, answer.call) == ("check_option", "1", "glm#2", None)
