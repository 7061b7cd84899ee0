//! Notes at the foot of a page: moved after the paragraph or into the cell that refers to them.
//!
//! A note limits what its sentence says (`30¹`: fewer in the first year), but is below another
//! section by chance. It is known by its mark, which is raised at a word above it, and by its looks:
//! smaller than the text, or below a short rule.

use std::collections::BTreeMap;
use std::ops::Range;

use super::columns::Row;
use super::ink::Rule;
use super::lines::{Line, Piece, main_size};
use super::paragraphs::{Column, Joining, Paragraph, note_paragraph};
use super::text::Part;
use super::words::Word;
use crate::inline::InlineText;

/// The target of a link that stands for the mark of a note, until the note was moved.
pub(super) const MARK: &str = "#note-mark";

/// Notes are smaller than the text by a point or so.
const SMALL: f64 = 0.95;
/// The rule above notes is shorter than this share of the text's width.
// Word and LaTeX draw a third to two fifths; one over the whole width may be anything.
const SHORT_RULE: f64 = 0.6;
/// Most figures of a mark.
const MOST_FIGURES: usize = 3;
/// Rows whose beginnings differ by less, in points, begin in line.
const IN_LINE: f64 = 3.0;
/// Signs that notes are marked by where there are few.
const SIGNS: [char; 6] = ['*', '†', '‡', '§', '¶', '‖'];

/// A note, and the page that it is on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Note {
    pub(super) mark: String,
    pub(super) lines: Vec<Line>,
}

impl Note {
    /// The note with its mark, as a paragraph.
    pub(super) fn with_mark(&self, page: usize, joining: Joining<'_>) -> Option<Paragraph> {
        let mut paragraph = self.paragraph(page, joining)?;
        paragraph.text = paragraph.text.after(&format!("{} ", self.mark));
        Some(paragraph)
    }

    /// The note without its mark, as a paragraph.
    pub(super) fn paragraph(&self, page: usize, joining: Joining<'_>) -> Option<Paragraph> {
        let left = self.lines.iter().map(|line| line.left).fold(f64::MAX, f64::min);
        let right = self.lines.iter().map(|line| line.right).fold(f64::MIN, f64::max);
        note_paragraph(&self.lines, page, Column { left, right, is_known: false }, joining)
    }
}

/// The looks of a page by which notes are distinguished from its text.
pub(super) struct Signs {
    /// The size of most of its text.
    size: f64,
    /// The marks that stand at words, with the height of the first.
    marks: BTreeMap<String, f64>,
    rules: Vec<Rule>,
}

impl Signs {
    pub(super) fn of(pieces: &[Piece], rules: Vec<Rule>) -> Self {
        let mut found: BTreeMap<String, f64> = BTreeMap::new();
        for piece in pieces {
            let mut before = None;
            for word in &piece.words {
                if let Some(range) = reference(before, word) {
                    for mark in word.text.get(range).map(marks).unwrap_or_default() {
                        let first = found.entry(mark).or_insert(f64::MAX);
                        *first = first.min(piece.baseline());
                    }
                }
                before = Some(word);
            }
        }
        let size = main_size(pieces.iter().flat_map(|piece| &piece.words));
        Self { size, marks: found, rules }
    }

    fn is_small(&self, row: &Row) -> bool {
        let size = row.iter().map(|piece| piece.size).fold(0.0, f64::max);
        row.iter().all(|piece| !piece.is_block()) && size < SMALL * self.size
    }

    /// Returns `true` if a short rule runs between two rows, from their left edge on.
    fn is_ruled_off(&self, above: Option<&Row>, below: &Row, width: f64) -> bool {
        let edge = |row: &Row, end: fn(&Piece) -> f64| row.iter().map(end).collect::<Vec<f64>>();
        let left = edge(below, |piece| piece.bounds.x0).into_iter().fold(f64::MAX, f64::min);
        let top = edge(below, |piece| piece.bounds.y0).into_iter().fold(f64::MAX, f64::min);
        let over = above.map(|row| edge(row, Piece::baseline));
        let over = over.into_iter().flatten().fold(f64::MIN, f64::max);
        let is_above = |rule: &Rule| {
            rule.is_level
                && over < rule.position
                && rule.position < top + 0.3 * self.size
                && top - rule.position < 2.0 * self.size
                && (rule.start - left).abs() < 2.5 * self.size
                && rule.end - rule.start < SHORT_RULE * width
        };
        self.rules.iter().any(is_above)
    }

