"""What is known about a question with options, whoever made it: its answers, folded one by one. Pure.

Answers may come in any order: what one changes is laid anew from what is there, and nothing else is. Options go through
the gates when they are written, a ballot is read when it is cast.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.agents.choice import (
    check_evidence,
    check_stem,
    replace_distractors,
    review_item,
    review_option,
    review_stem,
)
from benchwright.domain.answer import Answer
from benchwright.domain.item import Seed
from benchwright.domain.opinion import EDIT, Policy, Ruling, rule_on, standing_opinions
from benchwright.domain.text import plain, within
from benchwright.domain.vote import Vote
from benchwright.pipelines import polling
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice import comparing
from benchwright.pipelines.choice.gates import failed_gate
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option, option_id
from benchwright.pipelines.choice.planted import RIGHT, WRONG
from benchwright.pipelines.polling import Cast, Poll, SheetAnswer, VotePoll, VoteTerms

NEAR_DUPLICATE = "near_duplicate"  # said by code of an item whose question another one asks
NOT_SAID = "not_the_conclusion"  # the gate at which an option falls that checkers do not find in its source


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with options as its answers tell it, on the `terms` of its panel.

    `right` are the answers that hold its correct options, `rounds` those to the calls for distractors, failed ones
    included. `foreign` are names that only graphs told of, `unsound` correct options, in plain form, that are not what
    their source says. `ballots` are by sheet; `unknown` are answers of checkers about options that are not there yet.
    `evidence` is what checkers say of cited sentences, by what it is about. `decisions` are what people said, by option
    id, `remarks` what they said about the item as a whole. `stem_poll` is what checkers say of the question, None where
    none are asked, and `stem_words` what people say of it, under their `policy`. All that is not compared follows from
    the rest.
    """

    seed: Seed
    terms: VoteTerms = field(compare=False, repr=False)
    failure: Answer | None = None  # the answer that failed and cannot be gone round, the last one written
    policy: Policy = field(default=Policy(), compare=False, repr=False)
    duplicate: Answer | None = None
    question: Answer | None = None
    stem_poll: VotePoll | None = None
    stem_words: tuple[Answer, ...] = ()
    right: tuple[Answer, ...] = ()
    rounds: tuple[Answer, ...] = ()
    foreign: tuple[str, ...] = ()
    unsound: frozenset[str] = frozenset()
    ballots: Mapping[int, Cast[Vote]] = field(default_factory=dict)
    unknown: tuple[Answer, ...] = ()
    evidence: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    decisions: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    remarks: tuple[Answer, ...] = ()
    options: tuple[Option, ...] = ()
    polls: tuple[VotePoll, ...] = field(default=(), compare=False, repr=False)
    asked: dict[Any, Due] = field(default_factory=dict, compare=False, repr=False)  # questions to checkers, kept

    @property
    def written_stem(self) -> str:
        """The question's text as it was written; "" before there is one."""
        return str(self.question.value["question"]) if self.question else ""

    @property
    def stem(self) -> str:
        """The text that options are written for: that of people, where they changed it before there were any."""
        if not self.stem_words:
            return self.written_stem
        holds = self.stem_ruling.holds
        return holds.text if holds and holds.decision == EDIT else self.written_stem

    @property
    def stem_ruling(self) -> Ruling:
        """What people come to about the question as it was written."""
        return rule_on(standing_opinions(self.stem_words), self.policy)

    @property
    def replacements(self) -> tuple[int, ...]:
        """The rounds of distractors, by number, in which those that nobody took were to be replaced."""
        name = replace_distractors.agent.name
        return tuple(number for number, answer in enumerate(self.rounds, 1) if answer.step == name)

    @property
    def has_correct_options(self) -> bool:
        """Whether the correct options are there, fallen ones included."""
        return bool(self.right)

    @property
    def pieces(self) -> tuple[int, ...]:
        """The numbers of the sentences that the question rests on."""
        return tuple(span["sentence"] for span in (self.question.value["evidence"] if self.question else ()))

    def options_with_label(self, label: str) -> tuple[Option, ...]:
        """The options of one label, fallen ones included."""
        return tuple(option for option in self.options if option.label == label)


def order_of(answer: Answer) -> tuple[str, str, str]:
    """What puts the answers of one step in an order, whatever the order of arrival."""
    return answer.about.rjust(8), answer.by, answer.body


def latest(before: Answer | None, answer: Answer) -> Answer:
    """Of the answers to what is asked once, the one that counts."""
    return max(before or answer, answer, key=order_of)


