"""The pages of the review desk. Every form is refused without its session's token, every page without a session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, TypeVar
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from benchwright.clock import utc_iso
from benchwright.domain.image import media_type, without_metadata
from benchwright.domain.opinion import Opinion
from benchwright.errors import NotFound, Unreadable, UsageError
from benchwright.review import desk as cards
from benchwright.review.cases import Desk, person_of
from benchwright.review.progress import progress
from benchwright.store import blobs, reviews
from benchwright.store.database import Connection, Database
from benchwright.web import views
from benchwright.web.doors import Doors
from benchwright.web.guard import Guard

T = TypeVar("T")
Form = dict[str, str]
Page = Callable[[Request, str], Awaitable[Response]]
Move = Callable[[Request, str, Form], Awaitable[None]]

FORM_MOST = 1 << 20  # bytes
FIELDS_MOST = 40
SESSION = 14 * 24 * 3600  # seconds that a browser stays let in
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Site:
    """The desk of one campaign. `address` is where its links begin, `now` gives seconds since the epoch."""

    name: str
    database: Database
    desk: Desk
    doors: Doors
    address: str
    now: Callable[[], float]

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
            Route("/card", inside(shown.card)),
            Route("/progress", inside(shown.progress)),
            Route("/live", inside(shown.live)),
            Route("/image/{name}", inside(shown.image)),
            Route("/decide", form_handler(shown.decide), methods=["POST"]),
            Route("/skip", form_handler(shown.skip), methods=["POST"]),
            Route("/undo", form_handler(shown.undo), methods=["POST"]),
            Route("/invite", form_handler(shown.invite, "/progress"), methods=["POST"]),
            Route("/leave", form_handler(shown.leave, "/enter"), methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
        session = Middleware(
            SessionMiddleware, secret_key=token_urlsafe(32), session_cookie=cookie, max_age=SESSION, same_site="strict"
        )
        return Guard(Starlette(routes=routes, middleware=[session]), hosts)

    async def read(self, operation: Callable[..., T], *given: Any) -> T:
        """Read from the campaign."""
        return await self.database.read(lambda connection: operation(connection, *given))

    async def write(self, operation: Callable[..., T], **given: Any) -> T:
        """Write to the campaign."""
        return await self.database.write(partial(operation, **given))


def inside(page: Page) -> Callable[[Request], Awaitable[Response]]:
    """A page for whoever was let in."""

    async def answer(request: Request) -> Response:
        who = request.session.get("who", "")
        return await page(request, who) if who else RedirectResponse("/enter", 303)

    return answer


def form_handler(move: Move, then: str = "/card") -> Callable[[Request], Awaitable[Response]]:
    """What a form does, for whoever was let in; where it cannot, the next page says why."""

    async def answer(request: Request) -> Response:
        who, form = request.session.get("who", ""), await read_form(request)
        token = request.session.get("csrf", "")
        if form is None or not who or not token or not compare_digest(form.get("csrf", "").encode(), token.encode()):
            return PlainTextResponse("This form is not valid any more: go back and load the page again.", 403)
        try:
            await move(request, who, form)
        except UsageError as error:
            request.session["message"] = str(error)
        return RedirectResponse(then, 303)

    return answer


async def read_form(request: Request) -> Form | None:
    """The fields of a form; None where it is none of ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > FORM_MOST:
            return None
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MOST)
    except ValueError:
        return None
    return {name: values[-1].replace("\r\n", "\n") for name, values in fields.items()}


@dataclass(frozen=True)
class Shown:
    """Each page and each form."""

    site: Site
    show: Callable[..., HTMLResponse]

    async def enter(self, request: Request) -> Response:
        """The way in."""
        word = request.query_params.get("word", "")
        bound = self.site.doors.whose(word)
        return self.door(request, word if bound is not None else "", bound or "")

    def door(self, request: Request, word: str, bound: str = "", status: int = 200) -> Response:
        """The page that asks for a name, and for the password where a link does not stand for it."""
        asks = bool(word or self.site.doors.password)
        return self.show(request, "enter.html", status if asks else 403, word=word, bound=bound, asks=asks)

    async def enter_desk(self, request: Request) -> Response:
        """Let somebody in."""
        form = await read_form(request) or {}
        word = form.get("word", "")
        bound = self.site.doors.whose(word)
        try:
            who = person_of(bound or form.get("name", ""))
        except UsageError as error:
            request.session["message"] = str(error)
            return self.door(request, word if bound is not None else "", bound or "", 400)
        if not self.site.doors.opens(word):
            request.session["message"] = "That does not let you in: a link works once, and after many wrong words wait."
            return self.door(request, "", status=403)
        request.session.clear()
        request.session.update({"who": who, "csrf": token_urlsafe(32)})
        return RedirectResponse("/card", 303)

    async def frame_values(self, request: Request, who: str) -> dict[str, Any]:
        """What every page shows."""
        found = await self.site.read(progress, self.site.desk)
        return {
            "who": who.partition(":")[2],
            "campaign": self.site.name,
            "csrf": request.session["csrf"],
            "figures": views.figures(found),
            "found": found,
        }

    async def card(self, request: Request, who: str) -> Response:
        """The card that lies before one, or that there is none."""
        site = self.site
        found = await site.write(cards.next_card, desk=site.desk, person=who, now=site.now())
        frame = await self.frame_values(request, who)
        last = await site.read(views.last, site.desk, who)
        if found is None:
            return self.show(request, "rest.html", last=last, **frame)
        return self.show(request, "card.html", last=last, **frame, **views.card(found))

    async def progress(self, request: Request, who: str) -> Response:
        """Who did what, and how far people agree."""
        link = request.session.pop("link", "") if "link" in request.session else ""
        frame = await self.frame_values(request, who)
        return self.show(request, "progress.html", link=link, **frame, **views.table(frame["found"]))

    async def live(self, request: Request, who: str) -> Response:
        """The figures that move while one looks."""
        return JSONResponse(views.figures(await self.site.read(progress, self.site.desk)))

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
        """Take a decision."""
        said = Opinion(who, {name: text for name, text in form.items() if name not in {"csrf", "card"}})
        now = self.site.now()
        name, desk = form.get("card", ""), self.site.desk
        await self.site.write(cards.decide, desk=desk, name=name, said=said, now=now, at=utc_iso(now))

    async def skip(self, request: Request, who: str, form: Form) -> None:
        """Pass a card over."""
        await self.site.write(cards.skip, desk=self.site.desk, person=who, name=form.get("card", ""))

    async def undo(self, request: Request, who: str, form: Form) -> None:
        """Take the last decision back."""
        now = self.site.now()
        await self.site.write(cards.undo, desk=self.site.desk, person=who, now=now, at=utc_iso(now))

    async def invite(self, request: Request, who: str, form: Form) -> None:
        """Make a link for somebody else."""
        name = form.get("name", "").strip()
        bound = person_of(name).partition(":")[2] if name else ""
        request.session["link"] = f"{self.site.address}/enter?word={self.site.doors.link(bound)}"

    async def leave(self, request: Request, who: str, form: Form) -> None:
        """Go, and free the card."""

        def free(connection: Connection) -> None:
            reviews.free(connection, who)

        await self.site.write(free)
        request.session.clear()
