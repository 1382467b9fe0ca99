"""The set with tasks that other programs run: lm-evaluation-harness and Inspect.

The tasks ask and read in the same words, so both give the same Exact Match to the same replies. A reply that is no
answer is wrong there: these programs know no failed call.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from string import Template

from benchwright.pipelines.choice.formats.jsonl import JsonLines
from benchwright.pipelines.kind import Finished

FOLDER = "tasks"
FILES = ("answers.py", "task.yaml", "inspect_task.py")
ABOUT = """\
- `tasks/` holds tasks that other programs run, in this folder: `lm_eval run --model MODEL --tasks NAME --include_path
  tasks`, where the first line of `tasks/task.yaml` has the NAME; `inspect eval tasks/inspect_task.py --model MODEL`.
  Both report Exact Match."""


class Tasks:
    """See `pipelines.kind.Format`."""

    about = f"{JsonLines.about}\n{ABOUT}"
    subsets = JsonLines.subsets

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The files of the set, and its tasks."""
        package, name = files(__package__).joinpath("task_files"), task_name(found.campaign.name)
        texts = {one: package.joinpath(f"{one}.txt").read_text("utf-8") for one in FILES}
        return {
            **JsonLines().files(found),
            **{f"{FOLDER}/{one}": [Template(text).safe_substitute(name=name)] for one, text in texts.items()},
        }


def task_name(name: str) -> str:
    """A campaign's name as a task's: letters, digits and low lines, which both programs take."""
    return f"benchwright_{re.sub(r'[^a-z0-9]+', '_', name.casefold()).strip('_') or 'set'}"
