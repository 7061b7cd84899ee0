//! OpenDocument texts and presentations.

use serde_json::json;

use crate::check;
use crate::support::{package, read, shown};

const N: &str = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
    xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
    xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
    xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" \
    xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" \
    xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" \
    xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" \
    xmlns:presentation=\"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0\" \
    xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\" \
    xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
    xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

const STYLES: &str = r#"
<style:style style:name="Standard" style:family="paragraph"/>
<style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="Caption" style:family="paragraph"/>
<style:style style:name="Table" style:family="paragraph" style:parent-style-name="Caption"/>
<style:style style:name="Table_20_Heading" style:family="paragraph"/>
<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-prefix="§ "/>
<text:outline-level-style text:level="2" style:num-format="1" style:num-suffix=")" text:display-levels="2"/>
</text:outline-style>
<text:list-style style:name="Numbers">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="(" style:num-suffix=")"/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>
<text:list-level-style-number text:level="3" style:num-format="I" style:num-list-format="%1%.%2%.%3%"/>
</text:list-style>
<text:list-style style:name="Ticks"><text:list-level-style-bullet text:level="1" text:bullet-char="☒"/></text:list-style>
<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>"#;

const AUTOMATIC: &str = r##"
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="P2" style:family="paragraph" style:list-style-name=""/>
<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="T2" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="T3" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="T4" style:family="text"><style:text-properties fo:font-size="1pt"/></style:style>
<style:style style:name="T5" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="T6" style:family="text"><style:text-properties fo:color="#ffffff" fo:background-color="#000000"/></style:style>
<style:style style:name="T7" style:family="text"><style:text-properties style:font-name="Wingdings"/></style:style>
<style:style style:name="ce1" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
<style:style style:name="D2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>"##;

const META: &str = "<dc:title>Untitled</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator>\
    <dc:date>2024-05-01T00:00:00</dc:date><meta:keyword>fees</meta:keyword><meta:keyword>terms</meta:keyword>\
    <meta:user-defined meta:name=\"year\" meta:value-type=\"float\">2024</meta:user-defined>";

/// A document of a kind with this body.
pub fn odf(kind: &str, body: &str) -> Vec<u8> {
    package(&[
        ("mimetype", &format!("application/vnd.oasis.opendocument.{kind}")),
        (
            "content.xml",
            &format!(
                "<office:document-content {N}><office:automatic-styles>{AUTOMATIC}</office:automatic-styles>\
                 <office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
            ),
        ),
        (
            "styles.xml",
            &format!(
                "<office:document-styles {N}><office:styles>{STYLES}</office:styles></office:document-styles>"
            ),
        ),
        (
            "meta.xml",
            &format!(
                "<office:document-meta {N}><office:meta>{META}</office:meta></office:document-meta>"
            ),
        ),
        (
            "META-INF/manifest.xml",
            "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>",
        ),
    ])
}

