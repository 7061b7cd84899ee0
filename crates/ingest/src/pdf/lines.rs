//! Pieces of lines, and the lines they make.

use hayro_interpret::kurbo::Rect;

use super::ink::{Role, Style, line_box};
use super::letters::{direction, into_reading_order};
use super::words::Word;

/// The content of one place of a page: words at one height, or a table that was found by its rules.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) words: Vec<Word>,
    pub(super) bounds: Rect,
    pub(super) size: f64,
    /// The table that stands here: an index into the page's tables.
    pub(super) table: Option<usize>,
    /// The panels that stand here side by side: an index into the page's rows of panels.
    pub(super) panels: Option<usize>,
}

impl Piece {
    pub(super) fn of_words(words: Vec<Word>) -> Self {
        let bounds = words.iter().map(Word::bounds).reduce(|all, next| all.union(next));
        let size = main_size(&words);
        Self { words, bounds: bounds.unwrap_or(Rect::ZERO), size, table: None, panels: None }
    }

    pub(super) fn of_table(table: usize, bounds: Rect) -> Self {
        Self { words: Vec::new(), bounds, size: 10.0, table: Some(table), panels: None }
    }

    pub(super) fn of_panels(panels: usize, bounds: Rect) -> Self {
        Self { words: Vec::new(), bounds, size: 10.0, table: None, panels: Some(panels) }
    }

    /// Returns `true` if it takes up its height alone.
    pub(super) fn is_block(&self) -> bool {
        self.table.is_some() || self.panels.is_some()
    }

    pub(super) fn baseline(&self) -> f64 {
        self.words.first().map_or(self.bounds.y1, |_| self.bounds.y1 - 0.22 * self.size)
    }

    pub(super) fn text(&self) -> String {
        text_of(&self.words)
    }
}

/// The size that most letters have.
pub(super) fn main_size<'w>(words: impl IntoIterator<Item = &'w Word>) -> f64 {
    let mut sizes: Vec<(f64, usize)> =
        words.into_iter().map(|word| (word.size, word.text.chars().count())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The median by letters, which the mark of a note or a large initial does not move.
    let half = sizes.iter().map(|(_, letters)| letters).sum::<usize>() / 2;
    let mut passed = 0;
    let main = sizes.iter().find(|(_, letters)| {
        passed += letters;
        passed > half
    });
    main.or(sizes.last()).map_or(0.0, |(size, _)| *size)
}

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// In the order of reading.
    pub(super) words: Vec<Word>,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) baseline: f64,
    pub(super) size: f64,
    /// The style of most of its letters.
    pub(super) style: Style,
    pub(super) role: Role,
}

impl Line {
    /// The line of words that are given from left to right.
    pub(super) fn of(mut words: Vec<Word>) -> Self {
        let size = main_size(&words);
        let main = words.iter().find(|word| !word.is_raised).or(words.first());
        // Not of a raised word, which stands higher than its line.
        let baseline = main.map_or(0.0, |word| word.baseline);
        let letters = |holds: fn(&Word) -> bool| -> usize {
            let counted = words.iter().filter(|word| holds(word));
            counted.map(|word| word.text.chars().count()).sum()
        };
        let all = letters(|_| true);
        // Two thirds: one bold word makes no bold line, and a plain number behind bold words leaves it bold.
        let style = Style {
            bold: letters(|word| word.style.bold) * 3 > all * 2,
            italic: letters(|word| word.style.italic) * 3 > all * 2,
            monospace: letters(|word| word.style.monospace) * 3 > all * 2,
        };
        let role = words.first().map(|word| word.role).unwrap_or_default();
        let left = words.iter().map(|word| word.left).fold(f64::MAX, f64::min);
        let right = words.iter().map(|word| word.right).fold(f64::MIN, f64::max);
        into_reading_order(&mut words, |word| direction(&word.text));
        Self { words, left, right, baseline, size, style, role }
    }

