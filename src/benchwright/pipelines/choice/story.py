"""The story of one question with options: what it rests on, how hard it is, how each option fared."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchwright.agents.choice import compare_conclusion, extract_conclusion
from benchwright.domain.answer import Answer
from benchwright.domain.text import plural
from benchwright.domain.vote import Route
from benchwright.pipelines.choice.body import (
    Attempt,
    Body,
    Choice,
    Decision,
    Difficulty,
    Judgement,
    Knowledge,
    OptionSet,
    Quote,
    StemCheck,
    Version,
)
from benchwright.pipelines.choice.formats.provenance import why_left_out
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.refine import REWRITTEN
from benchwright.pipelines.kind import Line, Part, Seen
from benchwright.pipelines.lookups import TopicFacts, find_facts

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def story(item: Seen) -> list[Part]:
    """All parts, in the order of the making."""
    body: Body | None = item.body
    answers = item.read_answers()
    conclusions = tuple(conclusion_lines(answers))
    parts = [Part("Conclusions, from what is masked", conclusions)] if conclusions else []
    if body is None:
        return [*parts, Part("", (Line("\nno question was written"),))]
    about = Part("", (Line(subject(body)),)) if subject(body) else None
    return [
        *([about] if about else []),
        *parts,
        Part("The question rests on", tuple(map(cite, body.question.evidence))),
        Part("Question", tuple(question_lines(body))),
        *graph_parts(body.knowledge, answers),
        *([Part("Difficulty", tuple(difficulty_lines(body.difficulty)))] if body.difficulty else []),
        *(option_part(body, letter, option) for letter, option in options_by_letter(body)),
    ]


def question_lines(body: Body) -> Iterator[Line]:
    """The question; where people worded it, what it was before; what its panel and people say of it."""
    question = body.question
    yield Line(question.question)
    if question.replaces:
        yield Line(f"worded by {question.author}; its options were written and voted on for: {question.replaces}")
    if body.stem_check:
        yield from check_lines(body.stem_check)


def check_lines(check: StemCheck) -> Iterator[Line]:
    """What the panel and people say of a question before any option was written."""
    for vote in check.votes:
        yield Line(f"{vote.by} votes {vote.verdict}: {vote.reason}")
        yield Line(f"  its own answer: {vote.answer}")
    by = f" (degraded: {', '.join(check.degraded)})" if check.degraded else ""
    yield Line(
        f"{check.ratio} votes find it sound: {WHERE.get(check.route, check.route)}{veto(check.vetoes)}{by}", strong=True
    )
    if check.fate == Route.HUMAN and check.route in {Route.KEEP, Route.REJECT}:
        yield Line("people decide too, for the audit", strong=True)
    yield from (Line(decision(one)) for one in check.decisions)
    if check.written:
        yield Line(f"people worded it before options were written; as its writer worded it: {check.written}")
    if check.decisions:
        yield Line(f"in the end: {check.fate}", strong=True)


def veto(families: Sequence[str]) -> str:
    """That families said no in all of their runs, if some did."""
    return f", because all votes of {' and of '.join(families)} are no" if families else ""


def subject(body: Body) -> str:
    """Class and topic, and how many options were meant to be right."""
    fields = (("class", body.topic_class), ("topic", body.topic), ("options meant to be right", body.intended))
    return "; ".join(f"{name}: {value}" for name, value in fields if value)


def conclusion_lines(answers: Sequence[Answer]) -> Iterator[Line]:
    """Each conclusion under its number, where it stands, and whether checkers find it there."""
    extracted = [one for one in answers if one.step == extract_conclusion.agent.name and not one.failure]
    compared = [one for one in answers if one.step == compare_conclusion.agent.name and not one.failure]
    for answer in extracted:
        for number, one in enumerate(answer.value["conclusions"], 1):
            yield Line(f"{number}. {one['text']}")
            yield from (Line(f"  [D{span['sentence']}] {span['text']}") for span in one["discussion"])
            of_this = (vote for vote in compared if vote.about == str(number))
            yield from (Line(f"  {v.by} says {v.value['verdict']}: {v.value['reason']}") for v in of_this)


def graph_parts(knowledge: Knowledge | None, answers: Sequence[Answer]) -> list[Part]:
    """What of knowledge graphs the writer of the question was given and used, with the facts."""
    if not knowledge or not knowledge.given:
        return []
    facts = facts_in_words(answers)
    given = f"{plural(knowledge.given, 'statement')} given to the writer of the question, {len(knowledge.used)} used"
    lines = [Line(given)]
    for one in knowledge.used:
        lines += [Line(one.statement), *(Line(f"  {facts.get(name, name)}") for name in one.facts)]
    return [Part("What graphs know", tuple(lines))]


def facts_in_words(answers: Iterable[Answer]) -> Mapping[str, str]:
    """The facts that graphs had for an item, by their ids."""
    found = (TopicFacts.model_validate(one.value) for one in answers if one.step == find_facts.name and not one.failure)
    return {fact.id: str(fact.fact) for topic in found for fact in topic.facts}


def cite(quote: Quote) -> Line:
    """A cited sentence with its place in the document."""
    return Line(f"[{quote.sentence}] {quote.text}  (characters {quote.start}-{quote.end})")


# ------------------------------------------------------------------------------------------------------ options


def options_by_letter(body: Body) -> list[tuple[str, Choice]]:
    """The options under the letters that the set's reader sees, then, without a letter, those that fell or wait."""
    letters = {name: letter for letter, name in zip(LETTERS, body.order, strict=False)}
    options = sorted(body.options, key=lambda option: letters.get(option.id, "~"))
    return [(letters.get(option.id, ""), option) for option in options]


