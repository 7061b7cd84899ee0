//! What a mail consists of: who wrote it when about what, its texts, and the files within it.

use std::borrow::Cow;

use super::lines::plain_subject;
use super::mime::{Entity, Stated};
use crate::inline::shortened;

/// Parts within parts, and mails within mails.
const DEEPEST: usize = 10;
/// Parts of one mail. A digest of a list has some hundred.
const MOST_PARTS: usize = 2_000;
/// The longest name of a file within a mail, in characters.
const NAME_CHARS: usize = 120;
/// Months as RFC 5322 has them, in every language.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

#[derive(Debug, Default)]
pub(super) struct Letter<'m> {
    /// Without what answering puts in front of it.
    pub(super) subject: String,
    /// The name of who wrote it; an address alone is none.
    pub(super) author: Option<String>,
    /// The day on which it was written: `2026-01-07`.
    pub(super) date: Option<String>,
    /// It was deleted, and its program has not taken it out of the file yet.
    pub(super) is_deleted: bool,
    pub(super) texts: Vec<LetterText<'m>>,
    pub(super) files: Vec<LetterFile<'m>>,
}

/// A text of a mail.
#[derive(Debug)]
pub(super) enum LetterText<'m> {
    /// `is_flowed`: a blank at the end of a line says that the line goes on.
    Plain {
        text: String,
        is_flowed: bool,
    },
    Page(String),
    Letter(Box<Letter<'m>>),
}

impl LetterText<'_> {
    fn has_words(&self) -> bool {
        match self {
            Self::Plain { text, .. } => text.contains(char::is_alphanumeric),
            Self::Page(source) => crate::html::lines(source).contains(char::is_alphanumeric),
            Self::Letter(_) => true,
        }
    }
}

/// A file within a mail.
#[derive(Debug)]
pub(super) struct LetterFile<'m> {
    pub(super) name: String,
    pub(super) bytes: Cow<'m, [u8]>,
}

impl<'m> Letter<'m> {
    pub(super) fn of(bytes: &'m [u8]) -> Self {
        let mut left = MOST_PARTS;
        Self::within(bytes, 0, &mut left)
    }

    fn within(bytes: &'m [u8], depth: usize, left: &mut usize) -> Self {
        let mail = Entity::of(bytes);
        let subject = mail.text("subject").unwrap_or_default();
        let status =
            mail.raw("x-mozilla-status").and_then(|bits| u32::from_str_radix(bits, 16).ok());
        let mut letter = Self {
            subject: plain_subject(&subject).to_owned(),
            author: mail.raw("from").and_then(author),
            date: mail.raw("date").and_then(day),
            // Thunderbird's mark of what is deleted.
            is_deleted: status.is_some_and(|bits| bits & 0x8 != 0),
            ..Self::default()
        };
        letter.add(&mail, depth, left);
        letter
    }

    /// Adds a part of the mail, with all parts in it.
    fn add(&mut self, part: &Entity<'m>, depth: usize, left: &mut usize) {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let kind = part.stated("content-type");
        let disposition = part.stated("content-disposition");
        let name = disposition.parameter("filename").or_else(|| kind.parameter("name"));
        let name = name.map(file_name).filter(|name| !name.is_empty());
        let is_file = disposition.value == "attachment";
        match kind.value.as_str() {
            _ if depth > DEEPEST => {}
            "multipart/alternative" if !is_file => self.add_best(part, &kind, depth, left),
            value if value.starts_with("multipart/") => {
                let boundary = kind.parameter("boundary").unwrap_or_default();
                for bytes in part.parts(boundary) {
                    self.add(&Entity::of(bytes), depth + 1, left);
                }
            }
            "message/rfc822" if !is_file || name.is_none() => {
                // Its bytes are those of this mail wherever they are not packed, which the standard forbids.
                if let Cow::Borrowed(bytes) = part.content() {
                    let letter = Self::within(bytes, depth + 1, left);
                    self.texts.push(LetterText::Letter(Box::new(letter)));
                }
            }
            "text/html" if !is_file => self.texts.push(LetterText::Page(part.body_text())),
            "text/plain" | "" if !is_file && name.is_none() => {
                let flowed = kind.parameter("format");
                let is_flowed = flowed.is_some_and(|format| format.eq_ignore_ascii_case("flowed"));
                self.texts.push(LetterText::Plain { text: part.body_text(), is_flowed });
            }
            value => self.add_file(part, value, name),
        }
    }

    fn add_file(&mut self, part: &Entity<'m>, kind: &str, name: Option<String>) {
        // A signature that programs check says nothing to readers; a picture with a name of its own stands in the text.
        let is_check = kind.ends_with("-signature");
        let is_shown = kind.starts_with("image/") && part.raw("content-id").is_some();
        let is_status = matches!(kind, "message/delivery-status" | "text/rfc822-headers");
        if is_check || is_shown || is_status {
            return;
        }
        let unnamed = match kind {
            "text/calendar" => "invitation.ics".to_owned(),
            kind => format!("unnamed ({})", shortened(kind, NAME_CHARS)),
        };
        let name = name.unwrap_or(unnamed);
        self.files.push(LetterFile { name, bytes: part.content() });
    }

