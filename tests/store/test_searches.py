"""What a search found comes back with its addresses; the first answer stays."""

from functools import partial

from benchwright.domain.snippet import Snippet
from benchwright.store import searches
from benchwright.store.database import Database

FEVER = (Snippet("Ein Fieber der Tropen – „Dengue“.", "https://a.example/1", "Dengue"), Snippet("x", ""))


async def test_snippets_come_back_as_they_were_found() -> None:
    async with await Database.open(None) as database:
        assert await database.read(partial(searches.find, key="k")) is None
        save = partial(searches.save, key="k", search="duckduckgo", query="dengue", now="monday")
        await database.write(partial(save, snippets=FEVER))
        await database.write(partial(save, snippets=()))
        await database.write(partial(searches.save, key="n", search="s", query="q", snippets=(), now="monday"))
        assert await database.read(partial(searches.find, key="k")) == FEVER
        assert await database.read(partial(searches.find, key="n")) == ()
