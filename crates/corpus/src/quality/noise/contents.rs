//! Tables of contents: "Admission ........ 12".

use std::collections::BTreeSet;

use campanile_text::Span;

use super::Line;

/// Fewer entries in a row are something else: a price list has dots too.
const FEW_ENTRIES: usize = 3;
/// Fewer dots are an ellipsis.
const FEW_DOTS: usize = 4;

/// The lines of tables of contents: at least three in a row whose page numbers never fall, or one
/// line that holds as many.
pub(super) fn lines(lines: &[Line<'_>]) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    let mut run: Vec<Span> = Vec::new();
    let (mut entries, mut page) = (0, 0);
    for line in lines {
        let pages = pages(line.text);
        let goes_on = pages.is_sorted() && pages.first().is_some_and(|first| *first >= page);
        if !goes_on {
            if entries >= FEW_ENTRIES {
                found.extend(run.iter().copied());
            }
            run.clear();
            (entries, page) = (0, 0);
        }
        if let Some(last) = pages.last().filter(|_| pages.is_sorted()) {
            run.push(line.span);
            entries += pages.len();
            page = *last;
        }
    }
    if entries >= FEW_ENTRIES {
        found.extend(run);
    }
    found
}

/// The page numbers behind dots; none where the text does not end with one.
fn pages(text: &str) -> Vec<u32> {
    let mut pages = Vec::new();
    let mut dots = 0;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let is_page = dots >= FEW_DOTS && digits <= 4;
            pages
                .extend(rest.get(..digits).filter(|_| is_page).and_then(|n| n.parse::<u32>().ok()));
            rest = rest.get(digits..).unwrap_or_default();
            dots = 0;
            continue;
        }
        match character {
            '.' | '·' => dots += 1,
            '…' => dots += 3,
            ' ' | '\u{a0}' => {}
            _ => dots = 0,
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    if text.ends_with(|last: char| last.is_ascii_digit()) { pages } else { Vec::new() }
}
