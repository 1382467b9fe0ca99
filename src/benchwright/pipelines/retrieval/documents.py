"""The first two phases: documents become passages, and it is found what each document is about.

Passages are runs of sentences by meaning and length; those that nearly repeat another are left out (DisastIR, arXiv
2505.15856, appendix A). A document is about an event type because its path says so, or because a model does. Its
summary stands for the whole of it where an intent searches for documents. All of it is pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.retrieval import choose_event, summarise_document
from benchwright.agents.retrieval.wording import bare_name
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.source import ItemRef, Sources, view_from_json, view_json
from benchwright.domain.text import plain
from benchwright.pipelines.base import Due
from benchwright.pipelines.retrieval.body import Described, Passages, Repeat, adapter
from benchwright.pipelines.retrieval.intents import Category
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PASSAGES, Setup
from benchwright.pipelines.texts import TEXTS, Repeats, RepeatsAsk, Split, SplitAsk, find_repeats, split_document

BEGINNING = 25  # sentences that a document's event is told by
SUMMARY = (60, 200)  # words
CATEGORY, EVENT = "category", "event"  # what is chosen, one after the other


@dataclass(frozen=True, slots=True)
class SplitState:
    """A document that is to be split."""

    seed: Seed
    split: Split | None = None
    failure: str = ""


@dataclass(frozen=True)
class PassagePhase:
    """One item for each document."""

    setup: Setup

    def wanted(self, sources: Sources) -> int:
        """As many as there are documents."""
        return len(sources)

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """Each document once."""
        for slot in range(progress.begun, len(sources)):
            yield Seed(slot, 0, sources[slot].about, "{}", PASSAGES)

    def begin(self, seed: Seed) -> SplitState:
        """Nothing is known."""
        return SplitState(seed)

    def fold(self, state: SplitState, answer: Answer) -> SplitState:
        """The passages are there."""
        if answer.failure:
            return replace(state, failure=answer.value["detail"])
        return replace(state, split=Split.model_validate(answer.value))

    def plan(self, state: SplitState) -> Sequence[Due] | Ending:
        """Split it."""
        if state.failure:
            return discarded_ending("not split", state.failure)
        if state.split is None:
            return [Due(split_document, SplitAsk(self.setup.settings.passage_tokens), TEXTS)]
        if not state.split.passages:
            return discarded_ending("no passage", "it has no sentence that fits into a passage")
        return kept_ending("split", self.body(state))

    def body(self, state: SplitState) -> Passages | None:
        """The passages."""
        found = state.split
        if found is None:
            return None
        view, known = view_json(state.seed.view), (found.name, found.title, found.language)
        return Passages(view, *known, found.passages, found.tokens, found.left_out)


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A document that is to be described; `chosen` are the answers about its event, by what was asked."""

    seed: Seed
    item: str
    split: Passages
    repeats: Repeats | None = None
    chosen: Mapping[str, Answer] = field(default_factory=dict)
    summary: Answer | None = None


