//! Parting lines of neighbouring columns that stand so close together that they look like one.
//!
//! The gap between two columns may be hardly wider than a space. What gives it away is that the
//! lines after it begin one below the other, which words of running text do not.

use super::words::Word;

/// Beginnings of lines that differ by less, in points, stand below one another.
const IN_LINE: f64 = 0.8;
/// A gap of this many ems may be a gutter.
// Spaces are a quarter to a third of an em wide.
const GUTTER_GAP: f64 = 0.5;
/// The same for letters that are all of one width, and their spaces too.
const MONOSPACE_GAP: f64 = 0.9;
/// A gutter has to be wider than the usual space of its line by this.
// A line that was stretched to fill its column has wide spaces everywhere.
const WIDER: f64 = 1.4;
/// Lines that begin one below the other are this many ems apart at most: there is a line between
/// two paragraphs, or a heading.
const FARTHEST: f64 = 3.2;
/// The text to the left of a gutter is wider than this many ems, or it is the mark of an item.
const NARROWEST: f64 = 4.0;
/// Lines of one column have one baseline: what is farther off, in ems, is a line of another.
const SHIFTED: f64 = 0.08;
/// Most places of a page that are looked at.
// Each is held against all words.
const MOST_PLACES: usize = 60;

/// The beginning of a piece, or of a word after a wide gap.
#[derive(Clone, Copy, Debug)]
struct Start {
    x: f64,
    y: f64,
    size: f64,
    piece: usize,
    /// 0 for the beginning of a piece.
    word: usize,
}

/// Parts pieces at the gutters that run through them. Words of a piece stand from left to right.
pub(super) fn part_at_gutters(pieces: Vec<Vec<Word>>) -> Vec<Vec<Word>> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for chain in chains(&pieces) {
        let (inner, free): (Vec<&Start>, Vec<&Start>) =
            chain.iter().partition(|start| start.word > 0);
        // Where all gaps are narrow, four of them do not lie one below the other by chance.
        if free.len() >= 2 || inner.len() >= 4 {
            cuts.extend(inner.into_iter().map(|start| (start.piece, start.word)));
        }
    }
    for (index, piece) in pieces.iter().enumerate() {
        cuts.extend(shifts(piece).map(|word| (index, word)));
    }
    if cuts.is_empty() {
        return pieces;
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut cuts = cuts.into_iter().peekable();
    let mut parted = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.into_iter().enumerate() {
        let mut open = Vec::new();
        for (place, word) in piece.into_iter().enumerate() {
            if cuts.next_if_eq(&(index, place)).is_some() {
                parted.push(std::mem::take(&mut open));
            }
            open.push(word);
        }
        parted.push(open);
    }
    parted
}

/// Words at which the baseline of a piece moves, though their size does not: lines of two columns.
fn shifts(piece: &[Word]) -> impl Iterator<Item = usize> {
    piece.windows(2).enumerate().filter_map(|(index, pair)| {
        let [before, word] = pair else {
            return None;
        };
        let is_same_size = (before.size - word.size).abs() < 0.03 * word.size;
        let is_shifted = (before.baseline - word.baseline).abs() > SHIFTED * word.size;
        let gap = word.left - before.right;
        (is_same_size
            && is_shifted
            && !before.is_raised
            && !word.is_raised
            && gap > GUTTER_GAP * word.size)
            .then_some(index + 1)
    })
}

/// Beginnings that stand one below the other with nothing across them, at least three, of which
/// one at least is within a piece.
fn chains(pieces: &[Vec<Word>]) -> Vec<Vec<Start>> {
    let mut starts: Vec<Start> =
        pieces.iter().enumerate().flat_map(|(index, piece)| starts_of(index, piece)).collect();
    if starts.iter().all(|start| start.word == 0) {
        return Vec::new();
    }
    starts.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut places: Vec<Vec<Start>> = Vec::new();
    for start in starts {
        match places.last_mut() {
            Some(place) if place.first().is_some_and(|first| start.x - first.x < IN_LINE) => {
                place.push(start);
            }
            _ => places.push(vec![start]),
        }
    }
    let is_gutter = |place: &[Start]| place.len() >= 3 && place.iter().any(|start| start.word > 0);
    places.retain(|place| is_gutter(place));
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    places.truncate(MOST_PLACES);
    let words: Vec<&Word> = pieces.iter().flatten().collect();
    let mut chains = Vec::new();
    for place in places {
        chains.extend(unbroken(place, &words).into_iter().filter(|chain| is_gutter(chain)));
    }
    chains
}

