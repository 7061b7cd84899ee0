//! Notes that a reader takes on its way through one document.

use std::collections::{BTreeMap, BTreeSet};

use campanile_corpus::Document;

use crate::Finding;

/// Longest example shown to a person, in characters.
const EXAMPLE_CHARS: usize = 60;

/// The counts behind one document's findings.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) front_matter: Option<(usize, String)>,
    /// The field by which the page says that it is not published.
    pub(crate) unpublished: Option<String>,
    pub(crate) hidden_pieces: usize,
    pub(crate) hidden_example: String,
    pub(crate) hidden_characters: usize,
    pub(crate) chat_tokens: usize,
    pub(crate) chat_example: String,
    pub(crate) comments: usize,
    pub(crate) tracked_changes: usize,
    pub(crate) template_tags: usize,
    pub(crate) dropped_links: Vec<String>,
    /// Abbreviations that were written out once already.
    pub(crate) written_out: BTreeSet<String>,
    /// Events of a calendar by the reason for leaving them out: how many, and the first.
    pub(crate) events_left_out: BTreeMap<String, (usize, String)>,
    /// Findings as they stand.
    pub(crate) notes: Vec<Finding>,
    /// Rows that stand on every page.
    pub(crate) furniture_rows: usize,
    pub(crate) furniture_example: String,
    /// Lines of a printed table of contents.
    pub(crate) contents_lines: usize,
    /// Pages that are pictures without text.
    pub(crate) picture_pages: Vec<u32>,
    /// Pages whose text was read from a picture.
    pub(crate) pages_by_ocr: usize,
    /// The number of pages that were read, and of all pages.
    pub(crate) pages_left_out: Option<(usize, usize)>,
    pub(crate) unknown_letters: usize,
    /// The end of the file is missing.
    pub(crate) is_cut_short: bool,
}

impl Report {
    pub(crate) fn hidden(&mut self, text: &str) {
        if self.hidden_pieces == 0 {
            self.hidden_example = example(text);
        }
        self.hidden_pieces += 1;
    }

    pub(crate) fn chat_token(&mut self, token: &str) {
        if self.chat_tokens == 0 {
            self.chat_example = example(token);
        }
        self.chat_tokens += 1;
    }

    pub(crate) fn event_left_out(&mut self, reason: String, summary: &str) {
        let (count, _) =
            self.events_left_out.entry(reason).or_insert_with(|| (0, example(summary)));
        *count += 1;
    }

    pub(crate) fn furniture(&mut self, rows: usize, text: &str) {
        if self.furniture_rows == 0 {
            self.furniture_example = example(text);
        }
        self.furniture_rows += rows;
    }

    /// Adds what was noticed elsewhere in the same document.
    pub(crate) fn absorb(&mut self, other: Report) {
        self.front_matter = self.front_matter.take().or(other.front_matter);
        self.unpublished = self.unpublished.take().or(other.unpublished);
        if self.hidden_pieces == 0 {
            self.hidden_example = other.hidden_example;
        }
        if self.chat_tokens == 0 {
            self.chat_example = other.chat_example;
        }
        self.hidden_pieces += other.hidden_pieces;
        self.hidden_characters += other.hidden_characters;
        self.chat_tokens += other.chat_tokens;
        self.comments += other.comments;
        self.tracked_changes += other.tracked_changes;
        self.template_tags += other.template_tags;
        self.dropped_links.extend(other.dropped_links);
        self.written_out.extend(other.written_out);
        self.events_left_out.extend(other.events_left_out);
        self.notes.extend(other.notes);
        self.furniture(other.furniture_rows, &other.furniture_example);
        self.contents_lines += other.contents_lines;
        self.picture_pages.extend(other.picture_pages);
        self.pages_by_ocr += other.pages_by_ocr;
        self.pages_left_out = self.pages_left_out.or(other.pages_left_out);
        self.unknown_letters += other.unknown_letters;
        self.is_cut_short |= other.is_cut_short;
    }

    /// The findings, in a fixed order.
    pub(crate) fn findings(self, document: &Document) -> Vec<Finding> {
        let path = || document.path.clone();
        let mut found = self.notes;
        if let Some((line, reason)) = self.front_matter {
            found.push(Finding::FrontMatter { path: path(), line, reason });
        }
        if self.hidden_pieces > 0 {
            found.push(Finding::HiddenText {
                path: path(),
                pieces: self.hidden_pieces,
                example: self.hidden_example,
            });
        }
        if self.hidden_characters > 0 {
            found.push(Finding::HiddenCharacters { path: path(), count: self.hidden_characters });
        }
        if self.chat_tokens > 0 {
            found.push(Finding::ChatTokens {
                path: path(),
                count: self.chat_tokens,
                example: self.chat_example,
            });
        }
        for target in self.dropped_links {
            found.push(Finding::LinkDropped { path: path(), target: example(&target) });
        }
        if self.is_cut_short {
            found.push(Finding::CutShort { path: path() });
        }
        if let Some((read, total)) = self.pages_left_out {
            found.push(Finding::PagesLeftOut { path: path(), read, total });
        }
        if let Some(first) = self.picture_pages.first() {
            let pages = self.picture_pages.len();
            found.push(Finding::PicturePages { path: path(), pages, first: *first });
        }
        if self.pages_by_ocr > 0 {
            found.push(Finding::ReadFromPictures { path: path(), pages: self.pages_by_ocr });
        }
        if self.unknown_letters > 0 {
            found.push(Finding::UnknownLetters { path: path(), count: self.unknown_letters });
        }
        if self.furniture_rows > 0 {
            found.push(Finding::Furniture {
                path: path(),
                rows: self.furniture_rows,
                example: self.furniture_example,
            });
        }
        if self.contents_lines > 0 {
            found.push(Finding::ContentsLeftOut { path: path(), lines: self.contents_lines });
        }
        if self.comments > 0 {
            found.push(Finding::Comments { path: path(), count: self.comments });
        }
        if self.tracked_changes > 0 {
            found.push(Finding::TrackedChanges { path: path(), count: self.tracked_changes });
        }
        if self.template_tags > 0 {
            found.push(Finding::TemplateTags { path: path(), count: self.template_tags });
        }
        for (reason, (count, example)) in self.events_left_out {
            found.push(Finding::EventsLeftOut { path: path(), count, reason, example });
        }
        if document.sections.iter().all(|section| section.blocks.is_empty()) {
            found.push(Finding::Empty { path: path() });
        }
        found
    }
}

/// The beginning of a text on one line.
fn example(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXAMPLE_CHARS) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default()),
        None => line,
    }
}
