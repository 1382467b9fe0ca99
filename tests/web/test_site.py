"""The desk over HTTP: who is let in, what each form does, and what never happens."""

from collections.abc import Callable

import pytest
from tests.review.campaign import Desk
from tests.web.visitor import BASE, House, Page

from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.opinion import Policy
from benchwright.review import desk as cards
from benchwright.review.desk import LEASE
from benchwright.store import items, reviews

PAGES = ("/", "/card", "/progress", "/live")
FORMS = ("/decide", "/skip", "/undo", "/draft", "/stay", "/invite", "/leave")


@pytest.fixture
def house(desk: Desk) -> House:
    return House(desk)


async def house_under(desk: Desk, policy: Policy) -> House:
    other = desk.under(policy)
    await other.replan()
    return House(other)


async def words(house: House) -> list[Answer]:
    """All that people said."""
    return [word.answer for word in await house.desk.database.read(lambda c: list(reviews.words(c, "review_option")))]


def alert(page: Page) -> bool:
    return any(found.get("role") == "alert" for _, found in page.tags)


# ---------------------------------------------------------------------------------------------- who is let in


async def test_without_a_word_nothing_is_shown(house: House) -> None:
    secrets = [card.question for card in await house.desk.cards()]
    async with house.visitor() as visitor:
        for path in PAGES:
            page = await visitor.get(path)
            assert (page.status, page.url) == (403, "/enter")
            assert "test <b>" not in page.text
            assert not any(secret in page.source for secret in secrets)
        for path in FORMS:
            assert (await visitor.send(path, {"csrf": "", "card": (await house.desk.cards())[0].key})).status == 403
    assert await words(house) == []


async def test_a_link_lets_one_person_in_once_and_looking_at_it_does_not_use_it_up(house: House) -> None:
    word = await house.doors.link("Ada")
    async with house.visitor() as ada, house.visitor() as other:
        for _ in range(3):
            assert "You decide as Ada" in (await other.get(f"/enter?word={word}")).text
        assert (await ada.enter(word)).url == "/card"
        assert (await other.enter(word, "Eve")).status == 403
        assert (await other.get("/card")).url == "/enter"


async def test_who_comes_by_an_unbound_link_gives_a_name_that_can_sign(house: House) -> None:
    word = await house.doors.link()
    async with house.visitor() as visitor:
        for name in ("", "  ", "a/b", "a#2", "x" * 101):
            page = await visitor.enter(word, name)
            assert (page.status, alert(page)) == (400, True)
        page = await visitor.enter(word, " Zoe\u0308 ")
        assert page.url == "/card"
        await visitor.decide("keep")
    assert [answer.by for answer in await words(house)] == ["human:Zoë"]


async def test_a_password_lets_everybody_in_who_knows_it_and_guessing_is_slow(desk: Desk) -> None:
    house = House(desk, password="correct horse")
    async with house.visitor() as visitor:
        assert "Password" in (await visitor.get("/enter")).text
        for guess in range(10):
            assert (await visitor.send("/enter", {"word": f"guess {guess}", "name": "Eve"})).status == 403
        assert (await visitor.send("/enter", {"word": "correct horse", "name": "Ada"})).status == 403
        async with house.visitor("Bob") as bob:
            assert bob.card  # a link cannot be guessed
            page = await visitor.send("/enter", {"word": "correct horse", "name": "Ada"})
            assert "try again in 60 seconds" in page.text
            elsewhere = {"X-Forwarded-For": "192.0.2.1, 192.0.2.7"}  # a proxy on this machine tells others apart
            page = await visitor.send("/enter", {"word": "correct horse", "name": "Cyd"}, **elsewhere)
            assert page.url == "/card"
            await visitor.do("/leave")
        house.now += 61
        assert (await visitor.send("/enter", {"word": "correct horse", "name": "Ada"})).url == "/card"


