//! Plots as inline SVG, for pages that load nothing.
//!
//! Each plot is drawn about 420 units wide, so that its letters stay legible when a phone shows it at
//! four fifths of that. Colours are classes (`s0` to `s7`, `axis`, `grid`) that the page's style fills in,
//! for light and dark; besides its colour each series has a marker, a dash and a pattern of its own.
//! A [`Figure`] joins a drawing with its title, its description and its numbers as a table, for those
//! who do not see it.

mod figure;
mod labels;
mod lines;
mod measure;
mod reliability;
mod rows;
mod scale;
mod series;
mod svg;
#[cfg(test)]
mod tests;

pub use figure::{Figure, Table};
pub use labels::spread;
pub use lines::{Line, LinePlot, thinned};
pub use reliability::ReliabilityPlot;
pub use rows::{Glyph, RowGroup, RowPlot, SeriesRow};
pub use scale::{Axis, Tick, ticks};
pub use series::{LOOKS, key, patterns};
pub use svg::escaped;

/// A drawing: what stands inside an `svg` element, and how large it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Units across.
    pub width: f64,
    /// Units down.
    pub height: f64,
    /// Elements of SVG.
    pub content: String,
}

/// The width of all drawings.
const WIDTH: f64 = 420.0;
/// From one line of letters to the next.
const LINE: f64 = 16.0;
