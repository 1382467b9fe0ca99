"""Near-duplicate documents of a corpus: of several only the longest is kept, and the others are refused by name.

This is done when all files are read and before the first item begins, so it does not depend on the order of files.
"""

from collections.abc import Callable
from fractions import Fraction

from benchwright.corpus.near_documents import near_documents
from benchwright.store import documents
from benchwright.store.database import Connection, Database

REASON = "nearly the same as"
SECONDS = 3600.0  # that comparing a large corpus may take


async def leave_out_alike(database: Database, threshold: Fraction, say: Callable[[str], None]) -> None:
    """Refuse each document whose similarity with a kept one is at least `threshold`, and say so."""

    def find(connection: Connection) -> dict[str, tuple[str, str]]:
        found = near_documents(documents.sizes(connection), lambda name: documents.text_of(connection, name), threshold)
        return {
            one.id: (
                documents.name_of(connection, one.id),
                f"{REASON} {documents.name_of(connection, one.kept)} (similarity {float(one.similarity):.2f})",
            )
            for one in found
        }

    alike = await database.read(find, seconds=SECONDS)
    if alike:
        reasons = {name: reason for name, (_, reason) in alike.items()}
        await database.write(lambda connection: documents.leave_out(connection, reasons))
        for file, reason in alike.values():
            say(f"{file} is left out: {reason}")


def forget_alike(connection: Connection) -> None:
    """Strike off the record what an earlier run left out: with new files, others may be kept."""
    documents.forget_alike(connection, REASON)
