//! Notes beside a paragraph that is narrower than the page's text.
//!
//! A page that is wide elsewhere has no margin there: the paragraph leaves room for its note. What
//! tells the two from cells of a table, or from two columns of text, is that the paragraph is running text of
//! several full lines, and that the note is narrow and ends sooner.

use hayro_interpret::kurbo::Rect;

use super::lines::Piece;
use super::panels::Aside;
use super::side_notes::{PITCH, RAGGED, notes};

/// Lines narrower than this many ems, or with fewer words, may be cells.
const NARROWEST_LINE: f64 = 15.0;
const FEWEST_WORDS: usize = 5;
/// Fewer lines make no paragraph that a note could stand beside: cells have two now and then.
const FEWEST_LINES: usize = 3;
/// From the paragraph to its note, in ems at least.
const NEAREST: f64 = 0.6;
/// A note is at most so wide, by the width of the paragraph.
// The narrower of two columns of text is about as wide as the other.
const WIDEST: f64 = 0.5;
/// Type of a note that is smaller than its paragraph's by this is a sign of its own.
const SMALLER: f64 = 0.95;
/// A note has this many words at least: a price or a room beside a description is a cell.
const FEWEST_NOTE_WORDS: usize = 4;
/// Baselines that differ by less than this share of an em are those of one row of cells.
const LEVEL: f64 = 0.1;
/// Spaces of justified text are at most so many ems wide.
// A browser sets three words into 38 millimetres with gaps of 1.3 ems.
const WIDEST_SPACE: f64 = 2.0;
/// Most paragraphs of a page that are looked at.
// All that stands beside is gone through for each.
const MOST_PARAGRAPHS: usize = 200;
/// Beginnings of lines that differ by less, in points, stand below one another.
const IN_LINE: f64 = 3.0;

/// The lines of a paragraph.
struct Paragraph {
    bounds: Rect,
    size: f64,
    lines: Vec<Rect>,
    /// The baseline and the end of its last line so far.
    baseline: f64,
    is_finished: bool,
    /// Its sentence goes on below what is beside it, in a line that is wider.
    flows_beneath: bool,
}

impl Paragraph {
    /// Returns `true` if the line goes on with this paragraph.
    fn goes_on_with(&self, piece: &Piece) -> bool {
        let Some(last) = self.lines.last() else {
            return false;
        };
        (piece.bounds.x0 - self.bounds.x0).abs() < IN_LINE
            && (piece.size - self.size).abs() < 0.1 * self.size
            && (1.0..PITCH * self.size).contains(&(piece.bounds.y1 - last.y1))
            && last.x1 > self.bounds.x1.max(piece.bounds.x1) - RAGGED * self.size
    }

    fn of(piece: &Piece) -> Self {
        let mut paragraph = Self {
            bounds: piece.bounds,
            size: piece.size,
            lines: Vec::new(),
            baseline: 0.0,
            is_finished: false,
            flows_beneath: false,
        };
        paragraph.add(piece);
        paragraph
    }

    fn add(&mut self, piece: &Piece) {
        self.bounds = self.bounds.union(piece.bounds);
        self.lines.push(piece.bounds);
        self.baseline = piece.baseline();
        let end = piece.words.last().map_or("", |word| word.text.as_str());
        self.is_finished = end.ends_with(['.', ':', ';', '!', '?']);
    }

    /// Returns `true` if the line goes on with this paragraph below something that its lines stood beside.
    fn flows_into(&self, piece: &Piece) -> bool {
        let begins_small =
            piece.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
        (piece.bounds.x0 - self.bounds.x0).abs() < IN_LINE
            && (piece.size - self.size).abs() < 0.1 * self.size
            && (1.0..PITCH * self.size).contains(&(piece.baseline() - self.baseline))
            && piece.bounds.x1 > self.bounds.x1 + RAGGED * self.size
            && begins_small
            && !self.is_finished
    }

    /// Returns `true` if a sentence runs on past this height, from one of its lines into the next.
    fn runs_past(&self, height: f64) -> bool {
        let full = match self.lines.split_last() {
            Some((_, full)) if !self.flows_beneath => full,
            _ => self.lines.as_slice(),
        };
        full.iter().any(|line| line.y0 < height && height < line.y1)
    }

