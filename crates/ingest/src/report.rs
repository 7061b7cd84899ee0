//! Notes that a reader takes on its way through one document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use campanile_corpus::Document;

use crate::inline::shortened;
use crate::sanitize::safe_target;
use crate::{Finding, Noticed, PageSigns};

/// Longest example shown to a person, in characters.
const EXAMPLE_CHARS: usize = 60;
/// Different lines that one finding names.
const MOST_LINES_NAMED: usize = 12;

/// The counts behind one document's findings.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) front_matter: Option<(usize, String)>,
    /// The field by which the page says that it is not published.
    pub(crate) unpublished: Option<String>,
    hidden: Counted,
    struck: Counted,
    slanted: Counted,
    prompts: Counted,
    /// Numbers of lines in the margin.
    pub(crate) line_numbers: usize,
    pub(crate) hidden_characters: usize,
    pub(crate) chat_tokens: Counted,
    pub(crate) comments: usize,
    pub(crate) tracked_changes: usize,
    pub(crate) template_tags: usize,
    pub(crate) dropped_links: Vec<String>,
    /// Abbreviations that were written out once already.
    pub(crate) written_out: BTreeSet<String>,
    /// What a page says about its site and itself.
    pub(crate) page: PageSigns,
    /// Events of a calendar by the reason for leaving them out: how many, and the first.
    events_left_out: BTreeMap<String, Counted>,
    /// Findings as they stand.
    pub(crate) notes: Vec<Finding>,
    /// Lines that are part of the pages, by the sign for it: each line once, with its number.
    lines_left_out: BTreeMap<LineSign, BTreeMap<String, usize>>,
    /// Lines of a printed table of contents.
    pub(crate) contents_lines: usize,
    /// The names of files within the file, which were not read.
    pub(crate) files_within: Vec<String>,
    /// Pages that are steps of the slide after them.
    pub(crate) steps_left_out: usize,
    /// Pages that are pictures without text.
    pub(crate) picture_pages: Vec<u32>,
    /// Pages whose text was read from a picture.
    pub(crate) pages_by_ocr: usize,
    /// Words of pictures that could not be made out.
    unclear_words: Counted,
    /// The number of pages that were read, and of all pages.
    pub(crate) pages_left_out: Option<(usize, usize)>,
    pub(crate) unknown_letters: usize,
    /// The end of the file is missing.
    pub(crate) is_cut_short: bool,
}

/// The sign that a line is part of the page and not of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LineSign {
    /// It is the number of its page.
    PageNumber,
    /// It is at the same place on several pages, set apart from their text.
    Repeated,
    /// The file marks it as part of the page.
    Marked,
}

/// The finding about lines that were left out for one sign.
fn lines_finding(sign: LineSign, lines: BTreeMap<String, usize>) -> Noticed {
    let rows = lines.values().sum();
    let mut lines: Vec<(String, usize)> = lines.into_iter().collect();
    // What is on few pages first: there a mistake would be.
    lines.sort_by_key(|(_, count)| *count);
    let others = lines.len().saturating_sub(MOST_LINES_NAMED);
    let named = lines.into_iter().take(MOST_LINES_NAMED);
    let quoted = |(text, count): (String, usize)| match count {
        1 => format!("\"{text}\""),
        _ => format!("\"{text}\" ({count} times)"),
    };
    let mut lines = named.map(quoted).collect::<Vec<_>>().join(", ");
    if others > 0 {
        let _ = write!(lines, " and {others} more");
    }
    match sign {
        LineSign::PageNumber => Noticed::PageNumbers(rows),
        LineSign::Repeated => Noticed::RunningLines { rows, lines },
        LineSign::Marked => Noticed::PageMarks { rows, lines },
    }
}

/// The finding about files within a file.
fn files_within(names: &[String]) -> Noticed {
    let quoted = names.iter().take(MOST_LINES_NAMED);
    let quoted = quoted.map(|name| format!("`{}`", shortened(name, EXAMPLE_CHARS)));
    let mut list = quoted.collect::<Vec<_>>().join(", ");
    if let others @ 1.. = names.len().saturating_sub(MOST_LINES_NAMED) {
        let _ = write!(list, " and {others} more");
    }
    Noticed::FilesWithin { files: names.len(), names: list }
}

