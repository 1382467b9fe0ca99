"""What a campaign of questions with options comes to: fates of options, right options, difficulty, use of graphs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from benchwright.agents.choice.flaws import NAMES, Flaw, option_flaws, stem_flaws
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState
from benchwright.domain.statistics import independence, wilson
from benchwright.domain.text import plural
from benchwright.domain.vote import Route
from benchwright.pipelines.choice.body import Body, Choice, Difficulty, Version
from benchwright.pipelines.choice.difficulty import Level
from benchwright.pipelines.choice.formats.provenance import knows, why_left_out
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.shares import HOW_MANY
from benchwright.pipelines.choice.shortcuts import LIMIT, Shortcut, Shortcuts, question_of
from benchwright.pipelines.kind import Line, Part, Seen, SetCard, Table

SUSPECT = 0.01  # a p below it is told
FATES = {"keep": "kept", "reject": "rejected", "human": "for people to decide", "open": "undecided"}
INTENDED = """\
- `intended` says how many options of an item were to be right: `one`, `several` or `none`. For the last kind the
  correct options were written and checked as well, then left out: they stand under `dropped`, with that as `reason`."""
DIFFICULTY = """\
- `difficulty` says how hard an item is for the judges: `score` (exactly: `score_exact`), `level`, how many judges
  `answered` and `failed`. It holds all `versions` of the stem, the one that was written first; `kept` is the number of
  the one in the set, counted from 0; `sources` are the addresses, files or graphs that a description rests on.
  `original_question` is the stem as it was written. `sets` are the sets of options that judges answered, where
  distractors that nobody took (`untaken`) were replaced."""
KNOWLEDGE = """\
- `knowledge` says how many statements of knowledge graphs the writer of the question was `given`, and which of them it
  `used`, with their facts and whose these are. Nobody else saw them."""

SHORTCUTS = (
    "Rules that read neither the document nor the question as it is meant. The chance of a rule is what guessing as"
    " many options at random scores; a set rewards a rule that lies more than"
    f" {100 * LIMIT} points above its chance. Luck explains a difference in EM up to the last column. All scores are"
    " expected values; compare models with the best of them."
)
SHORTCUT_HEAD = ("rule", "EM", "F1", "EM by chance", "F1 by chance", "luck in EM")


@dataclass(frozen=True, slots=True)
class ChoiceReport:
    """Counts over items.

    `fates` are of the options of all items; all else is of kept items alone. `stems` counts measured items: those easy
    as they were written, those with another stem, and by the level in the end; `before` and `after` are the scores of
    those with another stem.
    """

    campaign: Campaign
    fates: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)  # options by label
    dropped: Counter[str] = field(default_factory=Counter)  # options by what made them fall
    routes: Counter[str] = field(default_factory=Counter)  # all options, by where the votes led them
    right: Counter[str] = field(default_factory=Counter)
    intended: Counter[str] = field(default_factory=Counter)
    numbers: Counter[tuple[int, int]] = field(default_factory=Counter)  # items by number of options, and right ones
    flaws: Counter[str] = field(default_factory=Counter)  # items by flaw of wording
    families: Counter[tuple[str, str]] = field(default_factory=Counter)  # distractors by family, written or kept
    knowledge: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)  # by what their panel and people came to
    evidence: Counter[str] = field(default_factory=Counter)  # of right options in the set
    stems: Counter[str] = field(default_factory=Counter)
    rules: Counter[tuple[float, float]] = field(default_factory=Counter)  # by alpha and threshold
    before: list[Fraction] = field(default_factory=list)
    after: list[Fraction] = field(default_factory=list)
    shortcuts: Shortcuts = field(default_factory=Shortcuts)

    def take(self, item: Seen) -> None:
        """Count an item."""
        body: Body | None = item.body
        if body is None:
            return
        over = item.state is ItemState.DISCARDED  # nobody is asked any more about what it leaves undecided
        fates = (one.fate for one in body.options)
        if body.stem_check:
            fate = body.stem_check.fate
            self.questions["open" if fate is None or (over and fate == Route.HUMAN) else fate] += 1
        self.fates.update("open" if fate is None or (over and fate == Route.HUMAN) else fate for fate in fates)
        if item.state is ItemState.KEPT:
            self.take_kept(body)
            self.shortcuts.take(question_of(item.id, body))

    def take_kept(self, body: Body) -> None:
        """Count an item of the set."""
        self.classes.update(filter(None, (body.topic_class,)))
        self.topics.update(filter(None, (body.topic,)))
        self.kept.update(one.label for one in body.options_in_item)
        self.dropped.update(map(fall, body.other_options))
        self.routes.update(
            "gate" if one.gate else one.route or "gate" for one in (*body.options_in_item, *body.other_options)
        )
        self.flaws.update({flaw.name for flaw in body_flaws(body)})
        self.families.update((one.confusion, "written") for one in body.options if one.confusion)
        self.families.update((one.confusion, "kept") for one in body.options_in_item if one.confusion)
        right = sum(one.label == CORRECT for one in body.options_in_item)
        self.numbers[len(body.options_in_item), right] += 1
        for one in body.options_in_item:
            self.take_evidence(one)
        if body.intended:
            self.right[HOW_MANY[min(right, len(HOW_MANY) - 1)]] += 1
            self.intended[body.intended] += 1
        if body.knowledge and knows(body, self.campaign):
            given, used = body.knowledge.given, len(body.knowledge.used)
            self.knowledge.update(items=1, given=int(given > 0), used=int(used > 0))
        if body.difficulty:
            self.take_measured(body.difficulty)

    def take_evidence(self, option: Choice) -> None:
        """Count how far a right option rests on what it cites: votes of checkers, and of the panel on evidence."""
        if option.label != CORRECT:
            return
        for name, ratio in (("relied", option.relied), *(("carried", one.ratio) for one in option.evidence_checks[:1])):
            part, _, whole = ratio.partition("/")
            if whole:
                self.evidence.update({name: int(part), f"{name}_of": int(whole), f"{name}_options": 1})

    def take_measured(self, found: Difficulty) -> None:
        """Count how hard an item is."""
        first, best = found.versions[0], found.versions[found.best]
        easy, other = int(first.level == Level.EASY), int(found.best > 0)
        self.stems.update({"items": 1, "easy_as_written": easy, "rewritten": other, found.level: 1})
        self.rules[float(Fraction(found.rule["alpha"])), float(Fraction(found.rule["threshold"]))] += 1
        if found.best:
            self.before.extend(scores(first))
            self.after.extend(scores(best))

    def peculiar(self) -> dict[str, Any]:
        """What not all pipelines' items tell; parts of which no item tells are left out."""
        right = {name: {"items": self.right[name], "intended": self.intended[name]} for name in HOW_MANY}
        graphs = {name: self.knowledge[name] for name in ("items", "given", "used")}
        levels = ("items", "easy_as_written", "rewritten", Level.EASY, Level.HARD, Level.UNKNOWN)
        stems = {str(name): self.stems[name] for name in levels}
        means = {"mean_score_as_written": mean(self.before), "mean_score_rewritten": mean(self.after)}
        parts: tuple[tuple[str, Any, Counter[Any]], ...] = (
            ("right_options", right, self.right),
            ("number_of_options", self.numbers_found(), self.numbers),
            ("flaws", {name: self.flaws[name] for name in NAMES}, self.flaws),
            ("families_of_distractors", self.families_found(), self.families),
            ("knowledge", graphs, self.knowledge),
        )
        judged = {name: self.questions[fate] for fate, name in FATES.items() if self.questions[fate]}
        first: tuple[tuple[str, Any, Counter[Any]], ...] = (
            ("questions", judged, self.questions),
            ("evidence", self.shares(), self.evidence),
        )
        found: dict[str, Any] = {name: part for name, part, number in (*first, *parts) if number}
        found |= {"difficulty": stems | means} if self.stems else {}
        return found | (
            {"shortcuts": {one.name: one.json() for one in table}} if (table := self.shortcuts.table()) else {}
        )

    def shares(self) -> dict[str, Any]:
        """How many votes rely on cited sentences, or say that these carry their option, with intervals."""
        found = {}
        for name in ("relied", "carried"):
            rate = wilson(self.evidence[name], self.evidence[f"{name}_of"])
            options = self.evidence[f"{name}_options"]
            found[name] = {"options": options, "votes": rate.n, "of": rate.of, "low": rate.low, "high": rate.high}
        return found

    def numbers_found(self) -> dict[str, Any]:
        """Items by number of options and of right ones, and the p of an exact test that neither tells the other."""
        by_options: dict[str, dict[str, int]] = {}
        for (options, right), count in sorted(self.numbers.items()):
            by_options.setdefault(str(options), {})[str(right)] = count
        return {"right_by_options": by_options, "p_independent": independence(self.numbers)}

    def families_found(self) -> dict[str, dict[str, int]]:
        """How many distractors of each family were written for kept items, and how many are in the set."""
        names = sorted({name for name, _ in self.families})
        return {name: {what: self.families[name, what] for what in ("written", "kept")} for name in names}

    def summary(self) -> Mapping[str, Any]:
        """Options by fate, and what kept items tell."""
        return {"options": dict(self.fates), **self.peculiar()}

    def lines(self) -> Sequence[str]:
        """The same in sentences."""
        fates = [f"{self.fates[fate]} {word}" for fate, word in FATES.items() if fate in self.fates]
        warnings = (one.warning(len(self.shortcuts.ids)) for one in self.shortcuts.table() if one.warns)
        return [*([f"options: {', '.join(fates)}"] if fates else []), *sentences(self.peculiar()), *warnings]

    def counts(self) -> Mapping[str, Any]:
        """What the set holds."""
        return {
            "items": {"by_class": dict(self.classes), "by_topic": dict(self.topics)},
            "options": {
                "in_the_set": dict(self.kept),
                "dropped": dict(self.dropped),
                "by_route": dict(self.routes),
            },
            **self.peculiar(),
        }

    def card(self) -> SetCard:
        """The same for the card."""
        rule = self.campaign.rule
        further = ((INTENDED, self.right), (DIFFICULTY, self.stems), (KNOWLEDGE, self.knowledge))
        rows = (
            *((f"items, class {name}", count) for name, count in sorted(self.classes.items())),
            *((f"options in the set, {label}", count) for label, count in sorted(self.kept.items())),
            *((f"options dropped, {cause}", count) for cause, count in sorted(self.dropped.items())),
        )
        method = (
            f"Every option that passed the gates was put to the panel. It was kept when at least {rule.accept} of"
            f" the votes cast were for it, rejected below {rule.reject}; between the two, or with fewer than"
            f" {rule.quorum} votes, people decided."
        )
        files = "\n".join(text for text, number in further if number)
        return SetCard("Multiple-choice items", files, rows, tuple(self.parts()), method)

    def parts(self) -> Iterator[Part]:
        """The counts that not every set has."""
        if self.right:
            rows = tuple((name, self.right[name], self.intended[name]) for name in HOW_MANY)
            yield Part("How many options are right", (Table(("right options", "items", "meant to be so"), rows),))
        if self.evidence:
            yield Part("Whether cited sentences support the right options", tuple(map(Line, self.supported())))
        if self.numbers:
            yield self.numbers_part()
        if self.flaws:
            seen = tuple((name, self.flaws[name]) for name in NAMES)
            yield Part("Flaws of wording, as code sees them", (Table(("flaw", "items"), seen),))
        if self.families:
            lines = tuple((name, *found.values()) for name, found in self.families_found().items())
            yield Part("Families of distractors", (Table(("family", "written", "in the set"), lines),))
        if self.stems:
            table = Table(("", "number"), tuple(self.hardness()))
            yield Part("How hard the items are", (Line(self.measurement()), table))
        if graphs := self.knowledge:
            text = (
                f"Of {graphs['items']} items {graphs['given']} were written with statements of knowledge graphs at"
                f" hand; {graphs['used']} ({100 * graphs['used'] / graphs['items']:.1f} %) used what they say."
            )
            yield Part("What knowledge graphs gave", (Line(text),))
        if found := self.shortcuts.table():
            table = Table(SHORTCUT_HEAD, tuple(map(shortcut_row, found)))
            yield Part("What can be scored without reading", (Line(SHORTCUTS), table))

    def supported(self) -> Iterator[str]:
        """How far right options rest on what they cite."""
        told = {
            "relied": "of the votes that confirm a right option rely on a sentence that it cites",
            "carried": "of the votes of checkers who saw cited sentences without the document say that these carry it",
        }
        for name, what in told.items():
            if number := self.evidence[f"{name}_of"]:
                rate = wilson(self.evidence[name], number)
                span = f"95 % interval {100 * (rate.low or 0):.1f} to {100 * (rate.high or 0):.1f} %"
                yield f"{rate.n} of {number} {what} ({100 * rate.n / number:.1f} %; {span})."

    def numbers_part(self) -> Part:
        """The same as a table, and what the test says."""
        right = sorted({number for _, number in self.numbers})
        rows = tuple(
            (options, *(self.numbers[options, number] for number in right))
            for options in sorted({options for options, _ in self.numbers})
        )
        p = independence(self.numbers)
        says = "There is nothing to test." if p is None else f"Exact test that neither tells the other: p = {p:.3f}."
        table = Table(("options", *(f"{number} right" for number in right)), rows)
        return Part("Whether the number of options tells the number of right ones", (Line(says), table))

    def measurement(self) -> str:
        """By which rule difficulty was measured."""
        rules = "; ".join(f"alpha {alpha}, threshold {threshold}" for alpha, threshold in sorted(self.rules))
        return (
            "The judges answered each item as it is evaluated. Its score is 1 less the mean of alpha F1 + (1 - alpha)"
            f" EM over those who answered; below the threshold it is easy ({rules}). The pool stops when easy or hard"
            " is certain. Names in stems that were easy gave way to descriptions."
        )

    def hardness(self) -> Iterator[tuple[object, ...]]:
        """The levels, and what other stems changed."""
        stems = self.stems
        yield from ((f"items, {level}", stems[level]) for level in Level if stems[level])
        yield "items, easy as they were written", stems["easy_as_written"]
        yield "items with another stem", stems["rewritten"]
        means = (("as they were written", self.before), ("in the set", self.after))
        yield from ((f"mean score of these, {when}", f"{mean(found):.3f}") for when, found in means if found)