    /// The row from which on a block holds one note after the other, as large as its text: as many as there
    /// are marks, in their order, below a gap.
    fn foot(&self, rows: &[Row]) -> Option<usize> {
        let begun: Vec<(usize, String)> =
            rows.iter().enumerate().filter_map(|(at, row)| Some((at, self.begun(row)?))).collect();
        let last = begun.get(begun.len().checked_sub(self.marks.len())?..)?;
        let numbers = |marks: &mut dyn Iterator<Item = &String>| -> Option<Vec<u32>> {
            marks.map(|mark| mark.parse().ok()).collect()
        };
        let own = numbers(&mut last.iter().map(|(_, mark)| mark))?;
        let mut all = numbers(&mut self.marks.keys())?;
        all.sort_unstable();
        let (at, _) = last.first()?;
        let edge = |row: &Row, end: fn(&Piece) -> f64| row.iter().map(end).collect::<Vec<f64>>();
        let above = edge(rows.get(at.checked_sub(1)?)?, |piece| piece.bounds.y1);
        let top = edge(rows.get(*at)?, |piece| piece.bounds.y0);
        let gap =
            top.into_iter().fold(f64::MAX, f64::min) - above.into_iter().fold(f64::MIN, f64::max);
        // A note is below what refers to it: a power further down is no mark of a list's item.
        let is_below = |(at, mark): &(usize, String)| {
            let row = rows.get(*at).and_then(|row| row.first()).map(Piece::baseline);
            row.zip(self.marks.get(mark)).is_some_and(|(row, mark)| *mark < row)
        };
        let is_foot = own == all && gap > self.size && last.iter().all(is_below);
        (is_foot && !goes_on_a_list(rows, *at)).then_some(*at)
    }

    /// The mark of the note that begins with a row.
    fn begun(&self, row: &Row) -> Option<String> {
        let first = row.first()?.words.first()?;
        let has_more = row.iter().map(|piece| piece.words.len()).sum::<usize>() > 1;
        let stem = first.text.trim_start_matches(SIGNS);
        let signs = first.text.strip_suffix(stem).filter(|signs| !signs.is_empty());
        let mark = match signs {
            // A sign may stand close to its note.
            Some(signs) => signs.to_owned(),
            None => marks(&first.text).into_iter().next().filter(|_| has_more)?,
        };
        self.marks.contains_key(&mark).then_some(mark)
    }
}

/// Returns `true` if the row before the one at `at` that begins in line with it has the number before its own.
fn goes_on_a_list(rows: &[Row], at: usize) -> bool {
    let number = |row: &Row| -> Option<u32> {
        let word = row.first()?.words.first()?;
        marks(&word.text).first()?.parse().ok()
    };
    let left = |row: &Row| row.first().map(|piece| piece.bounds.x0);
    let (Some(row), Some(above)) = (rows.get(at), rows.get(..at)) else {
        return false;
    };
    let is_in_line = |other: &&Row| match (left(other), left(row)) {
        (Some(other), Some(own)) => (other - own).abs() < IN_LINE,
        _ => false,
    };
    let before = above.iter().rev().find(is_in_line).and_then(number);
    before.is_some_and(|before| number(row) == before.checked_add(1))
}