def option_part(body: Body, letter: str, option: Choice) -> Part:
    """An option: evidence, votes, route, decisions, fate."""
    kind = option.label + (f" ({option.confusion.replace('_', ' ')})" if option.confusion else "")
    lines = [Line(option.text), *map(cite, option.evidence), Line(f"because: {option.rationale}")]
    lines += [Line(f"{vote.by} votes {vote.verdict}: {vote.reason}") for vote in option.votes]
    lines.append(Line(route(option), strong=True))
    lines += evidence_lines(option)
    if option.fate == Route.HUMAN and option.route in {Route.KEEP, Route.REJECT}:
        lines.append(Line(f"people decide too: {option.doubt or 'for the audit'}", strong=True))
    lines += [Line(decision(one)) for one in option.decisions]
    if option.replaces:
        lines.append(Line(f"before {option.author} reworded it: {option.replaces.text}"))
    if option.decisions:
        lines.append(Line(f"in the end: {option.fate}", strong=True))
    if body.order and option.fate == Route.KEEP and option.id not in body.order:
        lines.append(Line(why_left_out(option), strong=True))
    title = ", ".join(filter(None, (f"Option {letter}".rstrip(), kind, option.id)))
    return Part(title, tuple(lines))


def evidence_lines(option: Choice) -> Iterator[Line]:
    """What checkers relied on, what a panel says of the cited sentences alone, and what follows."""
    if option.relied:
        yield Line(f"{option.relied} of the votes that confirm it rely on a sentence that it cites")
    for one in option.evidence_checks:
        cited = ", ".join(f"[{number}]" for number in one.sentences)
        yield Line(f"{one.ratio} votes say that {cited} without the document carries it")
        yield from (Line(f"  {vote.by} votes {vote.verdict}: {vote.reason}") for vote in one.votes)
    if option.doubt and option.route == Route.REJECT:
        yield Line(f"it falls: {option.doubt}", strong=True)


def decision(one: Decision) -> str:
    """What a person said."""
    what = f"decides {one.decision}" if one.decision != "cannot_say" else "cannot say"
    wording = f" to {one.text!r}" if one.text else ""
    first = f" (first, before they knew votes and what others said: {one.first.replace('_', ' ')})" if one.first else ""
    return f"{one.by} {what}{wording}{first}: {one.reason}"


WHERE: dict[str | None, str] = {Route.HUMAN: "to people", None: "undecided"}  # other routes are words of their own


