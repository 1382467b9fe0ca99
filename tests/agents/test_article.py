"""The requests of all roles about one article of the examples, as models receive them, and how long they are.

`BENCHWRIGHT_GOLDEN=write pytest tests/agents` writes them anew. Reading the difference is the review of a prompt.
"""

import os
from pathlib import Path

import pytest
from tests.agents.asks import ONE_OF_EACH, RECONSTRUCTION, agent

from benchwright.agents.base import render
from benchwright.corpus.read import read
from benchwright.domain.call import tokens
from benchwright.domain.document import Reading, read_out, whole
from benchwright.pipelines.choice.sections import mask_discussion

GOLDEN = Path(__file__).parent / "article"
NAME = "leptospirosis-ferrin-lowlands.md"
ARTICLE = Path(__file__).parents[2] / "examples" / "studies" / "reports" / NAME
PEOPLE = ("review_option", "review_item", "review_stem")
ROLES = sorted(
    name for name in ONE_OF_EACH if agent(name).Ask.__module__.startswith("benchwright.agents.choice")
    and name not in PEOPLE
)  # fmt: skip


def article(role: str) -> Reading:
    """The article as the role reads it."""
    made = read(ARTICLE, NAME)
    return read_out(made, mask_discussion(made, title=False) if role in RECONSTRUCTION else whole(made))


def request_text(role: str) -> str:
    """The turns of the role's request."""
    messages = render(agent(role), ONE_OF_EACH[role], article(role))
    return "\n\n".join(f"=== {message.role}\n{message.content}" for message in messages) + "\n"


def length_table() -> str:
    """Tokens of each role's request, as they are estimated: of the article, and of all else."""
    rows = ["| role | tokens of the article | of rules, examples and task | in all |", "|---|---|---|---|"]
    for role in ROLES:
        whole_request, text = tokens(request_text(role)), article(role).text
        shown = tokens(text) if text in request_text(role) else 0
        rows.append(f"| `{role}` | {shown} | {whole_request - shown} | {whole_request} |")
    return "\n".join(rows) + "\n"


def hold_to_golden(path: Path, text: str) -> None:
    if os.environ.get("BENCHWRIGHT_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("role", ROLES)
def test_a_request_about_the_article_is_its_golden_file(role: str) -> None:
    hold_to_golden(GOLDEN / f"{role}.txt", request_text(role))


def test_the_table_of_lengths_is_its_golden_file_and_no_role_adds_more_than_two_thousand_tokens() -> None:
    hold_to_golden(GOLDEN / "lengths.md", length_table())
    assert all(int(line.split("|")[3]) < 2000 for line in length_table().splitlines()[2:])
    assert {path.stem for path in GOLDEN.iterdir()} == {*ROLES, "lengths"}


@pytest.mark.parametrize("role", ROLES)
def test_what_is_masked_of_the_article_is_seen_by_no_role_without_a_field_for_it(role: str) -> None:
    if role in RECONSTRUCTION and role.startswith("check_"):
        assert not any(one.text in request_text(role) for one in article(role).masked)
