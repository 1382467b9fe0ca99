"""The refinement of a stem as a state and what it owes: measure, and while it is easy, describe instead of name.

A round picks an entity of the stem, looks it up, writes a description in its place and has the new stem compared with
the old one; then the pool judges it. The first version that is not easy ends it. Otherwise the first is kept, or, as in
EpiQAL, appendix B.1, the hardest. Nothing here waits or asks: `next_owed` says what is next, `step` takes in what came
of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from benchwright.agents.choice.leaks import Rewrite, abbreviations, also_called, fault_of_choice, faults
from benchwright.domain.snippet import Found, Snippet
from benchwright.pipelines.choice import difficulty
from benchwright.pipelines.choice.difficulty import Level, Mark, bounds, level


@dataclass(frozen=True, slots=True)
class Rule:
    """How easy is measured, by how many judges; EpiQAL's T_r and K_r; how many rewrites one round may try.

    With `hardest` the hardest version is kept where none is hard, which is in part the luckiest. Without it that is the
    first; then a later one has to be hard by the mean of all measures, and so has the first where it is `proven`, as
    one that itself takes the place of another.
    """

    measure: difficulty.Rule
    judges: int
    rounds: int = 3
    snippets: int = 6
    tries: int = 2
    hardest: bool = False
    proven: bool = False

    def measure_of(self, version: int) -> difficulty.Rule:
        """The rule by which a version is measured: one that is to replace another by all measures, near or not."""
        return (
            replace(self.measure, margin=EVERYWHERE) if (version or self.proven) and not self.hardest else self.measure
        )

    def pool_state(self, version: int, marks: Sequence[Mark | None]) -> difficulty.PoolState:
        """Where the pool stands on a version."""
        return difficulty.pool_state(marks, self.judges, self.measure_of(version))


@dataclass(frozen=True, slots=True)
class Version:
    """A stem that was measured or will be; what it describes (nothing in the first), from which addresses."""

    stem: str
    entity: str = ""
    phrase: str = ""
    sources: tuple[str, ...] = ()
    marks: tuple[Mark | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Picked:
    """The entity to describe; nothing where there is none, and `why` says for what reason."""

    entity: str
    why: str = "the stem has no other entity to describe"


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found about the entity, and what else it is called by those who know."""

    found: Found
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A rewrite, and the addresses of the snippets it rests on; without a stem none came, and `why` says so."""

    phrase: str = ""
    stem: str = ""
    sources: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Whether the checkers take the new stem for the same question, still answerable; `why` not."""

    same: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the next judges made of a version, in their order; None is a judge that failed."""

    version: int
    marks: tuple[Mark | None, ...]


Fact = Picked | Looked | Written | Compared | Judged


@dataclass(frozen=True, slots=True)
class Round:
    """One attempt at another version; `end` says what came of it, "" while it is open."""

    picked: Picked
    looked: Looked | None = None
    tried: tuple[Written, ...] = ()
    objections: tuple[str, ...] = ()  # to what was tried
    draft: bool = False  # what was tried last has no fault that code sees, and is before the checkers
    end: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """All versions, the first one as it was written, and all rounds, of which the last may be open."""

    versions: tuple[Version, ...]
    rounds: tuple[Round, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """Let the next so many judges answer a version."""

    version: int
    more: int


@dataclass(frozen=True, slots=True)
class Pick:
    """Pick an entity of the stem, none of the earlier ones."""

    stem: str
    earlier: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Look the entity up."""

    entity: str
    most: int


@dataclass(frozen=True, slots=True)
class Write:
    """Write a rewrite without any `forbidden` name; `objections` are those to what was tried before."""

    stem: str
    entity: str
    forbidden: tuple[str, ...]
    snippets: tuple[Snippet, ...]
    objections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Ask the checkers whether the two stems are the same question."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Done:
    """The version to keep, what the pool says of it, and why the refinement ended there."""

    best: int
    level: Level
    why: str


Owed = Judge | Pick | Look | Write | Compare | Done

REWRITTEN = "a new version"
EVERYWHERE = Fraction(2)  # a margin that holds every score


def begin(stem: str) -> Refinement:
    """Before anything is known."""
    return Refinement((Version(stem),))


def next_owed(state: Refinement, rule: Rule) -> Owed:
    """What is next: one thing, or the end."""
    last = len(state.versions) - 1
    now = rule.pool_state(last, state.versions[last].marks)
    if now.level is None:
        return Judge(last, now.wave)
    if now.level is Level.HARD:
        return Done(last, now.level, "it is hard enough")
    if now.level is Level.UNKNOWN:
        return hardest(state, rule, "too few judges answered")
    return in_round(state, rule) if state.rounds and not state.rounds[-1].end else between(state, rule)


def between(state: Refinement, rule: Rule) -> Owed:
    """What an easy stem owes when no round is open: another one, or the end."""
    if state.rounds and not state.rounds[-1].picked.entity:
        return hardest(state, rule, state.rounds[-1].end)
    if len(state.rounds) < rule.rounds:
        return Pick(state.versions[-1].stem, earlier(state))
    return hardest(state, rule, f"it is still easy after {rule.rounds} rounds")


