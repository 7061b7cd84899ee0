//! Mails (`.eml`), boxes of mails (`.mbox`) and web pages that were saved as mails are (`.mht`).
//!
//! A mail is a document: its subject is the title, its day the date. Of a text in several forms the one in HTML is read, by the
//! reader of pages. Words of other mails are quotations; in a box they are left out where the mail that they are from lies beside them.
//! Addresses and telephone numbers of signatures are left out unless a setting says so, and told in the report. Files within a
//! mail that have a reader become documents of their own, the others are named.
//!
//! The reader of the format (`mime`) is our own: see `docs/concepts/dependencies.md`.

mod html;
mod letter;
mod lines;
mod mime;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use campanile_corpus::{BlockKind, Document};
use serde_json::Value;

use crate::assemble::{Assembler, UniqueNames, title_from_path};
use crate::html::Layout;
use crate::inline::{InlineText, shortened};
use crate::kind::mismatch;
use crate::read::read_kind;
use crate::report::Report;
use crate::{IngestOptions, Kind, Noticed, Trouble, plain};
use html::PageLines;
use letter::{Letter, LetterFile, LetterText};
use lines::{MailLine, Part, Role, has_contact, roles, without_addresses};

/// Mails of one box that are read.
const MOST_MAILS: usize = 20_000;
/// Files of one mail that are read.
const MOST_FILES: usize = 50;
/// Words that stand together in two mails only where one has them from the other.
const SHINGLE_WORDS: usize = 6;
/// Such runs of words that are kept of one box; each takes some twenty bytes.
const MOST_SHINGLES: usize = 3_000_000;
/// The share of such runs by which a quotation is known, in per cent. An editor may have cut or mended a word.
const KNOWN_PERCENT: usize = 80;
/// The longest name of a mail in its box, in characters.
const NAME_CHARS: usize = 60;

type Documents = Vec<(Document, Report)>;

/// A mail, and the files in it.
pub(crate) fn read(path: &str, bytes: &[u8], options: &IngestOptions) -> Documents {
    let letter = Letter::of(without_count(bytes));
    documents(path, letter, &BTreeSet::new(), options)
}

/// Apple's program writes the length of the mail above it, and what it knows of it below.
fn without_count(bytes: &[u8]) -> &[u8] {
    let counted = || {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let count = std::str::from_utf8(bytes.get(..end)?).ok()?.trim().parse::<usize>().ok()?;
        let mail = bytes.get(end + 1..)?;
        Some(mail.get(..count).unwrap_or(mail))
    };
    counted().unwrap_or(bytes)
}

/// The mails of a box, each a document named after its day and its subject.
pub(crate) fn read_box(
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Documents, Trouble> {
    let mails = mails(bytes);
    if mails.len() > MOST_MAILS {
        return Err(Trouble::TooManyInside { what: "mails", limit: MOST_MAILS });
    }
    let (deleted, letters): (Vec<Letter<'_>>, Vec<Letter<'_>>) =
        mails.iter().map(|mail| Letter::of(mail)).partition(|letter| letter.is_deleted);
    let known = shingles_of(&letters);
    let mut names = UniqueNames::default();
    let mut found = Documents::new();
    for letter in letters {
        let name = names.take(name(&letter), 2);
        found.extend(documents(&format!("{path}#{name}"), letter, &known, options));
    }
    if found.is_empty() {
        found.push(Assembler::default().finish(path, title_from_path(path), None, BTreeMap::new()));
    }
    if let (Some(first), Some((_, report))) = (deleted.first(), found.first_mut()) {
        let subject = shortened(&first.subject, NAME_CHARS);
        let count = deleted.len();
        let what =
            format!("{count} mails that are deleted in their program, such as \"{subject}\"");
        report.notes.push(Noticed::MailParts(what).of(path));
    }
    Ok(found)
}

/// A web page that was saved with its pictures as the parts of a mail.
pub(crate) fn read_saved_page(path: &str, bytes: &[u8]) -> Result<(Document, Report), Trouble> {
    let (page, address) = letter::saved_page(bytes)
        .ok_or_else(|| Trouble::malformed("MHTML", "it holds no page of HTML"))?;
    let (mut document, report) = crate::html::read(path, &page)?;
    document.link = document.link.or(address);
    Ok((document, report))
}

/// The mails of a box. Each begins behind an empty line with `From `, and a line below that names a field.
fn mails(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut mails: Vec<Vec<u8>> = Vec::new();
    let mut is_after_blank = true;
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let names_field = |next: &&[u8]| {
            let end = next.iter().position(|byte| *byte == b':');
            let name = end.and_then(|end| std::str::from_utf8(next.get(..end)?).ok());
            name.is_some_and(mime::is_field_name)
        };
        let begins = is_after_blank && line.starts_with(b"From ");
        if begins && lines.peek().is_some_and(names_field) {
            mails.push(Vec::new());
            continue;
        }
        is_after_blank = line.trim_ascii().is_empty();
        // A line of the text that begins so was written with `>` in front.
        let marks = line.iter().take_while(|byte| **byte == b'>').count();
        let is_marked =
            marks > 0 && line.get(marks..).is_some_and(|rest| rest.starts_with(b"From "));
        let line = line.get(usize::from(is_marked)..).unwrap_or_default();
        match mails.last_mut() {
            Some(mail) => mail.extend_from_slice(line),
            // A single mail under the name of a box.
            None if !is_after_blank => mails.push(line.to_vec()),
            None => {}
        }
    }
    mails
}