    /// Returns `true` if a text of these rows, to the right of it, is a note beside it.
    ///
    /// `is_alone`: nothing else on the page begins in line with it, as other cells of a column would.
    fn has_note(&self, rows: &[Vec<Piece>], is_alone: bool) -> bool {
        let pieces = || rows.iter().flatten();
        let Some(bounds) = pieces().map(|piece| piece.bounds).reduce(|all, next| all.union(next))
        else {
            return false;
        };
        let words: usize = pieces().map(|piece| piece.words.len()).sum();
        let is_smaller = pieces().all(|piece| piece.size < SMALLER * self.size);
        let most_lines = match (is_smaller, is_alone) {
            (true, _) => self.lines.len(),
            (false, true) => self.lines.len() - 1,
            (false, false) => self.lines.len() / 2,
        };
        let middle = |row: &[Piece]| row.first().map_or(0.0, |piece| piece.bounds.center().y);
        // Beside a line or two only smaller type tells a note from a cell, and that it is not level with them.
        let is_level =
            pieces().any(|piece| (piece.baseline() - self.baseline).abs() < LEVEL * self.size);
        if self.lines.len() < FEWEST_LINES && (!is_smaller || is_level) {
            return false;
        }
        bounds.x0 > self.bounds.x1 + NEAREST * self.size
            && bounds.width() < WIDEST * self.bounds.width()
            && bounds.y1 < self.bounds.y1 + self.size
            && words >= FEWEST_NOTE_WORDS
            && rows.len() <= most_lines
            && rows.iter().all(|row| is_one_line(row, bounds))
            && rows.iter().any(|row| self.runs_past(middle(row)))
    }
}

/// Returns `true` if a row of a note is one line of it, that begins at its edge. Spaces of justified text are
/// wide where a column is narrow: then the line ends at the other edge.
fn is_one_line(row: &[Piece], note: Rect) -> bool {
    let (Some(first), Some(last)) = (row.first(), row.last()) else {
        return false;
    };
    let is_near = |pair: &[Piece]| match pair {
        [a, b] => b.bounds.x0 - a.bounds.x1 < WIDEST_SPACE * a.size,
        _ => true,
    };
    (first.bounds.x0 - note.x0).abs() < IN_LINE
        && (row.len() == 1 || (last.bounds.x1 - note.x1).abs() < IN_LINE)
        && row.windows(2).all(is_near)
}

/// Takes the notes beside narrow paragraphs out of a page.
pub(super) fn take_notes_beside(pieces: Vec<Piece>) -> (Vec<Piece>, Vec<Aside>) {
    let (mut rest, mut asides) = (pieces, Vec::new());
    let mut starts: Vec<f64> = rest.iter().map(|piece| piece.bounds.x0).collect();
    starts.sort_by(f64::total_cmp);
    for paragraph in paragraphs(&rest) {
        let is_right = |piece: &Piece| {
            !piece.is_block() && piece.bounds.x0 > paragraph.bounds.x1 + NEAREST * paragraph.size
        };
        let near = paragraph.bounds.inflate(0.0, 3.0 * PITCH * paragraph.size);
        let is_near = |piece: &Piece| near.y0 < piece.bounds.y0 && piece.bounds.y1 < near.y1;
        let (beside, others): (Vec<Piece>, Vec<Piece>) =
            rest.into_iter().partition(|piece| is_right(piece) && is_near(piece));
        rest = others;
        for note in notes(beside) {
            let first = note.iter().flatten().next().map_or(0.0, |piece| piece.bounds.x0);
            let begins_there = |piece: &&Piece| (piece.bounds.x0 - first).abs() < IN_LINE;
            let from = starts.partition_point(|start| *start <= first - IN_LINE);
            let to = starts.partition_point(|start| *start < first + IN_LINE);
            let is_alone = to - from == note.iter().flatten().filter(begins_there).count();
            if !paragraph.has_note(&note, is_alone) {
                rest.extend(note.into_iter().flatten());
                continue;
            }
            let pieces: Vec<Piece> = note.into_iter().flatten().collect();
            let bounds =
                pieces.iter().map(|piece| piece.bounds).reduce(|all, next| all.union(next));
            asides.extend(bounds.map(|bounds| Aside {
                bounds,
                pieces,
                edge: None,
                is_before: false,
            }));
        }
    }
    (rest, asides)
}

