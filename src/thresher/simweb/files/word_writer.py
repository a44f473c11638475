"""Writes Word files (ECMA-376): paragraphs of runs, hyperlinks by relationships, properties."""

from typing import Final
from xml.sax.saxutils import escape, quoteattr

from thresher.simweb.files.text_runs import Draft, TextRun
from thresher.simweb.files.zip_writer import write_zip

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SCHEMAS: Final = "http://schemas.openxmlformats.org"
_RELATIONS: Final = f"{_SCHEMAS}/officeDocument/2006/relationships"
_TYPES: Final = (
    f'{_HEAD}<Types xmlns="{_SCHEMAS}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_ROOT: Final = (
    f'{_HEAD}<Relationships xmlns="{_SCHEMAS}/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>'
)


def write_word(draft: Draft) -> bytes:
    """Return a Word file; the same draft gives the same bytes.

    >>> write_word(Draft("Boats", [[TextRun("Boats float.")]]))[:2]
    b'PK'
    """
    links: list[str] = []
    body = "".join(_paragraph(runs, links) for runs in draft.paragraphs)
    document = (
        f'{_HEAD}<w:document xmlns:w="{_SCHEMAS}/wordprocessingml/2006/main" xmlns:r="{_RELATIONS}">'
        f"<w:body>{body}</w:body></w:document>"
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{_RELATIONS}/hyperlink" Target={quoteattr(href)} TargetMode="External"/>'
        for number, href in enumerate(links)
    )
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "word/document.xml": document,
        "word/_rels/document.xml.rels": (
            f'{_HEAD}<Relationships xmlns="{_SCHEMAS}/package/2006/relationships">{relations}</Relationships>'
        ),
        "docProps/core.xml": _core(draft),
    }
    return write_zip({name: text.encode() for name, text in parts.items()})


def _paragraph(runs: list[TextRun], links: list[str]) -> str:
    return f"<w:p>{''.join(_run(run, links) for run in runs)}</w:p>"


def _run(run: TextRun, links: list[str]) -> str:
    text = f'<w:r><w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'
    if not run.href:
        return text
    links.append(run.href)
    return f'<w:hyperlink r:id="rId{len(links) - 1}">{text}</w:hyperlink>'


def _core(draft: Draft) -> str:
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_SCHEMAS}/package/2006/metadata/core-properties"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"<dc:title>{escape(draft.title)}</dc:title><dc:creator>{escape(draft.author)}</dc:creator>"
        f"<dc:language>{escape(draft.language)}</dc:language>"
        "<dcterms:created>2024-01-31T12:00:00Z</dcterms:created></cp:coreProperties>"
    )