/// `2026-01-07-fees`
fn name(letter: &Letter<'_>) -> String {
    let subject = letter.subject.to_lowercase();
    let words = subject.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = letter.date.as_deref().into_iter().chain(words);
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(NAME_CHARS).collect();
    let name = name.trim_end_matches('-');
    if name.is_empty() { "mail".to_owned() } else { name.to_owned() }
}

/// The document of a mail, and one for each file in it that has a reader.
fn documents(
    path: &str,
    mut letter: Letter<'_>,
    known: &BTreeSet<u64>,
    options: &IngestOptions,
) -> Documents {
    let files = std::mem::take(&mut letter.files);
    let title = Some(letter.subject.clone()).filter(|subject| !subject.is_empty());
    let title = title.unwrap_or_else(|| title_from_path(path));
    let mut metadata = BTreeMap::new();
    let date = letter.date.clone().map(Value::String);
    metadata.extend(date.clone().map(|date| ("date".to_owned(), date)));
    metadata.extend(letter.author.clone().map(|name| ("author".to_owned(), Value::String(name))));
    let mut writer = Writer { known, keeps_contacts: options.mail_signatures, ..Writer::new() };
    writer.letter(&letter, 1);
    let mut attached = Documents::new();
    for (number, file) in files.into_iter().enumerate() {
        let read = (number < MOST_FILES).then(|| within(path, &file, options)).flatten();
        match read {
            Some(documents) => attached.extend(documents),
            None => writer.assembler.report.files_within.push(file.name),
        }
    }
    for (document, _) in &mut attached {
        if let Some(date) = &date {
            document.metadata.entry("date".to_owned()).or_insert_with(|| date.clone());
        }
    }
    let Writer { mut assembler, left_out, .. } = writer;
    assembler.report.notes.extend(left_out.notes(path));
    let mut found = vec![assembler.finish(path, title, None, metadata)];
    // A mail that only hands on a file needs no warning of its own.
    if !attached.is_empty() && found.first().is_some_and(|(mail, _)| is_bare(mail)) {
        let (_, report) = found.remove(0);
        if let Some((_, first)) = attached.first_mut() {
            first.absorb(report);
        }
    }
    found.extend(attached);
    found
}

fn is_bare(document: &Document) -> bool {
    document.sections.iter().all(|section| section.blocks.is_empty())
}

/// The documents of a file within a mail; `None` for one that is not read.
fn within(path: &str, file: &LetterFile<'_>, options: &IngestOptions) -> Option<Documents> {
    let named = Kind::of(&file.name)?;
    let kind = match mismatch(named, &file.bytes) {
        None => named,
        Some(content) => content.kind?,
    };
    // A mail in a mail in a mail would go on without end.
    if matches!(kind, Kind::Mail | Kind::Mailbox) {
        return None;
    }
    read_kind(kind, &format!("{path}#{}", file.name), &file.bytes, options).ok()
}

/// Words that were left out of a mail.
#[derive(Debug, Default)]
struct LeftOut {
    contacts: Vec<String>,
    quoted: Vec<String>,
    pages: usize,
}

