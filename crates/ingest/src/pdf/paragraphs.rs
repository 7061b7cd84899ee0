//! From lines to paragraphs.
//!
//! A line break is either where the line was full, or where the writer wanted one. The test is the
//! one a typesetter makes: if the first word of the next line had fitted, the break was wanted.
//!
//! A hyphen at the end of a line was set by the program that broke the line, or belongs to the
//! word; the letters around it tell, and so does the rest of the document, where the word may
//! stand unbroken.

use std::collections::BTreeSet;

use super::furniture::contents_entry;
use super::ink::{Role, Style};
use super::lines::{Line, is_apart};
use super::markers::{begins_section, marker};
use super::notes::{MARK, reference};
use super::words::Word;
use crate::inline::InlineText;

/// The edges between which lines are set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) left: f64,
    pub(super) right: f64,
    /// `true` if a frame or another column ends its lines, not only the longest of them.
    pub(super) is_known: bool,
}

impl Column {
    fn width(self) -> f64 {
        (self.right - self.left).max(1.0)
    }
}

/// Lines that say one thing, with what its looks tell about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paragraph {
    pub(super) text: InlineText,
    /// The page it begins on, from 0.
    pub(super) page: usize,
    pub(super) lines: usize,
    pub(super) size: f64,
    pub(super) style: Style,
    pub(super) role: Role,
    pub(super) is_centred: bool,
    /// The place of its first line: its left end, and how far down it is.
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The free width behind its last line.
    pub(super) slack: f64,
    /// The width of its first word.
    pub(super) first_width: f64,
    /// `true` if its first line begins where the lines of its column do.
    pub(super) begins_flush: bool,
    /// The end of the column, to judge what follows.
    pub(super) column: Column,
    /// `true` if the writer broke its only line: one of a list without marks, perhaps.
    pub(super) is_short_line: bool,
}

/// The facts that joining lines needs.
#[derive(Clone, Copy)]
pub(super) struct Joining<'j> {
    pub(super) vocabulary: &'j Vocabulary,
    pub(super) links: &'j [String],
}

/// The paragraphs of a block of lines on page `page`.
pub(super) fn paragraphs(
    lines: &[Line],
    page: usize,
    column: Column,
    joining: Joining<'_>,
) -> Vec<Paragraph> {
    let pitch = pitch(lines);
    let mut paragraphs = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        let open = &lines[start..end];
        let after = lines.get(end + 1);
        let is_end = lines.get(end).is_none_or(|next| {
            let pitch = if is_regular(open, next, after) { f64::MAX } else { pitch };
            begins(open, next, column, pitch)
        });
        if is_end {
            paragraphs.extend(paragraph(open, page, column, joining));
            start = end;
        }
    }
    paragraphs
}

/// From one baseline to the next, in ems: what is usual here.
fn pitch(lines: &[Line]) -> f64 {
    let pairs = lines.windows(2).filter_map(|pair| match pair {
        [a, b] if is_same_size(a, b) => {
            let pitch = (b.baseline - a.baseline) / a.size.max(0.1);
            let are_stacked = a.left < b.right && b.left < a.right;
            // Parts of a formula stand beside one another, at heights of their own.
            (are_stacked || pitch >= 1.0).then_some(pitch)
        }
        _ => None,
    });
    let mut pitches: Vec<f64> = pairs.filter(|pitch| (0.7..2.2).contains(pitch)).collect();
    pitches.sort_by(f64::total_cmp);
    // Gaps between paragraphs are wider, so the narrower half counts.
    pitches.get(pitches.len() * 2 / 5).copied().unwrap_or(1.25)
}

/// Returns `true` if the gap before `next` is that between other lines here: text set with wide lines.
fn is_regular(open: &[Line], next: &Line, after: Option<&Line>) -> bool {
    let [.., last] = open else {
        return false;
    };
    let gap = next.baseline - last.baseline;
    let before = open.len().checked_sub(2).and_then(|index| open.get(index));
    let other = match (before, after) {
        (Some(before), _) => last.baseline - before.baseline,
        (None, Some(after)) => after.baseline - next.baseline,
        (None, None) => return false,
    };
    (gap - other).abs() < 0.04 * gap && gap < 2.1 * next.size
}

fn is_same_size(a: &Line, b: &Line) -> bool {
    (a.size - b.size).abs() < 0.07 * a.size.max(b.size)
}

