"""Word documents made for tests: the parts that a document needs, and no more."""

import io
import zipfile

NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
LINKS = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
 Target="word/document.xml"/></Relationships>"""
STYLED = {"Title": "Title", "Heading1": "heading 1", "Heading2": "heading 2"}


def docx(*blocks: str, parts: dict[str, str] | None = None) -> bytes:
    """A document of these blocks of WordprocessingML."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in STYLED.items()
    )
    body = "".join(blocks)
    files = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": LINKS,
        "word/document.xml": f'<?xml version="1.0"?><w:document {NAMES}><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<?xml version="1.0"?><w:styles {NAMES}>{styles}</w:styles>',
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (files | (parts or {})).items():
            archive.writestr(name, text)
    return held.getvalue()


def p(*runs: str, style: str = "") -> str:
    """A paragraph of runs, or of bare words."""
    chosen = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{chosen}{''.join(run if run.startswith('<') else r(run) for run in runs)}</w:p>"


def r(text: str, look: str = "") -> str:
    """A run."""
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: tuple[str, ...]) -> str:
    """A table of words."""
    cells = ("".join(f"<w:tc>{p(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"
