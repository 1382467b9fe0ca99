"""The command line: each command calls one function of a module beside it and shows what that returns.

Exit codes are in `show/code.py`. Heavy modules are imported inside the commands, so that `--help` is there at once.
"""

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from cyclopts import App, CycloptsError, Parameter
from cyclopts.validators import Number

from benchwright import __version__
from benchwright.cli_calls import NO_AGAIN, Again, calls
from benchwright.cli_corpus import corpus
from benchwright.cli_evaluate import evaluate, report
from benchwright.cli_review import desk
from benchwright.cli_votes import checkers, whatif
from benchwright.errors import BenchwrightError, DiskFull, Owned, UsageError
from benchwright.show.code import EPILOGUE, Code
from benchwright.show.common import COMMON, Campaign, Common

if TYPE_CHECKING:
    from io import TextIOWrapper

    from benchwright.app import Report

cli = App(
    name="benchwright",
    help="Turns a research group's documents into benchmark sets that its field can trust.",
    help_epilogue=EPILOGUE,
    help_format="plaintext",
    version=__version__,
    default_parameter=Parameter(negative=(), show_default=False),
    suppress_keyboard_interrupt=False,
)
cli.command(desk)
cli.command(corpus)
cli.command(calls, sort_key=7)
cli.command(whatif, sort_key=8)
cli.command(checkers, sort_key=8)
cli.command(evaluate, sort_key=8)
cli.command(report, sort_key=8)

NewFile = Annotated[Path, Parameter(help="Where to write it.")]
NewBackup = Annotated[Path, Parameter(help="The file to write, or a folder for a file of the same name.")]
Making = Annotated[
    str,
    Parameter(
        show_default=True, help="What is made: recall, inference, reconstruction, retrieval, crisis or evaluation."
    ),
]
Force = Annotated[bool, Parameter(help="Overwrite a file that is there.")]
Accept = Annotated[bool, Parameter(help="Continue although the campaign file has changed; answers on record stay.")]
Log = Annotated[Path | None, Parameter(help="Append a line of JSON for each event of the run to this file.")]
Pilot = Annotated[
    int | None,
    Parameter(validator=Number(gte=2), help="Make so many items for real, 2 or more; `run` then continues from them."),
]
Watch = Annotated[bool, Parameter(help="Look again every second, until the run ends or Ctrl-C.")]
State = Annotated[Literal["kept", "discarded", "open", "waiting"], Parameter(help="Only items in this state.")]
Item = Annotated[str, Parameter(help="The beginning of the item's id; 'benchwright items' lists them.")]
Prompts = Annotated[bool, Parameter(help="Show prompts and replies in full.")]
Checked = Annotated[
    Path,
    Parameter(
        help="A retrieval collection: a folder in the form of BEIR, MTEB, ir_datasets or TREC; or .jsonl or .csv."
    ),
]
Labels = Annotated[Path, Parameter(help="A file of the labels that records may have, as JSON.")]
Folder = Annotated[Path, Parameter(help="The folder to write; by default it lies beside the campaign.")]
Names = Annotated[bool, Parameter(help="Publish the names of people; by default they stand as reviewer-1, reviewer-2.")]
Form = Annotated[str, Parameter(name="--format", help="The format, by name; a wrong one lists all that there are.")]
Kills = Annotated[int, Parameter(show_default=True, help="How often to kill the run.", validator=Number(gte=0, lte=50))]
Items = Annotated[int, Parameter(show_default=True, help="How many items to make.", validator=Number(gte=1, lte=1000))]
Seed = Annotated[
    int,
    Parameter(show_default=True, help="Another seed: other faults, other moments.", validator=Number(gte=0, lte=2**31)),
]
Keep = Annotated[Path | None, Parameter(help="Keep all of it, in this new folder.")]
Chance = Annotated[float, Parameter(show_default=True, validator=Number(gte=0, lte=1))]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Faults:
    """How likely each fault is at each request."""

    rate: Annotated[Chance, Parameter(name="--429", help="Chance of a 429, too many requests.")] = 0.3
    parse: Annotated[Chance, Parameter(help="Chance of a reply that holds no JSON.")] = 0.1
    cut: Annotated[Chance, Parameter(help="Chance of a reply cut at the token limit.")] = 0.0
    think: Annotated[Chance, Parameter(help="Chance of a reply behind a thought that holds a draft of it.")] = 0.0
    refuse: Annotated[Chance, Parameter(help="Chance of a refusal (400, 403, 422) that passes at the next try.")] = 0.0
    drop: Annotated[Chance, Parameter(help="Chance of a connection that breaks off.")] = 0.05
    error: Annotated[Chance, Parameter(help="Chance of a 502 with a web page.")] = 0.0
    hang: Annotated[Chance, Parameter(help="Chance of no answer at all.")] = 0.0

    @property
    def chances(self) -> dict[str, float]:
        """The chances by kind."""
        return {{"rate": "429"}.get(kind, kind): chance for kind, chance in asdict(self).items()}


