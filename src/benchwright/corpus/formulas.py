"""Formulas of JATS, in MathML or as running text, on one line where that keeps what they mean."""
# ruff: noqa: SIM905 - word lists read best as words

from typing import TYPE_CHECKING

from benchwright.corpus.raised import DOWN, END, GAP, UP

if TYPE_CHECKING:
    from lxml.etree import _Element

_FLAT = frozenset(
    "inline-formula disp-formula disp-formula-group alternatives math semantics mrow mi mn mo mtext mspace mstyle msup "
    "msub italic bold sub sup".split(),
)
_PICTURES = frozenset("graphic inline-graphic tex-math label annotation".split())
_LEAVES = frozenset("mi mn mtext".split())


def level_formula(element: "_Element") -> str | None:
    """The characters of a formula with marks around what is raised or lowered; None where it has a second line."""
    name, parts = tag_name(element), []
    if name not in _FLAT or (name == "msup" and not (len(element) and _is_leaf(element[0]))):
        return None
    for number, child in enumerate(e for e in element if tag_name(e) not in _PICTURES):
        if (text := level_formula(child)) is None:
            return None
        script = name in {"msup", "msub"} and number == 1
        between = GAP if number and not script and tag_name(child) == "mn" else ""
        parts += [between, (UP if name == "msup" else DOWN) + text + END if script else text, child.tail or ""]
    inner = (element.text or "") + "".join(parts)
    if name in {"sup", "sub"}:
        return (UP if name == "sup" else DOWN) + inner + END
    return " " if name == "mspace" else inner


def _is_leaf(element: "_Element") -> bool:
    """Whether it is one number or letter, perhaps within a row."""
    name = tag_name(element)
    return name in _LEAVES or (name == "mrow" and len(element) == 1 and _is_leaf(element[0]))


def tag_name(element: "_Element") -> str:
    """The tag without its namespace; empty for an entity."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
