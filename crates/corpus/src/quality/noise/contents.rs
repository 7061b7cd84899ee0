//! Tables of contents: "Admission ........ 12".

use campanile_text::Span;

use crate::{BlockKind, Document};

/// Fewer such lines in a row are something else: a price list has dots too.
const FEW_LINES: usize = 3;
/// Fewer dots are an ellipsis.
const FEW_DOTS: usize = 4;

/// The blocks of a document that are lines of its tables of contents: at least three in a row whose
/// page numbers never fall, or one block that holds as many.
pub(super) fn lines(document: &Document) -> Vec<Span> {
    let mut found = Vec::new();
    let mut run: Vec<Span> = Vec::new();
    let mut page = 0;
    let mut close = |run: &mut Vec<Span>, lines: usize| {
        if lines >= FEW_LINES {
            found.append(run);
        }
        run.clear();
    };
    let mut lines = 0;
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        let text = block.span.slice(&document.text).unwrap_or_default();
        let pages = if block.kind == BlockKind::TableRow { Vec::new() } else { pages(text) };
        let goes_on = pages.is_sorted() && pages.first().is_some_and(|first| *first >= page);
        if !goes_on {
            close(&mut run, lines);
            (lines, page) = (0, 0);
        }
        if let Some(last) = pages.last().filter(|_| pages.is_sorted()) {
            run.push(block.span);
            lines += pages.len();
            page = *last;
        }
    }
    close(&mut run, lines);
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
