//! What a reader notices on its way through one document.

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
