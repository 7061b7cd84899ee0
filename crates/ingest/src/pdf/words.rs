//! From glyphs to words, by the gaps between them.

use std::cmp::Ordering;

use hayro_interpret::kurbo::Rect;

use super::initials::set_initials;
use super::ink::{Glyph, Role, Style, line_box};
use super::letters::{combine, word_text};
use super::marks::lift_raised;
use super::spacing::word_gaps;
use crate::inline::superscript;

/// A gap of this many ems parts words. Spaces are a quarter of an em wide, a little less where a
/// line is set tight; letters of one word are a tenth apart at most.
// At a quarter, words in a line without glyphs for its spaces are one (`gaps_part_words_and_pieces`).
const WORD_GAP: f64 = 0.16;
/// A gap of this many ems parts what only happens to stand at the same height.
// At half an em a line falls apart at its spaces, since only what has ink holds a piece together.
const PIECE_GAP: f64 = 1.0;
/// Baselines that differ by less than this share of the smaller size are on one line.
// At a third, raised numbers are lines of their own (`raised_digits_are_no_part_of_a_word`).
const SAME_LINE: f64 = 0.62;

/// Text between two gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) baseline: f64,
    pub(super) size: f64,
    pub(super) style: Style,
    pub(super) role: Role,
    /// Small and above the baseline: the number of a note or a sentence.
    pub(super) is_raised: bool,
    /// Nothing stands between it and the word before.
    pub(super) is_glued: bool,
    /// The link it lies in: an index into the page's links.
    pub(super) link: Option<usize>,
    /// Its place in the order of drawing.
    pub(super) order: usize,
    /// A line runs through it.
    pub(super) is_struck: bool,
}

impl Word {
    pub(super) fn bounds(&self) -> Rect {
        line_box(self.left, self.right, self.baseline, self.size)
    }
}

/// Groups glyphs into pieces of lines, words that stand close together at one height.
pub(super) fn pieces(mut glyphs: Vec<Glyph>) -> Vec<Vec<Word>> {
    set_initials(&mut glyphs);
    lift_raised(&mut glyphs);
    rows(glyphs)
        .into_iter()
        .flat_map(split_row)
        .map(words)
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn ordered(left: f64, right: f64) -> Ordering {
    left.total_cmp(&right)
}

/// Glyphs whose baselines are about the same, from the top down.
fn rows(mut glyphs: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    glyphs.sort_by(|a, b| ordered(a.line_baseline(), b.line_baseline()));
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    let mut first = (0.0, 0.0);
    for glyph in glyphs {
        let (baseline, size) = first;
        let is_same = glyph.line_baseline() - baseline < SAME_LINE * glyph.size.min(size);
        match rows.last_mut() {
            Some(row) if is_same => row.push(glyph),
            _ => {
                first = (glyph.line_baseline(), glyph.size);
                rows.push(vec![glyph]);
            }
        }
    }
    rows
}

/// The pieces of a row, from left to right.
fn split_row(mut row: Vec<Glyph>) -> Vec<Vec<Glyph>> {
    row.sort_by(|a, b| ordered(a.left(), b.left()));
    put_spaces_between(&mut row);
    // Before accents are put onto letters: a letter drawn twice would take the accent once.
    let mut row = drawn_once(row);
    combine(&mut row);
    let mut pieces: Vec<Vec<Glyph>> = Vec::new();
    let mut reach = f64::MIN;
    for glyph in row {
        if glyph.text.trim().is_empty() {
            // Only what is seen keeps a piece together: a line may be padded with spaces.
            if let Some(piece) = pieces.last_mut() {
                piece.push(glyph);
            }
            continue;
        }
        let is_near = glyph.left() - reach < PIECE_GAP * glyph.size;
        reach = reach.max(glyph.right());
        match pieces.last_mut() {
            Some(piece) if is_near => piece.push(glyph),
            _ => pieces.push(vec![glyph]),
        }
    }
    pieces
}

/// Puts each space that begins over the first half of a letter before that letter.
///
/// LuaTeX writes a space in front of a cell at the very place where its text begins; which of the two
/// is first is a matter of rounding.
fn put_spaces_between(row: &mut [Glyph]) {
    for at in 1..row.len() {
        let (Some(letter), Some(space)) = (row.get(at - 1), row.get(at)) else {
            continue;
        };
        let is_over = letter.has_ink()
            && !space.has_ink()
            && space.left() - letter.left() < 0.5 * (letter.right() - letter.left());
        if is_over {
            row.swap(at - 1, at);
        }
    }
}

/// Takes out the words that are struck through, and gives back what they say.
pub(super) fn take_struck(piece: &mut Vec<Word>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    let mut is_open = false;
    // Letters around a struck part of a word go on as one word.
    let mut is_glued = true;
    // The line ends where it did: a short one would end its paragraph.
    let left = piece.iter().map(|word| word.left).fold(f64::MAX, f64::min);
    let right = piece.iter().map(|word| word.right).fold(f64::MIN, f64::max);
    piece.retain_mut(|word| {
        if !word.is_struck {
            word.is_glued &= is_glued;
            (is_open, is_glued) = (false, true);
            return true;
        }
        is_glued &= word.is_glued;
        match taken.last_mut().filter(|_| is_open) {
            Some(text) => {
                text.push_str(if word.is_glued { "" } else { " " });
                text.push_str(&word.text);
            }
            None => taken.push(word.text.clone()),
        }
        is_open = true;
        false
    });
    if !taken.is_empty() {
        piece.first_mut().into_iter().for_each(|word| word.left = left);
        piece.last_mut().into_iter().for_each(|word| word.right = right);
    }
    taken
}

/// The size that most of the text has.
fn main_size(glyphs: &[Glyph]) -> f64 {
    let mut sizes: Vec<f64> = glyphs.iter().map(|glyph| glyph.size).collect();
    sizes.sort_by(|a, b| ordered(*a, *b));
    // Small text is what stands beside the main text, so half-way up or above it.
    sizes.get(sizes.len() * 3 / 5).copied().unwrap_or(0.0)
}

fn words(glyphs: Vec<Glyph>) -> Vec<Word> {
    let size = main_size(&glyphs);
    let main = glyphs.iter().find(|glyph| (glyph.size - size).abs() < 0.01 * size);
    let baseline = main.map_or(0.0, Glyph::line_baseline);
    let is_raised = |glyph: &Glyph| {
        // Raised digits have about two thirds of the size of their line.
        let is_small = glyph.size < 0.85 * size;
        glyph.is_raised || is_small && (0.12 * size..size).contains(&(baseline - glyph.baseline()))
    };
    let gaps = word_gaps(&glyphs, WORD_GAP);
    let mut builder = Builder { baseline, ..Builder::default() };
    for (glyph, gap) in glyphs.iter().zip(gaps) {
        if !glyph.has_ink() {
            builder.end_word();
            continue;
        }
        builder.push(glyph, is_raised(glyph), gap);
    }
    builder.end_word();
    builder.words
}

#[derive(Default)]
struct Builder<'g> {
    /// That of the line.
    baseline: f64,
    words: Vec<Word>,
    open: Vec<&'g Glyph>,
    open_is_raised: bool,
    is_glued: bool,
}

