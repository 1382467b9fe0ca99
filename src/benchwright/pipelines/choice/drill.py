"""What the drill's models say to each role: sound answers that string words together, from the request alone.

Any agent accepts what is said to it here, so what goes wrong in a drill is never the fault of its models.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.agents.choice.leaks import ROOT, Rewrite, fault_of_choice, faults, mentions, root, words
from benchwright.domain.filler import WORDS, digest, phrase
from benchwright.domain.ids import seeded_random
from benchwright.domain.text import plain
from benchwright.pipelines.template import Play

Json = dict[str, Any]
SETTINGS = """\
[recall]
topics = "balanced"
distractors = 3
min_options = 2
refills = 1
no_correct = "keep"                    # what the models say is worth nothing, so most correct options fall
"""
USUAL = ("correct", "wrong", "wrong", "wrong", "flawed")  # what all say of a text
OWN = ("correct", "wrong", "flawed", "cannot_say")  # what one alone may say of it
TRIES = 12  # texts that a writer thinks of before it takes one that will not do


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: the role it puts a question to, the task, the schema of what is wanted, a digest of all of it."""

    role: str
    task: str
    schema: Json
    key: str

    @classmethod
    def of(cls, body: Json) -> "Asked":
        """The question in a request's body, behind which a bad reply may have been shown back."""
        form = body["response_format"]["json_schema"]
        turns = [turn["content"] for turn in body["messages"] if turn["role"] == "user"]
        task = next(turn for turn in reversed(turns) if not turn.startswith("Your reply cannot be used"))
        return cls(form["name"], task, form["schema"], digest(body))

    @property
    def properties(self) -> Json:
        """The properties of the answer."""
        properties: Json = self.schema["properties"]
        return properties

    def part(self, name: str) -> Json:
        """The properties of a part of the answer."""
        properties: Json = self.schema["$defs"][name]["properties"]
        return properties

    def line(self, head: str) -> str:
        """What the task says behind a word and a colon, on one line."""
        return str(re.findall(rf"^{head}: (.*)$", self.task, flags=re.MULTILINE)[-1])

    def lines(self, head: str, end: str = "") -> list[str]:
        """The lines of the task under a heading, down to the next one; none where it says so."""
        told = self.task.rpartition(f"\n{head}:\n")[2]
        found = (told.partition(f"\n{end}")[0] if end else told).split("\n")
        return [] if found == ["none"] else found


def reply(body: Json) -> str:
    """What any model says to any role: the content of its reply to a request's body."""
    asked = Asked.of(body)
    return json.dumps(MADE[asked.role](asked))


def common(text: str) -> str:
    """What all say of a text."""
    return seeded_random(text).choice(USUAL)


def opinion(asked: Asked, text: str, usual: Sequence[str] = USUAL, own: Sequence[str] = OWN) -> str:
    """A checker mostly says of a text what all say of it."""
    held, alone = seeded_random(text).choice(usual), seeded_random(asked.key, text)
    return held if alone.randrange(5) else alone.choice(own)


def claim_text(asked: Asked, number: int, verdict: str) -> str:
    """A text of which all hold what its writer claims, unless none such came to mind."""
    texts = [phrase(asked.key, number, turn) for turn in range(TRIES)]
    return next((text for text in texts if common(text) == verdict), texts[0])


def choice(asked: Asked) -> Json:
    """Any entries of the list, and any of them as the best."""
    most = asked.properties["best"]["maximum"]
    return {
        "rationale": "because",
        "suitable": [*range(1, most + 1)],
        "best": seeded_random(asked.key).randint(1, most),
    }


def question(asked: Asked) -> Json:
    """A question like no other, about the first sentences."""
    most = asked.properties["evidence"]["items"]["maximum"]
    return {"rationale": "because", "evidence": [1, min(2, most)], "question": f"Which {phrase(asked.key)} was it?"}


def inference(asked: Asked) -> Json:
    """A question that joins the first sentence and the last, and may use a statement if there is any."""
    given = asked.properties["knowledge"]["maxItems"]
    return {
        "evidence": cite_pieces(asked),
        "chain": "one leads to the other",
        "rationale": "because",
        "knowledge": [1] if given and seeded_random(asked.key, "knowledge").randrange(2) else [],
        "question": f"Which {phrase(asked.key)} was it?",
    }