/// The running text of a page, paragraph by paragraph.
fn paragraphs(pieces: &[Piece]) -> Vec<Paragraph> {
    let is_line = |piece: &&Piece| !piece.is_block();
    let mut lines: Vec<&Piece> = pieces.iter().filter(is_line).collect();
    lines.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    for line in lines {
        // A line of another column may stand between two of this one: those of the last few paragraphs are looked at.
        let open = paragraphs.iter_mut().rev().take(4).find(|open| open.goes_on_with(line));
        match open {
            Some(open) => open.add(line),
            None if line.bounds.width() > NARROWEST_LINE * line.size
                && line.words.len() >= FEWEST_WORDS =>
            {
                let before = paragraphs.iter_mut().rev().take(4);
                for paragraph in before {
                    paragraph.flows_beneath |= paragraph.flows_into(line);
                }
                paragraphs.push(Paragraph::of(line));
            }
            None => {}
        }
    }
    paragraphs.retain(|paragraph| paragraph.lines.len() >= FEWEST_LINES || paragraph.flows_beneath);
    paragraphs.truncate(MOST_PARAGRAPHS);
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A paragraph of so many lines, the last one short, below a wider line of the page.
    fn page(lines: i32) -> Vec<Piece> {
        let line = |row: i32| {
            let text = if row + 1 == lines { "t t t" } else { "t t t t t t t t t t" };
            Piece::sample(text, 0.0, 100.0 + 12.0 * f64::from(row))
        };
        let wide = Piece::sample("w w w w w w w w w w w w w w w w", 0.0, 60.0);
        std::iter::once(wide).chain((0..lines).map(line)).collect()
    }

    fn small(text: &str, left: f64, baseline: f64) -> Piece {
        let mut piece = Piece::sample(text, left, baseline);
        piece.words.iter_mut().for_each(|word| word.size = 8.0);
        Piece::of_words(piece.words)
    }

    fn taken(lines: i32, beside: Vec<Piece>) -> Vec<String> {
        let mut pieces = page(lines);
        pieces.extend(beside);
        let count = pieces.len();
        let (rest, asides) = take_notes_beside(pieces);
        assert_eq!(
            rest.len() + asides.iter().map(|aside| aside.pieces.len()).sum::<usize>(),
            count
        );
        let text =
            |aside: &Aside| aside.pieces.iter().map(Piece::text).collect::<Vec<_>>().join(" / ");
        asides.iter().map(text).collect()
    }

    #[test]
    fn a_note_in_the_room_that_a_paragraph_leaves() {
        // Smaller, on the lines of the text or between them; as large, but with fewer lines.
        let note = vec![small("ring the", 320.0, 102.0), small("bell first", 320.0, 112.0)];
        assert_eq!(taken(4, note), ["ring the / bell first"]);
        assert_eq!(taken(3, vec![small("ring the bell", 320.0, 100.0)]).len(), 0);
        assert_eq!(taken(3, vec![small("do ring the bell", 320.0, 100.0)]).len(), 1);
        let large = vec![
            Piece::sample("ring the", 320.0, 100.0),
            Piece::sample("bell first", 320.0, 112.0),
        ];
        assert_eq!(taken(4, large.clone()).len(), 1);
        assert_eq!(taken(3, large.clone()).len(), 1);
        // Something else begins where it does: cells of a column.
        let cells = large.into_iter().chain([Piece::sample("other", 320.0, 200.0)]);
        assert_eq!(taken(3, cells.collect()), [""; 0]);
    }

    #[test]
    fn a_note_that_text_flows_around() {
        // The sentence goes on below the note, in a wider line.
        let lines = |below: &str| {
            vec![
                Piece::sample("One two three four five six seven eight nine ten", 0.0, 100.0),
                Piece::sample(below, 0.0, 112.0),
            ]
        };
        let taken = |below: &str, note: Piece| {
            let mut pieces = lines(below);
            pieces.push(note);
            take_notes_beside(pieces).1.len()
        };
        let wide = "and on it goes a b c d e f g h i j";
        assert_eq!(taken(wide, small("ring the bell first", 320.0, 98.0)), 1);
        // Not below it, another sentence, level with the line, as large.
        assert_eq!(taken("and on it goes", small("ring the bell first", 320.0, 98.0)), 0);
        let other = "And on it goes a b c d e f g h i j";
        assert_eq!(taken(other, small("ring the bell first", 320.0, 98.0)), 0);
        assert_eq!(taken(wide, small("ring the bell first", 320.0, 100.0)), 0);
        assert_eq!(taken(wide, Piece::sample("ring the bell first", 320.0, 98.0)), 0);
    }

    #[test]
    fn lines_of_a_note_with_wide_spaces() {
        // Justified between its edges.
        let wide = |texts: [&str; 3], baseline: f64| -> Vec<Piece> {
            let places = [320.0, 360.0, 400.0];
            texts.iter().zip(places).map(|(text, x)| small(text, x, baseline)).collect()
        };
        let note = [wide(["ring", "the", "bell"], 102.0), wide(["before", "you", "go"], 112.0)];
        assert_eq!(taken(4, note.concat()).len(), 1);
        // Cells do not end at one place.
        let cells = [wide(["ring", "the", "bell"], 102.0), vec![small("before", 320.0, 112.0)]];
        let mut cells = cells.concat();
        cells.push(small("you", 360.0, 112.0));
        assert_eq!(taken(4, cells).len(), 0);
    }

    #[test]
    fn cells_and_columns_stay() {
        // A value after a description, one below the paragraph, and a second column.
        assert_eq!(taken(4, vec![Piece::sample("EUR 120", 320.0, 100.0)]), [""; 0]);
        assert_eq!(taken(4, vec![Piece::sample("open every working day", 320.0, 136.0)]), [""; 0]);
        let column = (0..4)
            .map(|row| Piece::sample("s s s s s s s s s", 320.0, 100.0 + 12.0 * f64::from(row)));
        assert_eq!(taken(4, column.collect()), [""; 0]);
    }
}
