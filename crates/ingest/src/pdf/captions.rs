//! Captions of tables, above them or below.
//!
//! Between two tables a caption may belong to either. All captions of a document stand on the same
//! side, as a rule of its style; captions with a table on one side only tell which, and so does the
//! gap, since a caption is nearer to its own table.

use hayro_interpret::kurbo::Rect;

use super::paragraphs::Paragraph;
use super::text::Part;

/// Longer paragraphs are text that begins by naming a table.
const LONGEST_CHARS: usize = 300;
/// A caption of a figure belongs to a table that is within so many ems of it: with no picture between.
// Programs set captions within a line and a half of what they are about.
const WIDEST_EMS: f64 = 2.5;
/// A gap that is wider by this is wider, and not only rounded.
const WIDER: f64 = 1.2;

/// The thing that a caption names by its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Table,
    /// What programs call a table too, where they call everything a figure.
    Figure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// A caption among the parts, and the tables around it.
struct Caption {
    index: usize,
    named: Named,
    has_table_before: bool,
    has_table_after: bool,
    /// The side that the gaps tell.
    nearer: Option<Side>,
}

/// Moves captions into the tables they belong to. `places` are those of all pieces, page by page.
pub(super) fn give_captions(parts: &mut Vec<Part>, places: &[Vec<Rect>]) {
    let captions: Vec<Caption> =
        (0..parts.len()).filter_map(|index| caption_at(parts, index, places)).collect();
    let sides = [Named::Table, Named::Figure].map(|named| usual_side(&captions, named));
    // Backwards, so that the places of those before stay.
    for caption in captions.iter().rev() {
        let usual = sides[usize::from(caption.named == Named::Figure)];
        let side = match (caption.has_table_before, caption.has_table_after) {
            (true, true) => usual.or(caption.nearer).unwrap_or(Side::Above),
            (true, false) => Side::Below,
            (false, true) => Side::Above,
            (false, false) => continue,
        };
        let Part::Paragraph(paragraph) = parts.remove(caption.index) else {
            continue;
        };
        let at =
            if side == Side::Above { Some(caption.index) } else { caption.index.checked_sub(1) };
        match at.and_then(|at| parts.get_mut(at)) {
            Some(Part::Table(table)) if table.draft.caption.text.is_empty() => {
                table.draft.caption = paragraph.text;
            }
            _ => parts.insert(caption.index, Part::Paragraph(paragraph)),
        }
    }
}

fn caption_at(parts: &[Part], index: usize, places: &[Vec<Rect>]) -> Option<Caption> {
    let Some(Part::Paragraph(paragraph)) = parts.get(index) else {
        return None;
    };
    let text = &paragraph.text.text;
    let named = named(text)?;
    let (above, below) = gaps(paragraph, places);
    let is_close = |gap: f64| named == Named::Table || gap < WIDEST_EMS * paragraph.size;
    let before = index.checked_sub(1).and_then(|before| parts.get(before));
    let has_table_before =
        matches!(before, Some(Part::Table(_))) && is_titled(text) && is_close(above);
    let after = parts.get(index + 1);
    let has_table_after = matches!(after, Some(Part::Table(table)) if table.page == paragraph.page)
        && (named == Named::Table || is_titled(text))
        && is_close(below);
    let nearer = if above * WIDER < below {
        Some(Side::Below)
    } else if below * WIDER < above {
        Some(Side::Above)
    } else {
        None
    };
    Some(Caption { index, named, has_table_before, has_table_after, nearer })
}

/// The side of the tables on which the captions of one kind stand.
fn usual_side(captions: &[Caption], named: Named) -> Option<Side> {
    let side = |caption: &Caption| match (caption.has_table_before, caption.has_table_after) {
        (true, true) => caption.nearer,
        (true, false) => Some(Side::Below),
        (false, true) => Some(Side::Above),
        (false, false) => None,
    };
    let sides = || captions.iter().filter(|caption| caption.named == named).filter_map(side);
    let below = sides().filter(|side| *side == Side::Below).count();
    let above = sides().count() - below;
    (above != below).then_some(if above > below { Side::Above } else { Side::Below })
}

