"""Checkers that were down are asked again: at the start of the next run, about items that have not ended meanwhile."""

from benchwright.domain.answer import Answer
from benchwright.engine.plans import planner
from benchwright.pipelines.base import Pipeline
from benchwright.pipelines.polling import ASK_AGAIN, UNAVAILABLE
from benchwright.store import items, jobs
from benchwright.store.database import Connection


def ask_again(connection: Connection, pipeline: Pipeline, now: str) -> int:
    """Take back that checkers were unavailable, each failure once; how many are asked again."""
    new, plan = 0, planner(pipeline)
    voting = [role.name for role in pipeline.roles if role.votes]
    for seq, about, who in (one for step in voting for one in items.failed_answers(connection, step, UNAVAILABLE)):
        if items.say(connection, seq, Answer(ASK_AGAIN, f"{about}/{who}", "code", "{}"), now):
            jobs.advance(connection, seq, plan)
            new += 1
    return new
