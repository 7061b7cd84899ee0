//! Plots as inline SVG, for pages that load nothing.
//!
//! Each plot is drawn about 420 units wide, so that its letters stay legible when a phone shows it at
//! four fifths of that. Colours are classes (`s0` to `s7`, `axis`, `grid`) that the page's style fills in,
//! for light and dark; besides its colour each series has a marker, a dash and a pattern of its own.
//! A [`Figure`] joins a drawing with its title, its description and its numbers as a table, for those
//! who do not see it.

mod lines;
mod rows;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde::Serialize;
use svg::Svg;

pub(crate) use lines::{Line, LinePlot, ReliabilityPlot, thinned};
pub(crate) use rows::{Glyph, RowGroup, RowPlot, SeriesRow};
pub(crate) use scale::Axis;

/// A drawing: what stands inside an `svg` element, and how large it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Drawing {
    /// Units across.
    pub(crate) width: f64,
    /// Units down.
    pub(crate) height: f64,
    /// Elements of SVG.
    pub(crate) content: String,
}

/// The width of all drawings.
const WIDTH: f64 = 420.0;
/// From one line of letters to the next.
const LINE: f64 = 16.0;

/// A drawing, what it shows in words, and its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// Unique on its page.
    pub(crate) id: String,
    /// The title: what is shown.
    pub(crate) title: String,
    /// The drawing in words, for those who do not see it.
    pub(crate) description: String,
    /// The caption: how to read it.
    pub(crate) caption: String,
    /// The drawing.
    pub(crate) drawing: Drawing,
    /// The numbers.
    pub(crate) table: Table,
}

/// Numbers under headings; the first columns name the row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Table {
    /// A heading for each column.
    pub(crate) head: Vec<String>,
    /// As many cells as there are headings.
    pub(crate) rows: Vec<Vec<String>>,
    /// The number of columns that name the row, at least one.
    pub(crate) names: usize,
}

impl Table {
    /// Rows that are named by their first columns, under these headings.
    pub(crate) fn new(
        names: &[&str],
        numbers: impl IntoIterator<Item = String>,
        rows: Vec<Vec<String>>,
    ) -> Self {
        let head = names.iter().map(|name| (*name).to_owned()).chain(numbers).collect();
        Self { head, rows, names: names.len() }
    }
}

/// The number of series that have a look of their own; then colours begin again with another marker.
pub(crate) const LOOKS: usize = 8;

/// Markers about 8 units wide, around 0.
const MARKERS: [&str; LOOKS] = [
    "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z",
    "M-3.6 -3.6H3.6V3.6H-3.6Z",
    "M0 -4.6L4.4 3.4H-4.4Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M0 4.6L4.4 -3.4H-4.4Z",
    "M-1.5 -4.6H1.5V-1.5H4.6V1.5H1.5V4.6H-1.5V1.5H-4.6V-1.5H-1.5Z",
    "M-4.6 -2.4L-2.4 -4.6L0 -2.2L2.4 -4.6L4.6 -2.4L2.2 0L4.6 2.4L2.4 4.6L0 2.2L-2.4 4.6L-4.6 2.4L-2.2 0Z",
    "M-4.6 0L-2.3 -4H2.3L4.6 0L2.3 4H-2.3Z",
];

/// Lengths of strokes and gaps.
const DASHES: [&str; LOOKS] = ["5 3", "", "9 3", "2 2.5", "9 3 2 3", "14 3", "5 2 1 2 1 2", "1 3"];

/// Patterns over a bar's colour, on a tile of 8 units.
const HATCHES: [&str; LOOKS] = [
    "",
    "M-2 2L2 -2M0 8L8 0M6 10L10 6",
    "M2 2h1.6v1.6H2ZM6 6h1.6v1.6H6Z",
    "M-2 6L2 10M0 0L8 8M6 -2L10 2",
    "M0 4H8",
    "M4 0V8",
    "M0 4H8M4 0V8",
    "M0 0L8 8M0 8L8 0",
];

/// The class that gives a series its colour.
pub(crate) fn class(series: usize) -> String {
    format!("s{}", series % LOOKS)
}

/// The fill of a series' bars.
pub(crate) fn fill(series: usize) -> String {
    format!("url(#hatch-{})", series % LOOKS)
}

/// The dashes of a series' lines; empty where they are whole.
pub(crate) fn dash(series: usize) -> &'static str {
    DASHES[series % LOOKS]
}

/// The outline of a series' marker. From the ninth series on colours come with other markers.
pub(crate) fn marker(series: usize) -> &'static str {
    MARKERS[(series + series / LOOKS) % LOOKS]
}

/// The patterns that bars are filled with: an unseen `svg` that a page needs once.
pub(crate) fn patterns() -> String {
    let mut text = "<svg class=\"unseen\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs>".to_owned();
    for (series, hatch) in HATCHES.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "<pattern id=\"hatch-{series}\" class=\"s{series}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
             <rect class=\"mark\" width=\"8\" height=\"8\"/>"
        );
        if !hatch.is_empty() {
            let _ = write!(text, "<path class=\"hatch\" d=\"{hatch}\"/>");
        }
        text.push_str("</pattern>");
    }
    text.push_str("</defs></svg>");
    text
}

/// A small picture of a series' line and marker, to stand before its name.
pub(crate) fn key(series: usize) -> String {
    let mut svg = Svg::default();
    svg.group(&class(series), |svg| {
        svg.polyline("curve", dash(series), &[(0.0, 6.0), (24.0, 6.0)]);
        svg.shape("mark", marker(series), (12.0, 6.0));
    });
    format!(
        "<svg class=\"key\" viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\" focusable=\"false\">{}</svg>",
        svg.finish()
    )
}
