//! Notes in the margin, beside the running text.
//!
//! A note is at the height of lines that go on past it, so it would be read into the middle of
//! their sentences. It is taken out and follows the paragraph beside it, or comes before that where
//! it is at its beginning on the left, as its title.

use hayro_interpret::kurbo::Rect;

use super::ink::median;
use super::lines::{Piece, rows};
use super::panels::Aside;

/// Text narrower than this many ems is no running text that could have a margin.
const NARROWEST_TEXT: f64 = 15.0;
/// Fewer lines of running text make no page with a margin.
const FEWEST_LINES: usize = 4;
/// From the text to a note, in ems at least.
const NEAREST: f64 = 0.6;
/// A line that ends so many ems before the edge of the text may go on in the next.
pub(super) const RAGGED: f64 = 4.0;
/// Lines of a note are at most this many ems apart.
pub(super) const PITCH: f64 = 1.7;

/// The running text of a page.
struct Text {
    left: f64,
    right: f64,
    size: f64,
    /// Its lines from the top down.
    lines: Vec<Rect>,
}

impl Text {
    fn of(pieces: &[Piece]) -> Option<Self> {
        let is_wide = |piece: &&Piece| {
            !piece.is_block() && piece.bounds.width() > NARROWEST_TEXT * piece.size
        };
        let mut lines: Vec<&Piece> = pieces.iter().filter(is_wide).collect();
        if lines.len() < FEWEST_LINES {
            return None;
        }
        lines.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
        Some(Self {
            left: lines.iter().map(|piece| piece.bounds.x0).fold(f64::MAX, f64::min),
            right: lines.iter().map(|piece| piece.bounds.x1).fold(f64::MIN, f64::max),
            size: median(lines.iter().map(|piece| piece.size))?,
            lines: lines.into_iter().map(|piece| piece.bounds).collect(),
        })
    }

    /// Returns `true` if the text at this height goes on in its next line: the line is full, and the
    /// next follows close below.
    fn goes_on_at(&self, height: f64) -> bool {
        let at = self.lines.partition_point(|line| line.y1 < height);
        let (Some(line), Some(next)) = (self.lines.get(at), self.lines.get(at + 1)) else {
            return false;
        };
        line.y0 < height
            && line.x1 > self.right - RAGGED * self.size
            && next.y1 - line.y1 < PITCH * self.size
    }

    /// Returns `true` if a paragraph begins with the line at this height.
    fn begins_at(&self, height: f64) -> bool {
        let at = self.lines.partition_point(|line| line.y1 < height);
        let before = at.checked_sub(1).and_then(|before| self.lines.get(before));
        let (Some(line), Some(before)) = (self.lines.get(at), before) else {
            return true;
        };
        line.y1 - before.y1 > PITCH * self.size || before.x1 < self.right - RAGGED * self.size
    }
}