async def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(house: House) -> None:
    async with house.visitor() as visitor:
        word = await house.doors.link("Ada")
        answer = await visitor.client.post(
            "/enter", data={"word": word}, headers={"Origin": BASE}, follow_redirects=False
        )
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie


async def test_a_forged_cookie_is_none(house: House) -> None:
    async with house.visitor() as visitor:
        visitor.client.cookies.set("desk", "eyJ3aG8iOiAiaHVtYW46QWRhIn0=.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
        assert (await visitor.get("/card")).url == "/enter"


async def test_whoever_leaves_frees_the_card_and_is_out(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        card = ada.card
        assert (await ada.do("/leave")).url == "/enter"
        assert (await ada.get("/card")).url == "/enter"
        while bob.card != card:
            await bob.decide("keep")


async def test_whoever_is_in_can_invite_others(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor() as bob:
        await ada.get("/progress")
        page = await ada.do("/invite", name="Bob")
        link = page.text.partition("This link works once: ")[2].split()[0]
        assert link.startswith(f"{BASE}/enter?word=")
        assert "works once" not in (await ada.get("/progress")).text
        assert (await bob.enter(link.partition("word=")[2])).url == "/card"
        assert bob.card
        assert alert(await ada.do("/invite", name="a/b"))


# -------------------------------------------------------------------------------------------- names, the way back


async def test_whoever_gives_a_name_in_use_is_asked_whether_it_is_theirs(desk: Desk) -> None:
    house = House(desk, password="correct horse")
    async with house.visitor("Ada") as ada, house.visitor() as other:
        await ada.decide("keep")
        given = {"word": "correct horse", "name": " ADA "}
        page = await other.send("/enter", given)
        assert (page.status, "Are you the same person?" in page.text) == (409, True)
        assert (await other.get("/card")).url == "/enter"
        assert (await other.send("/enter", given | {"sure": "ADA"})).url == "/card"
        await other.decide("keep")
    people = [one.split("#")[0].casefold() for one in (answer.by for answer in await words(house))]
    assert people == ["human:ada", "human:ada"]
    async with house.visitor("Bob") as bob:
        assert "agreement" not in (await bob.client.get("/live")).json()["texts"]["agreement"]


@pytest.mark.parametrize("word", ["password", "link", "invited"])
async def test_nobody_enters_as_the_adjudicator_but_by_the_link_made_for_that_name(desk: Desk, word: str) -> None:
    other = desk.under(Policy(2, adjudicator="Judy"))
    house = House(other, password="password")
    async with house.visitor() as visitor, house.visitor("Ada") as ada, house.visitor("Judy") as judy:
        assert (await judy.get("/progress")).url == "/progress"
        if word == "invited":
            await ada.get("/progress")
            assert "settles conflicts here" in (await ada.do("/invite", name="judy")).text
            return
        given = word if word == "password" else await house.doors.link()
        page = await visitor.send("/enter", {"word": given, "name": "JUDY", "sure": "JUDY"})
        assert (page.status, "settles conflicts here" in page.text) == (400, True)


async def test_only_listed_reviewers_decide_where_the_campaign_lists_them(desk: Desk) -> None:
    house = House(desk.under(Policy(reviewers=("Ada", "Bob"))))
    async with house.visitor() as visitor:
        word = await house.doors.link()
        page = await visitor.send("/enter", {"word": word, "name": "Eve"})
        assert (page.status, "not among the reviewers of this campaign" in page.text) == (400, True)
        assert (await visitor.send("/enter", {"word": word, "name": "ada"})).url == "/card"


async def test_who_has_left_stays_out_whatever_the_browser_has_kept_and_is_told_the_way_back(house: House) -> None:
    word = await house.doors.link("Ada")
    async with house.visitor() as ada:
        await ada.enter(word)
        kept = ada.client.cookies["desk"]
        page = await ada.do("/leave")
        assert "You have left the desk" in page.text
        assert "review link CAMPAIGN --reviewer NAME" in page.text
        ada.client.cookies.clear()
        ada.client.cookies.set("desk", kept, domain="127.0.0.1")
        assert (await ada.get("/card")).url == "/enter"
        page = await ada.get(f"/enter?word={word}")
        assert "This link has let Ada in already" in page.text
        assert "the page “Progress” makes links" in page.text
        assert "none of this desk's" in (await ada.get("/enter?word=cut-off")).text


async def test_a_session_and_a_link_outlast_the_process(house: House) -> None:
    word = await house.doors.link("Bob")
    async with house.visitor("Ada") as ada:
        kept = ada.client.cookies["desk"]
        again = House(house.desk, secret=house.site.secret)
        async with again.visitor() as later:
            later.client.cookies.set("desk", kept)
            assert (await later.get("/enter")).url == "/card"
        async with again.visitor() as bob:
            assert (await bob.enter(word)).url == "/card"
        again.now += 15 * 24 * 3600
        async with again.visitor() as late:
            late.client.cookies.set("desk", kept)
            assert (await late.get("/card")).url == "/enter"


async def test_a_text_says_its_language_where_that_is_known(house: House) -> None:
    in_language = house.site.pages.get_template("parts.html").module.in_language  # type: ignore[attr-defined]
    assert (in_language("de"), in_language(""), in_language('"><b>')) == (
        ' lang="de"',
        "",
        ' lang="&#34;&gt;&lt;b&gt;"',
    )


async def test_a_form_of_an_old_page_says_how_to_go_on(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor() as stranger:
        page = await ada.send("/decide", {"csrf": "old", "card": ada.card, "decision": "keep"})
        assert (page.status, 'href="/card"' in page.source) == (403, True)
        page = await stranger.send("/decide", {"csrf": "old"})
        assert (page.status, 'href="/enter"' in page.source) == (403, True)


# -------------------------------------------------------------------------------------------------- drafts, leases


async def test_what_was_typed_stays_over_skip_reload_other_pages_the_lease_and_a_restart(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        card = ada.card
        await ada.do("/draft", reason="half a sent")
        assert (await ada.client.get("/progress")).status_code == 200
        page = await ada.get("/card")
        assert page.fields["reason"] == "half a sent"
        await ada.do("/skip", reason="half a sentence")
        house.now += LEASE + 1
        while ada.card != card:
            await ada.do("/skip")
        assert ada.page
        assert ada.page.fields["reason"] == "half a sentence"
        assert bob.page
        assert bob.page.fields["reason"] == ""
        await ada.decide("keep", reason="a sentence")
        await ada.do("/undo")
        assert ada.page.fields["reason"] == "a sentence"
        await ada.do("/draft", reason="")
        await ada.do("/draft", card="zz/yy", reason="for no card")
    assert next(answer.value["reason"] for answer in await words(house)) == "a sentence"


async def test_a_decision_that_comes_too_late_leaves_what_was_typed(house: House) -> None:
    async with house.visitor("Ada") as ada:
        card = ada.card
        page = await ada.decide("edit", text=" ", reason="because of this")
        assert alert(page)
        assert (ada.card, page.fields["reason"]) == (card, "because of this")


async def test_an_open_page_keeps_its_card(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        card = ada.card
        for _ in range(4):
            house.now += LEASE / 2
            await ada.do("/stay", card="")
            assert ada.page
            await ada.get("/card")
        assert ada.card == card
        house.now += LEASE / 2
        await ada.do("/stay")
        house.now += LEASE * 0.7
        seen = set()
        while bob.card and bob.card not in seen:
            seen.add(bob.card)
            await bob.decide("keep")
        assert card not in seen
        house.now += LEASE * 2
        await house.desk.database.write(lambda c: cards.stay(c, "human:ada", house.now))
        assert (await bob.get("/card")).fields["card"] == card


async def test_a_reviewer_who_has_done_everything_reads_so(desk: Desk) -> None:
    house = await house_under(desk, Policy(2))
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        total = len(await house.desk.cards())
        while ada.card:
            await ada.decide("keep")
        assert ada.page
        assert f"You: {total} of {total}" in ada.page.text
        assert f"all: 0 of {total} decided" in ada.page.text
        assert f"You: 0 of {total}" in (await bob.get("/card")).text


async def test_agreement_counts_what_was_said_first_and_marks_what_was_changed(desk: Desk) -> None:
    house = await house_under(desk, Policy(2))
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        card = ada.card
        await ada.decide("keep")
        while bob.card != card:
            await bob.do("/skip")
        await bob.decide("reject")
        await bob.do("/undo")
        await bob.decide("keep")
        texts = (await bob.client.get("/live")).json()["texts"]
    assert texts["agreement"] == "agreement on 0 of 1"
    assert "Opinions changed afterwards: 1." in texts["summary"]


# --------------------------------------------------------------------------------------- what never happens


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "https://127.0.0.1:8765.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": ""},
        {"Origin": "http://[127.0.0.1"},
    ],
)
@pytest.mark.parametrize("path", [*FORMS, "/enter"])
async def test_a_page_from_another_origin_decides_nothing(path: str, headers: dict[str, str], house: House) -> None:
    async with house.visitor("Ada") as ada:
        assert ada.page
        fields = {"csrf": ada.page.fields["csrf"], "card": ada.card, "decision": "keep"}
        before = await house.desk.content()
        assert (await ada.send(path, fields, **headers)).status == 403
        assert await house.desk.content() == before
        assert (await ada.get("/card")).url == "/card"


@pytest.mark.parametrize("token", ["", "x", "é", "a" * 43])
@pytest.mark.parametrize("path", FORMS)
async def test_a_form_without_its_sessions_token_does_nothing(path: str, token: str, house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        assert bob.page
        before = await house.desk.content()
        for wrong in (token, bob.page.fields["csrf"]):
            page = await ada.send(path, {"csrf": wrong, "card": ada.card, "decision": "keep"})
            assert page.status == 403
        assert await house.desk.content() == before


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8765", True),
        ("localhost:8765", True),
        ("LOCALHOST", True),
        ("[::1]:8765", True),
        ("192.168.1.7:8765", True),
        ("evil.example", False),
        ("evil.example:8765", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("a:b:c", False),
        ("[::1", False),
    ],
)
async def test_a_name_that_is_not_ours_gets_no_answer(host: str, house: House, *, known: bool) -> None:
    async with house.visitor("Ada") as ada:
        page = await ada.get("/card", Host=host)
        assert (page.status == 200) is known
        assert known or ada.card == ""


async def test_forms_that_are_too_large_or_no_text_are_refused(house: House) -> None:
    async with house.visitor("Ada") as ada:
        assert ada.page
        token = ada.page.fields["csrf"]
        many = "&".join(f"f{n}=1" for n in range(50))
        for body in (b"reason=" + b"x" * 1_100_000, b"\xff\xfe", f"csrf={token}&{many}".encode()):
            headers = {"Origin": BASE, "Content-Type": "application/x-www-form-urlencoded"}
            answer = await ada.client.post("/decide", content=body, headers=headers)
            assert answer.status_code == 403
    assert await words(house) == []


async def test_every_answer_forbids_strange_scripts_frames_and_keeping(house: House) -> None:
    async with house.visitor("Ada") as ada:
        for path in ("/card", "/progress", "/live", "/enter", "/static/desk.js", "/static/none", "/none"):
            headers = (await ada.client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self';" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"
        refused = await ada.client.get("/card", headers={"Host": "evil.example"})
        assert "content-security-policy" in refused.headers


async def test_texts_are_texts_and_never_markup(house: House) -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> {{ 7 * 7 }}"
    async with house.visitor("<b>Ada") as ada, house.visitor("Bob") as bob:
        first = ada.card
        await ada.decide("edit", text=hostile, reason=hostile)
        page = await ada.get("/card")
        await ada.get("/progress")
        await ada.do("/undo")
        again = await ada.get("/card")
        await bob.get("/card")
        for shown in (page, again, await ada.get("/progress")):
            assert not any(tag in {"img", "b"} for tag, _ in shown.tags)
            scripts = [found for tag, found in shown.tags if tag == "script"]
            assert scripts == [{"src": "/static/desk.js", "defer": None}]
            assert not any(name.startswith("on") or name == "style" for _, found in shown.tags for name in found)
            assert "49" not in shown.text.partition("{{")[2][:20]
        assert again.fields["card"] == first
        assert hostile in again.text
        assert again.fields["reason"] == hostile


# ------------------------------------------------------------------------------------------------- the forms


async def test_a_card_shows_what_a_decision_needs_and_hides_the_votes_until_it_is_made(house: House) -> None:
    (card, *_) = await house.desk.under(Policy(blind=False)).cards()
    reasons = {vote.split(": ")[0] for vote in card.votes}
    async with house.visitor("Ada") as ada:
        assert ada.page
        shown = ada.page
        assert (ada.card, shown.status) == (card.key, 200)
        for part in (card.question, card.option, "It claims to be a", card.claim, *card.others):
            assert part in shown.text
        marked = [found["id"] for tag, found in shown.tags if tag == "mark"]
        assert marked == [f"s{card.evidence[1]}"]
        assert not any(reason.split()[0] in shown.text for reason in reasons)
        after = await ada.decide("reject", reason="not stated")
        assert f"You said reject of “{card.option}”" in after.text
        assert all(reason.split()[0] in after.text for reason in reasons)


async def test_where_it_is_not_blind_votes_and_opinions_are_seen_at_once(desk: Desk) -> None:
    house = await house_under(desk, Policy(2, blind=False))
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        assert ada.page
        assert "red#1" in ada.page.text
        card = ada.card
        await ada.decide("reject", reason="quite elsewhere")
        while bob.card != card:
            await bob.do("/skip")
        await bob.get("/card")
        assert bob.page
        assert "quite elsewhere" in bob.page.text


@pytest.mark.parametrize(
    ("decision", "fields", "recorded"),
    [
        ("keep", {"text": "never mind", "reason": " why "}, {"decision": "keep", "reason": "why", "text": ""}),
        ("reject", {}, {"decision": "reject", "reason": "", "text": ""}),
        ("cannot_say", {}, {"decision": "cannot_say", "reason": "", "text": ""}),
        ("edit", {"text": " Other words "}, {"decision": "edit", "reason": "", "text": "Other words"}),
    ],
)
async def test_a_decision_is_recorded_as_it_was_made_with_the_time_it_took(
    decision: str, fields: dict[str, str], recorded: dict[str, str], house: House
) -> None:
    async with house.visitor("Ada") as ada:
        card = ada.card
        house.now += 42
        page = await ada.decide(decision, **fields)
        assert (page.status, ada.card != card, alert(page)) == (200, True, False)
    (answer,) = await words(house)
    assert (answer.by, answer.value) == ("human:Ada", recorded)
    assert list((await house.desk.database.read(reviews.times)).values()) == [42]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"decision": "edit", "text": " "}, "'edit' needs 'wording'"),
        ({"decision": "edit", "text": "Option A"}, "says nothing that could be an answer"),
        ({"decision": "withdraw"}, "is none of keep, reject, edit, cannot_say"),
        ({"decision": "keep", "card": "zz/yy"}, "this campaign has no card"),
        ({"decision": "keep", "card": ""}, "this campaign has no card"),
    ],
)
async def test_what_is_no_decision_is_told_and_changes_nothing(fields: dict[str, str], told: str, house: House) -> None:
    async with house.visitor("Ada") as ada:
        card = ada.card
        page = await ada.do("/decide", **fields)
        assert told in page.text
        assert ada.card == card
        assert not alert(await ada.get("/card"))
    assert await words(house) == []


