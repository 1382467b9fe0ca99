"""What is known about an item with options: its answers, folded. Pure, for all pipelines of such items."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.item import Seed
from benchwright.domain.text import plain, within
from benchwright.domain.vote import Vote
from benchwright.pipelines.choice import comparing
from benchwright.pipelines.choice.gates import fallen
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option, option_id
from benchwright.pipelines.polling import Ballot, Poll


@dataclass(frozen=True, slots=True)
class State:
    """An item as its answers tell it. `rounds` counts the answered calls for distractors.

    `facts` are those of graphs that may help its writer, `statements` what they come to in words; `conclusions` are
    taken from the masked part, `sources` are what checkers say of them, each under the number of its own as its sheet,
    and `source_polls` the same for each in turn; `refining` is what was said to harden the stem.
    """

    seed: Seed
    stopped: str | None = None  # the first answer that failed and cannot be gone round
    detail: str = ""
    duplicate_of: str | None = None
    topic_class: dict[str, Any] | None = None
    topic: dict[str, Any] | None = None
    facts: dict[str, Any] | None = None
    statements: dict[str, Any] | None = None
    conclusions: dict[str, Any] | None = None
    sources: tuple[Ballot, ...] = ()
    source_polls: tuple[Poll, ...] = ()
    question: dict[str, Any] | None = None
    options: tuple[Option, ...] = ()
    written: bool = False  # the correct options are there, fallen ones included
    rounds: int = 0
    again: frozenset[str] = frozenset()  # failed ballots, by sheet and checker, that are to be cast again
    ballots: tuple[Ballot, ...] = ()
    decisions: tuple[tuple[str, Answer], ...] = ()  # what people decided, by option id
    refining: tuple[Answer, ...] = ()

    def labelled(self, label: str) -> tuple[Option, ...]:
        """The options of one label, fallen ones included."""
        return tuple(option for option in self.options if option.label == label)


def fold(seed: Seed, answers: Iterable[Answer]) -> State:
    """Put the answers together. The order in which answers of different steps arrived does not matter."""
    state = State(seed)
    for answer in sorted(answers, key=writing_order):
        state = with_answer(state, answer)
    return state


def writing_order(answer: Answer) -> tuple[int, str, str, str]:
    """The order of the item's making, whatever the order of arrival."""
    return ORDER[answer.step], answer.about.rjust(8), answer.by, answer.body


def with_answer(state: State, answer: Answer) -> State:
    """The state with one answer more."""
    if answer.step in WRITTEN and answer.failure:
        return replace(state, stopped=f"{answer.step}: {answer.failure}", detail=answer.value["detail"])
    return FOLDS[answer.step](state, answer)


def with_question(state: State, answer: Answer) -> State:
    """The question is there; with it the correct options, where it was asked for conclusions that stood before it."""
    asked = replace(state, question=answer.value)
    if not state.conclusions:
        return asked
    return replace(asked, written=True, options=with_options(asked, CORRECT, state.conclusions["conclusions"]))


def with_correct(state: State, answer: Answer) -> State:
    """The correct options are there."""
    return replace(state, written=True, options=with_options(state, CORRECT, answer.value["options"]))


def with_statements(state: State, answer: Answer) -> State:
    """What the facts come to in words; nothing where that failed: a writer can do without."""
    return replace(state, statements=answer.value if not answer.failure else {"statements": []})


def with_distractors(state: State, answer: Answer) -> State:
    """One more round of distractors, though it may have failed."""
    written = with_options(state, DISTRACTOR, answer.value.get("options", ()))
    return replace(state, rounds=state.rounds + 1, options=written)


def of_source(answer: Answer) -> Ballot:
    """What a checker says of the source of a conclusion."""
    return comparing.ballot(answer, int(answer.about), comparing.SOURCE_SAYS)


ASK_AGAIN = "ask_again"  # said by code of a checker that was down: its failure no longer counts

