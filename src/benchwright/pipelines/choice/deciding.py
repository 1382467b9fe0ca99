"""What becomes of the options of a question once it stands, whoever made it.

Reads from top to bottom like the method: distractors, panel, people, selection, hardening of the stem (EpiQAL, arXiv
2601.03471, sections 3.5-3.6). What a pipeline does in a way of its own it brings as a `Manner`. All of it is pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Annotated, Any, TypeVar

from pydantic import Field

from benchwright.agents.base import NOTHING_MASKED, Agent, Masked, Quoted
from benchwright.agents.choice import check_evidence, check_option, check_stem, review_option
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.item import Ending, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import DISCARD, EDIT, WITHDRAW, Opinion, rule_on, standing_opinions
from benchwright.domain.veto import FamilyRule
from benchwright.domain.vote import Route
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.choice import comparing
from benchwright.pipelines.choice.body import Body, Difficulty, Question, Quote
from benchwright.pipelines.choice.item_state import Draft, round_number
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option
from benchwright.pipelines.choice.planted import plant
from benchwright.pipelines.choice.shares import SharedSettings
from benchwright.pipelines.choice.standing import OptionState, choice, why_people
from benchwright.pipelines.choice.stems import Stems, in_sample, new_wording
from benchwright.pipelines.choice.support import Support
from benchwright.pipelines.polling import Question as Asked
from benchwright.pipelines.polling import SettingOfWaves, Terms, VotePoll, VoteTerms, waves_of

Thing = TypeVar("Thing")
DOCUMENT_LANGUAGE = "the language of the document"


class ChoiceSettings(SharedSettings):
    """What a campaign may set of every pipeline of items with options."""

    refills: int = Field(default=2, ge=0, le=10)  # further rounds of distractors
    waves: Annotated[int, Field(ge=1, le=100, strict=True)] | SettingOfWaves = "runs"  # in which the panel is asked
    planted: float = Field(default=0.0, ge=0, le=1)  # share of the items in which checkers are tested
    check_stems: bool = True  # whether a panel judges each question before options are written
    check_evidence: bool = True  # whether a panel judges cited sentences alone, and code what checkers relied on
    family_veto: bool = True  # whether a family that says no in all of its runs sends what would be kept to people


@dataclass(frozen=True, slots=True)
class Hardened:
    """The stem and the options to keep, and how that came about."""

    stem: str
    difficulty: Difficulty
    options: tuple[OptionState, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """What is done about one item in its pipeline's own way.

    `write` asks for so many more distractors; `about` is what its body says beside question and options, once it has a
    question. `doubt` makes people decide about an option that its votes keep ("" where nothing does), `heard` is what
    else checkers say of an option, `source` what people see about it of a masked part. `plant` gives the options by
    which a checker is tested in its first question. `harden` owes what makes an item harder, of all options and those
    chosen for it, or says what came of it.
    """

    write: Callable[[Sequence[OptionState], int], Due]
    about: Callable[[], Mapping[str, Any]]
    doubt: Callable[[Option], str] = lambda _: ""
    heard: Callable[[Option], tuple[str, ...]] = lambda _: ()
    source: Callable[[Option], Masked] = lambda _: NOTHING_MASKED
    plant: Callable[[], tuple[tuple[str, str], ...]] = tuple
    harden: Callable[[Sequence[OptionState], Sequence[OptionState]], tuple[Due, ...] | Hardened | None] = lambda *_: (
        None
    )


@dataclass(frozen=True)
class Deciding:
    """A campaign's panel and people, deciding on options; `checker` is the panel's role.

    `how` says to people and models in what way a document answers the questions, `joins` that an answer has to join
    several of its sentences.
    """

    campaign: Campaign
    settings: ChoiceSettings
    checker: Agent
    how: str
    joins: bool = True

    @property
    def language(self) -> str:
        """What the writers are told to write in."""
        return DOCUMENT_LANGUAGE if self.campaign.language == "document" else self.campaign.language

    @cached_property
    def terms(self) -> VoteTerms:
        """The terms on which the panel votes."""
        panel = self.campaign.roles[self.checker.name]
        stand_ins = {name: self.campaign.models[name].substitute for name in panel.models}
        rule = self.campaign.rule
        held = FamilyRule.of(rule, panel, self.campaign.models) if self.settings.family_veto else rule
        return Terms(panel, held, waves_of(self.settings.waves, panel), stand_ins)

    def terms_of(self, role: str) -> VoteTerms:
        """The terms on which the panel of another role votes on one thing as a whole."""
        waves = waves_of(self.settings.waves, self.campaign.roles[role])
        return comparing.terms_of(self.campaign, role, waves, veto=self.settings.family_veto)

    @cached_property
    def stems(self) -> Stems:
        """The panel and people, deciding on questions."""
        return Stems(self.campaign, self.language, self.how)

    @cached_property
    def support(self) -> Support:
        """The panel on the evidence of correct options."""
        terms = self.terms_of(check_evidence.agent.name)
        return Support(self.settings.check_evidence, terms, self.campaign.seed, self.language, self.how, self.joins)

    def plant(self, draft: Draft) -> tuple[tuple[str, str], ...]:
        """The options by which a checker is tested, in a share of the items."""
        seed = (self.campaign.seed, draft.seed.id)
        return plant(draft.options_with_label(CORRECT), self.settings.planted, seed, stated=not self.joins)

    def draft(self, seed: Seed) -> Draft:
        """A draft of which nothing is known."""
        votes = comparing.poll(0, self.terms_of(check_stem.agent.name)) if self.settings.check_stems else None
        return Draft(seed, self.terms, policy=self.campaign.review, stem_poll=votes)

    def judge_stem(self, draft: Draft, manner: Manner, topic: str) -> Sequence[Due] | Ending | None:
        """What is owed about the question, or how the item ends by it; None once options may be written."""
        owed = self.stems.next_owed(draft, topic)
        return replace(owed, body=self.body(draft, manner)) if isinstance(owed, Ending) else owed

    def due(self, agent: Agent, ask: Any, about: str = "", run: int = 0) -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.campaign.roles[agent.name].models[0], about, run)

    def due_for_round(self, agent: Agent, ask: Any, draft: Draft) -> Due:
        """The question for another round of distractors.

        A sample of its own: where the round before brought nothing, question and reply would be the same.
        """
        there = set(map(round_number, draft.rounds))
        run = next(run for run in count() if run + 1 not in there)
        return self.due(agent, ask, str(run + 1), run)

    def early_ending(self, draft: Draft, manner: Manner) -> Ending | None:
        """How an item ends that cannot go on, whatever its pipeline."""
        if draft.failure:
            return discarded_ending(f"{draft.failure.step}: {draft.failure.failure}", draft.failure.value["detail"])
        if draft.question and not draft.stem:
            return discarded_ending(f"{draft.question.step}: none", draft.question.value["rationale"])
        if draft.right and not draft.options_with_label(CORRECT):
            return discarded_ending(f"{draft.right[0].step}: none", "the writer found no right answer")
        if draft.duplicate:
            return discarded_ending("near-duplicate question", f"of item {draft.duplicate.value['of']}")
        if (said := self.remark(draft)) and said.decision == DISCARD:
            return discarded_ending("discarded by people", said.reason, self.body(draft, manner))
        return None

    def plan(self, draft: Draft, manner: Manner) -> Sequence[Due] | Ending:
        """Distractors and votes, in rounds while the panel leaves too few; then people; then the end.

        People decide on all that is put to them before their rejections send the item back to the writer, so the
        order of their decisions changes nothing.
        """
        polled = next((poll for poll in draft.polls if poll.wave.questions), None)
        standings = self.standings(draft, manner)
        if end := self.hopeless(draft, manner, standings, polled):
            return end
        votes = self.checks(draft, manner, polled) if polled else self.check_evidence(draft, standings)
        if votes and any(standing.count.cast or standing.count.abstained for standing in standings):
            return votes
        if missing := self.missing_distractors(draft, [s for s in standings if s.route is not Route.REJECT]):
            return [manner.write(standings, missing)]
        people = [self.reviews(draft, manner, s, standings) for s in standings if s.fate is Route.HUMAN]
        if owed := votes or [due for dues in people for due in dues]:
            return owed
        if missing := self.missing_distractors(draft, [s for s in standings if s.fate is not Route.REJECT]):
            return [manner.write(standings, missing)]
        return self.finish(draft, manner, standings)

    # -------------------------------------------------------------------------------------------- how options stand

    def standings(self, draft: Draft, manner: Manner) -> tuple[OptionState, ...]:
        """Every option, fallen ones included, as it stands."""
        poll_of = {option: poll for poll in draft.polls for option in poll.things}
        return tuple(self.option_state(draft, manner, option, poll_of.get(option.id)) for option in draft.options)

    def option_state(self, draft: Draft, manner: Manner, option: Option, poll: VotePoll | None) -> OptionState:
        """One option's votes and route, and what people say."""
        if poll is None or option.gate:  # one that fell as a duplicate has the name of the first, which is on a sheet
            return OptionState(option, Route.REJECT)
        opinions, route = standing_opinions(draft.decisions.get(option.id, ())), poll.end(option.id)
        evidence = self.support.judge(draft, option, poll)
        doubts = (manner.doubt(option), evidence.doubt) if route is not Route.REJECT else ()
        doubt = evidence.fall or "; ".join(filter(None, doubts))
        return OptionState(
            option=option,
            route=Route.REJECT if evidence.fall else route,
            poll=poll,
            opinions=opinions,
            people=rule_on(opinions, self.campaign.review),
            audited=self.is_sampled(draft, option) or bool(doubt and not evidence.fall),
            relied="{}/{}".format(*evidence.relied) if evidence.relied[1] else "",
            evidence_checks=evidence.checks(),
            heard=evidence.words,
            doubt=doubt,
        )

    def is_sampled(self, draft: Draft, option: Option) -> bool:
        """Whether an option is in the sample that people see whatever the votes say."""
        share = self.campaign.review.audit
        return share > 0 and in_sample(share, self.campaign.seed, draft.seed.id, option.id)

    def missing_distractors(self, draft: Draft, alive: Sequence[OptionState]) -> int:
        """How many distractors are to be written beside those alive; 0 when no round is left."""
        if not self.may_refill(draft):
            return 0
        right = sum(s.option.label == CORRECT for s in alive)
        there = sum(s.option.label == DISTRACTOR and s.option.round not in draft.replacements for s in alive)
        if not right and self.settings.no_correct == "discard":
            return 0  # the item ends: nobody needs wrong options beside right ones that are gone
        return max(0, self.settings.wanted_distractors(self.campaign.seed, draft.seed, right) - there)

    def may_refill(self, draft: Draft) -> bool:
        """Whether a round of distractors is left; those that replace what nobody took are counted apart."""
        return len(draft.rounds) - len(draft.replacements) <= self.settings.refills

    # ------------------------------------------------------------------------------------------------ what is asked

    def checks(self, draft: Draft, manner: Manner, poll: VotePoll) -> list[Due]:
        """The blind questions of a poll's wave; what was asked before is not put together again."""
        wave = f"{self.checker.name}/{poll.sheet}/{poll.wave.before}"
        owed = []
        for asked in poll.wave.questions.values():
            due = draft.asked.get((wave, asked))
            if due is None:
                due = draft.asked[wave, asked] = self.check(draft, manner, asked, wave)
            owed.append(due)
        return owed

    def check_evidence(self, draft: Draft, standings: Sequence[OptionState]) -> list[Due]:
        """What the panel on evidence owes about the correct options that votes do not reject."""
        alive = [s.option for s in standings if s.option.label == CORRECT and s.poll and s.route is not Route.REJECT]
        return self.support.next_owed(draft, alive)

    def check(self, draft: Draft, manner: Manner, asked: Asked, wave: str) -> Due:
        """The question to one checker, its options in an order of its own."""
        texts, turn = {option.id: option.text for option in draft.options}, asked.turn
        first = turn.run == asked.again == 0 and asked.sheet == min(poll.sheet for poll in draft.polls)
        options = [*((name, texts[name]) for name in asked.things), *(manner.plant() if first else ())]
        order = seeded_shuffle(options, self.campaign.seed, draft.seed.id, asked.about, turn.model, turn.run)
        ask = check_option.Ask(draft.stem, check_option.letter_options(order), self.language)
        return Due(self.checker, ask, turn.model, asked.about, turn.run, wave)

    def reviews(
        self, draft: Draft, manner: Manner, standing: OptionState, standings: Sequence[OptionState]
    ) -> list[Due]:
        """The question to people about an option, as often as opinions are missing.

        Each opinion ever given, whether it stands or not, has used up one ticket: a later one has another key.
        """
        said = draft.decisions.get(standing.option.id, ())
        given = sum(answer.value["decision"] != WITHDRAW for answer in said)
        ask = self.review(draft, manner, standing, standings)
        keys = range(given, given + standing.people.missing)
        return [Due(review_option.agent, ask, HUMAN, standing.option.id, run) for run in keys]

    def review(
        self, draft: Draft, manner: Manner, standing: OptionState, standings: Sequence[OptionState]
    ) -> review_option.Ask:
        """What people are asked about an option."""
        option = standing.option
        votes = (f"{vote.by} says {vote.verdict}: {vote.reason}" for vote in standing.votes)
        return review_option.Ask(
            question=draft.stem,
            option=option.text,
            claim="correct option" if option.label == CORRECT else "distractor",
            evidence=Quoted(cited_numbers([option])),
            votes=(*votes, *manner.heard(option), *standing.heard),
            others=tuple(other.text for other in standings if other is not standing and not other.option.gate),
            why=self.why(standing),
            source=manner.source(option),
        )

    def why(self, standing: OptionState) -> str:
        """For what reason people are asked; there may be two."""
        votes = why_people(standing.poll, standing.option.id) if standing.poll else ""
        reasons = "; ".join(filter(None, (votes, standing.doubt)))
        return reasons or f"audit of an option that the votes {standing.route}"

    # -------------------------------------------------------------------------------------------------- how it ends

    def hopeless(
        self, draft: Draft, manner: Manner, standings: Sequence[OptionState], polled: VotePoll | None
    ) -> Ending | None:
        """The end of an item that no outstanding vote can save: the panel is asked nothing more about it.

        The panel's votes alone say so, as they were when the wave that is owed began: so it matters neither who of the
        wave nor who of the people answers first.
        """
        alive = [s.option.label for s in standings if self.was_alive(draft, s, polled)]
        if self.may_refill(draft):
            alive += [DISTRACTOR] * self.settings.min_options
        fault = self.fault(draft, alive)
        return discarded_ending(*fault, self.body_of(draft, manner, standings, ())) if fault else None

    def was_alive(self, draft: Draft, standing: OptionState, polled: VotePoll | None) -> bool:
        """Whether an option might still be kept when the wave that is owed began."""
        if polled is None or standing.poll is not polled:
            return standing.route is not Route.REJECT or standing.audited
        began = polled.wave.counts[standing.option.id].end
        return began is not Route.REJECT or self.is_sampled(draft, standing.option)

    def fault(self, draft: Draft, labels: Sequence[str]) -> tuple[str, str] | None:
        """Why kept options of these labels make no item, cause and detail; None where they do."""
        if CORRECT not in labels and self.settings.no_correct == "discard":
            return "no correct option kept", ""
        shown = len(self.select_shown(draft, labels, str))
        if shown < self.settings.min_options:
            return "too few options", f"{shown} options left, {self.settings.min_options} needed"
        return None

    def select_shown(self, draft: Draft, stand: Sequence[Thing], label: Callable[[Thing], str]) -> list[Thing]:
        """Of the options that stand, those that the item shows."""
        right, wrong = ([one for one in stand if label(one) == wanted] for wanted in (CORRECT, DISTRACTOR))
        return self.settings.select_shown(right, wrong, self.campaign.seed, draft.seed)

    def finish(self, draft: Draft, manner: Manner, standings: Sequence[OptionState]) -> Sequence[Due] | Ending:
        """The item's end: discarded with the cause, or kept with its options in their stored order.

        The stem of what will be kept may first be hardened, which can owe more.
        """
        new = draft.replacements
        stand = [s for s in standings if s.fate is Route.KEEP and s.option.round not in new]
        chosen = self.select_shown(draft, stand, lambda standing: standing.option.label)
        order = seeded_shuffle([s.id for s in chosen], self.campaign.seed, draft.seed.id, "options")
        if fault := self.fault(draft, [s.option.label for s in stand]):
            return discarded_ending(*fault, self.body_of(draft, manner, standings, order))
        right = tuple(s.id for s in chosen if s.option.label == CORRECT)
        # What people worded is not worded anew: the answers to a stem before are about that one.
        hardened = None if self.new_wording(draft) else manner.harden(standings, chosen)
        if isinstance(hardened, tuple):
            return hardened
        if hardened:
            order = seeded_shuffle([s.id for s in hardened.options], self.campaign.seed, draft.seed.id, "options")
        body = self.body_of(draft, manner, standings, order)
        if hardened:
            question = replace(body.question, question=hardened.stem)
            body = replace(body, question=question, difficulty=hardened.difficulty)
        return kept_ending("kept" if right else "kept without a correct option", body)

    def body(self, draft: Draft, manner: Manner) -> Body | None:
        """The item as it stands, its options in no order yet; None before it has a question."""
        return self.body_of(draft, manner, self.standings(draft, manner), ()) if draft.question else None

    def body_of(self, draft: Draft, manner: Manner, standings: Sequence[OptionState], order: Sequence[str]) -> Body:
        """The item as it is stored."""
        evidence = draft.question.value["evidence"] if draft.question else ()
        question = Question(draft.stem, tuple(Quote(**span) for span in evidence))
        if early := new_wording(draft):
            question = replace(question, author=early.by)
        if said := self.new_wording(draft):
            question = replace(question, question=said.text, author=said.by, replaces=draft.stem)
        state = self.stems.state(draft)
        check = state.check(draft.written_stem if early else "") if state else None
        return Body(question, tuple(map(choice, standings)), tuple(order), stem_check=check, **manner.about())

    def remark(self, draft: Draft) -> Opinion | None:
        """What holds of what people said about the item as a whole: one word is enough, as nobody is asked for any."""
        return rule_on(standing_opinions(draft.remarks), replace(self.campaign.review, opinions=1)).holds

    def new_wording(self, draft: Draft) -> Opinion | None:
        """The word by which people gave the question another wording."""
        said = self.remark(draft)
        return said if said and said.decision == EDIT else None


def for_writer(standings: Sequence[OptionState]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of the correct options as a writer of distractors sees them, and all others that it must not repeat.

    A correct option that fell or was rejected is none: it is shown as taken.
    """
    right = [s for s in standings if s.option.label == CORRECT and s.fate is not Route.REJECT]
    others = (text for s in standings if s not in right for text in (s.option.text, s.text))
    return tuple(s.text for s in right), tuple(dict.fromkeys(others))


def cited_numbers(options: Sequence[Option]) -> tuple[int, ...]:
    """The numbers of the sentences that options cite."""
    return tuple(span["sentence"] for option in options for span in option.evidence)