def conceal_conclusions(asked: Asked) -> Json:
    """A question without the words of the conclusions that it asks for."""
    told = {root(word) for word in words(" ".join(asked.lines("Conclusions", "Look at first:")))}
    among = [word for word in WORDS if root(word) not in told]
    asks = f"Which {phrase(asked.key, among=among or ('outbreak',))} was it?"
    return {"rationale": "because", "evidence": cite_pieces(asked), "question": asks}


def conclusions(asked: Asked) -> Json:
    """As many conclusions as may be."""
    part, most = asked.part("Conclusion"), asked.properties["conclusions"]["maxItems"]
    return {"conclusions": [claim(part, number, claim_text(asked, number, "correct")) for number in range(most)]}


def correct(asked: Asked) -> Json:
    """One right option."""
    return {"options": [claim(asked.part("Option"), 0, phrase(asked.key, 0))]}


def infer_options(asked: Asked) -> Json:
    """As many right options as may be."""
    part, most = asked.part("Option"), asked.properties["options"]["maxItems"]
    return {"options": [claim(part, number, claim_text(asked, number, "correct")) for number in range(most)]}


def distractors(asked: Asked) -> Json:
    """As many true facts as may be, each with what it confuses."""
    part, most = asked.part("Option"), asked.properties["options"]["maxItems"]
    return {"options": [claim(part, number, phrase(asked.key, number)) for number in range(most)]}


def errors(asked: Asked) -> Json:
    """As many wrong conclusions as may be, each of another family."""
    part, most = asked.part("Option"), asked.properties["options"]["maxItems"]
    return {"options": [claim(part, number, claim_text(asked, number, "wrong")) for number in range(most)]}


def misleading_options(asked: Asked) -> Json:
    """The same, of the kinds that are asked for: the schema may allow others too."""
    options, kinds = errors(asked)["options"], asked.lines("Kinds wanted", "Number of options wanted:")
    for number, option in enumerate(options):
        option["kind"] = kinds[number % len(kinds)] if kinds else option["kind"]
    return {"options": options}


def claim(part: Json, number: int, text: str) -> Json:
    """The so-manieth option or conclusion of a reply, with all that its part of the schema wants."""
    return {key: text if key == "text" else beside(form, number) for key, form in part.items()}


def beside(form: Json, number: int) -> object:
    """What stands beside a text: one of some kinds, sentences, or a reason."""
    if "enum" in form:
        return form["enum"][number % len(form["enum"])]
    return cite_sentences(form, number) if form["type"] == "array" else "so"


def cite_sentences(form: Json, number: int = 0) -> list[int]:
    """A sentence; where several are wanted the first and the last, as far apart as may be."""
    least, most = form["items"]["minimum"], form["items"]["maximum"]
    return [least, most] if form.get("minItems", 1) > 1 else [least + number % (most - least + 1)]


def cite_pieces(asked: Asked) -> list[int]:
    """The first sentence and the last: as far apart as may be."""
    numbers = asked.properties["evidence"]["items"]
    return list(dict.fromkeys((numbers["minimum"], numbers["maximum"])))


def options_by_letter(asked: Asked) -> dict[str, str]:
    """The options of the task by their letters."""
    return dict(re.findall(r"^([A-Z]+)\. (.+)$", asked.task, flags=re.MULTILINE))


def verdicts(asked: Asked) -> Json:
    """A verdict under each letter."""
    told = options_by_letter(asked)
    names = asked.properties["verdicts"]["properties"]
    cited = {"sentences": cite_sentences(asked.properties["sentences"])}
    said = {name: {**cited, "reason": "seen", "verdict": opinion(asked, told[name])} for name in names}
    return {"answer": phrase(asked.key), **cited, "verdicts": said}