async def test_a_decision_sent_twice_is_made_once(house: House) -> None:
    async with house.visitor("Ada") as ada:
        card = ada.card
        await ada.decide("keep")
        page = await ada.do("/decide", card=card, decision="keep")
        assert not alert(page)
    assert len(await words(house)) == 1


async def test_two_people_never_have_the_same_card_and_whoever_vanishes_frees_theirs(house: House) -> None:
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        left = ada.card
        assert bob.card != left
        await bob.decide("keep")
        assert bob.card != left
        house.now += LEASE
        seen = set()
        while bob.card:
            seen.add(bob.card)
            await bob.decide("keep")
        assert left in seen
        page = await ada.do("/decide", decision="reject")
        assert "decided meanwhile" in page.text
        assert "Nothing is left for you" in page.text


async def test_undo_brings_the_card_back_with_what_was_said(house: House) -> None:
    async with house.visitor("Ada") as ada:
        assert "nothing that you could take back" in (await ada.do("/undo")).text
        card = ada.card
        await ada.decide("edit", text="Other words", reason="clumsy")
        await ada.do("/undo")
        assert ada.page
        assert (ada.card, ada.page.fields["reason"]) == (card, "clumsy")
        assert "Other words" in ada.page.text
        await ada.decide("keep")
    assert [answer.by for answer in await words(house)] == ["human:Ada", "human:Ada#2", "human:Ada#3"]


