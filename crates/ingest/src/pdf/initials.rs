//! Large initials that hang over several lines: put back at the head of their word.
//!
//! Such a letter is on the second or third line, and its word goes on in the first.

use super::ink::{Glyph, median};

/// An initial over two lines is twice as large as its text; the letters of a heading are so too, but stand
/// together.
const LARGEST_TEXT: f64 = 1.7;
/// Most initials of one page.
// Each is compared with all other glyphs.
const MOST: usize = 40;
/// Letters are this share of their size high.
const CAPITAL: f64 = 0.68;
/// The foot of an initial is so near to the baseline of a line, in ems of the text.
const LEVEL: f64 = 0.4;
/// A line that begins beside an initial though it is lower is so far below its foot at most.
const BELOW: f64 = 1.6;
/// Letters that are words by themselves.
const WORDS: [&str; 4] = ["A", "I", "O", "À"];

/// Puts each initial onto the line that goes on with its word, and has the lines beside it begin where
/// it does, as those below do.
pub(super) fn set_initials(glyphs: &mut [Glyph]) {
    let inked = glyphs.iter().filter(|glyph| glyph.has_ink());
    let usual = median(inked.map(|glyph| glyph.size)).unwrap_or(0.0);
    let is_candidate = |glyph: &Glyph| {
        let mut letters = glyph.text.chars();
        glyph.size > LARGEST_TEXT * usual
            && letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_none()
    };
    let large: Vec<usize> = glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| is_candidate(glyph))
        .map(|(at, _)| at)
        .take(MOST + 1)
        .collect();
    // With more large letters they are headings or a poster.
    if large.len() > MOST {
        return;
    }
    for at in large {
        set_initial(glyphs, at, usual);
    }
}

fn set_initial(glyphs: &mut [Glyph], at: usize, usual: f64) {
    let Some(initial) = glyphs.get(at).cloned() else {
        return;
    };
    let heads = line_heads(glyphs, &initial, usual, LEVEL);
    let [first, second, ..] = heads.as_slice() else {
        return;
    };
    let last = heads.last().unwrap_or(second);
    let (Some(top), Some(second), Some(bottom)) =
        (glyphs.get(*first), glyphs.get(*second), glyphs.get(*last))
    else {
        return;
    };
    let line = top.baseline();
    let is_level = (bottom.baseline() - initial.baseline()).abs() < 0.6 * usual;
    let height = (line - CAPITAL * usual) - (initial.baseline() - CAPITAL * initial.size);
    if !is_level || height.abs() > 0.8 * usual || stands_in_word(glyphs, at) {
        return;
    }
    // A word of one letter has a space after it; else the gap is the page's, and the word goes on.
    let gap = top.left() - initial.right();
    let is_word = WORDS.contains(&initial.text.as_str())
        && (gap > 0.2 * usual || top.left() > second.left() + 0.15 * usual);
    let goes_on_at = top.left();
    // A browser leaves room below the letter: a line more may begin beside it.
    let lower = lines_below(glyphs, &initial, &heads, usual);
    for head in heads.iter().skip(1).chain(&lower) {
        if let Some(glyph) = glyphs.get_mut(*head) {
            glyph.start.x = initial.left();
        }
    }
    let quote = quote_before(glyphs, &initial);
    for (at, right) in [(Some(at), goes_on_at), (quote, initial.left())] {
        let Some(glyph) = at.and_then(|at| glyphs.get_mut(at)) else {
            continue;
        };
        glyph.lift = line - glyph.baseline();
        glyph.size = usual;
        glyph.end.x =
            if is_word && glyph.text == initial.text { right - 0.3 * usual } else { right };
    }
}

/// The first glyph of a line below the foot of an initial that begins in line with those beside it.
fn lines_below(glyphs: &[Glyph], initial: &Glyph, heads: &[usize], usual: f64) -> Vec<usize> {
    let Some(last) = heads.last().and_then(|head| glyphs.get(*head)) else {
        return Vec::new();
    };
    let mut lower = line_heads(glyphs, initial, usual, BELOW);
    lower.retain(|head| {
        glyphs.get(*head).is_some_and(|glyph| {
            glyph.baseline() > last.baseline() + 0.5 * usual
                && (glyph.left() - last.left()).abs() < 0.1 * usual
        })
    });
    lower
}