Fold = Callable[[State, Answer], State]
REFINING: dict[str, Fold] = dict.fromkeys(
    ("judge_item", "pick_entity", "look_up", "describe_entity", "compare_stems"),
    lambda state, answer: replace(state, refining=(*state.refining, answer)),
)
WRITTEN: dict[str, Fold] = {  # what is written once, in the order of writing
    "choose_class": lambda state, answer: replace(state, topic_class=answer.value),
    "choose_topic": lambda state, answer: replace(state, topic=answer.value),
    "find_facts": lambda state, answer: replace(state, facts=answer.value),
    "extract_conclusion": lambda state, answer: replace(state, conclusions=answer.value),
    **dict.fromkeys(("write_question", "write_inference", "ask_for_conclusion"), with_question),
    "near_duplicate": lambda state, answer: replace(state, duplicate_of=answer.value["of"]),
    **dict.fromkeys(("write_correct_options", "infer_correct_options"), with_correct),
}
ROUND_ABOUT: dict[str, Fold] = {  # whose failures are gone round: by doing without, another round, a smaller panel
    "summarise_knowledge": with_statements,
    "compare_conclusion": lambda state, answer: replace(state, sources=(*state.sources, of_source(answer))),
    **dict.fromkeys(("design_distractors", "infer_distractors", "mislead"), with_distractors),
    ASK_AGAIN: lambda state, answer: replace(state, again=state.again | {answer.about}),
    **dict.fromkeys(
        ("check_option", "check_inference", "check_reconstruction"),
        lambda state, answer: replace(state, ballots=(*state.ballots, ballot(state, answer))),
    ),
    "review_option": lambda state, answer: replace(state, decisions=(*state.decisions, (answer.about, answer))),
    **REFINING,
}
FOLDS = WRITTEN | ROUND_ABOUT
ORDER = {step: place for place, step in enumerate(FOLDS)}


def with_options(state: State, label: str, written: Sequence[dict[str, Any]]) -> tuple[Option, ...]:
    """The item's options with newly written ones, each through the gates."""
    options = state.options
    for body in written:
        options = (*options, gated(state, options, label, body))
    return options


def gated(state: State, before: Sequence[Option], label: str, body: dict[str, Any]) -> Option:
    """One written option, with the gate at which it falls."""
    stem = state.question["question"] if state.question else ""
    quotes = [span["text"] for span in body["evidence"]]
    gate = fallen(body["text"], quotes, stem, (option.text for option in before)) or foreign(state, body["text"])
    return Option(
        id=option_id(label, body["text"]),
        label=label,
        text=body["text"],
        rationale=body["rationale"],
        evidence=tuple(body["evidence"]),
        round=state.rounds + (label == DISTRACTOR),
        confusion=body.get("confusion", ""),
        gate=gate,
    )


def foreign(state: State, text: str) -> str | None:
    """The gate at which an option falls that names what only graphs told of: its reader could not know."""
    names: Sequence[str] = (state.facts or {}).get("foreign", ())  # read as it is: each fold comes here once an option
    return "outside_knowledge" if any(within(plain(name), plain(text)) for name in names) else None


def again(answer: Answer) -> str:
    """The failed answer as what is said of it names it."""
    return f"{answer.about}/{answer.by}"


def ballot(state: State, answer: Answer) -> Ballot:
    """A checker's answer as votes: whether each option is what it claims to be. Planted ones are none of the item's.

    It is about a sheet, "1", or asks again about what was left out of the answer before: "1.1".
    """
    sheet, _, _ = answer.about.partition(".")
    model, _, run = answer.by.rpartition("#")
    labels = {option.id: option.label for option in state.options}
    body = answer.value
    votes = {
        name: Vote(name, answer.by, agrees(labels[name], said["verdict"]), said["reason"], said["verdict"])
        for name, said in body.get("verdicts", {}).items()
        if name in labels
    }
    failure = None if again(answer) in state.again else body.get("failure")
    return Ballot(int(sheet), model, int(run) - 1, votes, failure)


def agrees(label: str, verdict: str) -> bool | None:
    """Whether a blind verdict confirms the label; None for an abstention.

    `flawed` confirms neither: what the document does not state is no distractor either.
    """
    if verdict == "cannot_say":
        return None
    return verdict == ("correct" if label == CORRECT else "wrong")


def sheets(state: State) -> Iterator[tuple[int, tuple[Option, ...]]]:
    """The options by the sheet on which the panel gets them, fallen ones left out.

    An option of round k goes on the first sheet that was begun after at least k rounds; those that no begun sheet
    holds are on the next one, numbered by the rounds so far.
    """
    begun = sorted({cast.sheet for cast in state.ballots} | {state.rounds})
    for low, high in zip([-1, *begun], begun, strict=False):
        options = tuple(o for o in state.options if o.gate is None and low < o.round <= high)
        if options:
            yield high, options
