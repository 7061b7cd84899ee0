//! Footnotes: each is read behind the block that refers to it, wherever the page states it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::explicit::note;
use super::marks::dedented;
use super::{Place, Reader};

/// Notes of one page.
const MOST_NOTES: usize = 2_000;

/// The footnotes of a page, and those that the block being read refers to.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The lines of each note, by its label. Notes that are numbered by themselves share one, and are taken in their order.
    stated: BTreeMap<String, VecDeque<Vec<String>>>,
    waiting: Vec<String>,
    taken: usize,
}

/// The labels that a line refers to.
fn labels(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("]_").filter_map(|(end, _)| {
        let before = line.get(..end)?;
        before.rsplit_once('[').map(|(_, label)| label)
    })
}

/// Returns `true` for the label of a footnote; that of a citation is a name, and is shown.
pub(super) fn is_number(label: &str) -> bool {
    label.starts_with('#') || label == "*" || label.bytes().all(|byte| byte.is_ascii_digit())
}

impl Notes {
    /// Finds the notes that something refers to; the others stay where they are.
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut notes = Self::default();
        // Once for all notes: a page may state thousands.
        let referred: BTreeSet<&str> = lines.iter().flat_map(|line| labels(line)).collect();
        for (number, line) in lines.iter().enumerate() {
            let rest = line.trim_start().strip_prefix(".. ");
            let Some((label, text_behind)) = rest.and_then(note) else { continue };
            if !is_number(label) || !referred.contains(label) {
                continue;
            }
            let indent = line.len() - line.trim_start().len();
            let is_below = |next: &&&str| {
                next.trim().is_empty() || next.len() - next.trim_start().len() > indent
            };
            let below: Vec<&str> =
                lines.iter().skip(number + 1).take_while(is_below).copied().collect();
            let below = dedented(&below, usize::MAX);
            let body = std::iter::once(text_behind).chain(below).map(str::to_owned).collect();
            notes.stated.entry(label.to_owned()).or_default().push_back(body);
        }
        notes
    }

    /// Returns `true` if the note of a label is read where something refers to it.
    pub(super) fn holds(&self, label: &str) -> bool {
        self.stated.contains_key(label)
    }

    /// Something refers to a note.
    pub(super) fn refer(&mut self, label: &str) {
        if self.holds(label) && self.waiting.len() < MOST_NOTES {
            self.waiting.push(label.to_owned());
        }
    }

    /// The notes that the last block referred to.
    fn take(&mut self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        for label in std::mem::take(&mut self.waiting) {
            let Some(stated) = self.stated.get_mut(&label) else { continue };
            let is_shared = matches!(label.as_str(), "#" | "*");
            // A note that is named may be referred to twice.
            let body = if is_shared { stated.pop_front() } else { stated.front().cloned() };
            self.taken += 1;
            found.extend(body.filter(|_| self.taken <= MOST_NOTES));
        }
        found
    }
}

impl Reader {
    /// Reads the notes that the block just read referred to.
    pub(super) fn read_notes(&mut self, place: Place) {
        for body in self.notes.take() {
            let body: Vec<&str> = body.iter().map(String::as_str).collect();
            // A note that refers to another would lead on without end.
            let notes = std::mem::take(&mut self.notes);
            self.blocks(&body, place.inside(place.kind));
            self.notes = notes;
        }
    }
}
