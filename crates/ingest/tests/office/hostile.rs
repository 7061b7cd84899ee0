//! Files that are broken, disguised or made to do harm.

use campanile_corpus::Document;
use campanile_ingest::{IngestError, IngestOptions, Trouble, read_bytes};
use proptest::prelude::*;

use crate::docx::docx;
use crate::odf::odf;
use crate::pptx::{pptx, slide, title};
use crate::support::{package, start, zipped};

const PATHS: [&str; 4] = ["a/x.docx", "a/x.pptx", "a/x.odt", "a/x.odp"];

pub fn error(path: &str, bytes: &[u8]) -> IngestError {
    read_bytes(path, bytes, &IngestOptions::default()).unwrap_err()
}

/// A compound file, as far as anybody looks at it, with the name of a stream.
fn compound(stream: &str) -> Vec<u8> {
    let mut bytes = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    bytes.resize(512, 0);
    bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

fn with_main(main: &[u8]) -> Vec<u8> {
    let [types, links] = start("word/document.xml", "wordprocessingml.document");
    zipped(&[
        (types.0, types.1.as_bytes()),
        (links.0, links.1.as_bytes()),
        ("word/document.xml", main),
    ])
}

#[test]
fn what_is_no_such_document_is_named() {
    let good = docx("<w:p><w:r><w:t>Text.</w:t></w:r></w:p>");
    let encrypted = package(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "META-INF/manifest.xml",
            "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">\
            <manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
        ),
        ("content.xml", "\u{1}\u{2}"),
    ]);
    let deep = format!("<w:document>{}", "<w:p>".repeat(100_000));
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><x>&b;</x>";
    let calc = package(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet")]);
    let mut many: Vec<(String, &[u8])> = (0..20_001).map(|n| (format!("p{n}"), &b""[..])).collect();
    many.push(("mimetype".into(), b"x"));
    let many: Vec<_> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    // The path, the bytes and what the message must hold.
    let cases: &[(&str, Vec<u8>, &[&str])] = &[
        ("a/x.docx", Vec::new(), &["looks like nothing", "empty"]),
        ("a/x.docx", b"%PDF-1.7\n...".to_vec(), &["PDF"]),
        ("a/x.docx", b"{\\rtf1 Hello}".to_vec(), &["rich text", "`.docx`"]),
        ("a/x.docx", b"<?xml version='1.0'?><w/>".to_vec(), &["XML"]),
        ("a/x.docx", "Übung".into(), &["plain text", "`.txt`"]),
        ("a/x.docx", vec![1, 2, 3, 0xFF], &["no office document"]),
        ("a/x.docx", compound("WordDocument"), &["97 to 2003", "`.doc`", "save it as `.docx`"]),
        ("a/x.pptx", compound("PowerPoint Document"), &["`.ppt`", "save it as `.pptx`"]),
        ("a/x.docx", compound("EncryptedPackage"), &["is encrypted", "without a password"]),
        ("a/x.odt", encrypted, &["is encrypted"]),
        ("a/x.odt", calc, &["`content.xml`", "it is missing"]),
        ("a/x.docx", package(&[("notes.txt", "hi")]), &["a zip archive", "unpack"]),
        ("a/x.docx", good[..good.len() - 30].to_vec(), &["no sound office file", "list of parts"]),
        ("a/x.docx", with_main(b"<w:document><w:body>"), &["`word/document.xml`", "ends inside"]),
        ("a/x.docx", with_main(b"<w:document>\xFF\xFE</w:document>"), &["0xFF", "offset 12"]),
        ("a/x.docx", with_main(b"<w:document>\0</w:document>"), &["NUL", "offset 12"]),
        ("a/x.docx", with_main(laughs.as_bytes()), &["document type"]),
        ("a/x.docx", with_main(deep.as_bytes()), &["nested 257 elements deep"]),
        ("a/x.docx", zipped(&many), &["more than 20000 parts"]),
    ];
    for (path, bytes, parts) in cases {
        let message = error(path, bytes).to_string();
        for part in std::iter::once(path).chain(*parts) {
            assert!(message.contains(*part), "{part:?} in {message:?}");
        }
    }
}

#[test]
fn a_file_of_another_kind_is_read_as_what_it_is() {
    let word = docx("<w:p><w:r><w:t>Text.</w:t></w:r></w:p>");
    let cases: [(&str, Vec<u8>, &str, &str); 5] = [
        ("a/x.docx", b"\xEF\xBB\xBF<!DOCTYPE html><p>Text.".to_vec(), "Text.", "an HTML page"),
        ("a/x.pptx", word.clone(), "Text.", "a Word document"),
        ("a/x.txt", word, "Text.", "a Word document"),
        ("a/x.docx", pptx(&[slide(title("Talk"))]), "Talk", "a PowerPoint presentation"),
        ("a/x.docx", odf("text", "<text:p>Text.</text:p>"), "Text.", "an OpenDocument text"),
    ];
    for (path, bytes, text, found) in cases {
        let reading = read_bytes(path, &bytes, &IngestOptions::default()).unwrap();
        assert_eq!(reading.documents[0].text, text, "{path}");
        let message = reading.findings[0].to_string();
        assert!(message.contains(found) && message.contains("despite its name"), "{message}");
    }
}