def route(option: Choice) -> str:
    """Where the gate or the votes sent an option."""
    if option.gate:
        return f"fell at the gate: {option.gate.replace('_', ' ')}"
    where = WHERE.get(option.route, option.route)
    by = f" (degraded: {', '.join(option.degraded)})" if option.degraded else ""
    return f"{option.ratio} votes confirm it: {where}{veto(option.vetoes)}{by}"


def letters(body: Body) -> str:
    """The letters of the options in the set, and of those that are right."""
    shown = [(letter, option) for letter, option in options_by_letter(body) if letter]
    right = ", ".join(letter for letter, option in shown if option.label == CORRECT) or "none of them"
    return f"options {', '.join(letter for letter, _ in shown)} in this order; right: {right}"


# --------------------------------------------------------------------------------------------------- difficulty


def difficulty_lines(found: Difficulty) -> Iterator[Line]:
    """All versions of the stem and the rounds between them, numbered as in the questions that were asked."""
    rule: Mapping[str, Any] = found.rule
    yield Line(f"{found.level}: {found.why}", strong=True)
    margin = f"measured again within {rule['margin']} of it"
    yield from set_lines(found.sets)
    yield Line(f"by alpha {rule['alpha']}, threshold {rule['threshold']}, {margin}")
    for number, one in enumerate(found.versions):
        yield from version_lines(number, one, kept=number == found.best)
    for number, attempt in enumerate(found.rounds, 1):
        yield from map(Line, attempt_lines(number, attempt))


def set_lines(sets: Sequence[OptionSet]) -> Iterator[Line]:
    """The sets of options that judges answered, where distractors that nobody took were replaced."""
    for number, one in enumerate(sets):
        untaken = f"; nobody took {', '.join(one.untaken)}" if one.untaken else ""
        name = "options as written" if not number else f"after {plural(number, 'round')} of new distractors"
        yield Line(f"{name}: {one.level}, {score(one.score)}{untaken}")


def version_lines(number: int, one: Version, *, kept: bool) -> Iterator[Line]:
    """A stem with what it describes and how it was measured."""
    written = "" if number else ", as written"
    yield Line(f"version {number}{written}{', kept' if kept else ''}: {one.stem}", strong=kept)
    if one.entity:
        yield Line(f"  says {one.phrase!r} for {one.entity!r}{origin(one.sources)}")
    failed = f", {one.failed} failed" if one.failed else ""
    yield Line(f"  {one.level}, {score(one.score)}: {plural(one.answered, 'judge')} answered{failed}")
    yield from (Line(f"  {judgement(mark)}") for mark in one.marks)


def score(exact: str | None) -> str:
    """A score, as a fraction and in decimals."""
    return "without a score" if exact is None else f"score {exact} ({float(Fraction(exact)):.3f})"


def judgement(mark: Judgement) -> str:
    """What became of one model's answer."""
    return f"{mark.by} failed" if mark.f1 is None else f"{mark.by}: F1 {mark.f1}, {'' if mark.exact else 'not '}exact"


def origin(sources: Iterable[str]) -> str:
    """Where a description comes from."""
    names = ", ".join(sources)
    return f", from {names}" if names else ""


def attempt_lines(number: int, one: Attempt) -> Iterator[str]:
    """What was picked, found and tried, what was said against it, how it ended."""
    names = f" (also {', '.join(one.names)})" if one.names else ""
    yield f"round {number}: " + (f"to describe {one.entity!r}{names}" if one.entity else "nothing to describe")
    yield from (f"  could not be looked up: {failure}" for failure in one.failures)
    if one.found:
        places = "; ".join(" ".join(filter(None, (page.title, page.url))) for page in one.found)
        yield f"  found by {one.by}: {places}"
    for rewrite in one.tried:
        text = f"  tried {rewrite.phrase!r}{origin(rewrite.sources)}: {rewrite.stem}"
        yield text if rewrite.stem else "  no rewrite"
    yield from (f"  against it: {objection}" for objection in one.objections)
    new = "a new version, which checkers take for the same question"
    yield f"  ended: {new if one.end == REWRITTEN else one.end or 'not yet'}"
