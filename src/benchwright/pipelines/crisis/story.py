"""All that there is to know of an item, as `explain` tells it."""

from collections.abc import Iterable, Iterator, Sequence

from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.image import find_image
from benchwright.pipelines.crisis.body import Answered, Asked, Body, Facts, Judged, QuestionSet, Reply, Said, Scene
from benchwright.pipelines.crisis.tables import UNSTATED
from benchwright.pipelines.kind import Line, Part, Seen, Table


def tell(item: Seen) -> Sequence[Part]:
    """The story of an item in its phase."""
    if item.body is None:
        return (Part("", (Line("nothing has been written yet"),)),)
    return (Part("", (Line(title(item.body)),)), *of_body(item.body))


def of_body(body: Body) -> Iterator[Part]:
    """What there is to know of an item, by its sort."""
    match body:
        case Scene():
            yield from of_scene(body)
        case QuestionSet():
            yield from of_set(body)
        case Answered():
            yield from of_question(body.asked)
            yield of_replies(body.replies)
        case _:
            yield from of_judged(body)


def of_scene(scene: Scene) -> Iterator[Part]:
    """What was noted, and what became of it."""
    image = find_image(scene.image)
    lines = [Line(scene.shown or "told by its image alone", strong=True)]
    lines += [Line(f"image {image.label}")] if image else []
    lines += [Line(f"captioned by {scene.captioned_by}")] if scene.captioned_by else []
    lines += [
        Line(f"incidents: {', '.join(scene.incidents) or 'none'}; places: {', '.join(scene.places) or 'none'}"),
        Line(f"scene {scene.scene}, annotator {scene.annotator or UNSTATED}"),
        Line(f"licence {scene.licence or UNSTATED}, source {scene.source or UNSTATED}"),
    ]
    yield Part("Scene", tuple(lines))
    notes = [f"drafted by a model, corrected by {scene.author}: {', '.join(scene.drafted)}"] if scene.drafted else []
    notes += [f"filled in by {scene.author}"] if scene.author and not scene.drafted else []
    yield Part("Notes", (Table(("field", "text"), tuple(as_form(scene))), *map(Line, (*notes, *scene.remarks))))
    if scene.check:
        named = scene.resource_class or "none that the panel agrees to"
        yield Part("Class of what is missing", (Line(named, strong=True), table_of(scene.check.votes)))
    if scene.experts:
        yield Part("Experts", (table_of(scene.experts),))


def as_form(scene: Scene) -> Iterator[tuple[str, str]]:
    """The eight fields of a scene."""
    yield "problem", scene.problem
    yield "missing resource", scene.resource
    for time, reply in zip(TIME_FRAMES, scene.gold, strict=True):
        yield f"solution, {time}", reply.action
        yield f"explanation, {time}", reply.explanation


def table_of(said: Iterable[Said]) -> Table:
    """Votes or decisions."""
    return Table(("by", "says", "reason"), tuple((one.by, one.word, one.reason) for one in said))


def of_facts(facts: Facts) -> Part:
    """What questions are about."""
    image = find_image(facts.image)
    shown = [Line(f"image {image.label}")] if image else []
    return Part(
        "Scene",
        (
            Line(facts.shown or "told by its image alone"),
            *shown,
            Line(f"{facts.incident} / {facts.place or 'no place'}"),
            Line(f"problem: {facts.problem}; missing: {facts.resource}"),
        ),
    )


def of_set(found: QuestionSet) -> Iterator[Part]:
    """Every question that was written, and how it stands by each criterion."""
    yield of_facts(found.facts)
    for one in found.questions:
        notes = [f"try {one.round}; words for the time: {one.time_phrase}; {one.fate or 'undecided'}"]
        notes += [f"code: {one.fault}"] if one.fault else []
        notes += [f"leak: {one.leak}"] if one.leak else []
        rows = tuple(
            (check.criterion, check.ratio, check.route or "", check.fate or "", says(check.decisions))
            for check in one.checks
        )
        head = ("criterion", "votes for it", "route", "fate", "people")
        tables = (Table(head, rows),) if rows else ()
        yield Part(f"Question, {one.time}", (Line(one.text, strong=True), *map(Line, notes), *tables))


def says(said: Iterable[Said]) -> str:
    """What people said, in a line."""
    return "; ".join(f"{one.by} {one.word}" for one in said)


def of_question(asked: Asked) -> Iterator[Part]:
    """A question and what people would do."""
    yield of_facts(asked.facts)
    yield Part(f"Question, {asked.time}", (Line(asked.question, strong=True), Line(f"gold: {asked.gold.text}")))


def of_replies(replies: Iterable[Reply]) -> Part:
    """The answers side by side."""
    rows = tuple(
        (one.source, one.action or f"failed: {one.failure}", one.explanation, ", ".join(one.flags)) for one in replies
    )
    return Part("Answers", (Table(("of", "action", "explanation", "too long"), rows),))


def of_judged(found: Judged) -> Iterator[Part]:
    """All judgements."""
    yield from of_question(found.asked)
    yield of_replies(found.replies)
    marks = tuple((one.source, one.by, *one.scores.values(), "yes" if one.endangers else "no") for one in found.marks)
    head = ("answer of", "by", "resource", "feasibility", "impact", "endangers life")
    veto = f"endangers life: {', '.join(found.vetoed)}" if found.vetoed else "no answer endangers life"
    yield Part("Grades", (Table(head, marks), Line(veto, strong=bool(found.vetoed))))
    if found.comparisons:
        rows = tuple((one.first, one.second, one.by, *one.better.values()) for one in found.comparisons)
        yield Part("Comparisons", (Table(("first", "second", "by", "resource", "feasibility", "impact"), rows),))
    if found.preferences:
        people = tuple(
            (one.first, one.second, one.by, *one.better.values(), one.danger or "", one.reason)
            for one in found.preferences
        )
        names = ("first", "second", "by", "sufficiency", "usefulness", "correctness", "danger", "reason")
        yield Part("People", (Table(names, people),))


def title(body: Body) -> str:
    """An item in a line."""
    match body:
        case Scene():
            return f"{body.scene}: {body.problem or body.shown}"
        case QuestionSet():
            return f"{body.facts.incident} / {body.facts.place or 'no place'}: {body.questions[0].text}"
    return f"{body.asked.time}: {body.asked.question}"