/// One sound file of each format.
fn samples() -> [(&'static str, Vec<u8>); 4] {
    [
        (
            "a/x.docx",
            docx("<w:p><w:r><w:t>Text.</w:t></w:r></w:p><w:tbl><w:tr><w:tc/></w:tr></w:tbl>"),
        ),
        ("a/x.pptx", pptx(&[slide(title("Talk"))])),
        (
            "a/x.odt",
            odf("text", "<text:h text:outline-level=\"1\">Scope</text:h><text:p>Text.</text:p>"),
        ),
        ("a/x.odp", odf("presentation", "<draw:page/>")),
    ]
}

fn ends_well(path: &str, bytes: &[u8]) {
    match read_bytes(path, bytes, &IngestOptions::default()) {
        Ok(reading) => {
            assert_eq!(reading.documents.len(), 1);
            reading.documents.iter().for_each(sound);
        }
        Err(IngestError::Document { trouble: Trouble::ReaderFailed(reason), .. }) => {
            panic!("{path}: {reason}")
        }
        Err(error) => assert!(error.to_string().contains(path), "{error}"),
    }
}

/// Asserts that spans lie in order and hold text.
fn sound(document: &Document) {
    let mut end = 0;
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        let text = block.span.slice(&document.text).unwrap();
        assert!(block.span.start >= end && !text.is_empty() && text.trim() == text, "{text:?}");
        end = block.span.end;
    }
    for link in &document.links {
        assert!(!link.span.slice(&document.text).unwrap().is_empty());
    }
    for table in &document.tables {
        assert!(!table.span().slice(&document.text).unwrap().is_empty());
    }
    assert!(!document.title.trim().is_empty());
}

/// Elements that mean something to one reader or another, in any order.
fn any_tree(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(names).prop_map(|name| format!("<{name}/>"));
    leaf.prop_recursive(6, 60, 5, move |inner| {
        let text = "[a-z é\u{e123}\u{202e}]{0,6}";
        (prop::sample::select(names), prop::collection::vec(inner, 0..5), text).prop_map(
            |(name, children, text)| {
                let end = name.split(' ').next().unwrap_or_default();
                format!("<{name}>{text}{}</{end}>", children.concat())
            },
        )
    })
}

const WORD: &[&str] = &[
    "w:p",
    "w:r",
    "w:t",
    "w:tbl",
    "w:tr",
    "w:tc",
    "w:tcPr",
    "w:pPr",
    "w:rPr",
    "w:vanish",
    "w:del",
    "w:ins",
    "w:gridSpan w:val=\"4000000000\"",
    "w:gridSpan w:val=\"3\"",
    "w:vMerge",
    "w:vMerge w:val=\"restart\"",
    "w:trPr",
    "w:tblHeader",
    "w:gridBefore w:val=\"4294967295\"",
    "w:pStyle w:val=\"berschrift1\"",
    "w:pStyle w:val=\"Beschriftung\"",
    "w:numPr",
    "w:numId w:val=\"1\"",
    "w:ilvl w:val=\"8\"",
    "w:ilvl w:val=\"99\"",
    "w:outlineLvl w:val=\"200\"",
    "w:fldChar w:fldCharType=\"begin\"",
    "w:fldChar w:fldCharType=\"separate\"",
    "w:fldChar w:fldCharType=\"end\"",
    "w:instrText",
    "w:footnoteReference w:id=\"2\"",
    "w:txbxContent",
    "w:drawing",
    "w:hyperlink r:id=\"rId5\"",
    "mc:AlternateContent",
    "mc:Choice",
    "w:sdt",
    "w:sdtContent",
    "m:oMath",
    "m:f",
    "w:br",
    "w:sym w:font=\"Symbol\" w:char=\"F061\"",
];

const OPEN: &[&str] = &[
    "text:p",
    "text:h text:outline-level=\"1\"",
    "text:h text:outline-level=\"200\"",
    "text:list",
    "text:list text:style-name=\"Numbers\" text:continue-numbering=\"true\"",
    "text:list-item",
    "text:list-item text:start-value=\"4294967295\"",
    "table:table",
    "table:table-row",
    "table:table-row table:number-rows-repeated=\"99999999\"",
    "table:table-cell",
    "table:table-cell table:number-columns-repeated=\"99999999\"",
    "table:table-cell table:number-columns-spanned=\"4294967295\" table:number-rows-spanned=\"9\"",
    "text:note",
    "text:note-body",
    "draw:frame",
    "draw:text-box",
    "draw:page",
    "draw:g",
    "presentation:notes",
    "draw:frame presentation:class=\"title\" svg:y=\"1e300cm\"",
    "text:span",
    "text:a xlink:href=\"x\"",
    "text:section text:display=\"none\"",
    "text:s",
    "text:line-break",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_end_in_a_named_error(bytes in prop::collection::vec(any::<u8>(), 0..300), zip: bool) {
        let bytes = if zip { [b"PK\x03\x04".to_vec(), bytes].concat() } else { bytes };
        PATHS.iter().for_each(|path| ends_well(path, &bytes));
    }

    #[test]
    fn cut_and_changed_files_end_well(
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    ) {
        for (path, mut bytes) in samples() {
            ends_well(path, &bytes[..cut.index(bytes.len())]);
            for (place, value) in &flips {
                let place = place.index(bytes.len());
                bytes[place] = *value;
            }
            ends_well(path, &bytes);
        }
    }

    #[test]
    fn any_elements_make_a_document(word in any_tree(WORD), open in any_tree(OPEN)) {
        let cases = [
            ("a/x.docx", docx(&word)),
            ("a/x.odt", odf("text", &open)),
            ("a/x.odp", odf("presentation", &format!("<draw:page>{open}</draw:page>"))),
        ];
        for (path, bytes) in cases {
            match read_bytes(path, &bytes, &IngestOptions::default()) {
                Ok(reading) => reading.documents.iter().for_each(sound),
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