def among(answers: Sequence[Answer], answer: Answer) -> tuple[Answer, ...]:
    """The answers with one more, in order."""
    return tuple(sorted((*answers, answer), key=order_of))


# ------------------------------------------------------------------------------------------------ what is written


def with_failure(draft: Draft, answer: Answer, steps: Sequence[str]) -> Draft:
    """A step failed that cannot be gone round: the last of all `steps` that did so ends the item."""
    both = filter(None, (draft.failure, answer))
    return replace(draft, failure=max(both, key=lambda one: (steps.index(one.step), *order_of(one))))


def with_duplicate(draft: Draft, answer: Answer) -> Draft:
    """Another item asks the same."""
    return replace(draft, duplicate=latest(draft.duplicate, answer))


def with_question(draft: Draft, answer: Answer) -> Draft:
    """The question is there."""
    return gate_again(replace(draft, question=latest(draft.question, answer)))


def with_stem_ballot(draft: Draft, answer: Answer) -> Draft:
    """What a checker says of the question; nothing where the campaign asks none any more."""
    if draft.stem_poll is None:
        return draft
    one = comparing.ballot(answer, draft.stem_poll.sheet, comparing.SOUND)
    return replace(draft, stem_poll=draft.stem_poll.with_ballot(one, polling.with_ballot(draft.stem_poll.said, one)))


def with_stem_word(draft: Draft, answer: Answer) -> Draft:
    """What a person says of the question, perhaps in other words: options are held against these."""
    return gate_again(replace(draft, stem_words=among(draft.stem_words, answer)))


def with_foreign(draft: Draft, names: Sequence[str]) -> Draft:
    """These names are told of by graphs alone."""
    return gate_again(replace(draft, foreign=tuple(names)))


def with_right(draft: Draft, answer: Answer) -> Draft:
    """The correct options are there."""
    return gate_again(replace(draft, right=among(draft.right, answer)))


def with_round(draft: Draft, answer: Answer) -> Draft:
    """One more round of distractors, though it may have failed."""
    rounds = among(draft.rounds, answer)
    if rounds[-1] is not answer:  # it came before one of an earlier round, so all that follows is other than it was
        return gate_again(replace(draft, rounds=rounds))
    options = with_entries(draft, draft.options, DISTRACTOR, round_number(answer), answer)
    return lay_out_sheets(replace(draft, rounds=rounds, options=options, asked={}))


def round_number(answer: Answer) -> int:
    """Which round of distractors an answer is: one before it may be missing, where its failure was withdrawn."""
    return int(answer.about)


def gate_again(draft: Draft) -> Draft:
    """The options through the gates again: what they are held against has changed."""
    options: tuple[Option, ...] = ()
    for answer in draft.right:
        options = with_entries(draft, options, CORRECT, 0, answer)
    for answer in draft.rounds:
        options = with_entries(draft, options, DISTRACTOR, round_number(answer), answer)
    return lay_out_sheets(replace(draft, options=options, asked={}))


def with_entries(
    draft: Draft, options: tuple[Option, ...], label: str, number: int, answer: Answer
) -> tuple[Option, ...]:
    """The options with those of one answer, each through the gates."""
    value = answer.value
    for entry in value.get("options", value.get("conclusions", ())):
        options = (*options, gate_option(draft, options, label, number, entry))
    return options


def gate_option(draft: Draft, before: Sequence[Option], label: str, number: int, entry: Mapping[str, Any]) -> Option:
    """One written option, with the gate at which it falls; `number` is that of its round."""
    text = entry["text"]
    quotes = [span["text"] for span in entry["evidence"]]
    gate = failed_gate(text, quotes, draft.stem, (option.text for option in before)) or foreign(draft, text)
    return Option(
        id=option_id(label, text),
        label=label,
        text=text,
        rationale=entry["rationale"],
        evidence=tuple(entry["evidence"]),
        round=number,
        confusion=entry.get("confusion", ""),
        gate=NOT_SAID if label == CORRECT and plain(text) in draft.unsound else gate,
    )


def foreign(draft: Draft, text: str) -> str | None:
    """The gate at which an option falls that names what only graphs told of: its reader could not know."""
    return "outside_knowledge" if any(within(plain(name), plain(text)) for name in draft.foreign) else None


# ------------------------------------------------------------------------------------------------ what is decided