/// Takes the notes in the margins out of a page.
pub(super) fn take_side_notes(pieces: Vec<Piece>) -> (Vec<Piece>, Vec<Aside>) {
    let Some(text) = Text::of(&pieces) else {
        return (pieces, Vec::new());
    };
    let (mut rest, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces {
        let gap = NEAREST * text.size;
        match piece {
            piece if piece.is_block() || piece.size > 1.1 * text.size => rest.push(piece),
            piece if piece.bounds.x0 > text.right + gap => right.push(piece),
            piece if piece.bounds.x1 < text.left - gap => left.push(piece),
            piece => rest.push(piece),
        }
    }
    let mut asides = Vec::new();
    for (margin, is_left) in [(left, true), (right, false)] {
        let notes = notes(margin);
        let lines: usize = notes.iter().map(Vec::len).sum();
        let beginnings = notes.iter().filter(|note| text.begins_at(middle(note))).count();
        // Terms beside what they mean, or values after what they are for.
        let is_table = 2 * lines > text.lines.len()
            || is_left && notes.len() >= 3 && 4 * beginnings >= 3 * notes.len();
        for note in notes {
            let is_before = is_left && text.begins_at(middle(&note));
            // One word or number at the beginning of a paragraph is its mark, and is read with it.
            let is_mark = is_before && note.len() == 1;
            let has_words =
                note.iter().flatten().flat_map(|piece| &piece.words).any(|word| {
                    word.text.chars().filter(|letter| letter.is_alphabetic()).count() >= 2
                });
            // The first line of a note may stand at the end of the paragraph before.
            let goes_on = note.iter().any(|row| text.goes_on_at(middle(std::slice::from_ref(row))));
            let stays = is_table || is_mark || !has_words || !goes_on;
            let pieces: Vec<Piece> = note.into_iter().flatten().collect();
            let bounds =
                pieces.iter().map(|piece| piece.bounds).reduce(|all, next| all.union(next));
            match bounds.filter(|_| !stays) {
                Some(bounds) => asides.push(Aside { bounds, pieces, edge: None, is_before }),
                None => rest.extend(pieces),
            }
        }
    }
    asides.sort_by(|a, b| a.bounds.y0.total_cmp(&b.bounds.y0));
    (rest, asides)
}

/// The middle of a note's first line.
fn middle(note: &[Vec<Piece>]) -> f64 {
    note.iter().flatten().next().map_or(0.0, |piece| piece.bounds.center().y)
}

/// The rows of a margin, note by note.
pub(super) fn notes(margin: Vec<Piece>) -> Vec<Vec<Vec<Piece>>> {
    let mut notes: Vec<Vec<Vec<Piece>>> = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for row in rows(margin) {
        let Some(first) = row.first() else {
            continue;
        };
        let (baseline, size) = (first.baseline(), first.size);
        let goes_on =
            last.is_some_and(|(above, height)| baseline - above < PITCH * height.max(size));
        last = Some((baseline, size));
        match notes.last_mut() {
            Some(note) if goes_on => note.push(row),
            _ => notes.push(vec![row]),
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A paragraph of seven lines, the last one short.
    fn paragraph(x: f64) -> Vec<Piece> {
        let line = |row: i32| {
            let text = if row == 6 { "t t t t t t" } else { "t t t t t t t t t t" };
            Piece::sample(text, x, 100.0 + 12.0 * f64::from(row))
        };
        (0..7).map(line).collect()
    }

    fn notes_of(margin: Vec<Piece>, x: f64) -> Vec<(String, bool)> {
        let mut pieces = paragraph(x);
        pieces.extend(margin);
        let count = pieces.len();
        let (rest, asides) = take_side_notes(pieces);
        let taken: usize = asides.iter().map(|aside| aside.pieces.len()).sum();
        assert_eq!(rest.len() + taken, count);
        let text = |aside: &Aside| {
            let text = aside.pieces.iter().map(Piece::text).collect::<Vec<_>>().join(" / ");
            (text, aside.is_before)
        };
        asides.iter().map(text).collect()
    }

    #[test]
    fn notes_in_the_margins_are_taken_out() {
        let right = vec![
            Piece::sample("note one", 310.0, 113.0),
            Piece::sample("goes on", 310.0, 125.0),
            Piece::sample("other", 310.0, 160.0),
        ];
        let expected = [("note one / goes on".to_owned(), false), ("other".to_owned(), false)];
        assert_eq!(notes_of(right, 0.0), expected);
        let left = vec![Piece::sample("title of", 0.0, 100.0), Piece::sample("it all", 0.0, 112.0)];
        assert_eq!(notes_of(left, 100.0), [("title of / it all".to_owned(), true)]);
        // One that begins above the paragraph, at the height of its heading.
        let above =
            vec![Piece::sample("note", 310.0, 92.0), Piece::sample("goes on", 310.0, 104.0)];
        assert_eq!(notes_of(above, 0.0), [("note / goes on".to_owned(), false)]);
    }

    #[test]
    fn marks_and_values_stay_in_their_lines() {
        // The mark of the paragraph, the number of a formula, a value after its last line.
        assert_eq!(notes_of(vec![Piece::sample("Art. 5", 0.0, 100.0)], 100.0), []);
        assert_eq!(notes_of(vec![Piece::sample("(3)", 310.0, 124.0)], 0.0), []);
        assert_eq!(notes_of(vec![Piece::sample("EUR 120", 310.0, 172.0)], 0.0), []);
        // A value in each line.
        let values =
            (0..7).map(|row| Piece::sample("EUR 12", 310.0, 100.0 + 12.0 * f64::from(row)));
        assert_eq!(notes_of(values.collect(), 0.0), []);
    }
}