def in_round(state: Refinement, rule: Rule) -> Owed:
    """What the open round owes."""
    stem, current = state.versions[-1].stem, state.rounds[-1]
    if current.looked is None:
        return Look(current.picked.entity, rule.snippets)
    if current.draft:
        return Compare(stem, current.tried[-1].stem)
    return Write(stem, current.picked.entity, forbidden(state), current.looked.found.snippets, current.objections)


def earlier(state: Refinement) -> tuple[str, ...]:
    """The entities that were picked so far."""
    return tuple(one.picked.entity for one in state.rounds)


def forbidden(state: Refinement) -> tuple[str, ...]:
    """What a rewrite must not say besides its entity: its other names, and all names of what was taken out before."""
    taken = [one for one in state.rounds if one.end == REWRITTEN]
    before = (name for one in taken for name in (one.picked.entity, *entity_names(state, one)))
    return tuple(dict.fromkeys((*entity_names(state, state.rounds[-1]), *before)))


def entity_names(state: Refinement, one: Round) -> tuple[str, ...]:
    """What else a round's entity is called: as a stem abbreviates it or spells it out, and by those who know."""
    pairs = (pair for version in state.versions for pair in abbreviations(version.stem).items())
    return also_called(one.picked.entity, pairs) + (one.looked.names if one.looked else ())


def hardest(state: Refinement, rule: Rule, why: str) -> Owed:
    """The end with the first version, or with the hardest, the earliest of equals; judges that this hangs on go first.

    The pool stopped when easy was certain, so a score may still lie between bounds.
    """
    found = [rule.pool_state(number, version.marks) for number, version in enumerate(state.versions)]
    if not rule.hardest:  # none is hard, so a rewrite has proved nothing
        return Done(0, level(found[0].found, rule.measure), why)
    spans = [bounds(one.found, one.outstanding, rule.measure) for one in found]
    best = max(range(len(spans)), key=lambda n: spans[n][0])
    rivals = [n for n, (_, high) in enumerate(spans) if n != best and (high, -n) > (spans[best][0], -best)]
    if rivals:
        unsure = min(n for n in (*rivals, best) if found[n].outstanding)
        return Judge(unsure, found[unsure].outstanding)
    return Done(best, level(found[best].found, rule.measure), why)


def step(state: Refinement, fact: Fact, rule: Rule) -> Refinement:
    """The state once it is known what came of the thing owed."""
    match fact:
        case Judged():
            judged = state.versions[fact.version]
            version = replace(judged, marks=judged.marks + fact.marks)
            return replace(state, versions=put(state.versions, fact.version, version))
        case Picked():
            fault = fault_of_choice(fact.entity, state.versions[-1].stem, earlier(state)) if fact.entity else fact.why
            return replace(state, rounds=(*state.rounds, Round(fact, end=fault or "")))
        case Looked():
            end = "" if fact.found.snippets else nothing(fact.found)
            return close_round(state, replace(state.rounds[-1], looked=fact), end)
        case Written():
            return take_rewrite(state, fact, rule)
        case _:
            return take_comparison(state, fact, rule)


def put(versions: tuple[Version, ...], place: int, version: Version) -> tuple[Version, ...]:
    """The versions with another one in that place."""
    return (*versions[:place], version, *versions[place + 1 :])


def close_round(state: Refinement, current: Round, end: str = "") -> Refinement:
    """The state with its last round as it is now, ended where there is a reason."""
    return replace(state, rounds=(*state.rounds[:-1], replace(current, end=end)))


def nothing(found: Found) -> str:
    """Why a round ends without anything to describe from."""
    return "; ".join(("nothing was found", *found.failures))


def take_rewrite(state: Refinement, fact: Written, rule: Rule) -> Refinement:
    """A rewrite without a leak goes to the checkers, another one back with the reasons."""
    current = state.rounds[-1]
    entity, stem = current.picked.entity, state.versions[-1].stem
    leaks = faults(Rewrite(stem, fact.stem, entity, fact.phrase, forbidden(state))) if fact.stem else (fact.why,)
    tried = replace(current, tried=(*current.tried, fact), draft=not leaks)
    return reject_rewrite(state, tried, leaks, rule) if leaks else close_round(state, tried)


def take_comparison(state: Refinement, fact: Compared, rule: Rule) -> Refinement:
    """The same question is a new version; another one goes back with the reason."""
    current = replace(state.rounds[-1], draft=False)
    if not fact.same:
        return reject_rewrite(state, current, (fact.why,), rule)
    draft = current.tried[-1]
    version = Version(draft.stem, current.picked.entity, draft.phrase, draft.sources)
    return close_round(replace(state, versions=(*state.versions, version)), current, REWRITTEN)


def reject_rewrite(state: Refinement, current: Round, reasons: tuple[str, ...], rule: Rule) -> Refinement:
    """The round with one rewrite more that cannot be used, over when it was the last it may try."""
    current = replace(current, objections=current.objections + reasons)
    over = len(current.tried) >= rule.tries
    return close_round(state, current, "no rewrite could be used: " + "; ".join(reasons) if over else "")
