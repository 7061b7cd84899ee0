//! Tables of data, told from those that lay out the page, with their rows and cells.

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use super::Layout;
use super::walk::{inline_of, passes_over};
use crate::inline::InlineText;
use crate::report::Report;
use crate::table::{CellDraft, RowDraft, TableDraft};

/// A cell longer than this is a part of the page's layout, and repeated over rows it would swell.
const CELL_BYTES: usize = 1_200;
/// Columns that one cell may span; browsers stop at the same number.
const MOST_COLUMNS: u32 = 1_000;

/// A table of data, or `None` for one that only lays out the page and should be read like any other
/// element.
pub(super) fn data(
    table: NodeRef<'_, Node>,
    layout: Layout,
    report: &mut Report,
) -> Option<TableDraft> {
    if is_for_layout(table) {
        return None;
    }
    // Findings count only if the table is kept as one.
    let mut noticed = Report::default();
    let rows = read_rows(table, layout, &mut noticed);
    let is_long = |cell: &CellDraft| cell.text.text.len() > CELL_BYTES;
    if rows.iter().flat_map(|row| &row.cells).any(is_long) {
        return None;
    }
    report.absorb(noticed);
    let is_caption = |child: &NodeRef<'_, Node>| name(*child) == Some("caption");
    let caption = table.children().find(is_caption);
    let caption = caption.and_then(|caption| visible(caption, false, layout, report));
    Some(TableDraft { caption: caption.unwrap_or_default(), rows })
}

fn is_for_layout(table: NodeRef<'_, Node>) -> bool {
    let role = table.value().as_element().and_then(|element| element.attr("role"));
    matches!(role, Some("presentation" | "none"))
        || table.descendants().skip(1).any(|node| {
            let name = node.value().as_element().map(Element::name);
            matches!(name, Some("table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
        })
}

fn read_rows(table: NodeRef<'_, Node>, layout: Layout, report: &mut Report) -> Vec<RowDraft> {
    let mut rows = Vec::new();
    let is_row = |node: &NodeRef<'_, Node>| name(*node) == Some("tr");
    for row in table.descendants().filter(is_row) {
        let in_head = row.parent().and_then(name) == Some("thead");
        let around = row.parent().into_iter().chain([row]);
        if around.filter_map(|node| Some((node, node.value().as_element()?))).any(
            |(node, element)| node.id() != table.id() && passes_over(node, element, layout, report),
        ) {
            continue;
        }
        let mut cells = Vec::new();
        for cell in row.children() {
            let Some(element) = cell.value().as_element() else {
                continue;
            };
            if !matches!(element.name(), "td" | "th") {
                continue;
            }
            let spans = |attribute: &str, most: u32| {
                let value = element.attr(attribute).and_then(|value| value.trim().parse().ok());
                value.unwrap_or(1_u32).clamp(1, most)
            };
            cells.push(CellDraft {
                text: visible(cell, true, layout, report).unwrap_or_default(),
                is_header: element.name() == "th",
                columns: spans("colspan", MOST_COLUMNS),
                // The HTML standard ends it near the same number.
                rows: spans("rowspan", u32::from(u16::MAX)),
            });
        }
        if cells.iter().any(|cell| !cell.text.text.is_empty()) {
            rows.push(RowDraft { is_head: in_head, cells });
        }
    }
    let has_head = rows.iter().any(|row| row.is_head);
    let has_body = rows.len() > 1;
    if let Some(first) = rows.first_mut().filter(|_| !has_head && has_body) {
        // One cell over the whole width is a caption, not a header.
        first.is_head = first.cells.len() > 1 && first.cells.iter().all(|cell| cell.is_header);
    }
    rows
}

/// The text of an element on one line, if the element is shown.
fn visible(
    node: NodeRef<'_, Node>,
    is_cell: bool,
    layout: Layout,
    report: &mut Report,
) -> Option<InlineText> {
    let element = node.value().as_element()?;
    let is_shown = !passes_over(node, element, layout, report);
    is_shown.then(|| inline_of(node, is_cell, layout, report))
}

fn name(node: NodeRef<'_, Node>) -> Option<&str> {
    node.value().as_element().map(Element::name)
}
