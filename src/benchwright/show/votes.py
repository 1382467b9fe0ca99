"""What a campaign's votes tell, drawn: another rule beside the one that holds, and the checkers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.domain.agreement import Agreement
from benchwright.domain.quality import Checker, Pair, Quality, Share
from benchwright.engine.whatif import Look
from benchwright.panel import Compared, Earlier
from benchwright.show.standing import indented, table
from benchwright.show.text import command, counted, plain

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


def compared(path: Path, found: Compared) -> RenderableType:
    """Now and then side by side, as numbers and as bars; then what people said, and what to type."""
    now, then = found.what.now, found.what.then
    head = "changed" if found.applied else "would change"
    changes = [plain(line) for line in found.changes] or [plain("nothing: this is the rule as it is")]
    parts: list[RenderableType] = [Text(head, "bold"), indented(*changes), "", numbers(now, then)]
    if then.votes:
        most = counted(then.votes, "more vote")
        parts.append(plain(f"open options need up to {most}: what was not asked is not guessed"))
    parts += [
        "",
        *bars(now, then),
        *ratios(then),
        *moves(found.what.moved),
        *people(now, then),
        *history(found.earlier),
    ]
    return Group(*parts, *steps(path, found))


def numbers(now: Look, then: Look) -> RenderableType:
    """Options by route and items by state."""
    drawn = table("", "now", "then", right=("now", "then"))
    for route in ROUTES:
        if now.options[route] or then.options[route]:
            drawn.add_row(plain(f"options {SAID.get(route, route)}"), *counts(now.options[route], then.options[route]))
    for state in STATES:
        drawn.add_row(plain(f"items {state}"), *counts(now.items[state], then.items[state]))
    return drawn


def counts(*numbers: int) -> list[Text]:
    """Numbers as cells."""
    return [plain(number) for number in numbers]


def bars(now: Look, then: Look) -> list[RenderableType]:
    """A bar of all options for each rule, and what its parts mean."""
    legend = Text("     ")
    for route, (sign, style) in ROUTES.items():
        if now.options[route] or then.options[route]:
            legend.append(f"{sign * 2} {SAID.get(route, route)}  ", style)
    return [Text.assemble(" now ", bar(now.options)), Text.assemble("then ", bar(then.options)), legend, ""]


def bar(routes: Mapping[str, int], most: int | None = None) -> Text:
    """Routes by their share of the bar, each at least a character wide."""
    total, drawn = most or sum(routes.values()) or 1, Text()
    for route, (sign, style) in ROUTES.items():
        if number := routes.get(route, 0):
            drawn.append(sign * max(1, round(BAR * number / total)), style)
    return drawn


def ratios(look: Look) -> list[RenderableType]:
    """How many options have which ratio, and where they go under the new rule."""
    if not look.ratios:
        return []
    most = max(routes.total() for routes in look.ratios.values())
    drawn = table("keep votes", "options", "then", right=("options",))
    for tenth, routes in look.ratios.items():
        name = "all" if tenth == 10 else f"{tenth / 10:.1f} - {(tenth + 1) / 10:.1f}"  # noqa: PLR2004 - ten tenths
        drawn.add_row(plain(name), plain(routes.total()), bar(routes, most))
    return [drawn, ""]


def moves(moved: Mapping[tuple[str, str], int]) -> list[RenderableType]:
    """The options whose route would be another."""
    drawn = table("options", "now", "then", right=("options",))
    for (now, then), number in sorted(moved.items()):
        if now != then:
            drawn.add_row(plain(number), plain(SAID.get(now, now)), plain(SAID.get(then, then)))
    return [drawn, ""] if drawn.row_count else []


def people(now: Look, then: Look) -> list[RenderableType]:
    """What people decided about options of each route."""
    drawn = table("people decided", "now: kept", "rejected", "then: kept", "rejected")
    for route in ROUTES:
        cells = [look.people.get(route, NOBODY)[said] for look in (now, then) for said in ("keep", "reject")]
        if any(cells):
            drawn.add_row(plain(f"votes say {SAID.get(route, route)}"), *counts(*cells))
    return [drawn, ""] if drawn.row_count else []


def history(earlier: Sequence[Earlier]) -> list[RenderableType]:
    """The changes made before."""
    lines = [plain(told(one)) for one in earlier]
    return [Text("changes so far", "bold"), indented(*lines), ""] if lines else []


def told(one: Earlier) -> str:
    """A change in a line."""
    by = f" by {one.who}: {one.why}" if one.who else ""
    return f"{one.at}{by} ({'; '.join(one.changes)})"


def steps(path: Path, found: Compared) -> list[RenderableType]:
    """What became of the items, or how to make it so."""
    if found.applied:
        moved = [plain(f"{counted(n, 'item')}: {a} -> {b}") for (a, b), n in sorted((found.moved or {}).items())]
        return [*moved, plain("to go on:"), command(f"benchwright run {quote(str(path))}")]
    return [plain("to make it so: the same command with --apply --by NAME --why TEXT")] if found.changes else []


def checkers(found: Quality) -> RenderableType:
    """The panel, strictest first, how far it agrees, and what is wrong with it."""
    if not found.checkers:
        return plain("no checker has voted yet")
    rates = ("confirms the label", "cannot say", "right called correct", "wrong called correct")
    drawn = table("checker", *rates, "says mostly", right=rates)
    for one in found.checkers:
        drawn.add_row(*checker(one))
    order = ", ".join(f'"{one.model}"' for one in found.checkers)
    return Group(
        drawn,
        "",
        *two_by_two(found.pairs),
        plain(f"Krippendorff's alpha of the verdicts: {agreement(found.alpha)}"),
        plain(f"Krippendorff's alpha of the votes:    {agreement(found.alpha_votes)}"),
        plain(f"Fleiss's kappa of the verdicts:       {agreement(found.kappa)}"),
        *(plain(flag, "red") for flag in found.flags),
        plain("strictest first, as a campaign file says it:"),
        command(f"panel = [{order}]"),
    )


def checker(one: Checker) -> tuple[Text, ...]:
    """One checker's rates."""
    mostly = f"{one.favourite} {rate(one.said)}" if one.favourite else ""
    rates = (one.confirms, one.abstains, one.true_positives, one.false_positives)
    return plain(one.model), *(plain(rate(share)) for share in rates), plain(mostly)


def rate(share: Share) -> str:
    """A share in per cent, and of how many."""
    return "none asked" if share.rate is None else f"{share.rate:.0%} of {share.of}"


def two_by_two(pairs: Sequence[Pair]) -> list[RenderableType]:
    """Each two checkers."""
    drawn = table("pair", "options", "differ", "kappa", right=("options", "differ"))
    for one in pairs:
        drawn.add_row(
            plain(" and ".join(one.models)), *counts(one.differ.of, one.differ.n), plain(agreement(one.kappa))
        )
    return [drawn, ""] if pairs else []


def agreement(found: Agreement) -> str:
    """A coefficient, or why there is none."""
    return (
        f"undefined: {found.reason}" if found.value is None else f"{found.value:.3f} ({counted(found.units, 'option')})"
    )
