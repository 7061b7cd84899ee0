//! Word documents.

mod tables;
mod text;
mod whole;

use crate::check;
use crate::support::{core, package, read, relationships, shown, start};

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
    xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
    xmlns:v=\"urn:schemas-microsoft-com:vml\"";

/// As a German Word writes them: English names, German ids.
const STYLES: &str = r#"
<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
  <w:basedOn w:val="Standard"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>
  <w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Abschnitt"><w:name w:val="Our section"/>
  <w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="Kreis"><w:name w:val="Circle"/><w:basedOn w:val="Kreis"/></w:style>
<w:style w:type="paragraph" w:styleId="Paragraf"><w:name w:val="Clause"/><w:basedOn w:val="berschrift1"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Absatz"><w:name w:val="Sub clause"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Verfasser"><w:name w:val="Author"/><w:basedOn w:val="Titel"/></w:style>
<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="character" w:styleId="Verborgen"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Bunt"><w:name w:val="Grid Table 4"/>
  <w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr><w:tcPr><w:shd w:fill="4472C4"/></w:tcPr></w:tblStylePr>
</w:style>
<w:style w:type="character" w:styleId="Platzhaltertext"><w:name w:val="Placeholder Text"/></w:style>"#;

const NUMBERING: &str = r#"
<w:abstractNum w:abstractNumId="0">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Paragraf"/><w:lvlText w:val="§ %1"/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Absatz"/><w:lvlText w:val="(%2)"/></w:lvl>
  <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%3)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
  <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=""/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="2">
  <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>
  <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlRestart w:val="0"/><w:lvlText w:val="No. %3"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="2"><w:startOverride w:val="1"/></w:lvlOverride></w:num>"#;

const NOTES: &str = r#"
<w:footnote w:id="-1" w:type="separator"><w:p><w:r><w:t>never</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> See </w:t></w:r>
  <w:hyperlink r:id="rId1"><w:r><w:t>the fees</w:t></w:r></w:hyperlink></w:p></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:t>Round again.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote>"#;

/// A document of Word with this body, and all parts that it may point to.
pub fn docx(body: &str) -> Vec<u8> {
    with_properties(body, "<dc:language>de-DE</dc:language>", "")
}

/// The same with another text around the first level's numbers.
pub fn with_numbering(body: &str, text: &str) -> Vec<u8> {
    let own = NUMBERING.replacen("<w:lvlText w:val=\"§ %1\"/>", text, 1);
    made(body, "", "", &own)
}

fn with_properties(body: &str, properties: &str, custom: &str) -> Vec<u8> {
    made(body, properties, custom, NUMBERING)
}

fn made(body: &str, properties: &str, custom: &str, numbering: &str) -> Vec<u8> {
    let [types, links] = start("word/document.xml", "wordprocessingml.document");
    let own = relationships(&[
        ("rId1", "styles", "styles.xml"),
        ("rId2", "numbering", "/word/numbering.xml"),
        ("rId3", "footnotes", "footnotes.xml"),
        ("rId4", "endnotes", "endnotes.xml"),
        ("rId5", "hyperlink", "https://example.edu/exams"),
        ("rId6", "hyperlink", "javascript:alert(1)"),
    ]);
    let custom = format!(
        "<Properties \
         xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties\" \
         xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\">\
         {custom}</Properties>"
    );
    package(&[
        (types.0, &types.1),
        (links.0, &links.1),
        ("word/document.xml", &format!("<w:document {W}><w:body>{body}</w:body></w:document>")),
        ("word/_rels/document.xml.rels", &own),
        ("word/styles.xml", &format!("<w:styles {W}>{STYLES}</w:styles>")),
        ("word/numbering.xml", &format!("<w:numbering {W}>{numbering}</w:numbering>")),
        ("word/footnotes.xml", &format!("<w:footnotes {W}>{NOTES}</w:footnotes>")),
        (
            "word/_rels/footnotes.xml.rels",
            &relationships(&[("rId1", "hyperlink", "https://example.edu/fees")]),
        ),
        (
            "word/endnotes.xml",
            &format!(
                "<w:endnotes {W}><w:endnote w:id=\"1\"><w:p><w:r><w:t>At the end.</w:t></w:r></w:p>\
                 </w:endnote></w:endnotes>"
            ),
        ),
        ("docProps/core.xml", &core(properties)),
        ("docProps/custom.xml", &custom),
    ])
}

/// A paragraph of a style with plain text.
fn p(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// An item of a list.
fn item(list: u32, level: u32, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>\
         </w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

/// A cell with properties.
fn tc(properties: &str, text: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

fn run(cases: &[(&str, String, &str)]) {
    for (name, body, expected) in cases {
        check(name, &shown(&read("a/fees.docx", &docx(body))), expected);
    }
}
