//! The kind of block that each paragraph is.

use campanile_corpus::BlockKind;

use super::levels::Levels;
use super::markers::{Marker, marker};
use super::paragraphs::Paragraph;
use super::text::Part;

/// Fewest short lines in a row that are a list though nothing marks them.
const FEWEST: usize = 3;

/// The kind of each part; that of headings and tables means nothing.
pub(super) fn kinds(parts: &[Part], levels: &Levels) -> Vec<BlockKind> {
    let mut kinds = vec![BlockKind::Paragraph; parts.len()];
    for (kind, part) in kinds.iter_mut().zip(parts) {
        if let Part::Paragraph(paragraph) = part
            && matches!(marker(&paragraph.text.text), Some((Marker::Bullet | Marker::Item, _)))
        {
            *kind = BlockKind::ListItem;
        }
    }
    let mut start = 0;
    while start < parts.len() {
        let end = list_end(parts, levels, start);
        let short = parts.get(start..end).unwrap_or_default();
        if short.iter().filter(|part| is_short(part)).count() >= FEWEST {
            for kind in kinds.get_mut(start..end).unwrap_or_default() {
                *kind = BlockKind::ListItem;
            }
        }
        start = end.max(start + 1);
    }
    kinds
}

fn is_short(part: &Part) -> bool {
    matches!(part, Part::Paragraph(paragraph) if paragraph.is_short_line)
}

/// Finds the end of the list without marks that begins at `start`.
fn list_end(parts: &[Part], levels: &Levels, start: usize) -> usize {
    let mut end = start;
    while let Some(Part::Paragraph(paragraph)) = parts.get(end) {
        let is_item = levels.get(end) == Some(&None) && may_be_item(paragraph);
        let follows = match parts.get(end.wrapping_sub(1)) {
            Some(Part::Paragraph(last)) if end > start => is_next(last, paragraph),
            _ => true,
        };
        if !is_item || !follows {
            break;
        }
        end += 1;
    }
    end
}

fn may_be_item(paragraph: &Paragraph) -> bool {
    let text = paragraph.text.text.trim_end();
    paragraph.lines <= 3
        && !paragraph.is_centred
        && marker(text).is_none()
        && !text.ends_with(['.', ':', '?', '!', ','])
}

fn is_next(last: &Paragraph, next: &Paragraph) -> bool {
    let gap = (next.top - last.bottom) / last.size.max(1.0);
    let is_below = last.page == next.page && (-0.5..1.3).contains(&gap);
    let is_over_page = last.page + 1 == next.page;
    (is_below || is_over_page)
        && (last.left - next.left).abs() < last.size
        && (last.size - next.size).abs() < 0.5
}

/// The text of an item begins behind its bullet; a number or letter is part of it.
pub(super) fn without_bullet(text: crate::inline::InlineText) -> crate::inline::InlineText {
    match marker(&text.text) {
        Some((Marker::Bullet, length)) => text.without(std::slice::from_ref(&(0..length))),
        _ => text,
    }
}