async def test_skipping_brings_another_card(house: House) -> None:
    async with house.visitor("Ada") as ada:
        card = ada.card
        await ada.do("/skip")
        assert ada.card not in {"", card}
    assert await words(house) == []


async def test_differing_wordings_are_put_to_whoever_decides_next(desk: Desk) -> None:
    house = await house_under(desk, Policy(2))
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob, house.visitor("Cyd") as cyd:
        card = ada.card
        await ada.decide("edit", text="Quite another wording")
        while bob.card != card:
            await bob.do("/skip")
        assert bob.page
        assert "Quite another wording" not in bob.page.text
        await bob.decide("keep")
        while cyd.card != card:
            await cyd.do("/skip")
        assert cyd.page
        assert "opinions differ" in cyd.page.text
        assert "Proposed: “Quite another wording”" in cyd.page.text
        assert "Ada" not in cyd.page.text


async def test_progress_and_agreement_follow_what_is_done(desk: Desk) -> None:
    house = await house_under(desk, Policy(2))
    total = len(await house.desk.cards())
    async with house.visitor("Ada") as ada, house.visitor("Bob") as bob:
        assert (await ada.client.get("/live")).json()["texts"]["agreement"] == ""
        card = ada.card
        await ada.decide("keep")
        while bob.card != card:
            await bob.do("/skip")
        await bob.decide("reject")
        live = (await ada.client.get("/live")).json()
        assert live["texts"]["agreement"] == "agreement on 0 of 1"
        assert (live["decided"], live["total"]) == (0, total)
        page = await ada.get("/progress")
        assert "alpha " in page.text
        assert "Bob" in page.text


async def test_when_all_is_decided_there_is_nothing_left_and_undo_still_works(house: House) -> None:
    async with house.visitor("Ada") as ada:
        while ada.card:
            await ada.decide("keep")
        assert ada.page
        assert "Everything that waited has been decided." in ada.page.text
        await ada.do("/undo")
        assert ada.card


async def test_an_item_that_fell_meanwhile_takes_its_card_along(house: House) -> None:
    def fall(item: str) -> Callable[..., bool]:
        found = Answer("near_duplicate", "", "code", canonical({"of": "ab" * 16}))
        return lambda c: items.say(c, items.find(c, item).seq, found, "now")

    async with house.visitor("Ada") as ada:
        card = ada.card
        await house.desk.database.write(fall(card.partition("/")[0]))
        page = await ada.decide("keep")
        assert "nothing was recorded" in page.text
        assert ada.card.partition("/")[0] != card.partition("/")[0]