/// Returns `true` if `next` begins a paragraph after the lines of `open`.
fn begins(open: &[Line], next: &Line, column: Column, pitch: f64) -> bool {
    let (Some(first), Some(last)) = (open.first(), open.last()) else {
        return true;
    };
    let em = next.size.max(0.1);
    let looks_differ =
        !is_same_size(last, next) || last.style.bold != next.style.bold || last.role != next.role;
    let gap = (next.baseline - last.baseline) / em;
    if looks_differ || gap > 1.3 * pitch || gap < -0.5 {
        return true;
    }
    let text = next.text();
    if contents_entry(&last.text()).is_some() {
        return true;
    }
    if begins_section(&text) && (last.style.bold || is_centred(next, column)) {
        return true;
    }
    // Both ends of such lines are free: nothing tells where the writer broke them.
    if is_centred(last, column) && is_centred(next, column) {
        return false;
    }
    let before = open.len().checked_sub(2).and_then(|index| open.get(index));
    let is_edge = |other: &Line| (other.right - last.right).abs() < 0.4 * em;
    let is_local_edge = !column.is_known
        && last.width() > 0.5 * column.width()
        && (is_edge(next) || before.is_some_and(is_edge));
    let fits = !is_local_edge && fits(last, next, column);
    let shift = (next.left - last.left) / em;
    if marker(&text).is_some() {
        let is_turn =
            shift.abs() > 0.3 || open.len() > 1 && (next.left - first.left).abs() < 0.3 * em;
        return fits
            || is_turn
            || marker(&first.text()).is_some() && (next.left - first.left).abs() < 0.3 * em;
    }
    if fits && !is_broken_by_hand(last, &text, column) {
        return true;
    }
    // The second line of a paragraph may be set in or out against the first; later ones keep to it.
    let is_hanging = open.len() == 1;
    if shift > 0.8 {
        return !is_hanging;
    }
    shift < -0.8 && !is_hanging && !goes_on_in_words(last, &text)
}

/// Returns `true` if a sentence goes on in the next line, which begins further to the left: below an initial or a
/// picture that the lines before stood beside.
fn goes_on_in_words(last: &Line, next: &str) -> bool {
    let ends = last.text().ends_with(['.', ':', ';', '!', '?']);
    !ends && next.starts_with(char::is_lowercase)
}

/// Returns `true` if a sentence goes on in the next line though its first word would have fitted:
/// someone broke long lines where they looked well.
fn is_broken_by_hand(last: &Line, next: &str, column: Column) -> bool {
    let ends = last.text().ends_with(['.', ':', ';', '!', '?', ',', ')']);
    !ends && next.starts_with(char::is_lowercase) && last.width() > 0.7 * column.width()
}

/// Returns `true` if the first word of `next` would have fitted behind `last`.
fn fits(last: &Line, next: &Line, column: Column) -> bool {
    if last.words.last().is_some_and(|word| word.text.ends_with(['-', '\u{AD}'])) {
        return false;
    }
    // A space of usual width; and a little less than the whole column, since lines of ragged text end
    // before its edge.
    let space = 0.25 * last.size;
    !next.words.is_empty()
        && last.right + space + first_width(next) < column.right - 0.02 * column.width()
}

/// The width of what a line begins with and no program would break.
fn first_width(line: &Line) -> f64 {
    let Some(first) = line.words.first() else {
        return 0.0;
    };
    let mut right = first.right;
    for pair in line.words.windows(2) {
        let [before, word] = pair else {
            break;
        };
        // `18 ECTS`, `Art. 5`, `z. B.`
        let text = before.text.as_str();
        let is_short = text.chars().count() <= 2 || text.len() <= 5 && text.ends_with('.');
        let is_number = text.chars().all(char::is_numeric);
        if !word.is_glued && !is_short && !is_number {
            break;
        }
        right = word.right;
    }
    let width = right - first.left;
    // `Weiterbildung/Adult` breaks at its slash; an address may not.
    match first.text.find('/').filter(|_| first.text.chars().all(is_wordy)) {
        Some(slash) => width * (slash + 1) as f64 / first.text.len() as f64,
        None => width,
    }
}

fn is_wordy(character: char) -> bool {
    character.is_alphabetic() || character == '/'
}

fn is_centred(line: &Line, column: Column) -> bool {
    let (before, after) = (line.left - column.left, column.right - line.right);
    before > 1.5 * line.size && (before - after).abs() < 0.03 * column.width() + 0.5 * line.size
}

/// The lines of a note as a paragraph.
pub(super) fn note_paragraph(
    lines: &[Line],
    page: usize,
    column: Column,
    joining: Joining<'_>,
) -> Option<Paragraph> {
    let note = paragraph(lines, page, column, joining)?;
    Some(Paragraph { is_centred: false, is_short_line: false, role: Role::Untold, ..note })
}

