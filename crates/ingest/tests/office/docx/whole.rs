//! Titles, properties and forms of whole documents.

use campanile_ingest::Reading;
use serde_json::json;

use super::{docx, p, with_properties};
use crate::check;
use crate::support::{read, shown, start, zipped};

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
        let file = zipped(&[
            (types.0, types.1.as_bytes()),
            (links.0, links.1.as_bytes()),
            ("word\\document.xml", main),
        ]);
        let reading = read("a.docx", &file);
        assert_eq!(reading.documents[0].title, "Strict");
    }
}