/// A number of things, and the longest of them: a sentence that was lost says more than a label.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) count: usize,
    example: String,
    /// The length of the example before it was shortened, in bytes.
    length: usize,
}

impl Counted {
    fn add(&mut self, count: usize, text: &str) {
        if self.takes(text.len()) {
            (self.example, self.length) = (shortened(text, EXAMPLE_CHARS), text.len());
        }
        self.count += count;
    }

    fn absorb(&mut self, other: Self) {
        if self.takes(other.length) {
            (self.example, self.length) = (other.example, other.length);
        }
        self.count += other.count;
    }

    /// Of equally long ones the first stays, as a reader of the page would come to it.
    fn takes(&self, length: usize) -> bool {
        self.count == 0 || length > self.length
    }
}

impl Report {
    /// Counts a piece of text that is not shown, if it has words: an icon is hidden from screen readers
    /// and says nothing anyway.
    pub(crate) fn hidden_words(&mut self, text: &str) {
        if text.chars().any(char::is_alphanumeric) {
            self.hidden(text);
        }
    }

    pub(crate) fn hidden(&mut self, text: &str) {
        self.hidden.add(1, text);
    }

    /// Counts words that are struck out.
    pub(crate) fn struck(&mut self, text: &str) {
        if text.chars().any(char::is_alphanumeric) {
            self.struck.add(1, text.trim());
        }
    }

    /// Counts words that lie across the page.
    pub(crate) fn slanted(&mut self, text: &str) {
        self.slanted.add(1, text.trim());
    }

    /// Counts what asks for an entry in a form.
    pub(crate) fn prompt(&mut self, text: &str) {
        if text.chars().any(char::is_alphanumeric) {
            self.prompts.add(1, text.trim());
        }
    }

    pub(crate) fn chat_token(&mut self, token: &str) {
        self.chat_tokens.add(1, token);
    }

    pub(crate) fn event_left_out(&mut self, reason: String, summary: &str) {
        self.events_left_out.entry(reason).or_default().add(1, summary);
    }

    /// Counts a line of a page that is no part of the text.
    pub(crate) fn line_left_out(&mut self, sign: LineSign, text: &str) {
        let lines = self.lines_left_out.entry(sign).or_default();
        *lines.entry(shortened(text, EXAMPLE_CHARS)).or_default() += 1;
    }

    /// Counts a word of a picture that could not be made out.
    #[cfg(feature = "ocr")]
    pub(crate) fn unclear_word(&mut self, word: &str) {
        self.unclear_words.add(1, word);
    }

    /// The target of a link if a reader may be sent there; any other is reported.
    pub(crate) fn safe_link(&mut self, target: &str) -> Option<String> {
        let safe = safe_target(target).map(str::to_owned);
        if safe.is_none() {
            self.dropped_links.push(target.to_owned());
        }
        safe
    }

    /// The finding about words that are struck out, if there are any.
    pub(crate) fn struck_out(self, path: &str) -> Option<Finding> {
        let Counted { count: pieces @ 1.., example, .. } = self.struck else { return None };
        Some(Noticed::StruckOut { pieces, example }.of(path))
    }

