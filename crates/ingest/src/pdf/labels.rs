//! The labels of a PDF's pages: `iv`, `A-3`.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};

use super::numbers::{write_letters, write_roman};
use super::text_string::text_string;

/// Ranges of pages counted alike, at most.
const MOST_RANGES: usize = 2_000;
const DEEPEST: usize = 20;

/// A range of pages that are counted in one way.
#[derive(Debug)]
struct Range {
    /// The first page, from 0.
    from: usize,
    style: Option<Vec<u8>>,
    prefix: String,
    first: i64,
}

/// The label of each of the first `count` pages, where it says more than the page's number.
/// ISO 32000-1, 12.4.2.
pub(super) fn labels(pdf: &Pdf, count: usize) -> Vec<Option<String>> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let tree = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"PageLabels"));
    let mut ranges = Vec::new();
    if let Some(tree) = tree {
        gather(&tree, 0, &mut ranges);
    }
    ranges.sort_by_key(|range| range.from);
    (0..count).map(|page| label(&ranges, page)).collect()
}

fn gather(node: &Dict<'_>, depth: usize, ranges: &mut Vec<Range>) {
    if depth > DEEPEST || ranges.len() > MOST_RANGES {
        return;
    }
    for kid in node.get::<Array<'_>>(b"Kids").iter().flat_map(|kids| kids.iter::<Dict<'_>>()) {
        gather(&kid, depth + 1, ranges);
    }
    let Some(numbers) = node.get::<Array<'_>>(b"Nums") else {
        return;
    };
    let mut entries = numbers.iter::<Object<'_>>();
    while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
        let (Object::Number(key), Some(value)) = (key, value.into_dict()) else {
            continue;
        };
        let Ok(from) = usize::try_from(key.as_i64()) else {
            continue;
        };
        if ranges.len() > MOST_RANGES {
            return;
        }
        ranges.push(Range {
            from,
            style: value.get::<Name<'_>>(b"S").map(|style| style.to_vec()),
            prefix: value
                .get::<PdfString<'_>>(b"P")
                .map(|prefix| text_string(prefix.as_bytes()))
                .unwrap_or_default(),
            first: value.get::<i32>(b"St").map_or(1, i64::from),
        });
    }
}

fn label(ranges: &[Range], page: usize) -> Option<String> {
    let range = ranges.iter().rev().find(|range| range.from <= page)?;
    let number = range.first.saturating_add(i64::try_from(page - range.from).ok()?);
    let counted = match range.style.as_deref() {
        Some(b"D") => number.to_string(),
        Some(b"r") => write_roman(number),
        Some(b"R") => write_roman(number).to_uppercase(),
        Some(b"a") => write_letters(number),
        Some(b"A") => write_letters(number).to_uppercase(),
        _ => String::new(),
    };
    let label = format!("{}{counted}", range.prefix);
    let label = label.trim();
    (!label.is_empty() && label != (page + 1).to_string()).then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Range, label};

    #[test]
    fn pages_are_counted_from_where_a_range_begins() {
        let range = |from, style: &[u8], prefix: &str, first| Range {
            from,
            style: Some(style.to_vec()),
            prefix: prefix.to_owned(),
            first,
        };
        let ranges = [range(0, b"r", "", 1), range(3, b"D", "", 1), range(5, b"A", "X-", 2)];
        let found: Vec<Option<String>> = (0..7).map(|page| label(&ranges, page)).collect();
        let found: Vec<&str> = found.iter().map(|label| label.as_deref().unwrap_or("?")).collect();
        assert_eq!(found, ["i", "ii", "iii", "1", "2", "X-B", "X-C"]);
        assert_eq!(label(&ranges[1..], 0), None);
        // A label that is the number says nothing.
        assert_eq!(label(&[range(0, b"D", "", 1)], 4), None);
    }
}
