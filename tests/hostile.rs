//! Files that nobody should have to read: each ends in a named error or a good result, and the
//! build goes on.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use support::{campanile, folder, text};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// How a file ends.
enum End {
    /// Not read; the message holds this.
    Named(&'static str),
    /// Read; the first source for the question is this file.
    Found(&'static str),
    /// Read or refused, whichever; nothing hangs.
    Either,
}
use End::{Either, Found, Named};

/// A zip file of these parts.
fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn docx(document: &[u8]) -> Vec<u8> {
    let types = br#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
    let rels = br#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
    zipped(&[
        ("[Content_Types].xml", types),
        ("_rels/.rels", rels),
        ("word/document.xml", document),
    ])
}

fn word(body: &str) -> Vec<u8> {
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>"#
    );
    docx(document.as_bytes())
}

fn epub(page: &[u8]) -> Vec<u8> {
    let container =
        br#"<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>"#;
    let package = br#"<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>"#;
    zipped(&[("META-INF/container.xml", container), ("book.opf", package), ("a.xhtml", page)])
}

/// A PDF of `pages` pages with a line of text each.
fn pdf(pages: usize) -> Vec<u8> {
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    let mut object = |out: &mut String, content: &str| {
        offsets.push(out.len());
        let _ok = write!(out, "{} 0 obj\n{content}\nendobj\n", offsets.len());
    };
    object(&mut out, "<< /Type /Catalog /Pages 2 0 R >>");
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
    object(&mut out, &format!("<< /Type /Pages /Count {pages} /Kids [{kids}] >>"));
    object(&mut out, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    for page in 0..pages {
        let content = 5 + 2 * page;
        object(
            &mut out,
            &format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F 3 0 R >> >> /Contents {content} 0 R >>"
            ),
        );
        let stream = format!("BT /F 12 Tf 20 100 Td (Locker {page} belongs to the porter.) Tj ET");
        object(&mut out, &format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    let start = out.len();
    let count = offsets.len() + 1;
    let _ok = write!(out, "xref\n0 {count}\n0000000000 65535 f \n");
    for offset in &offsets {
        let _ok = writeln!(out, "{offset:010} 00000 n ");
    }
    let _ok = write!(out, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
    out.into_bytes()
}

fn cases() -> Vec<(&'static str, Vec<u8>, End)> {
    let whole = word("<w:p><w:r><w:t>The sauna opens at five.</w:t></w:r></w:p>");
    let cut = whole[..whole.len() / 2].to_vec();
    let bomb = docx(&vec![b' '; 1_000_000_000]);
    let deep_xml = word(&"<w:sdt><w:sdtContent>".repeat(100_000));
    let laughs = docx(
        br#"<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>"#,
    );
    let sheet_bomb = zipped(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.xml", &vec![b'\n'; 600_000_000]),
    ]);
    let ole = [&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..], &[0; 4_000]].concat();
    vec![
        ("cut.pdf", pdf(3)[..400].to_vec(), Either),
        ("empty.pdf", Vec::new(), Named("no PDF that can be read")),
        ("no-pages.pdf", pdf(0), Named("no pages")),
        ("long.pdf", pdf(10_000), Found("Whose is locker 1234?")),
        ("picture.pdf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Named("picture.pdf")),
        ("whole.docx", whole.clone(), Found("When does the sauna open?")),
        ("cut.docx", cut, Named("cut.docx")),
        ("bomb.docx", bomb, Named("bomb.docx")),
        ("deep.docx", deep_xml, Named("deep.docx")),
        ("laughs.docx", laughs, Named("laughs.docx")),
        ("locked.docx", ole.clone(), Named("locked.docx")),
        ("page.docx", b"<!doctype html><p>The pool is heated.</p>".to_vec(), Either),
        ("bomb.xlsx", sheet_bomb, Named("bomb.xlsx")),
        ("locked.xlsx", ole, Named("locked.xlsx")),
        ("other.pptx", whole, Either),
        ("deep.html", "<div>".repeat(300_000).into_bytes(), Named("nested")),
        ("deep.json", [vec![b'['; 200_000], vec![b']'; 200_000]].concat(), Named("deep.json")),
        ("broken.json", b"{\"a\": [1, 2".to_vec(), Named("broken.json")),
        ("lists.md", "- ".repeat(50_000).into_bytes(), Either),
        ("quotes.rst", " ".repeat(5_000).into_bytes(), Either),
        (
            "endless.ics",
            b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Open day\nDTSTART:20270101\n".to_vec(),
            Either,
        ),
        ("nul.txt", b"text\0text".to_vec(), Named("looks binary")),
        (
            "latin.txt",
            b"The Caf\xE9 Larkmere opens at noon.".to_vec(),
            Found("When does the Caf\u{e9} Larkmere open?"),
        ),
        (
            "rtl.md",
            "# כללים\n\nהספרייה נפתחת בשמונה בבוקר.\n".as_bytes().to_vec(),
            Found("הספרייה נפתחת"),
        ),
        (
            "emoji.md",
            "# Party 🎉\n\nThe 🎂 buffet opens at noon. 👩‍🔬 pay half.\n".as_bytes().to_vec(),
            Found("When does the buffet open?"),
        ),
        (
            "deep.eml",
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n".repeat(5_000).into_bytes(),
            Either,
        ),
        (
            "key.eml",
            b"Subject: Keys\nFrom: Desk <desk@example.edu>\n\nA cellar key costs 25 euros.\n"
                .to_vec(),
            Found("What does a cellar key cost?"),
        ),
        (
            "many.mbox",
            b"From a\nSubject: x\n\nx\n\n".repeat(20_001),
            Named("more than 20000 mails"),
        ),
        ("bomb.epub", epub(&vec![b' '; 600_000_000]), Named("bomb.epub")),
        (
            "book.epub",
            epub(b"<html><body><h1>Garden</h1><p>The garden gate shuts at dusk.</p></body></html>"),
            Found("When does the garden gate shut?"),
        ),
        ("cut.epub", epub(b"x")[..200].to_vec(), Named("cut.epub")),
        ("tables.adoc", "|===\n100*|a\n".repeat(10_000).into_bytes(), Either),
        ("quotes.org", "#+BEGIN_QUOTE\n".repeat(20_000).into_bytes(), Either),
        (
            "page.doc",
            b"<html><p>The attic is locked at six.</p>".to_vec(),
            Found("When is the attic locked?"),
        ),
        ("rows.csv", [&b"a,b\n"[..], &b",".repeat(200_000)].concat(), Either),
    ]
}

#[test]
fn every_hostile_file_ends_in_an_error_with_its_name_or_a_good_result() {
    let docs = folder(&[("good.md", "# Good\n\nThe office opens at nine.\n")]);
    let cases = cases();
    for (name, bytes, _) in &cases {
        fs::write(docs.path().join(name), bytes).unwrap();
    }
    let place = folder(&[]);
    let (site, report) = (place.path().join("site"), place.path().join("report"));
    let started = Instant::now();
    campanile(&[
        "build",
        text(docs.path()),
        "-o",
        text(&site),
        "--index-only",
        "--report",
        text(&report),
    ])
    .expect_code(3);
    assert!(started.elapsed() < Duration::from_secs(300), "{:?}", started.elapsed());
    let told: serde_json::Value = told(&report);
    let file = |name: &str| {
        let files = told["files"].as_array().unwrap();
        let found = files.iter().find(|file| file["path"] == name);
        found.expect("every file is told of")
    };
    for (name, _, end) in &cases {
        let file = file(name);
        match end {
            Either => {}
            Named(words) => {
                assert_eq!(file["is_read"], false, "{name}: {file:#}");
                let message = file["remarks"][0]["message"].as_str().unwrap();
                assert!(message.contains(name) && message.contains(words), "{name}: {message}");
                assert!(!message.contains("made its reader fail"), "{name}: {message}");
            }
            Found(question) => {
                assert_eq!(file["is_read"], true, "{name}: {file:#}");
                let reply =
                    campanile(&["ask", text(&site), question, "--json"]).expect_code(0).json();
                let sources = reply["sources"].as_array().unwrap();
                let found = sources.iter().any(|source| source["document"] == *name);
                assert!(found, "{name} is not among the sources for {question}: {reply:#}");
            }
        }
    }
    assert_eq!(file("good.md")["is_read"], true);
    let long = file("long.pdf")["remarks"].to_string();
    assert!(long.contains("2000") || long.contains("2,000"), "{long}");
}

fn told(report: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(report.join("report.json")).unwrap()).unwrap()
}
