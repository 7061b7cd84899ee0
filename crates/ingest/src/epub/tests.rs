#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Cursor, Write as _};

use campanile_corpus::Document;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{IngestOptions, Reading, read_bytes};

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const CONTAINER: &str = "<?xml version=\"1.0\"?><container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\
    <rootfiles><rootfile full-path=\"OEBPS/book.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";

/// A book of these files below `OEBPS`, its spine and the rest of its package.
fn book(items: &str, spine: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let package = format!(
        "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
         <dc:title>Student handbook</dc:title><dc:language>en</dc:language><dc:date>2026-03-01</dc:date><dc:creator>Office</dc:creator>\
         <meta property=\"dcterms:modified\">2026-04-02T00:00:00Z</meta></metadata><manifest>{items}</manifest>{spine}</package>"
    );
    let mut parts = vec![
        ("mimetype".to_owned(), "application/epub+zip"),
        ("META-INF/container.xml".to_owned(), CONTAINER),
        ("OEBPS/book.opf".to_owned(), package.as_str()),
    ];
    parts.extend(files.iter().map(|(name, text)| (format!("OEBPS/{name}"), *text)));
    let parts: Vec<(&str, &str)> =
        parts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    zipped(&parts)
}

fn read(bytes: &[u8]) -> Reading {
    read_bytes("a/handbook.epub", bytes, &IngestOptions::default()).unwrap()
}

/// Headings with their levels, and the text.
fn outline(document: &Document) -> Vec<(u8, &str)> {
    document.sections.iter().map(|section| (section.level, section.heading.as_str())).collect()
}

const XHTML: &str = "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title/>\
    <link rel=\"stylesheet\" href=\"x.css\"/></head><body>";

fn page(body: &str) -> String {
    format!("{XHTML}{body}</body></html>")
}

#[test]
fn a_book_is_read_in_its_order_with_its_notes() {
    let nav = page(
        "<nav epub:type=\"toc\"><h1>Contents</h1><ol><li><a href=\"fees.xhtml\">Fees</a><ol><li><a href=\"late.xhtml\">Late fees</a></li></ol></li>\
         <li><a href=\"text/rooms%20b.xhtml#top\">Rooms</a></li></ol></nav>",
    );
    let fees = page(
        "<section><h1 id=\"t\">Fees</h1><a id=\"p3\"/><p>The fee is 120<a epub:type=\"noteref\" href=\"notes.xhtml#n1\">1</a> euros, see \
         <a href=\"late.xhtml\">below</a> or <a href=\"https://www.example.edu/\">the site</a>.</p>\
         <p>Pay at <span epub:type=\"pagebreak\" id=\"p4\">4</span>the desk.</p></section>",
    );
    let late = page("<h1>Late fees</h1><p>Ten euros a week.</p><script>x < 1</script>");
    let rooms = page("<p class=\"chapter\">In the main building.</p><div hidden=\"hidden\">Obey.");
    let notes =
        page("<aside epub:type=\"footnote\" id=\"n1\"><p>Half for part-time students.</p></aside>");
    let item = |id: &str, href: &str, more: &str| {
        format!("<item id=\"{id}\" href=\"{href}\" media-type=\"application/xhtml+xml\"{more}/>")
    };
    let items = [
        item("l", "late.xhtml", ""),
        item("f", "fees.xhtml", ""),
        item("r", "text/rooms%20b.xhtml", ""),
        item("n", "notes.xhtml", ""),
        item("nav", "nav.xhtml", " properties=\"nav\""),
        "<item id=\"c\" href=\"cover.png\" media-type=\"image/png\"/>".to_owned(),
    ];
    let spine = "<spine><itemref idref=\"c\"/><itemref idref=\"nav\"/><itemref idref=\"f\"/><itemref idref=\"l\"/><itemref idref=\"r\"/>\
        <itemref idref=\"n\" linear=\"no\"/><itemref idref=\"gone\"/></spine>";
    let files = [
        ("nav.xhtml", nav.as_str()),
        ("fees.xhtml", &fees),
        ("late.xhtml", &late),
        ("text/rooms b.xhtml", &rooms),
        ("notes.xhtml", &notes),
    ];
    let reading = read(&book(&items.concat(), spine, &files));
    let document = &reading.documents[0];
    assert_eq!(document.title, "Student handbook");
    assert_eq!(
        document.text,
        "Fees\n\nThe fee is 120 euros, see below or the site.\n\nHalf for part-time students.\n\nPay at the desk.\n\nLate fees\n\nTen euros a week.\n\n\
         Rooms\n\nIn the main building."
    );
    assert_eq!(outline(document), [(1, "Fees"), (2, "Late fees"), (1, "Rooms")]);
    assert_eq!(document.metadata["language"], "en");
    assert_eq!(document.metadata["date"], "2026-03-01");
    assert_eq!(document.metadata["modified"], "2026-04-02T00:00:00Z");
    assert_eq!(document.metadata["author"], "Office");
    let targets: Vec<&str> = document.links.iter().map(|link| link.target.as_str()).collect();
    assert_eq!(targets, ["https://www.example.edu/"]);
    assert!(document.sections.iter().all(|section| section.anchor.is_none()));
    let told: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains("Obey.")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("table of contents of 3 lines")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("1 page number")), "{told:?}");
}