def with_ballot(draft: Draft, answer: Answer) -> Draft:
    """A checker's answer to a sheet."""
    one = ballot(draft, answer)
    begun, said = one.sheet in draft.ballots, polling.with_ballot(draft.ballots.get(one.sheet, {}), one)
    known = {RIGHT, WRONG, *one.words}
    unknown = draft.unknown if known.issuperset(answer.value.get("verdicts", ())) else among(draft.unknown, answer)
    heard = replace(draft, ballots={**draft.ballots, one.sheet: said}, unknown=unknown)
    if not begun:
        return lay_out_sheets(heard)
    return replace(heard, polls=tuple(p.with_ballot(one, said) if p.sheet == one.sheet else p for p in draft.polls))


def with_evidence(draft: Draft, answer: Answer) -> Draft:
    """What a checker says of the sentences that an option cites."""
    said = among(draft.evidence.get(answer.about, ()), answer)
    return replace(draft, evidence={**draft.evidence, answer.about: said})


def with_decision(draft: Draft, answer: Answer) -> Draft:
    """What a person says about an option."""
    said = among(draft.decisions.get(answer.about, ()), answer)
    return replace(draft, decisions={**draft.decisions, answer.about: said})


def with_remark(draft: Draft, answer: Answer) -> Draft:
    """What a person says about the item as a whole."""
    return replace(draft, remarks=among(draft.remarks, answer))


def place(about: str) -> tuple[int, int]:
    """A sheet and how often a checker had answered to it: "1", or "1.2" where it is asked again."""
    sheet, _, number = about.partition(".")
    return int(sheet), int(number or 0)


def ballot(draft: Draft, answer: Answer) -> SheetAnswer[Vote]:
    """A checker's answer as votes: whether each option is what it claims to be. Planted ones are none of the item's."""
    sheet, number = place(answer.about)
    model, _, run = answer.by.rpartition("#")
    labels = {option.id: option.label for option in draft.options}
    value = answer.value
    own = value.get("answer", "")  # answers of before checkers gave their own have none
    votes = {
        name: Vote(
            about=name,
            by=answer.by,
            keep=agrees(labels[name], said["verdict"]),
            reason=said["reason"],
            verdict=said["verdict"],
            answer=own,
            cites=tuple(said.get("sentences", ())),
        )
        for name, said in value.get("verdicts", {}).items()
        if name in labels
    }
    return SheetAnswer(sheet, model, int(run) - 1, votes, value.get("failure"), number)


def agrees(label: str, verdict: str) -> bool | None:
    """Whether a blind verdict confirms the label; None for an abstention.

    `flawed` confirms neither: what the document does not state is no distractor either.
    """
    if verdict == "cannot_say":
        return None
    return verdict == ("correct" if label == CORRECT else "wrong")


def lay_out_sheets(draft: Draft) -> Draft:
    """The options on their sheets, each sheet with what was said about it."""
    if draft.unknown:
        waiting, draft = draft.unknown, replace(draft, unknown=())
        ballots, unknown = draft.ballots, []
        for answer in waiting:
            one = ballot(draft, answer)
            ballots = {**ballots, one.sheet: polling.with_ballot(ballots[one.sheet], one)}
            unknown += [] if {RIGHT, WRONG, *one.words}.issuperset(answer.value["verdicts"]) else [answer]
        draft = replace(draft, ballots=ballots, unknown=tuple(unknown))
    there = {(poll.sheet, poll.things, id(poll.said)): poll for poll in draft.polls}
    polls = []
    for sheet, options in sheets(draft):
        names, said = tuple(option.id for option in options), draft.ballots.get(sheet, {})
        polls.append(there.get((sheet, names, id(said))) or Poll(sheet, names, said, draft.terms))
    return replace(draft, polls=tuple(polls))


def sheets(draft: Draft) -> Iterator[tuple[int, tuple[Option, ...]]]:
    """The options by the sheet on which the panel gets them, fallen ones left out.

    An option of round k goes on the first sheet that was begun after at least k rounds; those that no begun sheet
    holds are on the next one, numbered by the rounds so far.
    """
    begun = sorted({*draft.ballots, max(map(round_number, draft.rounds), default=0)})
    for low, high in zip([-1, *begun], begun, strict=False):
        options = tuple(o for o in draft.options if o.gate is None and low < o.round <= high)
        if options:
            yield high, options


Fold = Callable[[Draft, Answer], Draft]
SHARED: Mapping[str, Fold] = {  # what is said about every question with options
    NEAR_DUPLICATE: with_duplicate,
    check_stem.agent.name: with_stem_ballot,
    check_evidence.agent.name: with_evidence,
    review_stem.agent.name: with_stem_word,
    replace_distractors.agent.name: with_round,
    review_option.agent.name: with_decision,
    review_item.agent.name: with_remark,
}
