//! Office documents, from the parts of a file to headings, blocks, tables and findings.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod bombs;
mod docx;
mod hostile;
mod odf;
mod ods;
mod pictures;
mod pptx;
mod programs;
#[path = "../support/mod.rs"]
mod support;

/// Compares what a document shows with the lines expected, white space at their ends aside.
fn check(name: &str, found: &str, expected: &str) {
    let lines: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, lines.join("\n"), "{name}:\n{found}");
}