/// Takes the notes out of the rows of a block.
pub(super) fn take(rows: Vec<Row>, signs: &Signs) -> (Vec<Row>, Vec<Note>) {
    if signs.marks.is_empty() {
        return (rows, Vec::new());
    }
    let edge = |end: fn(&Piece) -> f64| rows.iter().flatten().map(end).collect::<Vec<f64>>();
    let left = edge(|piece| piece.bounds.x0).into_iter().fold(f64::MAX, f64::min);
    let right = edge(|piece| piece.bounds.x1).into_iter().fold(f64::MIN, f64::max);
    let (mut kept, mut notes): (Vec<Row>, Vec<Note>) = (Vec::new(), Vec::new());
    let foot = signs.foot(&rows);
    let mut is_below_rule = false;
    let mut is_open = false;
    for (at, row) in rows.into_iter().enumerate() {
        let has_table = row.iter().any(|piece| piece.is_block());
        is_below_rule |= foot == Some(at) || signs.is_ruled_off(kept.last(), &row, right - left);
        if has_table || !(is_below_rule || signs.is_small(&row)) {
            (is_open, is_below_rule) = (false, false);
            kept.push(row);
            continue;
        }
        if let Some(mark) = signs.begun(&row) {
            is_open = true;
            notes.push(Note { mark, lines: Vec::new() });
        }
        match notes.last_mut().filter(|_| is_open) {
            Some(note) => {
                let mut words: Vec<Word> = row.into_iter().flat_map(|piece| piece.words).collect();
                if note.lines.is_empty() {
                    without_mark(&mut words);
                }
                note.lines.push(Line::of(words));
            }
            None => kept.push(row),
        }
    }
    (kept, notes)
}

/// Takes the mark off the first words of a note.
fn without_mark(words: &mut Vec<Word>) {
    let Some(first) = words.first_mut() else {
        return;
    };
    let stem = first.text.trim_start_matches(SIGNS);
    if stem.len() < first.text.len() && !stem.is_empty() {
        first.text = stem.to_owned();
    } else {
        words.remove(0);
    }
}

/// The part of a word that is the mark of a note, if it has one; `before` is the word before it.
pub(super) fn reference(before: Option<&Word>, word: &Word) -> Option<Range<usize>> {
    if word.is_raised {
        let before = before.filter(|_| word.is_glued)?;
        // `m²`, `x²`: nobody puts a note to a letter.
        let letters = before.text.chars().filter(|letter| letter.is_alphanumeric());
        let is_unit = before.text.chars().count() <= 2
            && letters.clone().all(char::is_alphabetic)
            && letters.count() > 0;
        let is_mark = !is_unit && !marks(&word.text).is_empty();
        return is_mark.then_some(0..word.text.len());
    }
    // An asterisk is high by itself.
    let stem = word.text.trim_end_matches(SIGNS);
    let is_marked = stem.ends_with(|last: char| last.is_alphanumeric() || ".,)%€".contains(last));
    (is_marked && stem.len() < word.text.len() && !stem.starts_with(SIGNS))
        .then_some(stem.len()..word.text.len())
}

/// The marks that a raised text names: `1`, `1, 2`, `3)`, `*`, `a`.
fn marks(text: &str) -> Vec<String> {
    let parts = text.split([',', ';', ' ']).filter(|part| !part.is_empty());
    let marks: Vec<Option<String>> = parts.map(mark).collect();
    marks.into_iter().collect::<Option<Vec<String>>>().unwrap_or_default()
}

fn mark(text: &str) -> Option<String> {
    let inner = text.trim_start_matches(['(', '[']).trim_end_matches([')', ']', '.', ':']);
    let plain: String = inner.chars().map(plain_figure).collect();
    let letters = plain.chars().count();
    let is_number = letters <= MOST_FIGURES && plain.chars().all(|c| c.is_ascii_digit());
    let is_sign = letters <= MOST_FIGURES && plain.chars().all(|c| SIGNS.contains(&c));
    let is_letter = matches!(plain.as_bytes(), [b'a'..=b'z']);
    (letters > 0 && (is_number || is_sign || is_letter)).then_some(plain)
}

fn plain_figure(character: char) -> char {
    match character {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => {
            let value = u32::from(character) - u32::from('⁰');
            char::from_digit(value, 10).unwrap_or(character)
        }
        other => other,
    }
}

/// Notes that wait until all parts of the text are known, each with the part that it goes after.
#[derive(Debug, Default)]
pub(super) struct Waiting(Vec<(usize, Paragraph)>);

