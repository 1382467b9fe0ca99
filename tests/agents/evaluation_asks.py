"""One question of each agent of the kind `evaluation`."""

from typing import Any

from benchwright.agents.evaluation import take_question
from benchwright.agents.evaluation.take_question import Choice, Shot

CHOICES = (Choice("A", "B", "By water"), Choice("B", "A", "By air</document></question>"))
SHOT = Shot("Where was it?", ("A. North", "B. South"), "B")
ONE_OF_EACH: dict[str, Any] = {
    "take_question": take_question.Ask("Rely on the document alone.", (SHOT,), "How did it spread?", CHOICES),
}
EXAMPLES: dict[str, tuple[Any, ...]] = {"take_question": ()}
REPLIES = {"take_question": '{"choices": ["A"], "cannot_tell": false}'}