/// The free space above a paragraph and below it, within its column.
fn gaps(paragraph: &Paragraph, places: &[Vec<Rect>]) -> (f64, f64) {
    let column = paragraph.column;
    let here = places.get(paragraph.page).map(Vec::as_slice).unwrap_or_default();
    let (mut above, mut below) = (f64::MAX, f64::MAX);
    for place in here.iter().filter(|place| place.x0 < column.right && place.x1 > column.left) {
        // By their middles, since lines set tight overlap by a little.
        let middle = place.center().y;
        if middle < paragraph.top {
            above = above.min(paragraph.top - place.y1);
        } else if middle > paragraph.bottom {
            below = below.min(place.y0 - paragraph.bottom);
        }
    }
    (above, below)
}

/// The thing that a text names and numbers at its beginning: `Tabelle 3: …`.
fn named(text: &str) -> Option<Named> {
    let mut words = text.split_whitespace();
    let first = words.next()?.to_lowercase();
    let number = words.next()?;
    let named = match first.trim_end_matches('.') {
        "tabelle" | "tab" | "table" | "übersicht" => Named::Table,
        "abbildung" | "abb" | "figure" | "fig" => Named::Figure,
        _ => return None,
    };
    let is_numbered = number.starts_with(|first: char| first.is_ascii_digit());
    (is_numbered && text.chars().count() < LONGEST_CHARS).then_some(named)
}

/// Returns `true` if a mark parts the number from what follows, as in `Tab. 3 – Fees`: a sentence goes on
/// without one.
fn is_titled(text: &str) -> bool {
    let mut words = text.split_whitespace().skip(1);
    let ends = words.next().is_some_and(|number| number.ends_with([':', '.', ')', '|']));
    let marks = |word: &str| word.chars().all(|mark| "–—-:|".contains(mark));
    ends || words.next().is_none_or(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::InlineText;
    use crate::pdf::tables::{Drawn, PageTable};
    use crate::table::TableDraft;

    /// The captions of the tables of a page, and the paragraphs that are left. `T` is a table of two
    /// lines, a number a gap in points.
    fn given(page: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut parts = Vec::new();
        let mut places = Vec::new();
        let mut y = 100.0;
        let mut place = |height: f64, y: f64| places.push(Rect::new(50.0, y, 300.0, y + height));
        for part in page {
            if let Ok(gap) = part.parse::<f64>() {
                y += gap;
                continue;
            }
            let height = if *part == "T" { 24.0 } else { 10.0 };
            place(height, y);
            parts.push(match *part {
                "T" => {
                    let draft = TableDraft { caption: InlineText::default(), rows: Vec::new() };
                    Part::Table(PageTable::new(Drawn { draft, ..Drawn::default() }, 0, 50.0, 300.0))
                }
                text => Part::Paragraph(Paragraph {
                    text: InlineText { text: text.to_owned(), ..InlineText::default() },
                    size: 10.0,
                    top: y,
                    bottom: y + 10.0,
                    ..Paragraph::sample()
                }),
            });
            y += height;
        }
        give_captions(&mut parts, &[places]);
        let (mut captions, mut left) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Part::Table(table) => captions.push(table.draft.caption.text),
                Part::Paragraph(paragraph) => left.push(paragraph.text.text),
            }
        }
        (captions, left)
    }

    #[test]
    fn captions_stand_on_one_side_of_all_tables() {
        let (one, two) = ("Table 1: Hire of boats", "Tab. 2 – Insurance of boats");
        let both = vec![one.to_owned(), two.to_owned()];
        // Below, though the gaps are the same; above; and between two by the gaps alone.
        assert_eq!(given(&["T", "8", one, "8", "T", "8", two]), (both.clone(), vec![]));
        assert_eq!(given(&[one, "8", "T", "8", two, "8", "T"]), (both, vec![]));
        let first = vec![one.to_owned(), String::new()];
        assert_eq!(given(&["T", "4", one, "20", "T"]), (first, vec![]));
        let second = vec![String::new(), one.to_owned()];
        assert_eq!(given(&["T", "20", one, "4", "T"]), (second, vec![]));
    }

    #[test]
    fn text_about_a_table_stays_text() {
        let text = "Table 1 shows the fees of all boats.";
        assert_eq!(given(&["T", "8", text]), (vec![String::new()], vec![text.to_owned()]));
    }

    #[test]
    fn a_figure_may_be_a_table() {
        let caption = "Abbildung 1: Miete der Boote";
        assert_eq!(given(&["T", "8", caption]), (vec![caption.to_owned()], vec![]));
        // With room for a picture between.
        let expected = (vec![String::new()], vec![caption.to_owned()]);
        assert_eq!(given(&["T", "120", caption]), expected);
    }
}
