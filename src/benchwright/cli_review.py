"""The commands by which people review: `benchwright review ...`."""

import signal
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from benchwright.show.code import Code
from benchwright.show.common import COMMON, Campaign, Common

if TYPE_CHECKING:
    from benchwright.show.screen import Screen

desk = App(name="review", sort_key=8, help="The human queue: decide here, in a browser, or by file.")

Port = Annotated[int, Parameter(show_default=True, help="The port; 0 takes any free one.")]
Host = Annotated[str, Parameter(show_default=True, help="The address; another than this machine's needs a password.")]
Reviewers = Annotated[
    tuple[str, ...], Parameter(name="--reviewer", help="Make a link for this person; may be given several times.")
]
Reviewer = Annotated[str, Parameter(help="Who decides; by default the name of your account here.")]
PasswordEnv = Annotated[str, Parameter(help="The environment variable that holds the password for all.")]
Handed = Annotated[Path, Parameter(help="The file to write; its suffix states the format, or else --format does.")]
Form = Annotated[
    Literal["jsonl", "csv", "xlsx", "label-studio", "argilla"] | None,
    Parameter(name="--format", help="The last two are .json files, each with a file of settings beside it."),
]
ForLink = Annotated[str, Parameter(help="Whose link it is; without a name, whoever comes by it gives one.")]
ForWhom = Annotated[str, Parameter(help="Only what this person can still decide.")]
Said = Annotated[
    bool,
    Parameter(help="Write what people decided instead: who, what, when, why, and the votes (.jsonl .csv .xlsx)."),
]
Decided = Annotated[Path, Parameter(help="The file with the decisions.")]
By = Annotated[str, Parameter(help="Who decided on the rows that name nobody.")]


@desk.default
async def review(campaign: Campaign, /, *, reviewer: Reviewer = "", common: Common = COMMON) -> Code:
    """Decide on what waits for people, card by card, in this terminal."""
    from getpass import getuser

    from benchwright import people
    from benchwright.show.terminal import Terminal, draw_end

    screen = common.screen
    await tell_changes(campaign, screen)
    async with people.open_room(campaign) as room:
        ask = partial(read_line, aside=screen.json)
        done = await Terminal(room, reviewer or getuser(), screen.progress, ask).work()
    return screen.answer({"decisions": done}, draw_end(done))


async def tell_changes(campaign: Path, screen: "Screen") -> None:
    """Say that the file's policy has changed and the campaign still goes by the old one."""
    from benchwright.app import describe_new_review

    if said := await describe_new_review(campaign):
        screen.say(said)


def read_line(prompt: str, *, aside: bool = False) -> str | None:
    """A line that somebody types; None after Ctrl-C or the end of the input.

    Its prompt stands `aside`, on the stream of errors, where standard output is kept for the JSON document.
    """
    # asyncio takes the first Ctrl-C for itself, and a person who is asked for a line would not get away.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if aside:
            sys.stderr.write(prompt)
            sys.stderr.flush()
        return input("" if aside else prompt)
    except (EOFError, KeyboardInterrupt):
        return None
    finally:
        signal.signal(signal.SIGINT, before)


@desk.command(name="serve")
async def review_serve(
    campaign: Campaign,
    /,
    *,
    port: Port = 8765,
    host: Host = "127.0.0.1",
    reviewer: Reviewers = (),
    password_env: PasswordEnv = "",
    common: Common = COMMON,
) -> Code:
    """Open the review desk in a browser, for one or several people. A link that it prints lets one person in, once."""
    from benchwright import people

    await tell_changes(campaign, common.screen)
    guests = people.Guests(reviewer, people.secret(password_env))
    await people.serve(campaign, host, port, guests, common.screen.say)
    return Code.DONE


@desk.command(name="link")
async def review_link(campaign: Campaign, /, *, reviewer: ForLink = "", common: Common = COMMON) -> Code:
    """Print a link to the desk that is being served: it lets this person in, or whoever comes, once."""
    from benchwright import people
    from benchwright.show.text import plain

    link = await people.make_link(campaign, reviewer)
    return common.screen.answer({"link": link, "reviewer": reviewer}, plain(link))


@desk.command(name="export")
async def review_export(
    campaign: Campaign,
    file: Handed,
    /,
    *,
    form: Form = None,
    reviewer: ForWhom = "",
    decided: Said = False,
    common: Common = COMMON,
) -> Code:
    """Write every card that waits for people to a file, to be decided there and imported; the rules lie beside it."""
    from benchwright import people
    from benchwright.show.tables import draw_review_files, draw_reviewed_file

    await tell_changes(campaign, common.screen)
    if decided:
        found = await people.hand_over(campaign, file)
        return common.screen.answer(found.json(), draw_reviewed_file(found))
    found = await people.hand_out(campaign, file, form or "", reviewer)
    return common.screen.answer(found.json(), draw_review_files(campaign, found))


@desk.command(name="import")
async def review_import(
    campaign: Campaign,
    file: Decided,
    /,
    *,
    by: By = "",
    common: Common = COMMON,
) -> Code:
    """Import decisions from such a file. If you import a file twice, the second time changes nothing."""
    from benchwright import people
    from benchwright.show.tables import NOT_TAKEN, draw_import

    await tell_changes(campaign, common.screen)
    found = await people.take_in(campaign, file, by)
    code = Code.PARTIAL if any(row.outcome in NOT_TAKEN for row in found) else Code.DONE
    return common.screen.answer([asdict(row) for row in found], draw_import(found), code)
