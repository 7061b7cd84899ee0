//! Tables of data, told from those that lay out the page, with their rows and cells.

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use super::Layout;
use super::walk::{inline_of, passes_over};
use crate::inline::{InlineText, single_spaced};
use crate::report::Report;
use crate::table::{CellDraft, CellSize, RowDraft, TableDraft, in_a_cell, lays_out};

/// Columns that one cell may span; browsers stop at the same number.
const MOST_COLUMNS: u32 = 1_000;

/// A table of data, or `None` for one that only lays out the page and should be read like any other
/// element.
pub(super) fn data(
    table: NodeRef<'_, Node>,
    layout: Layout,
    report: &mut Report,
) -> Option<TableDraft> {
    let role = table.value().as_element().and_then(|element| element.attr("role"));
    // A table in a table in a table lays out the page. Told first: a page may be nested very deep.
    let is_table = |node: &NodeRef<'_, Node>| name(*node) == Some("table");
    let inner = table.descendants().skip(1).find(is_table);
    let is_deep =
        inner.is_some_and(|inner| inner.descendants().skip(1).any(|node| is_table(&node)));
    if matches!(role, Some("presentation" | "none")) || is_deep || lays_out(&sizes(table)) {
        return None;
    }
    // Findings count only if the table is kept as one.
    let mut noticed = Report::default();
    let rows = read_rows(table, layout, &mut noticed);
    report.absorb(noticed);
    let is_caption = |child: &NodeRef<'_, Node>| name(*child) == Some("caption");
    let caption = table.children().find(is_caption);
    let caption = caption.and_then(|caption| visible(caption, false, layout, report));
    Some(TableDraft { caption: caption.unwrap_or_default(), rows })
}

/// The sizes of a table's own cells, row by row.
fn sizes(table: NodeRef<'_, Node>) -> Vec<Vec<CellSize>> {
    let size = |cell: NodeRef<'_, Node>| {
        let named = |names: &'static [&'static str]| {
            cell.descendants()
                .filter(move |node| name(*node).is_some_and(|own| names.contains(&own)))
        };
        let texts = cell.descendants().filter_map(|node| node.value().as_text());
        CellSize {
            bytes: texts
                .map(|text| text.split_whitespace().map(|word| word.len() + 1).sum::<usize>())
                .sum(),
            tables: named(&["table"]).count(),
            holds_heading: named(&["h1", "h2", "h3", "h4", "h5", "h6"]).next().is_some(),
        }
    };
    let cells = |row: NodeRef<'_, Node>| {
        row.children().filter(|cell| matches!(name(*cell), Some("td" | "th"))).map(size).collect()
    };
    own_rows(table).map(cells).collect()
}

/// The rows of a table, those of tables in its cells aside.
fn own_rows(table: NodeRef<'_, Node>) -> impl Iterator<Item = NodeRef<'_, Node>> {
    table.descendants().filter(move |row| {
        let mut around = row.ancestors();
        name(*row) == Some("tr")
            && around
                .find(|node| name(*node) == Some("table"))
                .is_some_and(|own| own.id() == table.id())
    })
}

fn read_rows(table: NodeRef<'_, Node>, layout: Layout, report: &mut Report) -> Vec<RowDraft> {
    let mut rows = Vec::new();
    for row in own_rows(table) {
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
                // MDX writes numbers in braces: `colSpan={2}`.
                let plain =
                    |value: &str| value.trim_matches(['{', '}', '"', '\'', ' ']).parse().ok();
                let value = element.attr(attribute).and_then(plain);
                value.unwrap_or(1_u32).clamp(1, most)
            };
            cells.push(CellDraft {
                text: cell_text(cell, layout, report),
                is_header: element.name() == "th",
                columns: spans("colspan", MOST_COLUMNS),
                // The HTML standard ends it near the same number.
                rows: spans("rowspan", u32::from(u16::MAX)),
            });
        }
        // A text in bold alone in its row names the group of the rows below it.
        let mut filled = cells.iter_mut().filter(|cell| !cell.text.text.is_empty());
        if let (Some(only), None) = (filled.next(), filled.next()) {
            only.is_header |= row.children().any(is_bold);
        }
        if cells.iter().any(|cell| !cell.text.text.is_empty()) {
            rows.push(RowDraft { is_head: in_head, cells });
        }
    }
    if !rows.iter().any(|row| row.is_head) {
        mark_heads(&mut rows);
    }
    rows
}

/// Marks the rows of headers with which a table begins that has no `thead`.
fn mark_heads(rows: &mut [RowDraft]) {
    // One cell over the whole width is a caption, not a header.
    let captions = rows.iter().take_while(|row| row.cells.len() == 1).count();
    // Beside a header that reaches down, one name over the other columns is a row of the head too.
    let reach =
        rows.get(captions).map_or(0, |row| row.cells.iter().map(|it| it.rows).max().unwrap_or(1));
    let heads = rows[captions..].iter().zip(0..).take_while(|(row, place)| {
        (row.cells.len() > 1 || *place < reach) && row.cells.iter().all(|it| it.is_header)
    });
    let heads = heads.count();
    let mut end = captions + heads;
    if end == rows.len() {
        // Where every cell is a header, the first row heads the others.
        end = captions + heads.min(1);
    }
    if end < rows.len() {
        rows[captions..end].iter_mut().for_each(|row| row.is_head = true);
    }
}

/// The text of a cell; a table in it is written out behind what else it says.
fn cell_text(cell: NodeRef<'_, Node>, layout: Layout, report: &mut Report) -> InlineText {
    let is_table = |node: &NodeRef<'_, Node>| name(*node) == Some("table");
    let Some(inner) = cell.descendants().find(is_table) else {
        return visible(cell, true, layout, report).unwrap_or_default();
    };
    let Some(draft) = data(inner, layout, report) else {
        return visible(cell, true, layout, report).unwrap_or_default();
    };
    let written = in_a_cell(draft, report);
    let mut texts = Vec::new();
    for child in cell.children() {
        let own = match child.value() {
            _ if child.id() == inner.id()
                || child.descendants().any(|node| node.id() == inner.id()) =>
            {
                written.clone()
            }
            Node::Text(text) => text.to_string(),
            Node::Element(_) => visible(child, true, layout, report).unwrap_or_default().text,
            _ => continue,
        };
        texts.push(single_spaced(&own));
    }
    texts.retain(|text| !text.is_empty());
    InlineText::plain(texts.join(", "))
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

/// Returns `true` if a cell holds text, all of it in bold.
fn is_bold(cell: NodeRef<'_, Node>) -> bool {
    let is_text = |node: &NodeRef<'_, Node>| {
        node.value().as_text().is_some_and(|text| !text.trim().is_empty())
    };
    let mut texts = cell.descendants().filter(is_text).peekable();
    let is_within = |node: NodeRef<'_, Node>| {
        let mut around = node.ancestors().take_while(|above| above.id() != cell.id());
        around.any(|above| matches!(name(above), Some("b" | "strong")))
    };
    texts.peek().is_some() && texts.all(is_within)
}

fn name(node: NodeRef<'_, Node>) -> Option<&str> {
    node.value().as_element().map(Element::name)
}