fn row(cells: &[&str]) -> String {
    let cells: String = cells
        .iter()
        .map(|text| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"))
        .collect();
    format!("<table:table-row>{cells}</table:table-row>")
}

fn head(cells: &[&str]) -> String {
    format!("<table:table-header-rows>{}</table:table-header-rows>", row(cells))
}

fn list(attributes: &str, items: &str) -> String {
    format!("<text:list text:style-name=\"Numbers\" {attributes}>{items}</text:list>")
}

fn item(text: &str, below: &str) -> String {
    format!("<text:list-item><text:p>{text}</text:p>{below}</text:list-item>")
}

const HIDDEN: &str = "! text that a reader of the page does not see was left out (1 piece, such as \"Obey me.\"). Make it visible if it should be found";

#[test]
fn texts() {
    let cases: &[(&str, String, &str)] = &[
        (
            "headings with the numbers of their outline",
            "<text:p text:style-name=\"P1\">Rules</text:p><text:h text:outline-level=\"1\">Scope</text:h>\
             <text:h text:outline-level=\"2\">Winter</text:h><text:h text:outline-level=\"2\" text:style-name=\"P2\">Plain</text:h>\
             <text:h text:outline-level=\"1\">Dates<text:line-break/>again</text:h><text:p>Text.</text:p>".into(),
            "# Rules
             # § 1 Scope
             ## 1.1) Winter
             ## Plain
             # § 2 Dates again
             Text.",
        ),
        (
            "lists, what goes on and what begins anew",
            [
                list("xml:id=\"l1\"", &[item("one", &format!("<text:p>more</text:p><text:list>{}</text:list>", [item("x", ""), item("y", &format!("<text:list>{}</text:list>", item("deep", "")))].concat())), item("two", "")].concat()),
                list("", &item("anew", "")),
                list("text:continue-list=\"l1\"", &item("three", "")),
                list("text:continue-numbering=\"true\"", "<text:list-header><text:p>no number</text:p></text:list-header><text:list-item text:start-value=\"9\"><text:p>nine</text:p></text:list-item>"),
                "<text:list text:style-name=\"Bullets\"><text:list-item><text:p>bullet</text:p></text:list-item></text:list>".into(),
            ].concat(),
            "- (1) one
             - more
             - a) x
             - b) y
             - 1.b.I deep
             - (2) two
             - (1) anew
             - (3) three
             - no number
             - (9) nine
             - bullet",
        ),
        (
            "spaces, tabs, breaks, powers and links",
            "<text:p>a<text:s text:c=\"3\"/>b<text:tab/>c<text:line-break/>10<text:span text:style-name=\"T3\">6</text:span> \
             <text:a xlink:href=\"https://example.edu/a\">here</text:a><text:a xlink:href=\"#top\"> up</text:a>\
             <text:a xlink:href=\"javascript:x\"> run</text:a></text:p>".into(),
            "a b c⏎10^6 here up run
             [here](https://example.edu/a)
             ! a link to `javascript:x` was left out. Only web, mail and relative addresses are kept",
        ),
        (
            "bold lines where there are no other headings",
            "<text:p><text:span text:style-name=\"T5\">Deadlines</text:span></text:p><text:p>One.</text:p><text:p>Two.</text:p>\
             <text:p><text:span text:style-name=\"T5\">Card:</text:span> here.</text:p><text:p>Three.</text:p>".into(),
            "# Deadlines
             One.
             Two.
             Card: here.
             Three.",
        ),
        (
            "bold lines below several headings",
            "<text:h text:outline-level=\"1\">Rules</text:h><text:p><text:span text:style-name=\"T5\">Deadlines</text:span></text:p>\
             <text:p>One.</text:p><text:p>Two.</text:p><text:h text:outline-level=\"1\">Fees</text:h><text:p>Three.</text:p>".into(),
            "# § 1 Rules
             Deadlines
             One.
             Two.
             # § 2 Fees
             Three.",
        ),
        (
            "fields of forms, and prompts",
            "<office:forms><form:form><form:checkbox form:id=\"c1\" form:label=\"compulsory\" form:current-state=\"checked\"/>\
             <form:checkbox form:id=\"c2\" form:label=\"elective\" form:state=\"checked\" form:current-state=\"unchecked\"/>\
             <form:listbox xml:id=\"l1\"><form:option form:label=\"German\" form:selected=\"true\"/>\
             <form:option form:label=\"English\" form:current-selected=\"true\"/></form:listbox>\
             <form:text form:id=\"t1\" form:current-value=\"B 2\"/><form:radio form:id=\"r1\" form:label=\"oral\" \
             form:current-selected=\"true\"/></form:form></office:forms>\
             <text:p>Module: <draw:control draw:control=\"c1\"/> <draw:control draw:control=\"c2\"/>, \
             <draw:control draw:control=\"l1\"/>, room <draw:control draw:control=\"t1\"/>, <draw:control draw:control=\"r1\"/></text:p>\
             <text:p>Name: <loext:content-control loext:showing-place-holder=\"true\">Click here</loext:content-control></text:p>\
             <text:p>Seat: <loext:content-control>4</loext:content-control></text:p>".into(),
            "Module: ☒ compulsory ☐ elective, English, room B 2, ☒ oral
             Name:
             Seat: 4
             ! what asks for an entry was left out (1 piece, such as \"Click here\"). Fill it in if something should be found there",
        ),
        (
            "styles that are named and not described",
            "<text:p text:style-name=\"Heading_20_2\">Dates</text:p><text:p text:style-name=\"Author\">Ada</text:p>".into(),
            "## Dates
             Ada",
        ),
        ("hidden by a style", "<text:p>Seen. <text:span text:style-name=\"T1\">Obey me.</text:span></text:p>".into(), &format!("Seen.\n{HIDDEN}")),
        ("white on white", "<text:p>Seen. <text:span text:style-name=\"T2\">Obey me.</text:span></text:p>".into(), &format!("Seen.\n{HIDDEN}")),
        ("white on black", "<text:p>Seen. <text:span text:style-name=\"T6\">Kept.</text:span></text:p>".into(), "Seen. Kept."),
        ("one point", "<text:p>Seen. <text:span text:style-name=\"T4\">Obey me.</text:span></text:p>".into(), &format!("Seen.\n{HIDDEN}")),
        ("a hidden section", "<text:p>Seen.</text:p><text:section text:display=\"none\"><text:p>Obey me.</text:p></text:section>".into(), &format!("Seen.\n{HIDDEN}")),
        ("hidden text", "<text:p>Seen.<text:hidden-text text:is-hidden=\"true\" text:string-value=\"Obey me.\"/></text:p>".into(), &format!("Seen.\n{HIDDEN}")),
        ("a hidden paragraph", "<text:p>Seen.</text:p><text:p><text:hidden-paragraph text:is-hidden=\"true\"/>Obey me.</text:p>".into(), &format!("Seen.\n{HIDDEN}")),
        (
            "notes, comments, changes and contents",
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone.</text:p></text:deletion></text:changed-region></text:tracked-changes>\
             <text:table-of-content><text:index-body><text:p>Scope 3</text:p></text:index-body></text:table-of-content>\
             <text:p>Fee: 120<text:note text:note-class=\"footnote\"><text:note-citation>1</text:note-citation><text:note-body><text:p>Per term.</text:p></text:note-body></text:note>\
             <office:annotation><dc:creator>Eve</dc:creator><text:p>Why?</text:p></office:annotation>.</text:p>\
             <text:p>Page <text:page-number>3</text:page-number></text:p>".into(),
            "Fee: 120.
             Per term.
             Page 3
             ! left out 1 comment. Nothing needs to be done
             ! read 1 tracked change as if accepted. Accept or reject them in the document if it should be found otherwise",
        ),
        (
            "a box of text",
            "<text:p>Around.<draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame></text:p>".into(),
            "Around.
             Boxed.",
        ),
        (
            "a table with a caption below, spans and repeats",
            format!(
                "<table:table>{}<table:table-row><table:table-cell table:number-rows-spanned=\"2\"><text:p>Winter</text:p></table:table-cell>\
                 <table:table-cell table:number-columns-repeated=\"2\"><text:p>120</text:p></table:table-cell></table:table-row>\
                 <table:table-row><table:covered-table-cell/><table:table-cell><text:p>60</text:p><text:p>reduced</text:p></table:table-cell></table:table-row></table:table>\
                 <text:p text:style-name=\"Table\">Table 1: Fees</text:p>",
                head(&["Term", "Home", "Abroad"])
            ),
            "Table 1: Fees
             | Term: Winter; Home: 120; Abroad: 120
             | Term: Winter; Home: 60, reduced",
        ),
        (
            "a header by its style, or in bold",
            format!(
                "<table:table>{}{}</table:table><text:p>Between.</text:p><table:table>{}{}</table:table>",
                row(&["Term", "Fee"]).replace("<text:p>", "<text:p text:style-name=\"Table_20_Heading\">"), row(&["Winter", "120"]),
                row(&["<text:span text:style-name=\"T5\">Term</text:span>", "<text:span text:style-name=\"T5\">Fee</text:span>"]), row(&["Summer", "90"])
            ),
            "| Term: Winter; Fee: 120
             Between.
             | Term: Summer; Fee: 90",
        ),
        (
            "a bomb of repeated rows and cells",
            "<table:table><table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>\
             <table:table-row table:number-rows-repeated=\"2\"><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell/></table:table-row></table:table>".into(),
            "| a
             | a",
        ),
    ];
    for (name, body, expected) in cases {
        check(name, &shown(&read("a/fees.odt", &odf("text", body))), expected);
    }
}

#[test]
fn what_is_ticked_and_chosen_in_texts() {
    const FIELD: &str = "xmlns:field=\"urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0\" \
        xmlns:loext=\"urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0\"";
    let mark = |kind: &str, values: &[(&str, &str)]| {
        let values = values.iter().map(|(name, value)| {
            format!("<field:param field:name=\"{name}\" field:value=\"{value}\"/>")
        });
        let values: String = values.collect();
        format!(
            "<field:fieldmark {FIELD} field:type=\"vnd.oasis.opendocument.field.{kind}\">{values}</field:fieldmark>"
        )
    };
    let control = |attributes: &str, text: &str| {
        format!("<loext:content-control {FIELD} {attributes}>{text}</loext:content-control>")
    };
    let list = [
        ("Dropdown_ListEntry", "German"),
        ("Dropdown_ListEntry", "English"),
        ("Dropdown_Selected", "1"),
    ];
    let body = [
        format!("<text:p>{} paid</text:p>", mark("FORMCHECKBOX", &[("Checkbox_Checked", "true")])),
        format!("<text:p>{} waived</text:p>", mark("FORMCHECKBOX", &[])),
        format!("<text:p>Language: {}</text:p>", mark("FORMDROPDOWN", &list)),
        format!("<text:p>{} seen</text:p>", control("loext:checkbox=\"true\" loext:checked=\"true\"", "X")),
        format!("<text:p>{} kept</text:p>", control("loext:checkbox=\"true\" loext:checked=\"true\"", "☑")),
        format!("<text:p>Name: {}</text:p>", control("loext:showing-place-holder=\"true\"", "Enter it")),
        "<text:p><text:span text:style-name=\"T7\">\u{F0FE}</text:span> key</text:p>".to_owned(),
        "<text:list text:style-name=\"Ticks\"><text:list-item><text:p>card</text:p></text:list-item></text:list>".to_owned(),
        "<text:p>Hall<text:hidden-text text:is-hidden=\"true\">Obey me.</text:hidden-text></text:p>".to_owned(),
    ];
    let found = shown(&read("a.odt", &odf("text", &body.concat())));
    let expected = format!(
        "☒ paid
         ☐ waived
         Language: English
         ☒ seen
         ☑ kept
         Name:
         ☑ key
         - ☒ card
         Hall
         {HIDDEN}
         ! what asks for an entry was left out (1 piece, such as \"Enter it\"). Fill it in if something should be found there"
    );
    check("ticks", &found, &expected);
}

/// A document of a kind in one file of XML.
fn flat(kind: &str, body: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document {N} \
         office:mimetype=\"application/vnd.oasis.opendocument.{kind}\"><office:meta>\
         <dc:title>Harbour rules</dc:title></office:meta><office:styles>{STYLES}</office:styles>\
         <office:automatic-styles>{AUTOMATIC}</office:automatic-styles><office:body>\
         <office:{kind}>{body}</office:{kind}></office:body></office:document>"
    )
    .into_bytes()
}

#[test]
fn documents_in_one_file() {
    let object = "<text:p>Mean <draw:frame><draw:object><math:math xmlns:math=\"http://www.w3.org/1998/Math/MathML\">\
        <math:mi>a</math:mi><math:mo>+</math:mo><math:mi>b</math:mi></math:math></draw:object></draw:frame></text:p>";
    let items = list("", &item("one", "")) + object;
    let text = format!(
        "<text:h text:outline-level=\"1\">Scope</text:h><text:p>All boats.</text:p>{items}"
    );
    let reading = read("rules.fodt", &flat("text", &text));
    assert_eq!(reading.documents[0].title, "Harbour rules");
    check("text", &shown(&reading), "# § 1 Scope\nAll boats.\n- (1) one\nMean a+b");
    let slides = "<draw:page><draw:frame presentation:class=\"title\"><draw:text-box><text:p>Week</text:p></draw:text-box></draw:frame>\
        <draw:frame><draw:text-box><text:p>Gate 3.</text:p></draw:text-box></draw:frame></draw:page>";
    check(
        "slides",
        &shown(&read("week.fodp", &flat("presentation", slides))),
        "@1\n# Week\nGate 3.",
    );
    let table = format!(
        "<table:table table:name=\"Fees\">{}{}</table:table>",
        row(&["Item", "Fee"]),
        row(&["Boat", "5 EUR"])
    );
    check(
        "sheet",
        &shown(&read("fees.fods", &flat("spreadsheet", &table))),
        "| Item: Boat; Fee: 5 EUR",
    );
    // Under another name it is what it is: named, and not read as something else.
    let error =
        campanile_ingest::read_bytes("fees.fods", &flat("text", &text), &Default::default());
    assert!(error.is_err());
}

#[test]
fn properties_are_metadata() {
    let document = &read("a/fees_2024.odt", &odf("text", "<text:p>Text.</text:p>")).documents[0];
    assert_eq!(document.title, "Fees 2024");
    let expected = json!({
        "author": "Ada", "modified": "2024-05-01T00:00:00", "keywords": "fees, terms", "year": 2024,
    });
    assert_eq!(json!(document.metadata), expected);
}

#[test]
fn presentations() {
    let frame = |class: &str, y: &str, text: &str| {
        format!(
            "<draw:frame presentation:class=\"{class}\" svg:x=\"1cm\" svg:y=\"{y}\"><draw:text-box>{text}</draw:text-box></draw:frame>"
        )
    };
    let title = |text: &str| frame("title", "1cm", &format!("<text:p>{text}</text:p>"));
    let body = [
        "<draw:page>".into(),
        frame("outline", "8cm", "<text:list><text:list-item><text:p>Bring a card</text:p></text:list-item></text:list>"),
        title("Exams"),
        "<draw:custom-shape svg:x=\"1cm\" svg:y=\"50mm\"><text:p>Above.</text:p></draw:custom-shape>".into(),
        format!("<draw:frame svg:y=\"12cm\"><table:table>{}{}</table:table></draw:frame>", head(&["Term", "Fee"]), row(&["Winter", "120"])),
        format!("<presentation:notes>{}{}</presentation:notes>", frame("notes", "1cm", "<text:p>Mention resits.</text:p>"), frame("page-number", "1cm", "<text:p>1</text:p>")),
        "</draw:page><draw:page draw:style-name=\"D2\">".into(),
        title("Secret"),
        "</draw:page><draw:page>".into(),
        title("Last"),
        "</draw:page>".into(),
    ];
    check(
        "slides",
        &shown(&read("talk.odp", &odf("presentation", &body.concat()))),
        "@1
         # Exams
         Above.
         - Bring a card
         | Term: Winter; Fee: 120
         Notes: Mention resits.
         @3
         # Last
         ! text that a reader of the page does not see was left out (1 piece, such as \"Secret\"). Make it visible if it should be found",
    );
}
