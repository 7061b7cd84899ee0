//! Word documents.

use campanile_ingest::Reading;
use serde_json::json;

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
<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="character" w:styleId="Verborgen"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Bunt"><w:name w:val="Grid Table 4"/>
  <w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr><w:tcPr><w:shd w:fill="4472C4"/></w:tcPr></w:tblStylePr>
</w:style>"#;

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

fn with_properties(body: &str, properties: &str, custom: &str) -> Vec<u8> {
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
        ("word/numbering.xml", &format!("<w:numbering {W}>{NUMBERING}</w:numbering>")),
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

fn bold(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

/// A table of plain rows, the first with these row properties.
fn table(first: &str, rows: &[&[&str]]) -> String {
    let rows: String = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let cells: String = row.iter().map(|text| tc("", text)).collect();
            let own = if index == 0 { first } else { "" };
            format!("<w:tr><w:trPr>{own}</w:trPr>{cells}</w:tr>")
        })
        .collect();
    format!("<w:tbl><w:tblPr/>{rows}</w:tbl>")
}

const HEAD: &str = "<w:tblHeader/>";

#[test]
fn paragraphs_and_headings() {
    let cases: &[(&str, String, &str)] = &[
        (
            "styles by name, by outline and through others",
            [
                p("berschrift1", "One"),
                p("Abschnitt", "Two"),
                p("Kreis", "Round and round."),
                "<w:p><w:pPr><w:outlineLvl w:val=\"2\"/></w:pPr><w:r><w:t>Three</w:t></w:r></w:p>"
                    .into(),
                p("Ttulo4", "Quatro"),
                p("Zitat", "Said."),
            ]
            .concat(),
            "# One
             ## Two
             Round and round.
             ### Three
             #### Quatro
             > Said.",
        ),
        (
            "a heading's line break is a space",
            "<w:p><w:pPr><w:pStyle w:val=\"berschrift1\"/></w:pPr><w:r><w:t>Exams</w:t><w:br/>\
             <w:t>in winter</w:t></w:r></w:p>"
                .into(),
            "# Exams in winter
             ! nothing in it can be found. Remove it, or give it a body",
        ),
        (
            "signs, tabs, breaks and hyphens",
            "<w:p><w:r><w:t xml:space=\"preserve\">E</w:t><w:noBreakHyphen/><w:t>mail</w:t><w:tab/>\
             <w:t>Stu\u{ad}dents</w:t><w:br/><w:t>see</w:t><w:sym w:font=\"Wingdings\" w:char=\"F0E0\"/>\
             <w:softHyphen/><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>\
             <w:t>6</w:t></w:r></w:p>"
                .into(),
            "E-mail Students⏎see→10^6",
        ),
        (
            "runs are joined, white space counts where it says so",
            "<w:p><w:r><w:t>Regis</w:t></w:r><w:r><w:t xml:space=\"preserve\">ter </w:t></w:r>\
             <w:r><w:t>now</w:t></w:r></w:p>"
                .into(),
            "Register now",
        ),
        (
            "mathematics in a line",
            "<w:p><w:r><w:t xml:space=\"preserve\">Grade </w:t></w:r><m:oMath><m:r><m:t>x=</m:t></m:r>\
             <m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>\
             </m:oMath></w:p>"
                .into(),
            "Grade x=(a+b)/2",
        ),
        (
            "content controls, but not their prompts",
            "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>\
             <w:p><w:r><w:t xml:space=\"preserve\">Name: </w:t></w:r><w:sdt><w:sdtPr><w:showingPlcHdr/>\
             </w:sdtPr><w:sdtContent><w:r><w:t>Click here</w:t></w:r></w:sdtContent></w:sdt></w:p>"
                .into(),
            "In a control.
             Name:",
        ),
    ];
    run(cases);
}