impl<'g> Builder<'g> {
    fn push(&mut self, glyph: &'g Glyph, is_raised: bool, gap: f64) {
        if let Some(last) = self.open.last() {
            let is_apart = glyph.left() - last.right() > gap * glyph.size.min(last.size);
            let changes = is_raised != self.open_is_raised || glyph.is_struck != last.is_struck;
            if is_apart || changes {
                self.end_word();
                self.is_glued = !is_apart;
            }
        }
        self.open_is_raised = is_raised;
        self.open.push(glyph);
    }

    fn end_word(&mut self) {
        let is_glued = std::mem::take(&mut self.is_glued);
        let glyphs = std::mem::take(&mut self.open);
        let (Some(first), Some(last)) = (glyphs.first(), glyphs.last()) else {
            return;
        };
        let is_most = |holds: fn(&Glyph) -> bool| {
            2 * glyphs.iter().filter(|glyph| holds(glyph)).count() > glyphs.len()
        };
        let text = word_text(glyphs.iter().map(|glyph| glyph.text.as_str()).collect());
        let text = if self.open_is_raised { superscript(&text) } else { text };
        self.words.push(Word {
            text,
            left: first.left(),
            right: glyphs.iter().map(|glyph| glyph.right()).fold(last.right(), f64::max),
            // A raised figure is on its line too: a table's cell is read line by line.
            baseline: if self.open_is_raised { self.baseline } else { first.line_baseline() },
            size: glyphs.iter().map(|glyph| glyph.size).fold(0.0, f64::max),
            style: Style {
                bold: is_most(|glyph| glyph.style.bold),
                italic: is_most(|glyph| glyph.style.italic),
                monospace: is_most(|glyph| glyph.style.monospace),
            },
            role: first.role,
            is_raised: self.open_is_raised,
            is_glued,
            link: None,
            order: glyphs.iter().map(|glyph| glyph.order).min().unwrap_or_default(),
            is_struck: first.is_struck,
        });
    }
}

