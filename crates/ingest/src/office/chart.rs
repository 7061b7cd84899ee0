//! Charts: a table of what they draw, a row for each category and a column for each series.

use calamine::DataRef;

use super::package::{Package, Relationships};
use super::xml::Element;
use crate::Trouble;
use crate::inline::InlineText;
use crate::spreadsheet::Formats;
use crate::table::{CellDraft, TableDraft};

use std::collections::BTreeMap;

/// Points of one chart: what people look at has a few dozen.
const MOST_POINTS: u32 = 2_000;
/// Series of one chart.
const MOST_SERIES: usize = 100;

/// The charts of a part, by the name of theirs.
pub(super) fn charts(
    package: &mut Package<'_>,
    links: &Relationships,
) -> Result<BTreeMap<String, Element>, Trouble> {
    let mut found = BTreeMap::new();
    for part in links.parts("chart") {
        if let Some(root) = package.xml(part)? {
            found.insert(part.to_owned(), root);
        }
    }
    Ok(found)
}

/// The points of a list of texts or numbers, by their place.
type Points = BTreeMap<u32, String>;

/// What a chart draws, by the values that stand in the chart itself; `None` if there are none.
pub(super) fn table(chart: &Element) -> Option<TableDraft> {
    let mut formats = Formats::default();
    let mut categories = Points::new();
    let mut series: Vec<(String, Points)> = Vec::new();
    for drawn in chart.all("c:ser").take(MOST_SERIES) {
        let child = |names: &[&str]| names.iter().find_map(|name| drawn.child(name));
        // Points of a cloud have two numbers each.
        let own = child(&["c:cat", "c:xVal"]).map(|list| points(list, &mut formats));
        for (place, name) in own.unwrap_or_default() {
            categories.entry(place).or_insert(name);
        }
        let values = child(&["c:val", "c:yVal"]).map(|list| points(list, &mut formats));
        let name = drawn.child("c:tx").map(words).unwrap_or_default();
        series.push((name, values.unwrap_or_default()));
    }
    series.retain(|(_, values)| !values.is_empty());
    let places: Vec<u32> = series
        .iter()
        .flat_map(|(_, values)| values.keys().copied())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    if places.is_empty() {
        return None;
    }
    let is_named = series.iter().any(|(name, _)| !name.is_empty());
    let head = is_named.then(|| {
        std::iter::once(String::new()).chain(series.iter().map(|(name, _)| name.clone())).collect()
    });
    let rows = places.iter().map(|place| {
        let name = categories.get(place).cloned().unwrap_or_else(|| (place + 1).to_string());
        let values = series
            .iter()
            .map(|(_, values)| CellDraft::plain(values.get(place).cloned().unwrap_or_default()));
        std::iter::once(CellDraft::header(name)).chain(values).collect()
    });
    let mut table = TableDraft::of_rows(head, rows);
    let title = chart.all("c:chart").find_map(|chart| chart.child("c:title"));
    table.caption = InlineText::plain(title.map(words).unwrap_or_default());
    Some(table)
}

/// The kept points of a list, numbers under their format.
fn points(list: &Element, formats: &mut Formats) -> Points {
    let caches = ["c:strCache", "c:numCache", "c:strLit", "c:numLit", "c:lvl"];
    let mut found = Points::new();
    for cache in list.descendants().filter(|element| caches.contains(&&*element.name)) {
        let code = cache.child("c:formatCode").map(Element::text).unwrap_or_default();
        let is_number = cache.name.starts_with("c:num");
        for point in cache.elements().filter(|point| point.is("c:pt")) {
            let Some(place) = point.number("idx").filter(|place| *place < MOST_POINTS) else {
                continue;
            };
            let text = point.child("c:v").map(Element::text).unwrap_or_default();
            let number = text.trim().parse::<f64>().ok().filter(|_| is_number);
            let text = match number {
                Some(number) => formats.show(&DataRef::Float(number), &code),
                None => text.trim().to_owned(),
            };
            // Of categories on several levels the innermost comes first.
            match found.entry(place) {
                std::collections::btree_map::Entry::Vacant(entry) => drop(entry.insert(text)),
                std::collections::btree_map::Entry::Occupied(mut entry) => {
                    let whole = format!("{text} {}", entry.get());
                    entry.insert(whole);
                }
            }
        }
    }
    found
}

/// The words of a title or a name: written out, or kept from a cell.
fn words(element: &Element) -> String {
    let texts = element.descendants().filter(|own| own.is("a:t") || own.is("c:v"));
    let texts: Vec<String> = texts.map(Element::text).collect();
    texts.concat().split_whitespace().collect::<Vec<_>>().join(" ")
}