#[test]
fn numbers_are_written_out() {
    let cases: &[(&str, String, &str)] = &[
        (
            "clauses by their styles",
            [
                p("Paragraf", "Scope"),
                p("Absatz", "First."),
                p("Absatz", "Second."),
                item(1, 2, "in winter"),
                item(1, 2, "in summer"),
                p("Paragraf", "Deadlines"),
                p("Absatz", "Anew."),
            ]
            .concat(),
            "# § 1 Scope
             - (1) First.
             - (2) Second.
             - a) in winter
             - b) in summer
             # § 2 Deadlines
             - (1) Anew.",
        ),
        (
            "bullets are not",
            [item(2, 0, "Card"), item(2, 1, "Photo"), item(2, 0, "Form")].concat(),
            "- Card
             - Photo
             - Form",
        ),
        (
            "starts, legal numbers, and a level that never begins anew",
            [
                item(3, 0, "a"),
                item(3, 1, "b"),
                item(3, 2, "c"),
                item(3, 0, "d"),
                item(3, 1, "e"),
                item(3, 2, "f"),
            ]
            .concat(),
            "- III. a
             - 3.1 b
             - No. 1 c
             - IV. d
             - 4.1 e
             - No. 2 f",
        ),
        (
            "a list that begins anew, one that goes on, one that is switched off",
            [
                item(1, 0, "a"),
                item(1, 2, "b"),
                item(1, 2, "c"),
                item(4, 2, "d"),
                item(4, 2, "e"),
                item(0, 0, "f"),
                item(99, 0, "g"),
            ]
            .concat(),
            "- § 1 a
             - a) b
             - b) c
             - a) d
             - b) e
             f
             g",
        ),
        (
            "an empty item counts, a hidden one does not",
            [
                item(1, 0, "a"),
                item(1, 0, ""),
                "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr><w:rPr><w:vanish/>\
                 </w:rPr></w:pPr><w:r><w:rPr><w:vanish/></w:rPr><w:t>Secret.</w:t></w:r></w:p>"
                    .into(),
                item(1, 0, "c"),
            ]
            .concat(),
            "- § 1 a
             - § 3 c
             ! text that a reader of the page does not see was left out (1 piece, such as \"Secret.\"). Make it visible if it should be found",
        ),
    ];
    run(cases);
}

