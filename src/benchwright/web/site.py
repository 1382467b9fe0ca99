"""The pages of the review desk. Every form is refused without its session's token, every page without a session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, TypeVar
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from benchwright.clock import utc_iso
from benchwright.domain.image import media_type, without_metadata
from benchwright.domain.opinion import Opinion, fold_name
from benchwright.errors import NotFound, Unreadable, UsageError
from benchwright.review import desk as cards
from benchwright.review.cases import Desk, known_people
from benchwright.review.progress import progress
from benchwright.store import blobs, doors, reviews
from benchwright.store.database import Connection, Database
from benchwright.web import views
from benchwright.web.doors import SESSION, Doors
from benchwright.web.guard import Guard

T = TypeVar("T")
Form = dict[str, str]
Page = Callable[[Request, str], Awaitable[Response]]
Move = Callable[[Request, str, Form], Awaitable[None]]

FORM_MOST = 1 << 20  # bytes
FIELDS_MOST = 40
OURS = {"csrf", "card"}  # fields of forms that no card asks for
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Site:
    """The desk of one campaign. `address` is where its links begin, `now` gives seconds since the epoch.

    `secret` signs its cookies: while it stays the same, a restart locks nobody out.
    """

    name: str
    database: Database
    desk: Desk
    doors: Doors
    address: str
    now: Callable[[], float]
    secret: str = field(default_factory=lambda: token_urlsafe(32))

    @property
    def pages(self) -> Environment:
        """The templates, every value in them escaped."""
        return Environment(loader=PackageLoader("benchwright.web"), autoescape=True, undefined=StrictUndefined)

    def app(self, hosts: tuple[str, ...], cookie: str = "desk") -> Guard:
        """The whole site; `hosts` are the names by which it is known, `cookie` tells two desks of one machine apart."""
        templates = self.pages

        def show(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
            message = request.session.pop("message", "") if "message" in request.session else ""
            text = templates.get_template(template).render(message=message, **values)
            return HTMLResponse(text, status)

        shown = Shown(self, show)
        routes = [
            Route("/", lambda _: RedirectResponse("/card", 303)),
            Route("/enter", shown.enter, methods=["GET"]),
            Route("/enter", shown.enter_desk, methods=["POST"]),
            Route("/card", shown.inside(shown.card)),
            Route("/progress", shown.inside(shown.progress)),
            Route("/live", shown.inside(shown.live)),
            Route("/image/{name}", shown.inside(shown.image)),
            Route("/decide", shown.form_handler(shown.decide), methods=["POST"]),
            Route("/skip", shown.form_handler(shown.skip), methods=["POST"]),
            Route("/undo", shown.form_handler(shown.undo), methods=["POST"]),
            Route("/draft", shown.form_handler(shown.draft, ""), methods=["POST"]),
            Route("/stay", shown.form_handler(shown.stay, ""), methods=["POST"]),
            Route("/invite", shown.form_handler(shown.invite, "/progress"), methods=["POST"]),
            Route("/leave", shown.form_handler(shown.leave, "/enter?left=yes"), methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
        session = Middleware(
            SessionMiddleware, secret_key=self.secret, session_cookie=cookie, max_age=SESSION, same_site="strict"
        )
        return Guard(Starlette(routes=routes, middleware=[session]), hosts)

    async def read(self, operation: Callable[..., T], *given: Any) -> T:
        """Read from the campaign."""
        return await self.database.read(lambda connection: operation(connection, *given))

    async def write(self, operation: Callable[..., T], **given: Any) -> T:
        """Write to the campaign."""
        return await self.database.write(partial(operation, **given))


async def read_form(request: Request) -> Form | None:
    """The fields of a form; None where it is none of ours."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > FORM_MOST:
                return None
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MOST)
    except (ValueError, ClientDisconnect):
        return None
    return {name: values[-1].replace("\r\n", "\n") for name, values in fields.items()}


def typed_texts(form: Form) -> Form:
    """What a form says on its card."""
    return {name: text for name, text in form.items() if name not in OURS}


def address_of(request: Request) -> str:
    """Where a request comes from; behind a proxy on this machine, where the proxy says so."""
    host = request.client.host if request.client else ""
    try:
        near = ip_address(host).is_loopback
    except ValueError:
        near = True
    # The last name is the one that the proxy itself has written; those before it anybody may have made up.
    far = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip() if near else ""
    return far or host