impl LeftOut {
    fn notes(self, path: &str) -> Vec<crate::Finding> {
        let such = |words: &[String]| {
            let count = words.len();
            let first = words.first().map(|line| shortened(line, NAME_CHARS));
            first.map(|first| (count, if count == 1 { "" } else { "s" }, first))
        };
        let contacts = such(&self.contacts).map(|(count, plural, first)| {
            format!(
                "{count} line{plural} of signatures and heads with addresses or telephone numbers (such as \"{first}\"). \
                 With `mail_signatures = true` in campanile.toml those of signatures are read"
            )
        });
        let quoted = such(&self.quoted).map(|(count, plural, first)| {
            format!("{count} quotation{plural} of mails that stand beside this one (such as \"{first}\")")
        });
        let pages = (self.pages > 0)
            .then(|| format!("{} texts in HTML that are nested too deep to be read", self.pages));
        let notes = [contacts, quoted, pages].into_iter().flatten();
        notes.map(|what| Noticed::MailParts(what).of(path)).collect()
    }
}

/// Writes one mail, with the mails in it.
struct Writer<'k> {
    assembler: Assembler,
    /// Runs of words of the other mails in the box.
    known: &'k BTreeSet<u64>,
    keeps_contacts: bool,
    left_out: LeftOut,
}

static NOTHING: BTreeSet<u64> = BTreeSet::new();

impl Writer<'_> {
    fn new() -> Self {
        Self {
            assembler: Assembler::default(),
            known: &NOTHING,
            keeps_contacts: false,
            left_out: LeftOut::default(),
        }
    }

    fn letter(&mut self, letter: &Letter<'_>, level: u8) {
        self.assembler.heading(level, InlineText::plain(letter.subject.as_str()), None);
        for text in &letter.texts {
            // What the text itself shows as headings stands below its subject.
            match text {
                LetterText::Letter(inner) => self.letter(inner, level.saturating_add(1)),
                LetterText::Plain { text, is_flowed } => {
                    self.assembler.deeper = level;
                    self.plain(&plain_lines(text, *is_flowed), &letter.subject);
                }
                LetterText::Page(source) => {
                    self.assembler.deeper = level;
                    self.page(source, &letter.subject);
                }
            }
            self.assembler.deeper = 0;
        }
        self.assembler
            .report
            .files_within
            .extend(letter.files.iter().map(|file| file.name.clone()));
    }

    fn plain(&mut self, lines: &[MailLine], subject: &str) {
        let mut roles = roles(lines, subject);
        self.keep(lines, &mut roles);
        let mut at = 0;
        while let Some(Role { is_quote, part }) = roles.get(at).copied() {
            let length = roles.iter().skip(at).take_while(|role| **role == Role { is_quote, part });
            let end = at + length.count();
            let own = lines.get(at..end).unwrap_or_default();
            let text = own.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
            at = end;
            let kind = if is_quote { BlockKind::Quote } else { BlockKind::Paragraph };
            match part {
                Part::Words if !is_quote => plain::read_into(&mut self.assembler, &text),
                Part::Words => {
                    for paragraph in text.split("\n\n") {
                        self.assembler.block(kind, InlineText::plain(plain::flowing(paragraph)));
                    }
                }
                Part::Attribution => {
                    let text = without_addresses(&text);
                    self.assembler.block(kind, InlineText::plain(text));
                }
                Part::Signature => self.assembler.block(kind, InlineText::plain(text.trim())),
                Part::Mark => {}
            }
        }
    }

    /// Leaves out what is not to be read: the roles of such lines become marks.
    fn keep(&mut self, lines: &[MailLine], roles: &mut [Role]) {
        for (line, role) in lines.iter().zip(roles.iter_mut()) {
            let is_contact = role.part == Part::Signature && has_contact(&line.text);
            if role.part == Part::Mark && line.text.contains(char::is_alphanumeric)
                || is_contact && !self.keeps_contacts
            {
                self.left_out.contacts.push(line.text.clone());
                role.part = Part::Mark;
            }
        }
        let mut at = 0;
        while at < roles.len() {
            let is_quote = |role: &Role| role.is_quote;
            let length = roles.iter().skip(at).take_while(|role| is_quote(role)).count();
            let own = lines.get(at..at + length).unwrap_or_default();
            let words: String = own
                .iter()
                .zip(roles.iter().skip(at))
                .filter(|(_, role)| role.part == Part::Words)
                .flat_map(|(line, _)| [line.text.as_str(), " "])
                .collect();
            if self.is_known(&words) {
                self.left_out.quoted.push(words);
                roles.iter_mut().skip(at).take(length).for_each(|role| role.part = Part::Mark);
            }
            at += length.max(1);
        }
    }

    /// Returns `true` if words stand in another mail of the box.
    fn is_known(&self, words: &str) -> bool {
        let shingles: Vec<u64> = shingles(words).collect();
        let known = shingles.iter().filter(|shingle| self.known.contains(shingle)).count();
        known > 0 && known * 100 >= shingles.len() * KNOWN_PERCENT
    }

    fn page(&mut self, source: &str, subject: &str) {
        let Ok(mut page) = crate::html::parse(source) else {
            self.left_out.pages += 1;
            return;
        };
        let found = PageLines::of(&page);
        let mut roles = roles(&found.lines, subject);
        self.keep(&found.lines, &mut roles);
        let is_marked = |at: usize| found.lines.get(at).is_none_or(|line| line.is_quote);
        let head = roles.iter().rposition(|role| role.part == Part::Mark && role.is_quote);
        // The head of another mail, below which nothing marks its words.
        if let Some(head) = head.filter(|head| !is_marked(*head)) {
            found.quote_after(&mut page, head);
        }
        for (at, role) in roles.iter().enumerate() {
            match (role.part, found.lines.get(at)) {
                (Part::Mark, _) => found.replace(&mut page, at, ""),
                (Part::Attribution, Some(line)) => {
                    found.replace(&mut page, at, &without_addresses(&line.text));
                }
                _ => {}
            }
        }
        let numbers = crate::html::list_numbers(&page);
        crate::html::write_numbers(&mut page, numbers, Layout::Text);
        crate::html::read_into(&mut self.assembler, &page, Layout::Text);
    }
}