FAULTS = Faults()
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
USAGE = (UsageError, Owned)  # errors of the person, not of the campaign


@cli.command(sort_key=1)
def init(
    path: NewFile = Path("campaign.toml"),
    /,
    *,
    pipeline: Making = "recall",
    force: Force = False,
    common: Common = COMMON,
) -> Code:
    """Write a first campaign file, with comments, and a folder for its documents."""
    from benchwright import app
    from benchwright.show.report import first_steps

    where = app.init(path, pipeline, force=force)
    return common.screen.answer({"campaign": str(where.file)}, first_steps(where, app.inputs_of(pipeline)))


@cli.command(sort_key=2)
async def estimate(campaign: Campaign, /, *, pilot: Pilot = None, common: Common = COMMON) -> Code:
    """Estimate the calls, tokens, money and time of a campaign. Only --pilot asks models."""
    from benchwright import app
    from benchwright.show.estimate import code
    from benchwright.show.estimate import estimate as drawn
    from benchwright.show.live import watcher

    found = await app.estimate(campaign, watcher(common.screen), pilot or 0)
    return common.screen.answer(found.json(), drawn(found), code=code(found))


@cli.command(sort_key=2)
async def run(
    campaign: Campaign,
    /,
    *,
    accept_changes: Accept = False,
    again: Again = NO_AGAIN,
    log: Log = None,
    common: Common = COMMON,
) -> Code:
    """Start or continue a campaign. Ctrl-C finishes the calls in flight and stops; a second one stops at once."""
    from benchwright import app
    from benchwright.show.live import watcher

    wanted = again.wanted
    found = await app.run(campaign, watcher(common.screen, log), accept_changes=accept_changes, again=wanted)
    return show_report(campaign, found, common)


@cli.command(sort_key=3)
async def resume(campaign: Campaign, /, *, log: Log = None, common: Common = COMMON) -> Code:
    """Continue a campaign that has begun."""
    from benchwright import app
    from benchwright.show.live import watcher

    return show_report(campaign, await app.resume(campaign, watcher(common.screen, log)), common)


def show_report(campaign: Path, found: "Report", common: Common) -> Code:
    """Show the end of a run; its exit code."""
    from benchwright.show.report import CODES
    from benchwright.show.report import report as drawn

    return common.screen.answer(found.json(), drawn(campaign, found), code=CODES[found.ended.how])


@cli.command(sort_key=4)
async def pause(campaign: Campaign, /, *, common: Common = COMMON) -> Code:
    """Ask the runner to finish what is in flight and stop."""
    from benchwright import glance

    running = await glance.pause(campaign)
    first = f"asked {running} to pause" if running else "no run is at work, so there is nothing to pause"
    value = {"paused": running is not None, "runner": running}
    return common.screen.answer(value, f"{first}; `benchwright run` continues")


@cli.command(sort_key=5)
async def status(campaign: Campaign, /, *, watch: Watch = False, common: Common = COMMON) -> Code:
    """Show how a campaign stands: items, roles, queues, tokens, money."""
    from benchwright import glance
    from benchwright.show.standing import draw_status, follow

    if watch:
        return await follow(common.screen, partial(glance.status, campaign))
    found = await glance.status(campaign)
    return common.screen.answer(found.json(), draw_status(found))


@cli.command(sort_key=6)
async def items(
    campaign: Campaign,
    /,
    *,
    state: State | None = None,
    common: Common = COMMON,
) -> Code:
    """List items with the beginnings of their ids, for `explain`."""
    from benchwright import results
    from benchwright.show.tables import draw_items

    found = await results.list_items(campaign, state or "")
    return common.screen.answer([asdict(one) for one in found], draw_items(found))


@cli.command(sort_key=7)
async def explain(campaign: Campaign, item: Item, /, *, prompts: Prompts = False, common: Common = COMMON) -> Code:
    """Show the whole history of one item: evidence, votes, routes, decisions, calls, cost. Offline."""
    from benchwright import results
    from benchwright.show.item import history

    found = await results.explain(campaign, item)
    return common.screen.answer(found.json(), history(found, prompts=prompts))


@cli.command(sort_key=8)
async def export(
    campaign: Campaign,
    /,
    *,
    folder: Folder | None = None,
    form: Form = "",
    names: Names = False,
    common: Common = COMMON,
) -> Code:
    """Write the set: data, card, and a manifest with the hashes of all that made it."""
    from benchwright import results
    from benchwright.show.tables import draw_export

    found = await results.export(campaign, folder, form, names=names)
    return common.screen.answer(found.json(), draw_export(found))


