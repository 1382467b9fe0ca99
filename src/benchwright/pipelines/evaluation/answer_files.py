"""Reads answers that were given elsewhere: JSON lines or CSV with id, answer, and perhaps model, run, condition.

`answer` holds letters ("AC"), a list of them, or nothing where no choice was taken. `failed`, or a null for the answer,
says that there is none: it is not counted as wrong.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.corpus.records import RECORD_READERS
from benchwright.errors import UsageError
from benchwright.pipelines.evaluation.responses import Question, Response
from benchwright.pipelines.evaluation.set_files import FLAWS_SHOWN, read_lines

FIELDS = "a row has id and answer (letters such as AC), perhaps model, run, condition, abstained, failed"
TRUE, FALSE = {"true", "1", "yes"}, {"false", "0", "no", ""}
SEPARATORS = " ,;|"


def read_answers(file: Path, questions: Sequence[Question]) -> tuple[list[Response], list[str]]:
    """The answers of a file, and what is wrong with lines that are left out; `UsageError` where no line is usable."""
    if file.suffix.lower() not in RECORD_READERS or not file.is_file():
        raise UsageError(f"{file}: name a file of answers, .jsonl or .csv: {FIELDS}")
    known, flaws = {one.id: one for one in questions}, list[str]()
    found: dict[tuple[str, str, int], Response] = {}
    for place, fields in read_lines(file, flaws):
        try:
            one = read_answer(fields, known, file.stem)
        except ValueError as error:
            flaws.append(f"{place}: {error}")
            continue
        if (one.question, one.taker, one.run) in found:
            twice = f"{one.taker} answers {one.question!r} twice in run {one.run}"
            flaws.append(f"{place}: {twice}: this line is left out; number the runs")
        found.setdefault((one.question, one.taker, one.run), one)
    if not found:
        raise UsageError("\n".join((f"{file}: no line is an answer to a question of the set", *flaws[:FLAWS_SHOWN])))
    return list(found.values()), flaws


def read_answer(fields: Mapping[str, Any], known: Mapping[str, Question], model: str) -> Response:
    """One answer; raises `ValueError` that says what is wrong with it."""
    name = fields.get("id")
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"the set has no question {name!r}; {FIELDS}")
    failed, answer = str(fields.get("failed") or ""), fields.get("answer")
    if not failed and "answer" not in fields:
        raise ValueError(f"has no answer; {FIELDS}")
    failed = failed or ("no answer" if answer is None else "")
    return Response(
        question=name,
        model=str(fields.get("model") or model),
        chosen=None if failed else read_letters(answer),
        run=read_run(fields.get("run") or 1),
        condition=str(fields.get("condition") or ""),
        abstained=read_flag(fields.get("abstained", False)),
        failure=failed,
    )


def read_letters(answer: object) -> frozenset[str]:
    """The names of choices in an answer: letters one after the other or apart, or a list of names."""
    if isinstance(answer, list):
        return frozenset(str(one).strip() for one in answer)
    if not isinstance(answer, str):
        raise ValueError(f"answer should be letters such as AC, or a list of them, not {answer!r}")  # noqa: TRY004
    text = answer.translate(dict.fromkeys(map(ord, SEPARATORS)))
    return frozenset(text.upper())


def read_run(value: object) -> int:
    """The number of a run."""
    text = str(value)
    if not text.isdecimal() or not int(text):
        raise ValueError(f"run should be a number from 1 on, not {value!r}")
    return int(text)


def read_flag(value: object) -> bool:
    """Yes or no."""
    text = str(value or "").strip().lower()
    if text not in TRUE | FALSE:
        raise ValueError(f"abstained should be true or false, not {value!r}")
    return text in TRUE