/// The lines of a plain text, those of other mails without their marks.
fn plain_lines(text: &str, is_flowed: bool) -> Vec<MailLine> {
    let text = without_armour(text);
    let mut lines: Vec<MailLine> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_quote = line.starts_with('>');
        let own = if is_quote { line.trim_start_matches(['>', ' ']) } else { line };
        // A blank in front keeps a line from being taken for a mark (RFC 3676).
        let own = if is_flowed && !is_quote { own.strip_prefix(' ').unwrap_or(own) } else { own };
        let ends_open = is_flowed && own.ends_with(' ') && own.trim_end() != "--";
        match lines.last_mut().filter(|last| goes_on && last.is_quote == is_quote) {
            Some(last) => last.text.push_str(own),
            None => lines.push(MailLine { text: own.to_owned(), is_quote }),
        }
        goes_on = ends_open;
    }
    lines
}

/// A text without what OpenPGP puts around one that is signed.
fn without_armour(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let Some((before, signed)) = text.split_once("-----BEGIN PGP SIGNED MESSAGE-----\n") else {
        return text;
    };
    let signed = signed.split_once("\n\n").map_or(signed, |(_, signed)| signed);
    let (signed, rest) = signed.split_once("-----BEGIN PGP SIGNATURE-----").unwrap_or((signed, ""));
    let behind = rest.split_once("-----END PGP SIGNATURE-----").map_or("", |(_, behind)| behind);
    let signed = signed.replace("\n- -", "\n-");
    format!("{before}{signed}{behind}")
}

/// The runs of words of all mails that are their own.
fn shingles_of(letters: &[Letter<'_>]) -> BTreeSet<u64> {
    let mut known = BTreeSet::new();
    for letter in letters {
        for text in &letter.texts {
            let lines = match text {
                LetterText::Plain { text, is_flowed } => plain_lines(text, *is_flowed),
                LetterText::Page(source) => match crate::html::parse(source) {
                    Ok(page) => PageLines::of(&page).lines,
                    Err(_) => continue,
                },
                LetterText::Letter(_) => continue,
            };
            let roles = roles(&lines, &letter.subject);
            let own = lines.iter().zip(&roles).filter(|(_, role)| **role == Role::default());
            let words: String = own.flat_map(|(line, _)| [line.text.as_str(), " "]).collect();
            known.extend(shingles(&words).take(MOST_SHINGLES.saturating_sub(known.len())));
        }
    }
    known
}

/// Each run of words in a row, as a number. Fewer words than a run has are one run.
fn shingles(words: &str) -> impl Iterator<Item = u64> {
    let words = words.to_lowercase();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    let count = words.len().saturating_sub(SHINGLE_WORDS - 1);
    (0..count).map(move |start| {
        let mut hasher = DefaultHasher::new();
        words.iter().skip(start).take(SHINGLE_WORDS).for_each(|word| word.hash(&mut hasher));
        hasher.finish()
    })
}