@dataclass(frozen=True)
class Shown:
    """Each page and each form."""

    site: Site
    show: Callable[..., HTMLResponse]

    # ------------------------------------------------------------------------------------------------- the way in

    async def who(self, request: Request) -> str:
        """Who the request's browser is let in as; "" where it is not."""
        word = request.session.get("word", "")
        return await self.site.doors.whose(word) if word else ""

    def inside(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        """A page for whoever was let in."""

        async def answer(request: Request) -> Response:
            who = await self.who(request)
            return await page(request, who) if who else RedirectResponse("/enter", 303)

        return answer

    def form_handler(self, move: Move, then: str = "/card") -> Callable[[Request], Awaitable[Response]]:
        """What a form does, for whoever was let in; where it cannot, the next page says why.

        With no page to go to `then`, it is a script that sends the form, and gets no page.
        """

        async def answer(request: Request) -> Response:
            who, form = await self.who(request), await read_form(request)
            token = request.session.get("csrf", "")
            if (
                form is None
                or not who
                or not token
                or not compare_digest(form.get("csrf", "").encode(), token.encode())
            ):
                return self.show(request, "stale.html", 403, inside=bool(who))
            try:
                await move(request, who, form)
            except UsageError as error:
                request.session["message"] = str(error)
            return RedirectResponse(then, 303) if then else Response(status_code=204)

        return answer

    async def enter(self, request: Request) -> Response:
        """The way in."""
        if await self.who(request):
            return RedirectResponse("/card", 303)
        word = request.query_params.get("word", "")
        found = await self.site.doors.find(word) if word else None
        usable = found is not None and not found.used
        if found and found.used:
            request.session["message"] = f"This link has let {found.name} in already: each works once."
        elif word and not found:
            request.session["message"] = "This link is none of this desk's: perhaps a part of it is missing."
        elif "left" in request.query_params:
            request.session["message"] = "You have left the desk. What you decided is kept."
        return self.door(request, word if usable else "", found.name if found and usable else "")

    def door(self, request: Request, word: str, bound: str = "", status: int = 200, sure: str = "") -> Response:
        """The page that asks for a name, and for the password where a link does not stand for it.

        `sure` is a name that is in use, of which the page asks whether it is the visitor's.
        """
        password = bool(self.site.doors.password)
        shown = status if word or password else 403
        return self.show(request, "enter.html", shown, word=word, bound=bound, password=password, sure=sure)

    async def enter_desk(self, request: Request) -> Response:
        """Let somebody in."""
        form = await read_form(request) or {}
        word, link = form.get("word", ""), await self.site.doors.find(form.get("word", ""))
        usable = word if link and not link.used else ""
        bound = link.name if link and usable else ""
        try:
            who = self.site.desk.person(bound or form.get("name", ""))
            if not bound:
                self.refuse_adjudicator(who)
        except UsageError as error:
            request.session["message"] = str(error)
            return self.door(request, usable, bound, 400)
        name = who.partition(":")[2]
        if (
            not bound
            and form.get("sure") != name
            and await self.site.read(known_people, self.site.desk, fold_name(who))
        ):
            return self.door(request, usable, "", 409, name)
        if not await self.opens(request, word, name, is_link=bool(usable)):
            return self.door(request, "", status=403)
        kept = await self.site.doors.begin(who)
        request.session.clear()
        request.session.update({"word": kept, "csrf": token_urlsafe(32)})
        return RedirectResponse("/card", 303)

    async def opens(self, request: Request, word: str, name: str, *, is_link: bool) -> bool:
        """Whether a word lets in; where it does not, the next page says why."""
        doors, address = self.site.doors, address_of(request)
        if is_link:
            opened, fault = await doors.use(word, name), "This link has just let somebody else in: each works once."
        else:
            waits = doors.waits(address)
            opened = doors.knows(word, address)
            fault = "That is not the password." if doors.password else "That does not let you in: a link works once."
            if waits:
                fault = f"Too many wrong words came from where you are: try again in {waits:.0f} seconds."
        if not opened:
            request.session["message"] = fault
        return opened

    def refuse_adjudicator(self, who: str) -> None:
        """Raise `UsageError` for the name that settles conflicts: it takes a link that was made for it."""
        if fold_name(who) == self.site.desk.policy.judge:
            message = f"{who.partition(':')[2]} settles conflicts here: that takes the link made for this name"
            raise UsageError(message)

    # -------------------------------------------------------------------------------------------------- the pages

    async def frame_values(self, request: Request, who: str) -> dict[str, Any]:
        """What every page shows."""
        found = await self.site.read(progress, self.site.desk, fold_name(who))
        return {
            "who": who.partition(":")[2],
            "campaign": self.site.name,
            "csrf": request.session["csrf"],
            "figures": views.figures(found),
            "found": found,
        }

    async def card(self, request: Request, who: str) -> Response:
        """The card that lies before one, or that there is none."""
        site, person = self.site, fold_name(who)
        found = await site.write(cards.next_card, desk=site.desk, person=person, now=site.now())
        frame = await self.frame_values(request, who)
        last = await site.read(views.last, site.desk, person)
        if found is None:
            return self.show(request, "rest.html", last=last, **frame)
        typed = {name: await site.read(doors.drafted, person, name) for name in views.names(found)}
        return self.show(request, "card.html", last=last, **frame, **views.card(found, typed))

    async def progress(self, request: Request, who: str) -> Response:
        """Who did what, and how far people agree."""
        link = request.session.pop("link", "") if "link" in request.session else ""
        frame = await self.frame_values(request, who)
        return self.show(request, "progress.html", link=link, **frame, **views.table(frame["found"]))

    async def live(self, request: Request, who: str) -> Response:
        """The figures that move while one looks."""
        return JSONResponse(views.figures(await self.site.read(progress, self.site.desk, fold_name(who))))

    # -------------------------------------------------------------------------------------------------- the forms

    async def image(self, request: Request, who: str) -> Response:
        """An image that cards show, without what a camera wrote about it."""
        try:
            data = without_metadata(await self.site.read(blobs.get, request.path_params["name"]))
        except NotFound as error:
            return PlainTextResponse(str(error), 404)
        except Unreadable as error:
            return PlainTextResponse(str(error), 415)
        return Response(data, media_type=media_type(data))

    async def decide(self, request: Request, who: str, form: Form) -> None:
        """Take a decision; what was typed stays as a draft where it is none."""
        await self.draft(request, who, form)
        said, now = Opinion(who, typed_texts(form)), self.site.now()
        name, desk = form.get("card", ""), self.site.desk
        await self.site.write(cards.decide, desk=desk, name=name, said=said, now=now, at=utc_iso(now))
        await self.site.write(doors.drop, who=fold_name(who), card=name)

    async def skip(self, request: Request, who: str, form: Form) -> None:
        """Pass a card over; what was typed on it stays."""
        await self.draft(request, who, form)
        await self.site.write(cards.skip, desk=self.site.desk, person=fold_name(who), name=form.get("card", ""))

    async def draft(self, request: Request, who: str, form: Form) -> None:
        """Keep what was typed so far."""
        name = form.get("card", "")
        await self.site.read(cards.find, self.site.desk, name)
        await self.site.write(doors.draft, who=fold_name(who), card=name, given=typed_texts(form))

    async def stay(self, request: Request, who: str, form: Form) -> None:
        """Keep the card that lies before somebody whose page is open."""
        await self.site.write(cards.stay, person=fold_name(who), now=self.site.now())

    async def undo(self, request: Request, who: str, form: Form) -> None:
        """Take the last decision back."""
        now = self.site.now()
        await self.site.write(cards.undo, desk=self.site.desk, person=fold_name(who), now=now, at=utc_iso(now))

    async def invite(self, request: Request, who: str, form: Form) -> None:
        """Make a link for somebody else."""
        name = form.get("name", "").strip()
        bound = self.site.desk.person(name) if name else ""
        if fold_name(bound) != fold_name(who):
            self.refuse_adjudicator(bound)
        request.session["link"] = (
            f"{self.site.address}/enter?word={await self.site.doors.link(bound.partition(':')[2])}"
        )

    async def leave(self, request: Request, who: str, form: Form) -> None:
        """Go, and free the card; what the browser has kept lets nobody in any more."""

        def free(connection: Connection) -> None:
            reviews.free(connection, fold_name(who))

        await self.site.write(free)
        await self.site.doors.leave(request.session.get("word", ""))
        request.session.clear()