def body_flaws(body: Body) -> Iterator[Flaw]:
    """The flaws of an item as it stands in the set."""
    stem, shown = body.question.question, body.options_in_item
    right, wrong = ([one.text for one in shown if (one.label == CORRECT) == is_right] for is_right in (True, False))
    yield from stem_flaws(stem)
    yield from option_flaws(stem, right, wrong)


def shortcut_row(one: Shortcut) -> tuple[object, ...]:
    """A rule's row in the card."""
    scores = (one.score, *([one.chance] if one.chance else []))
    cells = [f"{float(value):.3f}" for score in scores for value in (score.exact, score.f1)]
    return (
        one.title + (" (WARNING)" if one.warns else ""),
        *cells,
        *([f"{one.noise:.3f}"] if one.chance else ["", "", ""]),
    )


def fall(option: Choice) -> str:
    """What made an option fall: a gate, people, or the votes; or that it was withheld."""
    if option.fate == Route.KEEP:
        return why_left_out(option)
    return f"gate {option.gate}" if option.gate else "people" if option.decisions else "votes"


def scores(version: Version) -> Sequence[Fraction]:
    """The score of a version, if it has one."""
    return () if version.score is None else (Fraction(version.score),)


def mean(found: Sequence[Fraction]) -> float | None:
    """The mean; None of nothing."""
    return float(sum(found, Fraction(0)) / len(found)) if found else None


