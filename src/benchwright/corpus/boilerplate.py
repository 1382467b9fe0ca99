"""What of a web page is not its text: menus, heads and feet, forms, hidden parts, lists of links."""
# ruff: noqa: SIM905 - lists of words read best as words

import re
from collections import Counter
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

ALL_MOST = 0.3  # the share of a page's text above which a part is not taken for boilerplate by its class
LINKED = 0.7  # the share of text in links from which on a part is a list of links
LINKS_LEAST, LINK_LETTERS = 3, 60
MAIN_LEAST = 0.2  # the share of a page's text that its main part has at least

_NEVER = frozenset(
    "script style noscript template svg canvas video audio iframe object embed applet map head link meta base area "
    "input select textarea button datalist progress meter dialog frameset frame".split()
)
_PARTS = {"nav": "menu", "footer": "page foot", "aside": "aside", "form": "form", "menu": "menu", "search": "form"}
_ROLES = {
    "navigation": "menu", "banner": "page head", "contentinfo": "page foot", "complementary": "aside", "search": "form",
    "dialog": "dialog", "alertdialog": "dialog", "menu": "menu", "menubar": "menu", "toolbar": "menu", "form": "form",
}  # fmt: skip
_CLASSES = frozenset(
    "nav navbar navigation menu menubar breadcrumb breadcrumbs sidebar cookie cookies consent share sharing social "
    "advert advertisement advertisements ads pagination pager related newsletter subscribe skip skiplink "
    "comments masthead toolbar printonly".split()
)
_LINKED = frozenset(("ul", "ol", "dl", "div", "p", "table"))
_WHOLE = frozenset(("html", "body", "main", "article"))
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PIECES = re.compile(r"[^a-z]+")


@dataclass(slots=True)
class Weights:
    """How much text each element holds, and how much of it in how many links."""

    text: Counter[Element] = field(default_factory=Counter)
    linked: Counter[Element] = field(default_factory=Counter)
    links: Counter[Element] = field(default_factory=Counter)


def weigh(root: Element) -> Weights:
    """The weights of all elements below one; text of scripts and the like has none."""
    found = Weights()
    for element in reversed(list(root.iter("*"))):  # children before their parents
        own = 0 if element.tag in _NEVER else found.text[element] + _length(element.text)
        found.text[element] = own
        if element.tag == "a":
            found.linked[element], found.links[element] = own, 1
        parent = element.getparent()
        if parent is not None:
            found.text[parent] += own + _length(element.tail)
            found.linked[parent] += found.linked[element]
            found.links[parent] += found.links[element]
    return found


def main_part(root: Element, weights: Weights) -> Element:
    """The one element that a page names as its main part; else all of it."""
    for path in (".//main | .//*[@role='main']", ".//article"):
        found = root.xpath(path)
        if isinstance(found, list) and len(found) == 1 and isinstance(found[0], Element):
            if weights.text[found[0]] >= MAIN_LEAST * weights.text[root]:
                return found[0]
            break
    return root


def reason_to_leave(element: Element, weights: Weights, whole: int) -> str | None:
    """What an element is that does not belong to the text; "" for what nobody sees anyway, None for text.

    `whole` is how much text the page holds.
    """
    tag = str(element.tag)
    if tag in _NEVER:
        return ""
    if "hidden" in element.attrib or element.get("aria-hidden") == "true" or _HIDDEN.search(element.get("style", "")):
        return "hidden part" if weights.text[element] else ""
    meant = _PARTS.get(tag) or _ROLES.get(element.get("role", "").strip().lower())
    if meant or (tag == "header" and not _has_heading(element)):
        return meant or "page head"
    names = f"{element.get('class', '')} {element.get('id', '')}".lower()
    small = weights.text[element] <= ALL_MOST * whole
    if small and tag not in _WHOLE and set(_PIECES.split(names)) & _CLASSES:
        return "part of the page's frame"
    return "list of links" if tag in _LINKED and _is_links(element, weights) else None


def _has_heading(element: Element) -> bool:
    return next(element.iter("h1", "h2"), None) is not None


def _is_links(element: Element, weights: Weights) -> bool:
    """Whether an element is hardly anything but short links."""
    links, linked, text = weights.links[element], weights.linked[element], weights.text[element]
    return links >= LINKS_LEAST and linked >= LINKED * text and linked <= LINK_LETTERS * links


def _length(text: str | None) -> int:
    return len("".join(text.split())) if text else 0