impl Waiting {
    /// Puts a note of page `page` to all that refers to it among `parts`; those from `start` on are the
    /// page's. Gives the note back if nothing does.
    pub(super) fn place(
        &mut self,
        parts: &mut [Part],
        start: usize,
        note: Note,
        page: usize,
        joining: Joining<'_>,
    ) -> Option<Note> {
        // The page may begin with the rest of a paragraph that is listed on the one before.
        let is_near = |part: &Part| part.page() + 1 >= page;
        let from = parts.iter().rposition(|part| !is_near(part)).map_or(0, |at| at + 1);
        let paragraph = note.paragraph(page, joining)?;
        // Exponents of ten look like marks, and are some where nothing else is.
        let own = start..parts.len();
        for (range, with_powers) in [(own.clone(), false), (from..start, false), (own, true)] {
            let mut is_placed = false;
            for at in range {
                let Some(part) = parts.get_mut(at) else {
                    continue;
                };
                match part {
                    Part::Paragraph(host) => {
                        if take_marks(&mut host.text, &note.mark, with_powers) {
                            self.0.push((at, paragraph.clone()));
                            is_placed = true;
                        }
                    }
                    Part::Table(table) => {
                        let cells = table.draft.rows.iter_mut().flat_map(|row| &mut row.cells);
                        for text in cells.map(|cell| &mut cell.text) {
                            if take_marks(text, &note.mark, with_powers) {
                                add_in_brackets(text, paragraph.text.clone());
                                is_placed = true;
                            }
                        }
                        if take_marks(&mut table.draft.caption, &note.mark, with_powers) {
                            self.0.push((at, paragraph.clone()));
                            is_placed = true;
                        }
                    }
                }
            }
            if is_placed {
                return None;
            }
        }
        Some(note)
    }

    /// Puts the notes into the text, and forgets which of its figures are marks.
    pub(super) fn settle(self, parts: Vec<Part>) -> Vec<Part> {
        let Self(mut notes) = self;
        // Stable: notes to one paragraph keep their order.
        notes.sort_by_key(|(at, _)| *at);
        let mut notes = notes.into_iter().peekable();
        let mut settled = Vec::with_capacity(parts.len());
        for (at, mut part) in parts.into_iter().enumerate() {
            match &mut part {
                Part::Paragraph(paragraph) => forget_marks(&mut paragraph.text),
                Part::Table(table) => {
                    forget_marks(&mut table.draft.caption);
                    let cells = table.draft.rows.iter_mut().flat_map(|row| &mut row.cells);
                    cells.for_each(|cell| forget_marks(&mut cell.text));
                }
            }
            let page = part.page();
            settled.push(part);
            while let Some((_, mut note)) = notes.next_if(|(host, _)| *host == at) {
                forget_marks(&mut note.text);
                // Parts are laid out page by page.
                note.page = page;
                settled.push(Part::Paragraph(note));
            }
        }
        settled
    }
}

/// Takes the marks of one note out of a text; `true` if there were any.
fn take_marks(text: &mut InlineText, mark: &str, with_powers: bool) -> bool {
    let is_mark = |(range, target): &&(Range<usize>, String)| {
        let names = |text: &str| marks(text).iter().any(|named| named == mark);
        target == MARK
            && text.text.get(range.clone()).is_some_and(names)
            && (with_powers || !is_power(&text.text, range.start))
    };
    let found: Vec<Range<usize>> =
        text.links.iter().filter(is_mark).map(|(range, _)| range.clone()).collect();
    if found.is_empty() {
        return false;
    }
    let removed: Vec<Range<usize>> =
        found.into_iter().filter_map(|range| mark_within(&text.text, range, mark)).collect();
    *text = std::mem::take(text).without(&removed);
    true
}

/// Returns `true` if the number ten is before this place.
fn is_power(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.strip_suffix("10"));
    before.is_some_and(|before| !before.ends_with(|c: char| c.is_numeric() || ".,:".contains(c)))
}

