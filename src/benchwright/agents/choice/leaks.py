"""Whether a rewritten stem gives away what it was to conceal: the entity, its other names, or a root they share.

Each check is a function of texts alone and says what is wrong in words that can be shown to the model that wrote it.
"""

# ruff: noqa: SIM905 - word lists read best as words

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchwright.domain import text as texts
from benchwright.domain.text import abbreviates, within

LONGEST = 25  # words of a describing phrase
ROOT, SHORT = 5, 3  # letters of a root; of a name that is shorter
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
WORD = re.compile(r"[^\W\d_]+")
SHORT_FORM = re.compile(r"\(\s*([^\W_][^\s()]{1,9})\s*\)")
# Thai, Lao, Burmese, Khmer, Japanese, Chinese: nothing parts words; nor Korean ones from the particles behind them.
UNPARTED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
PLURALS = {"s": 1, "es": 2, "ies": 3, "ae": 1}  # by ending, the letters that the singular may lack
# Roots that so many things share that they tell none: those most frequent in the names of MeSH and in the released
# rewrites of EpiQAL-B. They are a leak only where the entity has no other.
COMMON = frozenset(
    (
        "virus viral vacci disea syndr disor infec fever illne condi bacte paras patho vecto mosqu insec anima human "
        "immun antib antig prote recep enzym gene genom trans intra inter extra hyper micro multi neuro lymph hepat "
        "cardi derma chron acute sever speci serot strai stran singl tissu blood cells membr syste organ cause study "
        "obser posit negat treat thera drugs medic clini patie child adult women popul commu distr regio count rural "
        "urban preva incid outbr epide surve diagn labor sampl tests contr progr preve expos facto agent risk "
        "healt hospi respi gastr intes pulmo cereb syste lesio ulcer tumor cance tropi zoono borne media activ relat "
        "assoc respo react level group class"
    ).split()
)
KNOWN_SHORT = frozenset(("dna", "rna", "mrna", "pcr", "igg", "igm", "iga", "ige", "elisa", "usa", "uk", "who"))
EPITHET = re.compile(r"([A-Z])[a-z]*\.?\s+([a-z]{4,})")  # Aedes aegypti, Ae. aegypti
INNER = 3  # letters at the end of a word that a longer word around it may lack: leishmania(sis)
NEAR = 200  # characters before a bracket in which its long form stands


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A stem before and after, the entity taken out and the phrase put in its place.

    `names` must not be said either: its synonyms, abbreviations and long forms, and what was taken out before.
    """

    before: str
    after: str
    entity: str
    phrase: str
    names: tuple[str, ...] = ()


def faults(rewrite: Rewrite) -> tuple[str, ...]:
    """All that is wrong with a rewrite; nothing where it conceals its entity."""
    return tuple(found for check in CHECKS for found in check(rewrite))


def entity_left(rewrite: Rewrite) -> Iterator[str]:
    """The entity, also with an ending, in the new stem or the phrase."""
    if stands(rewrite, rewrite.entity):
        yield f"{rewrite.entity!r} still stands there: describe it without its name, everywhere in the question"


def singular_left(rewrite: Rewrite) -> Iterator[str]:
    """The entity without the ending of a plural, where it does not stand there as a whole."""
    ones = [rewrite.entity[:-cut] for ending, cut in PLURALS.items() if rewrite.entity.endswith(ending)]
    if mentions(rewrite.after, rewrite.entity):
        return
    if one := next((one for one in ones if len(one) >= ROOT and mentions(rewrite.after, one)), None):
        yield f"{rewrite.entity!r} still stands there in another form: leave {one!r} out"


def part_left(rewrite: Rewrite) -> Iterator[str]:
    """An abbreviation that is part of a longer entity, or a species under the short or the full name of its genus."""
    for short in dict.fromkeys(re.findall(r"[\w-]+", rewrite.entity)):
        if not abbreviates(short) or plain(short) in KNOWN_SHORT:
            continue
        forms = [one for one in short_forms(short) if one != rewrite.entity]
        found = next((one for one in forms if short_form(one, rewrite.after, rewrite.phrase)), None)
        if written := found or (long_form(rewrite.phrase, short) if short != rewrite.entity else None):
            yield f"{written!r} tells of {rewrite.entity!r}: leave it out"
    if species := EPITHET.fullmatch(rewrite.entity.strip()):
        genus = rf"(?<!\w){species[1]}[a-z]{{0,2}}\.?\s*{species[2]}(?!\w)"
        full = rf"|(?<!\w){species[1]}[a-z]+\s+{species[2]}(?!\w)" if "." in rewrite.entity else ""
        for found in dict.fromkeys(re.findall(genus + full, f"{rewrite.after}\n{rewrite.phrase}")):
            yield f"{found!r} is {rewrite.entity!r}: leave it out"


def other_name(rewrite: Rewrite) -> Iterator[str]:
    """Another name of the entity, its initials, or what was taken out before."""
    for name in dict.fromkeys((*rewrite.names, *initials(rewrite.entity))):
        if plain(name) == plain(rewrite.entity):
            continue
        if short_form(name, rewrite.after, rewrite.phrase) if abbreviates(name) else stands(rewrite, name):
            yield f"{name!r} must not be named: leave it out"


def shared_root(rewrite: Rewrite) -> Iterator[str]:
    """A word of the phrase that begins as a word of the entity does, with the same five letters, or holds such a word.

    Roots that many things share count only where the entity has no other.
    """
    known = [word for word in words(rewrite.entity) if root(word)]
    short = proper_words(rewrite.entity)
    telling = [word for word in known if root(word) not in COMMON] or ([] if short else known)
    hidden = {root(word) for word in telling}
    inner = {word[: max(ROOT, len(word) - INNER)] for word in telling}
    for word in dict.fromkeys(words(rewrite.phrase)):
        if root(word) in hidden or word in short or any(part in word for part in inner):
            yield f"{word!r} shares its root with {rewrite.entity!r}: use another word"


def spelt_initials(rewrite: Rewrite) -> Iterator[str]:
    """Words of the phrase whose first letters are the entity, where that is an abbreviation."""
    short = rewrite.entity.strip()
    if not abbreviates(short):
        return
    if found := long_form(rewrite.phrase, short):
        yield f"{found!r} spells out {short!r}: describe it in other words"


def too_long(rewrite: Rewrite) -> Iterator[str]:
    """A phrase of more than 25 words, or of none."""
    count = len(rewrite.phrase.split())
    if count > LONGEST:
        yield f"the phrase has {count} words, at most {LONGEST} are allowed: keep what tells it apart"
    if not count:
        yield "the phrase is empty: write it"


def find_unchanged(rewrite: Rewrite) -> Iterator[str]:
    """The stem as it was."""
    if plain(rewrite.before) == plain(rewrite.after):
        yield f"the question is unchanged: put the phrase in the place of {rewrite.entity!r}"


CHECKS = (entity_left, singular_left, part_left, other_name, shared_root, spelt_initials, too_long, find_unchanged)


def fault_of_choice(entity: str, stem: str, before: Sequence[str]) -> str | None:
    """What is wrong with the choice of an entity; None where it stands in the stem and was not chosen before."""
    there = mentions(stem, entity) if UNPARTED.search(entity) else within(plain(entity), plain(stem))
    if not (plain(entity) and there):
        return f"{entity!r} does not stand in the question: copy it from there, letter by letter"
    if plain(entity) in map(plain, before):
        return f"{entity!r} was chosen before: choose another"
    return None


def mentions(text: str, name: str) -> bool:
    """Whether the name stands in the text, perhaps with an ending ("vaccines" mentions "vaccine")."""
    return bool(plain(name)) and f"{'' if UNPARTED.search(name) else ' '}{plain(name)}" in f" {plain(text)}"


def stands(rewrite: Rewrite, name: str) -> bool:
    """Whether the new stem or the phrase mentions the name."""
    return mentions(" ".join(suspect(rewrite, plain(name))), name) or mentions(rewrite.phrase, name)


def suspect(rewrite: Rewrite, name: str) -> Iterator[str]:
    """The words of the new stem, but for those of the old one that only begin like a short name: rate is no rat."""
    old, own = set(plain(rewrite.before).split()), {name, f"{name}s", f"{name}es"}
    for word in plain(rewrite.after).split():
        if len(name) >= ROOT or UNPARTED.search(name) or word in own or word not in old or not word.startswith(name):
            yield word


def short_form(name: str, *texts: str) -> bool:
    """Whether an abbreviation stands in one of the texts, in its own capitals, alone or with an s."""
    return any(re.search(rf"(?<![^\W_]){re.escape(name)}s?(?![^\W_])", text) for text in texts)


def plain(text: str) -> str:
    """The text as it is compared: as in `domain/text.py`, and without accents."""
    return texts.plain(strip_accents(INVISIBLE.sub("", text)))


def strip_accents(text: str) -> str:
    """The text without the accents of Latin, Greek and Cyrillic letters; the signs of other scripts are letters."""
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", apart))


def words(text: str) -> list[str]:
    """The words of letters, without case and accents."""
    return WORD.findall(strip_accents(INVISIBLE.sub("", text)).casefold())


def root(word: str) -> str:
    """The first five letters; nothing for a shorter word, which shares them with too many others."""
    return word[:ROOT] if len(word) >= ROOT else ""


def proper_words(name: str) -> frozenset[str]:
    """The names of three or four letters within a name, too short to have a root: Zika of "Zika virus", Lyme."""
    parts = WORD.findall(strip_accents(name))
    return frozenset(part.casefold() for part in parts if SHORT <= len(part) < ROOT and part.istitle())


def short_forms(short: str) -> tuple[str, ...]:
    """An abbreviation, and how else it is written: MERS-CoV as MERSCoV and MERS, HIV-1 as HIV, CCHFV as CCHF."""
    forms = (short, short.replace("-", ""), re.sub(r"-.*|\d+\Z", "", short), short.removesuffix("V"))
    return tuple(one for one in dict.fromkeys(forms) if len(one) >= SHORT and plain(one) not in KNOWN_SHORT)


def initials(name: str) -> Iterator[str]:
    """The abbreviation that a name of several words would have (visceral leishmaniasis: VL)."""
    parts = words(name)
    if len(parts) > 1:
        yield "".join(part[0] for part in parts).upper()


def long_form(text: str, short: str) -> str | None:
    """Words in a row whose first letters are those of the abbreviation; None where there are none."""
    letters = [letter.casefold() for letter in short if letter.isalpha()]
    found = list(WORD.finditer(text))
    for start in range(len(found) - len(letters) + 1):
        row = found[start : start + len(letters)]
        if [word[0][0].casefold() for word in row] == letters:
            return text[row[0].start() : row[-1].end()]
    return None


def abbreviations(text: str) -> dict[str, str]:
    """Abbreviations that a text introduces in brackets, "lymphatic filariasis (LF)", with their long forms."""
    found = {}
    for bracket in SHORT_FORM.finditer(text):
        short, before = bracket[1], text[max(0, bracket.start() - NEAR) : bracket.start()]
        row = list(WORD.finditer(before))[-sum(map(str.isalpha, short)) :]
        if abbreviates(short) and row and (long := long_form(before[row[0].start() :], short)):
            found[short] = long
    return found


def also_called(entity: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The other side of each pair of names, such as abbreviation and long form, one side of which is the entity."""
    same = plain(entity)
    pairs = [(one, other) for pair in known for one, other in (pair, pair[::-1])]
    return tuple(dict.fromkeys(other for one, other in pairs if plain(one) == same))