def sentences(found: Mapping[str, Any]) -> Iterator[str]:
    """What kept items tell of right options, of their stems and of graphs: a sentence each, none for recall's."""
    if judged := found.get("questions"):
        yield f"questions, by their panel: {', '.join(f'{number} {word}' for word, number in judged.items())}"
    if evidence := found.get("evidence"):
        told = (f"{one['votes']} of {one['of']} votes {word}" for word, one in evidence.items() if one["of"])
        yield f"evidence of right options, by checkers: {', '.join(told)}"
    if right := found.get("right_options"):
        words = [f"{one['items']} with {name} ({one['intended']} meant)" for name, one in right.items()]
        yield f"right options: kept items {', '.join(words)}"
    if (p := found.get("number_of_options", {}).get("p_independent")) is not None and p < SUSPECT:
        yield f"the number of options tells how many are right (p = {p:.4f}): see the table in the card of the set"
    if flaws := found.get("flaws"):
        seen = ", ".join(f"{name} {number}" for name, number in flaws.items() if number)
        yield f"flaws of wording in kept items, as code sees them: {seen}"
    if stems := found.get("difficulty"):
        unknown = f", {stems['unknown']} of unknown difficulty" if stems["unknown"] else ""
        first = f"{stems['easy_as_written']} of {stems['items']} were easy as written"
        yield f"stems: {first}; {stems['rewritten']} have been rewritten; {stems['easy']} are still easy{unknown}"
    if graphs := found.get("knowledge"):
        used, items = graphs["used"], graphs["items"]
        yield f"knowledge: {used} of {plural(items, 'kept item')} used what graphs know ({100 * used / items:.1f} %)"