/// The place of one mark among those that stand together (`1, 2`), with the space or comma before it.
fn mark_within(text: &str, range: Range<usize>, wanted: &str) -> Option<Range<usize>> {
    let named = text.get(range.clone())?;
    let all = marks(named);
    if all.len() == 1 {
        let before = text.get(..range.start)?;
        let space = before.len() - before.trim_end_matches(' ').len();
        return Some(range.start - space..range.end);
    }
    let mut start = range.start;
    for part in named.split_inclusive([',', ';', ' ']) {
        let end = start + part.len();
        if mark(part.trim_end_matches([',', ';', ' '])).is_some_and(|mark| mark == wanted) {
            return Some(start..end);
        }
        start = end;
    }
    None
}

fn forget_marks(text: &mut InlineText) {
    text.links.retain(|(_, target)| target != MARK);
}

fn add_in_brackets(text: &mut InlineText, note: InlineText) {
    let note = note.trimmed().after(" (");
    *text = std::mem::take(text).followed_by(note).followed_by(InlineText::plain(")"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let cases = [
            ("¹", vec!["1"]),
            ("¹²", vec!["12"]),
            ("¹,²", vec!["1", "2"]),
            ("³)", vec!["3"]),
            ("**", vec!["**"]),
            ("a", vec!["a"]),
            ("1", vec!["1"]),
            ("st", vec![]),
            ("2024", vec![]),
            ("−¹", vec![]),
            ("", vec![]),
        ];
        for (text, expected) in cases {
            assert_eq!(marks(text), expected, "{text}");
        }
    }

    #[test]
    fn a_mark_is_taken_out_of_its_text() {
        let text = |text: &str, marked: &str| {
            let start = text.find(marked).unwrap_or_default();
            let links = vec![(start..start + marked.len(), MARK.to_owned())];
            InlineText { text: text.to_owned(), links }
        };
        let cases = [
            ("takes 28¹ credits", "¹", true, "takes 28 credits"),
            ("180 credits ¹ in total", "¹", true, "180 credits in total"),
            ("EUR 17*", "*", false, "EUR 17*"),
            ("a pool of 10¹ litres", "¹", false, "a pool of 10¹ litres"),
            ("costs 110¹", "¹", true, "costs 110"),
            ("takes 28¹,² credits", "¹,²", true, "takes 28² credits"),
        ];
        for (given, marked, is_taken, expected) in cases {
            let mut text = text(given, marked);
            assert_eq!(take_marks(&mut text, "1", false), is_taken, "{given}");
            assert_eq!(text.text, expected);
        }
    }
    /// The marks of the notes taken from these rows, at these heights; raised words are `10^2`.
    fn taken(rows: &[(&str, f64)]) -> Vec<String> {
        let piece = |(text, baseline): &(&str, f64)| {
            let mut piece = Piece::sample(&text.replace('^', " "), 0.0, *baseline);
            let raised = text.split(' ').position(|word| word.contains('^'));
            if let Some(word) = raised.and_then(|at| piece.words.get_mut(at + 1)) {
                (word.is_raised, word.is_glued) = (true, true);
            }
            vec![piece]
        };
        let rows: Vec<Row> = rows.iter().map(piece).collect();
        let pieces: Vec<Piece> = rows.iter().flatten().cloned().collect();
        let (_, notes) = take(rows, &Signs::of(&pieces, Vec::new()));
        notes.into_iter().map(|note| note.mark).collect()
    }

    #[test]
    fn notes_are_below_their_marks_and_no_items_of_a_list() {
        // As large as the text, below a gap.
        assert_eq!(taken(&[("costs 35^1 euros", 100.0), ("1 In cash alone", 140.0)]), ["1"]);
        // A power below a list, and one above it.
        let list = [("1. write it down", 120.0), ("2. check the bung", 140.0)];
        let below: Vec<(&str, f64)> =
            list.into_iter().chain([("at most 10^2 boats", 180.0)]).collect();
        assert_eq!(taken(&below), [""; 0]);
        let above: Vec<(&str, f64)> =
            [("at most 10^2 boats", 80.0)].into_iter().chain(list).collect();
        assert_eq!(taken(&above), [""; 0]);
    }
}
