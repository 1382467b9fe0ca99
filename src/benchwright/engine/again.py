"""Checkers that were down are asked again: at the start of the next run, about items that have not ended meanwhile."""

from benchwright.agents import check_option
from benchwright.domain.answer import Answer
from benchwright.pipelines.polling import UNAVAILABLE
from benchwright.pipelines.recall_state import ASK_AGAIN
from benchwright.store import items, jobs
from benchwright.store.database import Connection


def ask_again(connection: Connection, plan: jobs.Planner, now: str) -> int:
    """Take back that checkers were unavailable, each failure once; how many are asked again."""
    new = 0
    for seq, about, who in items.failed(connection, check_option.agent.name, UNAVAILABLE):
        if items.say(connection, seq, Answer(ASK_AGAIN, f"{about}/{who}", "code", "{}"), now):
            jobs.advance(connection, seq, plan)
            new += 1
    return new