def judgements(asked: Asked) -> Json:
    """What all take for right, under each letter; of about half of all questions nobody knows much."""
    told, hard = options_by_letter(asked), seeded_random(asked.line("Question"), "hard").randrange(2)

    def right(text: str) -> bool:
        wrong = hard and seeded_random(asked.key, text).randrange(2)
        return (common(text) == "correct") != bool(wrong)

    names = asked.properties["answers"]["properties"]
    own = {"answer": phrase(asked.key), "sentences": cite_sentences(asked.properties["sentences"])}
    return {**own, "answers": {name: {"reason": "seen", "right": right(told[name])} for name in names}}


def comparison(asked: Asked) -> Json:
    """Mostly that it is the same: the first of the verdicts there are."""
    views = asked.properties["verdict"]["enum"]
    return {"reason": "seen", "verdict": opinion(asked, asked.task, [views[0]] * 8 + views, views)}


def soundness(asked: Asked) -> Json:
    """That a question is sound, which one alone may deny."""
    most = asked.properties["sentences"]["items"]["maximum"]
    views = asked.properties["verdict"]["enum"]
    verdict = opinion(asked, asked.line("Question"), views[:1], views[:3])
    return {"answer": phrase(asked.key), "sentences": [most], "reason": "seen", "verdict": verdict}


def carrying(asked: Asked) -> Json:
    """That the sentences carry the option; one alone mostly does not, where there were several."""
    shown = asked.properties["needed"]["items"]["enum"]
    joined, alone = asked.line("It is answered").startswith("by a fact"), len(shown) == 1
    usual = ["falls_short"] * 4 if alone and not joined else ["carries"] * 4
    verdict = opinion(asked, asked.line("Option"), usual, [*usual, "falls_short"])
    return {"answer": phrase(asked.key), "needed": shown[:1], "reason": "seen", "verdict": verdict}


def pick_word(asked: Asked) -> Json:
    """A long word of the question that was not chosen before; nothing where there is none."""
    stem, earlier = asked.line("Question"), asked.lines("Chosen earlier")
    can = [word for word in plain(stem).split() if len(word) >= ROOT and fault_of_choice(word, stem, earlier) is None]
    entity = seeded_random(asked.key).choice(can or [""])
    return {"rationale": "because", "kind": "disease" if entity else "none", "entity": entity}


def describe_word(asked: Asked) -> Json:
    """The question with other words in the place of the entity, none of which gives it away."""
    stem, entity = asked.line("Question"), asked.line("To be described")
    names = tuple(asked.lines("Forbidden names", "<search_results>"))
    among = [word for word in WORDS if not faults(Rewrite(stem, word, entity, word, names))]
    text = phrase(asked.key, among=among)
    return {"rationale": "because", "sources": [1], "phrase": text, "question": put(stem, (entity, *names), text)}


def put(stem: str, names: Sequence[str], text: str) -> str:
    """The stem with a text in the place of every word that is one of the names."""
    there = (text if any(mentions(word, name) for name in names) else word for word in stem[:-1].split())
    return f"{' '.join(there)}{stem[-1]}"


def statements(asked: Asked) -> Json:
    """Every fact of the task as it is given."""
    told = (line.partition(". ") for line in asked.lines("Facts"))
    return {"statements": [{"facts": [int(number)], "statement": fact} for number, _, fact in told]}


MADE: dict[str, Callable[[Asked], Json]] = {
    "choose_class": choice,
    "choose_topic": choice,
    "summarise_knowledge": statements,
    "write_question": question,
    "check_stem": soundness,
    "check_evidence": carrying,
    "write_inference": inference,
    "extract_conclusion": conclusions,
    "compare_conclusion": comparison,
    "ask_for_conclusion": conceal_conclusions,
    "write_correct_options": correct,
    "infer_correct_options": infer_options,
    "design_distractors": distractors,
    "infer_distractors": errors,
    "mislead": misleading_options,
    "replace_distractors": errors,
    "check_option": verdicts,
    "check_inference": verdicts,
    "check_reconstruction": verdicts,
    "judge_item": judgements,
    "pick_entity": pick_word,
    "describe_entity": describe_word,
    "compare_stems": comparison,
}
PLAY = Play("recall", SETTINGS, "check_option", reply)