fn starts_of(index: usize, piece: &[Word]) -> Vec<Start> {
    let start = |word: &Word, at| Start {
        x: word.left,
        y: word.baseline,
        size: word.size,
        piece: index,
        word: at,
    };
    let Some(first) = piece.first() else {
        return Vec::new();
    };
    let mut starts = vec![start(first, 0)];
    let gaps: Vec<f64> = piece
        .windows(2)
        .map(|pair| match pair {
            [before, word] => word.left - before.right,
            _ => 0.0,
        })
        .collect();
    let usual = usual(&gaps);
    for (before, (gap, word)) in gaps.iter().zip(piece.iter().skip(1)).enumerate() {
        let least = if word.style.monospace { MONOSPACE_GAP } else { GUTTER_GAP };
        let is_wide = *gap > least * word.size && *gap > WIDER * usual;
        let passed = piece.get(..=before).unwrap_or_default();
        let width = passed.last().map_or(0.0, |last| last.right - first.left);
        if is_wide && (passed.len() > 1 || width > NARROWEST * word.size) {
            starts.push(start(word, before + 1));
        }
    }
    starts
}

/// The gap that most words of a piece have before them.
fn usual(gaps: &[f64]) -> f64 {
    let mut sorted = gaps.to_vec();
    sorted.sort_by(f64::total_cmp);
    // The narrower of two: one of them may be the gutter.
    sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .copied()
        .filter(|_| gaps.len() > 1)
        .unwrap_or(0.0)
}

/// The runs of beginnings at one place that no word lies across.
fn unbroken(mut place: Vec<Start>, words: &[&Word]) -> Vec<Vec<Start>> {
    place.sort_by(|a, b| a.y.total_cmp(&b.y));
    let Some(x) = place.iter().map(|start| start.x).reduce(f64::min) else {
        return Vec::new();
    };
    let mut across: Vec<f64> = words
        .iter()
        .filter(|word| word.left < x - IN_LINE && word.right > x + IN_LINE)
        .map(|word| word.baseline)
        .collect();
    across.sort_by(f64::total_cmp);
    let mut runs: Vec<Vec<Start>> = Vec::new();
    for start in place {
        let goes_on = runs.last().and_then(|run| run.last()).is_some_and(|last| {
            let next = across.partition_point(|y| *y < last.y - 0.1);
            let is_free = across.get(next).is_none_or(|y| *y > start.y + 0.1);
            is_free && start.y - last.y < FARTHEST * start.size
        });
        match runs.last_mut() {
            Some(run) if goes_on => run.push(start),
            _ => runs.push(vec![start]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of ten points, each letter five points wide, with these gaps before them.
    fn piece(x: f64, y: f64, words: &[(f64, &str)]) -> Vec<Word> {
        let mut at = x;
        let word = |(gap, text): &(f64, &str)| {
            let left = at + gap;
            at = left + 5.0 * text.chars().count() as f64;
            Word {
                text: (*text).to_owned(),
                left,
                right: at,
                baseline: y,
                size: 10.0,
                ..Word::default()
            }
        };
        words.iter().map(word).collect()
    }

    fn read(pieces: Vec<Vec<Word>>) -> Vec<String> {
        let text = |piece: Vec<Word>| {
            piece.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        part_at_gutters(pieces).into_iter().map(text).collect()
    }

    #[test]
    fn a_line_that_reaches_its_gutter_is_parted_from_the_next_column() {
        let short = |y| {
            [piece(0.0, y, &[(0.0, "short"), (3.0, "line")]), piece(100.0, y, &[(0.0, "right")])]
        };
        let long = |y| {
            piece(
                9.0,
                y,
                &[(0.0, "fills"), (3.0, "its"), (3.0, "whole"), (2.0, "li"), (8.0, "next")],
            )
        };
        let mut pieces = Vec::from(short(0.0));
        pieces.push(long(12.0));
        pieces.extend(short(24.0));
        let expected = ["short line", "right", "fills its whole li", "next", "short line", "right"];
        assert_eq!(read(pieces), expected);
        // Text across the place between the lines: it is no gutter.
        let mut pieces = Vec::from(short(0.0));
        pieces.push(piece(0.0, 6.0, &[(0.0, "across-all-of-the-columns")]));
        pieces.push(long(12.0));
        pieces.push(piece(0.0, 18.0, &[(0.0, "across-all-of-the-columns")]));
        pieces.extend(short(24.0));
        assert!(read(pieces).contains(&"fills its whole li next".to_owned()));
    }

    #[test]
    fn lines_of_two_heights_are_parted_and_wide_spaces_are_not() {
        let mut line = piece(0.0, 0.0, &[(0.0, "one"), (3.0, "two"), (6.0, "three")]);
        line[2].baseline = 2.0;
        assert_eq!(read(vec![line]), ["one two", "three"]);
        // A justified line: its spaces are all wide.
        let wide = |y| piece(0.0, y, &[(0.0, "aaaa"), (6.0, "bbbb"), (6.0, "cccc"), (6.0, "dddd")]);
        let pieces: Vec<Vec<Word>> = (0..6).map(|row| wide(12.0 * f64::from(row))).collect();
        assert_eq!(read(pieces).len(), 6);
        // The mark of an item is no column.
        let item = |y| piece(0.0, y, &[(0.0, "1."), (6.0, "text"), (3.0, "goes"), (3.0, "on")]);
        let pieces: Vec<Vec<Word>> = (0..6).map(|row| item(12.0 * f64::from(row))).collect();
        assert_eq!(read(pieces).len(), 6);
    }
}