    /// Adds what was noticed elsewhere in the same document.
    pub(crate) fn absorb(&mut self, other: Report) {
        self.front_matter = self.front_matter.take().or(other.front_matter);
        self.unpublished = self.unpublished.take().or(other.unpublished);
        self.hidden.absorb(other.hidden);
        self.struck.absorb(other.struck);
        self.slanted.absorb(other.slanted);
        self.prompts.absorb(other.prompts);
        self.line_numbers += other.line_numbers;
        self.hidden_characters += other.hidden_characters;
        self.chat_tokens.absorb(other.chat_tokens);
        self.comments += other.comments;
        self.tracked_changes += other.tracked_changes;
        self.template_tags += other.template_tags;
        self.dropped_links.extend(other.dropped_links);
        self.written_out.extend(other.written_out);
        self.events_left_out.extend(other.events_left_out);
        self.notes.extend(other.notes);
        for (sign, lines) in other.lines_left_out {
            let own = self.lines_left_out.entry(sign).or_default();
            lines.into_iter().for_each(|(text, count)| *own.entry(text).or_default() += count);
        }
        self.contents_lines += other.contents_lines;
        self.files_within.extend(other.files_within);
        self.steps_left_out += other.steps_left_out;
        self.picture_pages.extend(other.picture_pages);
        self.pages_by_ocr += other.pages_by_ocr;
        self.unclear_words.absorb(other.unclear_words);
        self.pages_left_out = self.pages_left_out.or(other.pages_left_out);
        self.unknown_letters += other.unknown_letters;
        self.is_cut_short |= other.is_cut_short;
    }

    /// The findings, in a fixed order.
    pub(crate) fn findings(self, document: &Document) -> Vec<Finding> {
        let mut found = Vec::new();
        found.extend(self.front_matter.map(|(line, reason)| Noticed::FrontMatter { line, reason }));
        if let Counted { count: pieces @ 1.., example, .. } = self.hidden {
            found.push(Noticed::HiddenText { pieces, example });
        }
        if let Counted { count: pieces @ 1.., example, .. } = self.struck {
            found.push(Noticed::StruckOut { pieces, example });
        }
        if let Counted { count: pieces @ 1.., example, .. } = self.slanted {
            found.push(Noticed::Slanted { pieces, example });
        }
        if let Counted { count: pieces @ 1.., example, .. } = self.prompts {
            found.push(Noticed::Prompts { pieces, example });
        }
        let some =
            |count: usize, noticed: fn(usize) -> Noticed| (count > 0).then(|| noticed(count));
        found.extend(some(self.hidden_characters, Noticed::HiddenCharacters));
        if let Counted { count: count @ 1.., example, .. } = self.chat_tokens {
            found.push(Noticed::ChatTokens { count, example });
        }
        // Each by itself, as each is corrected by itself.
        let targets = self.dropped_links.iter().map(|target| shortened(target, EXAMPLE_CHARS));
        found.extend(targets.map(Noticed::LinkDropped));
        found.extend(self.is_cut_short.then_some(Noticed::CutShort));
        let left_out = self.pages_left_out;
        found.extend(left_out.map(|(read, total)| Noticed::PagesLeftOut { read, total }));
        if !self.files_within.is_empty() {
            found.push(files_within(&self.files_within));
        }
        if let [first, ..] = *self.picture_pages {
            found.push(Noticed::PicturePages { pages: self.picture_pages.len(), first });
        }
        found.extend(some(self.pages_by_ocr, Noticed::ReadFromPictures));
        if let Counted { count: words @ 1.., example, .. } = self.unclear_words {
            found.push(Noticed::UnclearWords { words, example });
        }
        found.extend(some(self.unknown_letters, Noticed::UnknownLetters));
        found.extend(
            self.lines_left_out.into_iter().map(|(sign, lines)| lines_finding(sign, lines)),
        );
        found.extend(some(self.contents_lines, Noticed::ContentsLeftOut));
        found.extend(some(self.line_numbers, Noticed::LineNumbers));
        found.extend(some(self.steps_left_out, Noticed::StepsLeftOut));
        found.extend(some(self.comments, Noticed::Comments));
        found.extend(some(self.tracked_changes, Noticed::TrackedChanges));
        found.extend(some(self.template_tags, Noticed::TemplateTags));
        for (reason, Counted { count, example, .. }) in self.events_left_out {
            found.push(Noticed::EventsLeftOut { count, reason, example });
        }
        let is_empty = document.sections.iter().all(|section| section.blocks.is_empty());
        found.extend(is_empty.then_some(Noticed::Empty));
        let found = found.into_iter().map(|noticed| noticed.of(document.path.as_str()));
        self.notes.into_iter().chain(found).collect()
    }
}