@cli.command(sort_key=8)
async def backup(campaign: Campaign, to: NewBackup, /, *, common: Common = COMMON) -> Code:
    """Copy the campaign's database, as it is now, into one new file; a run or a review may go on meanwhile."""
    from benchwright import results
    from benchwright.show.tables import draw_backup

    found = await results.back_up(campaign, to)
    return common.screen.answer(found.json(), draw_backup(found))


@cli.command(sort_key=8)
def validate(path: Checked, /, *, labels: Labels | None = None, common: Common = COMMON) -> Code:
    """Check what a set is made of, or what others have made: each flaw with its file and line."""
    from benchwright import pipelines
    from benchwright.show.tables import draw_inspection

    found = pipelines.validate(path, labels)
    return common.screen.answer(found.json(), draw_inspection(found), code=Code.FAILED if found.total else Code.DONE)


@cli.command(sort_key=9)
async def doctor(campaign: Campaign, /, *, common: Common = COMMON) -> Code:
    """Check the corpus, models, graphs and searches: all files, keys, extras, endpoints. Spends nothing."""
    from benchwright import app
    from benchwright.show.tables import checks

    found = await app.doctor(campaign, common.screen.say)
    code = Code.DONE if all(check.ok for check in found) else Code.USAGE
    return common.screen.answer([asdict(check) for check in found], checks(found), code=code)


@cli.command(sort_key=10)
async def drill(
    *,
    faults: Faults = FAULTS,
    kill: Kills = 3,
    items: Items = 8,
    seed: Seed = 0,
    keep: Keep = None,
    common: Common = COMMON,
) -> Code:
    """See a run survive: a built-in campaign against a built-in faulty provider, killed and begun again. Costs nothing.

    The same campaign is run once without faults; in the end both sets must be the same, byte by byte.
    """
    from benchwright.drill.drill import Plan
    from benchwright.drill.drill import drill as carried_out
    from benchwright.show.drill import draw_drill

    found = await carried_out(Plan(faults.chances, kill, items, seed), common.screen.say, keep)
    return common.screen.answer(
        found.json(), draw_drill(found), code=Code.FAILED if found.broken_promises else Code.DONE
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """The console entry point: exits with the code that `show/code.py` explains."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    sys.excepthook = partial(show_crash, words)
    sys.exit(run_command(words))


def run_command(words: Sequence[str]) -> int:
    """Carry out a command line; its exit code."""
    open_streams()
    try:
        code: Code | None = cli(words, result_action="return_value", exit_on_error=False, print_error=False)
        return code or Code.DONE
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except (BenchwrightError, CycloptsError) as error:
        return show_failure(words, error)
    except OSError as error:
        return show_failure(words, of_the_machine(error))
    except ExceptionGroup as group:
        if ours := group.subgroup((BenchwrightError, OSError)):
            found = first(ours)
            return show_failure(words, of_the_machine(found) if isinstance(found, OSError) else found)
        raise


def open_streams() -> None:
    """Let any text be printed; what is printed to a stream that is closed goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        cast("TextIOWrapper", getattr(sys, name)).reconfigure(errors="backslashreplace")


def of_the_machine(error: OSError) -> Exception:
    """What the system refuses, such as room on a disk, as an error of ours; one about no file stays what it is."""
    if error.filename is None and error.errno not in NO_ROOM:
        raise error
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    if error.errno in NO_ROOM:
        return DiskFull(f"{where}the disk is full: free some space, then run the same command again")
    return UsageError(f"{where}{error.strerror}: see that it can be read and written, then run the same command again")


def show_failure(words: Sequence[str], error: Exception) -> Code:
    """Tell an error that has a name; its exit code."""
    kind = type(error).__name__ if isinstance(error, BenchwrightError) else "UsageError"
    told = (
        str(error).strip() if isinstance(error, BenchwrightError) else f"{str(error).strip()} See benchwright --help."
    )
    common(words).screen.error(told, kind)
    return Code.FAILED if isinstance(error, BenchwrightError) and not isinstance(error, USAGE) else Code.USAGE


def first(group: "ExceptionGroup[Any]") -> Exception:
    """The first error in a group, however deep."""
    error: Exception = group
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def show_crash(words: Sequence[str], _kind: type[BaseException], error: BaseException, _trace: object) -> None:
    """Tell an error that nobody expected; Python then exits with 1."""
    found = common(words)
    found.screen.crash(error, debug=found.debug)


def common(words: Sequence[str]) -> Common:
    """What every command takes, read off the words, for errors that come before or after the command."""
    return Common(json="--json" in words, debug="--debug" in words or bool(os.environ.get("BENCHWRIGHT_DEBUG")))