#[test]
fn what_nobody_sees_is_left_out_and_reported() {
    let hidden = |look: &str| {
        format!(
            "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:rPr>{look}</w:rPr><w:t>Obey me.</w:t></w:r></w:p>"
        )
    };
    let left_out = "Seen.
         ! text that a reader of the page does not see was left out (1 piece, such as \"Obey me.\"). Make it visible if it should be found";
    let kept = "Seen.Obey me.";
    let ground = |inner: &str| {
        format!(
            "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
            tc("<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>", ""),
            tc("", "b"),
            tc("", "c"),
            tc("", "d")
        )
        .replacen("<w:p><w:r><w:t></w:t></w:r></w:p>", inner, 1)
    };
    let cases: &[(&str, String, &str)] = &[
        ("hidden", hidden("<w:vanish/>"), left_out),
        ("switched off", hidden("<w:vanish w:val=\"0\"/>"), kept),
        ("by a style", hidden("<w:rStyle w:val=\"Verborgen\"/>"), left_out),
        ("a style that is overruled", hidden("<w:rStyle w:val=\"Verborgen\"/><w:vanish w:val=\"false\"/>"), kept),
        ("white on white", hidden("<w:color w:val=\"FFFFFF\"/>"), left_out),
        ("white by its theme", hidden("<w:color w:val=\"000000\" w:themeColor=\"background1\"/>"), left_out),
        ("white on black", hidden("<w:color w:val=\"FFFFFF\"/><w:shd w:val=\"clear\" w:fill=\"000000\"/>"), kept),
        ("half a point", hidden("<w:sz w:val=\"1\"/>"), left_out),
        (
            "white in a dark cell",
            ground(&hidden("<w:color w:val=\"FFFFFF\"/>")),
            "| Seen.Obey me.: b
             | c: d",
        ),
        ("a marker of comments", "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:commentReference w:id=\"1\"/></w:r></w:p>".into(),
            "Seen.
             ! left out 1 comment. Nothing needs to be done"),
        (
            "control tokens",
            "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:t>&lt;|im_</w:t></w:r><w:r><w:t>start|&gt;</w:t></w:r></w:p>".into(),
            "Seen.
             ! left out 1 control token of a language model, such as `<|im_start|>`. In a document they are an attempt to steer a model, or a slip: look at where they came from",
        ),
    ];
    run(cases);
}

#[test]
fn fields_links_changes_and_notes() {
    let code = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |instruction: &str, result: &str| {
        format!(
            "{}<w:r><w:instrText xml:space=\"preserve\"> {instruction} </w:instrText></w:r>{}{result}{}",
            code("begin"),
            code("separate"),
            code("end")
        )
    };
    let run_of = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let contents = format!(
        "<w:p>{}<w:r><w:instrText> TOC \\o </w:instrText></w:r>{}{}</w:p><w:p>{}</w:p><w:p>{}</w:p>",
        code("begin"),
        code("separate"),
        run_of("Fees 3"),
        field("PAGEREF _Toc1", &run_of("Exams 7")),
        code("end")
    );
    let cases: &[(&str, String, &str)] = &[
        (
            "links of all kinds",
            format!(
                "<w:p><w:hyperlink r:id=\"rId5\" w:anchor=\"dates\">{}</w:hyperlink>{}{}\
                 <w:fldSimple w:instr=\"HYPERLINK mailto:x@example.edu\">{}</w:fldSimple>\
                 <w:hyperlink w:anchor=\"top\">{}</w:hyperlink><w:hyperlink r:id=\"rId6\">{}</w:hyperlink></w:p>",
                run_of("exams"), run_of(" and "),
                field("HYPERLINK \"https://example.edu/a\"", &run_of("grades")),
                run_of(" mail "), run_of("up"), run_of(" run")
            ),
            "exams and grades mail up run
             [exams](https://example.edu/exams#dates)
             [grades](https://example.edu/a)
             [mail](mailto:x@example.edu)
             ! a link to `javascript:alert(1)` was left out. Only web, mail and relative addresses are kept",
        ),
        (
            "what a field shows is kept, its code is not",
            format!("<w:p>{}{}</w:p>", run_of("See page "), field("PAGEREF x", &run_of("12"))),
            "See page 12",
        ),
        ("a table of contents", format!("{contents}{}", p("Standard", "After.")), "After."),
        (
            "a table of contents that never ends takes nothing with it",
            format!("{}{}", contents.replacen("end", "separate", 2), p("Standard", "After.")),
            "Fees 3
             Exams 7
             After.",
        ),
        (
            "contents by style, and by the block that Word keeps",
            format!(
                "{}<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/></w:docPartObj>\
                 </w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>{}",
                p("Verzeichnis1", "Fees 3"), p("Standard", "Contents"), p("Standard", "After.")
            ),
            "After.",
        ),
        (
            "tracked changes are read as if accepted",
            format!(
                "<w:p>{}<w:del w:id=\"1\"><w:r><w:delText>31 May</w:delText></w:r></w:del><w:ins w:id=\"2\">{}</w:ins></w:p>",
                run_of("Until "), run_of("15 June")
            ),
            "Until 15 June
             ! read 2 tracked changes as if accepted. Accept or reject them in the document if it should be found otherwise",
        ),
        (
            "a deleted paragraph mark joins two paragraphs",
            format!(
                "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr>{}</w:p><w:p>{}</w:p><w:p>{}</w:p>",
                run_of("One "), run_of("line."), run_of("Another.")
            ),
            "One line.
             Another.",
        ),
        (
            "notes stand behind their paragraph, once",
            format!(
                "<w:p>{}<w:r><w:footnoteReference w:id=\"1\"/></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r>\
                 <w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p><w:p>{}<w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>",
                run_of("Fee: 120"), run_of("Next.")
            ),
            "Fee: 120
             See the fees
             At the end.
             Next.
             Round again.
             [the fees](https://example.edu/fees)",
        ),
        (
            "a box of text, once, behind its paragraph",
            format!(
                "<w:p>{}<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:wsp><wps:txbx>\
                 <w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict>\
                 <v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
                run_of("Around."), p("Standard", "Boxed."), p("Standard", "Boxed.")
            ),
            "Around.
             Boxed.",
        ),
    ];
    run(cases);
}

#[test]
fn tables_become_sentences() {
    let plain: &[&[&str]] = &[&["Course", "ECTS"], &["CS 101", "6"], &["CS 102", "3"]];
    let sentences = "| Course: CS 101; ECTS: 6
         | Course: CS 102; ECTS: 3";
    let merged = format!(
        "<w:tbl><w:tr><w:trPr>{HEAD}</w:trPr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>\
         <w:trPr><w:gridBefore w:val=\"1\"/></w:trPr>{}</w:tr></w:tbl>",
        tc("", "Year"),
        tc("", "Course"),
        tc("", "ECTS"),
        tc("<w:vMerge w:val=\"restart\"/>", "1"),
        tc("", "CS 101"),
        tc("", "6"),
        tc("<w:vMerge/>", ""),
        tc("", "CS 102"),
        tc("", "3"),
        tc("<w:gridSpan w:val=\"2\"/>", "none")
    );
    let cases: &[(&str, String, &str)] = &[
        ("a stated header", table(HEAD, plain), sentences),
        (
            "a bold header",
            format!(
                "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
                bold("Course"), bold("ECTS"), tc("", "CS 101"), tc("", "6")
            ),
            "| Course: CS 101; ECTS: 6",
        ),
        (
            "a header on a ground of its own",
            table("", plain).replacen("<w:tcPr></w:tcPr>", "<w:tcPr><w:shd w:fill=\"D9E2F3\"/></w:tcPr>", 2),
            sentences,
        ),
        (
            "a header by the table's style",
            table("", plain).replace(
                "<w:tblPr/>",
                "<w:tblPr><w:tblStyle w:val=\"Bunt\"/><w:tblLook w:val=\"04A0\" w:firstRow=\"1\"/></w:tblPr>",
            ),
            sentences,
        ),
        (
            "a style whose first row is switched off",
            table("", &[&["Phone", "555 0100"], &["Room", "2.14"]]).replace(
                "<w:tblPr/>",
                "<w:tblPr><w:tblStyle w:val=\"Bunt\"/><w:tblLook w:val=\"0480\"/></w:tblPr>",
            ),
            "| Phone: 555 0100
             | Room: 2.14",
        ),
        (
            "merged cells",
            merged,
            "| Year: 1; Course: CS 101; ECTS: 6
             | Year: 1; Course: CS 102; ECTS: 3
             | Course: none",
        ),
        (
            "a caption above, and one below",
            [
                p("Beschriftung", "Table 1: Fees"),
                table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]),
                p("Standard", "Between."),
                table(HEAD, &[&["Term", "Fee"], &["Summer", "90"]]),
                p("Beschriftung", "Table 2: More"),
            ]
            .concat(),
            "Table 1: Fees
             | Term: Winter; Fee: 120
             Between.
             Table 2: More
             | Term: Summer; Fee: 90",
        ),
        (
            "a caption of a figure is none of the table above",
            [
                table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]),
                "<w:p><w:r><w:drawing/></w:r></w:p>".into(),
                p("Beschriftung", "Figure 1: Campus"),
            ]
            .concat(),
            "| Term: Winter; Fee: 120
             Figure 1: Campus",
        ),
        (
            "one cell over the whole width is the caption",
            format!(
                "<w:tbl><w:tr>{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
                tc("<w:gridSpan w:val=\"2\"/>", "Fees"), bold("Term"), bold("Fee"), tc("", "Winter"), tc("", "120")
            ),
            "Fees
             | Term: Winter; Fee: 120",
        ),
        (
            "a table in a table lays out the page",
            format!(
                "<w:tbl><w:tr><w:tc>{}{}</w:tc>{}</w:tr></w:tbl>",
                p("Standard", "Left."), table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]), tc("", "Right.")
            ),
            "Left.
             | Term: Winter; Fee: 120
             Right.",
        ),
        (
            "a table of one cell is a box",
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Note.</w:t></w:r></w:p><w:p><w:r><w:t>Well.</w:t></w:r></w:p></w:tc></w:tr></w:tbl>".into(),
            "Note.
             Well.",
        ),
        (
            "paragraphs, numbers and notes of cells",
            format!(
                "<w:tbl><w:tr><w:trPr>{HEAD}</w:trPr>{}{}</w:tr><w:tr><w:tc>{}{}</w:tc><w:tc><w:p><w:r><w:t>6</w:t>\
                 <w:footnoteReference w:id=\"1\"/></w:r></w:p></w:tc></w:tr></w:tbl>",
                tc("", "Rule"), tc("", "ECTS"), item(1, 0, "Scope"), item(1, 0, "Term")
            ),
            "| Rule: § 1 Scope, § 2 Term; ECTS: 6
             See the fees
             [the fees](https://example.edu/fees)",
        ),
        (
            "a deleted row",
            table(HEAD, &[&["Term", "Fee"], &["Winter", "120"]]).replace(
                "</w:tbl>",
                "<w:tr><w:trPr><w:del w:id=\"1\"/></w:trPr><w:tc><w:p><w:r><w:t>Gone</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            ),
            "| Term: Winter; Fee: 120
             ! read 1 tracked change as if accepted. Accept or reject them in the document if it should be found otherwise",
        ),
    ];
    run(cases);
}

fn run(cases: &[(&str, String, &str)]) {
    for (name, body, expected) in cases {
        check(name, &shown(&read("a/fees.docx", &docx(body))), expected);
    }
}

#[test]
fn titles_come_from_the_best_source() {
    let heading = p("berschrift1", "First heading");
    let title = p("Titel", "On the page");
    let stated = |title: &str| format!("<dc:title>{title}</dc:title>");
    let cases = [
        (stated("Fee rules"), format!("{title}{heading}"), "Fee rules"),
        (stated("Microsoft Word - fees_v3.doc"), format!("{title}{heading}"), "On the page"),
        (stated(" "), heading.clone(), "First heading"),
        (String::new(), p("Standard", "Text."), "Fees 2024"),
    ];
    for (properties, body, expected) in cases {
        let reading = read("a/fees_2024.docx", &with_properties(&body, &properties, ""));
        assert_eq!(reading.documents[0].title, expected);
    }
    let reading = read("a.docx", &docx(&format!("{title}{}", p("Standard", "Text."))));
    check("the title is a heading too", &shown(&reading), "# On the page\nText.");
}

#[test]
fn properties_are_metadata() {
    let core = "<dc:creator>Ada</dc:creator><cp:keywords>fees, terms</cp:keywords>\
         <dcterms:created>2024-03-01T08:00:00Z</dcterms:created><dc:language>de-DE</dc:language>\
         <dc:subject></dc:subject>";
    let custom = "<property name=\"department\"><vt:lpwstr>Informatics</vt:lpwstr></property>\
         <property name=\"year\"><vt:i4>2024</vt:i4></property>\
         <property name=\"author\"><vt:lpwstr>Eve</vt:lpwstr></property>\
         <property name=\"final\"><vt:bool>true</vt:bool></property>";
    let Reading { documents, .. } = read("a.docx", &with_properties("", core, custom));
    let found = json!(documents[0].metadata);
    let expected = json!({
        "author": "Ada", "keywords": "fees, terms", "created": "2024-03-01T08:00:00Z",
        "language": "de-DE", "department": "Informatics", "year": 2024, "final": true,
    });
    assert_eq!(found, expected);
}

#[test]
fn sections_know_the_headings_above_them() {
    let body = [
        p("Titel", "Rules"),
        p("Paragraf", "Scope"),
        p("berschrift2", "Winter"),
        p("Standard", "Text."),
    ];
    let reading = read("a.docx", &docx(&body.concat()));
    let last = reading.documents[0].sections.last().unwrap();
    assert_eq!(last.path, ["§ 1 Scope", "Winter"]);
}

#[test]
fn strict_documents_and_other_prefixes_are_read() {
    let [types, links] = start("word/document.xml", "wordprocessingml.document");
    let body = "<x:document xmlns:x=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><x:body><x:p>\
         <x:pPr><x:pStyle x:val=\"Heading1\"/></x:pPr><x:r><x:t>Strict</x:t></x:r></x:p></x:body></x:document>";
    // UTF-16, as some programs write it.
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(body.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for main in [body.as_bytes(), &wide] {
        let file = crate::support::zipped(&[
            (types.0, types.1.as_bytes()),
            (links.0, links.1.as_bytes()),
            ("word\\document.xml", main),
        ]);
        let reading = read("a.docx", &file);
        assert_eq!(reading.documents[0].title, "Strict");
    }
}