fn paragraph(
    lines: &[Line],
    page: usize,
    column: Column,
    joining: Joining<'_>,
) -> Option<Paragraph> {
    let (first, last) = (lines.first()?, lines.last()?);
    let text = join(lines, joining);
    if text.text.trim().is_empty() {
        return None;
    }
    Some(Paragraph {
        text,
        page,
        lines: lines.len(),
        size: first.size,
        style: Style {
            bold: lines.iter().all(|line| line.style.bold),
            italic: lines.iter().all(|line| line.style.italic),
            monospace: lines.iter().all(|line| line.style.monospace),
        },
        role: first.role,
        is_centred: lines.iter().all(|line| is_centred(line, column)),
        left: first.left,
        top: first.bounds().y0,
        bottom: last.bounds().y1,
        slack: column.right - 0.02 * column.width() - last.right,
        first_width: first_width(first),
        begins_flush: first.left - column.left < 0.8 * first.size,
        column,
        is_short_line: lines.len() == 1 && first.width() < 0.9 * column.width(),
    })
}

/// The words of lines as one text, hyphens mended.
pub(super) fn join(lines: &[Line], joining: Joining<'_>) -> InlineText {
    let mut text = InlineText::default();
    for line in lines {
        let first = line.words.first().map_or("", |word| word.text.as_str());
        let mut seam = boundary(&mut text, first, joining.vocabulary);
        let mut before: Option<&Word> = None;
        for word in &line.words {
            if before.is_some_and(|before| is_apart(before, word)) {
                seam = Seam::Space;
            }
            push(&mut text, word, seam, joining.links);
            if let Some(mark) = reference(before, word) {
                let start = text.text.len() - word.text.len();
                text.links.push((start + mark.start..start + mark.end, MARK.to_owned()));
            }
            seam = Seam::Glue;
            before = Some(word);
        }
    }
    text
}

/// Adds one text to another as the next line of it.
pub(super) fn append(text: &mut InlineText, next: InlineText, vocabulary: &Vocabulary) {
    let first = next.text.split_whitespace().next().unwrap_or_default().to_owned();
    if boundary(text, &first, vocabulary) == Seam::Space {
        text.text.push(' ');
    }
    *text = std::mem::take(text).followed_by(next);
}

/// Prepares the end of a text for what comes next, and says what to put between.
fn boundary(text: &mut InlineText, next: &str, vocabulary: &Vocabulary) -> Seam {
    if text.text.is_empty() {
        return Seam::Glue;
    }
    let last = text.text.split_whitespace().next_back().unwrap_or_default();
    let seam = seam(last, next, vocabulary);
    if seam == Seam::Mend {
        text.text.pop();
        let end = text.text.len();
        for (range, _) in &mut text.links {
            range.end = range.end.min(end);
        }
    }
    seam
}

fn push(text: &mut InlineText, word: &Word, seam: Seam, links: &[String]) {
    let gap = text.text.len();
    if seam == Seam::Space {
        text.text.push(' ');
    }
    let start = text.text.len();
    text.text.push_str(&word.text);
    let end = text.text.len();
    let Some(target) = word.link.and_then(|link| links.get(link)) else {
        return;
    };
    match text.links.last_mut() {
        // The words of a link follow one another.
        Some((range, last)) if last == target && range.end == gap => range.end = end,
        _ => text.links.push((start..end, target.clone())),
    }
}

/// The seam between two lines in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seam {
    Space,
    /// Nothing: the word goes on, hyphen and all.
    Glue,
    /// The word goes on, and the hyphen was only there because it was broken.
    Mend,
}

/// The words of a document that stand within lines.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(BTreeSet<String>);

/// Words learned from one document, at most.
const MOST_WORDS: usize = 200_000;

impl Vocabulary {
    /// Learns the words of a line; the first and the last may be parts.
    pub(super) fn learn(&mut self, words: &[&str]) {
        let Some(inner) = words.get(1..words.len().saturating_sub(1)) else {
            return;
        };
        for word in inner {
            let word = bare(word);
            // Short words are parts of others by chance.
            if word.len() > 3 && self.0.len() < MOST_WORDS {
                self.0.insert(word.to_lowercase());
            }
        }
    }

    fn knows(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }
}

/// Words that a hanging hyphen comes before: `Bachelor- und Masterarbeit`, `pre- and postwar`.
const CONJUNCTIONS: [&str; 16] = [
    "und", "oder", "bzw", "sowie", "wie", "als", "bis", "noch", "aber", "statt", "and", "or", "to",
    "nor", "but", "than",
];

/// Returns how `before`, the last word of a line, and `after`, the first of the next, go together.
fn seam(before: &str, after: &str, vocabulary: &Vocabulary) -> Seam {
    if before.ends_with('\u{AD}') {
        return Seam::Mend;
    }
    if let Some(stem) = before.strip_suffix(['-', '\u{2010}', '¬']) {
        return hyphen_seam(before, stem, after, vocabulary);
    }
    let ends = |set: &[char]| before.ends_with(set) && before.chars().count() > 1;
    let continues = after.starts_with('/') && before.contains('/');
    if ends(&['/']) || continues || (is_address(before) && ends(&['_', '=', '&', '?'])) {
        return Seam::Glue;
    }
    match (before.chars().next_back(), after.chars().next()) {
        (Some(last), Some(first)) if is_unspaced(last) && is_unspaced(first) => Seam::Glue,
        _ => Seam::Space,
    }
}

