"""A measurement as one HTML page: readable offline, by screen readers, in light and dark, and on paper.

Everything is in the file: no script, no other address. All text is escaped; it may come from models.
"""

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from string import Template

from benchwright.evaluate.plots import draw
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Figure, Measurement, Section

NO_NUMBER = {"", "-"}


def page(found: Measurement, made_by: str) -> str:
    """The page; `made_by` names the program and its version."""
    package = files(__package__)
    template = Template(package.joinpath("page.html").read_text("utf-8"))
    return template.substitute(
        title=escape(found.title),
        style=package.joinpath("page.css").read_text("utf-8"),
        contents="".join(
            f'<li><a href="#s{place}">{escape(section.title)}</a></li>' for place, section in enumerate(found.sections)
        ),
        notes=draw_notes(found),
        sections="".join(draw_section(section, place) for place, section in enumerate(found.sections)),
        made_by=escape(made_by),
    )


def draw_notes(found: Measurement) -> str:
    """Doubts about what was read."""
    if not found.notes:
        return ""
    lines = "".join(f"<li>{escape(note)}</li>" for note in found.notes)
    return f"<details><summary>Left out of what was read: {len(found.notes)}</summary><ul>{lines}</ul></details>"


def draw_section(section: Section, place: int) -> str:
    """A section."""
    inner = "".join(draw_content(section, place))
    return f'<section id="s{place}"><h2>{escape(section.title)}</h2>{inner}</section>'


def draw_content(section: Section, place: int) -> Iterator[str]:
    """What stands in a section."""
    for number, one in enumerate(section.content):
        if isinstance(one, Line):
            yield f"<p>{'<strong>' if one.strong else ''}{escape(one.text)}{'</strong>' if one.strong else ''}</p>"
        elif isinstance(one, Table):
            yield draw_table(one, section.title)
        else:
            yield draw_figure(one, f"f{place}-{number}")


def draw_figure(figure: Figure, name: str) -> str:
    """A figure under its caption."""
    return (
        f'<figure><figcaption>{escape(figure.title)}</figcaption><div class="wide" tabindex="0" role="group"'
        f' aria-label="{escape(figure.title)}">{draw(figure, name)}</div></figure>'
    )


def draw_table(table: Table, title: str) -> str:
    """A table; columns that hold numbers alone are aligned to the right."""
    columns = list(zip(*table.rows, strict=True)) if table.rows else [()] * len(table.head)
    kinds = [" class=n" if column and all(map(is_number, column)) else "" for column in columns]
    head = "".join(
        f'<th scope="col"{kind}>{escape(str(name))}</th>' for name, kind in zip(table.head, kinds, strict=True)
    )
    rows = "".join(
        f"<tr>{''.join(f'<td{kind}>{escape(str(cell))}</td>' for cell, kind in zip(row, kinds, strict=True))}</tr>"
        for row in table.rows
    )
    caption = f'<caption class="hidden">{escape(title)}</caption>'
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(title)}"><table>{caption}<thead><tr>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def is_number(cell: object) -> bool:
    """Whether a cell is a number, or says that there is none."""
    text = str(cell)
    return text in NO_NUMBER or text.replace(".", "", 1).replace("e-", "", 1).removeprefix("-").isdigit()
