//! The properties that a PDF states about itself.

use std::collections::BTreeMap;

use hayro_syntax::metadata::Metadata;
use hayro_syntax::object::DateTime;
use serde_json::Value;

use super::text_string::text_string;
use crate::report::Report;
use crate::sanitize::clean_line;

/// The title, unless it is what a program wrote there by itself.
pub(super) fn title(info: &Metadata, report: &mut Report) -> Option<String> {
    let title = clean_line(&text_string(info.title.as_deref()?), report);
    (!is_junk(&title)).then_some(title)
}

/// Names of files, of programs and of nothing.
fn is_junk(title: &str) -> bool {
    const PROGRAMS: [&str; 9] = [
        "microsoft word",
        "microsoft powerpoint",
        "microsoft excel",
        "powerpoint-pr",
        "powerpoint p",
        "untitled",
        "unbenannt",
        "(anonymous)",
        "slide 1",
    ];
    const KINDS: [&str; 16] = [
        ".doc", ".docx", ".pdf", ".odt", ".rtf", ".tex", ".dvi", ".txt", ".xls", ".xlsx", ".ppt",
        ".pptx", ".indd", ".qxd", ".cdr", ".pub",
    ];
    let lower = title.to_lowercase();
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let is_one_word = !title.contains(char::is_whitespace);
    letters < 3
        || PROGRAMS.iter().any(|program| lower.starts_with(program))
        || KINDS.iter().any(|kind| lower.ends_with(kind))
        || matches!(lower.as_str(), "document" | "dokument" | "title" | "titel" | "layout 1")
        || (is_one_word && title.contains(|c: char| c.is_ascii_digit() || c == '_'))
}

/// Author, subject, keywords and dates, as far as they are stated.
pub(super) fn metadata(
    info: &Metadata,
    pages: usize,
    report: &mut Report,
) -> BTreeMap<String, Value> {
    let mut metadata = BTreeMap::new();
    let texts =
        [("author", &info.author), ("subject", &info.subject), ("keywords", &info.keywords)];
    for (name, text) in texts {
        let text = text.as_deref().map(|text| clean_line(&text_string(text), report));
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            metadata.insert(name.to_owned(), Value::from(text));
        }
    }
    let dates = [("created", info.creation_date), ("modified", info.modification_date)];
    for (name, date) in dates {
        if let Some(date) = date {
            metadata.insert(name.to_owned(), Value::from(iso(date)));
        }
    }
    metadata.insert("pages".to_owned(), Value::from(pages));
    metadata
}

/// The day, as it was where the file was made.
fn iso(date: DateTime) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_programs_write_are_none() {
        let cases = [
            ("Microsoft Word - 4-AES-TeilzeitOrdnung.docx", true),
            ("handbook_final_v2", true),
            ("Ordnung.pdf", true),
            ("PowerPoint-Präsentation", true),
            ("", true),
            ("12.3", true),
            ("Untitled-1", true),
            ("Modulhandbuch", false),
            ("Ordnung für das Teilzeitstudium", false),
            ("Handbook 2024", false),
        ];
        for (title, expected) in cases {
            assert_eq!(is_junk(title), expected, "{title}");
        }
    }

    #[test]
    fn what_is_stated_is_kept() {
        let info = Metadata {
            author: Some(b"\xFE\xFF\0\xC4\0n\0n\0e".to_vec().into()),
            creation_date: Some(DateTime {
                year: 2025,
                month: 3,
                day: 31,
                hour: 23,
                minute: 59,
                second: 0,
                utc_offset_hour: 2,
                utc_offset_minute: 0,
            }),
            ..Metadata::default()
        };
        let found = metadata(&info, 3, &mut Report::default());
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(found, ["author=\"Änne\"", "created=\"2025-03-31\"", "pages=3"]);
    }
}
