"""The glossary is in order, says each word once, and points at code that exists."""

import re
from pathlib import Path

import benchwright

PACKAGE = Path(benchwright.__file__).parent
GLOSSARY = (PACKAGE.parents[1] / "docs" / "glossary.md").read_text("utf-8")
ENTRIES = re.findall(r"^\*\*(.+?)\*\*: (.+)$", GLOSSARY, flags=re.MULTILINE)


def test_words_stand_once_each_and_in_the_order_of_the_alphabet() -> None:
    words = [word.casefold() for word, _ in ENTRIES]
    assert len(words) > 60
    assert words == sorted(set(words))


def test_every_module_and_name_that_it_points_at_exists() -> None:
    lost = []
    for word, text in ENTRIES:
        for place, name in re.findall(r"`([a-z_/]+(?:\.py|/))(?:: ([A-Za-z_.]+))?`", text):
            path = PACKAGE / place
            first = name.partition(".")[0]
            defined = rf"^(?:async )?(?:def|class) {first}\b|^{first} ?[:=]"
            if not path.exists() or (name and not re.search(defined, path.read_text("utf-8"), re.MULTILINE)):
                lost.append(f"{word}: {place}: {name}")
    assert lost == []


def test_every_entry_is_one_or_two_sentences_or_three_and_no_more() -> None:
    assert [word for word, text in ENTRIES if len(re.findall(r"[.:](?= [A-Z]| -|$)", text.split(" - ")[0])) > 3] == []