/// The first glyph of each line that begins right after an initial, from the top down.
/// `lowest` says how far below its foot, in ems of the text.
fn line_heads(glyphs: &[Glyph], initial: &Glyph, usual: f64, lowest: f64) -> Vec<usize> {
    let highest = initial.baseline() - initial.size;
    let is_beside = |glyph: &Glyph| {
        glyph.has_ink()
            && (0.6..1.4).contains(&(glyph.size / usual))
            && (highest..initial.baseline() + lowest * usual).contains(&glyph.baseline())
    };
    let mut beside: Vec<usize> = glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| is_beside(glyph) && glyph.left() > initial.left())
        .map(|(at, _)| at)
        .collect();
    let place = |at: &usize| glyphs.get(*at).map_or((0.0, 0.0), |g| (g.baseline(), g.left()));
    beside.sort_by(|a, b| place(a).0.total_cmp(&place(b).0));
    let mut heads: Vec<usize> = Vec::new();
    for at in beside {
        let (baseline, left) = place(&at);
        match heads.last_mut() {
            Some(head) if baseline - place(head).0 < 0.3 * usual => {
                if left < place(head).1 {
                    *head = at;
                }
            }
            _ => heads.push(at),
        }
    }
    let edge = initial.right() - 0.15 * usual..initial.right() + 1.3 * usual;
    heads.retain(|head| edge.contains(&place(head).1));
    heads
}

/// Returns `true` if another letter as large is right beside: a word of a heading.
fn stands_in_word(glyphs: &[Glyph], at: usize) -> bool {
    let Some(own) = glyphs.get(at) else {
        return false;
    };
    glyphs.iter().enumerate().any(|(other_at, other)| {
        let gap = (other.left() - own.right()).max(own.left() - other.right());
        other_at != at
            && other.text.contains(char::is_alphanumeric)
            && other.size > 0.75 * own.size
            && (other.baseline() - own.baseline()).abs() < 0.3 * own.size
            && gap < 0.6 * own.size
    })
}

/// The quotation mark right before an initial.
fn quote_before(glyphs: &[Glyph], initial: &Glyph) -> Option<usize> {
    glyphs.iter().position(|glyph| {
        matches!(glyph.text.as_str(), "„" | "“" | "\"" | "»" | "«" | "‘" | "‚")
            && glyph.left() < initial.left()
            && initial.left() - glyph.right() < 0.3 * initial.size
            && (initial.baseline() - initial.size..initial.baseline() + 0.3 * initial.size)
                .contains(&glyph.baseline())
            && glyph.size > 0.5 * initial.size
    })
}

#[cfg(test)]
mod tests {
    use hayro_interpret::kurbo::Point;

    use super::*;
    use crate::pdf::lines::Piece;
    use crate::pdf::words::pieces;

    fn set(text: &str, left: f64, baseline: f64, size: f64) -> Vec<Glyph> {
        let glyph = |(index, character): (usize, char)| {
            let start = left + 0.5 * size * index as f64;
            Glyph {
                text: character.to_string(),
                start: Point::new(start, baseline),
                end: Point::new(start + 0.5 * size, baseline),
                size,
                ..Glyph::default()
            }
        };
        text.chars().enumerate().map(glyph).collect()
    }

    /// The lines of a page with their left ends.
    fn shown(glyphs: Vec<Glyph>) -> Vec<(String, f64)> {
        let pieces = pieces(glyphs).into_iter().map(Piece::of_words);
        pieces.map(|piece| (piece.text(), piece.bounds.x0)).collect()
    }

    #[test]
    fn an_initial_begins_its_word() {
        for (initial, rest, gap, expected) in [
            ("B", "orrowing is free", 0.0, "Borrowing is free"),
            ("B", "orrowing is free", 3.0, "Borrowing is free"),
            ("A", "ll books are free", 1.0, "All books are free"),
            ("A", "book is free", 4.0, "A book is free"),
        ] {
            let mut glyphs = set(initial, 0.0, 112.0, 25.0);
            glyphs.extend(set(rest, 12.5 + gap, 100.0, 10.0));
            glyphs.extend(set("for all, and may be kept", 16.5, 112.0, 10.0));
            glyphs.extend(set("for a month or longer", 0.0, 124.0, 10.0));
            let lines = shown(glyphs);
            assert_eq!(lines[0].0, expected);
            assert_eq!(lines[1], ("for all, and may be kept".to_owned(), 0.0));
        }
    }

    #[test]
    fn letters_of_headings_are_no_initials() {
        let mut glyphs = set("A B", 0.0, 112.0, 25.0);
        glyphs.extend(set("text beside a heading", 42.0, 100.0, 10.0));
        glyphs.extend(set("and more of such text", 42.0, 112.0, 10.0));
        let lines = shown(glyphs);
        assert!(lines.iter().all(|(text, _)| !text.contains("Btext")), "{lines:?}");
        // A section that is called `A`, above its text.
        let mut glyphs = set("A", 0.0, 80.0, 25.0);
        glyphs.extend(set("text below a heading", 0.0, 100.0, 10.0));
        glyphs.extend(set("and more of such text", 0.0, 112.0, 10.0));
        assert_eq!(shown(glyphs)[0].0, "A");
    }
}