@dataclass(frozen=True)
class DocumentPhase:
    """One item for each document that has passages."""

    setup: Setup

    @cached_property
    def summarises(self) -> bool:
        """Whether an intent searches for summaries."""
        return any(one.table.takes == "summary" for one in self.setup.intents)

    def wanted(self, sources: Sources) -> int:
        """As many as there are documents."""
        return len(sources)

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """Each document once, with its passages."""
        for slot in range(progress.begun, len(sources)):
            outline = sources[slot]
            assert isinstance(outline.about, ItemRef)  # noqa: S101 - a barrier passes items on
            body = canonical({"item": outline.about.item, "split": outline.body})
            yield Seed(slot, 0, view_from_json((outline.body or {})["view"]), body, DOCUMENTS)

    def begin(self, seed: Seed) -> DocumentState:
        """Its passages are known."""
        wishes = Answer("", "", "", seed.body).value
        split = adapter().validate_python(wishes["split"])
        assert isinstance(split, Passages)  # noqa: S101 - the phase before makes these
        return DocumentState(seed, wishes["item"], split)

    def fold(self, state: DocumentState, answer: Answer) -> DocumentState:
        """One more answer."""
        if answer.step == find_repeats.name:
            return replace(state, repeats=Repeats() if answer.failure else Repeats.model_validate(answer.value))
        if answer.step == choose_event.agent.name:
            return replace(state, chosen={**state.chosen, answer.about: answer})
        return replace(state, summary=answer)

    def plan(self, state: DocumentState) -> Sequence[Due] | Ending:
        """Which passages repeat others, what it is about, its summary."""
        owed = []
        if state.repeats is None:
            ask = RepeatsAsk(PASSAGES, state.item, self.setup.settings.repeated_passage)
            owed.append(Due(find_repeats, ask, TEXTS))
        if about := self.next_choice(state):
            owed.append(self.due(choose_event.agent, self.choice(state, about), about))
        if self.summarises and state.summary is None:
            owed.append(self.due(summarise_document.agent, self.summary_ask(state)))
        return owed or kept_ending("described", self.body(state))

    def due(self, agent: Agent, ask: object, about: str = "") -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.setup.model(agent.name), about)

    # ------------------------------------------------------------------------------------------- what it is about

    def told_by_path(self, state: DocumentState) -> tuple[Category | None, str]:
        """The category and the event type that folders or the file are named after; "" where none is."""
        words = [plain(part.replace("_", " ")) for part in PurePosixPath(state.split.name).with_suffix("").parts]
        for word in reversed(words):
            if found := self.events.get(word):
                return found
        return next((self.category_names[word] for word in reversed(words) if word in self.category_names), None), ""

    @cached_property
    def events(self) -> Mapping[str, tuple[Category, str]]:
        """Each event type by its name, and by its name without what stands in brackets, unless another is called so."""
        every = [(category, event) for category in self.setup.categories for event in category.events]
        short = {plain(bare_name(event)): (category, event) for category, event in reversed(every)}
        return short | {plain(event): (category, event) for category, event in every}

    @cached_property
    def category_names(self) -> Mapping[str, Category]:
        """Each category by its name and its short name."""
        return {plain(name): one for one in self.setup.categories for name in (one.name, one.short) if name}

    def category(self, state: DocumentState) -> Category | None:
        """Its category, as far as it is known."""
        told, _ = self.told_by_path(state)
        if told or len(self.setup.categories) == 1:
            return told or self.setup.categories[0]
        number = chosen_number(state.chosen.get(CATEGORY))
        return self.setup.categories[number - 1] if number else None

    def event(self, state: DocumentState) -> str:
        """Its event type, as far as it is known."""
        category, (_, told) = self.category(state), self.told_by_path(state)
        if told or category is None:
            return told
        number = 1 if len(category.events) == 1 else chosen_number(state.chosen.get(EVENT))
        return category.events[number - 1] if number else ""

    def next_choice(self, state: DocumentState) -> str:
        """What a model has to choose next; "" where nothing is left."""
        if self.event(state) or EVENT in state.chosen:
            return ""
        if self.category(state):
            return EVENT
        return "" if CATEGORY in state.chosen else CATEGORY

    def choice(self, state: DocumentState, about: str) -> choose_event.Ask:
        """The question about its category, or its event type."""
        category = self.category(state)
        things = category.events if category and about == EVENT else tuple(map(str, self.setup.categories))
        first = state.split.passages[0][0]
        shown = Quoted(tuple(range(first, first + BEGINNING)), bare=True)
        return choose_event.Ask(state.split.title, shown, tuple(f"{n}. {one}" for n, one in enumerate(things, 1)))

    # ---------------------------------------------------------------------------------------------------- the rest

    def summary_ask(self, state: DocumentState) -> summarise_document.Ask:
        """The question for a summary, by passages from all of a document that is long."""
        passages, room = state.split.passages, self.setup.settings.summary_tokens
        chosen = spread_evenly(state.split.tokens, room)
        numbers = tuple(n for place in chosen for n in range(passages[place][0], passages[place][1] + 1))
        return summarise_document.Ask(state.split.title, Quoted(numbers, bare=True), *SUMMARY, self.setup.language)

    def body(self, state: DocumentState) -> Described | None:
        """The document as it stands."""
        split, repeats = state.split, state.repeats.repeats if state.repeats else {}
        category = self.category(state)
        event = self.event(state)
        summary = "" if state.summary is None or state.summary.failure else str(state.summary.value["summary"])
        return Described(
            view=split.view,
            name=split.name,
            title=split.title,
            language=split.language,
            category=category.name if category and event else "",
            event=event,
            summary=summary,
            passages=tuple(run for n, run in enumerate(split.passages) if n not in repeats),
            repeats=tuple(Repeat(*split.passages[n], one.item, one.number) for n, one in sorted(repeats.items())),
            left_out=split.left_out,
        )


def chosen_number(answer: Answer | None) -> int:
    """The number that was chosen, 0 for none."""
    return 0 if answer is None or answer.failure else int(answer.value["number"])


def spread_evenly(sizes: Sequence[int], room: int) -> tuple[int, ...]:
    """The places of as many passages as fit, from the first to the last at even distances; one at least."""
    if sum(sizes) <= room:
        return tuple(range(len(sizes)))
    most = max(1, len(sizes) * room // sum(sizes))
    chosen = [place * len(sizes) // most for place in range(most)]
    while len(chosen) > 1 and sum(sizes[place] for place in chosen) > room:
        chosen.pop()
    return tuple(chosen)