    pub(super) fn text(&self) -> String {
        text_of(&self.words)
    }

    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn bounds(&self) -> Rect {
        line_box(self.left, self.right, self.baseline, self.size)
    }
}

/// Words with a space between them, unless nothing stands there on the page.
fn text_of(words: &[Word]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| words.get(before));
        if before.is_some_and(|before| is_apart(before, word)) {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// Returns `true` if a space belongs between two words of a line.
///
/// A raised number that stands at a word (a note's, a sentence's) is kept apart from it, since no
/// search would find the two as one; in `m²` or `10⁻³` it belongs to the word.
pub(super) fn is_apart(before: &Word, word: &Word) -> bool {
    if !word.is_glued {
        return true;
    }
    let is_number =
        |word: &Word| word.is_raised && word.text.chars().all(|letter| letter.is_numeric());
    // Behind a stroke a unit begins anew: `kg/m³`.
    let last_part =
        |word: &Word| word.text.rsplit('/').next().map(str::to_owned).unwrap_or_default();
    let letters = |word: &Word| last_part(word).chars().filter(|c| c.is_alphabetic()).count();
    if is_number(word) {
        return letters(before) >= 3;
    }
    is_number(before) && word.text.starts_with(|first: char| first.is_alphabetic() || first == '§')
}

/// Groups pieces into rows: what stands at one height, from left to right, rows from the top down.
pub(super) fn rows(mut pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    pieces.sort_by(|a, b| {
        a.baseline().total_cmp(&b.baseline()).then(a.bounds.x0.total_cmp(&b.bounds.x0))
    });
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        let first = rows.last().and_then(|row| row.first());
        let is_same = first.is_some_and(|first| {
            !first.is_block()
                && !piece.is_block()
                && piece.baseline() - first.baseline() < 0.62 * piece.size.min(first.size)
        });
        match rows.last_mut() {
            Some(row) if is_same => row.push(piece),
            _ => rows.push(vec![piece]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.bounds.x0.total_cmp(&b.bounds.x0));
    }
    rows
}

#[cfg(test)]
impl Piece {
    /// Words of type of ten points, each 27 points wide with three behind it.
    pub(super) fn sample(text: &str, left: f64, baseline: f64) -> Self {
        let words = text.split(' ').enumerate().map(|(index, text)| {
            let left = left + 30.0 * index as f64;
            let text = text.to_owned();
            Word { text, left, right: left + 27.0, baseline, size: 10.0, ..Word::default() }
        });
        Self::of_words(words.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, left: f64, is_raised: bool, is_glued: bool) -> Word {
        let right = left + 5.0 * text.chars().count() as f64;
        let text = text.to_owned();
        Word { text, left, right, size: 10.0, is_raised, is_glued, ..Word::default() }
    }

    #[test]
    fn raised_numbers_stay_apart_from_words_only() {
        let cases = [
            (vec![("(1)", false, false), ("¹", true, false), ("Das", false, true)], "(1) ¹ Das"),
            (vec![("Literacy", false, false), ("¹", true, true)], "Literacy ¹"),
            (vec![("m", false, false), ("²", true, true)], "m²"),
            (vec![("kg/m", false, false), ("³", true, true)], "kg/m³"),
            (vec![("1", false, false), ("st", true, true)], "1st"),
            (vec![("„", false, false), ("²", true, true), ("Sofern", false, true)], "„² Sofern"),
        ];
        for (parts, expected) in cases {
            let words: Vec<Word> = parts
                .iter()
                .enumerate()
                .map(|(at, (text, raised, glued))| word(text, 50.0 * at as f64, *raised, *glued))
                .collect();
            assert_eq!(text_of(&words), expected);
        }
    }

    #[test]
    fn a_line_is_as_most_of_its_letters() {
        let mut bold = word("Geltungsbereich", 0.0, false, false);
        bold.style.bold = true;
        let line = Line::of(vec![bold, word("§1", 80.0, false, false)]);
        assert!(line.style.bold && !line.style.italic);
        assert_eq!((line.left, line.right, line.size), (0.0, 90.0, 10.0));
    }
}