    /// Of several forms of one text the richest, which stands last, that has words.
    fn add_best(&mut self, part: &Entity<'m>, kind: &Stated, depth: usize, left: &mut usize) {
        let mut best = Self::default();
        for bytes in part.parts(kind.parameter("boundary").unwrap_or_default()).into_iter().rev() {
            let mut form = Self::default();
            form.add(&Entity::of(bytes), depth + 1, left);
            best.files.append(&mut form.files);
            if form.texts.iter().any(LetterText::has_words) {
                best.texts = form.texts;
                break;
            }
        }
        self.texts.append(&mut best.texts);
        self.files.append(&mut best.files);
    }
}

/// The first page of HTML in a saved web page, and the address that it was saved from.
pub(super) fn saved_page(bytes: &[u8]) -> Option<(String, Option<String>)> {
    fn page(part: &Entity<'_>, depth: usize) -> Option<String> {
        let kind = part.stated("content-type");
        if kind.value.starts_with("multipart/") && depth < DEEPEST {
            let parts = part.parts(kind.parameter("boundary")?);
            return parts.into_iter().find_map(|part| page(&Entity::of(part), depth + 1));
        }
        (kind.value == "text/html").then(|| part.body_text())
    }
    let archive = Entity::of(bytes);
    let address = archive.raw("snapshot-content-location").map(str::to_owned);
    Some((page(&archive, 0)?, address.filter(|address| address.starts_with("http"))))
}

/// The name in `"Office, Exams" <exams@example.edu>`.
fn author(from: &str) -> Option<String> {
    let name = from.split('<').next().unwrap_or_default();
    let name = super::mime::decoded_words(name.trim().trim_matches('"'));
    // The older form: `exams@example.edu (Office)`.
    let remark = || Some(from.split_once('(')?.1.split_once(')')?.0.trim().to_owned());
    let is_name = |name: &String| !name.is_empty() && !name.contains('@');
    Some(name).filter(is_name).or_else(|| remark().filter(is_name))
}

/// The day in `Wed, 7 Jan 2026 09:12:33 +0100`, as the sender's clock had it.
fn day(date: &str) -> Option<String> {
    let words: Vec<&str> =
        date.split([' ', ',', '\t', '-']).filter(|word| !word.is_empty()).collect();
    words.windows(3).find_map(|words| {
        let [day, month, year] = words else { return None };
        let day: u32 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
        let month = month.to_ascii_lowercase();
        let month = MONTHS.iter().position(|own| month.starts_with(own))? + 1;
        let year: u32 = year.parse().ok()?;
        // Two digits as RFC 5322 (4.3) takes them.
        let year = match year {
            0..50 => year + 2000,
            50..100 => year + 1900,
            year => year,
        };
        (1970..10_000).contains(&year).then(|| format!("{year}-{month:02}-{day:02}"))
    })
}

/// A name without folders and signs that no file has.
fn file_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = name.chars().filter(|c| !c.is_control() && *c != '#').collect();
    let kept = kept.trim();
    match kept.char_indices().nth_back(NAME_CHARS) {
        // The end, which says the kind.
        Some((cut, _)) => kept.get(cut..).unwrap_or_default().to_owned(),
        None => kept.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{author, day, file_name};

    #[test]
    fn fields_of_heads_are_read() {
        for (date, expected) in [
            ("Wed, 7 Jan 2026 09:12:33 +0100 (CET)", Some("2026-01-07")),
            ("7 January 2026", Some("2026-01-07")),
            ("Thu, 01 Oct 98 10:00 GMT", Some("1998-10-01")),
            ("Mon 05-May-2025 10:00", Some("2025-05-05")),
            ("yesterday", None),
            ("45 Jan 2026", None),
        ] {
            assert_eq!(day(date).as_deref(), expected, "{date}");
        }
        for (from, expected) in [
            ("\"Office, Exams\" <exams@example.edu>", Some("Office, Exams")),
            ("=?utf-8?q?Pr=C3=BCfungsamt?= <exams@example.edu>", Some("Prüfungsamt")),
            ("exams@example.edu (Exams)", Some("Exams")),
            ("exams@example.edu", None),
            ("\"exams@example.edu\" <exams@example.edu>", None),
        ] {
            assert_eq!(author(from).as_deref(), expected, "{from}");
        }
        assert_eq!(file_name("C:\\a\\b#c.pdf"), "bc.pdf");
        assert!(file_name(&format!("{}.pdf", "ü".repeat(500))).ends_with("ü.pdf"));
    }
}
