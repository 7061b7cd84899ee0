//! Bytes that mean harm, or nothing: each ends in a document or in a named error, and soon.

use std::time::{Duration, Instant};

use campanile_ingest::{IngestOptions, read_bytes};
use proptest::prelude::*;

use crate::support::{Page, Pdf};

/// Far more than any of these files needs, even where everything is slow.
const LONGEST: Duration = Duration::from_secs(20);

fn sample() -> Vec<u8> {
    let page = Page::new()
        .bold(50.0, 60.0, 16.0, "Rules of the department")
        .lines(50.0, 100.0, 10.0, &["One line of text that is read,", "and another one after it."])
        .grid(&[50.0, 150.0, 250.0], &[150.0, 170.0, 190.0])
        .text(55.0, 164.0, 10.0, "Module")
        .text(155.0, 184.0, 10.0, "6")
        .link([50.0, 95.0, 200.0, 105.0], "https://x.edu");
    let pdf = Pdf::new([page.clone(), page]);
    let first = pdf.next_object();
    pdf.info("/Title (Rules)")
        .catalog(&format!("/Outlines {first} 0 R /PageLabels << /Nums [0 << /S /r >>] >>"))
        .object(&format!("<< /First {} 0 R >>", first + 1))
        .object("<< /Title (Rules) /Dest [6 0 R /Fit] >>")
        .bytes()
}

fn check(bytes: &[u8]) {
    let start = Instant::now();
    match read_bytes("a/x.pdf", bytes, &IngestOptions::default()) {
        Ok(reading) => {
            let document = &reading.documents[0];
            let text = &document.text;
            for section in &document.sections {
                for block in &section.blocks {
                    let own = block.span.slice(text).unwrap();
                    assert!(!own.is_empty() && own.trim() == own);
                }
            }
            for link in &document.links {
                assert!(!link.span.slice(text).unwrap().is_empty());
            }
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("`a/x.pdf`"), "{message}");
            // A fault of a library would be named like this.
            assert!(!message.contains("made its reader fail"), "{message}");
        }
    }
    assert!(start.elapsed() < LONGEST, "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_behind_a_header(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
        let mut headed = b"%PDF-1.7\n".to_vec();
        headed.extend(bytes);
        check(&headed);
    }

    #[test]
    fn a_file_cut_anywhere(share in 0.0_f64..1.0) {
        let bytes = sample();
        let end = (share * bytes.len() as f64) as usize;
        check(&bytes[..end]);
        check(&bytes[end..]);
    }

    #[test]
    fn a_file_with_bytes_changed(
        changes in prop::collection::vec((0.0_f64..1.0, any::<u8>()), 1..30),
    ) {
        let mut bytes = sample();
        for (place, byte) in changes {
            let at = (place * bytes.len() as f64) as usize;
            bytes[at] = byte;
        }
        check(&bytes);
    }

    #[test]
    fn a_file_with_numbers_changed(
        changes in prop::collection::vec((0.0_f64..1.0, "-?[0-9]{1,11}(\\.[0-9]{1,3})?"), 1..12),
    ) {
        // Lengths, positions, sizes, counts: one number in the place of another.
        let mut text = String::from_utf8(sample()).unwrap();
        for (place, number) in changes {
            let at = (place * text.len() as f64) as usize;
            let digit = |c: char| c.is_ascii_digit();
            if let Some(start) = text[at..].find(digit).map(|start| at + start) {
                let length = text[start..].find(|c| !digit(c)).unwrap_or(0);
                text.replace_range(start..start + length, &number);
            }
        }
        check(text.as_bytes());
    }

    #[test]
    fn any_drawing(
        operators in prop::collection::vec((0_usize..OPERATORS.len(), prop::array::uniform6(-900.0_f64..900.0)), 0..40),
    ) {
        let mut page = Page::new();
        for (operator, numbers) in operators {
            let [a, b, c, d, e, f] = numbers;
            let text = OPERATORS[operator]
                .replace("6n", &format!("{a} {b} {c} {d} {e} {f}"))
                .replace("4n", &format!("{a} {b} {c} {d}"))
                .replace("2n", &format!("{a} {b}"))
                .replace("1n", &format!("{a}"));
            page = page.raw(&text);
        }
        check(&Pdf::new([page]).bytes());
    }
}

const OPERATORS: [&str; 20] = [
    "BT /F1 10 Tf 6n Tm (some text here) Tj ET",
    "BT /F2 10 Tf 2n Td (other) Tj ET",
    "BT /F1 1n Tf 2n Td [(a) 1n (b)] TJ ET",
    "6n cm",
    "q",
    "Q",
    "4n re f",
    "4n re S",
    "4n re W n",
    "2n m 2n l S",
    "1n w",
    "1n Tz",
    "1n Tc",
    "1n Ts",
    "/H1 BMC",
    "/Artifact BMC",
    "/Span << /ActualText (x) >> BDC",
    "EMC",
    "1 1 1 rg",
    "BT 3 Tr ET",
];

#[test]
fn a_page_full_of_lines_or_letters_is_read_in_time() {
    let mut ruled = String::new();
    for index in 0..8_000 {
        let at = f64::from(index % 700) + 0.37;
        ruled.push_str(&format!("{at} 10 m {at} 700 l S 10 {at} m 500 {at} l S\n"));
    }
    check(&Pdf::new([Page::new().raw(&ruled).text(50.0, 60.0, 10.0, "Among lines.")]).bytes());
    let mut letters = String::new();
    for index in 0..12_000 {
        let (x, y) = (f64::from(index % 300) * 2.0, f64::from(index / 300) * 7.4);
        letters.push_str(&format!("BT /F1 3 Tf 1 0 0 1 {x} {y} Tm (a) Tj ET\n"));
    }
    check(&Pdf::new([Page::new().raw(&letters)]).bytes());
}

#[test]
fn hundreds_of_pages_are_read_in_time() {
    let page = |number: usize| {
        Page::new().text(50.0, 30.0, 8.0, &format!("Page {number}")).text(50.0, 90.0, 10.0, "Text.")
    };
    check(&Pdf::new((1..200).map(page)).bytes());
}
