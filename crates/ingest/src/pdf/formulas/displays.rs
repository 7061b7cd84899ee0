//! Formulas on lines of their own, in the middle of a sentence: read in it.

use crate::pdf::paragraphs::{Paragraph, Vocabulary, append};
use crate::pdf::text::Part;

/// Signs between the two sides of a formula.
const RELATIONS: [char; 8] = ['=', '≤', '≥', '<', '>', '≈', '≠', '∝'];
/// Longer ones are text that happens to hold such a sign.
const LONGEST: usize = 160;
/// The least indent of a formula from the edge of its text, in ems.
const LEAST_INDENT: f64 = 1.0;

/// Joins each formula with the sentence before it that has no end, and with the rest of that.
pub(in crate::pdf) fn join_displays(parts: &mut Vec<Part>, vocabulary: &Vocabulary) {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    // Where the sentence of a formula may go on after it.
    let mut is_open = false;
    for part in parts.drain(..) {
        let Part::Paragraph(next) = part else {
            is_open = false;
            joined.push(part);
            continue;
        };
        let Some(Part::Paragraph(last)) = joined.last_mut() else {
            joined.push(Part::Paragraph(next));
            continue;
        };
        let is_display = is_display(last, &next);
        let is_rest = is_open
            && next.page == last.page
            && !next.style.bold
            && next.text.text.starts_with(char::is_lowercase)
            && !ends_sentence(&last.text.text);
        if is_display || is_rest {
            append(&mut last.text, next.text, vocabulary);
            last.lines += next.lines;
            (last.bottom, last.slack) = (next.bottom, next.slack);
            last.is_short_line = false;
        } else {
            joined.push(Part::Paragraph(next));
        }
        is_open = is_display;
    }
    *parts = joined;
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['“', '”', '"', '»', ')']).ends_with(['.', '!', '?'])
}

/// Returns `true` if a paragraph is a formula that the sentence before it leads to.
fn is_display(before: &Paragraph, next: &Paragraph) -> bool {
    let text = next.text.text.as_str();
    let is_formula = next.lines == 1
        && text.len() <= LONGEST
        && text.match_indices(RELATIONS).any(|(at, sign)| {
            let (left, right) = (text.get(..at), text.get(at + sign.len()..));
            [left, right].into_iter().flatten().all(|side| side.contains(char::is_alphanumeric))
        });
    let is_inset = next.is_centred || next.left - before.left > LEAST_INDENT * next.size;
    is_formula
        && is_inset
        && before.page == next.page
        && next.top >= before.bottom - next.size
        && !before.is_centred
        && !before.style.bold
        && before.text.text.contains(' ')
        && !ends_sentence(&before.text.text)
}