fn hyphen_seam(before: &str, stem: &str, after: &str, vocabulary: &Vocabulary) -> Seam {
    let Some(last) = stem.chars().next_back().filter(|last| last.is_alphanumeric()) else {
        return Seam::Space;
    };
    if is_address(before) {
        return Seam::Glue;
    }
    let first = after.chars().find(|first| first.is_alphanumeric());
    let after = bare(after);
    if CONJUNCTIONS.contains(&after) {
        return Seam::Space;
    }
    let head = bare(stem);
    // Only the part behind the last hyphen was broken: `Lehr-Lern-Forsch-` / `ung`.
    let part = head.rsplit(['-', '/']).next().unwrap_or(head);
    let is_acronym = part.chars().count() > 1 && !part.contains(char::is_lowercase);
    let goes_on_small = first.is_some_and(char::is_lowercase);
    // First: a hyphen that the document writes elsewhere belongs to the word.
    if vocabulary.knows(&format!("{head}-{after}")) {
        return Seam::Glue;
    }
    if vocabulary.knows(&format!("{head}{after}")) && (goes_on_small || is_acronym) {
        return Seam::Mend;
    }
    if goes_on_small && !last.is_numeric() && !is_acronym { Seam::Mend } else { Seam::Glue }
}

/// Scripts that put no space between words.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF60}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Part of a web or mail address, or of a path.
fn is_address(word: &str) -> bool {
    word.contains("://")
        || word.contains("www.")
        || word.contains('@')
        || (word.contains('.') && word.contains('/'))
        || word.matches('/').count() >= 2
}

/// The word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

#[cfg(test)]
impl Paragraph {
    /// A line of plain text.
    pub(super) fn sample() -> Self {
        Self {
            text: InlineText::default(),
            page: 0,
            lines: 1,
            size: 10.0,
            style: Style::default(),
            role: Role::default(),
            is_centred: false,
            left: 50.0,
            top: 100.0,
            bottom: 110.0,
            slack: 100.0,
            first_width: 20.0,
            begins_flush: true,
            column: Column { left: 50.0, right: 300.0, is_known: false },
            is_short_line: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hyphens_at_the_end_of_a_line() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.learn(&["x", "well-known", "cooperation", "PRÜFUNGSORDNUNG", "x"]);
        let cases = [
            ("Teilzeit-", "studium", Seam::Mend),
            ("infor-", "mation.", Seam::Mend),
            ("zulassungs-", "beschränkte", Seam::Mend),
            ("Otto-", "Friedrich-Universität", Seam::Glue),
            ("ECTS-", "Punkte", Seam::Glue),
            ("ECTS-", "relevant", Seam::Glue),
            ("Bachelor-", "und", Seam::Space),
            ("Bachelor-", "bzw.", Seam::Space),
            ("pre-", "and", Seam::Space),
            ("2010-", "2012", Seam::Glue),
            ("COVID-19-", "bedingt", Seam::Glue),
            ("http://www.uni-", "bamberg.de/fileadmin", Seam::Glue),
            ("(first.last@uni-", "bamberg.de)", Seam::Glue),
            ("well-", "known", Seam::Glue),
            ("Well-", "known", Seam::Glue),
            ("coop-", "eration", Seam::Mend),
            ("PRÜFUNGS-", "ORDNUNG", Seam::Mend),
            ("regu\u{AD}", "lation", Seam::Mend),
            ("–", "language", Seam::Space),
            ("-", "language", Seam::Space),
            ("Lehr-Lern-Forsch-", "ung", Seam::Mend),
            ("Communication/", "Communication", Seam::Glue),
            ("/", "Other", Seam::Space),
            ("www.uni-bamberg.de/", "fileadmin/", Seam::Glue),
            ("/fileadmin", "/uni/amtliche", Seam::Glue),
            ("ends", "here", Seam::Space),
            ("漢字", "漢字", Seam::Glue),
            ("", "", Seam::Space),
        ];
        for (before, after, expected) in cases {
            assert_eq!(seam(before, after, &vocabulary), expected, "{before} {after}");
        }
    }

    proptest! {
        #[test]
        fn only_a_hyphen_is_mended(before in "\\PC{0,12}", after in "\\PC{0,12}") {
            let found = seam(&before, &after, &Vocabulary::default());
            let ends_in_hyphen = before.ends_with(['-', '\u{2010}', '¬', '\u{AD}']);
            prop_assert!(found != Seam::Mend || ends_in_hyphen);
        }
    }
}