#[test]
fn an_older_book_is_read_too() {
    let ncx = "<?xml version=\"1.0\"?><!DOCTYPE ncx PUBLIC \"-//NISO//DTD ncx 2005-1//EN\" \"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd\">\
        <ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\"><navMap><navPoint><navLabel><text>One</text></navLabel><content src=\"one.html#x\"/>\
        <navPoint><navLabel><text>Two</text></navLabel><content src=\"two.html\"/></navPoint></navPoint></navMap></ncx>";
    let items = "<item id=\"a\" href=\"one.html\" media-type=\"application/xhtml+xml\"/><item id=\"b\" href=\"two.html\" media-type=\"application/xhtml+xml\"/>\
        <item id=\"t\" href=\"toc.html\" media-type=\"application/xhtml+xml\"/><item id=\"x\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>";
    let spine = "<spine toc=\"x\"><itemref idref=\"t\"/><itemref idref=\"a\"/><itemref idref=\"b\"/></spine><guide><reference type=\"toc\" href=\"toc.html\"/></guide>";
    let files = [
        ("toc.ncx", ncx),
        ("toc.html", "<html><body><p>One</p><p>Two</p></body></html>"),
        ("one.html", "<html><body><p>First words.</p></body></html>"),
        (
            "two.html",
            "<html><body><h3>Two</h3><p>Second words.</p><h4>Below</h4><p>Third.</p></body></html>",
        ),
    ];
    let reading = read(&book(items, spine, &files));
    let document = &reading.documents[0];
    assert_eq!(document.text, "One\n\nFirst words.\n\nTwo\n\nSecond words.\n\nBelow\n\nThird.");
    assert_eq!(outline(document), [(1, "One"), (3, "Two"), (4, "Below")]);
}

#[test]
fn a_book_under_another_name_is_read() {
    let item = "<item id=\"a\" href=\"a.html\" media-type=\"application/xhtml+xml\"/>";
    let bytes = book(item, "<spine><itemref idref=\"a\"/></spine>", &[("a.html", "<p>Words.</p>")]);
    for name in ["a.zip.txt", "a.docx", "a.html"] {
        let reading = read_bytes(name, &bytes, &IngestOptions::default()).unwrap();
        assert_eq!(reading.documents[0].text, "Words.", "{name}");
        assert!(
            reading.findings[0].to_string().contains("e-book (EPUB)"),
            "{:?}",
            reading.findings
        );
    }
}

#[test]
fn books_that_cannot_be_read_say_why() {
    let item = "<item id=\"a\" href=\"a.html\" media-type=\"application/xhtml+xml\"/>";
    let spine = "<spine><itemref idref=\"a\"/></spine>";
    let lock = "<encryption><EncryptedData><EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#aes128-cbc\"/></EncryptedData></encryption>";
    let deep = format!("<html><body>{}", "<div>".repeat(5_000));
    let bomb = format!("<html><body><p>{}</p>", " ".repeat(3_000_000));
    let cases: &[(Vec<u8>, &str)] = &[
        (b"PK\x03\x04".to_vec(), "no sound EPUB file"),
        (Vec::new(), "looks like nothing"),
        (zipped(&[("mimetype", "application/epub+zip")]), "names no package"),
        (zipped(&[("META-INF/container.xml", CONTAINER)]), "`OEBPS/book.opf` is missing"),
        (
            zipped(&[("META-INF/container.xml", CONTAINER), ("META-INF/encryption.xml", lock)]),
            "is encrypted",
        ),
        (book("", "", &[]), "lists no pages"),
        (book(item, spine, &[("a.html", &deep)]), "nested"),
        (book(item, spine, &[("a.html", &bomb)]), "when it is unpacked"),
        (book("<!DOCTYPE a [<!ENTITY b \"c\">]>", spine, &[]), "document type"),
    ];
    let options = IngestOptions { max_inflated_bytes: 1_000_000, ..IngestOptions::default() };
    for (bytes, expected) in cases {
        let error = read_bytes("a/x.epub", bytes, &options).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("a/x.epub"), "{expected}: {error}");
    }
}
