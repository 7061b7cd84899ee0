//! Little files that would become large ones, and deep ones.

use std::time::{Duration, Instant};

use campanile_ingest::{IngestError, IngestOptions, Trouble, read_bytes};

use crate::docx::{docx, with_numbering};
use crate::hostile::error;
use crate::odf::odf;

/// A deflate stream of a thousand million spaces: one space, then copies of 258 bytes each.
fn spaces() -> Vec<u8> {
    const COPIES: usize = 1_000_000_000 / 258;
    let mut bits = Vec::new();
    // The last block, of fixed codes; a space is 0x50 there, in eight bits.
    bits.extend([1, 1, 0].into_iter().chain((0..8).rev().map(|bit| 0x50_u8 >> bit & 1)));
    // A copy of 258 bytes from one byte before.
    let copy = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    (0..16).for_each(|_| bits.extend(copy));
    let bytes: Vec<u8> = bits
        .chunks_exact(8)
        .map(|byte| byte.iter().rev().fold(0, |value, bit| value << 1 | bit))
        .collect();
    // Eight copies are thirteen whole bytes.
    let mut stream = bytes[..2].to_vec();
    stream.extend(bytes[2..15].repeat(COPIES / 8));
    stream
}

/// A zip file of one part that is deflated already, and says that it holds so many bytes.
fn raw(name: &str, deflated: &[u8], stated: u32) -> Vec<u8> {
    let length = u32::try_from(deflated.len()).unwrap().to_le_bytes();
    let name_length = u16::try_from(name.len()).unwrap().to_le_bytes();
    // Version, flags, method, time, date, checksum, sizes, lengths of name and extra field.
    let mut fields = vec![20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0, 0, 0, 0, 0];
    fields.extend([length, stated.to_le_bytes()].concat());
    fields.extend([name_length, [0, 0]].concat());
    let mut file = [b"PK\x03\x04", &fields[..], name.as_bytes(), deflated].concat();
    let directory = u32::try_from(file.len()).unwrap().to_le_bytes();
    let entry = [b"PK\x01\x02\x14\0", &fields[..], &[0; 14], name.as_bytes()].concat();
    let entry_length = u32::try_from(entry.len()).unwrap().to_le_bytes();
    file.extend(entry);
    file.extend([b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0][..]].concat());
    file.extend([entry_length, directory].concat());
    file.extend([0, 0]);
    file
}

#[test]
fn a_bomb_is_refused_at_once() {
    let spaces = spaces();
    assert!(spaces.len() < 7_000_000);
    for (stated, expected) in
        [(1_000_000_000, "more than 400.0 MB"), (10, "larger than its declared")]
    {
        let bomb = raw("mimetype", &spaces, stated);
        let begin = Instant::now();
        let message = error("a/x.odt", &bomb).to_string();
        assert!(message.contains(expected), "{message}");
        // It takes less than a millisecond; a busy machine may take longer.
        assert!(begin.elapsed() < Duration::from_secs(5), "{stated}: {:?}", begin.elapsed());
    }
}

#[test]
fn parts_count_together() {
    let options = IngestOptions { max_inflated_bytes: 2_000, ..IngestOptions::default() };
    let file = docx("<w:p><w:r><w:t>Text.</w:t></w:r></w:p>");
    let error = read_bytes("a.docx", &file, &options).unwrap_err();
    let IngestError::Document { trouble, .. } = error else { panic!("{error}") };
    assert!(matches!(trouble, Trouble::Inflated { limit_bytes: 2_000 }), "{trouble}");
}

#[test]
fn little_files_do_not_grow_large() {
    let long = "x".repeat(1_000_000);
    let styled = format!("<w:lvlText w:val=\"%1 {long}\"/>");
    let items = "<w:p><w:pPr><w:pStyle w:val=\"Paragraf\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
        .repeat(1_000);
    let row = "<table:table-row table:number-rows-repeated=\"100\"><table:table-cell table:number-columns-repeated=\"100\">\
        <text:p>abcdefgh</text:p></table:table-cell><table:table-cell><text:p>z</text:p></table:table-cell></table:table-row>";
    let tables = format!("<table:table>{row}</table:table>").repeat(1_000);
    let cases = [
        ("a/x.docx", docx(&items).to_vec(), 100_000),
        ("a/x.docx", with_numbering(&items, &styled), 200_000),
        ("a/x.odt", odf("text", &tables), 1_000_000),
    ];
    for (path, bytes, most) in cases {
        let reading = read_bytes(path, &bytes, &IngestOptions::default()).unwrap();
        let found = reading.documents[0].text.len();
        assert!(found > 1_000 && found < most, "{path}: {found} bytes");
    }
}

#[test]
fn deep_documents_are_read_within_the_limit() {
    let nested = |name: &str, times: usize, inner: &str| {
        format!(
            "{}{inner}{}",
            format!("<{name}>").repeat(times),
            format!("</{name}>").repeat(times)
        )
    };
    let run = "<w:r><w:t>Deep.</w:t></w:r>";
    let tables = (0..75).fold(format!("<w:p>{run}</w:p>"), |inner, _| {
        format!("<w:tbl><w:tr><w:tc>{inner}</w:tc></w:tr></w:tbl>")
    });
    let cases = [
        ("a/x.docx", docx(&format!("<w:p>{}</w:p>", nested("w:smartTag", 230, run)))),
        ("a/x.docx", docx(&tables)),
        ("a/x.docx", docx(&nested("w:customXml", 230, &format!("<w:p>{run}</w:p>")))),
        (
            "a/x.odt",
            odf("text", &format!("<text:p>{}</text:p>", nested("text:span", 230, "Deep."))),
        ),
        ("a/x.odt", odf("text", &nested("text:section", 230, "<text:p>Deep.</text:p>"))),
    ];
    for (path, bytes) in cases {
        let reading = read_bytes(path, &bytes, &IngestOptions::default()).unwrap();
        assert_eq!(reading.documents[0].text, "Deep.");
    }
}