/// Letters without those that are drawn over themselves, in place or a little aside: how some
/// programs make them bold.
fn drawn_once(row: Vec<Glyph>) -> Vec<Glyph> {
    let mut once: Vec<Glyph> = Vec::with_capacity(row.len());
    for glyph in row {
        match once.last_mut() {
            Some(last) if is_repeated(last, &glyph) => last.style.bold = true,
            _ => once.push(glyph),
        }
    }
    once
}

fn is_repeated(last: &Glyph, glyph: &Glyph) -> bool {
    // Bold that is drawn twice is shifted by a few hundredths of an em; `ll` is not near itself.
    let near = 0.3 * (last.right() - last.left());
    last.text == glyph.text
        && !glyph.text.trim().is_empty()
        && glyph.left() - last.left() < near
        && (glyph.baseline() - last.baseline()).abs() < 0.2 * glyph.size
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;

    /// Letters five points wide at size ten, one space character two and a half.
    fn set(text: &str, left: f64, baseline: f64, size: f64) -> Vec<Glyph> {
        let mut glyphs = Vec::new();
        let mut x = left;
        for character in text.chars() {
            let width = if character == '\u{2007}' { 0.25 * size } else { 0.5 * size };
            if character != '\u{2007}' {
                glyphs.push(Glyph {
                    text: character.to_string(),
                    start: Point::new(x, baseline),
                    end: Point::new(x + width, baseline),
                    size,
                    ..Glyph::default()
                });
            }
            x += width;
        }
        glyphs
    }

    fn shown(glyphs: Vec<Glyph>) -> Vec<String> {
        let shown = |piece: Vec<Word>| {
            let words: Vec<String> = piece
                .iter()
                .map(|word| format!("{}{}", if word.is_glued { "+" } else { "" }, word.text))
                .collect();
            words.join(" ")
        };
        pieces(glyphs).into_iter().map(shown).collect()
    }

    #[test]
    fn gaps_part_words_and_pieces() {
        // A figure space stands for a gap without a glyph, a plain one for a glyph.
        let mut glyphs = set("two words", 0.0, 100.0, 10.0);
        glyphs.extend(set("no\u{2007}space", 100.0, 101.0, 10.0));
        glyphs.extend(set("below", 0.0, 112.0, 10.0));
        assert_eq!(shown(glyphs), ["two words", "no space", "below"]);
    }

    #[test]
    fn raised_digits_are_no_part_of_a_word() {
        let mut glyphs = set("(1)", 0.0, 100.0, 10.0);
        glyphs.extend(set("2", 20.0, 96.0, 6.5));
        glyphs.extend(set("Zur", 23.5, 100.0, 10.0));
        assert_eq!(shown(glyphs), ["(1) ² +Zur"]);
    }

    #[test]
    fn struck_words_are_taken_out() {
        let mut glyphs = set("costs EUR\u{2007}45EUR\u{2007}58. inxyside", 0.0, 100.0, 10.0);
        for at in [6, 7, 8, 9, 10, 20, 21] {
            glyphs[at].is_struck = true;
        }
        let mut pieces = pieces(glyphs);
        let taken: Vec<String> = pieces.iter_mut().flat_map(take_struck).collect();
        assert_eq!(taken, ["EUR 45", "xy"]);
        let left = crate::pdf::lines::Piece::of_words(pieces.remove(0));
        assert_eq!(left.text(), "costs EUR 58. inside");
    }

    #[test]
    fn a_space_over_a_letter_parts_no_word() {
        // The space begins where the letter does, or a hair after.
        for behind in [0.0, 0.01] {
            let mut glyphs = set("at", 0.0, 100.0, 10.0);
            let space =
                Glyph { text: " ".to_owned(), ..set("x", 13.0 + behind, 100.0, 10.0).remove(0) };
            glyphs.extend(set("Keel", 13.0, 100.0, 10.0));
            glyphs.push(space);
            assert_eq!(shown(glyphs), ["at Keel"], "{behind}");
        }
    }

    #[test]
    fn letters_drawn_twice_or_apart_are_one_word() {
        let mut twice = set("bold", 0.0, 100.0, 10.0);
        twice.extend(set("bold", 0.3, 100.0, 10.0));
        assert!(pieces(twice.clone()).iter().flatten().all(|word| word.style.bold));
        assert_eq!(shown(twice), ["bold"]);
        let mut apart = Vec::new();
        for (index, letter) in "FRISTEN".chars().enumerate() {
            apart.extend(set(&letter.to_string(), 7.0 * index as f64, 100.0, 10.0));
        }
        apart.extend(set("A", 54.0, 100.0, 10.0));
        apart.extend(set("B", 61.0, 100.0, 10.0));
        assert_eq!(shown(apart), ["FRISTEN AB"]);
    }
}
