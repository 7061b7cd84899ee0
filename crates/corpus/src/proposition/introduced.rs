//! List items and the line that introduces them.

use campanile_text::{Span, sentences};

use super::words::Lists;
use crate::facts::bare;
use crate::{Block, BlockKind, Document};

/// A line longer than this is not said again with every item.
const LONGEST_STEM_WORDS: usize = 30;
/// An item further down than this has lost sight of the line.
const MOST_ITEMS: usize = 200;

/// The sentence with a colon that stands right before the list which an item belongs to.
///
/// `None` as well where items are joined by "or", and where one ends with a colon itself: it may
/// introduce what follows it, and how deep items are nested is not known here.
pub(super) fn introduction(
    document: &Document,
    section: u32,
    item: Span,
    lists: &Lists,
) -> Option<Span> {
    let section = document.sections.get(section as usize)?;
    let blocks = &section.blocks;
    let place = blocks.partition_point(|block| block.span.start <= item.start).checked_sub(1)?;
    let text = |block: &Block| block.span.slice(&document.text).unwrap_or_default().trim_end();
    let is_item = |block: &&Block| block.kind == BlockKind::ListItem;
    let is_open = |block: &Block| {
        let text = text(block);
        let last = bare(text.split_whitespace().next_back().unwrap_or_default()).to_lowercase();
        text.ends_with(':') || lists.or.contains(&last.as_str())
    };
    let above = blocks.get(..place)?.iter().rev().take(MOST_ITEMS + 1);
    let above = above.take_while(is_item).count();
    let first = place.checked_sub(above)?;
    let items = blocks.get(first..)?.iter().take_while(is_item).take(MOST_ITEMS + 1);
    let line = blocks.get(first.checked_sub(1)?)?;
    if above > MOST_ITEMS || line.kind != BlockKind::Paragraph || items.clone().any(is_open) {
        return None;
    }
    colon_sentence(text(line)).map(|sentence| sentence.shifted(line.span.start))
}

fn colon_sentence(text: &str) -> Option<Span> {
    let last = sentences(text).pop()?;
    let own = last.slice(text)?;
    let words = own.split_whitespace().count();
    (own.ends_with(':') && (2..=LONGEST_STEM_WORDS).contains(&words)).then_some(last)
}
