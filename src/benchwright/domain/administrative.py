"""Headings of sections that say nothing of the matter: ethics, funding, data, contributions and the like.

No question is drawn from them. Compared without case; of nested headings ("Methods: Ethics statement") the last counts.
"""

import re

HEADING = re.compile(
    r"""\b(?:ethics|ethical\ (?:approval|statement|considerations?|clearance|review|aspects|declaration))\b
    |\b(?:institutional\ review|informed\ consent|consent\ (?:to|for)\ (?:participat|publication|publish)\w*)\b
    |^(?:\w+\ )?(?:funding|sponsors?)(?:\ (?:statement|sources?|information|support|disclosures?))?$
    |\b(?:financial\ (?:support|disclosures?)|grants?\ (?:support|information))\b
    |\backnowledge?ments?\b
    |\bauthors?['\u2019]?s?['\u2019]?\ (?:contributions?|information|details|notes?|affiliations?|roles?)
    |^contribut(?:ions?|ors?(?:hip)?)$|\bcredit\b.*\bstatement
    |\b(?:competing|conflicts?(?:\ of)?|declarations?(?:\ of)?)\ interests?|^(?:disclosures?|declarations?)\b
    |\b(?:data|code|software|materials?)\b.*\b(?:availability|accessibility|sharing|deposition|access)\b
    |\bavailability\ of\ (?:data|code|materials?|supporting)
    |\b(?:abbreviations?|acronyms?|glossary|nomenclature)\b
    |^(?:references|bibliography|literature\ cited|further\ reading|footnotes|endnotes|notes)$
    |\b(?:supporting|supplementary|supplemental|additional)\ (?:information|materials?|files?|data)
    |^appendi(?:x|ces)\b
    |\b(?:trial|protocol|study)\ registration\b
    |\b(?:correspondence|copyright|licen[cs]e|permissions?|publisher['\u2019]s\ note|peer\ review|orcid)\b
    |\b(?:about|contact)\ (?:the\ )?(?:authors?|us)\b|^(?:contacts?|disclaimers?|keywords?|index\ terms)\b""",
    re.VERBOSE | re.IGNORECASE,
)


def is_administrative(title: str) -> bool:
    """Whether a section of this title is about the making of the text and not about its matter."""
    last = title.rpartition(": ")[2].strip(" .:0123456789")
    return HEADING.search(last) is not None
