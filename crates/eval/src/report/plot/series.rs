//! Markers, dashes and hatches, which tell series apart besides their colour.

use std::fmt::Write as _;

use super::svg::Svg;

/// The number of series that have a look of their own; then colours begin again with another marker.
pub const LOOKS: usize = 8;

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
pub fn class(series: usize) -> String {
    format!("s{}", series % LOOKS)
}

/// The fill of a series' bars.
pub fn fill(series: usize) -> String {
    format!("url(#hatch-{})", series % LOOKS)
}

/// The dashes of a series' lines; empty where they are whole.
pub fn dash(series: usize) -> &'static str {
    DASHES.get(series % LOOKS).copied().unwrap_or_default()
}

/// The outline of a series' marker. From the ninth series on colours come with other markers.
pub fn marker(series: usize) -> &'static str {
    MARKERS.get((series + series / LOOKS) % LOOKS).copied().unwrap_or_default()
}

/// The patterns that bars are filled with: an unseen `svg` that a page needs once.
pub fn patterns() -> String {
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
pub fn key(series: usize) -> String {
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
