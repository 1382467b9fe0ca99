"""What a campaign's votes tell, drawn: another rule beside the one that holds, and the voters."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.domain.agreement import Agreement
from benchwright.domain.quality import Checker, Pair, Quality, Share, WordKind
from benchwright.domain.statistics import Rate
from benchwright.engine.whatif import Look
from benchwright.panel import Checkers, Compared, Earlier
from benchwright.show.standing import indent, table
from benchwright.show.text import command, count_text, plain

ROUTES = {
    "keep": ("█", "green"),
    "human": ("▒", "yellow"),
    "reject": ("░", "red"),
    "open": ("·", ""),
    "unasked": ("-", ""),
}
SAID = {"human": "to people", "unasked": "not asked about"}
STATES = ("kept", "waiting", "discarded", "open")
BAR = 60  # characters
NOBODY: Counter[str] = Counter()
WORDS = {WordKind.VOTES: "verdicts", WordKind.GRADES: "grades", WordKind.CATEGORIES: "categories"}


def draw_comparison(path: Path, found: Compared) -> RenderableType:
    """Now and then side by side, as numbers and as bars; then what people said, and what to type."""
    now, then = found.what.now, found.what.then
    head = "changed" if found.applied else "would change"
    changes = [plain(line) for line in found.changes] or [plain("nothing: this is the rule as it is")]
    parts: list[RenderableType] = [Text(head, "bold"), indent(*changes), "", numbers(now, then, f"{found.thing}s")]
    tries = (
        f"items are counted by the last try at each place, {found.thing}s in all tries; run and status count all tries"
    )
    parts.append(plain(tries))
    if then.votes:
        most = count_text(then.votes, "more vote")
        parts.append(plain(f"open {found.thing}s need up to {most}: what was not asked is not guessed"))
    parts += [
        "",
        *bars(now, then),
        *ratios(then, f"{found.thing}s"),
        *moves(found.what.moved, f"{found.thing}s"),
        *people(now, then),
        *history(found.earlier),
    ]
    return Group(*parts, *steps(path, found))


def numbers(now: Look, then: Look, things: str) -> RenderableType:
    """Things by route and items by state."""
    drawn = table("", "now", "then", right=("now", "then"))
    for route in ROUTES:
        if now.things[route] or then.things[route]:
            drawn.add_row(plain(f"{things} {SAID.get(route, route)}"), *counts(now.things[route], then.things[route]))
    for state in STATES:
        drawn.add_row(plain(f"items {state}"), *counts(now.items[state], then.items[state]))
    return drawn


def counts(*numbers: int) -> list[Text]:
    """Numbers as cells."""
    return [plain(number) for number in numbers]


def bars(now: Look, then: Look) -> list[RenderableType]:
    """A bar of all things for each rule, and what its parts mean."""
    legend = Text("     ")
    for route, (sign, style) in ROUTES.items():
        if now.things[route] or then.things[route]:
            legend.append(f"{sign * 2} {SAID.get(route, route)}  ", style)
    return [Text.assemble(" now ", bar(now.things)), Text.assemble("then ", bar(then.things)), legend, ""]


def bar(routes: Mapping[str, int], most: int | None = None) -> Text:
    """Routes by their share of the bar, each at least a character wide."""
    total, drawn = most or sum(routes.values()) or 1, Text()
    for route, (sign, style) in ROUTES.items():
        if number := routes.get(route, 0):
            drawn.append(sign * max(1, round(BAR * number / total)), style)
    return drawn


def ratios(look: Look, things: str) -> list[RenderableType]:
    """How many things have which ratio, and where they go under the new rule."""
    if not look.ratios:
        return []
    most = max(routes.total() for routes in look.ratios.values())
    drawn = table("keep votes", things, "then", right=(things,))
    for tenth, routes in look.ratios.items():
        name = "all" if tenth == 10 else f"{tenth / 10:.1f} - {(tenth + 1) / 10:.1f}"  # noqa: PLR2004 - ten tenths
        drawn.add_row(plain(name), plain(routes.total()), bar(routes, most))
    return [drawn, ""]


def moves(moved: Mapping[tuple[str, str], int], things: str) -> list[RenderableType]:
    """The things whose route would be another."""
    drawn = table(things, "now", "then", right=(things,))
    for (now, then), number in sorted(moved.items()):
        if now != then:
            drawn.add_row(plain(number), plain(SAID.get(now, now)), plain(SAID.get(then, then)))
    return [drawn, ""] if drawn.row_count else []


def people(now: Look, then: Look) -> list[RenderableType]:
    """What people decided about things of each route."""
    drawn = table("people decided", "now: kept", "rejected", "then: kept", "rejected")
    for route in ROUTES:
        cells = [look.people.get(route, NOBODY)[said] for look in (now, then) for said in ("keep", "reject")]
        if any(cells):
            drawn.add_row(plain(f"votes say {SAID.get(route, route)}"), *counts(*cells))
    return [drawn, ""] if drawn.row_count else []


def history(earlier: Sequence[Earlier]) -> list[RenderableType]:
    """The changes made before."""
    lines = [plain(change_text(one)) for one in earlier]
    return [Text("changes so far", "bold"), indent(*lines), ""] if lines else []


def change_text(one: Earlier) -> str:
    """A change in a line."""
    by = f" by {one.who}: {one.why}" if one.who else ""
    return f"{one.at}{by} ({'; '.join(one.changes)})"


def steps(path: Path, found: Compared) -> list[RenderableType]:
    """What became of the items, or how to make it so."""
    if found.applied:
        moved = [plain(f"{count_text(n, 'item')}: {a} -> {b}") for (a, b), n in sorted((found.moved or {}).items())]
        return [*moved, plain("to continue:"), command(f"benchwright run {quote(str(path))}")]
    return [plain("to apply this rule: the same command with --apply --by NAME --why TEXT")] if found.changes else []


def checkers(found: Checkers) -> RenderableType:
    """Each panel: its voters, how far it agrees, and what is wrong with it."""
    if not found.panels:
        return plain("nobody on a panel has said anything yet")
    return Group(*(part for one in found.panels for part in panel(one, found.thing)))


def panel(found: Quality, thing: str) -> list[RenderableType]:
    """One panel, its strictest voter first where its words can be strict."""
    columns = rates(found)
    drawn = table("checker", *columns, "says mostly", right=tuple(columns))
    for one in found.checkers:
        mostly = f"{one.favourite} {rate(one.said)}" if one.favourite else ""
        drawn.add_row(plain(one.model), *(plain(cell(one)) for cell in columns.values()), plain(mostly))
    parts: list[RenderableType] = [drawn, "", *two_by_two(found.pairs, thing)]
    parts += [plain(f"{name:<38}{agreement(one, thing)}") for name, one in coefficients(found).items()]
    parts += [plain(flag, "red") for flag in found.flags]
    if found.words is not WordKind.CATEGORIES:
        order = ", ".join(f'"{one.model}"' for one in found.checkers)
        parts += [plain("this panel, strictest first, as a line of a campaign file:"), command(f"panel = [{order}]")]
    return parts


def rates(found: Quality) -> dict[str, Callable[[Checker], str]]:
    """What is told of each voter, by the head of its column; of planted things where there are votes, or were any."""
    columns: dict[str, Callable[[Checker], str]] = {}
    if found.words is WordKind.VOTES:
        columns["confirms the label"] = lambda one: rate(one.confirms)
    if found.words is WordKind.GRADES:
        columns["mean grade"] = lambda one: "none" if one.mean is None else f"{one.mean:.2f}"
    columns["cannot say"] = lambda one: rate(one.abstains)
    if found.words is WordKind.VOTES or any(one.true_positives.of + one.false_positives.of for one in found.checkers):
        columns["right not called correct"] = lambda one: error(one.misses)
        columns["wrong called correct"] = lambda one: error(one.false_alarms)
    return columns


def coefficients(found: Quality) -> dict[str, Agreement]:
    """How far all voters agree, under the names of the measures."""
    words = WORDS[found.words]
    votes = {"Krippendorff's alpha of the votes:": found.alpha_votes} if found.alpha_votes else {}
    return {
        f"Krippendorff's alpha of the {words}:": found.alpha,
        **votes,
        f"Fleiss's kappa of the {words}:": found.kappa,
    }


def rate(share: Share) -> str:
    """A share in per cent, and of how many."""
    return "none asked" if share.rate is None else f"{share.rate:.0%} of {share.of}"


def error(rate: Rate) -> str:
    """An error rate of things that are known to be right or wrong, with the ends of its 95 % interval."""
    if rate.low is None or rate.high is None:
        return "none asked"
    return f"{rate.n / rate.of:.0%} of {rate.of} ({rate.low:.0%} to {rate.high:.0%})"


def two_by_two(pairs: Sequence[Pair], thing: str) -> list[RenderableType]:
    """Each two voters."""
    things = f"{thing}s"
    drawn = table("two checkers", things, "differ", "kappa", right=(things, "differ"))
    for one in pairs:
        kappa = plain(agreement(one.kappa, thing))
        drawn.add_row(plain(" and ".join(one.models)), *counts(one.differ.of, one.differ.n), kappa)
    return [drawn, ""] if pairs else []


def agreement(found: Agreement, thing: str) -> str:
    """A coefficient, or why there is none."""
    if found.value is None:
        return f"undefined: {found.reason}"
    return f"{found.value:.3f} ({count_text(found.units, thing)})"
